"""The web through an endpoint's own tools: in a direct answer, and in a research tier.

Every page is stored before the words that cite it are shown, so that citations can be checked.
"""

import logging
from abc import ABC, abstractmethod
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace

from desktop.domain.errors import StorageError
from desktop.domain.events import ProgressMade, ToolCalled, ToolState
from desktop.domain.ids import TurnId
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
from desktop.language.keywords_and_stems import StopWords
from desktop.research.citations.citation_parser import CitationParser
from desktop.research.passages import (
    Passage,
    is_suspicious_passage,
    number_passages,
    passage_of_source,
)
from desktop.research.tiers.evidence import Evidence, evidence_text
from desktop.research.tiers.passage_store import Page, passages_of_page
from desktop.research.tiers.run import Run, source_found
from desktop.research.tiers.web_retrieval import EndpointWebRetriever
from desktop.research.tools.reading_tools import MOST_SEARCHES
from desktop.research.web.endpoint_web import EndpointWeb, WebCallTracker
from desktop.sessions.conversation.turn import Turn
from desktop.settings.messages import Texts

log = logging.getLogger(__name__)

_LENGTH = 1_400
_FIRST_NUMBER = 500
"""Number of the first page: passages that tools bring meanwhile get lower numbers."""
_MOST_PAGE_TOKENS = 20_000
_LEAST_SHARE = 20  # One page may fill at most this fraction of the context: 1 / 20


def describe_call(turn_id: TurnId, call: WebCall) -> ToolCalled:
    """Return a call as the same event that a tool of ours emits."""
    state = ToolState.DONE if call.is_over else ToolState.RUNNING
    state = ToolState.FAILED if call.failure else state
    about = f"{call.about} ({call.failure})" if call.failure else call.about
    return ToolCalled(turn_id, call.id, call.name, about.strip(), state)


@dataclass(slots=True)
class ServerWebPages(ABC):
    """The pages that an endpoint finds for one answer."""

    turn: Turn
    question: str
    stop_words: StopWords
    passages_by_page: dict[int, list[Passage]] = field(init=False, default_factory=dict)
    """By the number of the page: its passages that are relevant to the question."""
    _seen: dict[int, FoundPage] = field(init=False, default_factory=dict)

    @abstractmethod
    def keep(self, page: FoundPage) -> Page | None:
        """Store a page. Raises StorageError."""

    @abstractmethod
    def report(self, passages: Sequence[Passage]) -> None:
        """Report the passages of a page, those with suspected injections first."""

    @abstractmethod
    def settle(self, stream: ReplyStream) -> None:
        """Called when a stream ends, for whatever reason."""

    @property
    def passages(self) -> list[Passage]:
        return [passage for passages in self.passages_by_page.values() for passage in passages]

    def read(self, stream: ReplyStream, citing: CitationParser) -> Generator[str, None, None]:
        """Yield the text of the stream once what it may cite is known. Raises LlmError."""
        calls = WebCallTracker(lambda call: self.turn.emit(describe_call(self.turn.id, call)))
        try:
            for text in stream:
                calls.look(stream.web_calls)
                self._add_pages(stream.pages, citing)
                yield text
        finally:
            # Also if the answer failed or was stopped: the endpoint has fetched the pages.
            calls.finish(stream.web_calls)
            self._add_pages(stream.pages, citing)
            self.settle(stream)

    def _add_pages(self, pages: Sequence[FoundPage], citing: CitationParser) -> None:
        """Add pages to cite. If the disk refuses, citations of a page stay unchecked."""
        for page in pages:
            if self._seen.get(page.number) == page:
                continue
            self._seen[page.number] = page
            try:
                stored_page = self.keep(page)
            except StorageError as exc:
                log.warning("a page that the endpoint found is not kept: %s", exc.key)
                continue
            if stored_page is None:
                continue
            source, stored = stored_page
            every = [
                passage_of_source(source, passage, self.question, _LENGTH) for passage in stored
            ]
            citing.add_page(page.number, every)
            bearing = passages_of_page(
                stored_page, self.question, _LENGTH, self.stop_words, page.cited
            )
            self.passages_by_page[page.number] = bearing
            # A source is reported once, by its first passage: a suspicious one comes first.
            self.report(sorted(bearing, key=is_suspicious_passage, reverse=True))


@dataclass(slots=True, kw_only=True)
class ServerWebOfRun(ServerWebPages):
    """The pages for one answer of a research tier, whose request may use `web`."""

    run: Run
    retriever: EndpointWebRetriever
    web: ServerWeb

    def keep(self, page: FoundPage) -> Page | None:
        return self.retriever.keep(page)

    def report(self, passages: Sequence[Passage]) -> None:
        self.run.add_found(passages)

    def settle(self, stream: ReplyStream) -> None:
        self.retriever.settle(stream, self.web.searches, self.web.fetches)
        budget = self.run.budget
        self.turn.emit(ProgressMade(self.turn.id, budget.spent, budget.limits))


@dataclass(slots=True, kw_only=True)
class ServerWebAnswer(ServerWebPages):
    """The endpoint's web in a direct answer: for one turn, all its rounds, on its thread.

    Such an answer may use the web as often as one that searches from this computer.
    """

    model: Model
    web: EndpointWeb
    most_fetches: int
    _reported: set[str] = field(default_factory=set)
    _noted: set[str] = field(default_factory=set)

    def limit(self, request: ModelRequest) -> ModelRequest:
        """Return the next round's request; it may use what earlier rounds have left."""
        return replace(request, web=self._left(is_begun=bool(request.rounds)))

    def instructions(self, texts: Texts) -> str:
        """Return the model's instructions for these tools; empty if it has none."""
        web = self._left(is_begun=False)
        if web is None:
            return ""
        return texts.say("research.web_tools", searches=web.searches, fetches=web.fetches)

    def evidence(self, first_number: int, texts: Texts) -> tuple[str, Sequence[Passage]]:
        if not self.passages:
            return "", ()
        numbered = number_passages(self.passages, first_number)
        return evidence_text(Evidence(numbered, used_web=True), texts), numbered

    def keep(self, page: FoundPage) -> Page | None:
        return self.web.keep(page)

    def report(self, passages: Sequence[Passage]) -> None:
        for passage in passages:
            if passage.cited_in not in self._reported:
                self._reported.add(passage.cited_in)
                self.turn.emit(source_found(self.turn.id, passage))

    def settle(self, stream: ReplyStream) -> None:
        calls, had = stream.web_calls, self.turn.web_use
        had.searches += used(calls, WEB_SEARCH)
        had.fetches += used(calls, WEB_FETCH)
        new = [page for page in stream.pages if page.address not in self._noted]
        self._noted.update(page.address for page in new)
        self.web.note(calls, new, self.model.endpoint)

    def _left(self, *, is_begun: bool) -> ServerWeb | None:
        if not self.model.capabilities.web_tools:
            return None  # it was refused meanwhile
        had = self.turn.web_use
        searches = max(0, MOST_SEARCHES - had.searches)
        fetches = max(0, self.most_fetches - had.fetches)
        is_used_up = not searches or (self.most_fetches > 0 and not fetches)
        if is_used_up and not is_begun:
            return None
        web = self.web.asking(
            searches or 1,
            fetches or min(1, self.most_fetches),
            first_number=_FIRST_NUMBER,
            page_tokens=min(_MOST_PAGE_TOKENS, self.model.context_tokens() // _LEAST_SHARE),
        )
        return replace(web, is_used_up=is_used_up) if web else None
