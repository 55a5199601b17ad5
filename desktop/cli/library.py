"""`bellek library`: add, list, show, open, edit, remove, read scans, mark a quotation."""

import errno
import os
import webbrowser
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from desktop.cli.commands import (
    Access,
    Command,
    CommandServices,
    error_json,
    object_json,
    print_each,
    to_json,
)
from desktop.cli.references import import_references
from desktop.domain.errors import AppError, FileUnreadableError, StorageError, UsageError
from desktop.domain.ids import SourceId
from desktop.domain.json_values import JsonValue
from desktop.domain.projects import EVERYTHING, NO_PROJECT, ProjectId
from desktop.domain.references import CUSTOM, MADE_ADDRESS, Work, shown_field
from desktop.domain.sharing import ItemKind
from desktop.domain.sources import Source, SourceState
from desktop.domain.times import utc_text
from desktop.language.links import is_web_address
from desktop.references.fields import checked_field, marked_title
from desktop.research.documents.page_reader import PageMark
from desktop.research.library import (
    REFERENCE_FILES,
    AddedDocument,
    AddOutcome,
    LibraryProgress,
    LibraryReport,
    is_address,
)
from desktop.research.scans import ScanProgress, ScanReport


def _add(services: CommandServices, options: Namespace) -> int:
    """Add everything readable; the rest is named, and makes the exit code 1."""
    if not all(options.paths):  # an empty path would mean the current folder
        raise UsageError(detail="library add PATH…")

    def tell(progress: LibraryProgress) -> None:
        if progress.done is not None:
            _print_added(services, str(progress.path), progress.done)

    project = services.project_of(options)
    failures = 0
    for address in filter(is_address, options.paths):
        page = _read_page(services, address, project or NO_PROJECT)
        _print_added(services, address, page)
        failures += page.error is not None
    files = [name for name in options.paths if not is_address(name)]
    lists = [name for name in files if Path(name).suffix.lower() in REFERENCE_FILES]
    names = [name for name in files if name not in lists]
    report = services.core.library.of(project or NO_PROJECT).add(
        [Path(name) for name in names],
        with_copies=options.copy or services.core.settings_store.current.copies_documents,
        on_progress=tell,
    )
    failures += import_references(services, lists, project)
    if options.wait:
        services.core.meanings.embed_due(lambda: False)
    empty = _empty_folders(names, report)
    for name in empty:
        services.say("library.nothing", path=name)
    if not services.as_json and len(report.added) > 1:
        counts = {outcome.value: len(report.of(outcome)) for outcome in AddOutcome}
        services.say("library.done", **counts)
    return 1 if failures or empty or any(document.error for document in report.added) else 0


def _read_page(services: CommandServices, address: str, project: ProjectId) -> AddedDocument:
    try:
        page = services.core.add_page(address, project)
    except StorageError:
        raise
    except AppError as exc:
        return AddedDocument(Path(), AddOutcome.FAILED, error=exc)
    return AddedDocument(Path(), page.outcome, page.source)


def _list(services: CommandServices, _options: Namespace) -> None:
    library = services.core.library
    owners = services.archive.owners(ItemKind.SOURCE)

    def lines(work: Work) -> str:
        source = work.source
        owner = owners.get(source.id)
        by = [services.texts.say("sharing.by", name=owner)] if owner else []
        when = f"{source.added_at.astimezone():%Y-%m-%d}"
        suffix = "_copied" if source.copy else ""
        gone = [services.texts.say(f"library.gone{suffix}")] if library.is_gone(source) else []
        about = [authors] if (authors := _authors_and_year(work)) else []
        head = f"{source.id}  {when}  {_marked(services, work)}"
        return "\n    ".join((head, *about, *by, *_addresses(source), *gone))

    print_each(
        services,
        services.archive.works(EVERYTHING),
        lines,
        as_json=lambda work: _work_json(services, work),
        empty="library.empty",
    )


