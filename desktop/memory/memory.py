"""The use cases of memory: remember, learn, edit, recall, forget facts across sessions."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest

from desktop.domain.errors import SecretNotKeptError
from desktop.domain.facts import (
    AGES_AFTER_HOURS,
    STAYS_FROM,
    Fact,
    FactFilter,
    FactSource,
    FactSupport,
    Learned,
    NewFact,
    Origin,
    ProposedFact,
    Retention,
    Term,
)
from desktop.domain.ids import FactId, MessageId, SessionId, new_fact_id
from desktop.domain.learned_preferences import Preference
from desktop.domain.messages import Message
from desktop.domain.projects import COMMON, EVERYTHING, Wall
from desktop.domain.routing import Intent
from desktop.domain.times import Clock, utc_now
from desktop.language.intents import PhraseLists, WishScope, detect_intent, wish_scope
from desktop.language.keywords_and_stems import content_words, count_shared, guess_language, keys
from desktop.language.normalization import word_texts
from desktop.language.relevant_sentences import keys_of
from desktop.language.secrets import has_secret
from desktop.memory.active_memory import (
    LEAST_IMPORTANCE,
    MOST_AGED_AT_ONCE,
    MemoryBlock,
    find_aged,
    is_old,
    memory_block,
    preference_name,
    sort_facts,
)
from desktop.memory.fact_learning import Learner
from desktop.memory.fact_merge import MOST_CONFLICTS, find_conflicts
from desktop.memory.user_messages import PreferenceLine, Preferences
from desktop.settings.messages import Texts
from desktop.storage.repositories.descriptions import LearningStore
from desktop.storage.repositories.facts import MOST_COMPARED, FactStore

_MOST_NEAR = 10
_MOST_BEARING = 5
_MOST_IMPORTANT, _NEAREST = 15, 3
_LONGEST_ASKED = 1_000  # Characters of a question whose meaning is looked at
_MOST_KNOWN = 40
_PER_SHARED_WORD = 0.02  # Words in common with a question, beside the similarity
_MOST_SHORT = 500
"""The most short-term facts ranked for a request; rarely reached, because facts age."""


@dataclass(frozen=True, slots=True)
class Memory:
    """Any thread may call. Every method may raise StorageError."""

    _store: FactStore
    _record: LearningStore
    phrases: Callable[[], PhraseLists]
    texts: Callable[[], Texts]
    preferences: Preferences
    now: Clock = utc_now
    retention: Callable[[], Sequence[Retention]] = tuple
    near: Callable[[str, FactFilter, int, float | None], Sequence[Fact]] = lambda *_: ()
    """Returns facts whose vectors are close to that of a text, the closest first.

    Its last value: how many seconds it may wait for the vector of the text.
    """
    near_messages: Callable[[str, Sequence[MessageId], Wall], Mapping[MessageId, float]] = (
        lambda *_: {}
    )
    """Returns how near messages are to a text whose vector is there, or is being made."""
    waits_s: float | None = None  # The same for a request, which should leave soon

    def prompt_block(
        self,
        wall: Wall,
        question: str = "",
        *,
        user_texts: Sequence[str] = (),
        is_lite: bool = False,
        with_long_term: bool = False,
    ) -> MemoryBlock:
        """Return the active memory for a request, with the line of preferences.

        `user_texts`: what the user said in the session. A wish in the line is not sent twice.
        Facts near the question in meaning come first, and of the important ones the nearest.
        `with_long_term` is for a model without tools: also those that share words with it.
        """
        fact_filter = FactFilter(wall, term=Term.SHORT, least_importance=LEAST_IMPORTANCE)
        important = FactFilter(wall, term=Term.SHORT, least_importance=STAYS_FROM)
        short = self._store.facts(fact_filter, limit=_MOST_SHORT)
        near: list[Fact] = []
        if question:
            any_term = replace(fact_filter, term=None)
            kinds = (any_term, _MOST_BEARING), (important, _MOST_IMPORTANT)
            near = [
                fact
                for among, most in kinds
                for fact in self.near(question[:_LONGEST_ASKED], among, most, self.waits_s)
            ]
        relevant_facts: Sequence[Fact] = ()
        if with_long_term:
            by_words = self._related(question, FactFilter(wall), _MOST_BEARING)
            relevant_facts = (*self.relevant_facts(question, wall), *by_words)
        preferences = self.preferences.known(wall)
        if not (short or relevant_facts or near or preferences):
            return MemoryBlock()
        ranked = sort_facts(short, self.now())
        first = [fact for fact in ranked if fact.is_pinned or fact.origin is Origin.DIRECTIVE]
        near = [*near[:_NEAREST], *first, *near] if len(first) > _MOST_BEARING else [*first, *near]
        several = (*relevant_facts, *near, *ranked)
        candidates = {fact.id: fact for fact in several}.values()
        preferences = self._by_bearing(question, preferences, wall)
        line = self.preferences.line(preferences, user_texts) if preferences else PreferenceLine()
        unsaid = [fact for fact in candidates if not line.leaves_out(fact)]
        block = memory_block(unsaid, self.texts(), wishes=line.unsaid, is_lite=is_lite)
        return replace(block, preference_line=line.text, preferences=line.preferences)

    def _by_bearing(
        self, question: str, preferences: Sequence[Preference], wall: Wall
    ) -> list[Preference]:
        """Put first what has a name, then in turn wishes without a condition and with one.

        Those that are about the question come first. A wish means what its message does.
        """
        named = [preference for preference in preferences if not preference.is_subject]
        free = [preference for preference in preferences if preference.is_subject]
        shared = self._shared_words(question, [preference.words for preference in free])
        wishes = [message for preference in free for message in preference.wishes]
        near = self.near_messages(question[:_LONGEST_ASKED], wishes if question else [], wall)

        def bearing(preference: Preference) -> float:
            nearness = max((near.get(message, 0.0) for message in preference.wishes), default=0.0)
            return nearness + _PER_SHARED_WORD * min(1.0, shared[preference.words])

        free.sort(key=bearing, reverse=True)
        scopes = {
            preference.id: wish_scope(preference.words) is WishScope.WHEN for preference in free
        }
        lists = (
            [preference for preference in free if scopes[preference.id] is is_when]
            for is_when in (False, True)
        )
        in_turn = chain.from_iterable(zip_longest(*lists))
        return named + [preference for preference in in_turn if preference]

    def _shared_words(self, question: str, wishes: Sequence[str]) -> Mapping[str, float]:
        """Return how much each wish has in common with a question; what many say counts less."""
        several = content_words(question, self.phrases().stop_words)
        question_keys = frozenset[str]().union(*(keys(word.text) for word in several))
        shared = {wish: question_keys & keys_of(wish) for wish in wishes}
        counts = Counter(key for several in shared.values() for key in several)
        return {wish: sum(1 / counts[key] for key in several) for wish, several in shared.items()}

    def relevant_facts(self, question: str, wall: Wall) -> list[Fact]:
        """Return facts that may answer a question about the user; none for other questions."""
        if detect_intent(question, self.phrases()).intent is not Intent.RECALL:
            return []
        by_words = self._related(question, FactFilter(wall), _MOST_BEARING)
        by_meaning = self.near(question, FactFilter(wall), _MOST_BEARING, None)
        several = {fact.id: fact for fact in (*by_words, *by_meaning)}
        return list(several.values())[:_MOST_BEARING]

    def outdated_sources(self, fact_id: FactId) -> list[FactSource]:
        """Return the places that state only facts which this fact has replaced."""
        held = {support.message_id for support in self._store.supports(fact_id)}
        older = self._store.history(fact_id)
        sources = (source for fact in older for source in self._store.sources(fact.id))
        return [source for source in sources if source.message_id not in held]

    def learn(
        self,
        wall: Wall,
        session_id: SessionId,
        messages: Sequence[Message],
        proposed: Sequence[ProposedFact],
    ) -> Learned:
        """Store the facts that the user's own words support; see `fact_learning`."""
        return self._learner(wall).learn(session_id, messages, proposed)

    def facts_to_compare(self, text: str, wall: Wall) -> list[Fact]:
        """Return facts for a model that extracts new ones, so that it can name contradictions.

        Facts that share words with the text come first, then the best of the others: a new fact
        often shares no word with the fact that it contradicts.
        """
        related = self._related(text, FactFilter(wall))
        ranked = sort_facts(self._store.facts(FactFilter(wall), limit=_MOST_SHORT), self.now())
        several = {fact.id: fact for fact in (*related, *ranked)}
        return list(several.values())[:_MOST_KNOWN]

    def remember(
        self,
        content: str,
        wall: Wall = COMMON,
        *,
        topic: str = "",
        importance: int = 9,
        origin: Origin = Origin.USER,
        supports: Sequence[FactSupport] = (),
    ) -> Learned:
        """Store a fact that the user states, merged with known ones. Raises SecretNotKeptError."""
        _refuse_secrets(topic, content)
        usual = self.texts().say("memory.usual_topic")
        topic = topic or (
            usual if origin is Origin.DIRECTIVE else self._topic_of(content) or usual
        )
        proposed = ProposedFact(topic, content, importance, quote="")
        return self._learner(wall).remember(proposed, origin, supports)

    def _topic_of(self, content: str) -> str:
        """Return a known topic that the fact names, or its own best phrase, if it has one."""
        from desktop.language.describing.topics import find_topics  # noqa: PLC0415 - seldom

        for topic, _ in self._store.topics():
            named = word_texts(topic)
            if named and count_shared(named, content) == len(named):
                return topic
        language = guess_language(content, self.texts().language)
        phrases = find_topics([("user", content)], language, self.phrases().stop_words)
        return phrases[0].text if phrases else ""

    def remember_message(self, message_id: MessageId, text: str) -> Learned:
        """Store a message of the user, or the words that they selected in it."""
        from desktop.memory.worth_storing import excerpt_message  # noqa: PLC0415 - seldom

        excerpt = excerpt_message(text)
        support = FactSupport(message_id, excerpt.start, excerpt.length)
        return self.remember(excerpt.text, self._store.wall_of(message_id), supports=[support])

    def edit(
        self,
        fact_id: FactId,
        *,
        content: str | None = None,
        topic: str | None = None,
        importance: int | None = None,
    ) -> Fact:
        """Replace a fact with another wording that has the same sources.

        Raises FactUnknownError and SecretNotKeptError.
        """
        newer = self._reworded(fact_id, content, topic, importance)
        return self._replace(fact_id, newer, self._store.supports(fact_id))

    def recall(self, words: str, fact_filter: FactFilter, *, limit: int = 10) -> list[Fact]:
        """Return current facts relevant to the words, the best first; without words all facts."""
        facts = self.find_facts(words, fact_filter, limit=limit)
        if words.strip():
            self._store.use(fact.id for fact in facts)
        return facts

    def find_facts(
        self, words: str, fact_filter: FactFilter, *, limit: int | None = 10
    ) -> list[Fact]:
        """Return the same as `recall`, without recording their use: nothing is written."""
        if not words.strip():
            return sort_facts(self._store.facts(fact_filter), self.now())[:limit]
        most = limit or _MOST_SHORT
        by_words = self._related(words, fact_filter, most)
        by_meaning = self.near(words, fact_filter, min(most, _MOST_NEAR), None)
        fact_by_id = {
            fact.id: fact for pair in zip_longest(by_words, by_meaning) for fact in pair if fact
        }
        return list(fact_by_id.values())[:most]

    def wishes(self, wall: Wall) -> list[str]:
        """Return how the user wants to be answered, in words."""
        facts = self._store.facts(FactFilter(wall))
        known = [fact for fact in self.preferences.known(wall) if fact.is_in_effect]
        directives = [fact.content for fact in facts if fact.origin is Origin.DIRECTIVE]
        return directives + [fact.words or preference_name(fact, self.texts()) for fact in known]

    def supersede(
        self, fact_id: FactId, content: str, *, topic: str = "", importance: int | None = None
    ) -> Fact:
        """Replace a fact with a new statement of the user.

        Unlike an edit it keeps none of the old sources. Raises FactUnknownError and
        SecretNotKeptError.
        """
        newer = replace(
            self._reworded(fact_id, content, topic, importance),
            term=Term.SHORT,
            session_id=None,
            weight=1,
            used_at=None,
        )
        return self._replace(fact_id, newer)

    def _reworded(
        self, fact_id: FactId, content: str | None, topic: str | None, importance: int | None
    ) -> Fact:
        _refuse_secrets(topic or "", content or "")
        old = self._store.fact(fact_id)
        return replace(
            old,
            id=new_fact_id(),
            content=content or old.content,
            topic=topic or old.topic,
            importance=importance or old.importance,
            origin=old.origin if old.origin is Origin.DIRECTIVE else Origin.USER,
            valid_from=self.now(),
        )

    def _replace(self, fact_id: FactId, newer: Fact, supports: Sequence[FactSupport] = ()) -> Fact:
        self._store.replace(fact_id, NewFact(newer, supports))
        return self._store.fact(newer.id)

    def possible_conflicts(self, fact_id: FactId) -> list[Fact]:
        """Return current facts that may contradict one, without those that the user settled.

        May embed a sentence: call it on a worker. Raises FactUnknownError.
        """
        fact = self._store.fact(fact_id)
        is_sorted = self._is_sorted(fact)
        among = FactFilter(Wall(fact.project), topic=fact.topic if is_sorted else None)
        near = self.near(fact.content, among, MOST_CONFLICTS + 1, None)
        settled = self._store.kept_beside(fact_id)
        others = [
            other
            for other in self._store.facts(among)
            if other.id not in settled and self._is_sorted(other) is is_sorted
        ]
        return find_conflicts(fact, others, near)

    def _is_sorted(self, fact: Fact) -> bool:
        """Whether its topic was given to it: one of its own words sorts nothing."""
        named = word_texts(fact.topic)
        is_usual = fact.topic == self.texts().say("memory.usual_topic")
        return not is_usual and count_shared(named, fact.content) < len(named)

    def keep_both(self, fact_id: FactId, other: FactId) -> None:
        """Record that two facts do not conflict, so that the pair is not shown again."""
        self._store.settle_conflict(fact_id, other)

    def keep_newer(self, fact_id: FactId, other: FactId) -> Fact:
        """Replace the older of two facts with the newer one; return the newer."""
        pair = [self._store.fact(each_id) for each_id in (fact_id, other)]
        older, newer = sorted(pair, key=lambda fact: fact.valid_from)
        self._store.end(older.id, replaced_by=newer)
        return newer

    def undo_learning(self, fact_id: FactId) -> None:
        """Undo learning a fact; the fact that it replaced becomes current again."""
        if self._store.history(fact_id):
            self._store.undo_replace(fact_id)
        else:
            self._store.delete([fact_id])

    def move_aged_facts(
        self, wall: Wall, hours: int = AGES_AFTER_HOURS, limit: int = MOST_AGED_AT_ONCE
    ) -> list[Fact]:
        """Move facts that are old enough to the long term; return them.

        Important ones return if they once aged like any other, or their topic lost its time.
        """
        long = self._store.facts(FactFilter(wall, term=Term.LONG, least_importance=STAYS_FROM))
        back = [fact.id for fact in long if not is_old(fact, self.now(), self.retention(), hours)]
        self._store.move(back, Term.SHORT)
        short = self._store.facts(FactFilter(wall, term=Term.SHORT))
        aged = find_aged(short, self.now(), self.retention(), usual_hours=hours, limit=limit)
        self._store.move([fact.id for fact in aged], Term.LONG)
        return [replace(fact, term=Term.LONG) for fact in aged]

    def record_use(self, facts: Sequence[Fact], text: str) -> None:
        """Record which facts have words in common with a question and its answer."""
        bearing = {fact.id for fact in self._related(text, FactFilter(EVERYTHING))}
        self._store.use(fact.id for fact in facts if fact.id in bearing)

    def _related(
        self, text: str, fact_filter: FactFilter, limit: int = MOST_COMPARED
    ) -> list[Fact]:
        return self._store.related(text, self.phrases().stop_words, fact_filter, limit=limit)

    def _learner(self, wall: Wall) -> Learner:
        return Learner(self._store, self._record, self.phrases, self.now, wall)


def _refuse_secrets(*texts: str) -> None:
    """Raise if a text holds a secret: memory is stored as plain text and sent with requests."""
    if any(map(has_secret, texts)):
        raise SecretNotKeptError
