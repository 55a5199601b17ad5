"""Writes the diary: one entry for each day that had a session, when the day is over or on request.

The summarising model writes a recent day in one request; otherwise the entry is extracted. Both
read what was said as data. Which days are due can be read off the rows, so that a crash only
postpones them.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING

from desktop.domain.changes import with_received
from desktop.domain.diary import (
    DiaryEntry,
    DiaryItem,
    DiaryItemId,
    DiaryItemKind,
    DiaryItemUnknownError,
    day_begins,
    local_day,
)
from desktop.domain.endpoints import ModelRole
from desktop.domain.errors import DailyCapError, LlmError, ReplyInvalidError
from desktop.domain.json_values import TEXT_SCHEMA, JsonValue, list_schema, object_schema
from desktop.domain.language import Language
from desktop.domain.messages import NO_MODEL, Message, Role
from desktop.domain.model import Model, ModelRequest, RequestMessage
from desktop.domain.projects import EVERYTHING, ProjectId, Wall
from desktop.domain.sessions import Session
from desktop.domain.times import Period
from desktop.domain.usage import Purpose
from desktop.language.describing.base_forms import rarity
from desktop.language.dialogue_acts import needs_context
from desktop.language.intents import PhraseLists
from desktop.language.keywords_and_stems import content_words, count_shared, guess_language
from desktop.language.normalization import folded_key, word_texts
from desktop.language.relevant_sentences import SettledKind, find_outcome, relevant_sentences
from desktop.language.sentences import plain_text, sentences, without_code
from desktop.memory.fact_learning import reply_schema
from desktop.memory.worth_storing import has_failed, says_nothing
from desktop.sessions.conversation.assistant_context import AssistantContext
from desktop.sessions.conversation.compacting import WILL_NOT_PASS
from desktop.settings.settings import DiaryMode
from desktop.storage.archive import Archive

if TYPE_CHECKING:
    from desktop.sessions.keeping.diary_file import DiaryReloaded

LONGEST_LINE = 240
_LONGEST_FINDING = 400
_MOST_OF_A_KIND = 3
_LENGTHS = range(12, LONGEST_LINE + 1)
_READ = 2_000  # Letters of a message that are read
_SHORTEST_WORD = 3
_LEAST_RARITY = 1.75
"""What the words of a later question must be worth; "Balon kaç para?" needs the ones before it."""
_Lines = Iterator[tuple[str, Message]]

_Exchange = tuple[Message, Message | None]  # A question, and its answer if it has one


def extract_items(
    session: Session,
    messages: Sequence[Message],
    phrases: PhraseLists,
    says_nothing_found: Callable[[str], bool],
) -> list[DiaryItem]:
    exchanges: list[_Exchange] = []
    for current, following in pairwise((*messages, None)):
        if current is not None and current.role is Role.USER:
            answer = following if following and following.role is Role.ASSISTANT else None
            if not says_nothing(current.content, phrases):
                exchanges.append((current, answer))
    lines: dict[DiaryItemKind, _Lines] = {
        DiaryItemKind.ASKED: _asked(exchanges, phrases),
        DiaryItemKind.FOUND: _found(exchanges, phrases),
        DiaryItemKind.DECIDED: _settled(exchanges, SettledKind.DECIDED),
        DiaryItemKind.OPEN: _left_open(exchanges, phrases, says_nothing_found),
        DiaryItemKind.NEXT_STEP: _settled(exchanges, SettledKind.NEXT),
    }
    items = [
        DiaryItem(kind, text, session.id, message.id)
        for kind, pairs in lines.items()
        for text, message in _first_ones(pairs)
    ]
    if not items:  # a day that had a session has an entry
        first = messages[0].id if messages else None
        title = cut_line(session.shown_title) or "…"
        items.append(DiaryItem(DiaryItemKind.ASKED, title, session.id, first))
    return items


def cut_line(text: str, length: int = LONGEST_LINE) -> str:
    line = " ".join(text.split())
    return line if len(line) <= length else f"{line[: length - 1].rsplit(' ', 1)[0]}…"


def _first_ones(lines: _Lines) -> _Lines:
    met: set[str] = set()
    for text, message in lines:
        if (key := folded_key(text)) not in met:
            met.add(key)
            yield text, message
        if len(met) == _MOST_OF_A_KIND:
            return


def _asked(exchanges: Sequence[_Exchange], phrases: PhraseLists) -> _Lines:
    for place, (message, _) in enumerate(exchanges):
        if place == 0:
            yield cut_line(plain_text(without_code(message.content)[:_READ])), message
        elif (question := _question_in(message)) and _stands_alone(question, phrases):
            yield question, message
            return


def _question_in(message: Message) -> str:
    texts = (
        plain_text(sentence.text) for sentence in sentences(without_code(message.content)[:_READ])
    )
    return cut_line(next((text for text in texts if text.endswith("?")), ""))


def _stands_alone(question: str, phrases: PhraseLists) -> bool:
    if needs_context(question, phrases):
        return False
    language = guess_language(question, Language.TR)
    own = content_words(question, phrases.stop_words)
    rare = (rarity(word.text, language) for word in own if len(word.text) >= _SHORTEST_WORD)
    return sum(rare) >= _LEAST_RARITY


def _found(exchanges: Sequence[_Exchange], phrases: PhraseLists) -> _Lines:
    """For each question that is listed, the sentence of its answer that is most about it."""
    answers = {question.id: answer for question, answer in exchanges}
    for _, question in _asked(exchanges, phrases):
        answer = answers[question.id]
        if answer is None or answer.model == NO_MODEL or has_failed(answer):
            continue
        text = without_code(answer.content)[:_READ]
        hits = relevant_sentences(question.content, text, 1, stop_words=phrases.stop_words)
        for sentence in (hits or sentences(text))[:1]:
            yield cut_line(plain_text(sentence.text), _LONGEST_FINDING), answer


def _settled(exchanges: Sequence[_Exchange], outcome: SettledKind) -> _Lines:
    for place, (message, _) in enumerate(exchanges):
        for sentence in sentences(without_code(message.content)[:_READ]):
            line = plain_text(sentence.text)
            if len(line) in _LENGTHS and find_outcome(line, is_opening=not place) is outcome:
                yield line, message


def _left_open(
    exchanges: Sequence[_Exchange], phrases: PhraseLists, says_nothing_found: Callable[[str], bool]
) -> _Lines:
    last: dict[str, tuple[str, _Exchange]] = {}
    for exchange in exchanges:
        if (question := _question_in(exchange[0])) and _stands_alone(question, phrases):
            last[folded_key(question)] = question, exchange
    for question, (message, answer) in last.values():
        if answer is None or has_failed(answer) or says_nothing_found(answer.content):
            yield question, message


log = logging.getLogger(__name__)

_DAYS_WITH_MODEL = 7
"""Older days are extracted: a request each would cost more than they are worth."""
_REQUESTS_A_DAY = 10
_LONGEST_REQUEST = 12_000
_LINE_OF_REQUEST = 300
_TOKENS = 1_024
_MOST_ITEMS = 12
_TELLING, _SHARED_WORDS = 0.5, 2
"""The rarity of words that tell a line's message, and how many of them another one must have."""
_NOTHING_FOUND = ("no_model.nothing_found", "no_model.empty_archive", "research.no_model_nothing")
_KINDS = [kind.value for kind in DiaryItemKind if kind is not DiaryItemKind.NOTE]
_REPLY: Mapping[str, JsonValue] = {
    "items": list_schema(
        object_schema(
            kind={"type": "string", "enum": _KINDS}, text=TEXT_SCHEMA, message=TEXT_SCHEMA
        )
    )
}
_Told = Sequence[tuple[Session, Sequence[Message]]]


