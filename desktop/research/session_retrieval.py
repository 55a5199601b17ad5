"""Retrieves passages of past sessions for a question about them.

The words of the question are searched within its period; if that finds nothing, the period is
dropped, and the answer says so. A question without words asks for the sessions of a period, or
for the last ones.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice

from desktop.domain.facts import Fact
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import NO_MODEL, Message, Role
from desktop.domain.projects import Wall
from desktop.domain.routing import Intent, Recall
from desktop.domain.search import Hit, HitKind, Query, Scope, SearchMode
from desktop.domain.sessions import Session
from desktop.domain.times import Period
from desktop.language.dialogue_acts import wants
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
from desktop.research.tiers.passage_store import mark_doubted
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


def without_talk(recall: Recall) -> Recall:
    own = word_texts(recall.words)
    is_talk = own and all(word.startswith(_TALK) for word in own)
    return replace(recall, words="") if is_talk else recall


@dataclass(frozen=True, slots=True)
class SessionRetriever:
    """Every method may raise StorageError."""

    search: Search
    archive: Archive
    phrases: Callable[[], PhraseLists]

    def recollect(self, recall: Recall, wall: Wall, *, with_facts: bool = True) -> Recollection:
        recall = without_talk(recall)
        notes = self._notes(recall, wall)
        recollection = self._passages(recall, wall)
        is_about = bool(recall.words) and not recall.is_left_off
        if notes and recollection.is_nearest:
            recollection = Recollection()
        facts: tuple[Fact, ...] = ()
        if with_facts and is_about:
            facts = self._find_facts(Query(recall.words, limit=_MOST_FACTS, scope=Scope(wall)))
        if not recollection.passages and not facts and not notes and is_about:
            anytime = replace(recall, period=None)
            near = self._by_words(anytime, wall, SearchMode.SEMANTIC).passages[:_MOST_NEAREST]
            recollection = Recollection(near, is_nearest=bool(near))
        passages = mark_doubted(self.archive, recollection.passages)
        return replace(recollection, passages=passages, facts=facts, notes=notes)

    def _notes(self, recall: Recall, wall: Wall) -> list[DiaryNote]:
        """Return what the user wrote in the diary about these words, or in this period."""
        period, words = recall.period or _ANYTIME, word_texts(recall.words)
        if recall.is_left_off or not (words or recall.period):
            return []
        query = Query(
            recall.words,
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
            DiaryNote(entry.day, excerpt(entry.note, recall.words, _SUMMARY_LENGTH))
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
        period = period or _ANYTIME
        candidates = [message for message in messages if message.created_at in period][-MOST_READ:]
        by_number, matches = {m.number: m for m in candidates}, dict[int, Message]()
        for place in rank_by_words([message.content for message in candidates], about, stop_words):
            number = candidates[place].number + (candidates[place].role is Role.USER)
            answer, question = by_number.get(number), by_number.get(number - 1)
            if answer is None or not is_answer(answer) or number in matches:
                continue
            exchange = [message for message in (question, answer) if message is not None]
            text = "\n".join(message.content for message in exchange)
            if judge.closeness("", text) is Closeness.FOUND:
                matches |= {message.number: message for message in exchange}
            if len(matches) >= _SAID_HERE:
                break
        in_order = (matches[number] for number in sorted(matches))
        passages = [passage_of_message(message, title, about, _HIT_LENGTH) for message in in_order]
        return mark_doubted(self.archive, passages)

    def near_facts(self, question: str, wall: Wall) -> tuple[Fact, ...]:
        """Return the facts nearest in meaning; they may be about something else."""
        mode, scope = SearchMode.SEMANTIC, Scope(wall)
        return self._find_facts(Query(question, mode=mode, limit=_NEAREST_FACTS, scope=scope))

    def _find_facts(self, query: Query) -> tuple[Fact, ...]:
        hits = self.search.find(replace(query, kinds=frozenset({HitKind.FACT})))
        return tuple(self.archive.facts.some(hit.fact_id for hit in hits if hit.fact_id))

    def _passages(self, recall: Recall, wall: Wall) -> Recollection:
        recollection = (self._by_words if recall.words else self._by_time)(recall, wall)
        if recall.period is None or self._matches(recollection, recall):
            return recollection
        anytime = replace(self._passages(replace(recall, period=None), wall), is_nearest=True)
        is_better = not recollection.passages or self._matches(anytime, recall)
        return anytime if is_better else recollection

    def _matches(self, recollection: Recollection, recall: Recall) -> bool:
        if not recall.words or not recollection.passages:
            return bool(recollection.passages)
        own = content_words(recall.words, self.phrases().stop_words, with_weak=True)
        text = " ".join(f"{passage.title} {passage.text}" for passage in recollection.passages)
        return 2 * count_shared([word.text for word in own], text) >= len(own)

    def _by_words(
        self, recall: Recall, wall: Wall, mode: SearchMode = SearchMode.AUTO
    ) -> Recollection:
        period = recall.period or _ANYTIME
        query = Query(
            recall.words,
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
        if recall.is_left_off:
            return self._last_places([hit.session_id for hit in hits], recall.words)
        passages = self._exchanges(hits, recall.words)
        if is_of_decision(recall.reason):
            passages = list(self._with_decisions(passages, recall.words))
        return Recollection(_numbered(passages))

    def _with_decisions(self, passages: Sequence[Passage], about: str) -> Iterator[Passage]:
        for session_id, of_session in groupby(passages, key=lambda passage: passage.session_id):
            several = list(of_session)
            message_ids = {passage.message_id for passage in several}
            yield from several
            decided = [
                message
                for message in self.archive.sessions.last_messages(session_id, _DECIDING_MESSAGES)
                if message.id not in message_ids
                and tells_decision(message.content)
                and message.model != NO_MODEL
            ]
            for message in decided[-_DECISIONS:]:
                yield passage_of_message(message, several[0].title, about, _HIT_LENGTH)

    def _by_time(self, recall: Recall, wall: Wall) -> Recollection:
        period = recall.period or _ANYTIME
        limit = _LISTED_SESSIONS if recall.period else _NEAREST_SESSIONS
        several = self.archive.sessions.recent(period, wall, limit=limit * _SPARE)
        recent = [session for session in several if not self._only_asks_back(session)][:limit]
        if recall.is_left_off:
            return self._last_places([session.id for session in recent], "")
        passages = [passage for session in recent for passage in self._describe(session, "")]
        return Recollection(_numbered(passages), is_last_place=not recall.period)

    def _last_places(self, sessions: Sequence[SessionId], about: str) -> Recollection:
        passages: list[Passage] = []
        several = map(self.archive.sessions.session, dict.fromkeys(sessions))
        worked_out = (session for session in several if not self._only_asks_back(session))
        for session in islice(worked_out, _LEFT_OFF_SESSIONS):
            if session.summary:
                passages.append(passage_of_summary(session, about, _SUMMARY_LENGTH))
            last = self.archive.sessions.last_messages(session.id, _LAST_MESSAGES * _SPARE)
            messages = [message for message in last if not self._is_aside(message, last)]
            passages += [
                passage_of_message(message, session.shown_title, about, _HIT_LENGTH)
                for message in messages[-_LAST_MESSAGES:]
            ]
        return Recollection(_numbered(passages), is_last_place=True)

    def _describe(self, session: Session, about: str) -> list[Passage]:
        summaries = [compact.summary for compact in self.archive.compacts.reserve(session.id)]
        if session.summary or summaries:
            whole = "\n".join(filter(None, (session.summary, *summaries)))
            return [passage_of_summary(replace(session, summary=whole), about, _SUMMARY_LENGTH)]
        begun, title = self.archive.index.neighbours(session.id, 1, 1), session.shown_title
        return [passage_of_message(message, title, about, _NEIGHBOUR_LENGTH) for message in begun]

    def _exchanges(self, hits: Sequence[Hit], about: str) -> list[Passage]:
        by_session: dict[SessionId, dict[MessageId | None, Passage]] = {}
        exchanges = 0
        for hit in hits:
            held = by_session.get(hit.session_id, {})
            is_full = len(held) >= _PASSAGES_A_SESSION or (
                not held and len(by_session) == _SESSIONS
            )
            if is_full or hit.message_id in held:
                continue
            if passages := self._passages_from(hit, about):
                by_session[hit.session_id] = {p.message_id: p for p in passages} | held
                exchanges += 1
            if exchanges == _MOST_EXCHANGES:
                break
        # The summary, which has no number yet, and the messages in their order.
        several = (held.values() for held in by_session.values())
        return [p for held in several for p in sorted(held, key=lambda passage: passage.number)]

    def _passages_from(self, hit: Hit, about: str) -> list[Passage]:
        number = hit.message_number
        if number is None:
            session = self.archive.sessions.session(hit.session_id)
            says_nothing = hit.is_pointer or self._only_asks_back(session)
            return [] if says_nothing else self._describe(session, about)
        near = self.archive.index.neighbours(hit.session_id, number, 1)
        message = next((neighbour for neighbour in near if neighbour.number == number), None)
        if message is None or self._repeats(message, near):
            return []
        other = number + 1 if message.role is Role.USER else number - 1
        passages: list[Passage] = []
        for neighbour in near:
            is_pair = neighbour.number == other and neighbour.role is not message.role
            length = _HIT_LENGTH if neighbour is message else _NEIGHBOUR_LENGTH
            if (neighbour is message or is_pair) and neighbour.model != NO_MODEL:
                passages.append(passage_of_message(neighbour, hit.title, about, length))
        return passages

    def _repeats(self, message: Message, near: Sequence[Message]) -> bool:
        if message.model == NO_MODEL:
            return True
        if wants(message.content, self.phrases()) and any(
            neighbour.number == message.number + 1 and neighbour.model == NO_MODEL
            for neighbour in near
        ):
            return True  # a question that nothing but quotations answers
        number = message.number - (message.role is Role.ASSISTANT)
        return any(
            neighbour.number == number
            and neighbour.role is Role.USER
            and detect_intent(neighbour.content, self.phrases()).intent is Intent.RECALL
            for neighbour in near
        )

    def _is_aside(self, message: Message, near: Sequence[Message]) -> bool:
        text, phrases = message.content, self.phrases()
        ends = bool(find_farewell(text, phrases) or find_announcement(text, phrases))
        return (message.role is Role.USER and ends) or self._repeats(message, near)

    def _only_asks_back(self, session: Session) -> bool:
        if session.messages > _LOOKED_UP_AT_MOST:
            return False
        messages = self.archive.sessions.last_messages(session.id, _LOOKED_UP_AT_MOST)
        return bool(messages) and all(self._is_aside(message, messages) for message in messages)


def _numbered(passages: Sequence[Passage]) -> tuple[Passage, ...]:
    selection = fitting(passages, _MOST_CHARACTERS, lambda passage: len(passage.text), least=1)
    return number_passages([passage for passage in selection if passage.text.strip()])
