"""Preferences in the window: the notice, the page with its evidence, off, reworded, deleted."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QInputDialog

from desktop.domain.messages import Thumb
from desktop.domain.projects import EVERYTHING
from desktop.ui.memory.memory_page import FactsPage
from desktop.ui.transcript.entries import MessageAction, MessageRequest
from desktop.ui.widgets.buttons import IconButton
from desktop.ui.widgets.fields import WrappingCheckBox
from tests.narrowing import instance, present
from tests.ui.dialogs.stand_ins import button, texts
from tests.ui.main_window.stage import Stage
from tests.ui.memory.conftest import held, opened
from tests.ui.memory.test_memory_in_window import press, said

WISH = "Bundan sonra kısa yanıt ver."


@pytest.fixture
def wished(empty: Stage) -> Stage:
    empty.ask(WISH)
    empty.until(lambda: any("From now on" in one for one in said(empty)))
    return empty


def page(stage: Stage) -> FactsPage:
    window = opened(stage)
    window.open_preferences()
    stage.until(lambda: bool(boxes(window)))
    return window


def boxes(window: FactsPage) -> list[WrappingCheckBox]:
    found: list[WrappingCheckBox] = window._preferences.findChildren(WrappingCheckBox)
    return found


def icon(window: FactsPage, name: str) -> IconButton:
    found: list[IconButton] = window._preferences.findChildren(IconButton)
    return next(one for one in found if one.accessibleName().startswith(name))


def known(stage: Stage) -> list[tuple[str, bool]]:
    return [
        (one.value, one.is_in_effect) for one in stage.archive.preferences.preferences(EVERYTHING)
    ]


def test_a_notice_announces_a_new_preference_and_leads_to_it(wished: Stage) -> None:
    press(wished, "From now on: short answers", "Show preferences")
    window = present(wished.window.memory.page)
    wished.until(lambda: bool(boxes(window)))
    assert window._preferences.isVisible()
    shown = "\n".join(texts(window._preferences))
    assert "Sent with every question · 90% sure" in shown


def test_the_preference_of_a_commented_rating_is_announced_too(empty: Stage) -> None:
    empty.model.says("Ay ve Güneş suyu çeker.")
    empty.ask("Gelgit nedir?")
    answer = empty.messages()[1].message.id
    request = MessageRequest(MessageAction.RATE, answer, thumb=Thumb.DOWN, text="çok uzun")
    empty.window.parts.transcript.action_chosen.emit(request)
    empty.until(lambda: said(empty) == ["From now on: short answers"])


def test_its_message_opens_from_the_page(wished: Stage) -> None:
    window = page(wished)
    links: list[QAbstractButton] = window._preferences.findChildren(QAbstractButton)
    next(one for one in links if WISH in one.accessibleName()).click()
    wished.until(lambda: WISH in wished.shown())
    assert not window.isVisible()


def test_it_is_switched_off_and_on_again(wished: Stage) -> None:
    window = page(wished)
    boxes(window)[0].click()
    wished.until(lambda: known(wished) == [("short", False)])
    wished.until(lambda: not boxes(window)[0].isChecked())
    boxes(window)[0].click()
    wished.until(lambda: known(wished) == [("short", True)])


def test_the_keyboard_stays_at_the_preference_that_it_changed(wished: Stage) -> None:
    window = page(wished)
    boxes(window)[0].setFocus()
    QTest.keyClick(boxes(window)[0], Qt.Key.Key_Space)
    wished.until(lambda: "Turned off" in "\n".join(texts(window._preferences)))
    focused = instance(window.focusWidget(), WrappingCheckBox)
    assert not focused.isChecked()


def asked(window: FactsPage) -> QInputDialog:
    found = (one for one in window.findChildren(QInputDialog) if one.isVisible())
    return next(found)


def test_it_is_put_in_own_words(wished: Stage) -> None:
    window = page(wished)
    icon(window, "Reword").click()
    assert window.holds_work
    asked(window).setTextValue("parolam: gizli123")
    asked(window).accept()
    assert "This looks like" in asked(window).labelText()
    asked(window).setTextValue("En çok beş cümle")
    asked(window).accept()
    wished.until(lambda: boxes(window)[0].text() == "En çok beş cümle (short answers)")


def test_cancelled_words_change_nothing(wished: Stage) -> None:
    window = page(wished)
    before = boxes(window)[0].text()
    icon(window, "Reword").click()
    asked(window).setTextValue("En çok beş cümle")
    asked(window).reject()
    assert window.isVisible()
    assert boxes(window)[0].text() == before


def test_it_is_deleted_with_its_wish_and_both_are_restored(wished: Stage) -> None:
    window = page(wished)
    before = held(wished)
    icon(window, "Delete").click()
    wished.until(lambda: "deleted_preference" in window.strip)
    assert known(wished) == []
    assert held(wished) == set()
    button(window.strip, "Undo").click()
    wished.until(lambda: known(wished) == [("short", True)])
    assert held(wished) == before


def test_the_keyboard_goes_to_the_neighbour_of_a_deleted_preference(wished: Stage) -> None:
    wished.ask("Bundan sonra hep resmî yaz.")
    wished.until(lambda: len(known(wished)) == 2)
    window = page(wished)
    wished.until(lambda: len(boxes(window)) == 2)
    last = boxes(window)[1].text()
    first = icon(window, "Delete")
    first.setFocus()
    first.click()
    wished.until(lambda: [one.text() for one in boxes(window)] == [last])
    assert window.focusWidget() is boxes(window)[0]


def test_the_empty_page_of_facts_leads_to_preferences(wished: Stage) -> None:
    wished.window.page.memory_wanted.emit()
    window = present(wished.window.memory.page)
    wished.until(lambda: bool(boxes(window)))
    assert window._preferences.isVisible()
    assert not window._delete_all.isVisible()
    wished.window.memory.retranslate()
    made = present(wished.window.memory.page)
    assert made is not window
    assert made.tab == window.tab
