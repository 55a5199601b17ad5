"""Parses, checks, merges and stores the facts that a model, or the user, proposes."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial

from desktop.domain.errors import FactUnknownError, ReplyInvalidError
from desktop.domain.facts import (
    LEAST_IMPORTANCE,
    LONGEST_FACT,
    LONGEST_FACT_TOPIC,
    MOST_IMPORTANCE,
    Fact,
    FactFilter,
    FactSupport,
    Learned,
    NewFact,
    Origin,
    ProposedFact,
    Refusal,
    Term,
)
from desktop.domain.ids import FactId, SessionId, moment_of, new_fact_id
from desktop.domain.json_values import (
    NUMBER_SCHEMA,
    TEXT_SCHEMA,
    JsonValue,
    list_schema,
    object_schema,
)
from desktop.domain.messages import Message
from desktop.domain.projects import Wall
from desktop.domain.times import Clock
from desktop.language.intents import PhraseLists, is_courtesy
from desktop.language.keywords_and_stems import sure_language
from desktop.language.normalization import folded_key
from desktop.language.phrase_matcher import find_phrase, tokenize
from desktop.language.secrets import has_secret, secrets_in
from desktop.language.sentences import sentences
from desktop.memory.fact_merge import Add, Merge, Replace, Strengthen, merge
from desktop.storage.repositories.descriptions import LearningStore
from desktop.storage.repositories.facts import FactStore

_FACTS_SCHEMA = list_schema(
    object_schema(
        topic=TEXT_SCHEMA,
        fact=TEXT_SCHEMA,
        importance=NUMBER_SCHEMA,
        quote=TEXT_SCHEMA,
        about=TEXT_SCHEMA,
        replaces=NUMBER_SCHEMA,
    )
)
"""`replaces` is the number of a known fact as `known_lines` counts them, 0 for none."""

MOST_FACTS = 30


def known_lines(facts: Sequence[Fact]) -> str:
    """Return current facts, numbered from 1, so that the model can name an outdated one."""
    return "\n".join(f"{number}. {fact.content}" for number, fact in enumerate(facts, start=1))


def reply_schema(properties: Mapping[str, JsonValue], *, learns: bool) -> Mapping[str, JsonValue]:
    """Return the schema of an object with these properties, and with facts if `learns`."""
    return object_schema(**properties, **({"facts": _FACTS_SCHEMA} if learns else {}))


def proposed_facts(reply: JsonValue, facts: Sequence[Fact]) -> list[ProposedFact]:
    """Return the facts of a reply. Raises ReplyInvalidError, which never quotes the reply."""
    value = reply.get("facts") if isinstance(reply, Mapping) else None
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise ReplyInvalidError(detail="facts is not a list")
    return [_proposed(entry, facts) for entry in value[:MOST_FACTS]]


def wrong_language(facts: Sequence[ProposedFact]) -> str:
    """Return a correction for the model if facts are not in the user's language, else ""."""
    if not any(is_in_other_language(fact.content, fact.quote) for fact in facts):
        return ""
    return "facts are not in the language of the words they rest on"


def is_in_other_language(content: str, quote: str) -> bool:
    """Whether a fact and the words that support it are certainly in different languages."""
    languages = {sure_language(content), sure_language(quote)}
    return None not in languages and len(languages) > 1


def _proposed(value: JsonValue, facts: Sequence[Fact]) -> ProposedFact:
    if not isinstance(value, Mapping):
        raise ReplyInvalidError(detail="a fact is not an object")
    content, quote = _text(value, "fact"), _text(value, "quote")
    if len(content) > LONGEST_FACT:
        raise ReplyInvalidError(detail=f"a fact is longer than {LONGEST_FACT} characters")
    replaces = value.get("replaces", 0)
    place = replaces if isinstance(replaces, int) else 0
    about = value.get("about", "")
    return ProposedFact(
        topic=_text(value, "topic")[:LONGEST_FACT_TOPIC],
        content=content,
        importance=_importance(value.get("importance")),
        quote=quote,
        about=" ".join(about.split())[:LONGEST_FACT_TOPIC] if isinstance(about, str) else "",
        replaces=facts[place - 1].id if 1 <= place <= len(facts) else None,
    )


def _text(value: Mapping[str, JsonValue], name: str) -> str:
    text = value.get(name)
    if not isinstance(text, str) or not text.strip():
        raise ReplyInvalidError(detail=f"a fact has no {name}")
    return " ".join(text.split())


