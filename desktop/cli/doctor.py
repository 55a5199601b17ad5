"""`bellek doctor`, `stats` and `housekeeping`: the program's state, figures and daily tasks."""

from argparse import Namespace
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from desktop.cli.commands import (
    Access,
    Command,
    CommandEnvironment,
    CommandServices,
    error_json,
    object_json,
    since_and_until,
)
from desktop.domain.changes import Change
from desktop.domain.endpoints import ModelRole
from desktop.domain.errors import AppError, DocumentReaderError, UsageError
from desktop.domain.json_values import JsonValue
from desktop.domain.projects import EVERYTHING
from desktop.research.child_process import ChildEnded
from desktop.research.documents.reader import DocumentReader
from desktop.sessions.archive_care import describe_damage, repair
from desktop.sessions.keeping.housekeeping import TaskCount
from desktop.sessions.keeping.insight import (
    TextTable,
    background_summary,
    background_table,
    describe,
    memory_rows,
    period_in_words,
)
from desktop.settings.sandbox import Protection

_GAP = "  "


def _stats(services: CommandServices, options: Namespace) -> None:
    moment, _ = since_and_until({"since": options.since})
    insight = services.core.insight.read(
        EVERYTHING, moment.astimezone().date() if moment else None
    )
    if services.as_json:
        services.print_json(object_json(insight))
        return
    texts = services.texts
    if insight.is_empty:
        services.say("insight.empty")
        return
    services.print_line(period_in_words(insight, texts))
    for section in describe(insight, texts):
        head = ": ".join(filter(None, (section.title, section.summary)))
        services.print_line(f"\n{head}")
        for line in lay_out(section.table):
            services.print_line(line)


def _background(services: CommandServices, _options: Namespace) -> None:
    """Print the requests that nobody asked for by hand."""
    report, texts = services.core.background.read(), services.texts
    if services.as_json:
        services.print_json({**object_json(report), "is_reached": report.is_reached})
        return
    services.print_line(background_summary(report, texts))
    table = background_table(report, texts)
    if not table.rows:
        services.say("insight.nothing")
    for line in lay_out(table):
        services.print_line(line)


