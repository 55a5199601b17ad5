"""The words of scanned pages are read, found, marked, and removed with their document."""

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from desktop.domain.errors import OcrMissingError
from desktop.domain.search import EVERYWHERE, Hit, HitKind, Query
from desktop.domain.sources import NewPassage, ScannedWord, Source, SourceState
from desktop.recall.other_kinds import SourceSearch
from desktop.recall.search import Search
from desktop.research.documents import ocr
from desktop.research.documents.ocr import OcrEngine
from desktop.research.documents.page_reader import PdfPageReader
from desktop.research.documents.reader import open_file
from desktop.research.library import Library
from desktop.research.scans import ScanProgress, ScanReading, ScanReport
from desktop.sessions.keeping.housekeeping import Housekeeping, HousekeepingTask
from desktop.settings.settings import Settings
from desktop.storage.archive import Archive
from tests.archives import SettableClock
from tests.documents.shelf import SHELF
from tests.scans import LEADING, TOP, Scanner

_LINES = (
    "Kervansaraylar bir günlük yol arayla kurulmuştu.",
    "Gümrük gelirleri akçe cinsinden yazılır, çoğu kez şehir",
    "defterine geçerdi. Irmağın öte yakasında ağaçlar vardı.",
)
_SCANNER = Scanner()
needs_engine = pytest.mark.skipif(not find_spec("tesserocr"), reason="tesserocr is not installed")


@pytest.fixture
def library(archive: Archive) -> Library:
    return Library(archive.sources, archive.files, archive.references, archive.notes)


@pytest.fixture
def scans(archive: Archive, library: Library) -> ScanReading:
    return ScanReading(archive.sources, archive.scans, library)


def scan(folder: Path, scanner: Scanner = _SCANNER, pages: int = 1) -> Path:
    path = folder / "tarama.pdf"
    path.write_bytes(scanner.scanned([_LINES] * pages))
    return path


def added(library: Library, path: Path) -> Source:
    (document,) = library.add([path]).added
    assert document.source is not None, document.error
    return document.source


def find(archive: Archive, words: str) -> list[Hit]:
    search = Search(archive.index, sources=SourceSearch(archive.source_index))
    return search.find(Query(words, kinds=frozenset({HitKind.SOURCE}), scope=EVERYWHERE))


def test_a_scan_is_added_as_a_document_that_needs_ocr(
    archive: Archive, library: Library, scans: ScanReading, tmp_path: Path
) -> None:
    source = added(library, scan(tmp_path))
    assert (source.needs_ocr, source.passages, source.pages) == (True, 0, 1)
    assert [due.id for due in scans.due()] == [source.id]


@needs_engine
def test_words_of_a_scan_are_found_on_their_page_and_marked_where_they_stand(
    archive: Archive, library: Library, scans: ScanReading, tmp_path: Path
) -> None:
    path = scan(tmp_path, pages=2)
    source = added(library, path)
    reports: list[ScanReport] = []
    assert scans.read([source], on_done=reports.append) == 2
    assert (reports[0].words, reports[0].failed_pages) == (2 * 21, [])
    stored = archive.sources.source(source.id)
    assert (stored.needs_ocr, stored.state, stored.language) == (
        False,
        SourceState.COMPLETE,
        "tr",
    )
    assert {hit.page for hit in find(archive, "gümrük gelirleri")} == {1, 2}
    with PdfPageReader(open_file, archive.scans) as pages:
        mark = pages.mark(path, "çoğu kez şehir defterine geçerdi", 1)
        hits = pages.find(path, "ağaçlar", 0, 1)
        letters = pages.letters(path, 0)
    assert mark is not None
    assert (mark.index, mark.is_scanned) == (1, True)
    assert mark.letters == "çoğu kez şehir defterine geçerdi"
    for line, (left, bottom, right, top) in enumerate(mark.rectangles, start=1):
        baseline = TOP - LEADING * line
        assert baseline - 5 < bottom < baseline + 1 < baseline + 5 < top < baseline + 12
        assert (left > 200, right > 300) == ((True, True), (False, False))[line - 1]
    assert [index for index, _ in hits] == [0, 1]
    assert "Irmağın öte yakasında" in letters.text
    assert len(letters.places) == len(letters.text)


@needs_engine
@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_page_that_lay_on_its_side_or_head_is_read(
    archive: Archive, library: Library, scans: ScanReading, tmp_path: Path, turns: int
) -> None:
    path = scan(tmp_path, Scanner(turns=turns))
    scans.read([added(library, path)])
    assert find(archive, "kervansaraylar")
    with PdfPageReader(open_file, archive.scans) as pages:
        mark = pages.mark(path, "Kervansaraylar bir günlük", 0)
    assert mark is not None
    ((left, bottom, right, top),) = mark.rectangles
    assert (right - left > top - bottom) == (turns == 2)


