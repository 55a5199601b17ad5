"""`bellek diary`: list, show, write, tick off, edit, export, import."""

import json
from argparse import Namespace
from datetime import date, timedelta
from functools import partial
from pathlib import Path

from desktop.cli.commands import Access, Command
from desktop.cli.output import local_now, object_json, print_each, written_to
from desktop.cli.services import CommandServices
from desktop.domain.diary import DiaryEntry, DiaryItemId, local_day
from desktop.domain.errors import FileUnreadableError, UsageError
from desktop.domain.model import JsonValue
from desktop.sessions.diary_file import as_markdown, reload_entries
from desktop.settings.messages import Texts
from desktop.settings.settings import DiaryMode

_LINE = 100


def _list(services: CommandServices, options: Namespace) -> int:
    """Print the entries, the newest first, each with its thoughts."""
    found = services.archive.diary.entries(*_days(options))
    print_each(services, found, _summary, empty="diary.empty")
    return 0


def _summary(entry: DiaryEntry) -> str:
    text = entry.text.splitlines()[0]
    head = f"{entry.day}  {text if len(text) <= _LINE else text[: _LINE - 1] + '…'}"
    boxes = (
        f"    [{'x' if one.done_at else ' '}] {one.id:>3}  {one.text}" for one in entry.thoughts
    )
    return "\n".join([head, *boxes])


def _show(services: CommandServices, options: Namespace) -> int:
    entry = services.archive.diary.entry(_day(options.day))
    _print(services, entry)
    return 0 if entry else 1


def _write(services: CommandServices, options: Namespace) -> int:
    """Write the days that are due; or a day anew, also today."""
    if services.core.settings_store.current.diary is DiaryMode.OFF:
        services.say("diary.is_off")
        return 1
    if options.day:
        entry = services.core.diary.write(_day(options.day))
        _print(services, entry)
        return 0 if entry else 1
    count = services.core.diary.write_due(lambda: False)
    if services.as_json:
        services.print_json({"written": count, "due": len(services.core.diary.due())})
    else:
        services.say_count("diary.written", count)
    return 0


def _print(services: CommandServices, entry: DiaryEntry | None) -> None:
    found = [entry] if entry else []
    line = partial(_whole, services.texts)
    print_each(services, found, line, empty="diary.no_entry")


def _whole(texts: Texts, entry: DiaryEntry) -> str:
    return as_markdown(entry, texts).rstrip()


def _done(services: CommandServices, options: Namespace) -> int:
    services.core.diary.tick(DiaryItemId(options.item), is_done=not options.undo)
    done = {"id": options.item, "done": not options.undo}
    services.report(done, "diary.undone" if options.undo else "diary.done", item=options.item)
    return 0


def _edit(services: CommandServices, options: Namespace) -> int:
    entry = services.core.diary.edit(_day(options.day), options.text)
    _print(services, entry)
    return int(entry is None)


def _export(services: CommandServices, options: Namespace) -> int:
    found = services.archive.diary.entries(*_days(options))[::-1]
    as_json = services.as_json or options.format == "json"
    with written_to(services, options.output) as target:
        for entry in found:
            line = json.dumps(object_json(entry), ensure_ascii=False) + "\n"
            target.write(line if as_json else as_markdown(entry, services.texts))
    if not found:
        services.say("diary.empty")
    return 0


def _import(services: CommandServices, options: Namespace) -> int:
    """Add exported entries; unreadable lines are named, and make the exit code 1."""
    try:
        lines = Path(options.file).read_text("utf-8-sig", errors="replace").splitlines()
    except OSError as exc:
        raise FileUnreadableError(path=options.file, detail=exc.strerror or "") from exc
    done = reload_entries(services.archive.diary, services.archive.sessions, lines)
    for number in done.broken:
        services.say("diary.line", n=number)
    counts: dict[str, JsonValue] = object_json(done)
    if services.as_json:
        services.print_json(counts)
    else:
        there = services.texts.number(done.already_there)
        services.say_count("diary.reloaded", done.added, there=there)
    return 1 if done.broken else 0


def _days(options: Namespace) -> tuple[date | None, date | None]:
    """Return the first and the last day of `--since` and `--until`."""
    since, until = (getattr(options, name, None) for name in ("since", "until"))
    return (_day(since) if since else None, _day(until, is_end=True) if until else None)


def _day(said: str, *, is_end: bool = False) -> date:
    """Parse a day: 2026-03-05, which as an end is not included, or words ("dün")."""
    try:
        return date.fromisoformat(said) - timedelta(days=is_end)
    except (ValueError, OverflowError) as exc:
        from desktop.language.dates.date_parser import read_period  # noqa: PLC0415 - rarely needed

        period = read_period(said, local_now())
        if period is None or period.since is None or period.until is None:
            raise UsageError(detail=f"DAY {said}") from exc
        return local_day(period.until - timedelta(seconds=1) if is_end else period.since)


COMMANDS = {
    "diary": Command(_list),
    "list": Command(_list),
    "show": Command(_show),
    "write": Command(_write, Access.WRITE),
    "done": Command(_done, Access.WRITE),
    "edit": Command(_edit, Access.WRITE),
    "export": Command(_export),
    "import": Command(_import, Access.WRITE),
}
