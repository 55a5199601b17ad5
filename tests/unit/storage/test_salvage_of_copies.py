"""Copies with random damage, a few of those of `tests.hardening.damage`: usable again at once."""

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest

from desktop.domain.errors import DatabaseDamagedError
from desktop.domain.projects import EVERYTHING
from desktop.domain.search import VectorSet
from desktop.settings.encryption import ProfileKey
from desktop.storage.schema.database import Database
from tests.archives import archive_in
from tests.hardening.damage import (
    _ANY,
    _VECTOR,
    MESSAGES,
    PAGE,
    SESSIONS,
    Damage,
    try_copy,
    write_archive,
)
from tests.unit.storage.test_restore import overwrite_root_page

KEY = ProfileKey(bytes(range(48)))

LOST_SCHEMA = [(Damage.BYTES, 9), (Damage.ZEROS, 21)]
SEEDS = [
    *((damage, seed) for damage in Damage for seed in (1, 2)),
    (Damage.NOISE, 13),  # a page of vectors
    (Damage.ZEROS, 35),  # the same
    (Damage.ZEROS, 37),  # an index that only certain writes use
    *LOST_SCHEMA,
]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return write_archive(tmp_path_factory.mktemp("archive"))


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return write_archive(tmp_path_factory.mktemp("sealed"), KEY)


@pytest.mark.parametrize(("damage", "seed"), SEEDS)
def test_a_damaged_copy_is_usable_again_at_once(whole: bytes, damage: Damage, seed: int) -> None:
    outcome = try_copy(whole, damage, seed)
    assert outcome.is_usable, outcome
    assert outcome.missing < 30


def test_a_damaged_column_name_loses_no_message(whole: bytes) -> None:
    outcome = try_copy(whole, Damage.BIT, 49)
    assert outcome.is_usable, outcome
    assert outcome.missing == 0


def test_a_damaged_comma_between_two_columns_loses_no_value(whole: bytes, tmp_path: Path) -> None:
    """Two columns become one, and the last one has no name."""
    file = tmp_path / "bellek.db"
    file.write_bytes(whole)
    with closing(sqlite3.connect(file)) as plain:
        plain.execute("UPDATE sessions SET project = 'tez'")
        plain.commit()
    comma, blank = b"described_by TEXT, \n", b"described_by TEXT\x0c \n"  # one bit
    assert whole.count(comma) == 1
    file.write_bytes(file.read_bytes().replace(comma, blank))
    with pytest.raises(DatabaseDamagedError):
        archive_in(tmp_path)
    archive = archive_in(tmp_path)
    assert [one.project for one in archive.sessions.sessions(EVERYTHING)] == ["tez"] * SESSIONS
    archive.close()


def test_a_flipped_bit_of_an_encrypted_file_loses_at_most_two_messages(sealed: bytes) -> None:
    """Without the new signature whole stretches would be lost: 837 of 1,200 messages."""
    for seed in range(3):
        outcome = try_copy(sealed, Damage.BIT, seed, KEY)
        assert outcome.is_usable, outcome
        assert outcome.missing <= 2


@pytest.mark.parametrize(
    ("key", "table"), [(None, "messages"), (KEY, "messages"), (KEY, "sqlite_schema")]
)
def test_a_lost_root_page_loses_no_message(
    whole: bytes, sealed: bytes, tmp_path: Path, key: ProfileKey | None, table: str
) -> None:
    """The page where the table begins, and the first page of an encrypted file."""
    spoilt = bytearray(sealed if key else whole)
    file = tmp_path / "bellek.db"
    file.write_bytes(spoilt)
    database = Database(file, key=key)
    sql = "SELECT coalesce(max(rootpage), 1) FROM sqlite_schema WHERE name = ?"
    with database.reading() as db:
        root = int(db.exec_driver_sql(sql, (table,)).scalar_one())
    database.close()
    spoilt[(root - 1) * PAGE : root * PAGE] = bytes(PAGE)
    file.write_bytes(spoilt)
    (tmp_path / "bellek.db-suspect").touch()
    with pytest.raises(DatabaseDamagedError):
        archive_in(tmp_path, key=key)
    archive = archive_in(tmp_path, key=key)
    said = [archive.sessions.messages(one.id) for one in archive.sessions.sessions(EVERYTHING)]
    assert [len(one) for one in said] == [MESSAGES] * SESSIONS
    archive.close()


@pytest.mark.parametrize("table", ["vector_bits_vector_chunks00", "vector_bits_chunks", "vectors"])
def test_lost_vectors_are_dropped_at_the_start(whole: bytes, tmp_path: Path, table: str) -> None:
    file = tmp_path / "bellek.db"
    file.write_bytes(whole)
    overwrite_root_page(file, table, bytes(PAGE))
    with suppress(DatabaseDamagedError):  # it depends on the table whether it can be dropped
        archive_in(tmp_path).close()
    archive = archive_in(tmp_path)
    assert archive.vectors.nearest(_VECTOR, _ANY, 9) == {}
    assert len(archive.vectors.owners(VectorSet(1, "model", 64))) == SESSIONS
    assert (
        sum(one.messages for one in archive.sessions.sessions(EVERYTHING)) == SESSIONS * MESSAGES
    )
    archive.check()
    archive.close()
