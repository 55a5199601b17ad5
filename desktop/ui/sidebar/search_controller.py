"""Searches while the user types in the sidebar: by recency first, by rank after a pause.

Keyword search never waits for semantic search. A semantic result that arrives late belongs to
another query and is dropped.
"""

from PySide6.QtCore import QObject

from desktop.domain.search import (
    CONVERSATIONS,
    HitKind,
    Query,
    Scope,
    SearchMode,
    SearchOrder,
    TypedQuery,
)
from desktop.domain.times import Period
from desktop.settings.settings import Settings
from desktop.ui.search.hits import FoundHits, find_hits
from desktop.ui.services import Worker
from desktop.ui.sidebar.model import SessionListModel
from desktop.ui.sidebar.sidebar import Sidebar
from desktop.ui.timers import make_timer
from desktop.ui.window_state import SEARCHES, WindowState

_REST_MS = 300
_TYPED_HITS = 30  # Hits per key press: slightly more than the list shows without scrolling
_FIRST_HITS = 60
_MOST_HITS = 60 * 27
_MORE_TIMES = 3
_KINDS = frozenset(HitKind) - {HitKind.FACT}


class SidebarSearchController(QObject):
    def __init__(
        self, sidebar: Sidebar, worker: Worker, state: WindowState, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._sidebar = sidebar
        self._worker = worker
        self._state = state
        self._typed = TypedQuery("")
        self._is_ranked = False  # Whether the shown hits are ranked for the current text
        self._limit = self._first_limit = _FIRST_HITS
        self._is_finding = False
        self._is_due = self._is_opening = False
        self._ranking = 0
        self._rest = make_timer(self, _REST_MS, self._rank, is_single=True)
        sidebar.query_changed.connect(self.find)
        sidebar.search.entered.connect(self._open_first)
        sidebar.model.more_wanted.connect(self._find_more)
        sidebar.query.remembered_changed.connect(
            lambda: state.keep_lines(SEARCHES, sidebar.recent.queries)
        )

    @property
    def is_busy(self) -> bool:
        return self._is_finding or self._rest.isActive() or self._ranking > 0

    def apply(self, settings: Settings) -> None:
        if not settings.keeps_searches:
            self._state.keep_lines(SEARCHES, ())
        searches = self._state.lines(SEARCHES)
        self._sidebar.query.set_searches(searches, are_kept=settings.keeps_searches)

    def find(self) -> None:
        """Search for the current text; while a search runs, only the last text is kept."""
        self._typed, self._is_ranked = self._sidebar.query.typed, False
        self._is_opening = False
        # The other hits come with the ranking, once the user pauses.
        self._limit = self._first_limit = _TYPED_HITS if self._typed.words else _FIRST_HITS
        self._is_due = bool(self._typed.words or self._typed.period)
        if not self._is_due:
            self._rest.stop()
            return
        self._rest.start()
        if not self._is_finding:
            self._find_newest()

    def _find_newest(self) -> None:
        if not self._is_due:
            return
        self._is_finding, self._is_due = True, False
        typed, limit = self._typed, self._limit

        def show(results: FoundHits) -> None:
            # Newer text is searched for already; a cleared query has no results.
            if not self._is_ranked:
                is_last = not (typed.words or self._is_due)
                is_longer = limit > self._first_limit
                self._sidebar.show_hits(results, is_longer=is_longer, is_last=is_last)

        def settle() -> None:
            self._is_finding = False
            self._find_newest()
            if self._is_opening:
                self._open_first()

        query = _query(typed, SearchMode.KEYWORD, SearchOrder.NEWEST, limit, self._sidebar.model)
        session_ids = self._sidebar.model.known_sessions
        self._worker.do(
            lambda services: find_hits(services, query, session_ids=session_ids, counts=False),
            show,
            settle,
        )

    def _rank(self) -> None:
        """After a pause, rank the hits by keywords, and then with semantic search."""
        if self._typed.words:
            self._limit = max(self._limit, _FIRST_HITS)
            self._find_best(SearchMode.KEYWORD)

    def _find_best(self, mode: SearchMode, *, is_longer: bool = False) -> None:
        def asked() -> Query:
            model = self._sidebar.model
            return _query(self._typed, mode, SearchOrder.RANKED, self._limit, model)

        query = asked()

        def show(results: FoundHits) -> None:
            if query != asked():
                return
            self._is_ranked = True
            is_last = mode is SearchMode.AUTO
            self._sidebar.show_hits(
                results, is_ranked=True, is_longer=is_longer or is_last, is_last=is_last
            )
            if self._is_opening:
                self._open_first()
            if mode is SearchMode.KEYWORD:
                self._find_best(SearchMode.AUTO)

        def settle() -> None:
            self._ranking -= 1

        self._ranking += 1
        self._worker.do(lambda services: find_hits(services, query), show, settle)

    def _open_first(self) -> None:
        """Open the best hit, once it is known."""
        if self._rest.isActive():
            self._rest.stop()
            self._rank()
        is_known = self._is_ranked if self._typed.words else not self._is_finding
        self._is_opening = not is_known
        if is_known and self._sidebar.model.has_past_sessions:
            self._sidebar.list.open_first()

    def _find_more(self) -> None:
        is_due = self._sidebar.model.is_searching and self._limit < _MOST_HITS
        if not is_due or self._is_finding or self._ranking:
            return
        self._limit *= _MORE_TIMES
        if not self._is_ranked:
            self._is_due = True
            self._find_newest()
        else:
            self._find_best(SearchMode.AUTO, is_longer=True)


def _query(
    typed: TypedQuery, mode: SearchMode, order: SearchOrder, limit: int, among: SessionListModel
) -> Query:
    period = typed.period or Period()
    # Ask for one more than is shown to know whether there are more.
    return Query(
        typed.words,
        # A date without words finds everything from that time.
        kinds=_KINDS if typed.words else CONVERSATIONS,
        since=period.since,
        until=period.until,
        mode=mode,
        order=order,
        limit=limit + 1,
        topic=among.tag or None,
        scope=Scope(among.wall),
    )
