"""Checks, merges and stores the facts that a model, or the user, proposes."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from desktop.domain.facts import (
    Fact,
    FactFilter,
    Learned,
    NewFact,
    Origin,
    ProposedFact,
    Refusal,
    Support,
    Term,
)
from desktop.domain.ids import FactId, SessionId, moment_of, new_fact_id
from desktop.domain.messages import Message
from desktop.domain.projects import Wall
from desktop.domain.times import Clock
from desktop.language.intents import PhraseLists, is_courtesy
from desktop.language.normalization import folded_key
from desktop.language.phrase_matcher import find_phrase, tokenize
from desktop.language.secrets import has_secret, secrets_in
from desktop.language.sentences import sentences
from desktop.memory.fact_merge import Add, Merge, Replace, Strengthen, merge
from desktop.storage.repositories.descriptions import LearningStore
from desktop.storage.repositories.facts import FactStore

_LEAST_IMPORTANCE = 2


@dataclass(slots=True)
class _Outcome:
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
    wall: Wall  # The project that it learns for: its facts belong there

    def learn(
        self, session_id: SessionId, messages: Sequence[Message], proposed: Sequence[ProposedFact]
    ) -> Learned:
        """Store what the user's own words among these messages support."""
        outcome = _Outcome()
        said_at = {message.id: message.created_at for message in messages}
        secrets = frozenset[str]().union(*(secrets_in(one.content) for one in messages))
        for one in proposed:
            told = f"{one.topic}\n{one.content}\n{one.about}"
            # It may also leave out the word that marked a secret.
            tells = has_secret(told) or any(secret in told for secret in secrets)
            support = Refusal.SECRET if tells else self._support(one, messages)
            if isinstance(support, Refusal):
                outcome.refused[support] += 1
                continue
            one = _dated(one, said_at[support.message_id])  # noqa: PLW2901 (as it is kept)
            found = self._merge(one)
            if self._is_outdated(one, found, said_at[support.message_id]):
                outcome.refused[Refusal.OUTDATED] += 1
            else:
                self._keep(
                    one, found, NewFact(self._fact(one, Origin.SESSION), [support]), outcome
                )
        refused = tuple(sorted(outcome.refused.items()))
        self.record.keep_refused(session_id, refused)
        return Learned(session_id, outcome.added, outcome.replaced, outcome.strengthened, refused)

    def remember(
        self, proposed: ProposedFact, origin: Origin, supports: Sequence[Support]
    ) -> Learned:
        """Store what the user asked for, without checking it against messages."""
        outcome = _Outcome()
        if origin is not Origin.DIRECTIVE:
            said_at = moment_of(supports[0].message_id) if supports else self.now()
            proposed = _dated(proposed, said_at)
        new = NewFact(self._fact(proposed, origin), supports)
        self._keep(proposed, self._merge(proposed), new, outcome)
        return Learned(SessionId(""), outcome.added, outcome.replaced, outcome.strengthened)

    def _support(self, proposed: ProposedFact, messages: Sequence[Message]) -> Support | Refusal:
        phrases = self.phrases()
        if proposed.importance < _LEAST_IMPORTANCE:
            return Refusal.UNIMPORTANT
        if proposed.content.endswith("?") or is_courtesy(proposed.content, phrases):
            return Refusal.EMPTY
        # Not imported if the user writes a fact.
        from desktop.language.clauses import find_standing_wish  # noqa: PLC0415
        from desktop.memory.quote_verification import find_support, says_forgotten  # noqa: PLC0415

        support = find_support(proposed, messages, phrases)
        if support is None:
            return Refusal.UNSUPPORTED
        if self.store.is_forgotten(support):
            return Refusal.FORGOTTEN
        own = next(one.content for one in messages if one.id == support.message_id)
        end = support.start + support.length
        around = (
            one.text for one in sentences(own) if one.start < end and support.start < one.end
        )
        if find_standing_wish(" ".join(around), phrases):
            return Refusal.EMPTY  # it is a preference
        said = {message.id: message.content for message in messages}
        forgotten = [
            said[one.message_id][one.start : one.start + one.length]
            for one in self.store.forgotten(said)
        ]
        is_forgotten = says_forgotten(proposed, forgotten, phrases.stop_words)
        return Refusal.FORGOTTEN if is_forgotten else support

    def _is_outdated(self, proposed: ProposedFact, found: Merge, said_at: datetime) -> bool:
        """Whether the user contradicted it after the message that supports it.

        Sessions are not read in order, and one that continues is read once more.
        """
        later: list[FactId] = []
        if isinstance(found, Replace):
            later = [found.fact, *found.also]
        elif isinstance(found, Add):
            wanted = FactFilter(self.wall, is_valid=False)
            ended = self._related(proposed.content, wanted)
            again = merge(proposed, ended)
            same = [one for one in ended if again == Strengthen(one.id)]
            later = [one.replaced_by for one in same if one.replaced_by]
        return any(said_at < self._said_at(fact) for fact in self.store.some(later))

    def _said_at(self, fact: Fact) -> datetime:
        if fact.origin is not Origin.SESSION:
            return fact.valid_from
        return max((one.said_at for one in self.store.sources(fact.id)), default=fact.valid_from)

    def _keep(self, proposed: ProposedFact, found: Merge, new: NewFact, outcome: _Outcome) -> None:
        match found:
            case Add():
                (kept,) = self.store.add([new])
                (outcome.added if kept.id == new.fact.id else outcome.strengthened).append(kept)
            case Strengthen(known):
                self.store.strengthen(known, new.supports, importance=proposed.importance)
                outcome.strengthened.append(self.store.fact(known))
            case Replace(known, also):
                older = self.store.fact(known)
                self.store.replace(known, new, also)
                outcome.replaced.append((older, self.store.fact(new.fact.id)))

    def _related(self, text: str, wanted: FactFilter) -> list[Fact]:
        return self.store.related(text, self.phrases().stop_words, wanted)

    def _merge(self, proposed: ProposedFact) -> Merge:
        found = self._related(proposed.content, FactFilter(self.wall))
        named = self.store.some([proposed.replaces] if proposed.replaces else [])
        about = self.store.about(proposed.about, self.wall) if proposed.about else []
        several = (fact for fact in (*named, *about, *found) if self.wall.has(fact.project))
        known = {fact.id: fact for fact in several if fact.is_valid}
        bare = merge(
            replace(proposed, content=self._without_wish(proposed.content)),
            [replace(one, content=self._without_wish(one.content)) for one in known.values()],
        )
        is_known = isinstance(bare, Strengthen)
        return self._at_home(bare if is_known else merge(proposed, [*known.values()]), known)

    def _without_wish(self, content: str) -> str:
        """Return a sentence without "don't forget this": to compare it, not to keep it."""
        phrases = self.phrases()
        if find_phrase(tokenize(content), phrases.remember) is None:
            return content
        from desktop.language.clauses import find_clause  # noqa: PLC0415 - seldom needed

        return find_clause(content, phrases).content or content

    def _at_home(self, found: Merge, known: Mapping[FactId, Fact]) -> Merge:
        """Keep common facts when a project's fact contradicts them: they still hold elsewhere."""
        if not isinstance(found, Replace):
            return found
        own = [one for one in (found.fact, *found.also) if known[one].project == self.wall.project]
        return Replace(own[0], tuple(own[1:])) if own else Add()

    def _fact(self, proposed: ProposedFact, origin: Origin) -> Fact:
        return Fact(
            id=new_fact_id(),
            topic=proposed.topic,
            content=proposed.content,
            importance=proposed.importance,
            origin=origin,
            term=Term.SHORT,
            valid_from=self.now(),
            about=folded_key(proposed.about),
            project=self.wall.project,
        )


def _dated(proposed: ProposedFact, said_at: datetime) -> ProposedFact:
    """Replace "tomorrow" and "next month" with dates, as the fact is read later."""
    from desktop.language.dates.written_dates import with_dates  # noqa: PLC0415

    return replace(proposed, content=with_dates(proposed.content, said_at))
