"""Writes the diary: one entry for each day that had a session, when the day is over or on request.

The summarising model writes a recent day in one request; otherwise the entry is extracted. Both
read what was said as data. Which days are due can be read off the rows, so that a crash only
postpones them.
"""

import logging
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from desktop.domain.diary import (
    DiaryAuthor,
    DiaryEntry,
    DiaryItem,
    DiaryItemId,
    DiaryItemKind,
    compose_text,
    day_begins,
    local_day,
)
from desktop.domain.endpoints import ModelRole
from desktop.domain.errors import DiaryItemUnknownError, LlmError, ReplyInvalidError
from desktop.domain.language import Language
from desktop.domain.messages import NO_MODEL, Message, Role
from desktop.domain.model import JsonValue, Model, ModelRequest, RequestMessage
from desktop.domain.sessions import Session
from desktop.domain.times import Period
from desktop.domain.usage import Purpose
from desktop.language.describing.extractive_description import describe
from desktop.language.markdown_stripping import plain_text
from desktop.memory.fact_parsing import reply_schema
from desktop.sessions.assistant_context import AssistantContext
from desktop.sessions.compacting import WILL_NOT_PASS
from desktop.sessions.diary_extraction import cut_line, extract_items
from desktop.settings.settings import DiaryMode
from desktop.storage.archive import Archive

log = logging.getLogger(__name__)

_MOST_A_RUN = 150
"""Sessions, with the rest of the last day; an archive of years is written over several runs."""
_DAYS_WITH_MODEL = 7
"""Older days are extracted: a request each would cost more than they are worth."""
_LONGEST_REQUEST = 12_000
_LINE_OF_REQUEST = 300
_TOKENS = 1_024
_LONGEST_TEXT = 600
_MOST_ITEMS = 12
_NOTHING_FOUND = ("no_model.nothing_found", "no_model.empty_archive", "research.no_model_nothing")
_KINDS = [kind.value for kind in DiaryItemKind]
_REPLY: Mapping[str, JsonValue] = {
    "summary": {"type": "string"},
    "items": {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "kind": {"type": "string", "enum": _KINDS},
                "text": {"type": "string"},
                "message": {"type": "string"},
            },
            "required": ["kind", "text", "message"],
            "additionalProperties": False,
        },
    },
}
_Told = Sequence[tuple[Session, Sequence[Message]]]


