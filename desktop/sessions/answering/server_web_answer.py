"""The web by the endpoint's own tools, in an answer that is given at once.

Such an answer may have it as often as one that this computer searches for, round after round; what
it finds is kept and noted as what a research tier finds is.
"""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from desktop.domain.errors import StorageError
from desktop.domain.events import TurnEvent
from desktop.domain.ids import SessionId
from desktop.domain.model import (
    WEB_FETCH,
    WEB_SEARCH,
    FoundPage,
    Model,
    ModelRequest,
    ReplyStream,
    ServerWeb,
    WebCall,
    used,
)
from desktop.language.stopwords import StopWords
from desktop.research.citations.citation_parser import CitationParser
from desktop.research.passages import Passage
from desktop.research.tiers.evidence_prompt import Gathered, evidence_text, numbered
from desktop.research.tiers.passage_store import Shelf
from desktop.research.tiers.run import source_found
from desktop.research.tiers.web_retrieval import Page, Web
from desktop.research.tools.registry import Registry
from desktop.research.tools.web_tools import MOST_FETCHES, MOST_SEARCHES
from desktop.research.web.server_web import ServedWeb
from desktop.sessions.answering.server_web_stream import Keeping
from desktop.sessions.answering.web_strategy import as_told
from desktop.sessions.turn import Turn
from desktop.settings.messages import Texts

log = logging.getLogger(__name__)

_FIRST_NUMBER = 500
"""Of a page: passages that tools bring meanwhile are numbered below."""
_MOST_PAGE_TOKENS = 20_000
_LEAST_SHARE = 20
"""Of the context that one page may fill."""


@dataclass(slots=True)
class Serving:
    """For one turn, on its thread: all its rounds, also where it is written again."""

    model: Model
    web: ServedWeb
    shelf: Shelf
    turn: Turn
    question: str
    stop_words: StopWords
    session_id: SessionId | None
    """None of a temporary session: what is read in it is kept nowhere."""
    fetches_at_most: int = MOST_FETCHES
    keeping: Keeping = field(init=False)
    _told_of: set[str] = field(default_factory=set)
    """Sources."""
    _noted: set[str] = field(default_factory=set)
    """Addresses of pages."""
    _events: list[TurnEvent] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.keeping = Keeping(
            self._keep, self.shelf, self.question, self.stop_words, self._tell_found
        )

    def asking(self, request: ModelRequest) -> ModelRequest:
        """The next round; it may use what the rounds before have left."""
        return replace(request, web=self._left(is_begun=bool(request.rounds)))

    def instructions(self, texts: Texts) -> str:
        """What the model is told of these tools; nothing where it has none."""
        web = self._left(is_begun=False)
        if web is None:
            return ""
        return texts.say("research.web_tools", searches=web.searches, fetches=web.fetches)

    def evidence(self, first_number: int, texts: Texts) -> tuple[str, Sequence[Passage]]:
        """What was found already, for whoever writes again: nothing is searched for twice."""
        if not self.keeping.passages:
            return "", ()
        shifted = [
            replace(one, number=one.number + first_number - 1)
            for one in numbered(self.keeping.passages)
        ]
        return evidence_text(Gathered(shifted, used_web=True), texts), shifted

    def following(self, stream: ReplyStream, citing: CitationParser) -> Iterator[str]:
        """What arrives of a round, once what it may cite is known. Raises LlmError."""

        def settle() -> None:
            self._settle(stream.web_calls, stream.pages)

        yield from self.keeping.following(stream, citing, self._tell_call, settle)

    def told(self) -> Iterator[TurnEvent]:
        """What happened since."""
        events = self._events[:]
        self._events.clear()
        yield from events

    def _left(self, *, is_begun: bool) -> ServerWeb | None:
        if not self.model.capabilities.web_tools:
            return None  # it was refused meanwhile
        had = self.turn.web_use
        searches = max(0, MOST_SEARCHES - had.searches)
        fetches = max(0, self.fetches_at_most - had.fetches)
        is_used_up = not searches or (self.fetches_at_most > 0 and not fetches)
        if is_used_up and not is_begun:
            return None
        tokens = min(_MOST_PAGE_TOKENS, self.model.context_tokens() // _LEAST_SHARE)
        web = self.web.asking(
            searches or 1,
            fetches or min(1, self.fetches_at_most),
            first_number=_FIRST_NUMBER,
            page_tokens=tokens,
        )
        return replace(web, is_used_up=is_used_up) if web else None

    def _keep(self, page: FoundPage) -> Page | None:
        return self.web.read(page) if self.session_id is None else self.web.keep(page)

    def _settle(self, calls: Sequence[WebCall], pages: Sequence[FoundPage]) -> None:
        self.turn.web_use.searches += used(calls, WEB_SEARCH)
        self.turn.web_use.fetches += used(calls, WEB_FETCH)
        new = [one for one in pages if one.address not in self._noted]
        self._noted.update(one.address for one in pages)
        try:
            self.web.note(calls, new, self.model.endpoint, self.session_id)
        except StorageError as exc:
            log.warning("what the endpoint contacted is not noted: %s", exc.key)

    def _tell_call(self, call: WebCall) -> None:
        self._events.append(as_told(self.turn.id, call))

    def _tell_found(self, passages: Sequence[Passage]) -> None:
        for one in passages:
            if one.cited_in not in self._told_of:
                self._told_of.add(one.cited_in)
                self._events.append(source_found(self.turn.id, one))


def served_at_once(
    web: Web | None, model: Model, registry: Registry, *, is_temporary: bool
) -> ServedWeb | None:
    """The endpoint's web, where the user lets an answer have it without being asked each time."""
    if web is None or not (web.is_on and model.capabilities.web_tools):
        return None
    if not registry.is_on(WEB_SEARCH) or any(map(registry.asks_first, (WEB_SEARCH, WEB_FETCH))):
        return None
    served = web.for_session(is_temporary=is_temporary).served
    return served if served is not None and served.asking(1, 1) is not None else None
