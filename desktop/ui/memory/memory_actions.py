"""The actions of the memory window: reads and changes facts on a worker."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypedDict

from PySide6.QtCore import QObject, Signal

from desktop.domain.facts import Fact, FactSource, Refusal
from desktop.domain.ids import FactId, MessageId
from desktop.ui.searchable_list import SearchableItem
from desktop.ui.services import WindowServices, Worker
from desktop.ui.turn_bridge import ignore

if TYPE_CHECKING:
    from desktop.sessions.archive_service import ForgottenFacts


@dataclass(frozen=True, slots=True)
class KnownFacts:
    """All current facts, pinned ones first, and the refused suggestions."""

    known: Sequence[SearchableItem[Fact]] = ()
    refused: Mapping[Refusal, int] = field(default_factory=dict)


def searchable_fact(fact: Fact) -> SearchableItem[Fact]:
    return SearchableItem.of(fact, f"{fact.topic} {fact.content}")


@dataclass(frozen=True, slots=True)
class FactDetails:
    """A fact with its sources, and the facts that it replaced, newest first."""

    fact: Fact
    sources: Sequence[FactSource] = ()
    history: Sequence[Fact] = ()
    conflicts: Sequence[Fact] = ()  # other facts that may contradict it


@dataclass(frozen=True, slots=True)
class MemoryPreview:
    """What would be sent with the next question."""

    text: str
    tokens: int
    facts: int
    is_on: bool  # whether the user wants any facts sent
    is_temporary: bool = False  # whether the active session is temporary


class FactDraft(TypedDict):
    """The content of the fact form."""

    content: str
    topic: str
    importance: int


class MemoryActions(QObject):
    changed = Signal()  # Facts were added, changed or deleted
    remembered = Signal(object)  # Learned: what the user asked to remember
    forgotten = Signal(object)  # ForgottenFacts, which can be restored

    def __init__(self, worker: Worker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._worker = worker

    def load(self, done: Callable[[KnownFacts], None]) -> None:
        def work(services: WindowServices) -> KnownFacts:
            facts = services.archive.facts.facts()
            refused = services.archive.learning.refused()
            return KnownFacts([searchable_fact(fact) for fact in facts], refused)

        self._worker.do_latest("facts", work, done)

    def look_up(self, fact: Fact, done: Callable[[FactDetails], None]) -> None:
        def work(services: WindowServices) -> FactDetails:
            store = services.archive.facts
            conflicts = services.memory.possible_conflicts(fact.id)
            return FactDetails(fact, store.sources(fact.id), store.history(fact.id), conflicts)

        self._worker.do_latest("fact", work, done)

    def show_sent(self, draft: str, done: Callable[[MemoryPreview], None]) -> None:
        """`draft`: the unsent question."""

        def work(services: WindowServices) -> MemoryPreview:
            active = services.assistant.active
            block = services.assistant.would_remember(draft)
            if block is None:
                is_temporary = active is not None and active.is_temporary
                return MemoryPreview("", 0, 0, is_on=False, is_temporary=is_temporary)
            return MemoryPreview(block.text, block.tokens, len(block.facts), is_on=True)

        self._worker.do_latest("sent", work, done)

    def some(self, facts: Sequence[FactId], done: Callable[[Sequence[Fact]], None]) -> None:
        self._worker.do(lambda services: services.archive.facts.some(facts), done)

    def add(self, draft: FactDraft, done: Callable[[Fact], None]) -> None:
        def work(services: WindowServices) -> Fact:
            learned = services.memory.remember(**draft)
            return next(iter((*learned.new, *learned.strengthened)))

        self._change(work, done)

    def remember(self, message_id: MessageId, text: str) -> None:
        """Remember a message or its selected text, because the user pressed Remember."""
        self._change(
            lambda services: services.memory.remember_message(message_id, text),
            self.remembered.emit,
        )

    def edit(self, fact_id: FactId, draft: FactDraft, done: Callable[[Fact], None]) -> None:
        """Reword a fact; its sources stay."""
        self._change(lambda services: services.memory.edit(fact_id, **draft), done)

    def replace(self, fact_id: FactId, draft: FactDraft, done: Callable[[Fact], None]) -> None:
        """Replace a fact that is no longer true."""
        self._change(lambda services: services.memory.supersede(fact_id, **draft), done)

    def keep_both(self, fact_id: FactId, other: FactId) -> None:
        """Two facts that look like a contradiction are none."""
        self._change(lambda services: services.memory.keep_both(fact_id, other))

    def keep_newer(self, fact_id: FactId, other: FactId, done: Callable[[Fact], None]) -> None:
        """The newer of two facts replaces the older one."""
        self._change(lambda services: services.memory.keep_newer(fact_id, other), done)

    def pin(self, fact_id: FactId, *, is_pinned: bool) -> None:
        self._change(lambda services: services.archive.pin_fact(fact_id, is_pinned=is_pinned))

    def forget(self, facts: Sequence[FactId]) -> None:
        self._change(lambda services: services.archive.forget_facts(facts), self.forgotten.emit)

    def forget_all(self) -> None:
        def work(services: WindowServices) -> "ForgottenFacts":
            return services.archive.forget_facts(
                [fact.id for fact in services.archive.facts.facts()]
            )

        self._change(work, self.forgotten.emit)

    def unforget(self, facts: Sequence[FactId]) -> None:
        self._change(lambda services: services.archive.restore_facts(facts))

    def take_back(self, fact_id: FactId) -> None:
        """Undo the learning of a fact; a fact that it replaced is current again."""
        self._change(lambda services: services.memory.undo_learning(fact_id))

    def _change(
        self,
        work: Callable[[WindowServices], object],
        done: Callable[..., None] = ignore,
    ) -> None:
        def told(result: object) -> None:
            done(result)
            self.changed.emit()

        self._worker.do(work, told)
