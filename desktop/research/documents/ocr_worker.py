"""Reads scanned pages by OCR (Tesseract), in the process that reads hostile files.

A page is rendered in grey and its words are located. Without the Python binding of Tesseract, the
main process runs Tesseract on the picture of the page, and its table of words is read here.
"""

import csv
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from ctypes import byref, c_double
from functools import cache
from itertools import groupby
from typing import Any, BinaryIO, NamedTuple

from pypdfium2 import PdfBitmap, PdfDocument, PdfPage, raw

from desktop.domain.errors import OcrFailedError
from desktop.domain.sources import ScannedWord
from desktop.research.child_process import send_line
from desktop.research.documents.blocks import Block, chunk_blocks
from desktop.research.documents.pdf import joined_lines, scanned_pages

_DPI, _POINTS_AN_INCH = 300, 72
_TURN = 90
_WORD = "5"  # The level of a word in Tesseract's table
_COLUMNS = 12
_SPECK = 50  # Confidence below which signs without a letter are dirt
_ILLEGIBLE = 35  # Mean confidence of a page below which it has no words, only pictures
_MOST_WORDS = 20_000
_MOST_PIXELS = 30_000_000
_LEAST_SIDE, _LONGEST_SIDE = 16, 16_000  # Pixels; Tesseract does not survive twice as many


class _Word(NamedTuple):
    """A word as Tesseract found it, in pixels from the upper left of the picture."""

    paragraph: tuple[str, str]
    line: tuple[str, str, str]
    left: int
    top: int
    width: int
    height: int
    confidence: float
    text: str


def answer_ocr(document: PdfDocument, request: dict[str, Any], answers: BinaryIO) -> None:
    """Answer one request of `OcrReader`."""
    if request["ocr"] == "scans":
        send_line(answers, "scans", scanned_pages(document))
        return
    try:
        _answer_page(document, request, answers)
    except (ImportError, RuntimeError) as exc:  # the binding, or its data
        send_line(answers, "error", OcrFailedError.key, str(exc))


def _answer_page(document: PdfDocument, request: dict[str, Any], answers: BinaryIO) -> None:
    index, turns = request["index"], request["turns"]
    with closing(document[index]) as page, closing(_rendered(document, page, turns)) as picture:
        if request["ocr"] == "grey":
            send_line(answers, "grey", picture.width, picture.height)
            answers.writelines(_rows(picture))
            return
        table: str = request["table"]
        words = _words(
            table
            or _recognized(
                bytes(picture.buffer),
                (picture.width, picture.height, picture.stride),
                request["data"],
                request["languages"],
            )
        )
        confidence = _mean_confidence(words)
        words = words if confidence >= _ILLEGIBLE else []
        passages = [
            (passage.text, passage.page) for passage in chunk_blocks(_blocks(words, index + 1))
        ]
        send_line(
            answers, "words", confidence, list(_located(words, page, picture, turns)), passages
        )


def _rendered(document: PdfDocument, page: PdfPage, turns: int) -> PdfBitmap:
    width, height = page.get_size()
    scale = min(
        _DPI / _POINTS_AN_INCH,
        (_MOST_PIXELS / max(width * height, 1)) ** 0.5,
        _LONGEST_SIDE / max(width, height, 1),
    )
    document.init_forms()
    return page.render(scale=scale, rotation=turns * _TURN, grayscale=True)


def _rows(picture: PdfBitmap) -> Iterator[bytes]:
    data = bytes(picture.buffer)
    for start in range(0, picture.stride * picture.height, picture.stride):
        yield data[start : start + picture.width]


def picture_words(grey: bytes, size: tuple[int, int, int], request: dict[str, Any]) -> str:
    """Return what a picture says, a line for each paragraph. Raises OcrFailedError.

    `grey`: a byte a pixel, in rows; `size`: width, height, and the bytes from row to row.
    """
    try:
        table: str = request["table"] or _recognized(
            grey, size, request["folder"], request["languages"]
        )
    except (ImportError, RuntimeError) as exc:  # the binding, or its data
        raise OcrFailedError(detail=str(exc)) from exc
    # Without a look at the picture nobody can tell a misread word from another.
    words = [word for word in _words(table) if word.confidence >= _SPECK]
    return "\n".join(block.text for block in _blocks(words, 1))


def _recognized(grey: bytes, size: tuple[int, int, int], folder: str, languages: str) -> str:
    width, height, stride = size
    if min(width, height) < _LEAST_SIDE:  # Tesseract does not survive it
        return ""
    engine = _engine(folder, languages)
    engine.SetImageBytes(grey, width, height, 1, stride)
    engine.SetSourceResolution(_DPI)
    table: str = engine.GetTSVText(0)
    engine.Clear()
    return table


@cache
def _engine(folder: str, languages: str) -> Any:
    # One core; OpenMP reads it when it is loaded.
    os.environ["OMP_THREAD_LIMIT"] = "1"
    from tesserocr import PyTessBaseAPI  # noqa: PLC0415 - an extra

    return PyTessBaseAPI(path=folder, lang=languages)


def _words(table: str) -> list[_Word]:
    """Read the words of Tesseract's table, without dirt."""
    words: list[_Word] = []
    for row in csv.reader(table.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE):
        if (
            row[0] != _WORD
            or len(row) < _COLUMNS
            or not (text := "".join(row[_COLUMNS - 1 :]).strip())
        ):
            continue
        _, _, block, paragraph, line, _, left, top, width, height, confidence, _ = row[:_COLUMNS]
        word = _Word(
            (block, paragraph),
            (block, paragraph, line),
            left=int(left),
            top=int(top),
            width=int(width),
            height=int(height),
            confidence=float(confidence),
            text=text,
        )
        if word.confidence >= _SPECK or any(sign.isalnum() for sign in text):
            words.append(word)
    return words[:_MOST_WORDS]


def _mean_confidence(words: Sequence[_Word]) -> float:
    letters = sum(len(word.text) for word in words)
    return sum(word.confidence * len(word.text) for word in words) / max(letters, 1)


def _blocks(words: Iterable[_Word], page: int) -> Iterator[Block]:
    for _, paragraph in groupby(words, lambda word: word.paragraph):
        lines = [
            " ".join(word.text for word in line)
            for _, line in groupby(paragraph, lambda word: word.line)
        ]
        yield Block(joined_lines(lines), page)


def _located(
    words: Iterable[_Word], page: PdfPage, picture: PdfBitmap, turns: int
) -> Iterator[ScannedWord]:
    """Yield the words with their places on the page, in points from its lower left."""

    def point(x: int, y: int) -> tuple[float, float]:
        left, bottom = c_double(), c_double()
        area = (0, 0, picture.width, picture.height, turns)
        raw.FPDF_DeviceToPage(page, *area, x, y, byref(left), byref(bottom))
        return left.value, bottom.value

    for line, (_, of_line) in enumerate(groupby(words, lambda word: word.line)):
        for word in of_line:
            (a, b), (c, d) = (
                point(word.left, word.top),
                point(word.left + word.width, word.top + word.height),
            )
            yield ScannedWord(
                word.text,
                left=round(min(a, c), 1),
                bottom=round(min(b, d), 1),
                right=round(max(a, c), 1),
                top=round(max(b, d), 1),
                confidence=round(word.confidence),
                line=line,
            )
