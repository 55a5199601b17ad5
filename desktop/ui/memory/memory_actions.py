"""The actions of the memory window: reads and changes facts on a worker."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypedDict, TypeVar

from PySide6.QtCore import QObject, Signal

from desktop.domain.facts import Fact, FactSource, Refusal
from desktop.domain.ids import FactId, MessageId
from desktop.ui.searchable_list import SearchableItem
from desktop.ui.services import WindowServices, Worker
from desktop.ui.turn_bridge import ignore

T = TypeVar("T")


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
        self.worker = worker

    def load(self, done: Callable[[KnownFacts], None]) -> None:
        def work(services: WindowServices) -> KnownFacts:
            facts = services.archive.facts.facts()
            refused = services.archive.learning.refused()
            return KnownFacts([searchable_fact(fact) for fact in facts], refused)

        self.worker.do_latest("facts", work, done)

    def look_up(self, fact: Fact, done: Callable[[FactDetails], None]) -> None:
        def work(services: WindowServices) -> FactDetails:
            store = services.archive.facts
            conflicts = services.memory.possible_conflicts(fact.id)
            return FactDetails(fact, store.sources(fact.id), store.history(fact.id), conflicts)

        self.worker.do_latest("fact", work, done)

    def show_sent(self, draft: str, done: Callable[[MemoryPreview], None]) -> None:
        """`draft`: the unsent question."""

        def work(services: WindowServices) -> MemoryPreview:
            active = services.assistant.active
            block = services.assistant.would_remember(draft)
            if block is None:
                is_temporary = active is not None and active.is_temporary
                return MemoryPreview("", 0, 0, is_on=False, is_temporary=is_temporary)
            return MemoryPreview(block.text, block.tokens, len(block.facts), is_on=True)

        self.worker.do_latest("sent", work, done)

    def remember(self, message_id: MessageId, text: str) -> None:
        """Remember a message or its selected text, because the user pressed Remember."""
        self.change(
            lambda services: services.memory.remember_message(message_id, text),
            self.remembered.emit,
        )

    def forget(self, facts: Sequence[FactId]) -> None:
        self.change(lambda services: services.archive.forget_facts(facts), self.forgotten.emit)

    def restore(self, facts: Sequence[FactId]) -> None:
        self.change(lambda services: services.archive.restore_facts(facts))

    def change(
        self, work: Callable[[WindowServices], T], done: Callable[[T], None] = ignore
    ) -> None:
        def told(result: T) -> None:
            done(result)
            self.changed.emit()

        self.worker.do(work, told)
