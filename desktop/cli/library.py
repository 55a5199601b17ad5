"""`bellek library`: add, list, remove."""

from argparse import Namespace
from pathlib import Path

from desktop.cli.backup import say_still_held
from desktop.cli.output import object_json, print_json, say, to_json
from desktop.cli.services import CommandServices
from desktop.domain.errors import AppError, StorageError, UsageError
from desktop.domain.ids import SourceId
from desktop.domain.model import JsonValue
from desktop.domain.sources import Source, SourceState
from desktop.domain.times import utc_text
from desktop.research.library import (
    AddedDocument,
    AddOutcome,
    LibraryProgress,
    LibraryReport,
    WebPageImport,
    is_address,
)


def source_json(source: Source) -> dict[str, JsonValue]:
    return object_json(source)


def add(services: CommandServices, options: Namespace) -> int:
    """Everything readable goes in; what is not is named, and makes the exit code 1."""
    if not all(options.paths):  # it would stand for the folder one is in
        raise UsageError(detail="library add PATH…")

    def tell(progress: LibraryProgress) -> None:
        if progress.done is not None:
            _tell(services, options, str(progress.path), progress.done)

    failures = 0
    for address in filter(is_address, options.paths):
        page = _read_page(services, address)
        _tell(services, options, address, page)
        failures += page.error is not None
    names = [name for name in options.paths if not is_address(name)]
    report = services.core.library.add(
        [Path(name) for name in names],
        with_copies=options.copy,
        on_progress=tell,
    )
    if options.wait:
        services.core.meanings.embed_due(lambda: False)
    empty = _empty_folders(names, report)
    for name in empty:
        say(services, "library.nothing", path=name)
    if not options.json and len(report.added) > 1:
        counts = {outcome.value: len(report.of(outcome)) for outcome in AddOutcome}
        say(services, "library.done", **counts)
    return 1 if failures or empty or any(one.error for one in report.added) else 0


def _read_page(services: CommandServices, address: str) -> AddedDocument:
    try:
        page = WebPageImport(services.core.web, services.archive.sources).add(address)
    except StorageError:
        raise
    except AppError as exc:
        return AddedDocument(Path(), AddOutcome.FAILED, error=exc)
    return AddedDocument(Path(), page.outcome, page.source)


def list_sources(services: CommandServices, options: Namespace) -> int:
    sources = services.archive.sources.sources()
    for source in sources:
        if options.json:
            print_json(services, source_json(source))
            continue
        when = f"{source.added_at.astimezone():%Y-%m-%d}"
        print(f"{source.id}  {when}  {source.title}", file=services.stdout)
        print(f"    {source.address}", file=services.stdout)
    if not sources and not options.json:
        say(services, "library.empty")
    return 0


def remove(services: CommandServices, options: Namespace) -> int:
    """Final at once: a command has no undo."""
    source = services.core.library.remove(SourceId(options.id))
    services.archive.purge()
    if options.json:
        print_json(services, {"id": source.id, "deleted": True})
    else:
        say(services, "library.removed", title=source.title)
    say_still_held(services, services.archive.backups_since(source.added_at))
    return 0


def _tell(services: CommandServices, options: Namespace, path: str, one: AddedDocument) -> None:
    source = one.source
    why = services.texts.error(one.error) if one.error else ""
    if options.json:
        print_json(
            services,
            {
                "path": path,
                "outcome": one.outcome.value,
                **({} if source is None else source_json(source)),
                "error": None if one.error is None else to_json(one.error),
                "message": why or None,
                "read_at": None if source is None else utc_text(source.read_at),
            },
        )
    elif source is not None:
        print(_told(services, path, one.outcome, source), file=services.stderr)
        if source.state is SourceState.PARTIAL and one.outcome is not AddOutcome.KNOWN:
            say(services, "library.partial", path=path)
    if one.error is not None and "path" in one.error.values:
        print(why, file=services.stderr)
    elif why:
        say(services, "library.failed", path=path, why=why)


def _told(services: CommandServices, path: str, outcome: AddOutcome, source: Source) -> str:
    key = f"library.{outcome.value}"
    if outcome is AddOutcome.KNOWN:
        return services.texts.say(key, path=path, title=source.title)
    return services.texts.count(key, source.passages, path=path, title=source.title)


def _empty_folders(names: list[str], report: LibraryReport) -> list[str]:
    """Those that were named, and in which nothing was found."""
    found = [one.path for one in report.added]
    return [
        name
        for name in names
        if Path(name).is_dir() and not any(one.is_relative_to(name) for one in found)
    ]
