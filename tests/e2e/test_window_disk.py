"""A disk that cannot be written while the window is used."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from shutil import copytree, rmtree
from time import monotonic

import pytest
import sqlcipher3.dbapi2

from desktop.domain.sessions import SessionStatus
from desktop.settings.paths import DEFAULT_PROFILE, Paths
from desktop.storage.schema.database import Database
from tests.archives import archive_in, finished, full_disk
from tests.e2e.person import Person, describes, description
from tests.fakes import Request, Says, SaysJson, ScriptedServer, Step


@contextmanager
def _locked(paths: Paths) -> Iterator[None]:
    """Another program holds a write transaction."""
    database = paths.profile(DEFAULT_PROFILE).database
    # Python's own SQLite would share this process's locks, and see none of them.
    with closing(sqlcipher3.dbapi2.connect(str(database), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def _answer(request: Request) -> Step:
    return SaysJson(description("Gelgit")) if describes(request) else Says("Tamam.")


def test_closing_on_a_locked_database_leaves_the_session_for_the_next_start(
    server: ScriptedServer,
    connected: Paths,
    start: Callable[[Paths], Person],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stubborn = partial(Database, busy_timeout_s=3.5)
    monkeypatch.setattr("desktop.storage.archive.Database", stubborn)
    server.default = _answer
    person = start(connected)
    person.says("Gelgit neden olur?")
    with _locked(connected):
        began = monotonic()
        person.closes()
        assert monotonic() - began < 3
        # The program would be gone by now; here its worker lives until it gives up.
        person.waits_until(
            lambda: not any(one.is_alive() for one in person.program._pool._threads)
        )
    later = start(connected)
    later.waits_until(lambda: "unfinished" in later.strips)
    assert later.sessions[0].status is SessionStatus.ACTIVE
    later.presses("Sürdür")
    later.waits_until(lambda: later.words == ["Gelgit neden olur?", "Tamam."])


def test_on_a_full_disk_the_window_shows_what_is_there_and_works_when_there_is_room(
    server: ScriptedServer, connected: Paths, start: Callable[[Paths], Person]
) -> None:
    server.default = _answer
    profile = connected.profile(DEFAULT_PROFILE)
    archive = archive_in(profile.folder)
    archive.imports.add([finished(f"s{n}", "Kestane nerede?", "Közde.") for n in range(3)])
    copytree(profile.folder, profile.folder.with_name("killed"))  # with its log
    archive.close()
    rmtree(profile.folder)
    profile.folder.with_name("killed").rename(profile.folder)
    (profile.folder / "bellek.db-shm").unlink()
    with full_disk():
        person = start(connected)
        person.waits_until(lambda: bool(person.rows))
        assert len(person.sessions) == 3
        person.opens(person.rows[0])
        person.waits_until(lambda: person.words == ["Kestane nerede?", "Közde."])
        person.waits_until(lambda: "yazılamıyor" in str([*person.strips.values()]))
    person.waits_until(lambda: "unfinished" not in person.strips)
    person.chooses("new_session")
    person.says("Gelgit neden olur?")
    assert person.words == ["Gelgit neden olur?", "Tamam."]
