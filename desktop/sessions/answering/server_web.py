"""The web by an endpoint's own tools: in an answer that is given at once, and in a research tier.

Every page is stored before the words that cite it are shown, so that they can be checked in it.
"""

import logging
from collections.abc import Callable, Generator, Sequence
from dataclasses import InitVar, dataclass, field, replace

from desktop.domain.errors import StorageError
from desktop.domain.events import ProgressMade, ToolCalled, ToolState
from desktop.domain.ids import SessionId, TurnId
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
from desktop.research.passages import Passage, number_passages, passage_of_source
from desktop.research.tiers.evidence_prompt import Evidence, evidence_text
from desktop.research.tiers.passage_store import Page, passages_of_page
from desktop.research.tiers.run import Run, source_found
from desktop.research.tiers.server_side_web import EndpointWebRetriever
from desktop.research.tiers.web_retrieval import WebAccess
from desktop.research.tools.registry import ToolRegistry
from desktop.research.tools.web_tools import MOST_SEARCHES
from desktop.research.web.endpoint_web import EndpointWeb, WebCallTracker
from desktop.sessions.turn import Turn
from desktop.settings.messages import Texts

log = logging.getLogger(__name__)

_LENGTH = 1_400
_FIRST_NUMBER = 500
"""Of a page: passages that tools bring meanwhile are numbered below."""
_MOST_PAGE_TOKENS = 20_000
_LEAST_SHARE = 20
"""Of the context that one page may fill."""


def describe_call(turn_id: TurnId, call: WebCall) -> ToolCalled:
    """The event of a call, as of a tool of ours."""
    state = ToolState.DONE if call.is_over else ToolState.RUNNING
    state = ToolState.FAILED if call.failure else state
    about = f"{call.about} ({call.failure})" if call.failure else call.about
    return ToolCalled(turn_id, call.id, call.name, about.strip(), state)


@dataclass(slots=True)
class PageKeeper:
    """The pages that an endpoint finds for one answer."""

    question: str
    stop_words: StopWords
    keep: Callable[[FoundPage], Page | None]
    """Raises StorageError."""
    report: Callable[[Sequence[Passage]], None]
    """Given the passages of a page, those first that give orders."""
    report_call: Callable[[WebCall], None]
    settle: Callable[[ReplyStream], None]
    """Called when a stream ends, in whatever way."""
    kept: dict[int, list[Passage]] = field(default_factory=dict)
    """By the number of the page: those of its passages that bear on the question."""
    _seen: dict[int, FoundPage] = field(default_factory=dict)

    @property
    def passages(self) -> list[Passage]:
        return [one for passages in self.kept.values() for one in passages]

    def read(self, stream: ReplyStream, citing: CitationParser) -> Generator[str, None, None]:
        """The text of the stream, once what it may cite is known. Raises LlmError."""
        told = WebCallTracker(self.report_call)
        try:
            for text in stream:
                told.look(stream.web_calls)
                self._add_pages(stream.pages, citing)
                yield text
        finally:
            # Also of an answer that failed or was stopped: the endpoint has been there.
            told.finish(stream.web_calls)
            self._add_pages(stream.pages, citing)
            self.settle(stream)

    def _add_pages(self, pages: Sequence[FoundPage], citing: CitationParser) -> None:
        for page in pages:
            if self._seen.get(page.number) != page:
                self._seen[page.number] = page
                self._add_page(page, citing)

    def _add_page(self, page: FoundPage, citing: CitationParser) -> None:
        """A disk that refuses leaves what is cited of it unchecked."""
        try:
            kept = self.keep(page)
        except StorageError as exc:
            log.warning("a page that the endpoint found is not kept: %s", exc.key)
            return
        if kept is None:
            return
        source, stored = kept
        citing.add_page(
            page.number,
            [passage_of_source(source, one, self.question, _LENGTH) for one in stored],
        )
        bearing = passages_of_page(kept, self.question, _LENGTH, self.stop_words, page.cited)
        self.kept[page.number] = bearing
        self.report(sorted(bearing, key=_is_harmless))


def keep_pages_of_run(run: Run, reach: EndpointWebRetriever, web: ServerWeb) -> PageKeeper:
    """For one answer of a tier, whose request may use `web`."""

    def settle(stream: ReplyStream) -> None:
        reach.settle(stream, web.searches, web.fetches)
        budget = run.budget
        run.emit(ProgressMade(run.turn_id, budget.spent, budget.limits))

    return PageKeeper(
        run.question,
        run.phrases.stop_words,
        reach.keep,
        run.add_found,
        reach.tell,
        settle,
    )


@dataclass(slots=True)
class ServerWebAnswer:
    """The endpoint's web in a direct answer: for one turn, all its rounds, on its thread.

    Such an answer may use the web as often as one that this computer searches for.
    """

    model: Model
    web: EndpointWeb
    turn: Turn
    session_id: SessionId | None
    """None of a temporary session: what is read in it is stored nowhere."""
    most_fetches: int
    question: InitVar[str]
    stop_words: InitVar[StopWords]
    keeper: PageKeeper = field(init=False)
    _reported: set[str] = field(default_factory=set)
    _noted: set[str] = field(default_factory=set)

    def __post_init__(self, question: str, stop_words: StopWords) -> None:
        self.keeper = PageKeeper(
            question,
            stop_words,
            self.web.read if self.session_id is None else self.web.keep,
            self._report_found,
            lambda call: self.turn.emit(describe_call(self.turn.id, call)),
            self._settle,
        )

    def limit(self, request: ModelRequest) -> ModelRequest:
        """The next round; it may use what the rounds before have left."""
        return replace(request, web=self._left(is_begun=bool(request.rounds)))

    def instructions(self, texts: Texts) -> str:
        """What the model is told of these tools; empty where it has none."""
        web = self._left(is_begun=False)
        if web is None:
            return ""
        return texts.say("research.web_tools", searches=web.searches, fetches=web.fetches)

    def evidence(self, first_number: int, texts: Texts) -> tuple[str, Sequence[Passage]]:
        """What was found already, for an answer that is written again."""
        if not self.keeper.passages:
            return "", ()
        numbered = number_passages(self.keeper.passages, first_number)
        return evidence_text(Evidence(numbered, used_web=True), texts), numbered

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

    def _settle(self, stream: ReplyStream) -> None:
        calls, had = stream.web_calls, self.turn.web_use
        had.searches += used(calls, WEB_SEARCH)
        had.fetches += used(calls, WEB_FETCH)
        new = [one for one in stream.pages if one.address not in self._noted]
        self._noted.update(one.address for one in new)
        self.web.note(calls, new, self.model.endpoint, self.session_id)

    def _report_found(self, passages: Sequence[Passage]) -> None:
        for one in passages:
            if one.cited_in not in self._reported:
                self._reported.add(one.cited_in)
                self.turn.emit(source_found(self.turn.id, one))


def find_server_web(
    web: WebAccess, registry: ToolRegistry, *, is_temporary: bool
) -> EndpointWeb | None:
    """The endpoint's web, where the user lets an answer have it without being asked each time."""
    is_asked_about = any(map(registry.asks_first, (WEB_SEARCH, WEB_FETCH)))
    if is_asked_about or not registry.is_on(WEB_SEARCH):
        return None
    served = web.for_session(is_temporary=is_temporary).served
    return served if served is not None and served.asking(1, 1) is not None else None


def _is_harmless(passage: Passage) -> bool:
    """What gives orders comes first: a source is reported once, by its first passage."""
    return not (passage.place and passage.place.is_suspicious)
