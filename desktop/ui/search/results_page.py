"""The results page, and the controller that runs its searches."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QWidget

from desktop.domain.search import Hit, SearchMode
from desktop.domain.times import spoken_period
from desktop.ui.i18n import TranslatedWidget
from desktop.ui.search.hits import (
    FoundHits,
    FoundSession,
    by_session,
    find_hits,
    hold_rows,
    place_to_open,
)
from desktop.ui.search.query import DatedQuery, local_now
from desktop.ui.search.results_list import (
    Order,
    ResultFilters,
    ResultsModel,
    ResultsView,
    SearchState,
)
from desktop.ui.services import Worker
from desktop.ui.theme.theme import Glyph, ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.timers import make_timer
from desktop.ui.widgets.buttons import Button, FilterChip, IconButton
from desktop.ui.widgets.layouts import LayoutItem, at_left, column, growing, row
from desktop.ui.widgets.plain_text import Label
from desktop.ui.widgets.search_fields import SearchField

if TYPE_CHECKING:
    from desktop.sessions.services import Services


class ResultsPage(TranslatedWidget, QWidget):
    asked_changed = Signal()
    place_chosen = Signal(object)  # NavigationTarget, ReaderPlace or date, as `place_to_open`
    left = Signal()

    def __init__(self, theme: ThemeController) -> None:
        super().__init__()
        self._theme = theme
        self.model = ResultsModel(lambda: local_now().date(), self)
        self.field = SearchField(theme, self)
        self.field.keeps_text = True
        self.date_chip = FilterChip(theme, self)
        self.filters = ResultFilters(local_now, self)
        self.list = ResultsView(self.model, theme, self)
        self.query = DatedQuery(self.field, self.date_chip, self)
        self._close = IconButton(theme, Glyph.CLOSE, self, self.left.emit)
        self._told = Label(parent=self, role="small")
        self._nothing = Label(parent=self, role="muted")
        self._reset = Button("quiet", self, press=self._remove_filters)
        self._has_more = False
        self._is_answered = self._is_opening = False
        self._build()
        self._theme.theme_changed.connect(self._place)
        self.query.changed.connect(self._ask)
        self.field.left.connect(self.left)
        self.field.left_downwards.connect(self.list.enter)
        self.field.entered.connect(self._open_first)
        self.filters.changed.connect(self._ask)
        self.list.left_upwards.connect(self.query.focus)
        self.list.opened.connect(self._open)
        self.retranslate()

    @property
    def asked(self) -> SearchState:
        typed = self.query.typed
        return self.filters.put_into(SearchState(words=typed.words, period=typed.period))

    def ask(self, text: str) -> None:
        if text and text != self.field.text():
            self.field.setText(text)
        self.query.focus()

    def show_found(
        self,
        sessions: Sequence[FoundSession],
        *,
        has_more: bool,
        is_new: bool,
        is_last: bool = True,
    ) -> None:
        """Show results; unless `is_new`, a row with the focus or the pointer stays in place.

        `is_last`: whether no other search of the query may find more.
        """
        held = None if is_new else self.list.held()
        self._has_more, self._is_answered = has_more, bool(sessions) or is_last
        rows = hold_rows(self.model.sessions, sessions, held, lambda session: session.session_id)
        if not rows and self.list.hasFocus():
            self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.list.show_rows(rows, has_more=has_more, is_new=is_new)
        self._show_counts()
        if self._is_opening:
            self._open_first()

    def retranslate(self) -> None:
        self.setAccessibleName(self.tr("Search results"))
        self.list.setAccessibleName(self.tr("Search results"))
        self._close.set_name(self.tr("Close results"))
        self._reset.setText(self.tr("Remove all filters"))
        self.model.retranslate_rows()
        self.query.show_date()
        self._show_counts()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _build(self) -> None:
        self.field.set_hint(QKeySequence())
        self._told.setWordWrap(True)
        self._nothing.setWordWrap(True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._reset.setCursor(Qt.CursorShape.PointingHandCursor)
        head = row(growing(self.field), self._close)
        reset = LayoutItem(self._reset, side=Qt.AlignmentFlag.AlignHCenter)
        parts = (head, at_left(self.date_chip), self.filters, self._told, self._nothing, reset)
        self._column = column(*parts, growing(self.list), LayoutItem(None), spacing=Space.MEDIUM)
        self.setLayout(self._column)
        self._place()

    def _ask(self) -> None:
        self._is_answered = self._is_opening = False
        self.asked_changed.emit()

    def _open_first(self) -> None:
        """Open the first result, once it is there."""
        self._is_opening = not self._is_answered
        if self._is_answered and self.model.sessions:
            self.list.open_first()

    def _remove_filters(self) -> None:
        self.query.refuse_date()
        self.filters.reset()

    def _open(self, row: FoundSession | Hit) -> None:
        session = row if isinstance(row, FoundSession) else None
        hit = row if isinstance(row, Hit) else next(iter(row.hits), None)
        session_id = session.session_id if session else row.session_id
        self.place_chosen.emit(place_to_open(session_id, hit, self.query.typed.words))

    def _show_counts(self) -> None:
        sessions, state = self.model.sessions, self.asked
        period = spoken_period(state.period, self.query.language) if state.period else ""
        is_nothing = not sessions
        self._told.setText(self._date_problem() or period if is_nothing else self._counts(period))
        self._told.setVisible(bool(self._told.text()))
        self._nothing.setText(self._nothing_words(state) if is_nothing else "")
        self._nothing.setVisible(is_nothing)
        self._reset.setVisible(is_nothing and self._is_answered and state.is_filtered)
        self.list.setVisible(not is_nothing)
        self._column.setStretch(self._column.count() - 1, 1 if is_nothing else 0)

    def _date_problem(self) -> str:
        if self.filters.is_when_understood:
            return ""
        return self.tr("“{words}” is not recognised as a date.").format(
            words=self.filters.when.written
        )

    def _counts(self, period: str) -> str:
        count = sum(not session.is_day for session in self.model.sessions)
        sessions = self.tr("%n session(s)", "", count) if count else ""
        has_more = bool(sessions) and self._has_more
        more = self.tr("{count} or more").format(count=sessions) if has_more else sessions
        near = ""
        if self.query.typed.words and not any(
            session.has_words for session in self.model.sessions
        ):
            near = self.tr("no exact matches, only results with a similar meaning")
        return " · ".join(filter(None, (more, near, period, self._date_problem())))

    def _nothing_words(self, state: SearchState) -> str:
        if not state.is_anything:
            return self.tr(
                "Search all past sessions.\nWords match in any form, with or without Turkish "
                "letters. Use “quotation marks” for exact words and -word to exclude a word. "
                "You can also write a date in words: last week, in March."
            )
        if not self._is_answered:
            return ""
        if state.period is not None and state == SearchState(period=state.period):
            days = spoken_period(state.period, self.query.language)
            return self.tr("No sessions in this period: {days}.").format(days=days)
        if state.is_filtered:
            return self.tr(
                "Nothing found with these filters.\nRemove a filter or use fewer words."
            )
        return self.tr(
            "Nothing found for “{query}”.\nTry fewer words, the beginning of a word, or "
            "another word."
        ).format(query=state.words)

    def _place(self) -> None:
        side = max((self.width() - self._theme.column_width) // 2, Space.WIDE)
        self._column.setContentsMargins(side, Space.LARGE, side, Space.SMALL)


_REST_MS = 150
_PAGE = 60
_TOPICS = 300


class ResultsController(QObject):
    def __init__(self, page: ResultsPage, worker: Worker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._page = page
        self._worker = worker
        self._asked = SearchState()
        self._limit = _PAGE
        self._has_more = False
        self._rest = make_timer(self, _REST_MS, self._find_first, is_single=True)
        page.asked_changed.connect(self._rest.start)
        page.list.more_wanted.connect(self._find_more)

    def look_again(self) -> None:
        """Search once more, in what is shown now."""
        if self._page.isVisible():
            self._find_first()

    def offer_topics(self) -> None:
        self._worker.do(
            lambda services: services.archive.topics(services.assistant.shown, limit=_TOPICS),
            self._page.filters.offer_topics,
        )

    def _find_first(self) -> None:
        self._asked, self._limit = self._page.asked, _PAGE
        if self._asked.is_anything:
            self._find(SearchMode.KEYWORD, is_new=True)
        else:
            self._page.show_found((), has_more=False, is_new=True)

    def _find_more(self) -> None:
        if self._has_more:
            self._limit += _PAGE
            self._find(self._best_mode, is_new=False)

    def _find(self, mode: SearchMode, *, is_new: bool) -> None:
        state, limit = self._asked, self._limit

        def show(results: FoundHits) -> None:
            if state != self._asked or limit != self._limit:
                return  # another search has started
            self._has_more = results.has_more
            sessions = by_session(results.hits, results.counts)
            is_last = mode is self._best_mode
            self._page.show_found(
                sessions, has_more=results.has_more, is_new=is_new, is_last=is_last
            )
            if not is_last:
                self._find(self._best_mode, is_new=False)

        def work(services: "Services") -> FoundHits:
            return find_hits(services, state.query(mode, limit + 1, services.assistant.shown))

        # The project may have changed since an earlier search began.
        self._worker.do_latest("results", work, show)

    @property
    def _best_mode(self) -> SearchMode:
        """Return the mode: semantic search is useful only with words, and ordered by rank."""
        by_meaning = self._asked.words and self._asked.order is Order.BEST
        return SearchMode.AUTO if by_meaning else SearchMode.KEYWORD
