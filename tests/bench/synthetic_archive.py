"""Archives made of invented words, with the sizes that the benchmarks ask for.

Words are drawn by Zipf's law from an invented vocabulary, so that there are rare words, common
words and everything between, as in real text; one seed makes every run the same.
"""

import os
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import accumulate, islice
from pathlib import Path

from desktop.domain.sync import DeviceId
from desktop.settings.paths import Paths
from desktop.storage.archive import Archive, open_archive
from desktop.storage.journal.journal import Journal
from desktop.storage.repositories.imports import FinishedSession
from tests.archives import finished
from tests.bench.encrypted import SYNCED, bench_key

_SEED = 20261121
_VOCABULARY = 40_000
_WORDS_A_MESSAGE = (8, 90)
_BATCH = 100
_BEGAN = datetime(2023, 1, 1, tzinfo=UTC)
_SYLLABLES = [
    *(consonant + vowel for vowel in "aiou" for consonant in "klmntrsybd"),
    *(vowel + consonant for vowel in "aiouöü" for consonant in "lnrt"),
]


class Words:
    """The vocabulary, most common first."""

    def __init__(self) -> None:
        self._random = random.Random(_SEED)  # noqa: S311 - text to measure with, no secret
        made: dict[str, None] = {}
        while len(made) < _VOCABULARY:
            count = self._random.choice((2, 2, 3, 3, 3, 4))
            made["".join(self._random.choices(_SYLLABLES, k=count))] = None
        self.all = list(made)
        self.usual = self.all[2_000:2_010]
        """Neither rare nor in every message."""
        self._weights = list(accumulate(1 / place for place in range(1, _VOCABULARY + 1)))

    def text(self) -> str:
        count = self._random.randint(*_WORDS_A_MESSAGE)
        return " ".join(self._random.choices(self.all, cum_weights=self._weights, k=count)) + "."


def invented_sessions(count: int, messages_each: int) -> Iterator[FinishedSession]:
    words = Words()
    for number in range(count):
        yield finished(
            f"bench-{number}",
            *(words.text() for _ in range(messages_each)),
            title=words.text()[:60],
            summary=words.text(),
            topics=tuple(dict.fromkeys(words.text().split()[:5])),
            at=_BEGAN + timedelta(hours=number),
        )


def new_archive(database: Path) -> Archive:
    """Create an archive, encrypted or journalled if the benchmark asks for it."""
    key = bench_key()
    if key:
        from desktop.settings.encryption import KeyFile  # noqa: PLC0415 - as the program imports it

        file = KeyFile.of_profile(database.parent)
        file.create("parola", seconds=0.01)
        file.set_converted()
    archive = open_archive(database, backups=database.parent / "backups", key=key)
    if SYNCED in os.environ:
        Journal(archive.database).start(DeviceId("0" * 32))
    return archive


def _send_all(archive: Archive) -> None:
    """Bring the journal to the state after a first run."""
    journal = Journal(archive.database)
    journal.take()
    for pack in journal.unsent():
        journal.mark_sent(pack.number)


def fill_profile(folder: str, *, sessions: int, messages_each: int) -> Archive:
    """A new archive of indexed sessions where a start with this data folder finds it."""
    database = Paths.under(Path(folder)).profile().database
    database.parent.mkdir(parents=True)
    archive = new_archive(database)
    invented = invented_sessions(sessions, messages_each)
    while some := list(islice(invented, _BATCH)):
        archive.imports.add(some)
    if SYNCED in os.environ:
        _send_all(archive)
    return archive
