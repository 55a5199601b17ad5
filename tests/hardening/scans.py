"""Hostile PDFs and pictures through every way in: OCR, pages, annotations, references, messages.

Each is read by the child processes that the program uses, with their limits; a known error is an
answer. What a child takes at most is checked at the end.
"""

import resource
from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import cycle
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from desktop.research.documents.ocr import OcrReader, PictureTextReader, find_engine
from desktop.research.documents.page_reader import PdfPageReader
from desktop.research.documents.pictures import PictureReader
from desktop.research.documents.reader import DocumentReader, open_file
from tests.documents.pdfs import Page, Pdf, pdf_of, unfolding_pdf
from tests.documents.shelf import SHELF
from tests.hardening.fuzz import mutated
from tests.hardening.tally import Tally
from tests.pictures import GIF, exif, jpeg, png, png_that_claims
from tests.scans import Scanner, screenshot

_LINES = ("Kestane közde pişer,", "tavada kızarır, fırında kurur.")
_HUGE = (b"0", b"-1", b"99999999", b"2147483648", b"1e308", b"9" * 400)
_SIZES = (b"/Width", b"/Height", b"/Length", b"/MediaBox [0 0", b"/Count", b"/BitsPerComponent")
_DEEP = 20_000
_NOTES = (
    "/Subtype /Highlight /Contents (sor) /QuadPoints [60 790 200 790 60 770 200 770]",
    "/Subtype /Text /Contents (kenar notu)",
    "/FT /Tx /V (Yabanmersini)",
)
_FLIPS = 40
_MOST_MEGABYTES = 1_400  # The limit of a child, and what it may take beside the document
_DOCUMENT_S, _PAGES_S, _OCR_S = 310.0, 200.0, 500.0
"""The limits of the program: of a document, of nine requests about its pages, of a page that OCR
reads in four positions; of a picture that is shown it is that of the harness."""


def _flipped(whole: bytes, chance: Random) -> bytes:
    made = bytearray(whole)
    for _ in range(_FLIPS):
        made[chance.randrange(len(made))] ^= 1 << chance.randrange(8)
    return bytes(made)


def _cut(whole: bytes, chance: Random) -> bytes:
    return whole[: chance.randrange(len(whole))]


def _huge(whole: bytes, chance: Random) -> bytes:
    """Declare sizes that nothing has."""
    name, size = chance.choice(_SIZES), chance.choice(_HUGE)
    head, found, tail = whole.partition(name)
    if not found:
        return _flipped(whole, chance)
    rest = tail.lstrip(b" 0123456789.-")
    return head + name + b" " + size + b" " + size * name.startswith(b"/Media") + rest


def _deep(whole: bytes, chance: Random) -> bytes:
    opening = chance.choice((b"[", b"<<", b"<</A ", b"("))
    return whole.replace(b"/Type", b"/Z " + opening * _DEEP + b" /Type", 1)


def _odd_tree(whole: bytes, chance: Random) -> bytes:
    """Let the tree of pages lead to itself, to nothing, or to something else."""
    kids = b"/Kids [" + chance.choice((b"1 0 R", b"2 0 R 2 0 R", b"3 0 R " * 5_000, b"99 0 R"))
    head, found, tail = whole.partition(b"/Kids [")
    return head + kids + tail[tail.find(b"]") :] if found else _cut(whole, chance)


_SPOIL: Sequence[Callable[[bytes, Random], bytes]] = (
    mutated,
    _flipped,
    _cut,
    _huge,
    _deep,
    _odd_tree,
)


def _pdfs() -> Sequence[bytes]:
    return (
        Scanner(dpi=100).scanned([_LINES]),
        SHELF["half_scanned.pdf"]().data,
        Pdf([Page(["Kestane közde pişer."], notes=_NOTES)], "Kestane").written(),
        pdf_of("Kestane közde pişer. doi:10.1234/abc"),
    )


def _pictures() -> Sequence[bytes]:
    return screenshot(*_LINES), jpeg(exif(6)), GIF, png(400, 300)


def read_hostile_scans(count: int) -> Tally:
    """Read hostile files, two PDFs to a picture."""
    tally = Tally("hostile scans and pictures")
    engine = find_engine()
    if engine is None:
        tally.skipped = "there is no OCR on this computer"
        return tally
    with (
        TemporaryDirectory(dir="/dev/shm") as folder,
        OcrReader(open_file, engine, lambda: False) as ocr,
        PdfPageReader(open_file) as pages,
        DocumentReader() as reader,
        PictureReader() as pictures,
        PictureTextReader(engine, lambda: False) as texts,
    ):
        for seed, spoil in zip(range(count), cycle(_SPOIL), strict=False):
            chance = Random(f"scan{seed}")  # noqa: S311 - repeatable
            if seed % 3 == 2:
                data = _hostile_picture(spoil, chance)
                tally.attempt(f"picture {seed}", partial(pictures.pixels, data, 200))
                tally.attempt(f"text {seed}", partial(texts.words, data), _OCR_S)
                continue
            path = Path(folder) / f"{seed}.pdf"
            path.write_bytes(_hostile_pdf(spoil, chance))
            tally.attempt(
                f"document {seed}", partial(reader.read, path, takes_scans=True), _DOCUMENT_S
            )
            tally.attempt(f"pages {seed}", partial(_see, pages, path), _PAGES_S)
            tally.attempt(f"ocr {seed}", partial(_read, ocr, path), _OCR_S)
            path.unlink()
    tally.guard("memory", _check_memory)
    return tally


_bomb = cache(unfolding_pdf)  # Making one takes seconds


def _hostile_pdf(spoil: Callable[[bytes, Random], bytes], chance: Random) -> bytes:
    if chance.random() < 0.05:
        return _bomb(chance.choice((20, 60)))
    return spoil(chance.choice(_pdfs()), chance)


def _hostile_picture(spoil: Callable[[bytes, Random], bytes], chance: Random) -> bytes:
    if chance.random() < 0.2:
        return png_that_claims(*chance.choice(((1, 60_000), (30_000, 30_000), (7_000, 7_000))))
    return spoil(chance.choice(_pictures()), chance)


def _see(pages: PdfPageReader, path: Path) -> None:
    for index in range(min(3, len(pages.describe(path).sizes))):
        pages.picture(path, index, 2.0)
        pages.letters(path, index)
    pages.find(path, "kestane", 0, 2)
    pages.mark(path, "közde pişer", 0)


def _read(ocr: OcrReader, path: Path) -> None:
    for index in ocr.scanned_pages(path)[:1]:
        ocr.read_page(path, index)


def _check_memory() -> None:
    megabytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
    if megabytes > _MOST_MEGABYTES:
        raise AssertionError(f"a child took {megabytes} MB")
