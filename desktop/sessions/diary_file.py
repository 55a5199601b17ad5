"""Exports the diary as Markdown and as lines of JSON, and reads those lines back."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from desktop.domain.diary import (
    DiaryAuthor,
    DiaryEntry,
    DiaryItem,
    DiaryItemKind,
    compose_text,
)
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.model import JsonValue
from desktop.domain.times import parse_utc, utc_text
from desktop.language.dates.date_formatting import named_day
from desktop.language.surrogates import whole_letters
from desktop.settings.messages import Texts
from desktop.storage.diary import DiaryStore

_LONGEST_TEXT = 20_000
_MOST_ITEMS = 500


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
    if item.session_id is None:
        return f"- {box}{item.text}"
    message = f"?message={item.message_id}" if item.message_id else ""
    link = f"bellek://session/{item.session_id}{message}"
    return f"- {box}{item.text} ([{texts.say('diary.session')}]({link}))"


def as_json_line(entry: DiaryEntry) -> str:
    items: list[JsonValue] = [
        {
            "kind": one.kind.value,
            "text": one.text,
            "session_id": one.session_id,
            "message_id": one.message_id,
            "done_at": utc_text(one.done_at) if one.done_at else None,
        }
        for one in entry.items
    ]
    values: dict[str, JsonValue] = {
        "day": entry.day.isoformat(),
        "text": entry.text,
        "written_by": entry.author.value,
        "updated_at": utc_text(entry.updated_at),
        "items": items,
    }
    return json.dumps(values, ensure_ascii=False) + "\n"


def reload_entries(store: DiaryStore, lines: Iterable[str]) -> DiaryReloaded:
    """Add the entries of days that have none. Sessions that do not exist are not linked to.

    May raise StorageError.
    """
    added = there = 0
    broken: list[int] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            entry = _entry(json.loads(line))
        except (TypeError, ValueError, KeyError, AttributeError, RecursionError):
            broken.append(number)
            continue
        if store.entry(entry.day) is not None:
            there += 1
            continue
        known = store.known_sessions(one.session_id for one in entry.items if one.session_id)
        store.write(_linked(entry, known))
        added += 1
    return DiaryReloaded(added, there, tuple(broken))


def _linked(entry: DiaryEntry, known: Collection[SessionId]) -> DiaryEntry:
    """Return the entry without links to sessions that do not exist."""
    items = [
        one if one.session_id in known else replace(one, session_id=None, message_id=None)
        for one in entry.items
    ]
    return replace(entry, items=items)


def _entry(values: JsonValue) -> DiaryEntry:
    """Return the entry of a line; ValueError and its like for one that is none."""
    if not isinstance(values, Mapping):
        raise TypeError("not an object")
    given = values["items"]
    if isinstance(given, str) or not isinstance(given, Sequence) or len(given) > _MOST_ITEMS:
        raise TypeError("items")
    items = [_item(one) for one in given]
    text = str(values["text"]).strip()[:_LONGEST_TEXT] or compose_text(items)
    if not text:
        raise ValueError("text")
    return DiaryEntry(
        date.fromisoformat(str(values["day"])),
        whole_letters(text),
        DiaryAuthor(str(values["written_by"])),
        parse_utc(str(values["updated_at"])),
        items,
    )


def _item(values: JsonValue) -> DiaryItem:
    if not isinstance(values, Mapping):
        raise TypeError("not an object")
    text, session, message = values["text"], values.get("session_id"), values.get("message_id")
    if not isinstance(text, str) or not text.strip() or len(text) > _LONGEST_TEXT:
        raise ValueError("text")
    return DiaryItem(
        DiaryItemKind(str(values["kind"])),
        whole_letters(text),
        SessionId(session) if isinstance(session, str) else None,
        MessageId(message) if isinstance(message, int) else None,
        parse_utc(str(values["done_at"])) if values.get("done_at") else None,
    )
