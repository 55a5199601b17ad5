from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QFont, QFontMetrics, QImage, QPainter
from pytestqt.qtbot import QtBot

from desktop.ui.theme.tokens import LIGHT
from desktop.ui.widgets.row_list import HighlightedText, Marks

WIDE, HIGH = 240, 20
WHITE, BLACK = QColor("#ffffff"), QColor("#000000")


def painted(text: str, marks: Marks = (), *, lines: int = 2) -> tuple[QImage, int]:
    image = QImage(2 * WIDE, 4 * HIGH, QImage.Format.Format_RGB32)
    image.fill(WHITE)
    painter = QPainter(image)
    painter.setPen(BLACK)
    words = HighlightedText(QFont(), HIGH, lines)
    taken = words.paint(painter, QRect(0, 0, WIDE, lines * HIGH), text, marks, LIGHT)
    painter.end()
    return image, taken


def reaches(image: QImage, colour: QColor | None = None) -> int:
    """How far to the right something stands, or something of a colour."""
    places = (
        x
        for x in range(image.width() - 1, -1, -1)
        for y in range(image.height())
        if (image.pixelColor(x, y) == colour if colour else image.pixelColor(x, y) != WHITE)
    )
    return next(places, -1)


def test_a_text_takes_as_many_lines_as_it_needs_and_no_more_than_it_may(qtbot: QtBot) -> None:
    assert painted("kısa")[1] == 1
    assert painted("sabah yüksekliği " * 40)[1] == 2
    assert painted("sabah yüksekliği " * 40, lines=1)[1] == 1


def test_what_is_cut_says_so_within_its_room(qtbot: QtBot) -> None:
    for text in ("sabah yüksekliği " * 40, "sabahyüksekliği" * 40, "iiii " * 300, "i" * 900):
        image, _ = painted(text)
        assert 0 < reaches(image) <= WIDE


def test_a_text_of_the_narrowest_letters_is_seen_as_far_as_it_goes(qtbot: QtBot) -> None:
    metrics = QFontMetrics(QFont())
    many = "i" * (2 * WIDE // metrics.horizontalAdvance("i") - 8)
    whole, lines = painted(f"{many[: len(many) // 2]} {many[len(many) // 2 :]}")
    assert lines == 2
    assert reaches(whole) > WIDE - 8 * metrics.averageCharWidth()


def test_a_mark_beyond_what_is_seen_paints_nothing(qtbot: QtBot) -> None:
    text = "sabah " * 200
    highlight = QColor(LIGHT.highlight)
    assert reaches(painted(text, [(0, 5)])[0], highlight) > 0
    assert reaches(painted(text, [(1_000, 1_005)])[0], highlight) == -1
