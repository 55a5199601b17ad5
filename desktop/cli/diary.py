"""`bellek diary`: list, show, write, tick off, edit, export, import."""

import json
from argparse import Namespace
from datetime import date, timedelta
from pathlib import Path

from desktop.cli.commands import (
    Access,
    Command,
    CommandServices,
    local_now,
    object_json,
    print_each,
    written_to,
)
from desktop.domain.diary import DiaryEntry, DiaryItemId, local_day
from desktop.domain.errors import UsageError
from desktop.domain.projects import EVERYTHING
from desktop.domain.times import parse_day
from desktop.sessions.keeping.diary import cut_line
from desktop.sessions.keeping.diary_file import as_markdown
from desktop.settings.file_writing import raising_unreadable
from desktop.settings.settings import DiaryMode

_LINE = 100


def _list(services: CommandServices, options: Namespace) -> None:
    diary_entries = services.archive.diary_entries(EVERYTHING, *_days(options))
    print_each(services, diary_entries, _summary, empty="diary.empty")


def _summary(entry: DiaryEntry) -> str:
    boxes = (
        f"    [{'x' if item.done_at else ' '}] {item.id:>3}  {item.text}"
        for item in entry.thoughts
    )
    return "\n".join([f"{entry.day}  {cut_line(entry.summary, _LINE)}", *boxes])


def _show(services: CommandServices, options: Namespace) -> int:
    return _print(services, services.archive.diary_entry(_day(options.day), EVERYTHING))


def _write(services: CommandServices, options: Namespace) -> int:
    """Write the days that are due; or one day again, also today."""
    if services.core.settings_store.current.diary is DiaryMode.OFF:
        services.say("diary.is_off")
        return 1
    if options.day:
        return _print(services, services.core.diary.write(_day(options.day)))
    count = services.core.diary.write_due(lambda: False)
    if services.as_json:
        services.print_json({"written": count, "due": len(services.core.diary.due())})
    else:
        services.say_count("diary.written", count)
    return 0


def _print(services: CommandServices, entry: DiaryEntry | None) -> int:
    print_each(
        services,
        [entry] if entry else [],
        lambda entry: as_markdown(entry, services.texts).rstrip(),
        empty="diary.no_entry",
    )
    return int(entry is None)


def _done(services: CommandServices, options: Namespace) -> None:
    services.core.diary.tick(DiaryItemId(options.item), is_done=not options.undo)
    done = {"id": options.item, "done": not options.undo}
    services.report(done, "diary.undone" if options.undo else "diary.done", item=options.item)


def _edit(services: CommandServices, options: Namespace) -> int:
    return _print(services, services.core.diary.edit(_day(options.day), options.text))


def _export(services: CommandServices, options: Namespace) -> None:
    entries = services.archive.diary_entries(EVERYTHING, *_days(options))[::-1]
    as_json = services.as_json or options.format == "json"
    with written_to(services, options.output) as write:
        for entry in entries:
            line = json.dumps(object_json(entry), ensure_ascii=False) + "\n"
            write(line if as_json else as_markdown(entry, services.texts))
    if not entries:
        services.say("diary.empty")


def _import(services: CommandServices, options: Namespace) -> int:
    """Add exported entries; unreadable lines are named, and make the exit code 1."""
    with raising_unreadable(options.file):
        lines = Path(options.file).read_text("utf-8-sig", errors="replace").splitlines()
    done = services.core.diary.reload(lines)
    for number in done.broken:
        services.say("diary.line", n=number)
    if services.as_json:
        services.print_json(object_json(done))
    else:
        there = services.texts.number(done.already_there)
        services.say_count("diary.reloaded", done.added, there=there)
    return 1 if done.broken else 0


def _days(options: Namespace) -> tuple[date | None, date | None]:
    since, until = (getattr(options, name, None) for name in ("since", "until"))
    return (_day(since) if since else None, _day(until, is_end=True) if until else None)


def _day(text: str, *, is_end: bool = False) -> date:
    """Parse a day: 2026-03-05, which as an end is not included, or words ("dün")."""
    try:
        return parse_day(text) - timedelta(days=is_end)
    except ValueError as exc:
        from desktop.language.dates.date_parser import read_period  # noqa: PLC0415 - rarely needed

        period = read_period(text, local_now())
        if period is None or period.since is None or period.until is None:
            raise UsageError(detail=f"DAY {text}") from exc
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