def lay_out(table: TextTable) -> Iterator[str]:
    """Yield the lines of a table: names from the left, numbers from the right."""
    if not table.rows:
        return
    lines = [table.head, *table.rows]
    widths = [max(map(len, cells)) for cells in zip(*lines, strict=True)]
    for line in lines:
        cells = [
            cell.ljust(width) if place < table.names else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        yield f"  {_GAP.join(cells)}".rstrip()


_DAYS = 30
_SANDBOXES = {
    (True, True): "doctor.sandbox",
    (True, False): "doctor.sandbox_files",
    (False, True): "doctor.sandbox_calls",
    (False, False): "doctor.sandbox_none",
}
"""By the protections in force: no files, no calls."""


@dataclass(frozen=True, slots=True)
class Check:
    what: str
    detail: str
    is_ok: bool = True
    is_needed: bool = False


def _doctor(services: CommandServices, _options: Namespace) -> int:
    """Report what is missing; exit code 0 if the program can work without it."""
    checks = [
        _database(services),
        *_files(services),
        _writing(services),
        _search(services),
        _meanings(services),
        _backup(services),
        _keyring(services),
        _model(services),
        _sandbox(services),
    ]
    figures = services.core.insight.memory_figures(_DAYS)
    works = all(check.is_ok for check in checks if check.is_needed)
    if services.as_json:
        records: dict[str, JsonValue] = {
            check.what: {"ok": check.is_ok, "detail": check.detail} for check in checks
        }
        values: dict[str, JsonValue] = {figure.figure.value: figure.value for figure in figures}
        services.print_json({"works": works, "checks": records, "figures": values})
    else:
        for check in checks:
            services.print_line(f"{'✓' if check.is_ok else '–'} {check.detail}")
        if figures:
            services.print_line(services.texts.say("doctor.figures", days=_DAYS))
        for name, value, _ in memory_rows(figures, services.texts):
            services.print_line(f"  {name}: {value}")
        services.print_line(services.texts.say("doctor.works" if works else "doctor.fails"))
    return 0 if works else 1


def _repair(environment: CommandEnvironment, _options: Namespace) -> None:
    """Check everything and repair it; exit code 0 as long as the profile works afterwards."""
    profile = environment.profile
    need, error = repair(profile.database, backups=profile.backups, key=environment.key)
    texts = environment.texts
    message = texts.error(error) if error else texts.say(f"doctor.repaired_{need}")
    if environment.as_json:
        environment.print_json({"repaired": need, **error_json(texts, error)})
    else:
        environment.print_line(message)


def _damage(services: CommandServices, _options: Namespace) -> None:
    """Print the rows that repairs could not save unchanged."""
    damage = services.core.care.damage()
    if services.as_json:
        services.print_json({"damage": {str(path): list(rows) for path, rows in damage.items()}})
    elif not damage:
        services.say("doctor.damaged_nothing")
    else:
        for path, rows in damage.items():
            services.print_line(f"{path}:")
            for row in rows:
                services.print_line(f"  {describe_damage(row, services.texts)}")


def _database(services: CommandServices) -> Check:
    try:
        services.archive.check()
        if damaged := services.archive.count_unreadable():
            detail = services.texts.say("doctor.unreadable", n=damaged)
            return Check("database", detail, is_ok=False)
    except AppError as exc:
        return Check("database", services.texts.error(exc), is_ok=False, is_needed=True)
    path = str(services.core.care.path)
    return Check("database", services.texts.say("doctor.database", path=path), is_needed=True)


def _files(services: CommandServices) -> Iterator[Check]:
    with suppress(AppError):  # which the database reports
        if damaged := services.archive.count_damaged_files():
            detail = services.texts.say("doctor.files", n=damaged)
            yield Check("files", detail, is_ok=False)


def _writing(services: CommandServices) -> Check:
    try:
        services.core.care.try_write()
    except AppError as exc:
        return Check("writing", services.texts.error(exc), is_ok=False, is_needed=True)
    return Check("writing", services.texts.say("doctor.can_write"), is_needed=True)


def _search(services: CommandServices) -> Check:
    count = len(services.archive.unindexed_sessions())
    return Check("search", services.texts.say("doctor.search", n=count))


def _meanings(services: CommandServices) -> Check:
    if not services.core.meanings.is_on():
        return Check("meanings", services.texts.say("doctor.meanings_off"))
    made = services.core.meanings.progress()
    detail = services.texts.say(
        "doctor.meanings", done=made.embedded, sessions=made.sessions, refined=made.refined
    )
    return Check("meanings", detail, is_ok=made.embedded == made.sessions)


def _backup(services: CommandServices) -> Check:
    status, texts = services.core.automatic_backups.status(), services.texts
    if not status.is_on:
        return Check("backup", texts.say("doctor.backups_off"))
    if status.last is None:
        detail = texts.say("doctor.no_backup", folder=str(status.folder))
    else:
        when = f"{status.last.written_at.astimezone():%Y-%m-%d %H:%M}"
        detail = texts.say("doctor.backup", when=when, path=str(status.last.path))
    return Check("backup", detail, is_ok=not status.is_late)


def _keyring(services: CommandServices) -> Check:
    is_lasting = services.core.keys.is_lasting
    key = "doctor.keyring" if is_lasting else "doctor.no_keyring"
    return Check("keyring", services.texts.say(key), is_ok=is_lasting)


def _model(services: CommandServices) -> Check:
    model = services.core.models.for_role(ModelRole.ANSWERING, services.core.settings())
    if model is None:
        return Check("model", services.texts.say("doctor.no_model"), is_ok=False)
    where = model.endpoint.name
    return Check("model", services.texts.say("doctor.model", name=model.name, where=where))


def _sandbox(services: CommandServices) -> Check:
    try:
        with DocumentReader() as reader:
            protections = reader.protections()
    except ChildEnded:
        detail = services.texts.error(DocumentReaderError(detail="protections"))
        return Check("sandbox", detail, is_ok=False)
    key = _SANDBOXES[Protection.FILES in protections, Protection.CALLS in protections]
    return Check("sandbox", services.texts.say(key), is_ok=len(protections) == len(Protection))


def _locked(environment: CommandEnvironment, _options: Namespace) -> None:
    """Report what can be seen without the passphrase; raises KeyFileDamagedError."""
    from desktop.settings.encryption import KeyFile  # noqa: PLC0415 - of encrypted profiles only

    profile = environment.profile
    KeyFile.of_profile(profile.folder).is_converted()  # reads it
    size = profile.database.stat().st_size if profile.database.exists() else 0
    record: dict[str, JsonValue] = {"locked": True, "path": str(profile.database), "bytes": size}
    shown = environment.texts.megabytes(size)
    environment.report(record, "doctor.locked", path=str(profile.database), size=shown)


def _housekeeping(services: CommandServices, options: Namespace) -> None:
    """Run every task; one that needs consent runs only with `--yes` or after a yes."""
    housekeeping, has_consent = services.core.housekeeping, options.yes
    if not has_consent and (waiting := housekeeping.waiting()):
        if services.can_ask():
            _print(services, waiting, "plan")
            has_consent = services.confirm("housekeeping.confirm")
        else:
            services.say("housekeeping.waits")
    _print(services, housekeeping.run(lambda: False, has_consent=has_consent), "done")
    if services.core.background.take_notice():
        services.say("errors.daily_cap")
    if options.wait:
        services.core.meanings.embed_due(lambda: False)


def _plan(services: CommandServices, _options: Namespace) -> None:
    _print(services, services.core.housekeeping.plan(), "plan")


def _free_space(services: CommandServices, options: Namespace) -> None:
    if not options.output:
        raise UsageError(detail="housekeeping --free-space -o FILE")
    if not services.core.space.use().sessions:
        services.report({"sessions": 0}, "housekeeping.nothing_to_free")
        return
    for step in services.core.space.free(Path(options.output), lambda: False, is_final=True):
        if isinstance(step, Change):
            freed, texts = step.value, services.texts
            sizes = {"before": freed.before_bytes, "after": freed.after_bytes}
            path, count = str(freed.path.absolute()), len(freed.sessions)
            services.report(
                {"path": path, "sessions": count, **sizes},
                "housekeeping.freed",
                n=texts.number(count),
                path=path,
                **{name: texts.megabytes(size) for name, size in sizes.items()},
            )


def _print(services: CommandServices, tasks: Iterable[TaskCount], key: str) -> None:
    done = list(tasks)
    counts: dict[str, JsonValue] = {task.name: task.count for task in done}
    if services.as_json:
        services.print_json({key: counts})
        return
    services.say(f"housekeeping.{key}")
    for task in done:
        services.print_line(services.texts.say(f"housekeeping.{task.name}", n=task.count))


COMMANDS = {
    "doctor": Command(_doctor, locked=_locked),
    "damage": Command(_damage),
    "repair": Command(_repair, Access.REPLACE),
    "stats": Command(_stats),
    "background": Command(_background),
    "housekeeping": Command(_housekeeping, Access.WRITE),
    "plan": Command(_plan),
    "free_space": Command(_free_space, Access.WRITE),
}