def _importance(value: JsonValue) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ReplyInvalidError(detail="the importance of a fact is not a whole number")
    if not LEAST_IMPORTANCE <= value <= MOST_IMPORTANCE:
        raise ReplyInvalidError(detail="the importance of a fact is not between 1 and 10")
    return value


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
        secrets = frozenset[str]().union(*(secrets_in(message.content) for message in messages))
        for proposed_fact in proposed:
            statement = f"{proposed_fact.topic}\n{proposed_fact.content}\n{proposed_fact.about}"
            # It may also leave out the word that marked a secret.
            if has_secret(statement) or any(secret in statement for secret in secrets):
                outcome.refused[Refusal.SECRET] += 1
            else:
                _decide(partial(self._check, proposed_fact, messages, outcome))
        refused = tuple(sorted(outcome.refused.items()))
        self.record.keep_refused(session_id, refused)
        return Learned(session_id, outcome.added, outcome.replaced, outcome.strengthened, refused)

    def remember(
        self, proposed: ProposedFact, origin: Origin, supports: Sequence[FactSupport]
    ) -> Learned:
        """Store what the user asked for, without checking it against messages."""
        outcome = _Outcome()
        if origin is not Origin.DIRECTIVE:
            said_at = moment_of(supports[0].message_id) if supports else self.now()
            proposed = _dated(proposed, said_at)
        new = NewFact(self._fact(proposed, origin), supports)
        _decide(lambda: self._keep(proposed, self._merge(proposed), new, outcome))
        return Learned(SessionId(""), outcome.added, outcome.replaced, outcome.strengthened)

    def _check(
        self, proposed: ProposedFact, messages: Sequence[Message], outcome: _Outcome
    ) -> None:
        """Store a fact, or count why it is refused."""
        support = self._support(proposed, messages)
        if isinstance(support, Refusal):
            outcome.refused[support] += 1
            return
        said_at = next(each.created_at for each in messages if each.id == support.message_id)
        proposed = _dated(proposed, said_at)
        decision = self._merge(proposed)
        if self._is_outdated(proposed, decision, said_at):
            outcome.refused[Refusal.OUTDATED] += 1
        else:
            new = NewFact(self._fact(proposed, Origin.SESSION), [support])
            self._keep(proposed, decision, new, outcome)

    def _support(
        self, proposed: ProposedFact, messages: Sequence[Message]
    ) -> FactSupport | Refusal:
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
        own = next(span.content for span in messages if span.id == support.message_id)
        end = support.start + support.length
        neighbours = (
            span.text for span in sentences(own) if span.start < end and support.start < span.end
        )
        if find_standing_wish(" ".join(neighbours), phrases):
            return Refusal.EMPTY  # it is a preference
        contents = {message.id: message.content for message in messages}
        forgotten = [
            contents[span.message_id][span.start : span.start + span.length]
            for span in self.store.forgotten(contents)
        ]
        is_forgotten = says_forgotten(proposed, forgotten, phrases.stop_words)
        return Refusal.FORGOTTEN if is_forgotten else support

    def _is_outdated(self, proposed: ProposedFact, decision: Merge, said_at: datetime) -> bool:
        """Whether the user contradicted it after the message that supports it.

        Sessions are not read in order, and one that continues is read once more.
        """
        later: list[FactId] = []
        if isinstance(decision, Replace):
            later = [decision.fact, *decision.also]
        elif isinstance(decision, Add):
            fact_filter = FactFilter(self.wall, is_valid=False)
            ended = self._related(proposed.content, fact_filter)
            again = merge(proposed, ended)
            same = [fact for fact in ended if again == Strengthen(fact.id)]
            # What it was to replace has ended if the user has changed it meanwhile.
            same += self.store.some([proposed.replaces] if proposed.replaces else [])
            later = [fact.replaced_by for fact in same if fact.replaced_by]
        return any(said_at < self._said_at(fact) for fact in self.store.some(later))

    def _said_at(self, fact: Fact) -> datetime:
        if fact.origin is not Origin.SESSION:
            return fact.valid_from
        return max(
            (source.said_at for source in self.store.sources(fact.id)), default=fact.valid_from
        )

    def _keep(
        self, proposed: ProposedFact, decision: Merge, new: NewFact, outcome: _Outcome
    ) -> None:
        match decision:
            case Add():
                (fact,) = self.store.add([new])
                (outcome.added if fact.id == new.fact.id else outcome.strengthened).append(fact)
            case Strengthen(fact_id):
                self.store.strengthen(fact_id, new.supports, importance=proposed.importance)
                outcome.strengthened.append(self.store.fact(fact_id))
            case Replace(fact_id, also):
                older = self.store.fact(fact_id)
                self.store.replace(fact_id, new, also)
                outcome.replaced.append((older, self.store.fact(new.fact.id)))

    def _related(self, text: str, fact_filter: FactFilter) -> list[Fact]:
        return self.store.related(text, self.phrases().stop_words, fact_filter)

    def _merge(self, proposed: ProposedFact) -> Merge:
        facts = self._related(proposed.content, FactFilter(self.wall))
        named = self.store.some([proposed.replaces] if proposed.replaces else [])
        about = self.store.about(proposed.about, self.wall) if proposed.about else []
        several = (fact for fact in (*named, *about, *facts) if self.wall.has(fact.project))
        fact_by_id = {fact.id: fact for fact in several if fact.is_valid}
        bare = merge(
            replace(proposed, content=self._without_wish(proposed.content)),
            [
                replace(fact, content=self._without_wish(fact.content))
                for fact in fact_by_id.values()
            ],
        )
        is_known = isinstance(bare, Strengthen)
        return self._at_home(
            bare if is_known else merge(proposed, [*fact_by_id.values()]), fact_by_id
        )

    def _without_wish(self, content: str) -> str:
        """Return a sentence without "don't forget this": to compare it, not to keep it."""
        phrases = self.phrases()
        if find_phrase(tokenize(content), phrases.remember) is None:
            return content
        from desktop.language.clauses import find_clause  # noqa: PLC0415 - seldom needed

        return find_clause(content, phrases).content or content

    def _at_home(self, decision: Merge, fact_by_id: Mapping[FactId, Fact]) -> Merge:
        """Keep common facts when a project's fact contradicts them: they still hold elsewhere."""
        if not isinstance(decision, Replace):
            return decision
        own = [
            fact_id
            for fact_id in (decision.fact, *decision.also)
            if fact_by_id[fact_id].project == self.wall.project
        ]
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


def _decide(act: Callable[[], None]) -> None:
    """Compare and store, once more if the user has changed the compared fact meanwhile."""
    try:
        act()
    except FactUnknownError:
        act()


def _dated(proposed: ProposedFact, said_at: datetime) -> ProposedFact:
    """Replace "tomorrow" and "next month" with dates, as the fact is read later."""
    from desktop.language.dates.written_dates import with_dates  # noqa: PLC0415

    return replace(proposed, content=with_dates(proposed.content, said_at))
