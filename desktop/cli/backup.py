"""`bellek backup` and `bellek restore`."""

import errno
import os
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from desktop.cli.output import print_json, say
from desktop.cli.services import CommandEnvironment, CommandServices
from desktop.domain.errors import FileNotWrittenError, UsageError
from desktop.sessions.archive_service import (
    SCHEMA_VERSION,
    find_free_path,
    restore_backup,
    suggest_backup_name,
)


def backup(services: CommandServices, options: Namespace) -> int:
    """The copy is what the archive shows: what was deleted is not in it, final or not.

    Keys are not in it either: they lie in the system's keyring, never in the archive.
    """
    done = services.archive.write_backup(_target(services, options.path))
    path = str(done.path.absolute())
    counts = {"sessions": done.contents.sessions, "messages": done.contents.messages}
    if options.json:
        print_json(services, {"path": path, **counts, "bytes": done.size_bytes})
    else:
        print(path, file=services.stdout)
        size = services.texts.megabytes(done.size_bytes)
        say_counts(services, "backup.written", counts, size=size)
    if services.archive.copies.has_any:
        say(services, "backup.documents", folder=str(services.archive.copies.folder))
    return 0


def restore(environment: CommandEnvironment, options: Namespace) -> int:
    """Restore a backup; the archive that was there is kept in the profile's backups."""
    if not options.path:  # it would stand for the folder one is in
        raise UsageError(detail="restore PATH")
    profile = environment.profile
    done = restore_backup(Path(options.path), database=profile.database, backups=profile.backups)
    counts = {"sessions": done.contents.sessions, "messages": done.contents.messages}
    if options.json:
        print_json(
            environment,
            {
                "restored": str(Path(options.path).absolute()),
                "path": str(profile.database),
                **counts,
                "kept": str(done.kept) if done.kept else None,
                "from_version": done.was_version,
                "version": SCHEMA_VERSION,
            },
        )
        return 0
    say_counts(environment, "backup.restored", counts)
    if done.kept:
        say(environment, "backup.kept", path=str(done.kept))
    return 0


def say_still_held(services: CommandServices, backups: Sequence[Path]) -> None:
    """Say how many of the profile's backups may still hold what was deleted."""
    if backups:
        folder = services.profile.backups
        said = services.texts.count("backup.may_hold", len(backups), folder=str(folder))
        print(said, file=services.stderr)


def say_counts(
    environment: CommandEnvironment, key: str, counts: dict[str, int], **values: str
) -> None:
    shown = {name: environment.texts.number(n) for name, n in counts.items()}
    say(environment, key, **shown, **values)


def _target(services: CommandServices, named: str) -> Path:
    if not named:
        raise UsageError(detail="backup PATH")
    path = Path(named)
    if path.is_dir():
        profile = services.profile.folder.name
        return find_free_path(path, suggest_backup_name(profile))
    if named.endswith((os.sep, os.altsep or os.sep)):  # a folder is meant, and is not there
        raise FileNotWrittenError(path=named, detail=os.strerror(errno.ENOENT))
    return path