def _mark(services: CommandServices, options: Namespace) -> None:
    """Print where a quotation stands on the pages of a PDF, if it does letter by letter."""
    library, source = services.core.library, services.archive.source(SourceId(options.id))
    file, page = library.pdf(source), library.page_of(source, options.quote)
    mark = None
    if file is not None:
        with services.core.document_pages as pages:
            mark = pages.mark(file, options.quote, (page or 1) - 1)
    if mark is None:
        services.report({"page": page, "rectangles": []}, "library.unmarked")
        return
    marks = [mark, mark.goes_on] if mark.goes_on else [mark]
    letters = " ".join(part.letters for part in marks)
    record: dict[str, JsonValue] = {
        **_mark_record(mark),
        "letters": letters,
        "is_scanned": any(part.is_scanned for part in marks),
        "uncertain": [word for part in marks for word in part.uncertain],
        "marks": [_mark_record(part) for part in marks],
    }
    services.report(record, "library.marked", page=mark.index + 1, words=letters)


def _mark_record(mark: PageMark) -> dict[str, JsonValue]:
    rectangles: list[JsonValue] = [
        [round(number, 2) for number in rectangle] for rectangle in mark.rectangles
    ]
    return {"page": mark.index + 1, "rectangles": rectangles}


def _ocr(services: CommandServices, options: Namespace) -> int:
    """Read the scanned pages of some documents, or of all that need it."""
    scans, archive = services.core.scans, services.archive
    sources = [archive.source(SourceId(source)) for source in options.ids] or scans.due()
    has_failed = False

    def show_progress(progress: ScanProgress) -> None:
        counts = {"page": progress.page, "number": progress.number, "pages": progress.pages}
        services.say("library.ocr_page", title=progress.source.title, **counts)

    def show_done(report: ScanReport) -> None:
        nonlocal has_failed
        has_failed |= bool(report.failed_pages or report.error)
        _print_ocr(services, report)

    if not sources and not services.as_json:
        services.say("library.ocr_nothing")
    if sources:
        scans.read(sources, on_progress=show_progress, on_done=show_done)
    return int(has_failed)


def _print_ocr(services: CommandServices, report: ScanReport) -> None:
    source, failed = report.source, list(report.failed_pages)
    why = services.texts.error(report.error) if report.error else ""
    if services.as_json:
        services.print_json(
            {
                "id": source.id,
                "title": source.title,
                "pages_read": report.pages,
                "words": report.words,
                "uncertain_words": report.uncertain,
                "failed_pages": to_json(failed),
                "needs_ocr": source.needs_ocr,
                **error_json(services.texts, report.error),
            }
        )
        return
    counts = {"pages": report.pages, "words": report.words, "uncertain": report.uncertain}
    services.say("library.ocr_done", title=source.title, **counts)
    if failed:
        pages = ", ".join(map(str, failed))
        services.say("library.ocr_failed", title=source.title, pages=pages)
    if why:
        services.say("library.failed", path=source.title, why=why)


def _addresses(source: Source) -> Sequence[str]:
    """Return where a source is; a work without a document has only a made name."""
    return [] if source.address.startswith(MADE_ADDRESS) else [source.address]


def _authors_and_year(work: Work) -> str:
    year = work.reference.year
    authors = "; ".join(work.reference.authors)
    return f"{authors} ({year})".strip() if year else authors


def _marked(services: CommandServices, work: Work) -> str:
    return marked_title(work.source.title, work.reference.marks, services.texts)


def _work_json(services: CommandServices, work: Work) -> dict[str, JsonValue]:
    source = work.source
    return object_json(source) | {
        "marks": to_json(work.reference.marks),
        "is_gone": services.core.library.is_gone(source),
        "reference": dict(work.reference.csl),
        "origins": object_json(work.reference.origins),
        "finished_at": to_json(work.finished_at),
        "needs_ocr": source.needs_ocr,
    }


