"""Phrases: the user's own come first, shipped ones are struck out and taken back."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from desktop.ui.dialogs.settings.phrases_page import PhraseListModel, PhrasesPage
from desktop.ui.dialogs.settings.settings_controller import SettingsController
from tests.ui.dialogs.desk import PHRASES


@pytest.fixture
def page(qtbot: QtBot, changes: SettingsController) -> PhrasesPage:
    made = PhrasesPage(changes, PHRASES)
    qtbot.addWidget(made)
    made.show()
    return made


def rows(page: PhrasesPage) -> list[str]:
    model = page._list.model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def test_the_model_keeps_its_promises(qtmodeltester: ModelTester, qapp: QApplication) -> None:
    model = PhraseListModel(["a", "b"])
    model.show_phrases(["mine"], ["a"])
    qtmodeltester.check(model)  # type: ignore[no-untyped-call]


def test_an_own_phrase_comes_first_and_can_be_removed(
    page: PhrasesPage, changes: SettingsController
) -> None:
    page._new.setText("  bye   for now ")
    page._add.click()
    assert changes.settings.own_end_phrases == ("bye for now",)
    assert rows(page) == ["bye for now", *PHRASES.ends]
    page._list.setCurrentIndex(page._list.model().index(0, 0))
    page._remove.click()
    assert not changes.settings.own_end_phrases


def test_a_shipped_phrase_is_struck_out_and_counts_again(
    page: PhrasesPage, changes: SettingsController
) -> None:
    model = page._list.model()
    index = model.index(0, 0)
    model.setData(index, Qt.CheckState.Unchecked.value, Qt.ItemDataRole.CheckStateRole)
    assert changes.settings.ignored_phrases == (PHRASES.ends[0],)
    assert model.index(0, 0).data(Qt.ItemDataRole.FontRole).strikeOut()
    page._new.setText(PHRASES.ends[0])
    page._add.click()
    assert not changes.settings.ignored_phrases


def test_a_phrase_is_not_added_twice(page: PhrasesPage, changes: SettingsController) -> None:
    page._new.setText(PHRASES.ends[1])
    page._add.click()
    assert not changes.settings.own_end_phrases


def test_the_second_tab_holds_what_begins_a_new_subject(
    page: PhrasesPage, changes: SettingsController
) -> None:
    page._tabs.setCurrentIndex(1)
    assert rows(page) == list(PHRASES.new_topics)
    page._new.setText("next")
    page._add.click()
    assert changes.settings.own_new_topic_phrases == ("next",)
