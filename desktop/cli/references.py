"""`bellek references`: export, import, and the works that are there twice."""

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from desktop.cli.commands import (
    Access,
    Command,
    CommandServices,
    error_json,
    object_json,
    written_to,
)
from desktop.domain.errors import AppError, StorageError, UsageError
from desktop.domain.ids import SessionId, SourceId
from desktop.domain.json_values import JsonValue
from desktop.domain.projects import EVERYTHING, ProjectId
from desktop.domain.references import Work


def _export(services: CommandServices, options: Namespace) -> None:
    from desktop.references.formats import FORMATS, LIST, write_references  # noqa: PLC0415 - only here

    works = _chosen(services, options)
    if options.format == LIST:
        _export_list(services, options, works)
        return
    form = next(form for form in FORMATS if form.name == options.format)
    text = write_references([work.reference for work in works], form)
    with written_to(services, options.output) as write:
        write(text)


def _export_list(services: CommandServices, options: Namespace, works: Sequence[Work]) -> None:
    """Write the formatted list: as text, in a .html file as HTML, or as JSON."""
    from desktop.references.formats import with_keys  # noqa: PLC0415 - only here
    from desktop.references.formatting import format_list  # noqa: PLC0415 - as above

    items = with_keys([work.reference for work in works])
    entries = format_list(items, options.style or "apa", services.core.language())
    if services.as_json and not options.output:
        for entry in entries:
            services.print_json(object_json(entry))
        return
    is_html = Path(options.output or "").suffix.lower() in {".html", ".htm"}
    with written_to(services, options.output) as write:
        for entry in entries:
            write(f"<p>{entry.html}</p>\n" if is_html else f"{entry.text}\n")


def _chosen(services: CommandServices, options: Namespace) -> Sequence[Work]:
    """Return the named works, what a session cites, a project's works, or the whole library."""
    references = services.core.references
    choices = [options.ids, options.session, options.project]
    if sum(map(bool, choices)) > 1:
        raise UsageError(detail="references export [ID… | --session ID | --project NAME]")
    if options.ids:
        return references.works([SourceId(source_id) for source_id in options.ids])
    if options.session:
        return references.of_session(SessionId(options.session))
    if project := services.project_of(options):
        return references.of_project(project)
    return services.archive.works(EVERYTHING)[::-1]  # as they were added


def _import(services: CommandServices, options: Namespace) -> int:
    """Import everything readable; the rest is named, and makes the exit code 1."""
    if not all(options.files):  # an empty path would mean the current folder
        raise UsageError(detail="references import FILE…")
    return int(import_references(services, options.files, services.project_of(options)) > 0)


def import_references(
    services: CommandServices, names: Sequence[str], project: ProjectId | None = None
) -> int:
    """Import files of references, print what became of each, return how many failed."""
    failures = 0
    for name in names:
        try:
            change = services.core.references.import_file(Path(name), project)
        except StorageError:
            raise
        except AppError as exc:
            failures += 1
            services.note(services.texts.error(exc))
            if services.as_json:
                services.print_json({"file": name, **error_json(services.texts, exc)})
            continue
        report = change.value
        counts = {
            "added": len(report.added),
            "filled": len(report.filled),
            "known": len(report.known),
        }
        ids: list[JsonValue] = [work.source.id for work in (*report.added, *report.filled)]
        record: dict[str, JsonValue] = {"file": name, **counts, "ids": ids}
        services.report_count(
            record,
            "references.imported",
            len(report.added),
            path=name,
            **counts,
        )
    return failures


def _duplicates(services: CommandServices, options: Namespace) -> None:
    """Print the works that are the same, a group a line, or merge each group."""
    references = services.core.references
    groups = references.duplicates(EVERYTHING)
    for group in groups:
        ids = [work.source.id for work in group]
        title = group[0].source.title
        if options.merge:
            ids_json: list[JsonValue] = [*ids]
            stays = references.merge(ids).value.source
            record = {"merged": ids_json, "id": stays.id, "title": stays.title}
            services.report(record, "references.merged", count=len(ids), title=stays.title)
        elif services.as_json:
            services.print_json({"ids": [*ids], "title": title})
        else:
            services.print_line(f"{' '.join(ids)}  {title}")
    if not groups and not services.as_json:
        services.say("references.no_duplicates")


COMMANDS = {
    "duplicates": Command(_duplicates, Access.WRITE),
    "export": Command(_export),
    "import": Command(_import, Access.WRITE),
}