def _show(services: CommandServices, options: Namespace) -> None:
    """Print a work's reference, each field with where it is from."""
    work = services.archive.work(SourceId(options.id))
    if services.as_json:
        services.print_json(_work_json(services, work))
        return
    head = f"{work.source.id}  {_marked(services, work)}"
    for line in (head, *_addresses(work.source)):
        services.print_line(line)
    for name, value in work.reference.csl.items():
        if name == CUSTOM:
            continue
        origin = work.reference.origins.get(name)
        where = f"  ({services.texts.say(f'references.from_{origin.value}')})" if origin else ""
        services.print_line(f"    {name}: {shown_field(value)}{where}")
    if work.finished_at:
        day = f"{work.finished_at.astimezone():%Y-%m-%d}"
        services.print_line(f"    {services.texts.say('references.read', day=day)}")


def _open(services: CommandServices, options: Namespace) -> int:
    """Open the file or the page of a source in the system's program for it."""
    source = services.archive.source(SourceId(options.id))
    address = source.address if is_web_address(source.address) else ""
    if not address:
        file = services.core.library.openable(source)
        if file is None:
            raise FileUnreadableError(path=source.address, detail=os.strerror(errno.ENOENT))
        address = file.absolute().as_uri()
    is_opened = webbrowser.open(address)
    record: dict[str, JsonValue] = {"id": source.id, "address": address, "is_opened": is_opened}
    services.report(record, f"library.{'opened' if is_opened else 'unopened'}", address=address)
    return int(not is_opened)


def _edit(services: CommandServices, options: Namespace) -> None:
    """Store what was typed; an empty value removes a field."""
    source_id = SourceId(options.id)
    pairs = [entry.partition("=") for entry in options.fields]
    if any(not (name.strip() and equals) for name, equals, _ in pairs):
        raise UsageError(detail="library edit ID FIELD=VALUE…")
    if options.read and options.unread:
        raise UsageError(detail="--read --unread")
    references = services.core.references
    names = services.archive.work(source_id).reference.csl.keys() - {CUSTOM}
    fields = dict(
        checked_field(name.strip(), value, other_names=names) for name, _, value in pairs
    )
    if fields or not (options.read or options.unread):
        references.edit(source_id, fields)
    if options.read or options.unread:
        references.mark_read([source_id], is_read=options.read)
    work = services.archive.work(source_id)
    services.report(_work_json(services, work), "references.edited", title=work.source.title)


def _remove(services: CommandServices, options: Namespace) -> None:
    """Remove for good: a command has no undo."""
    change = services.core.sources.remove([SourceId(options.id)])
    (source,) = change.value
    record: dict[str, JsonValue] = {"id": source.id, "deleted": True}
    services.report(record, "library.removed", title=source.title)
    services.make_final(change)


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
                "needs_ocr": source is not None and source.needs_ocr,
                **error_json(services.texts, document.error),
                "read_at": None if source is None else utc_text(source.read_at),
            }
        )
    elif source is not None and document.outcome is AddOutcome.KNOWN:
        services.say(key, path=path, title=source.title)
    elif source is not None:
        services.say_count(key, source.passages, path=path, title=source.title)
        _print_unread(services, path, document, source)
    if document.error is not None and "path" in document.error.values:
        services.note(why)
    elif why:
        services.say("library.failed", path=path, why=why)


def _print_unread(
    services: CommandServices, path: str, document: AddedDocument, source: Source
) -> None:
    """Print what of a document was not read, and what would read it."""
    if document.hint:
        services.say("library.failed", path=path, why=services.texts.error(document.hint))
    elif source.needs_ocr:
        services.say("library.scanned", path=path)
    elif source.state is SourceState.PARTIAL:
        services.say("library.partial_parts", path=path)


def _empty_folders(names: list[str], report: LibraryReport) -> list[str]:
    paths = [document.path for document in report.added]
    return [
        name
        for name in names
        if Path(name).is_dir() and not any(path.is_relative_to(name) for path in paths)
    ]


COMMANDS = {
    "add": Command(_add, Access.WRITE),
    "edit": Command(_edit, Access.WRITE),
    "list": Command(_list),
    "mark": Command(_mark),
    "ocr": Command(_ocr, Access.WRITE),
    "open": Command(_open),
    "remove": Command(_remove, Access.WRITE),
    "show": Command(_show),
}
