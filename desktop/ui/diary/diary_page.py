"""The diary window: a calendar, the entry of the chosen day, and all open thoughts."""

from collections.abc import Collection, Sequence
from datetime import date
from typing import TYPE_CHECKING

from PySide6.QtCore import QDate, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QTextCharFormat
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QCalendarWidget,
    QInputDialog,
    QSpinBox,
    QTableView,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop.domain.diary import DiaryEntry, DiaryItem, DiaryItemKind
from desktop.settings.settings import DiaryMode
from desktop.ui.dialogs.form import TextQuestion, open_dialog
from desktop.ui.diary.watches_dialog import FindingBox, WatchesDialog
from desktop.ui.formatting import full_day
from desktop.ui.services import NavigationTarget, Worker
from desktop.ui.theme.theme import Glyph, ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.views import View
from desktop.ui.widgets.buttons import Button, IconButton
from desktop.ui.widgets.fields import WheelGuard, WrappingCheckBox
from desktop.ui.widgets.layouts import (
    Columns,
    FlowLayout,
    LayoutItem,
    VerticalScrollArea,
    column,
    growing,
    row,
    widget_with,
)
from desktop.ui.widgets.plain_text import BodyLabel, HintLabel, SectionLabel, TitleLabel

if TYPE_CHECKING:
    from desktop.sessions.services import Services

_CALENDAR_LINES, _LIST_LINES, _PAGE_LINES = 15, 7, 10  # The least
_MOST_LISTED = 60
_LEFT_SHARE, _PAGE_SHARE = 2, 3
_TWO_COLUMNS = 90  # Letters


class DayCalendar(QCalendarWidget):
    def __init__(self, theme: ThemeController) -> None:
        super().__init__()
        self._theme = theme
        self._days: Collection[date] = ()
        self.setVerticalHeaderFormat(QCalendarWidget.VerticalHeaderFormat.NoVerticalHeader)
        self.setAccessibleName(self.tr("Calendar"))
        for view in self.findChildren(QTableView):
            view.setAccessibleName(self.tr("Days of the month"))
            WheelGuard(view.viewport())
        for year in self.findChildren(QSpinBox):
            WheelGuard(year)
        steps = (
            ("qt_calendar_prevmonth", Glyph.CHEVRON_LEFT, self.tr("Previous month")),
            ("qt_calendar_nextmonth", Glyph.CHEVRON_RIGHT, self.tr("Next month")),
        )
        # Not the buttons: Shiboken ends what Qt made with whatever the focus chain led from.
        self._steps = {name: glyph for name, glyph, _ in steps}
        for name, _, label in steps:
            for button in self.findChildren(QToolButton, name):
                button.setAccessibleName(label)
        theme.theme_changed.connect(self._colour)
        self._colour()

    @property
    def day(self) -> date:
        chosen = self.selectedDate()
        return date(chosen.year(), chosen.month(), chosen.day())

    def choose(self, day: date) -> None:
        self.setSelectedDate(QDate(day.year, day.month, day.day))

    def mark(self, days: Collection[date]) -> None:
        self._days = days
        self._colour()

    def _colour(self) -> None:
        tokens = self._theme.tokens
        head, has_entry = QTextCharFormat(), QTextCharFormat()
        head.setForeground(QColor(tokens.muted))
        head.setBackground(QColor(tokens.ground))
        self.setHeaderTextFormat(head)
        for weekend in (Qt.DayOfWeek.Saturday, Qt.DayOfWeek.Sunday):
            self.setWeekdayTextFormat(weekend, head)
        has_entry.setForeground(QColor(tokens.accent))
        has_entry.setBackground(QColor(tokens.accent_ground))
        has_entry.setFontWeight(QFont.Weight.Bold)
        self.setDateTextFormat(QDate(), QTextCharFormat())  # removes the previous marks
        for day in self._days:
            self.setDateTextFormat(QDate(day.year, day.month, day.day), has_entry)
        self.setMinimumHeight(_CALENDAR_LINES * QFontMetrics(self._theme.font()).lineSpacing())
        for button in self.findChildren(QToolButton):
            if glyph := self._steps.get(button.objectName()):
                button.setIcon(self._theme.icon(glyph))
                button.setIconSize(self._theme.icon_size)


