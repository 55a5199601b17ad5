"""Asks questions with pictures until it is killed. Argument: a folder for a profile."""

import sys
from itertools import count
from pathlib import Path

from desktop.sessions.message_files import message_file
from tests.pictures import png
from tests.studies import Study


def main(folder: Path) -> None:
    study = Study(folder)
    for number in count(1):
        data = png(number, 2)
        file = message_file(f"{number}.png", data)
        study.archive.files.add(file, data)
        study.ask(f"Bu {number}. resimde ne var?", files=[file])
        if number % 7 == 0:
            study.archive.purge_deleted()
        print(number, flush=True)  # noqa: T201 - told to the test


if __name__ == "__main__":
    main(Path(sys.argv[1]))
