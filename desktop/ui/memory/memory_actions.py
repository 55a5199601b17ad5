"""The facts of the memory: their list with its labels, and the actions on them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

from PySide6.QtCore import QObject, Qt, Signal

from desktop.domain.changes import Change
from desktop.domain.errors import AppError
from desktop.domain.facts import Fact, FactFilter, FactSource, Learned, Origin, Refusal, Term
from desktop.domain.frozen import dataclass
from desktop.domain.ids import FactId, MessageId
from desktop.domain.learned_preferences import Preference
from desktop.domain.projects import EVERYTHING
from desktop.language.normalization import folded_key
from desktop.memory.active_memory import preference_name
from desktop.ui.dialogs.form import do_nothing
from desktop.ui.formatting import day
from desktop.ui.searchable_list import (
    ListedText,
    SearchableItem,
    SearchableListModel,
    SearchableListView,
)
from desktop.ui.services import Worker
from desktop.ui.theme.theme import ThemeController
from desktop.ui.turn_bridge import ignore
from desktop.ui.widgets.bars import MessageBar, Rank

if TYPE_CHECKING:
    from desktop.sessions.services import Services


class FactOrder(StrEnum):
    TOPIC = "topic"
    TERM = "term"
    IMPORTANCE = "importance"
    AGE = "age"


def sort_facts(facts: Sequence[Fact], order: StrEnum) -> list[Fact]:
    """`found` has the pinned ones first; the sort is stable."""
    match order:
        case FactOrder.TERM:
            return sorted(facts, key=lambda fact: fact.term is Term.LONG)
        case FactOrder.IMPORTANCE:
            return sorted(facts, key=lambda fact: -fact.importance)
        case FactOrder.AGE:
            return sorted(facts, key=lambda fact: fact.valid_from, reverse=True)
        case _:
            return sorted(facts, key=lambda fact: folded_key(fact.topic))


class FactLabels(QObject):
    def term(self, term: Term) -> str:
        return self.tr("short term") if term is Term.SHORT else self.tr("long term")

    def origin(self, origin: Origin) -> str:
        names = {
            Origin.SESSION: self.tr("learned from a session"),
            Origin.USER: self.tr("remembered at your request"),
            Origin.DIRECTIVE: self.tr("answer preference"),
        }
        return names[origin]

    def importance(self, fact: Fact) -> str:
        return self.tr("importance {number} out of 10").format(number=fact.importance)

    def trouble(self, fact: Fact) -> str:
        return self.tr("damaged") if fact.is_damaged else ""

    def mentions(self, fact: Fact) -> str:
        return self.tr("mentioned %n time(s)", "", fact.weight) if fact.weight > 1 else ""

    def span(self, fact: Fact) -> str:
        since = day(fact.valid_from)
        if fact.valid_to is None:
            return self.tr("since {day}").format(day=since)
        until = day(fact.valid_to)
        if since == until:
            return since
        return self.tr("{first} – {last}").format(first=since, last=until)

    def whole(self, fact: Fact) -> str:
        pinned = self.tr("pinned") if fact.is_pinned else ""
        details = self.importance(fact), self.term(fact.term), pinned, self.trouble(fact)
        return ", ".join(filter(None, (fact.content, fact.topic, *details)))

    def refused(self, refused: Mapping[Refusal, int]) -> str:
        """Return how many suggestions were rejected, with reasons; may be empty."""
        whole = sum(refused.values())
        if not whole:
            return ""
        reasons = [self._reason(why, count) for why, count in refused.items() if count]
        counted = self.tr("%n suggestion(s) not saved", "", whole)
        return self.tr("{counted}: {reasons}").format(counted=counted, reasons=", ".join(reasons))

    def _reason(self, why: Refusal, count: int) -> str:
        reasons = {
            Refusal.UNSUPPORTED: self.tr("%n not in your own words", "", count),
            Refusal.FORGOTTEN: self.tr("%n previously deleted by you", "", count),
            Refusal.OUTDATED: self.tr("%n no longer true", "", count),
            Refusal.EMPTY: self.tr("%n not of lasting value", "", count),
            Refusal.UNIMPORTANT: self.tr("%n not important enough", "", count),
            Refusal.FAILED: self.tr("%n from a failed answer", "", count),
            Refusal.SECRET: self.tr("%n with a key, a password or a card number", "", count),
            Refusal.RECALLED: self.tr("%n already remembered", "", count),
        }
        return reasons[why]


class FactAction(StrEnum):
    EDIT = "edit"
    PIN = "pin"
    REPLACE = "replace"
    DELETE = "delete"
    SHARE = "share"
    KEEP_BOTH = "keep_both"  # ids of the fact and one that may conflict
    KEEP_NEWER = "keep_newer"


class FactListModel(SearchableListModel):
    def __init__(self) -> None:
        super().__init__(FactOrder.TOPIC)
        self._words = FactLabels(self)

    def _key_of(self, row: object) -> FactId | None:
        return row.id if isinstance(row, Fact) else None

    def _arranged(self, items: Sequence[Fact]) -> list[Fact]:
        return sort_facts(items, self.order)

    def _text_of(self, row: Fact) -> ListedText:
        parts = (row.topic, self._words.term(row.term), day(row.valid_from))
        detail = " · ".join(filter(None, (*parts, self._words.trouble(row))))
        whole, pill = self._words.whole(row), str(row.importance)
        return ListedText(row.content, detail, whole, pill, is_pinned=row.is_pinned)


class FactListView(SearchableListView):
    action_chosen = Signal(object, object)  # FactAction, and the current Fact

    def __init__(self, model: FactListModel, theme: ThemeController) -> None:
        super().__init__(model, theme, most_lines=2)
        self._facts = model

    @property
    def current(self) -> Fact | None:
        return self._facts.row(self.currentIndex())

    def _handle_key(self, key: int) -> bool:
        match key:
            case Qt.Key.Key_Return | Qt.Key.Key_Enter | Qt.Key.Key_F2:
                action = FactAction.EDIT
            case Qt.Key.Key_Delete:
                action = FactAction.DELETE
            case _:
                return super()._handle_key(key)
        if (fact := self.current) is not None:
            self.action_chosen.emit(action, fact)
        return True


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class KnownFacts:
    items: Sequence[SearchableItem[Fact]] = ()
    refused: Mapping[Refusal, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FactDetails:
    fact: Fact
    sources: Sequence[FactSource] = ()
    history: Sequence[Fact] = ()
    conflicts: Sequence[Fact] = ()  # other facts that may contradict it


@dataclass(frozen=True, slots=True)
class MemoryPreview:
    text: str
    tokens: int
    facts: int
    is_on: bool  # whether the user wants any facts sent
    is_temporary: bool = False  # whether the active session is temporary


class FactDraft(TypedDict):
    content: str
    topic: str
    importance: int


class MemoryActions(QObject):
    changed = Signal()  # Facts were added, changed or deleted
    remembered = Signal(object)  # Learned: what the user asked to remember
    forgotten = Signal(object)  # Change with the Facts

    def __init__(self, worker: Worker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.worker = worker

    def load(self, done: Callable[[KnownFacts], None]) -> None:
        def work(services: "Services") -> KnownFacts:
            facts = services.archive.facts(FactFilter(services.assistant.shown))
            refused = services.archive.refused_facts()
            texts = (f"{fact.topic} {fact.content}" for fact in facts)
            return KnownFacts(SearchableItem.of_all(facts, texts), refused)

        self.worker.do_latest("facts", work, done)

    def look_up(self, fact: Fact, done: Callable[[FactDetails], None]) -> None:
        def work(services: "Services") -> FactDetails:
            sources = services.archive.fact_sources(fact.id)
            history = services.archive.fact_history(fact.id)
            conflicts = services.memory.possible_conflicts(fact.id)
            return FactDetails(fact, sources, history, conflicts)

        self.worker.do_latest("fact", work, done)

    def show_sent(self, draft: str, done: Callable[[MemoryPreview], None]) -> None:
        """Show what would be sent with `draft`, the unsent question."""

        def work(services: "Services") -> MemoryPreview:
            active = services.assistant.active
            block = services.assistant.would_remember(draft)
            if block is None:
                is_temporary = active is not None and active.is_temporary
                return MemoryPreview("", 0, 0, is_on=False, is_temporary=is_temporary)
            return MemoryPreview(block.whole, block.tokens, len(block.facts), is_on=True)

        self.worker.do_latest("sent", work, done)

    def count_proposals(self, done: Callable[[int], None]) -> None:
        """Count the sentences of other assistants that wait for the user."""
        self.worker.do_latest(
            "proposals", lambda services: len(services.archive.proposals(EVERYTHING)), done
        )

    def remember(self, message_id: MessageId, text: str) -> None:
        self.change(
            lambda services: services.memory.remember_message(message_id, text),
            self.remembered.emit,
        )

    def forget(self, facts: Sequence[FactId]) -> None:
        self.change(lambda services: services.facts.forget(facts), self.forgotten.emit)

    def undoes(self, change: Change[Any]) -> Callable[[], None]:
        return self.worker.undoes(change, lambda _: self.changed.emit())

    def change(
        self,
        work: "Callable[[Services], T]",
        done: Callable[[T], None] = ignore,
        failed: Callable[[], None] = do_nothing,
    ) -> None:
        """`failed`: called when the error is shown."""

        def told(result: T) -> None:
            done(result)
            self.changed.emit()

        def fail(error: AppError) -> None:
            self.worker.failed.emit(error)
            failed()

        self.worker.do_in_turn(work, told, failed=fail)


_LEARNED, _FORGOTTEN, _PREFERRED = "learned", "facts_forgotten", "preferred"
_LONGEST = 120
_MOST_LISTED = 4
_MOST_ASKED = 10


class MemoryNotices(QObject):
    edit_wanted = Signal(object)  # FactId
    memory_wanted = Signal()
    preferences_wanted = Signal()

    def __init__(self, strip: MessageBar, actions: MemoryActions) -> None:
        super().__init__(actions)
        self._strip = strip
        self._actions = actions
        self._keys: list[str] = []
        actions.remembered.connect(self.show_remembered)

    def show_learned(self, learned: Learned) -> None:
        for fact in learned.new[:_MOST_LISTED]:
            self._show_fact(fact)
        more = len(learned.new) - _MOST_LISTED
        if more > 0:
            self._strip.show_message(
                _LEARNED,
                self.tr("and %n more fact(s) remembered", "", more),
                (self.tr("Open memory"), self.memory_wanted.emit),
            )

    def show_preferences(self, several: Sequence[Preference]) -> None:
        texts = self._actions.worker.services.texts()
        if names := ", ".join(preference_name(preference, texts) for preference in several):
            message = self.tr("From now on: {preferences}").format(preferences=names)
            show = (self.tr("Show preferences"), self.preferences_wanted.emit)
            self._strip.show_message(_PREFERRED, message, show)

    def show_remembered(self, learned: Learned) -> None:
        for fact in learned.new:
            self.show_kept(fact)
        for fact in learned.strengthened:
            self._show_fact(fact, is_known=True)

    def show_kept(self, fact: Fact) -> None:
        self._show_fact(fact, is_known=fact.weight > 1)

    def ask_to_forget(self, facts: Sequence[Fact]) -> None:
        if not facts:
            self._strip.show_message(
                _FORGOTTEN, self.tr("I don’t remember anything matching that.")
            )
            return
        ids = tuple(fact.id for fact in facts)

        if len(facts) == 1:
            words = self.tr("Forget “{fact}”?").format(fact=_cut(facts[0].content))
        else:
            listed = [f"• {_cut(fact.content)}" for fact in facts[:_MOST_ASKED]]
            if (more := len(facts) - _MOST_ASKED) > 0:
                listed.append(self.tr("and %n more", "", more))
            words = "\n".join([self.tr("Forget these %n fact(s)?", "", len(facts)), *listed])
        self._strip.show_message(
            _FORGOTTEN,
            words,
            (self.tr("Forget"), lambda: self._forget(ids)),
            (self.tr("Keep"), lambda: None),
            rank=Rank.QUESTION,
        )

    def leave(self) -> None:
        """Remove all messages when the next question is asked."""
        for key in (*self._keys, _LEARNED, _FORGOTTEN, _PREFERRED):
            self._strip.remove(key)
        self._keys.clear()

    def _forget(self, facts: Sequence[FactId]) -> None:
        def show(change: Change[Sequence[Fact]]) -> None:
            sentence = self.tr("%n fact(s) forgotten.", "", len(facts))
            self._strip.show_message(_FORGOTTEN, sentence, undo=self._actions.undoes(change))

        self._actions.change(lambda services: services.facts.forget(facts), show)

    def _show_fact(self, fact: Fact, *, is_known: bool = False) -> None:
        """Show a remembered fact; one that was known already cannot be undone here."""
        template = (
            self.tr("Already remembered: {fact}") if is_known else self.tr("Remembered: {fact}")
        )
        undo = None if is_known else lambda: self._undo(fact.id)
        edit = (self.tr("Edit"), lambda: self.edit_wanted.emit(fact.id))
        key = f"fact-{fact.id}"
        self._keys.append(key)
        words = template.format(fact=_cut(fact.content))
        self._strip.show_message(key, words, edit, undo=undo)

    def _undo(self, fact_id: FactId) -> None:
        """Undo learning; a fact that the learned one replaced is current again."""
        self._actions.change(lambda services: services.memory.undo_learning(fact_id))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST].rstrip()}…"
