"""Exports the diary as Markdown, and reads back what was exported as JSON."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from desktop.domain.diary import DiaryAuthor, DiaryEntry, DiaryItem, DiaryItemKind
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.model import JsonValue
from desktop.domain.times import parse_utc
from desktop.language.dates.date_formatting import named_day
from desktop.settings.messages import Texts
from desktop.storage.diary import DiaryStore
from desktop.storage.sessions import SessionStore

_LONGEST_TEXT = 20_000


@dataclass(frozen=True, slots=True)
class DiaryReloaded:
    added: int
    already_there: int
    broken: tuple[int, ...]
    """The numbers of lines that are no entry."""


def as_markdown(entry: DiaryEntry, texts: Texts) -> str:
    """Return an entry with its items under headings; thoughts are a list of tasks."""
    parts = [f"## {named_day(entry.day, texts.language)}"]
    if entry.has_own_text:
        parts.append(entry.text)
    for kind in DiaryItemKind:
        lines = [_task(one, texts) for one in entry.items if one.kind is kind]
        if lines:
            parts.append("\n".join([f"### {texts.say(f'diary.{kind.value}')}", "", *lines]))
    return "\n\n".join(parts) + "\n\n"


def _task(item: DiaryItem, texts: Texts) -> str:
    box = ("[x] " if item.done_at else "[ ] ") if item.kind.is_thought else ""
    link = f"bellek://session/{item.session_id}?message={item.message_id}"
    place = f" ([{texts.say('diary.session')}]({link}))" if item.session_id else ""
    return f"- {box}{item.text}{place}"


def reload_entries(
    diary: DiaryStore, sessions: SessionStore, lines: Iterable[str]
) -> DiaryReloaded:
    """Add the entries of days that have none. Sessions that do not exist are not linked to.

    May raise StorageError.
    """
    added = there = 0
    broken: list[int] = []
    for number, line in enumerate(lines, start=1):
        try:
            entry = _entry(json.loads(line), sessions) if line.strip() else None
        except (TypeError, ValueError, KeyError, RecursionError):
            broken.append(number)
            continue
        if entry is not None and diary.entry(entry.day) is None:
            diary.write(entry)
            added += 1
        elif entry is not None:
            there += 1
    return DiaryReloaded(added, there, tuple(broken))


def _entry(values: Mapping[str, JsonValue], sessions: SessionStore) -> DiaryEntry:
    """Return the entry of a line; raises KeyError, TypeError, ValueError for one that is none."""
    given = values["items"]
    if not isinstance(given, list):
        raise TypeError("items")
    ids = [str(one["session_id"]) for one in given]
    known = {one.id for one in sessions.some(map(SessionId, ids))}
    return DiaryEntry(
        date.fromisoformat(str(values["day"])),
        _text(values),
        DiaryAuthor(str(values["author"])),
        parse_utc(str(values["updated_at"])),
        [_item(one, is_linked=id_ in known) for one, id_ in zip(given, ids, strict=True)],
    )


def _item(values: Mapping[str, JsonValue], *, is_linked: bool) -> DiaryItem:
    session, message, done_at = (values[name] for name in ("session_id", "message_id", "done_at"))
    return DiaryItem(
        DiaryItemKind(str(values["kind"])),
        _text(values),
        SessionId(str(session)) if is_linked else None,
        MessageId(message) if is_linked and isinstance(message, int) else None,
        parse_utc(str(done_at)) if done_at else None,
    )


def _text(values: Mapping[str, JsonValue]) -> str:
    text = values["text"]
    if not isinstance(text, str) or not text.strip() or len(text) > _LONGEST_TEXT:
        raise ValueError("text")
    return text
