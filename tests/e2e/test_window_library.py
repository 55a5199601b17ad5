"""A PDF that is dropped on the window, asked about, and opened at the words that are cited."""

import re
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QUrl

from desktop.domain.messages import CitationState
from desktop.domain.projects import EVERYTHING
from desktop.settings.paths import Paths
from desktop.ui.reader.panel import ReaderPanel
from desktop.ui.transcript.card import MessageCard
from desktop.ui.transcript.text_block import TextPane
from tests.documents.pdfs import Page, Pdf
from tests.e2e.person import PATIENCE_MS, Person, description
from tests.fakes import Request, Says, SaysJson, ScriptedServer, Step
from tests.ui.gestures import drop, files_in

_QUOTE = "Damla sulama yüzde 38 daha az su kullandı"
_ASKED = "Belgelerimde damla sulama için ne yazıyor?"


def _answer(request: Request) -> Step:
    blocks = re.findall(r'<passage n="(\d+)"[^>]*>\n(.*?)\n</passage>', request.newest, re.DOTALL)
    number = next((number for number, text in blocks if "yüzde 38" in text), None)
    if number is None:
        return SaysJson(description("Sulama"))
    return Says(f'Su tasarrufu sağlıyor [{number}: "{_QUOTE}"]. Ucuzdur [{number}: "bedava"].')


def a_pdf(folder: Path) -> Path:
    file = folder / "zeytin.pdf"
    pages = [
        Page(["Zeytin agaci Ege kıyısında yetişir.", "Toprak kireçli olmalı."]),
        Page([f"{_QUOTE} ve", "verim düşmedi."]),
    ]
    file.write_bytes(Pdf(pages, title="Zeytinlikte sulama").written())
    return file


def press_citation(person: Person, number: int) -> None:
    person.waits_until(lambda: bool(person.messages[-1].facts.citations))
    card = person.parts.transcript.live[person.messages[-1]]
    assert isinstance(card, MessageCard)
    card.findChildren(TextPane)[0].anchorClicked.emit(QUrl(f"citation:{number}"))


def test_a_dropped_pdf_is_cited_and_opens_at_the_cited_words(
    server: ScriptedServer, connected: Paths, start: Callable[[Paths], Person], tmp_path: Path
) -> None:
    server.default = _answer
    person = start(connected)
    window = person.program.window
    with person.qtbot.waitSignal(window.library.added, timeout=PATIENCE_MS):
        drop(window, files_in(a_pdf(tmp_path)))
    (source,) = person.archive.sources.sources(EVERYTHING)
    assert (source.title, source.pages) == ("Zeytinlikte sulama", 2)

    person.says(_ASKED)
    assert person.words[-1] == "Su tasarrufu sağlıyor [1]. Ucuzdur [2]."
    person.waits_until(lambda: bool(person.messages[-1].facts.citations))
    checked, unchecked = person.messages[-1].facts.citations
    assert checked.state is CitationState.CHECKED
    assert unchecked.state is CitationState.UNCHECKED

    press_citation(person, 1)
    person.waits_until(lambda: any(one.isVisible() for one in window.findChildren(ReaderPanel)))
    (reader,) = window.findChildren(ReaderPanel)
    assert reader.text.marked == [_QUOTE]
    assert reader.accessibleName().startswith("Zeytinlikte sulama")
    assert reader.are_pages_shown
    assert reader.pages.current == 1
    reader.closed.emit()
