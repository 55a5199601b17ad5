"""The web by an endpoint's own tools: in an answer that is given at once, and in a research tier.

Every page is stored before the words that cite it are shown, so that they can be checked in it.
"""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from desktop.domain.endpoints import ModelRole
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
from desktop.domain.sources import Source, SourcePassage
from desktop.domain.tiers import Tier
from desktop.language.stopwords import StopWords
from desktop.research.citations.citation_parser import CitationParser
from desktop.research.passages import Passage
from desktop.research.tiers.evidence_gathering import QUICK_LIMITS
from desktop.research.tiers.evidence_prompt import (
    Evidence,
    evidence_text,
    number_passages,
    search_results,
)
from desktop.research.tiers.passage_store import PassageStore, cited_passages, rank_passages
from desktop.research.tiers.run import Run, source_found
from desktop.research.tiers.server_side_web import MOST_CITED, EndpointWebRetriever
from desktop.research.tiers.web_retrieval import DirectWebRetriever, Page, WebAccess, WebRetriever
from desktop.research.tools.registry import ToolRegistry
from desktop.research.tools.web_tools import MOST_FETCHES, MOST_SEARCHES
from desktop.research.web.server_web import EndpointWeb, WebCallTracker
from desktop.sessions.turn import Turn
from desktop.settings.messages import Texts

log = logging.getLogger(__name__)

_PASSAGES_A_PAGE = 3
_LENGTH = 1_400
_FIRST_NUMBER = 500
"""Of a page: passages that tools bring meanwhile are numbered below."""
_MOST_PAGE_TOKENS = 20_000
_LEAST_SHARE = 20
"""Of the context that one page may fill."""
_ROLES: Mapping[Tier, Sequence[ModelRole]] = MappingProxyType(
    {
        Tier.QUICK: (ModelRole.ANSWERING,),
        # A sub-question's search is small work: a quick model does it for less.
        Tier.RESEARCH: (ModelRole.QUICK, ModelRole.ANSWERING),
        Tier.DEEP: (ModelRole.DEEP, ModelRole.ANSWERING, ModelRole.QUICK),
    }
)


def choose_reach(
    own: DirectWebRetriever,
    served: EndpointWeb | None,
    model: Callable[[ModelRole], Model | None],
    tier: Tier,
    words: tuple[str, Texts],
) -> WebRetriever:
    """Who reaches out to the web for a run: this computer, or the endpoint of one of its models.

    `served`: None where the user does not want the endpoint's; `words`: for its model.
    """
    several = map(model, _ROLES[tier])
    able = next((one for one in several if one and one.capabilities.web_tools), None)
    if served is None or able is None:
        return own
    return EndpointWebRetriever(able, served, own, *words, can_resume=tier is Tier.DEEP)


def limit_quick_web(served: EndpointWebRetriever, passages: int) -> ServerWeb | None:
    """What one answer of Quick may use; its pages are numbered on from the passages."""
    return served.allowed(QUICK_LIMITS.searches, QUICK_LIMITS.fetches, first_number=passages + 1)


def describe_call(turn_id: TurnId, call: WebCall) -> ToolCalled:
    """The event of a call, as of a tool of ours."""
    state = ToolState.DONE if call.is_over else ToolState.RUNNING
    state = ToolState.FAILED if call.failure else state
    about = f"{call.about} ({call.failure})" if call.failure else call.about
    return ToolCalled(turn_id, call.id, call.name, about.strip(), state)


@dataclass(slots=True)
class PageKeeper:
    """The pages of one answer, each stored before the words that cite it are shown."""

    keep: Callable[[FoundPage], Page | None]
    """Raises StorageError."""
    shelf: PassageStore
    question: str
    stop_words: StopWords
    report: Callable[[Sequence[Passage]], None]
    """Given the passages of a page, those first that give orders."""
    kept: dict[int, list[Passage]] = field(default_factory=dict)
    """By the number of the page: those of its passages that bear on the question."""
    _seen: dict[int, FoundPage] = field(default_factory=dict)

    @property
    def passages(self) -> list[Passage]:
        return [one for passages in self.kept.values() for one in passages]

    def read(
        self,
        stream: ReplyStream,
        citing: CitationParser,
        report_call: Callable[[WebCall], None],
        settle: Callable[[], None],
    ) -> Iterator[str]:
        """The text of the stream, once what it may cite is known. Raises LlmError.

        `settle`: called when the stream ends, in whatever way.
        """
        told = WebCallTracker(report_call)
        try:
            for text in stream:
                told.look(stream.web_calls)
                self._add_pages(stream.pages, citing)
                yield text
        finally:
            # Also of an answer that failed or was stopped: the endpoint has been there.
            told.finish(stream.web_calls)
            self._add_pages(stream.pages, citing)
            settle()

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
        citing.add_page(page.number, [self._passage(source, one) for one in stored])
        best = cited_passages(stored, page.cited, MOST_CITED) or rank_passages(
            stored, self.question, _PASSAGES_A_PAGE, self.stop_words
        )
        bearing = [self._passage(source, one) for one in best]
        self.kept[page.number] = bearing
        self.report(sorted(bearing, key=_is_harmless))

    def _passage(self, source: Source, stored: SourcePassage) -> Passage:
        return self.shelf.passage(source, stored, self.question, _LENGTH)