class EntryPage(VerticalScrollArea):
    place_wanted = Signal(object)  # NavigationTarget
    ticked = Signal(object, bool)  # DiaryItem
    edited = Signal(object, str, str)  # date, the user's text, and what it was
    write_wanted = Signal(object)  # date

    def __init__(self, theme: ThemeController) -> None:
        super().__init__()
        self._theme = theme
        self.setAccessibleName(self.tr("Entry for the day"))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def show_day(self, entry: DiaryEntry, *, can_write: bool) -> None:
        has_focus = self.isAncestorOf(self.window().focusWidget())
        parts = column(TitleLabel(full_day(entry.day)))
        if not (entry.items or entry.findings):
            parts.addWidget(BodyLabel(self.tr("This day has no entry."), role="muted"))
        for kind in DiaryItemKind:
            if items := entry.of_kind(kind):
                parts.addSpacing(Space.SMALL)
                parts.addWidget(SectionLabel(self._heading(kind)))
            for item in items:
                parts.addLayout(self.line(item))
        for finding in entry.findings:
            parts.addSpacing(Space.SMALL)
            parts.addWidget(FindingBox(finding, self._theme))
        edit = Button(text=self.tr("&Edit…"), press=lambda: self._edit(entry))
        buttons = FlowLayout()
        buttons.addWidget(edit)
        if can_write:
            again = self.tr("Write a&gain") if entry.items else self.tr("&Write this entry")
            write = Button(text=again)
            # Once: the model may take a minute.
            write.clicked.connect(lambda: write.setEnabled(False))
            write.clicked.connect(lambda: self.write_wanted.emit(entry.day))
            buttons.addWidget(write)
        parts.addSpacing(Space.MEDIUM)
        parts.addLayout(buttons)
        parts.setContentsMargins(Space.WIDE, 0, Space.LARGE, Space.LARGE)
        parts.addStretch()
        self.setWidget(widget_with(parts))
        if has_focus:
            edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def line(self, item: DiaryItem, about: str = "") -> QVBoxLayout:
        """Return a line: a thought has a check box, and most lines lead to their message."""
        widget: QWidget = BodyLabel(item.text)
        if item.kind.is_thought:
            widget = box = WrappingCheckBox(item.text.replace("&", "&&"))
            box.setObjectName(str(item.id))
            box.setChecked(item.done_at is not None)
            box.clicked.connect(lambda is_done: self.ticked.emit(item, is_done))
        parts = column(spacing=0)
        line = row(LayoutItem(widget, 1, Qt.AlignmentFlag.AlignVCenter))
        if item.session_id is not None:
            go = IconButton(self._theme, Glyph.CHEVRON_RIGHT)
            go.set_name(self.tr("Show in session"))
            go.setAccessibleName(self.tr("Show in session: {line}").format(line=item.text))
            place = NavigationTarget(item.session_id, item.message_id, item.text.split())
            go.clicked.connect(lambda: self.place_wanted.emit(place))
            line.addWidget(go, 0, Qt.AlignmentFlag.AlignTop)
        parts.addLayout(line)
        if about:
            hint = HintLabel(about)
            hint.setProperty("below", "box")
            parts.addWidget(hint)
        return parts

    def _edit(self, entry: DiaryEntry) -> None:
        TextQuestion(
            self,
            full_day(entry.day),
            self.tr(
                "Your text appears above the entry and is never overwritten. To remove it, "
                "leave the field empty."
            ),
            lambda text: (
                None if text == entry.note else self.edited.emit(entry.day, text, entry.note)
            ),
            text=entry.note,
            is_long=True,
        )

    def _heading(self, kind: DiaryItemKind) -> str:
        return {
            DiaryItemKind.NOTE: self.tr("Your text"),
            DiaryItemKind.ASKED: self.tr("Asked"),
            DiaryItemKind.FOUND: self.tr("Found"),
            DiaryItemKind.DECIDED: self.tr("Decided"),
            DiaryItemKind.OPEN: self.tr("Still open"),
            DiaryItemKind.NEXT_STEP: self.tr("Next steps"),
        }[kind]


