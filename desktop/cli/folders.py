"""`bellek folders`: watch folders of notes, look at them, and write into them."""

from argparse import Namespace
from pathlib import Path

from desktop.cli.commands import Access, Command, CommandServices, object_json
from desktop.domain.errors import UsageError
from desktop.domain.ids import NoteId, SessionId
from desktop.domain.json_values import JsonValue
from desktop.domain.projects import EVERYTHING, NO_PROJECT
from desktop.domain.watched_folders import WatchedFolder, WatchedFolderId
from desktop.sessions.keeping.watched_folders import FolderLook


def _add(services: CommandServices, options: Namespace) -> None:
    folders = services.core.watched_folders
    folder = folders.add(Path(options.path), services.project_of(options) or NO_PROJECT)
    if options.takes_notes:
        folders.allow_notes(folder.id, takes_notes=True)
        folder = folders.folder(folder.id)
    services.report(object_json(folder), "folders.added", path=folder.path, id=folder.id)


def _list(services: CommandServices, _options: Namespace) -> None:
    folders = services.core.watched_folders.folders(EVERYTHING)
    for folder in folders:
        gone = len(services.core.watched_folders.gone(folder))
        if services.as_json:
            services.print_json(object_json(folder) | {"gone": gone})
            continue
        services.print_line(f"{folder.id}  {folder.path}")
        if folder.takes_notes:
            services.print_line(f"    {services.texts.say('folders.takes_notes')}")
        if folder.is_paused:
            services.print_line(f"    {services.texts.say('watches.paused')}")
        if gone:
            services.print_line(f"    {services.texts.count('folders.gone', gone)}")
        if folder.trouble:
            services.print_line(f"    {services.texts.error_of(folder.trouble)}")
    if not folders:
        services.say("folders.empty")


def _look(services: CommandServices, options: Namespace) -> int:
    """Read what is new in one folder, or in all; exit code 1 if a file could not be read."""
    folders, failed = services.core.watched_folders, 0
    looks = folders.look_all() if options.id is None else [folders.look(_id(options))]
    for look in looks:
        failed |= _print_look(services, look)
    return failed


def _print_look(services: CommandServices, look: FolderLook) -> int:
    errors = [added for added in look.report.added if added.error]
    record: dict[str, JsonValue] = {
        "id": look.folder.id,
        "read": look.read,
        "gone": [source.address for source in look.gone],
        "failed": [str(added.path) for added in errors],
    }
    if services.as_json:
        services.print_json(record)
        return int(bool(errors))
    services.say_count("folders.read", look.read, path=look.folder.path)
    for source in look.gone:
        services.say("folders.is_gone", path=source.address, id=source.id)
    for added in errors:
        why = services.texts.error(added.error) if added.error else ""
        services.say("library.failed", path=str(added.path), why=why)
    return int(bool(errors))


def _remove(services: CommandServices, options: Namespace) -> None:
    """Watch a folder no longer: a command has no undo."""
    change = services.core.watched_folders.remove(_id(options))
    folder: WatchedFolder = services.make_final(change)
    record: dict[str, JsonValue] = {"id": folder.id, "deleted": True}
    services.report(record, "folders.removed", path=folder.path)


def _write(services: CommandServices, options: Namespace) -> None:
    """Write a session or a note into a folder that takes notes."""
    if bool(options.session) == bool(options.note):
        raise UsageError(detail="folders write ID --session ID | --note ID")
    writer = services.core.notes_folders
    if options.session:
        path = writer.write_session(SessionId(options.session), _id(options))
    else:
        path = writer.write_note(NoteId(options.note), _id(options))
    services.report({"path": str(path)}, "folders.written", path=str(path))


def _id(options: Namespace) -> WatchedFolderId:
    return WatchedFolderId(options.id)


COMMANDS = {
    "add": Command(_add, Access.WRITE),
    "list": Command(_list),
    "look": Command(_look, Access.WRITE),
    "remove": Command(_remove, Access.WRITE),
    "write": Command(_write),
}