@dataclass(frozen=True, slots=True)
class Diary:
    """Any thread may call, off the turn. Every method may raise StorageError."""

    _archive: Archive
    context: AssistantContext

    def reload(self, lines: Iterable[str]) -> "DiaryReloaded":
        """Add exported entries of days that have none."""
        from desktop.sessions.keeping.diary_file import reload_entries  # noqa: PLC0415 - seldom needed

        return reload_entries(self._archive.diary, self._archive.sessions, lines)

    def write_due(self, should_stop: Callable[[], bool]) -> int:
        """Write past days whose entry is missing or out of date, the newest first.

        Returns how many were written. After a stop or a crash the remaining days are still
        due, as those are whose request the day's cap did not allow.
        """
        count, is_reachable, today = 0, True, self.today()
        spent = self._archive.answers.requests(Purpose.DIARY, day_begins(today))
        for day in self.due():
            if should_stop():
                break
            is_recent = day >= today - timedelta(days=_DAYS_WITH_MODEL)
            asks = is_reachable and is_recent and spent < _REQUESTS_A_DAY
            try:
                is_reachable &= self._write(day, asks_model=asks)
            except DailyCapError:
                continue
            spent, count = spent + 1, count + 1
        return count

    def write(self, day: date) -> DiaryEntry | None:
        """Write a day again, also today; None if it has no content, or the diary is off."""
        if self.context.settings().diary is not DiaryMode.OFF:
            self._write(day, asks_model=True, is_by_hand=True)
        return self._archive.diary.entry(day, EVERYTHING)

    def edit(self, day: date, text: str, *, begun: str | None = None) -> DiaryEntry | None:
        """Set the user's text of a day; an empty text removes it. `begun`: see `with_received`."""
        entry = self._archive.diary.entry(day, EVERYTHING)
        stored = entry.note if entry else ""
        self._archive.diary.write_note(day, with_received(text, begun=begun, stored=stored))
        return self._archive.diary.entry(day, EVERYTHING)

    def tick(self, item_id: DiaryItemId, *, is_done: bool = True) -> None:
        """Mark a thought as done, or not. Raises DiaryItemUnknownError."""
        if not self._archive.diary.tick(item_id, is_done=is_done):
            raise DiaryItemUnknownError(item=item_id)

    def today(self) -> date:
        return local_day(self.context.now())

    def due(self) -> list[date]:
        """Return the days before today that have a session to be read, the newest first."""
        if self.context.settings().diary is DiaryMode.OFF:
            return []
        sessions = self._archive.diary.due()
        due = {local_day(session.created_at) for session in sessions}
        # A model will soon write its summary.
        waiting = {
            local_day(session.created_at) for session in sessions if session.described_by is None
        }
        return sorted((day for day in due - waiting if day < self.today()), reverse=True)

    def _sessions_of(self, day: date) -> list[Session]:
        period = Period(day_begins(day), day_begins(day + timedelta(days=1)))
        sessions = self._archive.sessions.recent(period, EVERYTHING, limit=-1)
        if (active := self._archive.sessions.active()) is not None:
            sessions.append(active)
        began = [
            session
            for session in sessions
            if session.messages and local_day(session.created_at) == day
        ]
        return sorted(began, key=lambda session: session.created_at)

    def _model(self, project: ProjectId, *, is_by_hand: bool) -> Model | None:
        context, wall = self.context, Wall(project)
        if not context.settings().describes_with_model:
            return None
        if is_by_hand:
            return context.model(ModelRole.SUMMARISING, wall)
        return context.background(ModelRole.SUMMARISING, wall, Purpose.DIARY)

    def _write(self, day: date, *, asks_model: bool, is_by_hand: bool = False) -> bool:
        """Write a day; return False if its model cannot be reached. Raises DailyCapError."""
        at = self.context.now()  # Before reading: later changes are read again.
        store = self._archive.sessions
        conversations = [
            (session, store.messages(session.id)) for session in self._sessions_of(day)
        ]
        items, is_reachable = None, True
        if not conversations:
            return is_reachable
        try:
            items = self._ask_each(conversations, is_by_hand=is_by_hand) if asks_model else None
        except DailyCapError:
            raise
        except LlmError as exc:
            log.info("the diary is written without the model: %s", exc.key)
            is_reachable = False
        if items is None:
            items = self._extract_each(conversations)
        if self.context.settings().diary is DiaryMode.THOUGHTS:
            items = [item for item in items if item.kind.is_thought]
        self._archive.diary.write(day, items, [session.id for session, _ in conversations], at)
        return is_reachable

    def _extract_each(self, conversations: _Told) -> list[DiaryItem]:
        return [
            item
            for session, messages in conversations
            for item in self._extract(session, messages)
        ]

    def _extract(self, session: Session, messages: Sequence[Message]) -> list[DiaryItem]:
        phrases = self.context.phrases()
        say = [self.context.wording(language).texts.say for language in Language]
        found_none = {translate(key) for translate in say for key in _NOTHING_FOUND}
        return extract_items(
            session, messages, phrases, lambda answer: answer.strip() in found_none
        )

    def _ask_each(self, conversations: _Told, *, is_by_hand: bool) -> list[DiaryItem]:
        """Ask once for each project, so that no request has words of two. Raises LlmError."""
        all_items: list[DiaryItem] = []
        is_usable = True
        for project in dict.fromkeys(session.project for session, _ in conversations):
            own = [pair for pair in conversations if pair[0].project == project]
            model = self._model(project, is_by_hand=is_by_hand) if is_usable else None
            items = self._ask(model, own) if model else None
            is_usable = is_usable and not (
                model and items is None
            )  # the next reply would be no better
            all_items += self._extract_each(own) if items is None else items
        return all_items

    def _ask(self, model: Model, conversations: _Told) -> list[DiaryItem] | None:
        """Have the model write a day; None if its reply is unusable. Raises LlmError."""
        first = conversations[0][0]
        request = ModelRequest(
            self.context.wording(first.language or self.context.language()).instructions("diary"),
            (RequestMessage(Role.USER, _transcript(conversations)),),
            max_output_tokens=_TOKENS,
        )
        try:
            reply, usage = model.ask_json(request, reply_schema(_REPLY, learns=False))
            count = self._archive.answers.count_usage
            count(first.id, usage, purpose=Purpose.DIARY, model=model.name)
            return validated_items(reply, conversations)
        except WILL_NOT_PASS as exc:
            log.info("a day is not written by the model: %s", exc.key)
            return None


