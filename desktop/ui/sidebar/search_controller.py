"""Searches while the user types in the sidebar: by recency first, by rank after a pause.

Keyword search never waits for semantic search. A semantic result that arrives late belongs to
another query and is dropped.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer

from desktop.domain.ids import SessionId
from desktop.domain.search import CONVERSATIONS, Hit, HitKind, Query, SearchMode, SearchOrder
from desktop.domain.sessions import Session
from desktop.domain.times import Period
from desktop.recall.query_dates import TypedQuery
from desktop.ui.services import WindowServices, Worker
from desktop.ui.sidebar.sidebar import Sidebar

_REST_MS = 300
_TYPED_HITS = 30
"""What a keystroke brings at once: a little more than a list shows without scrolling."""
_FIRST_HITS = 60
_MOST_HITS = 60 * 27
_MORE_TIMES = 3
_NOTHING = TypedQuery("")
_KINDS = CONVERSATIONS | {HitKind.SOURCE}


@dataclass(frozen=True, slots=True)
class _Found:
    hits: Sequence[Hit]
    sessions: Sequence[Session]
    """Those that the hits stand in and that the list does not know."""
    has_more: bool
    counts: Mapping[SessionId, int]


class SidebarSearchController(QObject):
    def __init__(self, sidebar: Sidebar, worker: Worker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sidebar = sidebar
        self._worker = worker
        self._typed = _NOTHING
        self._ranked: TypedQuery | None = None
        """What the order on the screen is the best for."""
        self._limit = self._first_limit = _FIRST_HITS
        self._is_finding = False
        self._is_due = False
        self._ranking = 0
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self._rank)
        sidebar.query_changed.connect(self.find)
        sidebar.more_wanted.connect(self._find_more)

    @property
    def is_busy(self) -> bool:
        """Whether what is shown may still change."""
        return self._is_finding or self._rest.isActive() or self._ranking > 0

    def find(self) -> None:
        """One search at a time, and of what was typed meanwhile the last."""
        self._typed, self._ranked = self._sidebar.typed, None
        # Of words the others come with their order, as soon as typing rests.
        self._limit = self._first_limit = _TYPED_HITS if self._typed.words else _FIRST_HITS
        self._is_due = _is_anything(self._typed)
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

        def show(found: _Found) -> None:
            # What was typed meanwhile is on its way; a query that was cleared has no answer.
            if self._sidebar.query and self._ranked is None:
                self._show(found, is_longer=limit > self._first_limit)

        query = _query(typed, SearchMode.KEYWORD, SearchOrder.NEWEST, limit)
        known = self._sidebar.model.known_sessions
        self._worker.do(lambda services: _find(services, query, known), show, self._found)

    def _found(self) -> None:
        self._is_finding = False
        self._find_newest()

    def _rank(self) -> None:
        """Typing rests: the best first, as words have it, and then as meaning has it."""
        if self._typed.words:
            self._limit = max(self._limit, _FIRST_HITS)
            self._find_best(SearchMode.KEYWORD)

    def _find_best(self, mode: SearchMode, *, is_longer: bool = False) -> None:
        typed, limit = self._typed, self._limit
        query = _query(typed, mode, SearchOrder.RANKED, limit)

        def show(found: _Found) -> None:
            if typed != self._typed or limit != self._limit:
                return  # something else is looked for by now
            self._ranked = typed
            self._show(found, is_ranked=True, is_longer=is_longer or mode is SearchMode.AUTO)
            if mode is SearchMode.KEYWORD:
                self._find_best(SearchMode.AUTO)

        self._ranking += 1
        self._worker.do(lambda services: _find_counted(services, query), show, self._has_ranked)

    def _has_ranked(self) -> None:
        self._ranking -= 1

    def _find_more(self) -> None:
        """The list has been read to its end: look for more of the same."""
        is_due = self._sidebar.model.is_searching and self._limit < _MOST_HITS
        if not is_due or self._is_finding or self._ranking:
            return
        self._limit *= _MORE_TIMES
        if self._ranked is None:
            self._is_due = True
            self._find_newest()
        else:
            self._find_best(SearchMode.AUTO, is_longer=True)

    def _show(self, found: _Found, *, is_ranked: bool = False, is_longer: bool = False) -> None:
        self._sidebar.show_hits(
            found.hits,
            sessions=found.sessions,
            has_more=found.has_more,
            counts=found.counts,
            is_ranked=is_ranked,
            is_longer=is_longer,
        )


def _is_anything(typed: TypedQuery) -> bool:
    return bool(typed.words or typed.period)


def _query(typed: TypedQuery, mode: SearchMode, order: SearchOrder, limit: int) -> Query:
    period = typed.period or Period()
    # One more than is shown tells whether there is more.
    return Query(
        typed.words,
        # A time alone asks for what was said then.
        kinds=_KINDS if typed.words else CONVERSATIONS,
        since=period.since,
        until=period.until,
        mode=mode,
        order=order,
        limit=limit + 1,
    )


def _find(
    services: WindowServices, query: Query, known: Collection[SessionId] = frozenset()
) -> _Found:
    limit = query.limit - 1
    hits = services.find(query)
    ids = {hit.session_id for hit in hits[:limit]}.difference(known)
    sessions = services.archive.sessions.some(ids) if ids else []
    return _Found(hits[:limit], sessions, len(hits) > limit, {})


def _find_counted(services: WindowServices, query: Query) -> _Found:
    found = _find(services, query)
    sessions = [session.id for session in found.sessions]
    counts = services.search.count(query.text, sessions)
    return _Found(found.hits, found.sessions, found.has_more, counts)
