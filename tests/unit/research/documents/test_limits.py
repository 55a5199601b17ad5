"""Whatever a document does to its reader, the program continues."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest

from desktop.domain.errors import (
    DocumentEmptyError,
    DocumentReaderError,
    DocumentTooLargeError,
    DocumentTooSlowError,
    DocumentUnfoldsError,
)
from desktop.research.child_process import ReadingStopped
from desktop.research.documents.reader import DocumentReader, ReadingLimits
from tests.documents.pdfs import unfolding_pdf
from tests.documents.shelf import english_report
from tests.guards import LogWatch

needs_pipes = pytest.mark.skipif(sys.platform == "win32", reason="has no such files")


@pytest.fixture
def endless(tmp_path: Path) -> Iterator[Path]:
    """A file that never ends."""
    pipe = tmp_path / "endless.txt"
    os.mkfifo(pipe)
    writing = os.open(pipe, os.O_RDWR)
    yield pipe
    os.close(writing)


def reads_on(reader: DocumentReader, folder: Path) -> bool:
    (folder / "plain.txt").write_text("after all", "utf-8")
    return [one.text for one in reader.read(folder / "plain.txt").passages] == ["after all"]


@needs_pipes
def test_reading_a_document_stops_after_its_time_limit(tmp_path: Path, endless: Path) -> None:
    with DocumentReader(ReadingLimits(seconds=0.3)) as reader:
        with pytest.raises(DocumentTooSlowError):
            reader.read(endless)
        assert reads_on(reader, tmp_path)


_TELLS_ITS_LIMIT = """
from resource import RLIMIT_CPU, getrlimit
from desktop.research.child_process import send_line, serve_requests
serve_requests(512, lambda request, answers: send_line(answers, getrlimit(RLIMIT_CPU)[0]))
"""


@needs_pipes
def test_every_request_has_a_limit_of_processor_time() -> None:
    told = subprocess.run(  # noqa: S603 - our own command, without a shell
        [sys.executable, "-c", _TELLS_ITS_LIMIT],
        input=b'{"seconds": 10}\n{"seconds": 40}\n',
        capture_output=True,
        check=True,
    )
    first, second = (limit for line in told.stdout.splitlines() for limit in json.loads(line))
    assert 10 <= first < 20
    assert 40 <= second < 50


@needs_pipes
def test_reading_stops_in_the_middle_of_a_document(tmp_path: Path, endless: Path) -> None:
    asked = Event()

    def should_stop() -> bool:
        asked.set()
        return True

    with DocumentReader() as reader:
        with pytest.raises(ReadingStopped):
            reader.read(endless, should_stop=should_stop)
        assert asked.is_set()
        assert reads_on(reader, tmp_path)


@pytest.mark.parametrize(
    ("name", "piece", "times", "limits"),
    [
        ("large.txt", b"word ", 16 << 20, ReadingLimits(megabytes=100)),
        ("long.txt", b"word ", 500_000, ReadingLimits(letters=2 << 20)),
        ("tiny.txt", b"a\n\n", 12_000, ReadingLimits(letters=128 << 10)),
        *[
            (name, piece, 1_000, ReadingLimits(letters=128 << 10))
            for name, piece in (
                ("a.md", b"# a\n"),
                ("b.md", b"a\n==\n"),
                ("c.html", b"<h1>a</h1>"),
            )
        ],
    ],
)
def test_a_document_too_large_for_memory_or_length_is_refused(
    tmp_path: Path, name: str, piece: bytes, times: int, limits: ReadingLimits
) -> None:
    (tmp_path / name).write_bytes(piece * times)
    with DocumentReader(limits) as reader:
        with pytest.raises(DocumentTooLargeError) as raised:
            reader.read(tmp_path / name)
        assert raised.value.values == {"limit": limits.letters >> 20}
        assert reads_on(reader, tmp_path)


def test_a_pdf_bomb_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bomb.pdf").write_bytes(unfolding_pdf(64))
    with DocumentReader(ReadingLimits(megabytes=128, seconds=2)) as reader:
        with pytest.raises((DocumentUnfoldsError, DocumentTooSlowError)):
            reader.read(tmp_path / "bomb.pdf")
        assert reads_on(reader, tmp_path)


def test_pages_are_reported_as_they_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(english_report().data)
    pages: list[int] = []
    with DocumentReader() as reader:
        reader.read(tmp_path / "a.pdf", on_page=pages.append)
    assert pages == list(range(1, 41))


@pytest.mark.parametrize(("module", "file"), [("pypdfium2", "a.pdf"), ("zipfile", "a.txt")])
def test_a_reader_that_cannot_be_imported_is_a_fault_of_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log_watch: LogWatch, module: str, file: str
) -> None:
    """The failure may happen while it reads, or when it starts."""
    (tmp_path / f"{module}.py").write_text("raise ImportError('torn apart')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (tmp_path / file).write_bytes(b"%PDF-1.7" if file == "a.pdf" else b"Words.")
    log_watch.expect("desktop.research.documents.reader", "failed")
    with DocumentReader() as reader, pytest.raises(DocumentReaderError) as raised:
        reader.read(tmp_path / file)
    assert raised.value.values == {"detail": "ImportError: torn apart"}


def test_the_child_that_reads_documents_has_no_key_of_the_users(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log_watch: LogWatch
) -> None:
    module = "import os; raise ImportError(','.join(n for n in os.environ if 'URL' in n))"
    (tmp_path / "zipfile.py").write_text(module)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("DATABASE_URL", "postgres://user:secret@localhost")
    log_watch.expect("desktop.research.documents.reader", "failed")
    with DocumentReader() as reader, pytest.raises(DocumentReaderError) as raised:
        reader.read(tmp_path / "zipfile.py")
    assert raised.value.values == {"detail": "ImportError"}


def test_unclosed_comments_take_linear_time(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<!--" * (2 << 20))
    (tmp_path / "a.fetched").write_text("<!--" * (2 << 20))
    with DocumentReader(ReadingLimits(seconds=30)) as reader:
        for name in ("a.html", "a.fetched"):
            with pytest.raises(DocumentEmptyError):
                reader.read(tmp_path / name)
