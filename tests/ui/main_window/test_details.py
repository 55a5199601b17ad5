"""Small things of the window that somebody stumbled over."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QToolButton

from desktop.domain.messages import Citation, CitationState
from desktop.ui.dialogs.welcome import WelcomeDialog
from desktop.ui.widgets.plain_text import Label
from desktop.ui.window.actions import ActionId
from tests.ui.main_window.stage import Stage

_LONG = "Sabah <b>hiperglisemisi</b> " * 9


def _words(menu: QMenu) -> list[str]:
    return [action.text().replace("&", "") for action in menu.actions() if action.text()]


def test_an_ended_session_leaves_no_meter_to_the_next(stage: Stage) -> None:
    stage.ask("Soru")
    meter = stage.window.parts.composer.meter
    stage.until(lambda: not meter.isHidden())
    stage.window.actions_by_name[ActionId.END_SESSION].trigger()
    stage.until(meter.isHidden)


def test_buttons_without_words_have_names(stage: Stage) -> None:
    search = stage.window.parts.sidebar.search
    names = {button.accessibleName() for button in search.findChildren(QToolButton)}
    assert names == {"Clear search"}
    stage.until(lambda: "scripted" in stage.window.parts.status._link.accessibleName())


def test_the_menu_of_the_header_holds_what_concerns_this_session(library: Stage) -> None:
    library.ask("Soru")
    menu = library.window.actions_by_name.menu_of_session()
    assert _words(menu)[0] == "End session"
    assert "Send" not in _words(menu)
    assert "Next session" not in _words(menu)
    library.read_past()
    menu.aboutToShow.emit()
    assert _words(menu)[0] == "Continue this session"
    assert "End session" not in _words(menu)


def test_every_entry_of_a_menu_has_a_letter_of_its_own(stage: Stage) -> None:
    actions = stage.window.actions_by_name
    for menu in actions._menus:
        texts = [one.text() for one in menu.actions() if one.text()]
        letters = [text[text.index("&") + 1].lower() for text in texts if "&" in text]
        assert len(letters) == len(texts)
        assert len(set(letters)) == len(letters)


def _citation(number: int, source: str) -> Citation:
    quote = f"**Gece** *düşük* {number}"
    return Citation(number, CitationState.CHECKED, quote, source, "7", f"Oturum {source}")


def test_sources_stand_by_session_and_a_click_on_a_passage_opens_it(stage: Stage) -> None:
    panel = stage.window.parts.panel
    panel.show_citations([_citation(1, "a"), _citation(2, "b"), _citation(3, "a")])
    words = [label.text() for label in panel.findChildren(Label)]
    assert words.count("Oturum a") == 1
    assert "“Gece düşük 3”" in words
    assert [card.number for card in panel._cards] == [1, 3, 2]
    with stage.qtbot.waitSignal(panel.source_chosen) as chosen:
        QTest.mouseClick(panel._cards[1], Qt.MouseButton.LeftButton)
    assert chosen.args == [_citation(3, "a")]
    with stage.qtbot.waitSignal(panel.source_chosen) as chosen:
        QTest.keyClick(panel._cards[2], Qt.Key.Key_Return)
    assert chosen.args == [_citation(2, "b")]
    assert panel._cards[2].accessibleName() == "Open source 2: Oturum b"


def test_the_welcome_waits_while_something_is_being_written(opens: Callable[[], Stage]) -> None:
    stage = opens()
    stage.changes.apply(replace(stage.changes.settings, welcomed=False))
    composer = stage.window.parts.composer
    stage.write("Zeytin mi en?")
    stage.attach()
    assert not stage.window.findChildren(WelcomeDialog)
    composer.clear()
    stage.until(lambda: bool(stage.window.findChildren(WelcomeDialog)))
