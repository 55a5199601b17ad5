"""Lets the model's endpoint search the web for sub-questions, within the limits of the run.

Its pages are stored like those that the program fetches itself.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock

from desktop.domain.errors import (
    AppError,
    ContextTooLongError,
    LlmError,
    RefusedError,
    RequestRejectedError,
)
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
from desktop.domain.web_errors import EndpointWebError
from desktop.llm.server_tools import SEARCH_USD
from desktop.research.passages import Passage
from desktop.research.tiers.budget import (
    LimitReached,
    Reservation,
    UsageCounter,
    max_request_tokens,
    price_function,
)
from desktop.research.tiers.passage_store import Page, passages_of_page
from desktop.research.tiers.web_retrieval import DirectWebRetriever
from desktop.research.web.endpoint_web import EndpointWeb, WebCallTracker
from desktop.settings.messages import Texts

_MOST_SEARCHES = 2
"""For one sub-question."""
_PAGE_TOKENS = 6_000
"""Of a page that is fetched for a sub-question."""
_OUTPUT_TOKENS = 1_200
_LEAST_OUTPUT = 300
_SEARCH_TOKENS = 10_000
"""Assumed for the result of a search, which no parameter bounds."""
_ITS_OWN = (RefusedError, ContextTooLongError, RequestRejectedError)
"""Errors that a retry would meet again: the run continues without this result."""


@dataclass(slots=True)
class EndpointWebRetriever:
    """Of one run; any thread may use it."""

    model: Model
    web: EndpointWeb
    own: DirectWebRetriever
    """Used where the endpoint refuses; shares budget and errors."""
    instructions: str
    texts: Texts
    can_resume: bool = False
    """Whether an error of the endpoint ends the run, which can be resumed."""
    report_call: Callable[[WebCall], None] = lambda _: None
    _lock: Lock = field(default_factory=Lock)
    """Sub-questions that find the same page store it one after another."""

    @property
    def troubles(self) -> list[AppError]:
        return self.own.troubles

    @property
    def read(self) -> set[str]:
        return self.own.read

    def serves(self) -> bool:
        """Whether the endpoint has web tools; it may refuse them at the first request."""
        return self.model.capabilities.web_tools and self.web.asking(1, 1) is not None

    def find(
        self, part: SubQuestion, pages: int, length: int, counter: UsageCounter
    ) -> list[Passage]:
        """Passages of the pages that the endpoint found. Raises StorageError, LlmError."""
        found = self._searched(part, pages, counter) if self.serves() else ()
        if not self.serves():
            return self.own.find(part, pages, length, counter)
        kept = ((self.keep(one), one.cited) for one in found)
        return [
            passage
            for page, cited in kept
            if page is not None
            for passage in passages_of_page(
                page, part.question, length, self.own.stop_words, cited
            )
        ]

    def keep(self, page: FoundPage) -> Page | None:
        """The page with its passages; None if it cannot be cited. Raises StorageError."""
        with self._lock:
            kept = self.web.keep(page)
            if kept is not None:
                self.read.add(page.address)
            return kept

    def allowed(self, limits: ResearchLimits, first_number: int) -> ServerWeb | None:
        """Web use of an answer's own request; `settle` counts what was used."""
        searches, fetches = self.own.budget.take_web(limits.searches, limits.fetches)
        return self.web.asking(searches, fetches, first_number=first_number) if searches else None

    def settle(self, stream: ReplyStream, searches: int, fetches: int) -> Spent:
        """Count what was used and return the rest."""
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
        """Raises LlmError in a run that can be resumed."""
        if self.own.cancellation.is_over:
            return ()
        lines = [
            self.texts.say("research.part", question=part.question),
            self.texts.say("research.search_for", searches="; ".join(part.wanted)),
        ]
        said = [RequestMessage(Role.USER, "\n".join(lines))]
        request = ModelRequest(self.instructions, said, max_output_tokens=_OUTPUT_TOKENS)
        most = min(len(part.wanted), _MOST_SEARCHES)
        reserved = self._reserve(max_request_tokens(request), most, pages)
        if reserved is None:
            return ()
        searches, fetches, held = reserved
        web = self.web.asking(searches, fetches, page_tokens=_PAGE_TOKENS)
        request = replace(request, web=web, max_output_tokens=held.max_output_tokens)
        found: Sequence[FoundPage] = ()
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
                        # Also of what failed or was stopped: it is paid for.
                        calls.finish(stream.web_calls)
                        found, usage = stream.pages, stream.usage
                        spent = self.settle(stream, searches, fetches)
                        searches, fetches = 0, 0
            except LlmError as exc:
                if not self.own.cancellation.is_over:
                    if self.can_resume and not isinstance(exc, _ITS_OWN):
                        raise
                    self.troubles.append(exc)
            finally:
                budget.give_back(searches, fetches)
                budget.count(usage, held)
                counter.spent += spent + Spent(usage)
                counter.model = self.model.name
        return found

    def _reserve(
        self, length: int, searches: int, fetches: int
    ) -> tuple[int, int, Reservation] | None:
        """As many searches and fetches as the budget pays for, and the request; None for none."""
        budget = self.own.budget
        taken = searches, fetches = budget.take_web(searches, fetches)
        if not searches:
            return None
        of_model = price_function(self.model)

        def price(usage: Usage) -> float:
            """With that of the searches, also where that of the model is unknown."""
            return (of_model(usage) or 0.0) + searches * SEARCH_USD

        while (searches > 1 or fetches) and not budget.fits(
            _max_tokens_read(length, searches, fetches), _OUTPUT_TOKENS, price
        ):
            if searches > 1:
                searches -= 1
            else:
                fetches -= 1
        budget.give_back(taken[0] - searches, taken[1] - fetches)
        read = _max_tokens_read(length, searches, fetches)
        try:
            held = budget.hold(read, _OUTPUT_TOKENS, price, least_output=_LEAST_OUTPUT)
        except LimitReached:
            budget.give_back(searches, fetches)
            return None
        return searches, fetches, held


WebRetriever = DirectWebRetriever | EndpointWebRetriever


def _max_tokens_read(context: int, searches: int, fetches: int) -> int:
    """Tokens read in all: the context is read again after every search and page."""
    whole = context
    for size in [_SEARCH_TOKENS] * searches + [_PAGE_TOKENS] * fetches:
        context += size
        whole += context
    return whole