@dataclass(frozen=True, slots=True)
class Diary:
    """Any thread may call, off the turn. Every method may raise StorageError."""

    archive: Archive
    around: AssistantContext

    def write_due(self, should_stop: Callable[[], bool]) -> int:
        """Write days that are over and not written as they are, the newest first.

        Returns how many entries were written. A day that is not written yet when this is
        stopped or the process dies is due again.
        """
        count, left, model = 0, _MOST_A_RUN, self._model()
        first_with_model = self.today() - timedelta(days=_DAYS_WITH_MODEL)
        for day, sessions in self.due().items():
            if should_stop() or left <= 0:
                break
            left -= sessions
            if not self._write(day, model if day >= first_with_model else None):
                model = None
            count += 1
        return count

    def write(self, day: date) -> DiaryEntry | None:
        """Write a day anew, also today; None if there is nothing to say, or the diary is off."""
        if self.around.settings().diary is not DiaryMode.OFF:
            self._write(day, self._model())
        return self.archive.diary.entry(day)

    def edit(self, day: date, text: str) -> DiaryEntry | None:
        """Set the user's text of a day; without words it is composed of the items again."""
        store = self.archive.diary
        if store.is_out_of_sight(day):
            return None  # With a deleted session, which may come back.
        known = store.entry(day) or DiaryEntry(day, "", DiaryAuthor.USER, self.around.now())
        own, composed = text.strip(), compose_text(known.items)
        author = DiaryAuthor.USER if own else DiaryAuthor.EXTRACTION
        # What sessions changed since then is still to be read: the time stays.
        store.write(replace(known, text=own or composed, author=author), is_edited=True)
        return store.entry(day)

    def tick(self, item_id: DiaryItemId, *, is_done: bool = True) -> None:
        """Tick a thought off, or not. Raises DiaryItemUnknownError."""
        if not self.archive.diary.tick(item_id, is_done=is_done):
            raise DiaryItemUnknownError(item=item_id)

    def today(self) -> date:
        return local_day(self.around.now())

    def due(self) -> dict[date, int]:
        """Return the days before today whose sessions changed after the entry was written.

        The newest first, each with the number of its sessions.
        """
        if self.around.settings().diary is DiaryMode.OFF:
            return {}
        written, today = self.archive.diary.written_at(), self.today()
        counts: Counter[date] = Counter()
        due: set[date] = set()
        waiting: set[date] = set()
        for one in self.archive.sessions.recent(Period(), limit=-1):
            day = local_day(one.created_at)
            changed_at = max(one.updated_at, one.ended_at or one.updated_at)
            counts[day] += 1
            if one.messages and (day not in written or changed_at > written[day]):
                due.add(day)
            if one.described_by is None:  # its summary comes in a moment
                waiting.add(day)
        days = sorted((day for day in due - waiting if day < today), reverse=True)
        return {day: counts[day] for day in days}

    def _sessions_of(self, day: date) -> list[Session]:
        """Return the sessions that began on a day, in their order."""
        period = Period(day_begins(day), day_begins(day + timedelta(days=1)))
        found = self.archive.sessions.recent(period, limit=-1)
        if (active := self.archive.sessions.active()) is not None:
            found.append(active)
        began = [one for one in found if one.messages and local_day(one.created_at) == day]
        return sorted(began, key=lambda one: one.created_at)

    def _model(self) -> Model | None:
        if not self.around.settings().describes_with_model:
            return None
        return self.around.model(ModelRole.SUMMARISING)

    def _write(self, day: date, model: Model | None) -> bool:
        """Write a day; return whether the model, if there is one, can be reached."""
        at = self.around.now()  # Before reading: what changes meanwhile is read again.
        store = self.archive.sessions
        told = [(one, store.messages(one.id)) for one in self._sessions_of(day)]
        entry, is_reachable = None, True
        if not told:
            return is_reachable
        try:
            entry = self._ask(day, model, told) if model else None
        except LlmError as exc:
            log.info("the diary is written without the model: %s", exc.key)
            is_reachable = False
        if entry is None:
            items = [item for session, said in told for item in self._extract(session, said)]
            items.sort(key=_order)
            entry = DiaryEntry(day, compose_text(items), DiaryAuthor.EXTRACTION, at, items)
        if self.around.settings().diary is DiaryMode.THOUGHTS:
            items = list(entry.thoughts)
            entry = DiaryEntry(day, compose_text(items), DiaryAuthor.EXTRACTION, at, items)
        self.archive.diary.write(replace(entry, updated_at=at))
        return is_reachable

    def _extract(self, session: Session, messages: Sequence[Message]) -> list[DiaryItem]:
        phrases = self.around.phrases()
        if session.summary is None:
            language = session.language or self.around.language()
            said = [(one.role.value, one.content) for one in messages if one.model != NO_MODEL]
            found = describe(said, language, phrases, title=session.title)
            session = replace(session, summary=found.summary)
        return extract_items(session, messages, phrases, self._says_nothing_found)

    def _says_nothing_found(self, answer: str) -> bool:
        said = (
            self.around.wording(language).texts.say(key)
            for language in Language
            for key in _NOTHING_FOUND
        )
        return answer.strip() in said

    def _ask(self, day: date, model: Model, told: _Told) -> DiaryEntry | None:
        """Have the model write the entry; None if its reply is of no use. Raises LlmError."""
        first = told[0][0]
        wording = self.around.wording(first.language or self.around.language())
        request = ModelRequest(
            wording.instructions("diary"),
            (RequestMessage(Role.USER, _transcript(told)),),
            max_output_tokens=_TOKENS,
        )
        try:
            reply, usage = model.ask_json(request, reply_schema(_REPLY, learns=False))
        except WILL_NOT_PASS as exc:
            log.warning("a day is not written by the model: %s", exc.key)
            return None
        count = self.archive.answers.count_usage
        count(first.id, usage, purpose=Purpose.DIARY, model=model.name)
        try:
            text, items = validated_day(reply, told)
        except ReplyInvalidError as exc:
            log.warning("a day is not written by the model: %s", exc.values.get("detail"))
            return None
        # Each session has an item: by it the entry knows what goes with a deleted one.
        left_out = [pair for pair in told if all(one.session_id != pair[0].id for one in items)]
        items += [self._extract(*pair)[0] for pair in left_out]
        return DiaryEntry(day, text, DiaryAuthor.MODEL, self.around.now(), items)


def _transcript(told: _Told) -> str:
    """Return the day for the model: titles, summaries and the beginnings of messages."""
    each = _LONGEST_REQUEST // len(told)
    parts: list[str] = []
    for place, (session, messages) in enumerate(told, start=1):
        head = f"# {place}. {session.shown_title}\n{session.summary or ''}".strip()
        lines = [
            f"[{place}.{one.number}] {one.role.value}: "
            + cut_line(plain_text(one.content[: 2 * _LINE_OF_REQUEST]), _LINE_OF_REQUEST)
            for one in messages
        ]
        parts.append("\n".join([head, *lines])[:each])
    return "\n\n".join(parts)


def validated_day(reply: JsonValue, told: _Told) -> tuple[str, list[DiaryItem]]:
    """Return the text and the items that link to a message of the day.

    Raises ReplyInvalidError; `detail` contains only our own words.
    """
    if not isinstance(reply, Mapping):
        raise ReplyInvalidError(detail="not a JSON object")
    text, items = reply.get("summary"), reply.get("items")
    if not (isinstance(text, str) and text.strip()):
        raise ReplyInvalidError(detail="summary is missing")
    if isinstance(items, str) or not isinstance(items, Sequence):
        raise ReplyInvalidError(detail="items is not a list")
    known = {
        f"{place}.{one.number}": one
        for place, (_, messages) in enumerate(told, start=1)
        for one in messages
    }
    found: list[DiaryItem] = []
    for item in items[:_MOST_ITEMS]:
        given = item if isinstance(item, Mapping) else {}
        kind, said, place = (given.get(name) for name in ("kind", "text", "message"))
        message = known.get(str(place).strip("[] "))
        if kind in _KINDS and isinstance(said, str) and said.strip() and message is not None:
            line = cut_line(plain_text(said))
            found.append(DiaryItem(DiaryItemKind(kind), line, message.session_id, message.id))
    found.sort(key=_order)
    return cut_line(plain_text(text), _LONGEST_TEXT), found


def _order(item: DiaryItem) -> int:
    return _KINDS.index(item.kind.value)
