"""Works that are the same are offered for merging on the page of the library."""

import pytest
from PySide6.QtWidgets import QRadioButton

from desktop.domain.projects import EVERYTHING
from desktop.domain.references import FieldOrigin
from desktop.references.merging import reference_of
from desktop.ui.library.reference_form import DuplicatesDialog
from tests.ui.library.conftest import a_source, listed, opened, passages
from tests.ui.main_window.stage import Stage


@pytest.fixture
def twice(stage: Stage) -> Stage:
    """The same article twice, besides the other sources."""
    for number, name in enumerate(("Kuraklık", "Kuraklık (2)")):
        source = stage.archive.sources.add(a_source(name, f"/yok/{number}.pdf"), passages())
        csl = {"type": "article-journal", "title": name, "DOI": "10.1234/kurak"}
        stage.archive.references.store(source.id, reference_of(csl, FieldOrigin.BIBTEX))
    return stage


def test_without_duplicates_nothing_is_offered(stage: Stage) -> None:
    page = opened(stage)
    assert page._same.isHidden()


def test_the_chosen_one_of_two_stays_and_undo_brings_both_back(twice: Stage) -> None:
    page = opened(twice)
    twice.until(lambda: not page._same.isHidden())
    assert page._same.text().startswith("1 ")
    page._same.click()
    dialog = twice.opened(DuplicatesDialog)
    choices = dialog.findChildren(QRadioButton)
    assert [choice.text() for choice in choices] == ["Kuraklık (2)", "Kuraklık"]
    choices[1].setChecked(True)
    dialog._merge()
    twice.until(page._same.isHidden)
    twice.until(lambda: "Kuraklık (2)" not in listed(page))
    assert "Kuraklık" in listed(page)
    page.strip.undo_last()
    twice.until(lambda: not page._same.isHidden())
    assert {"Kuraklık", "Kuraklık (2)"} < set(listed(page))
    assert len(twice.archive.references.works(EVERYTHING)) == 5
