"""Takes a backup in a process that is killed when the copy lies there and bears no name yet.

Arguments: a profile's folder, and where the backup goes.
"""

import os
import signal
import sys
from pathlib import Path
from types import FrameType

from desktop.storage.archive import open_for_reading
from desktop.storage.care import backup
from desktop.storage.schema import database


def _die_while_checking(frame: FrameType, _event: str, _: object) -> None:
    if frame.f_code is database.Database.check.__code__:
        os.kill(os.getpid(), signal.SIGKILL)


def main(folder: Path, target: Path) -> None:
    archive = open_for_reading(folder / "bellek.db")
    sys.settrace(_die_while_checking)
    backup.write_backup(archive.database, target)


if __name__ == "__main__":
    main(*(Path(one) for one in sys.argv[1:]))
