"""One run of a tier: its dependencies, its sizes, its requests, and its steps with checkpoints."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from queue import Empty, SimpleQueue
from threading import Lock
from time import monotonic
from typing import TypeVar

from desktop.domain.errors import AppError, LlmError, ReplyInvalidError
from desktop.domain.events import ProgressMade, SourceFound, StepEnded, StepStarted, TurnEvent
from desktop.domain.ids import TurnId
from desktop.domain.json_values import JsonValue
from desktop.domain.messages import Role
from desktop.domain.model import Model, ModelRequest, RequestMessage
from desktop.domain.research import Spent, StepKind, StepState
from desktop.domain.usage import NO_USAGE, SAFE_CHARACTERS_A_TOKEN, Usage, estimate_tokens
from desktop.language.intents import PhraseLists
from desktop.research.passages import Passage, is_suspicious_passage
from desktop.research.tiers.budget import (
    Budget,
    CancellationToken,
    LimitReached,
    RunStopped,
    UsageCounter,
    max_request_tokens,
    price_function,
)
from desktop.research.tiers.literature_retrieval import LiteratureRetriever, with_marks
from desktop.research.tiers.passage_store import LocalRetriever, passage_reference, restore_passage
from desktop.research.tiers.web_retrieval import WebRetriever
from desktop.settings.messages import Texts

Item = TypeVar("Item")
Result = TypeVar("Result")
Emit = Callable[[TurnEvent], None]
Schema = Mapping[str, JsonValue]

_LOOK_EVERY_S = 0.05
_ABOUT = 120
_LEAST_OUTPUT = 100
_AT_ONCE = 3


_SHARE = 0.35  # Of the context; the rest is for the session, the instructions and the answer
_LONGEST, _SHORTEST = 1_400, 280
_SMALL_CONTEXT = 12_000


@dataclass(frozen=True, slots=True)
class ContextSizes:
    passages: int
    characters: int
    room: int  # The most characters of a session, or of evidence, in one structured request
    parts: int
    claims: int
    output_tokens: int

    @classmethod
    def of(
        cls, context_tokens: int, passage_count: int = 1, *, is_lite: bool = False
    ) -> "ContextSizes":
        """Return sizes for a context; `passage_count`: how many, if there is room for them."""
        room = int(context_tokens * SAFE_CHARACTERS_A_TOKEN * _SHARE) // (2 if is_lite else 1)
        characters = min(_LONGEST, max(_SHORTEST, room // max(1, passage_count)))
        is_small = context_tokens < _SMALL_CONTEXT
        return cls(
            passages=max(2, min(passage_count, room // characters)),
            characters=characters,
            room=room,
            parts=3 if is_small else 5,
            claims=4 if is_small else 12,
            output_tokens=400 if is_small else 2_000,
        )


@dataclass(frozen=True, slots=True)
class EvidenceRequest:
    model: Model
    instructions: str
    text: str
    schema: Schema
    count: Callable[[JsonValue], int]
    about: str = ""
    output_tokens: int = 0  # At most; 0: as many as for other steps


@dataclass(slots=True, kw_only=True)
class Run:
    """One run. Steps may run on any thread."""

    turn_id: TurnId
    question: str
    lookup: LocalRetriever
    reach: WebRetriever | None  # None if the web is off
    literature: LiteratureRetriever | None = None  # None if it is off, or not asked for
    phrases: PhraseLists
    instructions: Callable[[str], str]
    texts: Texts
    budget: Budget
    cancellation: CancellationToken
    results: dict[str, JsonValue] = field(default_factory=dict)
    """Results of finished steps, also from before a crash."""
    record: Callable[[str, JsonValue, Spent, str], None] = lambda *_: None
    """Stores a step: its name, its result, what it spent, and its model. Raises StorageError."""
    messages: Sequence[RequestMessage] = ()
    """The whole session as it is sent to a model, the question last."""
    emit: Emit = lambda _: None
    passages: dict[tuple[str, str], Passage] = field(default_factory=dict)
    _recorded_s: float = 0.0
    _lock: Lock = field(default_factory=Lock)

    def __post_init__(self) -> None:
        self._recorded_s = self.budget.spent.seconds

    @property
    def unread(self) -> int:
        return sum(len(each.troubles) for each in (self.reach, self.literature) if each)

    def step(
        self,
        name: str,
        kind: StepKind,
        about: str,
        do: Callable[[UsageCounter], tuple[JsonValue, int]],
    ) -> JsonValue:
        """Return the result of `do`, or its checkpoint; `do` also returns how much it found.

        Raises what `do` raises: AppError, LimitReached, RunStopped.
        """
        self.emit(StepStarted(self.turn_id, name, kind, about[:_ABOUT]))
        if name in self.results:
            self.emit(StepEnded(self.turn_id, name, kind, StepState.KEPT))
            return self.results[name]
        counter, began = UsageCounter(), monotonic()
        trouble, count = "", 0
        state = StepState.SKIPPED
        try:
            result, count = do(counter)
            self.keep(name, result, counter)
            state = StepState.DONE
        except (LimitReached, RunStopped, AppError) as exc:
            if isinstance(exc, AppError):
                trouble, state = exc.key, StepState.FAILED
            if counter.spent.usage != NO_USAGE:
                self.keep(f"{name}!", None, counter)
            raise
        finally:
            self.emit(
                StepEnded(
                    turn_id=self.turn_id,
                    step=name,
                    kind=kind,
                    state=state,
                    found=count,
                    usage=counter.spent.usage,
                    duration_ms=int((monotonic() - began) * 1000),
                    trouble=trouble,
                )
            )
        self.emit(ProgressMade(self.turn_id, self.budget.spent, self.budget.limits))
        return result

    def keep(self, name: str, result: JsonValue, counter: UsageCounter | None = None) -> None:
        """Store a result, so that it does not change when the run resumes."""
        counter = counter or UsageCounter()
        with self._lock:
            now = self.budget.spent.seconds
            passed, self._recorded_s = now - self._recorded_s, now
        self.record(name, result, counter.spent + Spent(seconds=passed), counter.model)
        self.results[name] = result

    def evidence(
        self,
        name: str,
        kind: StepKind,
        about: str,
        length: int,
        find: Callable[[UsageCounter], list[Passage]],
    ) -> list[Passage]:
        """Run a step that finds passages; after a crash those that still exist are restored."""
        fresh: list[Passage] = []

        def do(counter: UsageCounter) -> tuple[JsonValue, int]:
            fresh.extend(map(self._marked, find(counter)))
            self.add_found(fresh)
            return [passage_reference(passage) for passage in fresh], len(fresh)

        references = self.step(name, kind, about, do)
        if not fresh and isinstance(references, list):
            archive = self.lookup.archive
            restored = (restore_passage(archive, each, about, length) for each in references)
            fresh = list(map(self._marked, filter(None, restored)))
            self.add_found(fresh)
        return fresh

    def _marked(self, passage: Passage) -> Passage:
        return with_marks(self.lookup.archive, passage, self.texts)

    def ask_about_evidence(
        self, name: str, kind: StepKind, evidence_request: EvidenceRequest
    ) -> JsonValue:
        """Run a step that reads evidence: its request has no tools and not the session.

        None after a limit, or for an invalid reply. Raises LlmError, RunStopped.
        """
        model = evidence_request.model
        sizes = ContextSizes.of(model.context_tokens())
        messages = [RequestMessage(Role.USER, evidence_request.text)]
        instructions = self.instructions(evidence_request.instructions)
        most = evidence_request.output_tokens or sizes.output_tokens
        request = ModelRequest(instructions, messages, max_output_tokens=most)

        def do(counter: UsageCounter) -> tuple[JsonValue, int]:
            value = self.ask(model, request, evidence_request.schema, counter)
            return value, evidence_request.count(value)

        try:
            return self.step(name, kind, evidence_request.about, do)
        except (LimitReached, ReplyInvalidError):
            return None

    def ask(
        self, model: Model, request: ModelRequest, schema: Schema, counter: UsageCounter
    ) -> JsonValue:
        """Ask, again if the reply is not JSON. Raises LlmError, LimitReached, RunStopped."""
        try:
            return self._ask_once(model, request, schema, counter)
        except ReplyInvalidError:
            return self._ask_once(model, request, schema, counter)

    def _ask_once(
        self, model: Model, request: ModelRequest, schema: Schema, counter: UsageCounter
    ) -> JsonValue:
        if self.cancellation.is_over():
            raise RunStopped
        length = max_request_tokens(request) + estimate_tokens(len(str(schema)))
        price, most = price_function(model), request.max_output_tokens
        held = self.budget.hold(length, most, price, least_output=_LEAST_OUTPUT)
        request = replace(request, max_output_tokens=held.max_output_tokens)
        usage = NO_USAGE
        with self.cancellation.holding() as (streams, hold):
            try:
                value, usage = model.ask_json(request, schema, hold)
            except LlmError as exc:
                usage = sum((stream.usage for stream in streams), start=NO_USAGE)
                if usage == NO_USAGE and isinstance(exc, ReplyInvalidError):
                    usage = Usage(length)  # it was answered, but without a usage report
                if self.cancellation.is_over():
                    raise RunStopped from exc
                raise
            finally:
                self.budget.count(usage, held)
                counter.spent += Spent(usage)
                counter.model = model.name
        return value

    def add_found(self, passages: Sequence[Passage]) -> None:
        """Record passages, and emit each new source once."""
        for passage in passages:
            with self._lock:
                sources = {in_source for in_source, _ in self.passages}
                self.passages.setdefault((passage.cited_in, passage.cited_at), passage)
            if passage.cited_in not in sources:
                self.emit(source_found(self.turn_id, passage))

    def in_background(
        self, work: Callable[[], Result], emit: Emit, is_stopped: Callable[[], bool]
    ) -> Result | None:
        """Emit the events of `work` on this thread; return its result, None if it was stopped.

        The work runs on a thread of its own, so that a stop never waits: a slow page is left to
        its own limits, and its result is discarded. Raises RunStopped if the time ran out before
        all was done.
        """
        events: SimpleQueue[TurnEvent | None] = SimpleQueue()
        self.emit = events.put
        pool = ThreadPoolExecutor(1, thread_name_prefix="research")
        done = pool.submit(copy_context().run, work)
        done.add_done_callback(lambda _: events.put(None))
        try:
            while not is_stopped():
                # The time that the user takes to review a plan does not count.
                if self.budget.seconds_left <= 0:
                    self.cancellation.stop()
                try:
                    event = events.get(timeout=_LOOK_EVERY_S)
                except Empty:
                    continue
                if event is None:
                    self.emit = emit
                    return done.result()
                emit(event)
        finally:
            pool.shutdown(wait=False)
        return None


def source_found(turn_id: TurnId, passage: Passage) -> SourceFound:
    place = passage.place
    return SourceFound(
        turn_id=turn_id,
        kind=place.kind if place else None,
        source_id=passage.cited_in,
        title=passage.title,
        address=place.address if place else "",
        is_suspicious=is_suspicious_passage(passage),
    )


def run_in_parallel(work: Callable[[int, Item], Result], items: Sequence[Item]) -> list[Result]:
    """Return the results in order; items are numbered from 1. Raises an error at the end."""
    with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="research-part") as pool:
        done = [
            pool.submit(copy_context().run, work, number, item)
            for number, item in enumerate(items, start=1)
        ]
    return [future.result() for future in done]
