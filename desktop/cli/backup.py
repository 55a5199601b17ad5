"""`bellek backup` and `bellek restore`."""

import errno
import os
from argparse import Namespace
from datetime import datetime
from pathlib import Path

from desktop.cli.output import print_json, say
from desktop.cli.services import CommandServices, Place
from desktop.domain.errors import FileNotWrittenError, UsageError
from desktop.domain.times import utc_now
from desktop.storage.backup import backup_name, free_place, write_backup, written_since
from desktop.storage.restore import restore_archive
from desktop.storage.schema import STEPS


def backup(services: CommandServices, options: Namespace) -> int:
    """The copy is what the archive shows: what was deleted is not in it, final or not.

    Keys are not in it either: they lie in the system's keyring, never in the archive.
    """
    done = write_backup(services.archive.database, _target(services, options.path))
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


def restore(place: Place, options: Namespace) -> int:
    """The archive that was there is kept in the profile's backups; where, is said."""
    if not options.path:  # it would stand for the folder one is in
        raise UsageError(detail="restore PATH")
    profile = place.profile
    done = restore_archive(
        Path(options.path), path=profile.database, backups=profile.backups, now=utc_now()
    )
    counts = {"sessions": done.contents.sessions, "messages": done.contents.messages}
    if options.json:
        print_json(
            place,
            {
                "restored": str(Path(options.path).absolute()),
                "path": str(profile.database),
                **counts,
                "kept": str(done.kept) if done.kept else None,
                "from_version": done.was_version,
                "version": len(STEPS),
            },
        )
        return 0
    say_counts(place, "backup.restored", counts)
    if done.kept:
        say(place, "backup.kept", path=str(done.kept))
    return 0


def say_still_held(services: CommandServices, since: datetime) -> None:
    """Say which of the profile's backups may hold what was deleted, and was there since then."""
    folder = services.profile.backups
    if held := written_since(folder, since):
        said = services.texts.count("backup.may_hold", len(held), folder=str(folder))
        print(said, file=services.stderr)


def say_counts(place: Place, key: str, counts: dict[str, int], **values: str) -> None:
    shown = {name: place.texts.number(n) for name, n in counts.items()}
    say(place, key, **shown, **values)


def _target(services: CommandServices, named: str) -> Path:
    if not named:
        raise UsageError(detail="backup PATH")
    path = Path(named)
    if path.is_dir():
        profile = services.profile.folder.name
        return free_place(path, backup_name(profile, utc_now()))
    if named.endswith((os.sep, os.altsep or os.sep)):  # a folder is meant, and is not there
        raise FileNotWrittenError(path=named, detail=os.strerror(errno.ENOENT))
    return path
