"""A scanned document is read from its menu, and the window says when it is."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from desktop.domain.projects import EVERYTHING
from tests.scans import Scanner
from tests.ui.library.conftest import opened
from tests.ui.main_window.stage import Stage


@pytest.mark.skipif(not find_spec("tesserocr"), reason="tesserocr is not installed")
def test_scanned_pages_are_read_from_the_menu_of_their_document(
    empty: Stage, tmp_path: Path
) -> None:
    path = tmp_path / "tarama.pdf"
    path.write_bytes(Scanner().scanned([["Kervansaraylar yol boyunca kurulmuştu."]]))
    empty.services.library.add([path])
    page = opened(empty)
    empty.until(lambda: page.model.rowCount() == 1)
    page.list.setCurrentIndex(page.model.index(0, 0))
    (act,) = [act for act in page.acts() if act.act == page._actions.read_scans]
    assert act.is_possible
    act.act()
    empty.until(lambda: "scans" in empty.window.parts.strip)
    (source,) = empty.archive.sources.sources(EVERYTHING)
    assert (source.needs_ocr, source.passages) == (False, 1)

    def has_scans() -> bool:
        return any(act.is_possible for act in page.acts() if act.act == page._actions.read_scans)

    empty.until(lambda: not has_scans())