@dataclass(slots=True)
class ServerWebStream:
    """What the endpoint finds while it writes one answer of a tier. Call `read` once."""

    run: Run
    reach: EndpointWebRetriever
    web: ServerWeb
    gathered: Evidence
    """What the request carries besides."""
    keeper: PageKeeper = field(init=False)

    def __post_init__(self) -> None:
        dependencies = self.run.dependencies
        self.keeper = PageKeeper(
            self.reach.keep,
            dependencies.lookup.shelf,
            self.run.asked.question,
            dependencies.phrases.stop_words,
            self.run.found,
        )

    def read(self, stream: ReplyStream, citing: CitationParser) -> Iterator[str]:
        """The text of the stream, once what it may cite is known. Raises LlmError."""

        def settle() -> None:
            self.reach.settle(stream, self.web.searches, self.web.fetches)
            budget = self.run.asker.budget
            self.run.emit(ProgressMade(self.run.asked.turn_id, budget.spent, budget.limits))

        yield from self.keeper.read(stream, citing, self.reach.tell, settle)

    def write_again(
        self, model: Model, request: ModelRequest
    ) -> tuple[ModelRequest, list[Passage]]:
        """The request for another text from the same evidence: nothing is searched twice."""
        passages = number_passages([*self.gathered.passages, *self.keeper.passages])
        gathered = replace(
            self.gathered,
            passages=passages,
            used_web=True,
            unread=len(self.reach.troubles),
            web=None,
        )
        cites_itself, texts = model.capabilities.citations, self.run.dependencies.texts
        before = evidence_text(self.gathered, texts, cites_itself=bool(request.results))
        evidence = evidence_text(gathered, texts, cites_itself=cites_itself)
        return replace(
            request,
            changing=(request.changing or "").replace(before, evidence),
            results=search_results(passages) if cites_itself else (),
            web=None,
        ), list(passages)


@dataclass(slots=True)
class ServerWebAnswer:
    """The endpoint's web in a direct answer: for one turn, all its rounds, on its thread.

    Such an answer may use the web as often as one that this computer searches for.
    """

    model: Model
    web: EndpointWeb
    shelf: PassageStore
    turn: Turn
    question: str
    stop_words: StopWords
    session_id: SessionId | None
    """None of a temporary session: what is read in it is stored nowhere."""
    fetches_at_most: int = MOST_FETCHES
    keeper: PageKeeper = field(init=False)
    _reported_sources: set[str] = field(default_factory=set)
    _noted_addresses: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.keeper = PageKeeper(
            self._keep, self.shelf, self.question, self.stop_words, self._report_found
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
        shifted = [
            replace(one, number=one.number + first_number - 1)
            for one in number_passages(self.keeper.passages)
        ]
        return evidence_text(Evidence(shifted, used_web=True), texts), shifted

    def read(self, stream: ReplyStream, citing: CitationParser) -> Iterator[str]:
        """The text of a round, once what it may cite is known. Raises LlmError."""

        def settle() -> None:
            self._settle(stream.web_calls, stream.pages)

        def report(call: WebCall) -> None:
            self.turn.emit(describe_call(self.turn.id, call))

        yield from self.keeper.read(stream, citing, report, settle)

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
        new = [one for one in pages if one.address not in self._noted_addresses]
        self._noted_addresses.update(one.address for one in pages)
        try:
            self.web.note(calls, new, self.model.endpoint, self.session_id)
        except StorageError as exc:
            log.warning("what the endpoint contacted is not noted: %s", exc.key)

    def _report_found(self, passages: Sequence[Passage]) -> None:
        for one in passages:
            if one.cited_in not in self._reported_sources:
                self._reported_sources.add(one.cited_in)
                self.turn.emit(source_found(self.turn.id, one))


def find_server_web(
    web: WebAccess | None, model: Model, registry: ToolRegistry, *, is_temporary: bool
) -> EndpointWeb | None:
    """The endpoint's web, where the user lets an answer have it without being asked each time."""
    if web is None or not (web.is_on and model.capabilities.web_tools):
        return None
    if not registry.is_on(WEB_SEARCH) or any(map(registry.asks_first, (WEB_SEARCH, WEB_FETCH))):
        return None
    served = web.for_session(is_temporary=is_temporary).served
    return served if served is not None and served.asking(1, 1) is not None else None


def _is_harmless(passage: Passage) -> bool:
    """What gives orders comes first: a source is reported once, by its first passage."""
    return not (passage.place and passage.place.is_suspicious)
