"""Two sets of vectors in a profile that is killed, encrypted, restored and synchronised."""

import multiprocessing
import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import timedelta
from functools import partial
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import Connection

from desktop.llm.connection import Connection as Endpoints
from desktop.llm.embeddings import EndpointVectors
from desktop.settings.encryption import KeyFile, ProfileKey
from desktop.settings.paths import ProfilePaths
from desktop.storage.archive import Archive, open_archive
from desktop.storage.care.backup import write_backup
from desktop.storage.care.encryption import convert_profile
from desktop.storage.care.restore import NO_KEYS, Keys, restore_archive
from desktop.storage.schema.database import Database
from tests.archives import NOON, archive_in, finished
from tests.embedding_server import MODEL, EmbeddingServer
from tests.syncing import SyncedDevice
from tests.unit.recall.test_vector_sets import (
    NEVER,
    OWN,
    Chooser,
    after_bread,
    begun_with_own,
    count_vectors,
    index_of,
    search,
)

SESSIONS = [
    finished("cars", "Yeni otomobil almak istiyorum", "Elektrikli olsun", at=NOON),
    finished("doctors", "Hekim ne dedi", "Dinlenmelisin dedi", at=NOON + timedelta(days=1)),
    finished("bread", "Ekşi maya nasıl yapılır", "Un ve su", at=NOON + timedelta(days=2)),
]
NAMES = {"cars", "doctors", "bread"}
SERVED = f"vectors/{MODEL}"
OWN_DIMENSIONS, SERVED_DIMENSIONS = 16, 64


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with EmbeddingServer(SERVED_DIMENSIONS) as server:
        yield server


@contextmanager
def chosen(server: EmbeddingServer) -> Iterator[Chooser]:
    with closing(Endpoints(server.endpoint())) as connection:
        chooser = Chooser()
        chooser.choose(EndpointVectors(connection, MODEL))
        yield chooser


def begin(archive: Archive, server: EmbeddingServer) -> None:
    """Leave an archive with all vectors of the own model, and some of the next."""
    with chosen(server) as chooser:
        begun_with_own(archive, chooser).embed_due(after_bread(server))
    assert count_vectors(archive) == {1: 6, 2: 2}


def is_unmixed(archive: Archive) -> bool:
    """Whether each vector has as many numbers as its set, and each set one model."""
    with archive.database.reading() as db:
        rows = db.exec_driver_sql(
            "SELECT DISTINCT m.name, length(v.numbers) FROM vectors v "
            "LEFT JOIN vector_model m ON m.number = v.model"
        ).all()
    dimensions = {OWN: OWN_DIMENSIONS, SERVED: SERVED_DIMENSIONS}
    return all(dimensions.get(name, size) == size for name, size in rows if name != "")


def finish(archive: Archive, server: EmbeddingServer) -> None:
    """Find by both models before, and by the next one alone after it has taken over."""
    with chosen(server) as chooser:
        meanings = index_of(archive, chooser)
        assert archive.vectors.model() == OWN
        assert search(archive, meanings, "araba")[0] == "cars"
        meanings.embed_due(NEVER)
        assert archive.vectors.model() == SERVED
        assert search(archive, meanings, "araba")[0] == "cars"
        assert list(count_vectors(archive).values()) == [6]
        assert is_unmixed(archive)


def embed_and_die(folder: Path, server: EmbeddingServer, at: int) -> None:  # in a child process
    steps, writing = count(1), Database.writing

    def step() -> None:
        if next(steps) == at:
            os.kill(os.getpid(), signal.SIGKILL)

    @contextmanager
    def watched(self: Database) -> Iterator[Connection]:
        with writing(self) as db:
            yield db
            step()  # everything is written, and nothing is committed
        step()

    archive = archive_in(folder)
    Database.writing = watched  # type: ignore[method-assign]  # in this process only
    with chosen(server) as chooser:
        index_of(archive, chooser).embed_due(NEVER)
    os._exit(0)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no SIGKILL")
