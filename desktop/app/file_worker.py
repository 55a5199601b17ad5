"""The child process that opens untrusted files: documents and pictures.

For a picture it returns the pixels, the words, or bytes that fit a model's limits. Qt decodes only
the format that the first bytes name: no other handler, in particular SVG's, sees the data.
"""

from base64 import b64decode, b64encode
from typing import TYPE_CHECKING, Any, BinaryIO

from desktop.domain.errors import OcrFailedError
from desktop.research.child_process import send_line, serve_requests
from desktop.research.documents.pictures import MOST_PIXELS, TOO_LARGE, UNOPENED, is_bare
from desktop.research.documents.reader_worker import answer_document

if TYPE_CHECKING:
    from desktop.research.documents.pdf_pages import OpenPdf

_BYTES_A_PIXEL = 4
_MEGABYTE = 1 << 20
_QUALITIES = (90, 75, 50, 25)
_SMALL_LETTERS = 1_600  # Pixels of the longer side below which letters are often too small to read


def main(megabytes: int, *, is_urgent: bool) -> None:
    """Serve until stdin ends; a PDF stays open while its pages are asked for."""
    pdf: OpenPdf | None = None

    def answer(request: dict[str, Any], answers: BinaryIO) -> None:
        nonlocal pdf
        if "picture" in request:
            send_line(answers, *_opened(request, b64decode(request["picture"])))
        elif "pages" in request:
            from desktop.research.documents.pdf_pages import OpenPdf  # noqa: PLC0415 - native code

            pdf = pdf or OpenPdf()
            pdf.answer(request, answers)
        else:
            answer_document(request, answers)

    serve_requests(megabytes, answer, is_urgent=is_urgent)


def _opened(request: dict[str, Any], data: bytes) -> tuple[object, ...]:
    from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QSize, Qt  # noqa: PLC0415 - not for documents
    from PySide6.QtGui import QImage, QImageReader  # noqa: PLC0415 - as above

    kind, edge, most = str(request["kind"]), int(request["edge"]), int(request["most"])
    bytes_ = QByteArray(data)
    buffer = QBuffer(bytes_)
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    QImageReader.setAllocationLimit(MOST_PIXELS * _BYTES_A_PIXEL // _MEGABYTE + 1)
    reader = QImageReader(buffer, QByteArray(kind.rpartition("/")[2].encode()))
    reader.setAutoDetectImageFormat(False)
    reader.setAutoTransform(True)
    size = reader.size()
    if size.isEmpty():
        return ("error", UNOPENED)
    if size.width() * size.height() > MOST_PIXELS:
        return ("error", TOO_LARGE)
    is_small = max(size.width(), size.height()) <= edge
    if not is_small:
        # Never to nothing: a line of pixels stays one.
        scaled = size.scaled(edge, edge, Qt.AspectRatioMode.KeepAspectRatio)
        reader.setScaledSize(scaled.expandedTo(QSize(1, 1)))
    image = reader.read()
    if image.isNull():
        return ("error", UNOPENED)
    if "ocr" in request:
        return _read(image, request)
    if most:
        fits = is_small and len(data) <= most and kind != "image/gif"
        is_sent_whole = fits and is_bare(data, kind)
        sent = (kind, "") if is_sent_whole else _encoded(_without_texts(image), kind, most)
        return ("file", image.width(), image.height(), *sent)
    image = image.convertToFormat(QImage.Format.Format_RGBA8888)
    pixels = b64encode(image.constBits()).decode()
    return ("pixels", image.width(), image.height(), pixels)


def _read(image: Any, request: dict[str, Any]) -> tuple[object, ...]:
    """Return the picture in grey for a program that reads it, or the words that are read here."""
    from PySide6.QtCore import Qt  # noqa: PLC0415 - as above
    from PySide6.QtGui import QImage  # noqa: PLC0415 - as above

    from desktop.research.documents.ocr_worker import picture_words  # noqa: PLC0415 - native code

    if max(image.width(), image.height()) < _SMALL_LETTERS:
        smooth = Qt.TransformationMode.SmoothTransformation
        image = image.scaled(image.size() * 2, mode=smooth)
    grey = _on_white(image).convertToFormat(QImage.Format.Format_Grayscale8)
    size = grey.width(), grey.height(), grey.bytesPerLine()
    data = bytes(grey.constBits())
    if request["ocr"] == "grey":
        rows = b"".join(data[row * size[2] :][: size[0]] for row in range(size[1]))
        return ("grey", size[0], size[1], b64encode(rows).decode())
    try:
        return ("words", picture_words(data, size, request))
    except OcrFailedError as exc:
        return ("error", OcrFailedError.key, str(exc.values.get("detail", "")))


def _on_white(image: Any) -> Any:
    from PySide6.QtCore import Qt  # noqa: PLC0415 - as above
    from PySide6.QtGui import QImage, QPainter  # noqa: PLC0415 - as above

    flat = QImage(image.size(), QImage.Format.Format_RGB32)
    flat.setColorSpace(image.colorSpace())
    flat.fill(Qt.GlobalColor.white)
    painter = QPainter(flat)
    painter.drawImage(0, 0, image)
    painter.end()
    return flat


def _without_texts(image: Any) -> Any:
    """Return the same pixels without the file's text fields, which Qt would write into a copy."""
    from PySide6.QtGui import QImage  # noqa: PLC0415 - as above

    form = (
        QImage.Format.Format_RGBA8888 if image.hasAlphaChannel() else QImage.Format.Format_RGB888
    )
    drawn = image.convertToFormat(form)
    size = drawn.width(), drawn.height(), drawn.bytesPerLine()
    bare = QImage(drawn.constBits(), *size, form).copy()
    bare.setColorSpace(image.colorSpace())
    return bare


def _encoded(image: Any, kind: str, most: int) -> tuple[str, str]:
    from PySide6.QtCore import QBuffer, QIODevice  # noqa: PLC0415 - as above

    def saved(form: str, quality: int) -> bytes:
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        image.save(buffer, form, quality)
        return bytes(buffer.data().data())

    if kind != "image/jpeg" and len(data := saved("PNG", -1)) <= most:
        return "image/png", b64encode(data).decode()
    image = _on_white(image)
    tried = (saved("JPG", quality) for quality in _QUALITIES)
    data = next((attempt for attempt in tried if len(attempt) <= most), b"")
    return "image/jpeg", b64encode(data).decode()
