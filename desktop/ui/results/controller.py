"""Looks up what the results view asks: by words first, then by meaning, and more of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.domain.ids import SessionId
from desktop.domain.search import Hit, SearchMode
from desktop.ui.background_tasks import Worker
from desktop.ui.results.page import ResultsPage
from desktop.ui.results.rows import by_session
from desktop.ui.results.search_state import Asked, Order
from desktop.ui.services import WindowServices
from desktop.ui.turn_bridge import TurnBridge

_REST_MS = 150
_PAGE = 60
_TOPICS = 300


@dataclass(frozen=True, slots=True)
class _Answer:
    hits: Sequence[Hit]
    counts: Mapping[SessionId, int]
    has_more: bool


class ResultsController(QObject):
    failed = Signal(object)
    """AppError"""

    def __init__(
        self, page: ResultsPage, bridge: TurnBridge, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._page = page
        self._worker = Worker(bridge, self)
        self._worker.failed.connect(self.failed)
        self._asked: Asked | None = None
        self._limit = _PAGE
        self._has_more = False
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self._look)
        page.asked_changed.connect(self._rest.start)
        page.more_wanted.connect(self._look_further)

    def attach(self, services: WindowServices) -> None:
        self._worker.attach(services)
        if self._page.asked.is_anything:
            self._look()

    def offer_topics(self) -> None:
        """The view is opened: topics may have come since."""
        self._worker.do(
            lambda services: services.archive.topics.most_used(limit=_TOPICS),
            lambda topics: self._page.filters.offer_topics([one.name for one in topics]),
        )

    def _look(self) -> None:
        asked = self._page.asked
        self._asked, self._limit = asked, _PAGE
        if not asked.is_anything:
            self._page.show_found((), has_more=False, is_new=True)
            return
        self._find(asked, SearchMode.KEYWORD, is_new=True)

    def _look_further(self) -> None:
        if self._asked is not None and self._has_more:
            self._limit += _PAGE
            self._find(self._asked, self._best_mode(self._asked), is_new=False)

    def _find(self, asked: Asked, mode: SearchMode, *, is_new: bool) -> None:
        limit = self._limit

        def work(services: WindowServices) -> _Answer:
            hits = services.find(asked.query(mode, limit + 1))
            sessions = list(dict.fromkeys(hit.session_id for hit in hits[:limit]))
            counts = services.search.count(asked.words, sessions)
            return _Answer(hits[:limit], counts, len(hits) > limit)

        def show(answer: _Answer) -> None:
            if asked != self._asked or limit != self._limit:
                return  # something else is asked by now
            self._has_more = answer.has_more
            found = by_session(answer.hits, answer.counts)
            self._page.show_found(found, has_more=self._has_more, is_new=is_new)
            if mode is not self._best_mode(asked):
                self._find(asked, self._best_mode(asked), is_new=False)

        self._worker.do(work, show)

    @staticmethod
    def _best_mode(asked: Asked) -> SearchMode:
        """Meaning orders; what is listed by its time, or without words, has no use for it."""
        by_meaning = asked.words and asked.order is Order.BEST
        return SearchMode.AUTO if by_meaning else SearchMode.KEYWORD
