"""Exports the diary as Markdown, and reads back what was exported as JSON."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from desktop.domain.diary import DiaryEntry, DiaryItem, DiaryItemKind, WatchFinding
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.projects import COMMON
from desktop.domain.times import named_day, parse_day, parse_utc, utc_now
from desktop.language.links import harmless_markdown
from desktop.settings.messages import Texts
from desktop.storage.repositories.diary import DiaryStore
from desktop.storage.repositories.sessions import SessionStore


@dataclass(frozen=True, slots=True)
class DiaryReloaded:
    added: int
    already_there: int
    broken: tuple[int, ...]


def as_markdown(entry: DiaryEntry, texts: Texts) -> str:
    """Return an entry with its items under headings; thoughts are a list of tasks."""
    parts = [f"## {named_day(entry.day, texts.language)}"]
    if entry.note:
        parts.append(entry.note)
    for kind in DiaryItemKind:
        items = entry.of_kind(kind) if kind is not DiaryItemKind.NOTE else ()
        if lines := [_task(item, texts) for item in items]:
            parts.append("\n".join([f"### {texts.say(f'diary.{kind.value}')}", "", *lines]))
    for finding in entry.findings:
        lines = [f"### {texts.say('diary.watched', subject=finding.subject)}", ""]
        lines += (f"- {line}" for line in finding_lines(finding, texts))
        parts.append(harmless_markdown("\n".join(lines)))
    return "\n\n".join(parts) + "\n\n"


def finding_lines(finding: WatchFinding, texts: Texts) -> Iterator[str]:
    """Yield a line for each thing that a watch found, with its words and address."""
    for item in finding.items:
        words = texts.say("diary.quote", words=item.words) if item.words else ""
        warning = texts.say("watches.suspicious") if item.is_suspicious else ""
        yield " – ".join(filter(None, (item.title, item.says, words, item.address, warning)))
    if finding.left_out:
        yield texts.count("watches.left_out", finding.left_out)


def _task(item: DiaryItem, texts: Texts) -> str:
    box = ("[x] " if item.done_at else "[ ] ") if item.kind.is_thought else ""
    link = f"bellek://session/{item.session_id}?message={item.message_id}"
    place = f" ([{texts.say('diary.session')}]({link}))" if item.session_id else ""
    return f"- {box}{item.text}{place}"


def reload_entries(
    diary: DiaryStore, sessions: SessionStore, lines: Iterable[str]
) -> DiaryReloaded:
    """Add entries of days that have none; links to sessions that do not exist are dropped.

    May raise StorageError.
    """
    added = there = 0
    broken: list[int] = []
    for number, line in enumerate(lines, start=1):
        try:
            entry = _entry(line, sessions) if line.strip() else None
        except (TypeError, ValueError, KeyError, RecursionError):
            broken.append(number)
            continue
        if entry is not None and diary.entry(entry.day, COMMON) is None:
            diary.write(entry.day, entry.items, (), utc_now())
            added += 1
        elif entry is not None:
            there += 1
    return DiaryReloaded(added, there, tuple(broken))


def _entry(line: str, sessions: SessionStore) -> DiaryEntry:
    """Parse the entry of a line; raises KeyError, TypeError, ValueError if it is invalid."""
    values = json.loads(line)
    rows = values["items"]
    ids = {SessionId(str(row["session_id"])) for row in rows}
    session_ids = {str(session.id): session.id for session in sessions.some(ids)}
    items: list[DiaryItem] = []
    for row in rows:
        session_id, done_at = session_ids.get(str(row["session_id"])), row["done_at"]
        items.append(
            DiaryItem(
                DiaryItemKind(row["kind"]),
                str(row["text"]),
                session_id,
                MessageId(int(row["message_id"])) if session_id and row["message_id"] else None,
                parse_utc(done_at) if done_at else None,
            )
        )
    return DiaryEntry(parse_day(values["day"]), items)
