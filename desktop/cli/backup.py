"""`bellek backup` and `bellek restore`."""

import errno
import os
from argparse import Namespace
from pathlib import Path

from desktop.cli.commands import Access, Command, CommandEnvironment, CommandServices
from desktop.cli.profile import key_of_backup
from desktop.domain.backups import BackupPreview
from desktop.domain.errors import FileNotWrittenError, UsageError
from desktop.domain.json_values import JsonValue
from desktop.sessions.archive_care import (
    SCHEMA_VERSION,
    copy_locked,
    describe_backup,
    describe_written,
    find_free_path,
    look_into_backup,
    restore_backup,
    suggest_backup_name,
)


def _backup(services: CommandServices, options: Namespace) -> int:
    """Write a copy of the archive without deleted items, whether their deletion is final or not.

    It has no keys: they are in the system's keyring, never in the archive.
    """
    done = services.core.care.write_backup(_target(services, options.path))
    path = str(done.path.absolute())
    counts = {"sessions": done.contents.sessions, "messages": done.contents.messages}
    if services.as_json:
        services.print_json({"path": path, **counts, "bytes": done.size_bytes})
    else:
        services.print_line(path)
        for sentence in describe_written(done, services.texts):
            services.note(sentence)
    return 0


def _restore(environment: CommandEnvironment, options: Namespace) -> int:
    """Restore a backup; the archive that was there is kept in the profile's backups."""
    if not options.path:  # an empty path would mean the current folder
        raise UsageError(detail="restore PATH")
    profile = environment.profile
    source = Path(options.path)
    source_key = key_of_backup(environment, options, source)
    if options.preview:
        return _preview(environment, source, look_into_backup(source, source_key))
    done = restore_backup(
        source,
        database=profile.database,
        backups=profile.backups,
        key=environment.key,
        key_of_source=source_key,
    )
    counts = {"sessions": done.contents.sessions, "messages": done.contents.messages}
    record = {
        "restored": str(Path(options.path).absolute()),
        "path": str(profile.database),
        **counts,
        "kept": str(done.kept) if done.kept else None,
        "from_version": done.was_version,
        "version": SCHEMA_VERSION,
    }
    environment.report(record, "backup.restored", **_shown(environment, counts))
    if done.kept and not environment.as_json:
        environment.say("backup.kept", path=str(done.kept))
    return 0


def _preview(environment: CommandEnvironment, source: Path, preview: BackupPreview) -> int:
    counts = {
        "sessions": preview.contents.sessions,
        "messages": preview.contents.messages,
        "documents": preview.documents,
    }
    days = {"first": preview.first_day, "last": preview.last_day}
    record: dict[str, JsonValue] = {
        "path": str(source.absolute()),
        **counts,
        **days,
        "bytes": preview.size_bytes,
    }
    if environment.as_json:
        environment.print_json(record)
    else:
        environment.note(describe_backup(preview, environment.texts))
    return 0


def _shown(environment: CommandEnvironment, counts: dict[str, int]) -> dict[str, str]:
    return {name: environment.texts.number(n) for name, n in counts.items()}


def _backup_locked(environment: CommandEnvironment, options: Namespace) -> int:
    """Copy the encrypted archive, with its log and its key file, without the passphrase."""
    target = _target(environment, options.path)
    copy_locked(environment.profile, target)
    path = str(target.absolute())
    environment.report({"path": path, "locked": True}, "backup.locked", path=path)
    return 0


def _target(services: CommandEnvironment, named: str) -> Path:
    if not named:
        raise UsageError(detail="backup PATH")
    path = Path(named)
    if path.is_dir():
        return find_free_path(path, suggest_backup_name(services.profile.folder.name))
    if named.endswith((os.sep, os.altsep or os.sep)):  # a folder that does not exist
        raise FileNotWrittenError(path=named, detail=os.strerror(errno.ENOENT))
    return path


COMMANDS = {
    "backup": Command(_backup, locked=_backup_locked),
    "restore": Command(_restore, Access.REPLACE),
}
