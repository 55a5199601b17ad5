"""Freeing space: exported, compared, set aside, purged; the file brings everything back."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from desktop.domain.changes import Change
from desktop.domain.errors import AppError, OriginalsRemovedError
from desktop.domain.ids import SessionId
from desktop.domain.language import Language
from desktop.domain.messages import Compact
from desktop.domain.search import EVERYWHERE, HitKind, Query, SearchMode
from desktop.recall.search import Search
from desktop.sessions.archive_reader import ArchiveReader
from desktop.sessions.conversation.assistant_context import shipped_phrases
from desktop.sessions.exporting.exporter import Exporter
from desktop.sessions.importing.import_process import read_in_process
from desktop.sessions.importing.importer import Importer
from desktop.sessions.keeping.housekeeping import FreedSpace, SpaceFreer
from desktop.settings.messages import Texts
from desktop.storage.archive import Archive
from tests.archives import NOON, SettableClock, archive_in, finished

OLD, NEW = SessionId("old"), SessionId("new")
SAID = ("Gelgit neden olur?", "Ayın çekimi yüzünden olur.", "Günde kaç kez?", "İki kez.")


@pytest.fixture
def archive(tmp_path: Path, clock: SettableClock) -> Iterator[Archive]:
    """With one archived session, and one that is not."""
    archive = archive_in(tmp_path, clock)
    long_ago = NOON - timedelta(days=100)
    summary = "Gelgitin nedeni konuşuldu."
    archive.imports.add(
        [
            finished("old", *SAID, title="Gelgit", summary=summary, at=long_ago),
            finished("new", "Deprem nedir?", "Bir sarsıntı.", title="Deprem"),
        ]
    )
    archive.housekeeping.archive_untouched()
    yield archive
    archive.close()


@pytest.fixture
def freer(archive: Archive) -> SpaceFreer:
    exporter = Exporter(ArchiveReader(archive), lambda: Texts(Language.TR))
    return SpaceFreer(archive, exporter, lambda _: None)


def _free(freer: SpaceFreer, path: Path, *, is_final: bool = False) -> Change[FreedSpace]:
    *_, freed = freer.free(path, lambda: False, is_final=is_final)
    assert isinstance(freed, Change)
    return freed


def _said(archive: Archive) -> tuple[str, ...]:
    return tuple(one.content for one in archive.sessions.messages(OLD))


def _found(archive: Archive, words: str) -> set[tuple[str, HitKind]]:
    for session_id in archive.index.unindexed():
        archive.index.index_session(session_id)
    hits = Search(archive.index).find(Query(words, mode=SearchMode.KEYWORD, scope=EVERYWHERE))
    return {(hit.session_id, hit.kind) for hit in hits}


def _import(archive: Archive, path: Path) -> None:
    importer = Importer(archive, shipped_phrases, lambda: Language.TR, read=read_in_process)
    importer.import_file(path)


def _bytes_of(archive: Archive) -> bytes:
    with archive.database.outside_transactions() as db:
        db.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    return archive.database.path.read_bytes()


def test_removed_messages_are_in_the_file_and_nowhere_else(
    archive: Archive, freer: SpaceFreer, tmp_path: Path
) -> None:
    path = tmp_path / "old.jsonl"
    freed = _free(freer, path)
    assert list(freed.value.sessions) == [OLD]
    assert _said(archive) == ()
    assert _found(archive, "çekimi") == set()
    assert (OLD, HitKind.SESSION) in _found(archive, "gelgitin nedeni")
    assert all(words in path.read_text(encoding="utf-8") for words in SAID)
    assert archive.sessions.messages(NEW)
    archive.purge_deleted()
    assert "Ayın çekimi".encode() not in _bytes_of(archive)
    removed = archive.originals.of(OLD)
    assert removed is not None
    assert removed.exported_to == str(path)


def test_removal_can_be_undone_until_it_is_final(
    archive: Archive, freer: SpaceFreer, tmp_path: Path
) -> None:
    freed = _free(freer, tmp_path / "old.jsonl")
    freed.undo()
    assert _said(archive) == SAID
    assert (OLD, HitKind.MESSAGE) in _found(archive, "çekimi")
    assert archive.originals.of(OLD) is None
    again = _free(freer, tmp_path / "again.jsonl", is_final=True)
    again.undo()
    assert _said(archive) == ()


@pytest.mark.parametrize("when", ["undo is possible", "it is final"])
def test_importing_the_file_brings_the_messages_back_in_their_rows(
    archive: Archive, freer: SpaceFreer, tmp_path: Path, when: str
) -> None:
    before = archive.sessions.messages(OLD)
    path = tmp_path / "old.jsonl"
    _free(freer, path, is_final=when == "it is final")
    _import(archive, path)
    assert archive.sessions.messages(OLD) == before
    assert archive.sessions.session(OLD).is_archived
    assert archive.sessions.session(OLD).messages == 4
    assert (OLD, HitKind.MESSAGE) in _found(archive, "çekimi")
    assert archive.originals.of(OLD) is None


def test_the_file_of_a_session_that_was_split_brings_its_messages_back(
    archive: Archive, freer: SpaceFreer, tmp_path: Path
) -> None:
    part = SessionId("part")
    archive.split_merge.split(OLD, archive.sessions.messages(OLD)[2].id, part)
    archive.sessions.unarchive(part)
    path = tmp_path / "old.jsonl"
    freed = _free(freer, path, is_final=True)
    assert list(freed.value.sessions) == [OLD]
    _import(archive, path)
    assert _said(archive) == SAID[:2]
    assert tuple(one.content for one in archive.sessions.messages(part)) == SAID[2:]
    assert archive.sessions.session(OLD).messages == 2


def test_a_session_with_neither_summary_nor_compact_keeps_its_messages(
    archive: Archive, freer: SpaceFreer, tmp_path: Path
) -> None:
    long_ago = NOON - timedelta(days=100)
    archive.imports.add([finished("bare", *SAID, at=long_ago)])
    archive.housekeeping.archive_untouched()
    freed = _free(freer, tmp_path / "old.jsonl")
    assert list(freed.value.sessions) == [OLD]
    assert archive.sessions.messages(SessionId("bare"))


def test_a_compact_that_lacks_the_newest_messages_is_made_again(
    archive: Archive, freer: SpaceFreer, tmp_path: Path
) -> None:
    said = archive.sessions.messages(OLD)
    older, newer = (Compact(OLD, 1, at, said[at - 1].id, "Gelgit.") for at in (2, 4))
    archive.compacts.keep_reserve(older)
    freer = replace(freer, summarise=lambda _: archive.compacts.keep_reserve(newer))
    _free(freer, tmp_path / "old.jsonl")
    assert archive.compacts.reserve(OLD) == [newer]


def test_an_existing_file_is_never_replaced(
    archive: Archive, freer: SpaceFreer, tmp_path: Path
) -> None:
    path = tmp_path / "old.jsonl"
    path.write_text("the only copy", encoding="utf-8")
    with pytest.raises(AppError):
        _free(freer, path)
    assert path.read_text(encoding="utf-8") == "the only copy"
    assert _said(archive) == SAID


def test_nothing_is_removed_if_the_file_does_not_hold_it(
    archive: Archive, freer: SpaceFreer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "desktop.sessions.exporting.formats.as_line", lambda *_, **__: '{"id": "old"}'
    )
    with pytest.raises(AppError):
        _free(freer, tmp_path / "old.jsonl")
    assert _said(archive) == SAID


def test_a_session_without_its_messages_is_neither_split_nor_merged_but_can_be_deleted(
    archive: Archive, freer: SpaceFreer, tmp_path: Path
) -> None:
    first = archive.sessions.messages(OLD)[2].id
    _free(freer, tmp_path / "old.jsonl", is_final=True)
    with pytest.raises(OriginalsRemovedError):
        archive.split_merge.merge(OLD, NEW)
    with pytest.raises(OriginalsRemovedError):
        archive.split_merge.split(OLD, first, SessionId("part"))
    archive.sessions.delete(OLD)
    archive.purge_deleted()
    with archive.database.reading() as db:
        left = db.exec_driver_sql("SELECT count(*) FROM removed_originals").scalar()
        rows = db.exec_driver_sql("SELECT count(*) FROM messages WHERE session_id = 'old'")
        assert (left, rows.scalar()) == (0, 0)
