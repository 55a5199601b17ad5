"""`bellek library`: add, list, remove, find a quotation on its page."""

from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path

from desktop.cli.commands import (
    Access,
    Command,
    CommandServices,
    object_json,
    print_each,
    to_json,
)
from desktop.domain.errors import AppError, StorageError, UsageError
from desktop.domain.ids import SourceId
from desktop.domain.json_values import JsonValue
from desktop.domain.projects import EVERYTHING
from desktop.domain.sources import Source, SourceState
from desktop.domain.times import utc_text
from desktop.research.library import (
    AddedDocument,
    AddOutcome,
    LibraryProgress,
    LibraryReport,
    is_address,
)


def _add(services: CommandServices, options: Namespace) -> int:
    """Add everything readable; the rest is named, and makes the exit code 1."""
    if not all(options.paths):  # an empty path would mean the current folder
        raise UsageError(detail="library add PATH…")

    def tell(progress: LibraryProgress) -> None:
        if progress.done is not None:
            _print_added(services, str(progress.path), progress.done)

    failures = 0
    for address in filter(is_address, options.paths):
        page = _read_page(services, address)
        _print_added(services, address, page)
        failures += page.error is not None
    names = [name for name in options.paths if not is_address(name)]
    report = services.core.library.add(
        [Path(name) for name in names], with_copies=options.copy, on_progress=tell
    )
    if options.wait:
        services.core.meanings.embed_due(lambda: False)
    empty = _empty_folders(names, report)
    for name in empty:
        services.say("library.nothing", path=name)
    if not services.as_json and len(report.added) > 1:
        counts = {outcome.value: len(report.of(outcome)) for outcome in AddOutcome}
        services.say("library.done", **counts)
    return 1 if failures or empty or any(document.error for document in report.added) else 0


def _read_page(services: CommandServices, address: str) -> AddedDocument:
    try:
        page = services.core.add_page(address)
    except StorageError:
        raise
    except AppError as exc:
        return AddedDocument(Path(), AddOutcome.FAILED, error=exc)
    return AddedDocument(Path(), page.outcome, page.source)


def _list(services: CommandServices, _options: Namespace) -> int:
    library = services.core.library

    def lines(source: Source) -> str:
        when = f"{source.added_at.astimezone():%Y-%m-%d}"
        suffix = "_copied" if source.copy else ""
        gone = [services.texts.say(f"library.gone{suffix}")] if library.is_gone(source) else []
        return "\n    ".join((f"{source.id}  {when}  {source.title}", source.address, *gone))

    def values(source: Source) -> Mapping[str, JsonValue]:
        return object_json(source) | {"is_gone": library.is_gone(source)}

    print_each(
        services,
        services.archive.sources(EVERYTHING),
        lines,
        as_json=values,
        empty="library.empty",
    )
    return 0


def _mark(services: CommandServices, options: Namespace) -> int:
    """Print where a quotation stands on the pages of a PDF, if it does letter by letter."""
    library, source = services.core.library, services.archive.source(SourceId(options.id))
    file, page = library.pdf(source), library.page_of(source, options.quote)
    mark = None
    if file is not None:
        with services.core.document_pages as pages:
            mark = pages.mark(file, options.quote, (page or 1) - 1)
    if mark is None:
        services.report({"page": page, "rectangles": []}, "library.unmarked")
        return 0
    rectangles: list[JsonValue] = [
        [round(number, 2) for number in rectangle] for rectangle in mark.rectangles
    ]
    record: dict[str, JsonValue] = {
        "page": mark.index + 1,
        "rectangles": rectangles,
        "letters": mark.letters,
    }
    services.report(record, "library.marked", page=mark.index + 1, words=mark.letters)
    return 0


def _remove(services: CommandServices, options: Namespace) -> int:
    """Remove for good: a command has no undo."""
    change = services.core.sources.remove([SourceId(options.id)])
    (source,) = change.value
    record: dict[str, JsonValue] = {"id": source.id, "deleted": True}
    services.report(record, "library.removed", title=source.title)
    services.make_final(change)
    return 0


def _print_added(services: CommandServices, path: str, document: AddedDocument) -> None:
    source = document.source
    why = services.texts.error(document.error) if document.error else ""
    key = f"library.{document.outcome.value}"
    if services.as_json:
        services.print_json(
            {
                "path": path,
                "outcome": document.outcome.value,
                **({} if source is None else object_json(source)),
                "error": to_json(document.error),
                "message": why or None,
                "read_at": None if source is None else utc_text(source.read_at),
            }
        )
    elif source is not None and document.outcome is AddOutcome.KNOWN:
        services.say(key, path=path, title=source.title)
    elif source is not None:
        services.say_count(key, source.passages, path=path, title=source.title)
        if source.state is SourceState.PARTIAL:
            services.say(f"library.partial{'' if source.pages else '_parts'}", path=path)
    if document.error is not None and "path" in document.error.values:
        services.note(why)
    elif why:
        services.say("library.failed", path=path, why=why)


def _empty_folders(names: list[str], report: LibraryReport) -> list[str]:
    paths = [document.path for document in report.added]
    return [
        name
        for name in names
        if Path(name).is_dir() and not any(path.is_relative_to(name) for path in paths)
    ]


COMMANDS = {
    "add": Command(_add, Access.WRITE),
    "list": Command(_list),
    "mark": Command(_mark),
    "remove": Command(_remove, Access.WRITE),
}
