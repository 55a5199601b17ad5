"""One run of a tier: its dependencies, its sizes, and its steps with their checkpoints."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cache
from queue import Empty, SimpleQueue
from threading import Lock
from time import monotonic
from typing import Protocol, TypeVar

from desktop.domain.errors import AppError
from desktop.domain.events import (
    ProgressMade,
    SourceFound,
    StepEnded,
    StepStarted,
    TurnEvent,
)
from desktop.domain.ids import RunId, TurnId
from desktop.domain.language import Language
from desktop.domain.messages import Role
from desktop.domain.model import JsonValue, Model, ModelRequest, RequestMessage
from desktop.domain.research import Spent, StepKind, StepState
from desktop.domain.usage import NO_USAGE
from desktop.language.intents.phrases import PhraseLists
from desktop.research.passages import Passage, is_suspicious_passage
from desktop.research.tiers.budget import LimitReached, RunStopped
from desktop.research.tiers.passage_store import LocalRetriever, place_references
from desktop.research.tiers.structured_request import BudgetedRequests, UsageCounter
from desktop.research.tiers.web_retrieval import WebRetriever
from desktop.settings.messages import Texts
from desktop.settings.paths import asset
from desktop.storage.research_runs import RunStore

Item = TypeVar("Item")
Result = TypeVar("Result")
Emit = Callable[[TurnEvent], None]

_LOOK_EVERY_S = 0.05
_ABOUT = 120


class Checkpoints(Protocol):
    """Results of finished steps. Thread-safe; both methods may raise StorageError."""

    def kept(self, name: str) -> tuple[JsonValue] | None:
        """The result of a finished step in a tuple; None if it is not finished."""
        ...

    def keep(self, name: str, result: JsonValue, spent: Spent, model: str) -> None: ...


class MemoryCheckpoints:
    def __init__(self) -> None:
        self._results: dict[str, JsonValue] = {}

    def kept(self, name: str) -> tuple[JsonValue] | None:
        return (self._results[name],) if name in self._results else None

    def keep(self, name: str, result: JsonValue, spent: Spent, model: str) -> None:  # noqa: ARG002 (nobody resumes it)
        self._results[name] = result


class StoredCheckpoints:
    def __init__(self, store: RunStore, run_id: RunId) -> None:
        self._store = store
        self._run_id = run_id
        self._lock = Lock()
        steps = store.steps(run_id)
        self._results = {name: step.result for name, step in steps.items()}
        self._before = sum((step.spent for step in steps.values()), start=Spent())

    @property
    def before(self) -> Spent:
        """Spent before this process resumed the run."""
        return self._before

    def kept(self, name: str) -> tuple[JsonValue] | None:
        with self._lock:
            return (self._results[name],) if name in self._results else None

    def keep(self, name: str, result: JsonValue, spent: Spent, model: str) -> None:
        self._store.keep_step(self._run_id, name, result, spent, model=model)
        with self._lock:
            self._results[name] = result

    def finish(self) -> None:
        self._store.finish(self._run_id)


_CHARACTERS_A_TOKEN = 3
_SHARE = 0.35
"""Of the context; the rest is the session, the instructions and the answer."""
_LONGEST, _SHORTEST = 1_400, 280
_SMALL_CONTEXT = 12_000


@dataclass(frozen=True, slots=True)
class ContextSizes:
    passages: int
    """In one request."""
    characters: int
    """Of one passage."""
    room: int
    """Characters of a session, or of evidence, that one structured request takes."""
    parts: int
    """Sub-questions at the most."""
    claims: int
    """That are tested in one request."""
    output_tokens: int

    @classmethod
    def of(cls, context_tokens: int, wanted: int, *, is_lite: bool = False) -> "ContextSizes":
        """`wanted`: passages, where there is room for them."""
        room = int(context_tokens * _CHARACTERS_A_TOKEN * _SHARE) // (2 if is_lite else 1)
        characters = min(_LONGEST, max(_SHORTEST, room // max(1, wanted)))
        is_small = context_tokens < _SMALL_CONTEXT
        return cls(
            passages=max(2, min(wanted, room // characters)),
            characters=characters,
            room=room,
            parts=3 if is_small else 5,
            claims=4 if is_small else 12,
            output_tokens=400 if is_small else 2_000,
        )


@dataclass(frozen=True, slots=True)
class Instructions:
    plan: str
    gaps: str
    deep_plan: str
    read: str
    verify: str
    compare: str
    report: str
    web: str
    """For an endpoint that searches and reads by itself."""


@cache
def load_instructions(language: Language) -> Instructions:
    def read(name: str) -> str:
        path = asset("resources", "instructions", language.value, f"{name}.md")
        return path.read_text(encoding="utf-8").strip()

    return Instructions(
        plan=read("research_plan"),
        gaps=read("research_gaps"),
        deep_plan=read("deep_plan"),
        read=read("deep_read"),
        verify=read("deep_verify"),
        compare=read("deep_compare"),
        report=read("deep_report"),
        web=read("research_web"),
    )


@dataclass(frozen=True, slots=True)
class ResearchQuestion:
    """The question with its session, as requests carry it."""

    turn_id: TurnId
    question: str
    said: Sequence[RequestMessage] = ()
    """The whole session as it goes to a model, the question last."""


@dataclass(frozen=True, slots=True)
class RunDependencies:
    """The searches, texts and instructions that a run uses."""

    lookup: LocalRetriever
    reach: WebRetriever | None
    """None where the web is off."""
    phrases: PhraseLists
    words: Instructions
    texts: Texts
    joins: tuple[str, ...] = ()
    """Words that join two questions in one sentence."""


@dataclass(slots=True)
class Run:
    """Steps may run on any thread."""

    asked: ResearchQuestion
    dependencies: RunDependencies
    asker: BudgetedRequests
    checkpoints: Checkpoints
    emit: Emit = lambda _: None
    passages: dict[tuple[str, str], Passage] = field(default_factory=dict)
    """All passages found, in order."""
    _recorded_s: float = 0.0
    _lock: Lock = field(default_factory=Lock)

    def __post_init__(self) -> None:
        self._recorded_s = self.asker.budget.spent.seconds

    def step(
        self,
        name: str,
        kind: StepKind,
        about: str,
        do: Callable[[UsageCounter], tuple[JsonValue, int]],
    ) -> JsonValue:
        """The result of `do`, or its checkpoint; `do` also returns how much it found.

        Raises what `do` raises: AppError, LimitReached, RunStopped.
        """
        turn_id = self.asked.turn_id
        self.emit(StepStarted(turn_id, name, kind, about[:_ABOUT]))
        ended = StepEnded(turn_id, name, kind, StepState.DONE)
        if kept := self.checkpoints.kept(name):
            self.emit(replace(ended, state=StepState.KEPT))
            return kept[0]
        counter, began = UsageCounter(), monotonic()

        def after(state: StepState) -> StepEnded:
            took = int((monotonic() - began) * 1000)
            return replace(ended, state=state, usage=counter.spent.usage, duration_ms=took)

        try:
            result, found = do(counter)
        except (LimitReached, RunStopped):
            self._keep(f"{name}!", None, counter, only_if_spent=True)
            self.emit(after(StepState.SKIPPED))
            raise
        except AppError as exc:
            self._keep(f"{name}!", None, counter, only_if_spent=True)
            self.emit(replace(after(StepState.FAILED), trouble=exc.key))
            raise
        self._keep(name, result, counter)
        self.emit(replace(after(StepState.DONE), found=found))
        self.emit(ProgressMade(turn_id, self.asker.budget.spent, self.asker.budget.limits))
        return result

    def keep(self, name: str, result: JsonValue) -> None:
        """Store a result that cost nothing and must not change when the run resumes."""
        self._keep(name, result, UsageCounter())

    def evidence(
        self,
        name: str,
        kind: StepKind,
        about: str,
        length: int,
        find: Callable[[UsageCounter], list[Passage]],
    ) -> list[Passage]:
        """A step that finds passages; after a crash those that still exist are restored."""
        fresh: list[Passage] = []

        def do(counter: UsageCounter) -> tuple[JsonValue, int]:
            fresh.extend(find(counter))
            self.found(fresh)
            return place_references(fresh), len(fresh)

        kept = self.step(name, kind, about, do)
        if not fresh:
            fresh = self.dependencies.lookup.shelf.restore_all(kept, about, length)
            self.found(fresh)
        return fresh

    def ask(
        self,
        model: Model,
        instructions: str,
        text: str,
        schema: dict[str, JsonValue],
        counter: UsageCounter,
    ) -> JsonValue:
        """A structured request that reads evidence: without tools and without the session."""
        sizes = ContextSizes.of(model.context_tokens(), 1)
        said = [RequestMessage(Role.USER, text)]
        request = ModelRequest(instructions, said, max_output_tokens=sizes.output_tokens)
        return self.asker.ask(model, request, schema, counter)

    def found(self, passages: Sequence[Passage]) -> None:
        """Emit each new source once."""
        for one in passages:
            with self._lock:
                known = {in_source for in_source, _ in self.passages}
                self.passages.setdefault((one.cited_in, one.cited_at), one)
            if one.cited_in in known:
                continue
            self.emit(source_found(self.asked.turn_id, one))

    def _keep(
        self, name: str, result: JsonValue, counter: UsageCounter, *, only_if_spent: bool = False
    ) -> None:
        if only_if_spent and counter.spent.usage == NO_USAGE:
            return
        with self._lock:
            now = self.asker.budget.spent.seconds
            passed, self._recorded_s = now - self._recorded_s, now
        self.checkpoints.keep(name, result, counter.spent + Spent(seconds=passed), counter.model)


def source_found(turn_id: TurnId, passage: Passage) -> SourceFound:
    place = passage.place
    return SourceFound(
        turn_id,
        place.kind if place else None,
        passage.cited_in,
        passage.title,
        place.address if place else "",
        is_suspicious_passage(passage),
    )


def run_in_parallel(
    work: Callable[[Item], Result], items: Sequence[Item], most: int
) -> list[Result]:
    """The results in order; an error is raised once all are done."""
    with ThreadPoolExecutor(most, thread_name_prefix="research-part") as pool:
        done = [pool.submit(work, one) for one in items]
    return [one.result() for one in done]


def run_in_background(
    work: Callable[[Emit], Result], emit: Emit, is_stopped: Callable[[], bool]
) -> Result | None:
    """Emit the events of `work` on this thread; returns its result, None where it was stopped.

    The work has a thread of its own, so that a stop never waits: a page that is slow to come is
    left to its own limits, and nobody reads what it brings.
    """
    events: SimpleQueue[TurnEvent | None] = SimpleQueue()
    pool = ThreadPoolExecutor(1, thread_name_prefix="research")
    done = pool.submit(work, events.put)
    done.add_done_callback(lambda _: events.put(None))
    try:
        while not is_stopped():
            try:
                event = events.get(timeout=_LOOK_EVERY_S)
            except Empty:
                continue
            if event is None:
                return done.result()
            emit(event)
    finally:
        pool.shutdown(wait=False)
    return None
