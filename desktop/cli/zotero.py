"""`bellek zotero`: what is in a Zotero on this computer, reading it, and sending works to it."""

from argparse import Namespace
from typing import TYPE_CHECKING

from desktop.cli.commands import Access, Command, CommandServices, error_json, object_json
from desktop.domain.errors import UsageError
from desktop.domain.ids import SourceId
from desktop.domain.json_values import JsonValue
from desktop.research.library import LibraryProgress

if TYPE_CHECKING:
    from desktop.sessions.zotero import ZoteroReport


def _status(services: CommandServices, _options: Namespace) -> None:
    """Print the collections, each with the name that `import` takes."""
    status, linked = services.core.zotero.status(), len(services.core.zotero.linked())
    if services.as_json:
        collections: list[JsonValue] = [object_json(each) for each in status.collections]
        record: dict[str, JsonValue] = {
            "version": status.version,
            "collections": collections,
            "linked": linked,
        }
        services.print_json(record)
        return
    services.say_count("zotero.runs", linked, version=status.version)
    for collection in status.collections:
        services.print_line(f"{collection.key}  {collection.name} ({collection.items})")


def _import(services: CommandServices, options: Namespace) -> int:
    """Add what is new and read again what changed; a file that fails makes the exit code 1."""
    report = services.core.zotero.add(
        options.collection,
        services.project_of(options),
        with_copies=options.copy,
        on_progress=lambda progress: _tell(services, progress),
    )
    return _print(services, report, "zotero.imported", len(report.added))


def _refresh(services: CommandServices, options: Namespace) -> int:
    """Read again what changed; what is gone is only listed, without an option."""
    if options.remove_gone and options.keep_gone:
        raise UsageError(detail="--remove-gone --keep-gone")
    report = services.core.zotero.refresh(on_progress=lambda progress: _tell(services, progress))
    code = _print(services, report, "zotero.refreshed", len(report.renewed))
    gone = [work.source for work in report.gone]
    if not services.as_json:
        for source in gone:
            services.print_line(f"{source.id}  {source.title}")
    if gone and options.remove_gone:
        services.make_final(services.core.sources.remove([source.id for source in gone]))
        services.say_count("zotero.removed", len(gone))
    elif gone and options.keep_gone:
        services.core.zotero.forget(report.gone)
        services.say_count("zotero.kept", len(gone))
    elif gone:
        services.say_count("zotero.gone", len(gone))
    return code


def _send(services: CommandServices, options: Namespace) -> None:
    count = services.core.zotero.send([SourceId(source_id) for source_id in options.ids])
    if services.as_json:
        services.print_json({"sent": count})
    else:
        services.say_count("zotero.sent", count)


def _tell(services: CommandServices, progress: LibraryProgress) -> None:
    if progress.done is not None and not services.as_json:
        services.note(f"{progress.number}/{progress.files}  {progress.path.name}")


def _print(services: CommandServices, report: "ZoteroReport", key: str, n: int) -> int:
    counts = {
        "added": len(report.added),
        "filled": len(report.filled),
        "renewed": len(report.renewed),
        "bare": report.bare,
        "notes": report.notes,
    }
    ids: list[JsonValue] = [
        work.source.id for work in (*report.added, *report.filled, *report.renewed)
    ]
    failed: list[JsonValue] = [
        {"path": str(document.path), **error_json(services.texts, document.error)}
        for document in report.failed
    ]
    gone: list[JsonValue] = [work.source.id for work in report.gone]
    record: dict[str, JsonValue] = {**counts, "ids": ids, "failed": failed, "gone": gone}
    services.report_count(record, key, n, **counts)
    for document in report.failed:
        why = services.texts.error(document.error) if document.error else ""
        services.say("library.failed", path=str(document.path), why=why)
    if report.notes and not services.as_json:
        services.say_count("zotero.noted", report.notes)
    return 1 if report.failed else 0


COMMANDS = {
    "import": Command(_import, Access.WRITE),
    "refresh": Command(_refresh, Access.WRITE),
    "send": Command(_send),
    "status": Command(_status),
}
