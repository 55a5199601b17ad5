"""Finds what can read scanned pages and pictures, and reads them one by one.

Tesseract reads them: its Python binding in the process that reads hostile files, or else an
installed program, which gets the picture of a page that this process has made.
"""

import os
import subprocess
from base64 import b64decode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import Any, BinaryIO

from desktop.domain import errors
from desktop.domain.sources import NewPassage, ScannedWord
from desktop.research.documents.page_reader import PdfPageReader, ask
from desktop.research.documents.pictures import PictureReader
from desktop.research.documents.reader import READ_FLAG
from desktop.settings.paths import asset
from desktop.settings.sandbox import child_environment

_SECONDS = 120  # Of a page
_SURE = 60  # Mean confidence below which a page may lie on its side or its head
_TURNS = (0, 1, 3, 2)
_LANGUAGES = "tur+eng"
_DPI = 300
_EDGE = 4_000  # Pixels of the longer side of a picture: larger ones are scaled down


@dataclass(frozen=True, slots=True)
class OcrEngine:
    program: str | None = None  # None: the binding


@dataclass(frozen=True, slots=True)
class ScannedPage:
    words: Sequence[ScannedWord]
    passages: Sequence[NewPassage]
    confidence: float  # Of 100, the mean of its letters


def find_engine() -> OcrEngine | None:
    """Return what can read scans on this computer."""
    if find_spec("tesserocr"):
        return OcrEngine()
    program = which("tesseract") or next(filter(os.path.isfile, _usual_places()), None)
    return OcrEngine(program) if program else None


def require_engine() -> OcrEngine:
    """Return the same. Raises OcrMissingError."""
    engine = find_engine()
    if engine is None:
        raise errors.OcrMissingError
    return engine


def _usual_places() -> Sequence[str]:
    """Return where its installer for Windows, and Homebrew, put the program."""
    programs = os.environ.get("PROGRAMFILES", "C:\\Program Files")
    return (rf"{programs}\Tesseract-OCR\tesseract.exe", "/opt/homebrew/bin/tesseract")


class OcrReader(PdfPageReader):
    """Reads the scanned pages of one document after the other; its methods wait.

    They raise DocumentError, FileUnreadableError, ReadingStopped.
    """

    def __init__(
        self,
        open_file: Callable[[Path], BinaryIO],
        engine: OcrEngine,
        should_stop: Callable[[], bool],
    ) -> None:
        super().__init__(open_file, flag=READ_FLAG)
        self._engine, self._should_stop = engine, should_stop

    def scanned_pages(self, file: Path) -> list[int]:
        """Return the indexes of the pages whose words only OCR can read."""
        with self._child_with(file, _SECONDS, self._should_stop) as child:
            (indexes,) = ask(child, pages="ocr", ocr="scans", seconds=_SECONDS)
        return list(indexes)

    def read_page(self, file: Path, index: int) -> ScannedPage:
        """Return the words of a page, however it was turned when it was scanned."""
        best: ScannedPage | None = None
        for turns in _TURNS:
            page = self._read(file, index, turns)
            if best is None or page.confidence > best.confidence:
                best = page
            if best.confidence >= _SURE or not page.confidence:
                break
        if best is None:
            raise AssertionError("read at least once")
        return best

    def _read(self, file: Path, index: int, turns: int) -> ScannedPage:
        request = {"pages": "ocr", "index": index, "turns": turns, "seconds": _SECONDS}
        with self._child_with(file, _SECONDS, self._should_stop) as child:
            table = ""
            if self._engine.program is not None:
                width, height = ask(child, ocr="grey", **request)
                grey = child.receive_bytes(width * height)
                table = _run(self._engine.program, grey, width, height)
            data = {"data": str(_data()), "languages": _LANGUAGES, "table": table}
            confidence, words, passages = ask(child, ocr="words", **request, **data)
        return ScannedPage(
            [ScannedWord(*values) for values in words],
            [NewPassage(text, page) for text, page in passages],
            confidence,
        )


class PictureTextReader(PictureReader):
    """Reads pictures one after the other; its method waits."""

    def __init__(self, engine: OcrEngine, should_stop: Callable[[], bool]) -> None:
        super().__init__(should_stop)
        self._engine = engine

    def words(self, data: bytes) -> str:
        """Return what a picture says, empty if it says nothing.

        Raises PictureUnopenedError, PictureTooLargeError, OcrFailedError, DocumentReaderError,
        ReadingStopped, and if it took too long PictureTooSlowError, DocumentTooSlowError.
        """
        table = ""
        if self._engine.program is not None:
            width, height, grey = self._answer(data, ocr="grey")
            table = _run(self._engine.program, b64decode(grey), width, height)
        (words,) = self._answer(
            data, ocr="words", table=table, folder=str(_data()), languages=_LANGUAGES
        )
        return str(words)

    def _answer(self, picture: bytes, **request: str) -> Sequence[Any]:
        match self._ask(picture, _EDGE, 0, _SECONDS, **request):
            case ["error", errors.OcrFailedError.key, detail]:
                raise errors.OcrFailedError(detail=detail)
            case ["grey" | "words", *values]:
                return values
            case _:
                raise errors.PictureUnopenedError


def _run(program: str, grey: bytes, width: int, height: int) -> str:
    """Return the program's table of words. Raises OcrFailedError, DocumentTooSlowError."""
    options = ("--tessdata-dir", str(_data()), "-l", _LANGUAGES, "--dpi", str(_DPI))
    try:
        done = subprocess.run(  # noqa: S603 - an installed program, without a shell
            [program, "stdin", "stdout", *options, "-c", "tessedit_create_tsv=1"],
            input=b"P5 %d %d 255\n" % (width, height) + grey,
            capture_output=True,
            check=True,
            timeout=_SECONDS,
            env=child_environment(OMP_THREAD_LIMIT="1"),
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except subprocess.TimeoutExpired as exc:
        raise errors.DocumentTooSlowError(seconds=_SECONDS) from exc
    except (OSError, subprocess.CalledProcessError) as exc:
        raise errors.OcrFailedError(detail=program) from exc
    return done.stdout.decode("utf-8", "replace")


def _data() -> Path:
    return asset("resources") / "tessdata"
