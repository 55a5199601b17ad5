"""Retrieves passages of past sessions for a question about them.

The words of the question are searched within its period; if that finds nothing, the period is
dropped, and the answer says so. A question without words asks for the sessions of a period, or
for the last ones.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby, islice

from desktop.domain.facts import Fact
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import NO_MODEL, Message, Role
from desktop.domain.projects import Wall
from desktop.domain.routing import Intent, Recall
from desktop.domain.search import Hit, HitKind, Query, Scope, SearchMode
from desktop.domain.sessions import Session
from desktop.domain.times import Period
from desktop.language.intents import PhraseLists, detect_intent, find_announcement, find_farewell
from desktop.language.keywords_and_stems import content_words, count_shared
from desktop.language.normalization import word_texts
from desktop.language.relevant_sentences import is_of_decision, tells_decision
from desktop.recall.bm25 import rank_by_words
from desktop.recall.search import Search
from desktop.research.extractive_answers import Closeness, ClosenessJudge
from desktop.research.passages import (
    DiaryNote,
    Passage,
    Recollection,
    excerpt,
    fitting,
    is_answer,
    number_passages,
    passage_of_message,
    passage_of_summary,
)
from desktop.storage.archive import Archive

_HITS = 40
_MOST_NEAREST = 4
_MOST_EXCHANGES = 8
_SESSIONS = 5
_PASSAGES_A_SESSION = 6
_MOST_CHARACTERS = 10_000
_HIT_LENGTH, _NEIGHBOUR_LENGTH, _SUMMARY_LENGTH = 1_000, 500, 700
_LISTED_SESSIONS, _NEAREST_SESSIONS, _LEFT_OFF_SESSIONS = 8, 3, 2
_LAST_MESSAGES = 4
_SPARE = 3  # How many times more is read than shown, since some results only repeat others
_DECIDING_MESSAGES = 40
_DECISIONS = 2
_LOOKED_UP_AT_MOST = 8
_MOST_FACTS, _NEAREST_FACTS = 5, 2
_ANYTIME = Period()
_SAID_HERE = 4
MOST_READ = 2_000  # Of the newest messages of a session that no index has yet
_DAYS = 7
_TALK = ("konus", "gorus", "sohbet", "yazis", "oturum", "talk", "discuss", "conversation", "chat")
"""Who asks for nothing but what was talked about asks for the last sessions."""


def without_talk(asked: Recall) -> Recall:
    own = word_texts(asked.words)
    is_talk = own and all(word.startswith(_TALK) for word in own)
    return replace(asked, words="") if is_talk else asked


@dataclass(frozen=True, slots=True)
class SessionRetriever:
    """Every method may raise StorageError."""

    search: Search
    archive: Archive
    phrases: Callable[[], PhraseLists]

    def recollect(self, asked: Recall, wall: Wall, *, with_facts: bool = True) -> Recollection:
        asked = without_talk(asked)
        notes = self._notes(asked, wall)
        found, is_about = self._passages(asked, wall), bool(asked.words) and not asked.is_left_off
        if notes and found.is_nearest:
            found = Recollection()
        facts: tuple[Fact, ...] = ()
        if with_facts and is_about:
            facts = self._find_facts(Query(asked.words, limit=_MOST_FACTS, scope=Scope(wall)))
        if not found.passages and not facts and not notes and is_about:
            near = self._by_words(replace(asked, period=None), wall, SearchMode.SEMANTIC)
            found = Recollection(near.passages[:_MOST_NEAREST], is_nearest=bool(near.passages))
        return replace(found, facts=facts, notes=notes)

    def _notes(self, asked: Recall, wall: Wall) -> list[DiaryNote]:
        """Return what the user wrote in the diary about these words, or in this period."""
        period, words = asked.period or _ANYTIME, word_texts(asked.words)
        if asked.is_left_off or not (words or asked.period):
            return []
        query = Query(
            asked.words,
            frozenset({HitKind.DIARY}),
            since=period.since,
            until=period.until,
            mode=SearchMode.KEYWORD,
            limit=_DAYS,
            scope=Scope(wall),
        )
        days = (hit.day for hit in self.search.find(query) if hit.day)
        entries = filter(None, (self.archive.diary.entry(day, wall) for day in days))
        return [
            DiaryNote(entry.day, excerpt(entry.note, asked.words, _SUMMARY_LENGTH))
            for entry in sorted(entries, key=lambda entry: entry.day)
            if entry.note and 2 * count_shared(words, entry.note) >= len(words)
        ]

    def in_session(
        self, about: str, messages: Sequence[Message], title: str, period: Period | None = None
    ) -> list[Passage]:
        """Return the exchanges among these messages that answer, in their order.

        The active session is in no index.
        """
        stop_words = self.phrases().stop_words
        judge = ClosenessJudge(about, stop_words, self.search.weights, by_beginning=False)
        kept = [one for one in messages if period is None or one.created_at in period]
        kept = kept[-MOST_READ:]
        said, found = {one.number: one for one in kept}, dict[int, Message]()
        for place in rank_by_words([one.content for one in kept], about, stop_words):
            number = kept[place].number + (kept[place].role is Role.USER)
            answer, asked = said.get(number), said.get(number - 1)
            if answer is None or not is_answer(answer) or number in found:
                continue
            exchange = [one for one in (asked, answer) if one is not None]
            text = "\n".join(one.content for one in exchange)
            if judge.closeness("", text) is Closeness.FOUND:
                found |= {one.number: one for one in exchange}
            if len(found) >= _SAID_HERE:
                break
        return [
            passage_of_message(found[number], title, about, _HIT_LENGTH)
            for number in sorted(found)
        ]

    def near_facts(self, question: str, wall: Wall) -> tuple[Fact, ...]:
        """Return the facts nearest in meaning; they may be about something else."""
        mode, scope = SearchMode.SEMANTIC, Scope(wall)
        return self._find_facts(Query(question, mode=mode, limit=_NEAREST_FACTS, scope=scope))

    def _find_facts(self, query: Query) -> tuple[Fact, ...]:
        hits = self.search.find(replace(query, kinds=frozenset({HitKind.FACT})))
        return tuple(self.archive.facts.some(hit.fact_id for hit in hits if hit.fact_id))

    def _passages(self, asked: Recall, wall: Wall) -> Recollection:
        found = (self._by_words if asked.words else self._by_time)(asked, wall)
        if asked.period is None or self._matches(found, asked):
            return found
        anytime = replace(self._passages(replace(asked, period=None), wall), is_nearest=True)
        return anytime if not found.passages or self._matches(anytime, asked) else found

    def _matches(self, found: Recollection, asked: Recall) -> bool:
        if not asked.words or not found.passages:
            return bool(found.passages)
        own = content_words(asked.words, self.phrases().stop_words, with_weak=True)
        heard = " ".join(f"{one.title} {one.text}" for one in found.passages)
        return 2 * count_shared([word.text for word in own], heard) >= len(own)

    def _by_words(
        self, asked: Recall, wall: Wall, mode: SearchMode = SearchMode.AUTO
    ) -> Recollection:
        period = asked.period or _ANYTIME
        query = Query(
            asked.words,
            since=period.since,
            until=period.until,
            mode=mode,
            limit=_HITS,
            scope=Scope(wall),
        )
        # Imported archives contain copies.
        first: dict[str, Hit] = {}
        for hit in self.search.find(query):
            first.setdefault(hit.snippet, hit)
        hits = [*first.values()]
        if asked.is_left_off:
            return self._last_places([hit.session_id for hit in hits], asked.words)
        found = self._exchanges(hits, asked.words)
        if is_of_decision(asked.reason):
            found = list(self._with_decisions(found, asked.words))
        return Recollection(_numbered(found))

    def _with_decisions(self, found: Sequence[Passage], about: str) -> Iterator[Passage]:
        for session_id, of_session in groupby(found, key=lambda one: one.session_id):
            several = list(of_session)
            known = {one.message_id for one in several}
            yield from several
            decided = [
                one
                for one in self.archive.sessions.last_messages(session_id, _DECIDING_MESSAGES)
                if one.id not in known and tells_decision(one.content) and one.model != NO_MODEL
            ]
            for one in decided[-_DECISIONS:]:
                yield passage_of_message(one, several[0].title, about, _HIT_LENGTH)

    def _by_time(self, asked: Recall, wall: Wall) -> Recollection:
        period = asked.period or _ANYTIME
        limit = _LISTED_SESSIONS if asked.period else _NEAREST_SESSIONS
        several = self.archive.sessions.recent(period, wall, limit=limit * _SPARE)
        recent = [one for one in several if not self._only_asks_back(one)][:limit]
        if asked.is_left_off:
            return self._last_places([one.id for one in recent], "")
        told = [passage for one in recent for passage in self._describe(one, "")]
        return Recollection(_numbered(told), is_last_place=not asked.period)

    def _last_places(self, sessions: Sequence[SessionId], about: str) -> Recollection:
        passages: list[Passage] = []
        several = (self.archive.sessions.session(one) for one in dict.fromkeys(sessions))
        worked_out = (one for one in several if not self._only_asks_back(one))
        for session in islice(worked_out, _LEFT_OFF_SESSIONS):
            if session.summary:
                passages.append(passage_of_summary(session, about, _SUMMARY_LENGTH))
            last = self.archive.sessions.last_messages(session.id, _LAST_MESSAGES * _SPARE)
            said = [one for one in last if not self._is_aside(one, last)][-_LAST_MESSAGES:]
            title = session.shown_title
            passages += [passage_of_message(one, title, about, _HIT_LENGTH) for one in said]
        return Recollection(_numbered(passages), is_last_place=True)

    def _describe(self, session: Session, about: str) -> list[Passage]:
        told = [one.summary for one in self.archive.compacts.reserve(session.id)]
        if session.summary or told:
            whole = "\n".join(filter(None, (session.summary, *told)))
            return [passage_of_summary(replace(session, summary=whole), about, _SUMMARY_LENGTH)]
        begun, title = self.archive.index.neighbours(session.id, 1, 1), session.shown_title
        return [passage_of_message(one, title, about, _NEIGHBOUR_LENGTH) for one in begun]

    def _exchanges(self, hits: Sequence[Hit], about: str) -> list[Passage]:
        found: dict[SessionId, dict[MessageId | None, Passage]] = {}
        exchanges = 0
        for hit in hits:
            held = found.get(hit.session_id, {})
            is_full = len(held) >= _PASSAGES_A_SESSION or (not held and len(found) == _SESSIONS)
            if is_full or hit.message_id in held:
                continue
            if passages := self._around(hit, about):
                found[hit.session_id] = {one.message_id: one for one in passages} | held
                exchanges += 1
            if exchanges == _MOST_EXCHANGES:
                break
        # The summary, which has no number yet, and the messages in their order.
        in_order = (sorted(held.values(), key=lambda one: one.number) for held in found.values())
        return list(chain.from_iterable(in_order))

    def _around(self, hit: Hit, about: str) -> list[Passage]:
        number = hit.message_number
        if number is None:
            session = self.archive.sessions.session(hit.session_id)
            return [] if self._only_asks_back(session) else self._describe(session, about)
        near = self.archive.index.neighbours(hit.session_id, number, 1)
        message = next((one for one in near if one.number == number), None)
        if message is None or self._repeats(message, near):
            return []
        other = number + 1 if message.role is Role.USER else number - 1
        several = (
            one
            for one in near
            if one is message or (one.number == other and one.role is not message.role)
        )
        return [
            passage_of_message(
                one, hit.title, about, _HIT_LENGTH if one is message else _NEIGHBOUR_LENGTH
            )
            for one in several
            if one.model != NO_MODEL
        ]

    def _repeats(self, message: Message, near: Sequence[Message]) -> bool:
        if message.model == NO_MODEL:
            return True
        if message.content.rstrip().endswith("?") and any(
            one.number == message.number + 1 and one.model == NO_MODEL for one in near
        ):
            return True  # a question that nothing but quotations answers
        number = message.number - (message.role is Role.ASSISTANT)
        return any(
            one.number == number
            and one.role is Role.USER
            and detect_intent(one.content, self.phrases()).intent is Intent.RECALL
            for one in near
        )

    def _is_aside(self, message: Message, near: Sequence[Message]) -> bool:
        phrases = self.phrases()
        ends = find_farewell(message.content, phrases) or find_announcement(
            message.content, phrases
        )
        return (message.role is Role.USER and bool(ends)) or self._repeats(message, near)

    def _only_asks_back(self, session: Session) -> bool:
        if session.messages > _LOOKED_UP_AT_MOST:
            return False
        said = self.archive.sessions.last_messages(session.id, _LOOKED_UP_AT_MOST)
        return bool(said) and all(self._is_aside(one, said) for one in said)


def _numbered(passages: Sequence[Passage]) -> tuple[Passage, ...]:
    kept = fitting(passages, _MOST_CHARACTERS, lambda one: len(one.text), least=1)
    return number_passages([one for one in kept if one.text.strip()])