def test_killed_at_every_step_of_the_change_it_goes_on_and_mixes_nothing(
    tmp_path: Path, server: EmbeddingServer
) -> None:
    begun, folder = tmp_path / "begun", tmp_path / "killed"
    with closing(archive_in(begun)) as archive, chosen(server) as chooser:
        archive.imports.add(SESSIONS)
        begun_with_own(archive, chooser)
    forked = multiprocessing.get_context("fork")
    models = set()
    for at in count(1):
        shutil.copytree(begun, folder)
        child = forked.Process(target=partial(embed_and_die, folder, server, at))
        child.start()
        child.join()
        with closing(archive_in(folder)) as archive, chosen(server) as chooser:
            archive.check()
            assert is_unmixed(archive)
            models.add(current := archive.vectors.model())
            numbers = count_vectors(archive)
            meanings = index_of(archive, chooser)
            assert set(search(archive, meanings, "araba")[:1]) == {"cars"}, at
            server.bodies.clear()
            made = meanings.embed_due(NEVER)
            if current == OWN:  # what was committed is not asked for again
                assert made == 6 - numbers.get(2, 0)
            assert archive.vectors.model() == SERVED
            assert is_unmixed(archive)
            assert list(count_vectors(archive).values()) == [6]
            assert search(archive, meanings, "araba")[0] == "cars"
        shutil.rmtree(folder)
        if child.exitcode == 0:
            break
        assert child.exitcode == -signal.SIGKILL
    assert at > 8
    assert models == {OWN, SERVED}


def test_a_profile_with_two_sets_is_encrypted_and_decrypted_and_goes_on(
    tmp_path: Path, server: EmbeddingServer
) -> None:
    profile = ProfilePaths(tmp_path)
    with closing(archive_in(tmp_path)) as archive:
        archive.imports.add(SESSIONS)
        begin(archive, server)
    file = KeyFile.of_profile(tmp_path)
    key, _ = file.create("dört kelime bir parola", seconds=0.01)
    convert_profile(profile, key)
    with closing(archive_in(tmp_path, key=key)) as archive:
        assert count_vectors(archive) == {1: 6, 2: 2}
    shutil.copytree(tmp_path, tmp_path.with_name("copy"))
    with closing(archive_in(tmp_path.with_name("copy"), key=key)) as archive:
        finish(archive, server)
    file.turn_off(key)
    assert convert_profile(profile, key) is None
    with closing(archive_in(tmp_path)) as archive:
        finish(archive, server)


@pytest.mark.parametrize("is_encrypted", [False, True])
def test_a_restored_backup_goes_on_where_it_was_made(
    tmp_path: Path, server: EmbeddingServer, *, is_encrypted: bool
) -> None:
    own, keys = tmp_path / "own", NO_KEYS
    key: ProfileKey | None = None
    if is_encrypted:
        key, _ = KeyFile.of_profile(own).create("dört kelime", seconds=0.01)
        keys = Keys(key, key)
    with closing(archive_in(own, key=key)) as archive:
        archive.imports.add(SESSIONS)
        begin(archive, server)
        write_backup(archive.database, tmp_path / "backup.db")
        with chosen(server) as chooser:
            index_of(archive, chooser).embed_due(NEVER)
    path, backups = own / "bellek.db", own / "backups"
    restore_archive(tmp_path / "backup.db", path=path, backups=backups, now=NOON, keys=keys)
    with closing(open_archive(path, backups=backups, key=key)) as archive:
        assert count_vectors(archive) == {1: 6, 2: 2}
        finish(archive, server)


def test_no_vector_and_no_set_is_synchronised(tmp_path: Path, server: EmbeddingServer) -> None:
    devices = [SyncedDevice(tmp_path / name, tmp_path / "place") for name in ("ofis", "ev")]
    (tmp_path / "place").mkdir()
    first, second = devices
    try:
        first.archive.imports.add([replace(each) for each in SESSIONS])
        begin(first.archive, server)
        first.set_up()
        second.set_up()
        assert second.sessions() == NAMES
        assert second.archive.vectors.current() is None
        contents = b"".join(first.opened_files().values())
        assert b"otomobil" in contents
        assert b"vector" not in contents
        assert MODEL.encode() not in contents
        meanings = index_of(second.archive, Chooser())
        assert meanings.embed_due(NEVER) == 6
        assert search(second.archive, meanings, "araba")[0] == "cars"
        second.ask("dogs", "Bir köpek istiyorum")
        second.syncing.run()
        first.syncing.run()
        assert count_vectors(first.archive) == {1: 6, 2: 2}
        with chosen(server) as chooser:
            both = index_of(first.archive, chooser)
            both.embed_due(NEVER)
            assert search(first.archive, both, "dog")[0] == "dogs"
        assert first.archive.vectors.model() == SERVED
    finally:
        for device in devices:
            device.close()
