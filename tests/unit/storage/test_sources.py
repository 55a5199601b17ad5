"""Sources and their passages: one of each, kept through changes, damage and migrations."""

from dataclasses import replace
from pathlib import Path

import pytest

from desktop.domain.errors import DatabaseDamagedError, PassageUnknownError, SourceUnknownError
from desktop.domain.ids import PassageId, SourceId
from desktop.domain.projects import EVERYTHING
from desktop.domain.sources import NewPassage, Source, SourceKind
from desktop.storage.archive import Archive
from desktop.storage.schema.migrations import STEPS, add_sources, migrate
from tests.archives import NOON, SettableClock, archive_in, finished
from tests.unit.storage.test_schema import database_at

PAGE = NewPassage("Kestane közde pişer.", 4, "Kış › Sokak")


def source(name: str = "a", **more: object) -> Source:
    kept = Source(
        SourceId(name), SourceKind.DOCUMENT, "Kış", f"/{name}", NOON, NOON, sha256=f"hash-{name}"
    )
    return replace(kept, **more)  # type: ignore[arg-type]  # as the test names them


def test_the_same_bytes_at_another_address_are_the_source_that_is_there(
    archive: Archive, clock: SettableClock
) -> None:
    first = archive.sources.add(source(), [PAGE])
    clock.pass_by(days=1)
    again = source("b", sha256="hash-a", read_at=clock())
    assert archive.sources.add(again, [PAGE]) == replace(first, read_at=clock())


def test_a_page_and_a_document_with_the_same_words_are_two(archive: Archive) -> None:
    archive.sources.add(source(), [PAGE])
    page = source("b", sha256="hash-a", kind=SourceKind.WEB, address="https://kis.example/")
    assert archive.sources.add(page, [PAGE]).id == "b"


def test_a_repeated_passage_counts_twice_in_every_version(archive: Archive) -> None:
    archive.sources.add(source(), [PAGE, PAGE])
    ids = {one.id for one in archive.sources.passages(SourceId("a"))}
    archive.sources.add(source(sha256="new"), [PAGE, NewPassage("Boza"), PAGE])
    after = archive.sources.passages(SourceId("a"))
    assert len(ids) == 2
    assert {after[0].id, after[2].id} == ids


def test_a_missing_or_removed_source_is_unknown(archive: Archive) -> None:
    with pytest.raises(SourceUnknownError):
        archive.sources.source(SourceId("a"))
    archive.sources.add(source(), [PAGE])
    (passage,) = archive.sources.passages(SourceId("a"))
    archive.sources.remove(SourceId("a"))
    with pytest.raises(SourceUnknownError):
        archive.sources.remove(SourceId("a"))
    with pytest.raises(PassageUnknownError):
        archive.sources.passage(passage.id)
    with pytest.raises(PassageUnknownError):
        archive.sources.passage(PassageId("nonsense"))
    archive.sources.restore(SourceId("a"))
    assert archive.sources.passage(passage.id) == passage


def test_a_removal_becomes_final_only_after_its_waiting_time(
    archive: Archive, clock: SettableClock
) -> None:
    archive.sources.add(source(), [PAGE])
    archive.sources.remove(SourceId("a"))
    assert archive.purge_deleted(before=clock()) == 0
    clock.pass_by(minutes=1)
    assert archive.purge_deleted(before=clock()) == 1
    archive.sources.restore(SourceId("a"))
    assert archive.sources.sources(EVERYTHING) == []


def test_sources_are_saved_from_a_damaged_file_and_found_again(tmp_path: Path) -> None:
    archive = archive_in(tmp_path)
    archive.sources.add(source(), [PAGE, *(NewPassage("dolgu " * 150) for _ in range(40))])
    archive.imports.add([finished("s", *["soru " * 300] * 60)])
    archive.close()
    file = tmp_path / "bellek.db"
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) * 4 // 5])
    with pytest.raises(DatabaseDamagedError):
        archive_in(tmp_path)
    archive = archive_in(tmp_path)
    assert archive.sources.source(SourceId("a")).title == "Kış"
    assert archive.source_index.count_matches('"kestane"', 9) == 1
    archive.close()


def test_a_profile_that_has_vectors_gets_a_place_for_those_of_passages(tmp_path: Path) -> None:
    old = database_at(tmp_path / "bellek.db", STEPS.index(add_sources))
    with old.writing() as db:
        db.exec_driver_sql("INSERT INTO vector_model VALUES (1, 'subjects', 16)")
    migrate(old, backups=tmp_path / "backups", now=NOON)
    with old.reading() as db:
        assert db.exec_driver_sql("SELECT count(*) FROM source_vector_bits").scalar() == 0
    old.close()