@needs_engine
def test_a_run_that_was_stopped_goes_on_with_the_next_page(
    archive: Archive, library: Library, scans: ScanReading, tmp_path: Path
) -> None:
    source = added(library, scan(tmp_path, pages=3))
    seen: list[int] = []

    def note(progress: ScanProgress) -> None:
        seen.append(progress.page)

    scans.read([source], on_progress=note, should_stop=lambda: 2 in seen)
    assert seen == [1, 2]
    assert archive.scans.pages(source.id) == {1}
    assert archive.sources.source(source.id).needs_ocr
    scans.read([source], on_progress=note)
    assert seen == [1, 2, 2, 3]
    numbers = [passage.number for passage in archive.sources.passages(source.id)]
    assert numbers == list(range(1, len(numbers) + 1))


def test_a_new_version_and_a_deletion_remove_the_words_that_were_read(
    archive: Archive, library: Library, tmp_path: Path
) -> None:
    path = scan(tmp_path)
    source = added(library, path)
    word = ScannedWord("eski", 10, 10, 40, 20, confidence=30, line=0)
    archive.scans.add(source.id, 1, [word], [])
    assert archive.scans.words(path, 1) == [word]
    path.write_bytes(Scanner(seed=2, noise=3).scanned([_LINES]))
    assert added(library, path).id == source.id
    assert archive.scans.words(path, 1) == []
    archive.scans.add(source.id, 1, [word], [])
    archive.sources.remove(source.id)
    assert archive.scans.words(path, 1) == []
    archive.purge_deleted()
    assert archive.scans.pages(source.id) == set()


def test_a_scanned_page_between_others_stands_between_them(
    archive: Archive, library: Library, tmp_path: Path
) -> None:
    path = tmp_path / "tutanak.pdf"
    path.write_bytes(SHELF["half_scanned.pdf"]().data)
    source = added(library, path)
    archive.scans.add(source.id, 2, [], [NewPassage("Birinci.", 2), NewPassage("İkinci.", 2)])
    archive.scans.add(source.id, 2, [], [NewPassage("İkinci.", 2)])
    passages = archive.sources.passages(source.id)
    assert [(passage.number, passage.page) for passage in passages] == [(1, 1), (2, 2), (3, 3)]
    assert archive.sources.source(source.id).passages == 3
    assert [hit.page for hit in find(archive, "ikinci")] == [2]
    assert find(archive, "birinci") == []


def test_words_of_low_confidence_are_named_in_a_mark(
    archive: Archive, library: Library, tmp_path: Path
) -> None:
    path = scan(tmp_path)
    source = added(library, path)
    confidences = {"Kervansaraylar": 95, "bir": 20, "günlük": 90}
    words = [
        ScannedWord(text, 60 + 50 * at, 700, 100 + 50 * at, 712, confidence, line=0)
        for at, (text, confidence) in enumerate(confidences.items())
    ]
    archive.scans.add(source.id, 1, words, [])
    with PdfPageReader(open_file, archive.scans) as pages:
        mark = pages.mark(path, "kervansaraylar bir", 0)
    assert mark is not None
    assert mark.uncertain == ["bir"]
    assert mark.rectangles == [(60, 700, 150, 712)]


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a shell script")
def test_a_found_program_reads_the_picture_of_a_page(
    archive: Archive,
    library: Library,
    scans: ScanReading,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    program, picture = tmp_path / "tesseract", tmp_path / "picture"
    row = "5\\t1\\t1\\t1\\t1\\t1\\t250\\t250\\t400\\t60\\t91.5\\tKiraz"
    program.write_text(f"#!/bin/sh\ncat > {picture}\nprintf '{row}\\n'\n")
    program.chmod(0o700)
    monkeypatch.setattr(ocr, "find_engine", lambda: OcrEngine(str(program)))
    path = scan(tmp_path)
    scans.read([added(library, path)])
    assert picture.read_bytes().startswith(b"P5 2480 3509 255\n")
    assert find(archive, "kiraz")
    (word,) = archive.scans.words(path, 1)
    assert (word.left, word.top, word.confidence) == (60.0, 782.0, 92)


def test_without_an_engine_the_error_says_what_to_install(
    library: Library, scans: ScanReading, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = added(library, scan(tmp_path))
    monkeypatch.setattr(ocr, "find_spec", lambda _: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(OcrMissingError):
        scans.read([source])
    assert scans.read_due(lambda: False) == 0
    (document,) = library.add([scan(tmp_path, Scanner(seed=2, noise=1))]).added
    assert isinstance(document.hint, OcrMissingError)


def test_what_came_after_the_daily_tasks_is_read_on_the_same_day(
    archive: Archive, library: Library, scans: ScanReading, clock: SettableClock, tmp_path: Path
) -> None:
    scan_task = HousekeepingTask("scans", lambda _: len(scans.due()), lambda: 0, is_daily=False)
    other = HousekeepingTask("diary", lambda _: 1, lambda: 0)
    keeping = Housekeeping(archive.housekeeping, Settings, (scan_task, other), clock)
    first = [task.count for task in keeping.run(lambda: False, only_due=True)]
    added(library, scan(tmp_path))
    second = [task.count for task in keeping.run(lambda: False, only_due=True)]
    assert (first, second) == ([0, 1], [1])
