"""What is searched for: text with dates in words, filters of the sidebar, recent searches."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QButtonGroup, QFrame, QWidget

from desktop.domain.language import Language
from desktop.domain.search import TypedQuery
from desktop.domain.times import spoken_period
from desktop.language.normalization import folded_key
from desktop.ui.i18n import TranslatedWidget
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button, FilterChip
from desktop.ui.widgets.layouts import (
    FlowLayout,
    clear_layout,
    column,
    growing,
    holds_focus,
    row,
    text_width,
)
from desktop.ui.widgets.plain_text import Label
from desktop.ui.widgets.search_fields import SearchField


class Filter(StrEnum):
    ALL = "all"
    THIS_WEEK = "this_week"
    PINNED = "pinned"
    MESSAGES = "messages"  # One row per message instead of per session; only during a search


def local_now() -> datetime:
    return datetime.now()  # noqa: DTZ005 (the user's clock, with the system's time zone)


class DatedQuery(QObject):
    """A search field that turns words for a date into a filter, shown on a chip.

    A filter that was removed stays off while its words stay in the field.
    """

    changed = Signal()

    def __init__(self, field: SearchField, chip: FilterChip, parent: QObject) -> None:
        super().__init__(parent)
        self._field = field
        self._chip = chip
        self._as_words: set[str] = set()
        self.language = Language.EN
        chip.hide()
        field.textChanged.connect(self._change)
        chip.clicked.connect(self.refuse_date)

    @property
    def text(self) -> str:
        return self._field.text().strip()

    @property
    def typed(self) -> TypedQuery:
        """Return the query, with words for a date parsed as a filter."""
        folded = folded_key(self.text)
        self._as_words = {word for word in self._as_words if word in folded}
        if not folded:
            return TypedQuery("")
        from desktop.language.dates.date_parser import parse_typed_query  # noqa: PLC0415 - not for the start

        return parse_typed_query(self.text, local_now(), as_words=self._as_words)

    def focus(self) -> None:
        self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._field.selectAll()

    def set_language(self, language: Language) -> None:
        self.language = language
        self.show_date()

    def show_date(self) -> None:
        typed = self.typed
        self._chip.setVisible(typed.period is not None)
        if typed.period is not None:
            self._chip.set_text(typed.date_text, spoken_period(typed.period, self.language))

    def refuse_date(self) -> None:
        if (typed := self.typed).period is not None:
            self._as_words.add(folded_key(typed.date_text))
        self._field.setFocus(Qt.FocusReason.OtherFocusReason)
        self._change()

    def _change(self) -> None:
        self.show_date()
        self.changed.emit()


_MOST = 6
_LONGEST = 34


def remembered(recent: Sequence[str], query: str) -> list[str]:
    """Return the recent searches with this one first, without its own prefixes."""
    query = " ".join(query.split())
    if not query:
        return list(recent)
    folded = folded_key(query)
    others = [search for search in recent if not folded.startswith(folded_key(search))]
    return [query, *others][:_MOST]


class _RecentSearch(Button):
    stepped = Signal(int)
    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Down:
                self.stepped.emit(1)
            case Qt.Key.Key_Up:
                self.stepped.emit(-1)
            case Qt.Key.Key_Escape:
                self.left.emit()
            case _:
                super().keyPressEvent(event)


class RecentSearches(TranslatedWidget, QFrame):
    chosen = Signal(str)
    cleared = Signal()
    left_upwards = Signal()
    left_downwards = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.queries: Sequence[str] = ()
        self._lead = Label(parent=self, role="small")
        self._clear = Button("link", self, press=self.cleared.emit)
        self._rows: list[_RecentSearch] = []
        self._column = column(spacing=0)
        head = row(growing(self._lead), self._clear, spacing=0)
        margin = (Space.TIGHT, 0, Space.TIGHT, 0)
        self.setLayout(column(head, self._column, spacing=0, margin=margin))
        self.retranslate()
        self.hide()

    def show_queries(self, queries: Sequence[str]) -> None:
        self.queries = tuple(queries)
        clear_layout(self._column)
        self._rows = [self._row(place, query) for place, query in enumerate(self.queries)]

    def enter(self) -> None:
        self._step(0)

    def retranslate(self) -> None:
        self._lead.setText(self.tr("Recent searches"))
        self._clear.setText(self.tr("Clear"))
        self._clear.setAccessibleName(self.tr("Clear recent searches"))
        self.setAccessibleName(self.tr("Recent searches"))

    def _row(self, place: int, query: str) -> _RecentSearch:
        press = partial(self.chosen.emit, query)
        made = _RecentSearch("link", self, name=query, press=press)
        metrics, room = made.fontMetrics(), text_width(made, _LONGEST)
        cut = metrics.elidedText(query, Qt.TextElideMode.ElideRight, room)
        made.setText(cut.replace("&", "&&"))
        made.stepped.connect(lambda step: self._step(place + step))
        made.left.connect(self.left_upwards)
        self._column.addWidget(made)
        return made

    def _step(self, place: int) -> None:
        if place < 0:
            self.left_upwards.emit()
        elif place < len(self._rows):
            self._rows[place].setFocus(Qt.FocusReason.TabFocusReason)
        else:
            self.left_downwards.emit()


class SidebarQuery(DatedQuery):
    """Offers recent searches while the field is empty and has the focus."""

    remembered_changed = Signal()  # The recent searches changed

    def __init__(
        self, field: SearchField, chip: FilterChip, recent: RecentSearches, parent: QObject
    ) -> None:
        super().__init__(field, chip, parent)
        self._recent = recent
        self._keeps_searches = True
        field.focused.connect(self._offer_recent)
        field.textChanged.connect(self._offer_recent)
        recent.chosen.connect(self._search_again)
        recent.cleared.connect(self._forget_searches)
        recent.left_upwards.connect(self.focus)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._offer_recent)

    def set_searches(self, recent: Sequence[str], *, are_kept: bool) -> None:
        """Set the recent searches; if not `are_kept`, none are stored or offered."""
        self._keeps_searches = are_kept
        self._recent.show_queries(recent if are_kept else ())
        self._offer_recent()

    def remember(self) -> None:
        if self._keeps_searches and self.text:
            self._recent.show_queries(remembered(self._recent.queries, self.text))
            self.remembered_changed.emit()

    def _offer_recent(self) -> None:
        is_here = holds_focus(self._field) or holds_focus(self._recent)
        self._recent.setVisible(is_here and not self.text and bool(self._recent.queries))

    def _search_again(self, query: str) -> None:
        self._field.setFocus(Qt.FocusReason.OtherFocusReason)
        self._field.setText(query)

    def _forget_searches(self) -> None:
        self._recent.show_queries(())
        self.focus()
        self._offer_recent()
        self.remembered_changed.emit()


class FilterChips(TranslatedWidget, QWidget):
    chosen = Signal(object)  # Filter

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._buttons = {each: Button("chip", self) for each in Filter}
        self._group = QButtonGroup(self)
        self._message_hits: str | None = None
        self._layout = FlowLayout(self)
        for chosen, button in self._buttons.items():
            button.setCheckable(True)
            button.clicked.connect(lambda _=False, chosen=chosen: self.chosen.emit(chosen))
            self._group.addButton(button)
            self._layout.addWidget(button)
        self._buttons[Filter.ALL].setChecked(True)
        self.show_searching(None)

    def choose(self, chosen: Filter) -> None:
        self._buttons[chosen].setChecked(True)
        # Tab reaches the checked button of a group, but Qt updates that only after a click.
        for each, button in self._buttons.items():
            policy = Qt.FocusPolicy.StrongFocus if each is chosen else Qt.FocusPolicy.ClickFocus
            button.setFocusPolicy(policy)

    def show_searching(self, message_hits: str | None) -> None:
        """Show how many messages match, as text; None outside of a search."""
        self._message_hits = message_hits
        self._buttons[Filter.PINNED].setHidden(message_hits is not None)
        self._buttons[Filter.MESSAGES].setHidden(message_hits is None)
        self.retranslate()
        self.updateGeometry()
        self._layout.activate()  # at once: a count is not painted in the room of none

    def retranslate(self) -> None:
        self.setAccessibleName(self.tr("Filters"))
        self._buttons[Filter.ALL].setText(self.tr("All"))
        self._buttons[Filter.THIS_WEEK].setText(self.tr("This week"))
        self._buttons[Filter.PINNED].setText(self.tr("Pinned"))
        self._buttons[Filter.MESSAGES].setText(
            self.tr("Messages {count}").format(count=self._message_hits or "")
        )
