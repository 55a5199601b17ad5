"""The dialog of the passphrase: its recovery key is never lost by a key pressed once too often."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop.domain.language import Language
from desktop.settings.encryption import KeyFile
from desktop.settings.messages import Texts
from desktop.ui.profile.passphrase import PassphraseDialog
from desktop.ui.turn_bridge import TurnBridge

WORDS = "correct horse battery"


@pytest.fixture
def dialog(
    tmp_path: Path, bridge: TurnBridge, qtbot: QtBot, request: pytest.FixtureRequest
) -> PassphraseDialog:
    if getattr(request, "param", False):
        KeyFile.of_profile(tmp_path).create(WORDS, seconds=0)
    dialog = PassphraseDialog(tmp_path, bridge, lambda: Texts(Language.EN))
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitActive(dialog)
    return dialog


def enter(dialog: PassphraseDialog, qtbot: QtBot) -> None:
    QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Return)
    qtbot.waitUntil(dialog.isEnabled)


def test_enter_pressed_again_does_not_skip_the_recovery_key(
    dialog: PassphraseDialog, qtbot: QtBot
) -> None:
    restarts: list[object] = []
    dialog.restart_wanted.connect(restarts.append)
    dialog.new.line.setText(WORDS)
    dialog.again.line.setText(WORDS)
    dialog.again.line.setFocus()
    enter(dialog, qtbot)
    assert dialog.recovery.isVisible()
    enter(dialog, qtbot)
    enter(dialog, qtbot)
    assert dialog.recovery.isVisible()
    assert not restarts
    QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Space)
    assert dialog.is_kept.isChecked()
    enter(dialog, qtbot)
    assert restarts


@pytest.mark.parametrize("dialog", [True], indirect=True)
def test_a_renewed_recovery_key_stays_until_it_is_kept(
    dialog: PassphraseDialog, qtbot: QtBot
) -> None:
    dialog.current.line.setText(WORDS)
    dialog._renew()
    qtbot.waitUntil(dialog.recovery.isVisible)
    enter(dialog, qtbot)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    dialog.close()
    assert dialog.recovery.isVisible()
    dialog.is_kept.click()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_a_problem_leaves_once_the_passphrase_is_edited(
    dialog: PassphraseDialog, qtbot: QtBot
) -> None:
    for field in (dialog.new, dialog.again):
        dialog.new.line.setText("short")
        dialog._create()
        assert dialog._problem.text()
        QTest.keyClicks(field.line, "x")
        assert not dialog._problem.isVisible()


@pytest.mark.parametrize("dialog", [False, True], indirect=True)
def test_tab_leads_from_one_passphrase_to_the_next(dialog: PassphraseDialog) -> None:
    fields = [dialog.new, dialog.again]
    if dialog._has_passphrase:
        fields.insert(0, dialog.current)
    fields[0].line.setFocus()
    for field in fields:
        field.line.setText(WORDS)
    for later in fields[1:]:
        QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab)
        assert later.line.hasFocus()
