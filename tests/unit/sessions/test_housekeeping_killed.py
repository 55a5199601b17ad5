"""Housekeeping and freeing space killed at each transaction: nothing lost, nothing done twice."""

import json
import multiprocessing
import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from desktop.domain.times import utc_now
from desktop.sessions.services import Services
from desktop.settings.paths import Paths
from desktop.settings.settings import Consent
from desktop.settings.store import SettingsStore
from desktop.storage.archive import Archive, open_archive
from desktop.storage.schema.database import Database
from tests.archives import finished, write_empty_archive

_FILLER = "Kaynaklar bu konuda uzun uzun yazıyor ve aynı şeyi söylüyor. " * 8
_STATE = (
    "SELECT id, status, archived_at IS NOT NULL, message_count FROM sessions ORDER BY id",
    "SELECT session_id, from_number, to_number, summary, is_reserve FROM compacts ORDER BY 1",
    "SELECT session_id, messages, final_at IS NOT NULL FROM removed_originals ORDER BY 1",
    "SELECT id, is_current, content FROM messages ORDER BY id",
    "SELECT task, done_at IS NOT NULL FROM housekeeping ORDER BY 1",
    "SELECT day, kind, text FROM diary_items ORDER BY 1, 2, 3",
    "SELECT words FROM message_index WHERE message_index MATCH 'soru' ORDER BY rowid",
)


@contextmanager
def _opened(folder: Path) -> Iterator[tuple[Archive, Services]]:
    settings = SettingsStore(Paths.under(folder))
    settings.change(housekeeping=Consent.ON)
    archive = open_archive(folder / "bellek.db", backups=folder / "backups")
    core = Services(archive, settings)
    try:
        yield archive, core
    finally:
        core.close()
        archive.close()


def _run(folder: Path) -> None:
    """Run everything as the program does: once a day, then freeing space, then the purge."""
    with _opened(folder) as (archive, core):
        for _ in core.housekeeping.run(lambda: False, only_due=True):
            pass
        if archive.originals.removable():
            path = folder / f"freed-{len(list(folder.glob('*.jsonl')))}.jsonl"
            for _ in core.space.free(path, lambda: False):
                pass
        archive.purge_deleted()


def _run_and_die(folder: Path, at: int) -> None:  # in a child process
    steps, writing = count(1), Database.writing

    def step() -> None:
        if next(steps) == at:
            os.kill(os.getpid(), signal.SIGKILL)

    @contextmanager
    def watched(self: Database) -> Iterator[Connection]:
        with writing(self) as db:
            yield db
            step()  # everything is done, and nothing is committed
        step()

    Database.writing = watched  # type: ignore[method-assign]  # in this process only
    _run(folder)


def _state(folder: Path) -> list[list[tuple[Any, ...]]]:
    with _opened(folder) as (archive, _):
        for session_id in archive.index.unindexed():
            archive.index.index_session(session_id)
        with archive.database.reading() as db:
            found = [[tuple(row) for row in db.exec_driver_sql(one)] for one in _STATE]
            places = db.exec_driver_sql("SELECT session_id, exported_to FROM removed_originals")
            exported = {row[0]: row[1] for row in places}
        archive.check()
    for session_id, path in exported.items():
        lines = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
        (said,) = [line["messages"] for line in lines if line["id"] == session_id]
        assert [one["content"] for one in said] == _said(session_id)
    return found


def _said(name: str) -> list[str]:
    return [f"{name} soru {n}? {_FILLER if n % 2 else ''}" for n in range(12)]


@pytest.fixture
def profile(tmp_path: Path) -> Path:
    folder = tmp_path / "profile"
    write_empty_archive(folder / "bellek.db")
    now = utc_now()
    with _opened(folder) as (archive, _):
        for name, days in (("old", 100), ("older", 200), ("middle", 40), ("new", 1)):
            at = now - timedelta(days=days)
            one = finished(name, *_said(name), title=name, summary=f"{name} özeti.", at=at)
            archive.imports.add([one])
    return folder


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no SIGKILL")
def test_killed_at_every_step_nothing_is_lost_and_nothing_is_done_twice(
    profile: Path, tmp_path: Path
) -> None:
    whole = tmp_path / "whole"
    shutil.copytree(profile, whole)
    _run(whole)
    expected = _state(whole)
    assert len(expected[2]) == 2  # the messages of both archived sessions are in the file
    assert len(expected[1]) == 3
    forked = multiprocessing.get_context("fork")
    for at in count(1):
        folder = tmp_path / "killed"
        shutil.copytree(profile, folder)
        child = forked.Process(target=partial(_run_and_die, folder, at))
        child.start()
        child.join()
        was_killed = child.exitcode == -signal.SIGKILL
        _run(folder)
        assert _state(folder) == expected, at
        shutil.rmtree(folder)
        if not was_killed:
            break
    assert at > 20
