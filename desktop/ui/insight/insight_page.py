"""The insight window: pictures of how Bellek is used, each with a table."""

from collections import deque
from collections.abc import Sequence
from datetime import date, timedelta
from enum import StrEnum
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractScrollArea,
    QButtonGroup,
    QFrame,
    QGridLayout,
    QHeaderView,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from desktop.domain.projects import EVERYTHING
from desktop.sessions.keeping.insight import (
    Insight,
    InsightPart,
    InsightSection,
    TextTable,
    describe,
    period_in_words,
)
from desktop.ui.services import Worker
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.views import View
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.layouts import (
    STRETCH,
    VerticalScrollArea,
    at_top,
    clear_layout,
    column,
    frame_with,
    growing,
    row,
    text_width,
    widget_with,
)
from desktop.ui.widgets.plain_text import BodyLabel, HintLabel, SectionLabel, TitleLabel

if TYPE_CHECKING:
    from desktop.sessions.services import Services
    from desktop.ui.insight.pictures import PictureBuilder

_TWO_COLUMNS = 110  # letters; narrower windows show one column
_WIDE = frozenset(
    {InsightPart.ACTIVITY, InsightPart.SPENDING, InsightPart.BACKGROUND, InsightPart.MEMORY}
)
"""Parts that take the whole width."""
_MONTH, _YEAR = 30, 365
_TABLE_LINES, _TABLE_LINE = 12, 1.5  # the most lines, and the height of one
_SIDE = Qt.AlignmentFlag


class InsightPeriod(StrEnum):
    MONTH = "month"
    YEAR = "year"
    ALL = "all"

    def since(self, today: date) -> date | None:
        if self is InsightPeriod.ALL:
            return None
        return today - timedelta(days=(_MONTH if self is InsightPeriod.MONTH else _YEAR) - 1)


