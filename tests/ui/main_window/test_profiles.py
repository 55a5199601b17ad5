"""The menu of the profiles says which one is open, and switches by starting again."""

from PySide6.QtWidgets import QInputDialog

from desktop.settings.paths import DEFAULT_PROFILE
from desktop.settings.store import last_profile
from desktop.ui.window.profile_menu import ProfileMenu
from tests.ui.main_window.stage import Stage


def test_a_new_profile_is_opened_by_a_restart_and_remembered(stage: Stage) -> None:
    menu = stage.window.findChild(ProfileMenu)
    assert menu is not None
    menu.aboutToShow.emit()
    (current, _, new) = menu.actions()
    assert (current.text(), current.isChecked()) == (DEFAULT_PROFILE, True)

    new.trigger()
    asked = stage.window.findChild(QInputDialog)
    assert asked is not None
    with stage.qtbot.waitSignal(stage.window.closed):
        asked.textValueSelected.emit("iş")
    restart = stage.window.restart
    assert restart is not None
    assert list(restart.arguments) == ["--profile", "iş"]
    assert last_profile(stage._paths) == DEFAULT_PROFILE
    restart.before()
    assert last_profile(stage._paths) == "iş"
