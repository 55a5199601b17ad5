"""`bellek notes`: list, add, edit, remove, export as Markdown."""

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from desktop.cli.commands import (
    Access,
    Command,
    CommandServices,
    object_json,
    print_each,
    written_to,
)
from desktop.domain.errors import UsageError
from desktop.domain.ids import NoteId, SourceId
from desktop.domain.json_values import JsonValue
from desktop.domain.notes import Note, notes_markdown
from desktop.domain.projects import EVERYTHING, Wall


def _list(services: CommandServices, options: Namespace) -> None:
    def lines(note: Note) -> str:
        page = services.texts.say("library.page", page=note.page) if note.page else ""
        origin = services.texts.say("notes.of_file") if note.is_of_file else ""
        head = "  ".join(filter(None, (note.id, note.title, page, origin)))
        quote = f"“{note.quote}”" if note.quote else ""
        return "\n    ".join(filter(None, (head, quote, note.text)))

    print_each(services, _chosen(services, options), lines, empty="notes.empty")


def _chosen(services: CommandServices, options: Namespace) -> Sequence[Note]:
    """Return the notes of a source, of a project, or all."""
    if options.source and options.project:
        raise UsageError(detail="notes [--source ID | --project NAME]")
    if options.source:
        source = services.archive.source(SourceId(options.source))
        return services.archive.notes_of_source(source.id)
    project = services.project_of(options)
    return services.archive.notes(Wall(project) if project else EVERYTHING)


def _add(services: CommandServices, options: Namespace) -> None:
    if not options.quote.strip() or (options.page is not None and options.page < 1):
        raise UsageError(detail="notes add --source ID --quote TEXT [--text TEXT] [--page N]")
    change = services.core.notes.add(
        SourceId(options.source), options.quote, options.text or "", page=options.page
    )
    note = change.value
    key = "notes.added" if note.passage_id else "notes.added_unplaced"
    services.report(object_json(note), key, title=note.title)


def _edit(services: CommandServices, options: Namespace) -> None:
    note = services.core.notes.edit(NoteId(options.id), options.text).value
    services.report(object_json(note), "notes.edited", title=note.title)


def _remove(services: CommandServices, options: Namespace) -> None:
    """Remove for good: a command has no undo."""
    change = services.core.notes.delete(NoteId(options.id))
    note = change.value
    record: dict[str, JsonValue] = {"id": note.id, "deleted": True}
    services.report(record, "notes.removed", title=note.title)
    services.make_final(change)


def _export(services: CommandServices, options: Namespace) -> None:
    if options.format == "pdf":
        _export_pdf(services, options)
        return
    notes = _chosen(services, options)
    if services.as_json and not options.output:
        print_each(services, notes, str)
        return
    text = notes_markdown(notes, lambda page: services.texts.say("library.page", page=page))
    with written_to(services, options.output) as write:
        write(text)


def _export_pdf(services: CommandServices, options: Namespace) -> None:
    """Write a copy of a PDF with the notes as annotations."""
    if not options.source or not options.output:
        raise UsageError(detail="notes export --source ID --format pdf -o PATH")
    source = services.archive.source(SourceId(options.source))
    with services.core.document_pages as pages:
        written = services.core.library.write_annotated(source, pages, Path(options.output))
    record: dict[str, JsonValue] = {"path": options.output, "written": written}
    services.report(record, "notes.written", path=options.output, count=written)


COMMANDS = {
    "add": Command(_add, Access.WRITE),
    "edit": Command(_edit, Access.WRITE),
    "export": Command(_export),
    "list": Command(_list),
    "remove": Command(_remove, Access.WRITE),
}
