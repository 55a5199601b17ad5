"""The annotations of a PDF are read as notes, with the words that they mark."""

from pathlib import Path

import pytest

from desktop.domain.notes import PdfAnnotation
from desktop.domain.projects import EVERYTHING
from desktop.research.documents.reader import DocumentReader
from desktop.research.library import AddOutcome, Library
from desktop.storage.archive import Archive
from tests.archives import SettableClock
from tests.documents.pdfs import Page, Pdf

LINES = ("Zeytin az su ister ve yavas buyur.", "Damla sulama suyu azaltir.", "Son satir.")
_TOP = 780  # Of the first line; each is 14 points below the one above


def quad(line: int, left: int, right: int) -> str:
    """The corners of an area of a line, as an annotation names them."""
    low, high = _TOP - 14 * line - 2, _TOP - 14 * line + 9
    return f"{left} {high} {right} {high} {left} {low} {right} {low}"


def marking(areas: str, comment: str = "", kind: str = "Highlight") -> str:
    return f"/Subtype /{kind} /QuadPoints [{areas}] /Contents ({comment})"


def pdf(*notes: str, lines: tuple[str, ...] = LINES) -> bytes:
    return Pdf([Page(["Giris."]), Page(lines, notes=notes)], title="Zeytin").written()


def annotations(tmp_path: Path, *notes: str) -> list[PdfAnnotation]:
    file = tmp_path / "zeytin.pdf"
    file.write_bytes(pdf(*notes))
    with DocumentReader() as reader:
        return reader.read(file).annotations


@pytest.mark.parametrize("kind", ["Highlight", "Underline", "Squiggly", "StrikeOut"])
def test_marked_words_are_read_with_their_comment(tmp_path: Path, kind: str) -> None:
    note = marking(quad(1, 58, 300), "bunu sor", kind)
    assert annotations(tmp_path, note) == [PdfAnnotation(LINES[1], "bunu sor", 2)]


def test_a_part_of_a_line_is_read_without_its_neighbours(tmp_path: Path) -> None:
    (note,) = annotations(tmp_path, marking(quad(1, 58, 131)))
    assert note.quote == "Damla sulama"


def test_words_over_two_lines_are_one_note(tmp_path: Path) -> None:
    areas = f"{quad(0, 58, 400)} {quad(1, 58, 131)}"
    (note,) = annotations(tmp_path, marking(areas))
    assert note.quote == f"{LINES[0]} Damla sulama"


def test_a_note_without_marked_words_is_its_text(tmp_path: Path) -> None:
    found = annotations(tmp_path, "/Subtype /Text /Contents (Kaynak eksik)")
    assert found == [PdfAnnotation("", "Kaynak eksik", 2)]


def test_a_comment_that_repeats_the_marked_words_is_none(tmp_path: Path) -> None:
    (note,) = annotations(tmp_path, marking(quad(1, 58, 300), LINES[1]))
    assert (note.quote, note.text) == (LINES[1], "")


def test_links_fields_and_marks_of_nothing_are_no_notes(tmp_path: Path) -> None:
    link = "/Subtype /Link /Contents (adres)"
    typed = "/Subtype /Widget /FT /Tx /T (ad) /V (deger)"
    assert annotations(tmp_path, link, typed, marking(quad(30, 58, 300))) == []


def test_notes_of_a_new_version_are_added_to_those_there(
    archive: Archive, clock: SettableClock, tmp_path: Path
) -> None:
    file = tmp_path / "zeytin.pdf"
    first, alone = marking(quad(1, 58, 300), "bunu sor"), "/Subtype /Text /Contents (Kaynak?)"
    library = Library(archive.sources, archive.files, archive.references, archive.notes, now=clock)
    outcomes: list[AddOutcome] = []
    for notes in ([first, alone], [first, alone, marking(quad(2, 58, 300))]):
        file.write_bytes(pdf(*notes))
        report = library.add([file])
        outcomes.append(report.added[0].outcome)
    assert outcomes == [AddOutcome.ADDED, AddOutcome.RENEWED]
    stored = archive.notes.notes(EVERYTHING)
    assert [(note.quote, note.text, note.is_of_file) for note in stored] == [
        (LINES[1], "bunu sor", True),
        ("", "Kaynak?", True),
        (LINES[2], "", True),
    ]
    assert [bool(note.passage_id) for note in stored] == [True, False, True]
