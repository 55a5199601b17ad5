"""A web page comes into the library by its address, from the library's window."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication

from desktop.settings.settings import Settings
from desktop.ui.library.add_web_page_dialog import AddWebPageDialog
from tests.ui.library.conftest import listed, opened
from tests.ui.main_window.stage import Stage
from tests.web import Web, page, silent

TEXT = "Damla sulama, yağmurlama sulamaya göre yüzde otuz sekiz daha az su kullandı."


@pytest.fixture
def web() -> Iterator[Web]:
    with Web({"/su": page("Sulama", TEXT, language="tr"), "/yavas": silent()}) as made:
        yield made


def let_in(stage: Stage, web: Web, *, is_on: bool) -> None:
    """The loopback web may be contacted."""
    settings: Settings = stage.changes.settings
    with stage.qtbot.waitSignal(stage.changes.saved):
        stage.changes.apply(replace(settings, uses_web=is_on, web_at_home=web.at_home))


def asking(stage: Stage) -> AddWebPageDialog:
    window = opened(stage)
    window.page_wanted.emit()
    (dialog,) = window.findChildren(AddWebPageDialog)
    return dialog


def add(dialog: AddWebPageDialog, address: str) -> None:
    dialog._address.setText(address)
    dialog._begin.click()


def test_a_page_is_read_and_listed_and_the_same_address_twice_is_one(
    empty: Stage, web: Web
) -> None:
    let_in(empty, web, is_on=True)
    dialog = asking(empty)
    add(dialog, web.url("/su"))
    assert not dialog._bar.isHidden()
    empty.until(lambda: not dialog.is_reading)
    assert dialog._result.text() == "✓ Sulama: added"
    assert dialog._address.text() == ""
    add(dialog, web.url("/su#giris"))
    empty.until(lambda: not dialog.is_reading)
    assert dialog._result.text() == "= Sulama: already in the library"
    window = empty.window.library.window
    assert window is not None
    empty.until(lambda: listed(window) == ["Sulama"])


def test_with_the_web_off_it_is_offered_first_and_nobody_is_contacted(
    empty: Stage, web: Web
) -> None:
    let_in(empty, web, is_on=False)
    dialog = asking(empty)
    dialog._address.setText(web.url("/su"))
    assert not dialog._offer.isHidden()
    assert not dialog._begin.isEnabled()
    dialog._turn_on.click()
    empty.until(dialog._begin.isEnabled)
    assert dialog._offer.isHidden()
    assert empty.changes.settings.uses_web
    assert web.asked == []
    dialog._begin.click()
    empty.until(lambda: dialog._result.text() == "✓ Sulama: added")


def test_what_fails_is_a_sentence_and_the_address_stays(empty: Stage, web: Web) -> None:
    let_in(empty, web, is_on=True)
    dialog = asking(empty)
    add(dialog, web.url("/yok"))
    empty.until(lambda: not dialog.is_reading)
    assert dialog._trouble.text().endswith(".")
    assert dialog._address.text() == web.url("/yok")
    assert empty.archive.sources.sources() == []


def test_cancel_frees_the_dialog_at_once(empty: Stage, web: Web) -> None:
    let_in(empty, web, is_on=True)
    dialog = asking(empty)
    add(dialog, web.url("/yavas"))
    empty.until(lambda: "/yavas" in web.paths())
    dialog._leave.click()
    assert not dialog.is_reading
    assert dialog.isVisible()
    assert dialog._result.text().startswith("Stopped")
    QApplication.processEvents()
    dialog._leave.click()
    assert not dialog.isVisible()
