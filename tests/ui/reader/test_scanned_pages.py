"""The words that OCR may have misread are marked on scanned pages and in their text."""

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent, QTextCursor
from PySide6.QtWidgets import QApplication, QToolTip, QWidget  # noqa: TID251 - only read

from desktop.domain.projects import EVERYTHING
from desktop.domain.sources import NewPassage, ScannedWord
from tests.scans import Scanner
from tests.ui.main_window.stage import Stage
from tests.ui.reader.test_page_view import read

_TEXT = "Kervansaray yolu yol boyunca"


@pytest.fixture
def stage(empty: Stage, tmp_path: Path) -> Stage:
    """A page without letters, of which OCR read the third word badly."""
    file = tmp_path / "tarama.pdf"
    file.write_bytes(Scanner().scanned([[_TEXT]]))
    empty.services.library.add([file])
    (source,) = empty.archive.sources.sources(EVERYTHING)
    words = [
        ScannedWord(word, 60 + 90 * at, 700, 140 + 90 * at, 712, 40 if word == "yol" else 95, 0)
        for at, word in enumerate(_TEXT.split())
    ]
    empty.archive.scans.add(source.id, 1, words, [NewPassage(_TEXT, 1)])
    empty.window.show()
    empty.window.resize(1280, 820)
    return empty


def tip_at(widget: QWidget, at: QPoint) -> str:
    kind = QEvent.Type.ToolTip
    QApplication.sendEvent(widget, QHelpEvent(kind, at, widget.mapToGlobal(at)))
    return QToolTip.text()


def test_an_uncertain_word_is_marked_on_the_page_and_its_tip_says_so(stage: Stage) -> None:
    view = read(stage).pages
    ((word, area),) = view._marks.uncertain(0, view._paper(0), view._scale)
    assert word == "yol"
    shot = view.viewport().grab().toImage()
    line = area.adjusted(0, area.height() - 1, 0, 1).toRect()
    rows, across = (range(line.top(), line.bottom() + 1), range(line.left(), line.right()))
    below = [shot.pixelColor(x, y) for y in rows for x in across]
    assert any(colour.red() > colour.blue() + 40 for colour in below)
    assert "“yol”" in tip_at(view.viewport(), area.center().toPoint())


def test_an_uncertain_word_is_marked_in_the_text(stage: Stage) -> None:
    reader = read(stage)
    stage.until(lambda: bool(reader.text._uncertain))
    reader._as_text.setChecked(True)
    assert reader.text._uncertain == {0: [(17, 20)]}
    cursor = QTextCursor(reader.text.document().find(" yol "))
    at = reader.text.cursorRect(cursor).center() - QPoint(8, 0)
    assert "“yol”" in tip_at(reader.text.viewport(), at)
