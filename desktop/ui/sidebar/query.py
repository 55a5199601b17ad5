"""What is searched for in the sidebar: as it is typed, the date in it, and what was last.

It keeps the rules; where the field, the chip and the list of past searches stand is the sidebar's.
"""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication

from desktop.domain.language import Language
from desktop.language.dates.date_formatting import spoken_period
from desktop.recall.query_dates import TypedQuery
from desktop.ui.dates_in_query import DatesInQuery
from desktop.ui.sidebar.recent_searches import RecentSearches, remembered
from desktop.ui.widgets.buttons import FilterChip
from desktop.ui.widgets.fields import SearchField


class SidebarQuery(QObject):
    changed = Signal()
    remembered_changed = Signal()
    """What is remembered of past searches"""

    def __init__(
        self, field: SearchField, date_chip: FilterChip, recent: RecentSearches, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._field = field
        self._date_chip = date_chip
        self._recent = recent
        self._dates = DatesInQuery()
        self._keeps_searches = True
        self._language = Language.EN
        date_chip.hide()
        field.textChanged.connect(self._change)
        field.focused.connect(self._offer_recent)
        date_chip.clicked.connect(self._refuse_date)
        recent.chosen.connect(self._search_again)
        recent.cleared.connect(self._forget_searches)
        recent.left_upwards.connect(self.focus)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._offer_recent)

    @property
    def text(self) -> str:
        return self._field.text().strip()

    @property
    def typed(self) -> TypedQuery:
        """With its words for a date read as a filter."""
        return self._dates.read(self.text)

    def focus(self) -> None:
        self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._field.selectAll()

    def set_language(self, language: Language) -> None:
        self._language = language
        self.show_date()

    def set_searches(self, recent: Sequence[str], *, are_kept: bool) -> None:
        """What was searched for last; not `are_kept`: nothing is remembered nor offered."""
        self._keeps_searches = are_kept
        self._recent.show_queries(recent if are_kept else ())
        self._offer_recent()

    def remember(self) -> None:
        """It led somewhere."""
        if self._keeps_searches and self.text:
            self._recent.show_queries(remembered(self._recent.queries, self.text))
            self.remembered_changed.emit()

    def show_date(self) -> None:
        typed = self.typed
        self._date_chip.setVisible(typed.period is not None)
        if typed.period is not None:
            self._date_chip.set_text(typed.said, spoken_period(typed.period, self._language))

    def _change(self) -> None:
        self.show_date()
        self._offer_recent()
        self.changed.emit()

    def _refuse_date(self) -> None:
        """It is taken for words, for as long as it is written there."""
        self._dates.refuse(self.typed)
        self._field.setFocus(Qt.FocusReason.OtherFocusReason)
        self._change()

    def _offer_recent(self) -> None:
        """Where nothing is typed, and the keyboard is here."""
        focus = QApplication.focusWidget()
        is_here = focus is self._field or (focus is not None and self._recent.isAncestorOf(focus))
        is_wanted = is_here and not self.text and bool(self._recent.queries)
        self._recent.setVisible(is_wanted)

    def _search_again(self, query: str) -> None:
        self._field.setFocus(Qt.FocusReason.OtherFocusReason)
        self._field.setText(query)

    def _forget_searches(self) -> None:
        self._recent.show_queries(())
        self.focus()
        self._offer_recent()
        self.remembered_changed.emit()
