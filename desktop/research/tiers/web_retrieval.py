"""Finds pages of the web for sub-questions, within the limits of a run.

Either this computer searches and reads, or the model's endpoint does with its own tools. Pages
become sources of the library; a page that cannot be read is skipped and reported.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, chain, zip_longest
from threading import Lock
from typing import TYPE_CHECKING

from desktop.domain import errors
from desktop.domain.ids import SessionId
from desktop.domain.messages import Role
from desktop.domain.model import (
    TOO_OFTEN,
    WEB_FETCH,
    WEB_SEARCH,
    FoundPage,
    Model,
    ModelRequest,
    ReplyStream,
    RequestMessage,
    ServerWeb,
    WebCall,
    used,
)
from desktop.domain.research import ResearchLimits, Spent, SubQuestion
from desktop.domain.usage import NO_USAGE, Usage
from desktop.domain.web import EndpointWebError, WebError, WebHit
from desktop.language.keywords_and_stems import StopWords
from desktop.llm.server_tools import SEARCH_USD
from desktop.research.passages import Passage
from desktop.research.tiers.budget import (
    Budget,
    CancellationToken,
    LimitReached,
    Reservation,
    UsageCounter,
    max_request_tokens,
    price_function,
)
from desktop.research.tiers.passage_store import Page, passages_of_page
from desktop.research.web.endpoint_web import EndpointWeb, WebCallTracker, number_source_passages
from desktop.settings.messages import Texts
from desktop.storage.archive import Archive

if TYPE_CHECKING:
    from desktop.research.web.web import Web

_HITS = 6
_MOST_SEARCHES = 2  # Per sub-question
_PAGE_TOKENS = 6_000
_OUTPUT_TOKENS = 1_200
_LEAST_OUTPUT = 300
_SEARCH_TOKENS = 10_000  # Assumed tokens of a search result, which no parameter limits
_ITS_OWN = (errors.RefusedError, errors.ContextTooLongError, errors.RequestRejectedError)
"""Errors that a retry would repeat: the run continues without this result."""


@dataclass(slots=True)
class DirectWebRetriever:
    """Belongs to one run; thread-safe. No address is fetched twice in a run."""

    web: "Web"
    archive: Archive
    budget: Budget
    cancellation: CancellationToken
    stop_words: StopWords
    session_id: SessionId | None  # None in a temporary session, whose pages are not stored
    troubles: list[errors.AppError] = field(default_factory=list)
    read: set[str] = field(default_factory=set)
    _pages: dict[str, Page | None] = field(default_factory=dict)
    """Pages by address; None for an unreadable page."""
    _reading: dict[str, Lock] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def find(
        self, part: SubQuestion, pages: int, length: int, counter: UsageCounter
    ) -> list[Passage]:
        """Return passages of at most that many pages. Raises StorageError."""
        results: list[Passage] = []
        left = list(dict.fromkeys(hit.address for hit in self._hits(part.queries, counter)))
        while left and pages and not self.cancellation.is_over():
            if page := self._next_page(left, counter):
                passages = passages_of_page(page, part.question, length, self.stop_words)
                results += passages
                pages -= bool(passages)
        return results

    def _hits(self, searches: Sequence[str], counter: UsageCounter) -> Iterator[WebHit]:
        lists: list[Sequence[WebHit]] = []
        for words in searches:
            if self.cancellation.is_over() or not self.budget.spend_web(1, 0, counter):
                break
            session_id, stop = self.session_id, self.cancellation.is_over
            try:
                lists.append(self.web.search(words, _HITS, session_id=session_id, stop=stop))
            except WebError as exc:
                self.troubles.append(exc)
        yield from filter(None, chain.from_iterable(zip_longest(*lists)))

    def _next_page(self, left: list[str], counter: UsageCounter) -> Page | None:
        """Take an address and return its page; None if it is unreadable. Raises StorageError.

        New pages come first, then those that are read for other sub-questions.
        """
        with self._lock:
            address = min(left, key=self._reading.__contains__)
            left.remove(address)
            reading = self._reading.setdefault(address, Lock())
        with reading:
            if address not in self._pages and self.budget.spend_web(0, 1, counter):
                self._pages[address] = self._read(address)
            return self._pages.get(address)

    def _read(self, address: str) -> Page | None:
        try:
            stop = self.cancellation.is_over
            page = read_page(self.web, self.archive, address, self.session_id, stop)
        except errors.StorageError:
            raise
        except errors.AppError as exc:  # of the web, or of a document that it led to
            self.troubles.append(exc)
            return None
        self.read.add(address)
        return page


def read_page(
    web: "Web",
    archive: Archive,
    address: str,
    session_id: SessionId | None,
    stop: Callable[[], bool],
) -> Page:
    """Return the page with its passages, stored if there is a session. Raises as the web does."""
    if session_id is not None:
        source = web.fetch(address, session_id=session_id, stop=stop)
        return source, archive.sources.passages(source.id)
    source, passages = web.read(address, session_id=None, stop=stop)
    return source, number_source_passages(source, passages)


@dataclass(slots=True)
class EndpointWebRetriever:
    """Belongs to one run; thread-safe."""

    model: Model
    web: EndpointWeb
    own: DirectWebRetriever  # Used if the endpoint refuses; shares budget and errors
    instructions: str
    texts: Texts
    can_resume: bool = False  # Whether an error of the endpoint ends the run, which can be resumed
    report_call: Callable[[WebCall], None] = lambda _: None
    troubles: list[errors.AppError] = field(init=False)
    read: set[str] = field(init=False)
    _lock: Lock = field(default_factory=Lock)
    """If sub-questions find the same page, they store it one after another."""

    def __post_init__(self) -> None:
        self.troubles, self.read = self.own.troubles, self.own.read

    def serves(self) -> bool:
        """Whether the endpoint has web tools; it may refuse them at the first request."""
        return self.model.capabilities.web_tools and self.web.asking(1, 1) is not None

    def find(
        self, part: SubQuestion, pages: int, length: int, counter: UsageCounter
    ) -> list[Passage]:
        """Return passages of the pages that the endpoint found. Raises StorageError, LlmError."""
        results = self._searched(part, pages, counter) if self.serves() else ()
        if not self.serves():
            return self.own.find(part, pages, length, counter)
        passages: list[Passage] = []
        for result in results:
            if page := self.keep(result):
                words, cited = self.own.stop_words, result.cited
                passages += passages_of_page(page, part.question, length, words, cited)
        return passages

    def keep(self, page: FoundPage) -> Page | None:
        """Return the page with its passages; None if uncitable. Raises StorageError."""
        with self._lock:
            stored_page = self.web.keep(page)
            if stored_page is not None:
                self.read.add(page.address)
            return stored_page

    def allowed(self, limits: ResearchLimits, first_number: int) -> ServerWeb | None:
        """Return the web use of an answer's own request; `settle` counts what was used."""
        searches, fetches = self.own.budget.take_web(limits.searches, limits.fetches)
        return self.web.asking(searches, fetches, first_number=first_number) if searches else None

    def settle(self, stream: ReplyStream, searches: int, fetches: int) -> Spent:
        calls = stream.web_calls
        spent = Spent(
            searches=min(searches, used(calls, WEB_SEARCH)),
            fetches=min(fetches, used(calls, WEB_FETCH)),
        )
        self.own.budget.give_back(searches - spent.searches, fetches - spent.fetches)
        for call in calls:
            if call.failure and call.failure != TOO_OFTEN:
                where = self.model.endpoint.name
                self.troubles.append(EndpointWebError(where=where, code=call.failure))
        self.web.note(calls, stream.pages, self.model.endpoint)
        return spent

    def _searched(
        self, part: SubQuestion, pages: int, counter: UsageCounter
    ) -> Sequence[FoundPage]:
        """Return the pages found. Raises LlmError in a run that can be resumed."""
        if self.own.cancellation.is_over():
            return ()
        lines = [
            self.texts.say("research.part", question=part.question),
            self.texts.say("research.search_for", searches="; ".join(part.queries)),
        ]
        messages = [RequestMessage(Role.USER, "\n".join(lines))]
        request = ModelRequest(self.instructions, messages, max_output_tokens=_OUTPUT_TOKENS)
        most = min(len(part.queries), _MOST_SEARCHES)
        reserved = self._reserve(max_request_tokens(request), most, pages)
        if reserved is None:
            return ()
        searches, fetches, held = reserved
        web = self.web.asking(searches, fetches, page_tokens=_PAGE_TOKENS)
        request = replace(request, web=web, max_output_tokens=held.max_output_tokens)
        results: Sequence[FoundPage] = ()
        spent, usage, budget = Spent(), NO_USAGE, self.own.budget
        with self.own.cancellation.holding() as (_, hold):
            try:
                with self.model.stream(request) as stream:
                    hold(stream)
                    calls = WebCallTracker(self.report_call)
                    try:
                        for _ in stream:
                            calls.look(stream.web_calls)
                    finally:
                        # Also for failed or stopped searches: they are paid for.
                        calls.finish(stream.web_calls)
                        results, usage = stream.pages, stream.usage
                        spent = self.settle(stream, searches, fetches)
                        searches, fetches = 0, 0
            except errors.LlmError as exc:
                if not self.own.cancellation.is_over():
                    if self.can_resume and not isinstance(exc, _ITS_OWN):
                        raise
                    self.troubles.append(exc)
            finally:
                budget.give_back(searches, fetches)
                budget.count(usage, held)
                counter.spent += spent + Spent(usage)
                counter.model = self.model.name
        return results

    def _reserve(
        self, length: int, searches: int, fetches: int
    ) -> tuple[int, int, Reservation] | None:
        """Reserve searches and fetches with their tokens; None if the budget allows none."""
        budget = self.own.budget
        searches, fetches = budget.take_web(searches, fetches)
        if not searches:
            return None
        of_model = price_function(self.model)

        def price(usage: Usage) -> float:
            """Return the price including searches, even if the model's price is unknown."""
            return (of_model(usage) or 0.0) + searches * SEARCH_USD

        read = _max_tokens_read(length, searches, fetches)
        try:
            held = budget.hold(read, _OUTPUT_TOKENS, price, least_output=_LEAST_OUTPUT)
        except LimitReached:
            budget.give_back(searches, fetches)
            return None
        return searches, fetches, held


WebRetriever = DirectWebRetriever | EndpointWebRetriever


def _max_tokens_read(context: int, searches: int, fetches: int) -> int:
    """Return all tokens read: the context is read again after every search and page."""
    sizes = [_SEARCH_TOKENS] * searches + [_PAGE_TOKENS] * fetches
    return sum(accumulate(sizes, initial=context))
