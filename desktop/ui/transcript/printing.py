"""Sessions and answers on paper and as PDF, laid out by Qt from the page that is exported."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QMarginsF, QThread, QUrl
from PySide6.QtGui import (
    QFont,
    QGuiApplication,
    QPagedPaintDevice,
    QPageSize,
    QPdfWriter,
    QTextDocument,
)

from desktop.language.formulas import FormulaDrawing
from desktop.ui.transcript.document_writer import paint_formula

if TYPE_CHECKING:
    from desktop.sessions.exporting.contents import DrawFormula

_POINTS, _INK = 10.5, "black"
_DOTS = 4  # pixels of a formula's picture for one pixel of the page on a screen
_RESOLUTION = 300  # dots an inch

Paged = Callable[["DrawFormula"], str]  # Makes the page; gets the function that shows a formula


class _Printing(QThread):
    """Qt's own thread: a document being laid out starts timers, which a Python thread lacks."""

    def __init__(self, device: QPagedPaintDevice, make: Paged) -> None:
        super().__init__()
        self._device, self._make = device, make
        self.error: Exception | None = None

    def run(self) -> None:
        try:
            document = _document(self._make)
            title = document.metaInformation(QTextDocument.MetaInformation.DocumentTitle)
            if isinstance(self._device, QPdfWriter) and title:
                self._device.setTitle(title)
            document.print_(self._device)
        except Exception as exc:  # noqa: BLE001 - a thread's boundary; raised again by who waits
            self.error = exc


def print_on(device: QPagedPaintDevice, make: Paged) -> None:
    """Print a page; waits, so call it on a worker. Raises what `make` raises."""
    printing = _Printing(device, make)
    printing.start()
    printing.wait()
    if printing.error is not None:
        raise printing.error


def print_pdf(make: Paged) -> bytes:
    """Return a page as PDF; waits, so call it on a worker. Raises what `make` raises."""
    # A command has no application yet, and may have no display.
    application = QGuiApplication.instance() or QGuiApplication(["", "-platform", "offscreen"])
    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(_RESOLUTION)
    writer.setCreator("Bellek")
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setPageMargins(QMarginsF())  # Qt's default is two centimetres
    print_on(writer, make)
    del writer, application  # The first writes the rest, the second was needed until here
    return bytes(buffer.data().data())


def _document(make: Paged) -> QTextDocument:
    font = QFont("Noto Serif")
    font.setPointSizeF(_POINTS)
    drawings: list[FormulaDrawing] = []
    document = QTextDocument()
    document.setDefaultFont(font)

    def picture(drawing: FormulaDrawing) -> str:
        address = f"formula:{len(drawings)}"
        drawings.append(drawing)
        image = paint_formula(drawing, font, _INK, _DOTS)
        document.addResource(QTextDocument.ResourceType.ImageResource.value, QUrl(address), image)
        size = image.deviceIndependentSize()
        return (
            f'<img src="{address}" width="{size.width():.1f}" height="{size.height():.1f}" '
            'style="vertical-align: middle">'
        )

    document.setHtml(make(picture))
    return document
