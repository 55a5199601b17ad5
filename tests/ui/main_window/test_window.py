"""The window itself: keys, languages, sizes, zoom, and messages when the disk refuses."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtPrintSupport import QPrintDialog
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop.domain.endpoints import ConnectionStatus, Endpoint, EndpointId, EndpointKind
from desktop.domain.events import Status
from desktop.domain.language import Language
from desktop.domain.projects import EVERYTHING
from desktop.domain.routing import Tier
from desktop.domain.times import utc_now
from desktop.domain.usage import Usage
from desktop.settings.settings import Theme, UiLanguage
from desktop.ui.profile.passphrase import PassphraseDialog
from desktop.ui.sidebar.sidebar import Sidebar
from desktop.ui.widgets.layouts import holds_focus
from desktop.ui.widgets.splitter_layout import Side
from desktop.ui.window.keyboard_input import EDITING
from tests.narrowing import present
from tests.ui.disks import Disk
from tests.ui.main_window.stage import Stage, english

_CONTROL = Qt.KeyboardModifier.ControlModifier


def test_texts_are_set_once_at_the_start(
    opens: Callable[[], Stage], monkeypatch: pytest.MonkeyPatch
) -> None:
    set_on: list[Sidebar] = []
    retranslate = Sidebar.retranslate

    def note(sidebar: Sidebar) -> None:
        set_on.append(sidebar)
        retranslate(sidebar)

    monkeypatch.setattr(Sidebar, "retranslate", note)
    opens().attach()
    assert len(set_on) == 1


def test_no_two_actions_share_their_keys(stage: Stage) -> None:
    actions = stage.window.actions_by_name
    keys = [key.toString() for act in actions for key in actions[act].shortcuts()]
    assert len(keys) == len(set(keys))


def test_every_function_is_in_a_menu(stage: Stage) -> None:
    listed = {shortcut.name for shortcut in stage.window.actions_by_name.shortcuts()}
    assert listed == set(stage.window.actions_by_name)


def test_control_k_leads_to_the_search_from_anywhere(stage: Stage) -> None:
    parts = stage.window.parts
    stage.window.activateWindow()
    parts.show_empty(is_empty=False)
    for focus in (parts.composer.field, parts.transcript):
        focus.setFocus()
        assert not parts.sidebar.search.hasFocus()
        QTest.keyClick(focus, Qt.Key.Key_K, _CONTROL)
        stage.until(parts.sidebar.search.hasFocus)


def test_keys_can_be_changed_in_the_settings(stage: Stage) -> None:
    stage.changes.apply(replace(stage.changes.settings, shortcuts={"search": "Ctrl+J"}))
    stage.window.parts.composer.setFocus()
    QTest.keyClick(stage.window.parts.composer.field, Qt.Key.Key_J, _CONTROL)
    stage.until(stage.window.parts.sidebar.search.hasFocus)


def test_copying_from_the_menu_is_done_by_the_field(stage: Stage) -> None:
    field = stage.window.parts.composer.field
    field.setFocus()
    QTest.keyClicks(field, "kopya")
    stage.window.actions_by_name["select_all"].trigger()
    stage.window.actions_by_name["cut"].trigger()
    assert field.toPlainText() == ""
    stage.window.actions_by_name["paste"].trigger()
    assert field.toPlainText() == "kopya"


def test_editing_keys_do_nothing_outside_of_a_field(stage: Stage) -> None:
    stage.ask("Soru")
    parts, actions = stage.window.parts, stage.window.actions_by_name
    stage.window.activateWindow()
    card = next(iter(parts.transcript.live.values()))
    for focus in (parts.sidebar.list, parts.status._switch, parts.transcript, card):
        focus.setFocus(Qt.FocusReason.TabFocusReason)
        stage.until(focus.hasFocus)
        for key in (Qt.Key.Key_Z, Qt.Key.Key_X, Qt.Key.Key_C, Qt.Key.Key_A):
            QTest.keyClick(focus, key, _CONTROL)
        QTest.keyClick(focus, Qt.Key.Key_Z, _CONTROL | Qt.KeyboardModifier.ShiftModifier)
        enabled = [act for act in EDITING if actions[act].isEnabled()]
        assert enabled == ["paste"]  # into the message
        assert stage.shown() == ["Soru", "Tamam."]


@pytest.mark.parametrize("where", ["list", "composer"])
def test_control_z_takes_a_deletion_back(stage: Stage, where: str) -> None:
    stage.ask("Soru")
    parts = stage.window.parts
    stage.window.activateWindow()
    focus = parts.sidebar.list if where == "list" else parts.composer.field
    focus.setFocus(Qt.FocusReason.TabFocusReason)
    stage.window.actions_by_name["delete"].trigger()
    stage.until(lambda: "deleted" in parts.strip)
    QTest.keyClick(focus, Qt.Key.Key_Z, _CONTROL)
    stage.until(lambda: "deleted" not in parts.strip)
    stage.until(
        lambda: [one.opening for one in stage.archive.sessions.sessions(EVERYTHING)] == ["Soru"]
    )


def test_control_z_takes_back_what_was_typed_first(stage: Stage) -> None:
    stage.ask("Soru")
    parts = stage.window.parts
    stage.window.activateWindow()
    stage.window.actions_by_name["delete"].trigger()
    stage.until(lambda: "deleted" in parts.strip)
    parts.composer.setFocus()
    QTest.keyClicks(parts.composer.field, "a")
    QTest.keyClick(parts.composer.field, Qt.Key.Key_Z, _CONTROL)
    assert parts.composer.text == ""
    assert "deleted" in parts.strip


def test_the_language_changes_everywhere_at_once(stage: Stage) -> None:
    parts = stage.window.parts
    stage.ask("Soru")
    assert parts.composer.button.text() == "Send"
    stage.changes.choose_language(UiLanguage.TR)
    assert parts.composer.button.text() == "Gönder"
    stage.until(lambda: stage.window.menuBar().actions()[0].text() == "&Dosya")
    assert "mesaj" in parts.header._detail.text()
    assert stage.rows()[0] == "Bugün"
    assert parts.status._switch.text() == "TR"
    parts.status._switch.click()
    stage.until(lambda: stage.window.menuBar().actions()[0].text() == "&File")


@pytest.mark.parametrize("where", ["status bar", "menu"])
def test_the_language_of_the_settings_can_override_the_command_line(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path, disk: Disk, where: str
) -> None:
    settings = replace(english(), language=UiLanguage.TR)
    stage = Stage(qtbot, qapp, tmp_path / "profile", settings, Language.EN)
    stage.window.show()
    stage.attach()
    actions = stage.window.actions_by_name
    assert actions["language en"].isChecked()
    if where == "menu":
        actions["language tr"].trigger()
    else:
        QTest.mouseClick(stage.window.parts.status._switch, Qt.MouseButton.LeftButton)
    stage.until(lambda: stage.window.parts.composer.button.text() == "Gönder")
    assert actions["language tr"].isChecked()
    stage.until(lambda: stage.window.parts.status._switch.text() == "TR")
    stage.leave()


def test_a_narrow_window_shows_the_sidebar_over_the_text(stage: Stage) -> None:
    window, shell = stage.window, stage.window.parts.shell
    window.resize(1280, 800)
    assert shell.is_shown(Side.LEFT)
    window.resize(680, 800)
    stage.until(lambda: not shell.is_shown(Side.LEFT))
    assert window.parts.header.buttons
    window.actions_by_name["search"].trigger()
    assert shell.is_shown(Side.LEFT)
    assert window.parts.sidebar.x() == 0
    shell.uncover()
    assert not shell.is_shown(Side.LEFT)
    window.resize(1280, 800)
    stage.until(lambda: shell.is_shown(Side.LEFT))


def test_the_panel_covers_the_text_if_there_is_no_room_beside_it(stage: Stage) -> None:
    window, shell = stage.window, stage.window.parts.shell
    window.resize(900, 800)
    stage.until(lambda: shell.covers(Side.RIGHT))
    wide = window.parts.transcript.width()
    window.actions_by_name["sources"].trigger()
    assert shell.is_shown(Side.RIGHT)
    assert window.parts.transcript.width() == wide


def test_a_panel_that_is_used_covers_the_text_when_room_is_lost(stage: Stage) -> None:
    window, shell = stage.window, stage.window.parts.shell
    window.resize(1280, 820)
    window.actions_by_name["sources"].trigger()
    parts = [part for part in window.parts.side.findChildren(QWidget) if part.isVisible()]
    next(part for part in parts if part.focusPolicy() is Qt.FocusPolicy.StrongFocus).setFocus()
    assert holds_focus(window.parts.side)
    stage.theme.apply(Theme.LIGHT, zoom_percent=150)
    assert shell.covers(Side.RIGHT)
    assert shell.is_shown(Side.RIGHT)
    assert holds_focus(window.parts.side)
    shell.uncover()
    assert not shell.is_shown(Side.RIGHT)


def test_zoom_has_its_keys_and_its_limits(stage: Stage) -> None:
    actions = stage.window.actions_by_name
    actions["zoom_in"].trigger()
    assert stage.theme.zoom_percent == 110
    stage.changes.apply(replace(stage.changes.settings, zoom_percent=290))
    for _ in range(2):
        actions["zoom_in"].trigger()
    assert stage.theme.zoom_percent == 300
    actions["zoom_reset"].trigger()
    assert stage.theme.zoom_percent == 100


def test_the_keys_of_the_zoom_work_on_every_page(stage: Stage) -> None:
    for act in ("library", "diary", "memory", "settings", "prompts", "guide"):
        stage.window.actions_by_name[act].trigger()
        shown = stage.window.parts.view or stage.window
        before = stage.theme.zoom_percent
        QTest.keyClick(shown, Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
        assert stage.theme.zoom_percent == before + 10


def test_the_status_bar_speaks_of_the_shown_session_and_its_last_save(library: Stage) -> None:
    status, sessions = library.window.parts.status, library.window.sessions
    library.window.parts.composer.tiers.choose(Tier.QUICK)
    library.model.holds("Bir ", "iki")
    library.send("Dawn fenomeni nedir?")
    library.until(lambda: len(library.shown()) == 2)
    with_question = present(status._state.saved_at)
    with library.qtbot.waitSignal(sessions.answered):
        library.model.held[-1].go.set()
    with_answer = present(status._state.saved_at)
    assert with_answer > with_question
    assert (status._saved.text()[:6], status._doing.text()) == ("Saved ", "Quick")
    library.read_past()
    assert (status._saved.text(), status._doing.text()) == ("", "")
    sessions.show_active()
    library.until(lambda: not sessions.is_past_shown)
    assert (status._saved.text()[:6], status._doing.text()) == ("Saved ", "Quick")
    library.window.commands.begin_new()
    library.until(lambda: sessions.shown is None)
    assert (status._saved.text(), status._doing.text(), status._spent.text()) == ("", "", "")


def test_the_status_bar_says_that_the_past_was_searched(library: Stage) -> None:
    library.ask("Dawn fenomeni için ne demiştik?")
    assert library.window.parts.status._doing.text() == "Searched past sessions"


def test_a_connection_that_was_removed_is_gone_from_the_running_session(stage: Stage) -> None:
    asked, store = Event(), stage.services.settings_store
    here = Endpoint(EndpointId("here"), "Here", EndpointKind.SERVER, "http://127.0.0.1:9")

    def look() -> None:  # as the core does: by what is saved
        stage.has_model = bool(store.current.endpoints)
        asked.set()

    def save(**changed: object) -> None:
        asked.wait(0.5)  # a slow disk
        store.change(**changed)

    stage.connects, stage.changes._save = look, save
    chip, link = stage.window.parts.composer.model, stage.window.parts.status.link
    stage.changes.apply(replace(stage.changes.settings, endpoints=(here,)))
    stage.until(lambda: link.text() == "● Connected: scripted")
    stage.ask("Soru")
    asked.clear()
    stage.changes.apply(replace(stage.changes.settings, endpoints=()))
    stage.until(lambda: "No model" in link.text() and chip.isHidden())


@pytest.mark.parametrize("percent", [100, 200])
def test_the_status_bar_never_makes_the_window_wider(stage: Stage, percent: int) -> None:
    stage.theme.apply(Theme.LIGHT, zoom_percent=percent)
    status = stage.window.parts.status
    model = "claude-opus-4-5-20251101-with-a-name-that-goes-on-and-on"
    status.tell(
        connection=ConnectionStatus(model, "Claude", 200_000),
        saved_at=utc_now(),
        usage=Usage(input_tokens=123_456, output_tokens=78_910, cost_usd=12.34),
        status=Status.SUMMARISING,
    )
    stage.window.resize(640, 600)

    stage.until(lambda: stage.window.width() == 640)
    switch = status._switch
    stage.until(lambda: status.rect().contains(switch.geometry()))
    assert switch.width() >= switch.sizeHint().width()


def test_a_message_the_disk_refuses_is_kept_reported_and_saved_later(
    stage: Stage, disk: Disk
) -> None:
    with disk.refusing():
        stage.ask("Önemli soru")
        assert stage.shown() == ["Önemli soru"]
        assert "unsaved" in stage.window.parts.strip
        (notice,) = stage.notices()
        assert notice.startswith("Bellek cannot write to the profile folder.")
    stage.window.background._save()
    stage.until(lambda: "unsaved" not in stage.window.parts.strip)
    kept = stage.archive.sessions.sessions(EVERYTHING)[0]
    assert [one.content for one in stage.archive.sessions.messages(kept.id)] == ["Önemli soru"]


def test_the_window_comes_back_where_it_was(stage: Stage, opens: Callable[[], Stage]) -> None:
    stage.window.resize(761, 613)
    stage.window.parts.shell.show_side(Side.LEFT, False)
    stage.leave()
    second = opens()
    assert (second.window.width(), second.window.height()) == (761, 613)
    assert not second.window.parts.shell.is_wanted(Side.LEFT)


def test_what_is_pasted_on_a_button_goes_to_the_message(stage: Stage) -> None:
    composer, paste = stage.window.parts.composer, stage.window.actions_by_name["paste"]
    QGuiApplication.clipboard().setText("from the clipboard")
    stage.window.activateWindow()
    QTest.mouseClick(composer.tiers._buttons[Tier.DEEP], Qt.MouseButton.LeftButton)
    assert composer.field.hasFocus()
    composer.tiers._buttons[Tier.DEEP].setFocus()
    stage.until(paste.isEnabled)
    paste.trigger()
    assert composer.text == "from the clipboard"
    assert composer.field.hasFocus()


def test_the_recovery_key_can_be_printed(stage: Stage) -> None:
    stage.window.dialogs.show_passphrase()
    (passphrase,) = stage.window.findChildren(PassphraseDialog)
    passphrase.print_wanted.emit("<pre>ABCD-EFGH</pre>")
    (printing,) = passphrase.findChildren(QPrintDialog)
    assert printing.isVisible()
    printing.reject()
    passphrase.reject()