class DiaryPage(View):
    act = "diary"
    place_wanted = Signal(object)  # NavigationTarget of a line's message

    def __init__(
        self, worker: Worker, theme: ThemeController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._worker, self._theme = worker, theme
        self._entries: dict[date, DiaryEntry] = {}
        self.is_loaded = self._is_day_given = False
        self.calendar, self.page = DayCalendar(theme), EntryPage(theme)
        self._count = HintLabel()
        self._list = VerticalScrollArea()
        self.setWindowTitle(self.tr("Diary"))
        self._list.setAccessibleName(self.tr("Items"))
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        title = TitleLabel(self.tr("Diary"))
        title.setWordWrap(False)
        left = widget_with(column(self.calendar, growing(self._list), spacing=Space.MEDIUM))
        shares = (growing(left, _LEFT_SHARE), growing(self.page, _PAGE_SHARE))
        self._whole = VerticalScrollArea()
        self._whole.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._whole.setWidget(Columns(*shares, letters=_TWO_COLUMNS))
        watches = Button(text=self.tr("&Watches…"), press=self.open_watches)
        whole = (row(title, growing(self._count), watches), growing(self._whole))
        self.setLayout(column(*whole, spacing=Space.MEDIUM, margin=Space.WIDE))
        theme.theme_changed.connect(self._leave_room)
        self._leave_room()
        self.calendar.selectionChanged.connect(self._show_day)
        self.page.place_wanted.connect(self._go)
        self.page.ticked.connect(self._tick)
        self.page.edited.connect(self._edit)
        self.page.write_wanted.connect(self._write)

    def open_at(self, day: date | None = None) -> None:
        if day is not None:
            self.calendar.choose(day)
        self._is_day_given = day is not None
        self.come()
        self.load()
        self.calendar.setFocus(Qt.FocusReason.OtherFocusReason)

    def open_watches(self) -> WatchesDialog:
        dialog = WatchesDialog(self._worker, self._theme, self)
        dialog.changed.connect(self.load)
        open_dialog(dialog)
        return dialog

    def load(self) -> None:
        """Load after the pending changes, or their old state would come back."""
        self._worker.do_in_turn(_seen_entries, self._show)

    @property
    def scrolled(self) -> Sequence[QAbstractScrollArea]:
        return (self.page, self._list, self._whole)

    def _leave_room(self) -> None:
        """Scroll the whole page rather than squeeze a part of it."""
        line = QFontMetrics(self._theme.font()).lineSpacing()
        self._list.setMinimumHeight(_LIST_LINES * line)
        self.page.setMinimumHeight(_PAGE_LINES * line)

    @property
    def holds_work(self) -> bool:
        return bool(self.findChildren(QInputDialog) or self.findChildren(WatchesDialog))

    def _show(self, entries: Sequence[DiaryEntry]) -> None:
        chooses, self.is_loaded = not (self.is_loaded or self._is_day_given), True
        self._take(entries)
        if chooses and entries and self.calendar.day not in self._entries:
            self.calendar.choose(entries[0].day)
        self._show_thoughts()
        self._show_day()

    def _take(self, entries: Sequence[DiaryEntry]) -> None:
        self._entries = {entry.day: entry for entry in entries}
        thoughts = sum(thought.done_at is None for entry in entries for thought in entry.thoughts)
        counted = self.tr("%Ln entry(ies)", "", len(entries))
        still_open = self.tr("%Ln open item(s)", "", thoughts)
        self._count.setText(f"{counted} · {still_open}")
        self.calendar.mark(self._entries.keys())

    def _show_day(self) -> None:
        services, day = self._worker.services, self.calendar.day
        is_on = services.settings().diary is not DiaryMode.OFF
        can_write = is_on and day <= services.diary.today()
        self.page.show_day(self._entries.get(day, DiaryEntry(day)), can_write=can_write)

    def _show_thoughts(self) -> None:
        parts = column(SectionLabel(self.tr("Open items")), margin=(0, 0, Space.SMALL, 0))
        shown = [
            (entry.day, thought)
            for entry in self._entries.values()
            for thought in entry.thoughts
            if thought.done_at is None
        ]
        if not shown:
            parts.addWidget(HintLabel(self._nothing_text()))
        for day, item in shown[:_MOST_LISTED]:
            parts.addLayout(self.page.line(item, full_day(day)))
        parts.addStretch()
        self._list.setWidget(widget_with(parts))

    def _nothing_text(self) -> str:
        if self._worker.services.settings().diary is DiaryMode.OFF:
            return self.tr("The diary is turned off. To turn it on, open Settings > Sessions.")
        if self._entries:
            return self.tr("There are no open questions or next steps.")
        return self.tr(
            "For each day with a session, Bellek writes down what you asked, found and decided, "
            "and what is still open. The entry is written when the day is over. Every line links "
            "to its message."
        )

    def _write(self, day: date) -> None:
        """Write a day again; other changes do not wait for the model."""
        self._count.setText(self.tr("Writing…"))
        self._worker.do(lambda services: services.diary.write(day), settled=self.load)

    def _edit(self, day: date, text: str, begun: str) -> None:
        self._worker.do_in_turn(
            lambda services: services.diary.edit(day, text, begun=begun), settled=self.load
        )

    def _tick(self, item: DiaryItem, is_done: bool) -> None:  # noqa: FBT001 (from a signal)
        """Tick it off wherever it is shown; it stays in the list until the next load."""
        for box in self.findChildren(WrappingCheckBox, str(item.id)):
            box.setChecked(is_done)

        def change(services: "Services") -> Sequence[DiaryEntry]:
            services.diary.tick(item.id, is_done=is_done)
            return _seen_entries(services)

        self._worker.do_in_turn(change, self._take)

    def _go(self, place: object) -> None:
        self.left.emit()
        self.place_wanted.emit(place)


def _seen_entries(services: "Services") -> Sequence[DiaryEntry]:
    """Load with the user's own words: without them the next edit would replace them."""
    return services.archive.diary_entries(services.assistant.shown, with_notes=True)
