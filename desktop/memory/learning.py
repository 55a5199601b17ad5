"""Keeps what deserves it of the facts that a model, or the user, proposes."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from desktop.domain.facts import (
    Fact,
    Learned,
    Origin,
    ProposedFact,
    Refusal,
    Support,
    Term,
)
from desktop.domain.ids import SessionId, new_fact_id
from desktop.domain.messages import Message
from desktop.domain.times import Clock
from desktop.language.folding import folded_key
from desktop.language.phrases import PhraseLists, is_courtesy
from desktop.language.terms import content_words
from desktop.memory.merging import Add, Replace, Strengthen, merge
from desktop.memory.supporting import find_support
from desktop.storage.facts import FactFilter, FactStore, NewFact
from desktop.storage.learning import LearningStore

_LEAST_IMPORTANCE = 2
_MOST_COMPARED = 30
_MOST_WORDS = 12


@dataclass(slots=True)
class _Tally:
    added: list[Fact] = field(default_factory=list)
    replaced: list[tuple[Fact, Fact]] = field(default_factory=list)
    strengthened: list[Fact] = field(default_factory=list)
    refused: Counter[Refusal] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Learner:
    """Checks, merges and stores. Every method may raise StorageError."""

    store: FactStore
    record: LearningStore
    phrases: Callable[[], PhraseLists]
    now: Clock

    def learn(
        self, session_id: SessionId, messages: Sequence[Message], proposed: Sequence[ProposedFact]
    ) -> Learned:
        """Keep what the user's own words among these messages support."""
        tally = _Tally()
        for one in proposed:
            support = self._support(one, messages)
            if isinstance(support, Refusal):
                tally.refused[support] += 1
            else:
                self._keep(one, Origin.SESSION, [support], tally)
        refused = tuple(sorted(tally.refused.items()))
        self.record.keep_refused(session_id, refused)
        return Learned(session_id, tally.added, tally.replaced, tally.strengthened, refused)

    def remember(
        self, proposed: ProposedFact, origin: Origin, supports: Sequence[Support]
    ) -> Learned:
        """Keep what the user asked for: nobody has to be persuaded of that."""
        tally = _Tally()
        self._keep(proposed, origin, supports, tally)
        return Learned(SessionId(""), tally.added, tally.replaced, tally.strengthened)

    def known(
        self, text: str, *, limit: int = _MOST_COMPARED, wanted: FactFilter | None = None
    ) -> list[Fact]:
        """Facts that hold and may bear on a text, those that share the most first."""
        stop_words = self.phrases().stop_words
        asked = [word.text for word in content_words(text, stop_words)][:_MOST_WORDS]
        if not asked:
            return []
        # By their beginnings: every form of a word begins with the same letters.
        expression = " OR ".join(f'"{word[:5]}"*' for word in dict.fromkeys(asked))
        return [fact for fact, _ in self.store.matching(expression, wanted, limit=limit)]

    def _support(self, proposed: ProposedFact, messages: Sequence[Message]) -> Support | Refusal:
        phrases = self.phrases()
        if proposed.importance < _LEAST_IMPORTANCE:
            return Refusal.UNIMPORTANT
        if proposed.content.endswith("?") or is_courtesy(proposed.content, phrases):
            return Refusal.EMPTY
        support = find_support(proposed, messages, phrases)
        if support is None:
            return Refusal.UNSUPPORTED
        return Refusal.FORGOTTEN if self.store.is_forgotten(support) else support

    def _keep(
        self,
        proposed: ProposedFact,
        origin: Origin,
        supports: Sequence[Support],
        tally: _Tally,
    ) -> None:
        new = NewFact(self._fact(proposed, origin), supports)
        match merge(proposed, self._compared(proposed), self.phrases().stop_words):
            case Add():
                (kept,) = self.store.add([new])
                (tally.added if kept.id == new.fact.id else tally.strengthened).append(kept)
            case Strengthen(known):
                self.store.strengthen(known, supports, importance=proposed.importance)
                tally.strengthened.append(self.store.fact(known))
            case Replace(known):
                older = self.store.fact(known)
                self.store.replace(known, new)
                tally.replaced.append((older, self.store.fact(new.fact.id)))

    def _compared(self, proposed: ProposedFact) -> list[Fact]:
        found = self.known(proposed.content)
        named = self.store.some([proposed.replaces] if proposed.replaces else [])
        about = self.store.about(proposed.about) if proposed.about else []
        ids = {fact.id: fact for fact in (*named, *about, *found) if fact.is_valid}
        return list(ids.values())

    def _fact(self, proposed: ProposedFact, origin: Origin) -> Fact:
        return Fact(
            new_fact_id(),
            proposed.topic,
            proposed.content,
            proposed.importance,
            origin,
            Term.SHORT,
            valid_from=self.now(),
            about=folded_key(proposed.about),
        )
