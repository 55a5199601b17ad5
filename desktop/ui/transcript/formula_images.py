"""Pictures of formulas: drawn on a thread of their own, painted in the text's colour."""

from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFont, QFontInfo, QFontMetrics, QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from desktop.language.formulas import FormulaDrawing, draw_formula

_LOOK_EVERY_MS = 15
_SCALE = 1.15
"""The formulas' letters are smaller than those of an interface font of the same size."""


@dataclass(frozen=True, slots=True)
class Formula:
    tex: str
    is_alone: bool


class FormulaImages(QObject):
    """Draws formulas in the background and keeps the drawings; lives on the GUI thread."""

    drawn = Signal()  # What was asked for can be painted

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._drawings: dict[Formula, Future[FormulaDrawing | None]] = {}
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="formulas")
        self._look = QTimer(self, interval=_LOOK_EVERY_MS)
        self._look.timeout.connect(self._tell_when_done)
        self.destroyed.connect(partial(self._pool.shutdown, wait=False, cancel_futures=True))

    def is_waiting(self, formula: Formula) -> bool:
        """Whether a formula is being drawn, which this asks for if nobody did."""
        if (drawing := self._drawings.get(formula)) is None:
            drawing = self._drawings[formula] = self._pool.submit(
                draw_formula, formula.tex, is_alone=formula.is_alone
            )
            self._look.start()
        return not drawing.done()

    def image(self, formula: Formula, font: QFont, colour: str) -> QImage | None:
        """Return the picture of a formula that is drawn; None if it cannot be drawn."""
        if (drawing := self._drawings[formula].result()) is None:
            return None
        ratio = QGuiApplication.primaryScreen().devicePixelRatio()
        return paint_formula(drawing, font, colour, ratio)

    def _tell_when_done(self) -> None:
        if all(one.done() for one in self._drawings.values()):
            self._look.stop()
            self.drawn.emit()


def paint_formula(drawing: FormulaDrawing, font: QFont, colour: str, ratio: float) -> QImage:
    """Paint a formula with room around it to stand on the base line of the text; any thread.

    In a text document, an object that is aligned in the middle has its middle a quarter of the
    font's x-height above the base line.
    """
    em = QFontInfo(font).pixelSize() * _SCALE
    above_middle = QFontMetrics(font).xHeight() / 4
    width, height, depth = (one * em for one in (drawing.width, drawing.height, drawing.depth))
    reach = max(depth + above_middle, height - depth - above_middle)
    image = QImage(
        round(width * ratio), round(2 * reach * ratio), QImage.Format.Format_ARGB32_Premultiplied
    )
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    top = reach - (height - depth - above_middle)
    area = QRectF(0, top * ratio, width * ratio, height * ratio)
    QSvgRenderer(drawing.svg.encode()).render(painter, area)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
    painter.fillRect(image.rect(), QColor(colour))
    painter.end()
    image.setDevicePixelRatio(ratio)
    return image