class InsightCard(QFrame):
    """A part: its title, its sentence, and its picture or the table behind it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        # Two cards side by side are equally wide, whatever their contents.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._title, self._told, self.table = SectionLabel(), HintLabel(), QTableWidget()
        self.toggle = Button("chip", press=lambda: self._show(table=self.table.isHidden()))
        self._room = column()
        self._picture = QWidget()
        head = row(growing(column(self._title, self._told, spacing=0)), at_top(self.toggle))
        self.setLayout(
            column(head, self._room, self.table, STRETCH, spacing=Space.MEDIUM, margin=Space.LARGE)
        )
        table = self.table
        table.setProperty("role", "list")
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setShowGrid(False)
        table.setTabKeyNavigation(False)
        table.verticalHeader().hide()
        table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        table.hide()

    def show_section(self, section: InsightSection, picture: QWidget | None) -> None:
        self._title.setText(section.title)
        self._told.set_text(section.summary)
        self.table.setAccessibleName(section.title)
        self.toggle.setAccessibleDescription(section.summary)
        clear_layout(self._room)
        self._picture = picture or QWidget()
        self._room.addWidget(self._picture)
        self.toggle.setVisible(picture is not None)
        _fill(self.table, section.table)
        is_table = not self.table.isHidden() if picture else bool(section.table.rows)
        self._show(table=is_table)

    def _show(self, *, table: bool) -> None:
        self.table.setVisible(table)
        self._picture.setHidden(table)
        self.toggle.setText(self.tr("Chart") if table else self.tr("Table"))
        form = self.tr("{part}: show the chart") if table else self.tr("{part}: show the table")
        self.toggle.setAccessibleName(form.format(part=self._title.text()))


class InsightPage(View):
    act = "insight"

    def __init__(
        self,
        worker: Worker,
        theme: ThemeController,
        span: InsightPeriod,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._worker, self._theme = worker, theme
        self.span = span
        self.is_loaded = False
        self._insight: Insight | None = None
        self._due: deque[InsightSection] = deque()
        self._period, self._spans = HintLabel(), QButtonGroup(self)
        self._page, self._grid = QWidget(), QGridLayout()
        self.cards = {part: InsightCard(self._page) for part in InsightPart}
        self._area = VerticalScrollArea()
        self._build()
        theme.theme_changed.connect(self._fill)

    @property
    def scrolled(self) -> Sequence[QAbstractScrollArea]:
        return (self._area,)

    def show_at(self) -> None:
        self.come()
        if (chosen := self._spans.checkedButton()) is not None:
            chosen.setFocus(Qt.FocusReason.OtherFocusReason)
        self._load(self.span)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        has_two = self.width() >= text_width(self, _TWO_COLUMNS)
        place = 0
        for part, card in self.cards.items():
            is_wide = part in _WIDE or not has_two
            place += place % 2 if is_wide else 0
            self._grid.addWidget(card, place // 2, place % 2, 1, 2 if is_wide else 1)
            place += 2 if is_wide else 1
        self._grid.setColumnStretch(0, 1)
        self._grid.setColumnStretch(1, 1)

    def _load(self, span: InsightPeriod) -> None:
        self.span = span
        since = span.since(date.today())  # noqa: DTZ011 (the local day)

        def read(services: "Services") -> Insight:
            import_module("desktop.ui.insight.pictures")  # a second, off the interface thread
            return services.insight.read(EVERYTHING, since)

        self._worker.do_latest("insight", read, self._show_insight)

    def _build(self) -> None:
        self.setWindowTitle(self.tr("Overview"))
        title = TitleLabel(self.tr("Overview"))
        title.setWordWrap(False)
        self._grid.setContentsMargins(0, 0, Space.MEDIUM, 0)
        self._grid.setSpacing(Space.LARGE)
        self._page.setLayout(self._grid)
        self._area.setWidget(self._page)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        nothing = self.tr(
            "After your first session, this page shows when you work, which topics recur, how "
            "many tokens the models used, and how your archive grows."
        )
        lead = TitleLabel(self.tr("Nothing to show yet"))
        hint = BodyLabel(nothing, role="muted")
        self._empty = widget_with(
            column(STRETCH, lead, hint, STRETCH, STRETCH, spacing=Space.LARGE, margin=Space.WIDE)
        )
        head = column(row(title, STRETCH, self._segments()), self._period)
        pages = (growing(self._area), growing(self._empty))
        self.setLayout(column(head, *pages, spacing=Space.MEDIUM, margin=Space.WIDE))
        self._page.hide()
        self._empty.hide()

    def _segments(self) -> QWidget:
        names = {
            InsightPeriod.MONTH: self.tr("30 days"),
            InsightPeriod.YEAR: self.tr("One year"),
            InsightPeriod.ALL: self.tr("All time"),
        }
        line = row(spacing=0)
        frame = frame_with("segments", line)
        frame.setAccessibleName(self.tr("Period"))
        for span, name in names.items():
            button = Button("segment", text=name, press=partial(self._load, span))
            button.setCheckable(True)
            button.setChecked(span is self.span)
            self._spans.addButton(button)
            line.addWidget(button)
        return frame

    def _show_insight(self, insight: Insight) -> None:
        self._insight = insight
        self._fill()

    def _fill(self) -> None:
        insight = self._insight
        if insight is None or not self.isVisible():
            return
        from desktop.ui.insight.pictures import PictureBuilder  # noqa: PLC0415 (see `_load`)

        texts = self._worker.services.texts()
        self.is_loaded = False
        self._page.show()
        self._area.setHidden(insight.is_empty)
        self._empty.setVisible(insight.is_empty)
        self._period.setText("" if insight.is_empty else period_in_words(insight, texts))
        self._due = deque(describe(insight, texts))
        self._build_next(PictureBuilder(insight, texts, self._theme))

    def _build_next(self, builder: "PictureBuilder") -> None:
        """Build one picture; process waiting events before the next."""
        self.is_loaded = not self._due
        if self._due:
            section = self._due.popleft()
            picture = builder.picture(section.part) if section.table.rows else None
            self.cards[section.part].show_section(section, picture)
            QTimer.singleShot(0, self, partial(self._build_next, builder))


def _fill(table: QTableWidget, contents: TextTable) -> None:
    table.clear()
    table.setColumnCount(len(contents.head))
    table.setRowCount(len(contents.rows))
    for place, cells in enumerate([contents.head, *contents.rows]):
        for at, text in enumerate(cells):
            item = QTableWidgetItem(text)
            side = _SIDE.AlignLeft if at < contents.names else _SIDE.AlignRight
            item.setTextAlignment(side | _SIDE.AlignVCenter)
            if place:
                table.setItem(place - 1, at, item)
            else:
                table.setHorizontalHeaderItem(at, item)
    margin = table.verticalScrollBar().sizeHint().width() + 2 * Space.SMALL
    table.setMaximumWidth(table.horizontalHeader().length() + margin)
    lines = min(len(contents.rows), _TABLE_LINES) + 2
    table.setFixedHeight(round(lines * _TABLE_LINE * table.fontMetrics().lineSpacing()))
