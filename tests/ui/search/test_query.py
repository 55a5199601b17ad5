"""Queries, and their results as rows."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from desktop.domain.language import Language
from desktop.settings.settings import Theme
from desktop.ui.search.hits import by_session
from desktop.ui.search.query import FilterChips, RecentSearches, SidebarQuery
from desktop.ui.theme.theme import ThemeController
from desktop.ui.widgets.buttons import Button, FilterChip, IconButton
from desktop.ui.widgets.search_fields import SearchField
from tests.ui.sidebar.conftest import hit


class Head(QWidget):
    def __init__(self, theme: ThemeController) -> None:
        super().__init__()
        self.field = SearchField(theme, self)
        self.chip = FilterChip(theme, self)
        self.recent = RecentSearches(self)
        column = QVBoxLayout(self)
        for one in (self.field, self.chip, self.recent):
            column.addWidget(one)
        self.query = SidebarQuery(self.field, self.chip, self.recent, self)


@pytest.fixture
def head(qtbot: QtBot, qapp: QApplication) -> Iterator[Head]:
    theme = ThemeController(qapp)
    theme.apply(Theme.LIGHT)
    made = Head(theme)
    qtbot.addWidget(made)
    made.show()
    made.activateWindow()
    qtbot.waitUntil(made.isActiveWindow)
    yield made
    theme.deleteLater()


def test_the_cross_of_the_field_grows_with_the_zoom_and_stays_inside(head: Head) -> None:
    head.field.setText("gelgit")
    cross = head.field.findChildren(IconButton)[0]
    before = cross.iconSize().width()
    head.field._theme.apply(Theme.LIGHT, zoom_percent=200)
    assert cross.iconSize().width() == 2 * before
    head.field.resize(300, head.field.sizeHint().height())
    assert cross.isVisible()
    assert head.field.rect().contains(cross.geometry())
    assert cross.width() > cross.iconSize().width()
    cross.click()
    assert head.field.text() == ""


def test_a_removed_date_filter_is_searched_as_words_until_it_is_typed_again(
    head: Head, qtbot: QtBot
) -> None:
    head.field.setText("gelgit geçen yıl")
    assert head.query.typed.words == "gelgit"
    with qtbot.waitSignal(head.query.changed):
        head.chip.click()
    assert head.query.typed.words == "gelgit geçen yıl"
    assert not head.chip.isVisible()


def test_the_date_is_shown_in_the_language_of_the_window(head: Head) -> None:
    head.field.setText("gelgit mart 2024")
    head.query.set_language(Language.TR)
    turkish = head.chip.toolTip()
    head.query.set_language(Language.EN)
    assert "Mart" in turkish
    assert "March" in head.chip.toolTip()


def test_without_the_setting_no_search_is_remembered(head: Head, qtbot: QtBot) -> None:
    head.query.set_searches(["roma"], are_kept=False)
    head.field.setText("gelgit")
    with qtbot.assertNotEmitted(head.query.remembered_changed):
        head.query.remember()
    assert list(head.recent.queries) == []


def test_past_searches_are_offered_until_something_is_typed(head: Head) -> None:
    head.query.set_searches(["roma"], are_kept=True)
    head.query.focus()
    assert head.recent.isVisible()
    head.field.setText("g")
    assert not head.recent.isVisible()


def test_clearing_the_past_searches_returns_the_focus_to_the_field(
    head: Head, qtbot: QtBot
) -> None:
    head.query.set_searches(["roma"], are_kept=True)
    head.query.focus()
    with qtbot.waitSignal(head.query.remembered_changed):
        head.recent.cleared.emit()
    assert head.field.hasFocus()
    assert list(head.recent.queries) == []


def test_neighbours_are_no_hits_if_some_messages_have_the_words() -> None:
    around = replace(hit("a", 6), marks=())
    (found,) = by_session([around, hit("a", 7)], {})
    assert [one.message_id for one in found.hits] == [7]
    assert found.count == 1


def test_hits_similar_only_in_meaning_are_shown_but_not_counted() -> None:
    (found,) = by_session([replace(hit("a"), marks=())], {})
    assert [one.message_id for one in found.hits] == [7]
    assert found.count == 0


def test_a_count_that_arrives_late_is_painted_whole(qtbot: QtBot) -> None:
    chips = FilterChips()
    qtbot.addWidget(chips)
    chips.resize(400, 40)
    chips.show()
    chips.show_searching("")
    QApplication.processEvents()
    chips.show_searching("1,234")
    (counted,) = [chip for chip in chips.findChildren(Button) if "1,234" in chip.text()]
    assert counted.width() >= counted.sizeHint().width()
