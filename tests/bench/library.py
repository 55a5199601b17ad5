"""Prints what a large library costs: to list, sort and filter its works, and to show a cited page.

    python -m tests.bench.library [WORKS]

The works are listed on a worker; they are sorted and filtered where the table is, on the thread of
the window, so both count the time of the processor. The cited page is that of a document that has
not been opened, in a process that waits for it, as in a window whose answer cites something.
"""

import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, thread_time

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from desktop.domain.language import Language
from desktop.domain.references import Reference
from desktop.references.bibtex import read_bibtex
from desktop.research.documents.page_reader import PdfPageReader
from desktop.research.documents.reader import open_file
from desktop.sessions.services import Services
from desktop.settings.keys import MemoryKeys
from desktop.settings.paths import Paths
from desktop.settings.store import SettingsStore
from desktop.ui.library.library_actions import list_works
from desktop.ui.library.table_model import Column, WorkFilter, WorkTableModel
from tests.archives import archive_in
from tests.bibliographies import bibliography
from tests.documents.pdfs import pdf_of

_RUNS = 9
_SCALE = 1.3  # Pixels a point: a page in half of a window of 1280
_PAGES = 40
_WORDS = (
    "The gauge of the old harbour was read at dawn, as every day before the tide came in. " * 30
)


def main(works: int) -> None:
    app = QApplication([])
    with TemporaryDirectory() as name:
        folder = Path(name)
        _measure_table(folder, works)
        _measure_page(folder)
    app.quit()


def _measure_table(folder: Path, works: int) -> None:
    archive = archive_in(folder)
    store = SettingsStore(Paths.under(folder))
    services = Services(archive, store, Language.TR, kept_keys=MemoryKeys())
    services.references.add([Reference(item) for item in read_bibtex(bibliography(works))])
    listing = list_works(services)
    print(f"{len(listing.items)} works listed: {_milliseconds(lambda: list_works(services))}")
    table = WorkTableModel()
    table.show_items(listing.items)
    for column in Column:
        print(f"sorted by {column}: {_milliseconds(partial(table.sort_by, column))}")
    print(f"searched: {_milliseconds(lambda: table.find('göç ma'))}")
    table.find("")
    kind = next(iter(table.kinds()))
    table.filter = WorkFilter(kind=kind)
    print(f"filtered: {_milliseconds(lambda: table.sort_by(Column.AUTHORS))}")
    services.close()
    archive.close()


def _measure_page(folder: Path) -> None:
    times = []
    with PdfPageReader(open_file) as reader:
        reader.start()
        for number in range(_RUNS):
            file = folder / f"{number}.pdf"
            quote = f"gauge {number} was read at midnight"
            pages = [f"{_WORDS} The {quote} on day {page}. {_WORDS}" for page in range(_PAGES)]
            file.write_bytes(pdf_of(*pages))
            began = perf_counter()
            reader.describe(file)
            mark = reader.mark(file, f"{quote} on day {_PAGES - 5}", _PAGES - 5)
            if mark is None:
                raise AssertionError(quote)
            reader.picture(file, mark.index, _SCALE)
            times.append((perf_counter() - began) * 1_000)
    print(f"a cited page, opened, marked, drawn: {median(times):.0f}, at most {max(times):.0f} ms")


def _milliseconds(work: Callable[[], object]) -> str:
    times = []
    for _ in range(_RUNS):
        began = thread_time()
        work()
        times.append((thread_time() - began) * 1_000)
    return f"{median(times):.0f}, at most {max(times):.0f} ms"


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3_000)
