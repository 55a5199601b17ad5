"""Prints how many words of scanned Turkish pages are found by search, and what reading them costs.

    python -m tests.bench.scans [PAGES]

Each page is a document of its own: the words of the user's guide, scanned at 150 to 300 dots an
inch with noise, blur and skew. A word counts as found if a search for it alone returns its page.
"""

import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory
from textwrap import wrap

from desktop.domain.ids import SourceId
from desktop.domain.search import EVERYWHERE, HitKind, Query
from desktop.language.authored_text import quoted_spans
from desktop.recall.other_kinds import SourceSearch
from desktop.recall.search import Search
from desktop.research.documents.page_reader import PdfPageReader
from desktop.research.library import Library
from desktop.research.scans import ScanReading
from desktop.storage.archive import Archive
from tests.archives import archive_in
from tests.scans import Scanner

_GUIDE = Path(__file__).parents[2] / "resources" / "guide" / "tr.md"
_LINES, _COLUMNS = 48, 76
_DPI = (150, 200, 250, 300)
_NOISE = (4.0, 10.0, 18.0)
_SKEW = (0.0, 0.7, -1.2, 1.8, -0.4)
_LETTERS = 3  # Of a word that is searched for
_QUOTED = 8  # Words
_MOST_HITS = 400
_FINE = 200
_QUERY = partial(
    Query,
    kinds=frozenset({HitKind.SOURCE}),
    limit=_MOST_HITS,
    candidates=_MOST_HITS,
    scope=EVERYWHERE,
)


@dataclass(frozen=True, slots=True)
class Scan:
    scanner: Scanner
    lines: Sequence[str]
    path: Path
    source_id: SourceId


def _words(text: str) -> list[str]:
    signs = "".join(sign if sign.isalpha() else " " for sign in text)
    return list(dict.fromkeys(word for word in signs.split() if len(word) >= _LETTERS))


def made_pages() -> Iterator[list[str]]:
    """Yield pages of lines of the guide, again from its beginning when it is over."""
    prose = " ".join(_GUIDE.read_text(encoding="utf-8").replace("*", "").split())
    lines = wrap(prose, _COLUMNS)
    at = 0
    while True:
        yield [lines[(at + number) % len(lines)] for number in range(_LINES)]
        at += _LINES


def main(pages: int) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        archive = archive_in(folder)
        library = Library(archive.sources, archive.files, archive.references, archive.notes)
        scans = [
            _scanned(folder, library, number, lines)
            for number, lines in zip(range(pages), made_pages(), strict=False)
        ]
        before = getrusage(RUSAGE_CHILDREN).ru_utime
        ScanReading(archive.sources, archive.scans, library).read(
            [archive.sources.source(scan.source_id) for scan in scans]
        )
        seconds = (getrusage(RUSAGE_CHILDREN).ru_utime - before) / pages
        _print_found(archive, scans)
        _print_marks(archive, library, scans)
        print(f"processor time: {seconds:.2f} s a page")
        archive.close()


def _scanned(folder: Path, library: Library, number: int, lines: Sequence[str]) -> Scan:
    scanner = Scanner(
        dpi=_DPI[number % len(_DPI)],
        noise=_NOISE[number % len(_NOISE)],
        blur=number % 2,
        skew=_SKEW[number % len(_SKEW)],
        seed=number,
    )
    path = folder / f"{number}.pdf"
    path.write_bytes(scanner.scanned([lines]))
    (added,) = library.add([path]).added
    if added.source is None:
        raise AssertionError(added.error)
    return Scan(scanner, lines, path, added.source.id)


def _print_found(archive: Archive, scans: Sequence[Scan]) -> None:
    search = Search(archive.index, sources=SourceSearch(archive.source_index))
    counts: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for scan in scans:
        passages = archive.sources.passages(scan.source_id)
        exact = _words(" ".join(passage.text for passage in passages))
        for word in _words(" ".join(scan.lines)):
            hits = search.find(_QUERY(word))
            counts[scan.scanner.dpi]["found"] += any(
                hit.source_id == scan.source_id for hit in hits
            )
            counts[scan.scanner.dpi]["exact"] += word in exact
            counts[scan.scanner.dpi]["words"] += 1
    fine = sum((count for dpi, count in counts.items() if dpi >= _FINE), Counter())
    for title, count in (*sorted(counts.items()), (f"{_FINE} and more", fine)):
        found, exact_share = (count[name] / max(count["words"], 1) for name in ("found", "exact"))
        print(
            f"{title} dots an inch: {found:.3f} of {count['words']} words found by search, "
            f"{exact_share:.3f} read letter by letter"
        )


def _print_marks(archive: Archive, library: Library, scans: Sequence[Scan]) -> None:
    """Quotations of what was read, as answers cite it."""
    marked = whole = 0
    with PdfPageReader(library.opened, archive.scans) as pages:
        for scan in scans:
            for passage in archive.sources.passages(scan.source_id):
                words = passage.text.split()
                for start in range(0, len(words) - _QUOTED, _QUOTED):
                    quote = " ".join(words[start : start + _QUOTED])
                    mark = pages.mark(scan.path, quote, 0)
                    whole += 1
                    marked += mark is not None and bool(quoted_spans(mark.letters, quote))
    print(f"marked: {marked} of {whole} quotations of {_QUOTED} words")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
