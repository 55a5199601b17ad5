"""The library window and the reader over the real core, in their own window's program."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from desktop.domain.ids import new_source_id
from desktop.domain.sources import NewPassage, Source, SourceKind
from desktop.domain.times import utc_now
from desktop.ui.library.library_page import LibraryPage
from tests.ui.main_window.stage import Stage

TEXTS = (
    "Giriş\nBu çalışma, Ege kıyısındaki zeytinliklerin su ihtiyacını inceler.",
    "Damla sulama, yağmurlama sulamaya göre yüzde 38 daha az su kullandı.",
    "Sonuç\nKuraklık arttıkça “akıllı sulama” öne çıkıyor.",
)


def a_source(
    title: str, address: str, *, kind: SourceKind = SourceKind.DOCUMENT, pages: int | None = None
) -> Source:
    now = utc_now()
    return Source(new_source_id(), kind, title, address, now, now, sha256=title, pages=pages)


def passages(texts: Sequence[str] = TEXTS) -> list[NewPassage]:
    headings = ("Giriş", "Yöntem", "Sonuç")
    return [
        NewPassage(text, place // 2 + 1, headings[place % 3]) for place, text in enumerate(texts)
    ]


@pytest.fixture
def stage(empty: Stage) -> Stage:
    """Two documents and a web page."""
    store = empty.archive.sources
    store.add(a_source("Zeytinlikte sulama", "/yok/zeytin.pdf", pages=2), passages())
    store.add(a_source("Arıcılık notları", "/yok/arı.md"), passages(["Kovanlar baharda açılır."]))
    page = a_source("Olive water use", "https://example.org/olives", kind=SourceKind.WEB)
    store.add(page, passages(["Olives need little water."]))
    return empty


@pytest.fixture
def files(tmp_path: Path) -> Path:
    folder = tmp_path / "belgeler"
    folder.mkdir()
    (folder / "zeytin.txt").write_text(
        "Zeytin ağacı az su ister.\n\nDamla sulama yüzde 38 tasarruf sağladı.\n", encoding="utf-8"
    )
    (folder / "bozuk.pdf").write_bytes(b"%PDF-1.7\nnothing\n")
    return folder


def opened(stage: Stage) -> LibraryPage:
    stage.window.library.open()
    window = stage.window.library.page
    assert window is not None
    stage.until(lambda: window.is_loaded)
    return window


def listed(window: LibraryPage) -> list[str]:
    return [str(window.model.index(place, 0).data()) for place in range(window.model.rowCount())]