def _transcript(conversations: _Told) -> str:
    each = _LONGEST_REQUEST // len(conversations)
    parts: list[str] = []
    for place, (session, messages) in enumerate(conversations, start=1):
        head = f"# {place}. {session.shown_title}\n{session.summary or ''}".strip()
        lines = [
            f"[{place}.{message.number}] {message.role.value}: "
            + cut_line(plain_text(message.content[: 2 * _LINE_OF_REQUEST]), _LINE_OF_REQUEST)
            for message in messages
        ]
        parts.append("\n".join([head, *lines])[:each])
    return "\n\n".join(parts)


def validated_items(reply: JsonValue, conversations: _Told) -> list[DiaryItem]:
    """Return the items that link to a message of the day.

    Raises ReplyInvalidError if there is none; `detail` contains only our own words.
    """
    items = reply.get("items") if isinstance(reply, Mapping) else None
    by_number = {
        f"{place}.{message.number}": message
        for place, (_, messages) in enumerate(conversations, start=1)
        for message in messages
    }
    valid_items: list[DiaryItem] = []
    for item in items[:_MOST_ITEMS] if isinstance(items, list) else ():
        fields = item if isinstance(item, Mapping) else {}
        kind, text, place = (fields.get(name) for name in ("kind", "text", "message"))
        message = by_number.get(str(place).strip("[] "))
        if kind in _KINDS and isinstance(text, str) and text.strip() and message is not None:
            line = cut_line(plain_text(text))
            message = _source_of(line, message, by_number.values())
            valid_items.append(
                DiaryItem(DiaryItemKind(kind), line, message.session_id, message.id)
            )
    if not valid_items:
        raise ReplyInvalidError(detail="items has none of the day")
    return valid_items


def _source_of(line: str, linked: Message, messages: Iterable[Message]) -> Message:
    """Return the message that a line is linked to, or the one whose words it has instead."""
    language = guess_language(line, Language.TR)
    words = [word for word in word_texts(line) if rarity(word, language) >= _TELLING]
    shared = {
        message.id: count_shared(words, message.content[:_READ]) for message in (linked, *messages)
    }
    best = max(messages, key=lambda message: shared[message.id], default=linked)
    return best if not shared[linked.id] and shared[best.id] >= _SHARED_WORDS else linked
