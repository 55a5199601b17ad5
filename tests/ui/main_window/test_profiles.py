"""The menu of the profiles says which one is open, switches, renames and deletes."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox, QInputDialog, QMenu

from desktop.app import window as program
from desktop.domain.errors import DiskFullError
from desktop.settings.paths import DEFAULT_PROFILE
from desktop.settings.profile import ProfileLock
from desktop.settings.store import last_profile
from desktop.ui.profile.profile_menu import ProfileMenu
from desktop.ui.services import Restart
from tests.guards import LogWatch
from tests.narrowing import present
from tests.ui.main_window.stage import Stage


def opened(stage: Stage) -> ProfileMenu:
    menu = present(stage.window.findChild(ProfileMenu))
    menu.aboutToShow.emit()
    return menu


def choose(stage: Stage, title: str, name: str) -> QInputDialog:
    """Choose an entry of a submenu, and return what it opens."""
    for submenu in opened(stage).findChildren(QMenu):
        for action in submenu.actions():
            if (submenu.title(), action.text()) == (title, f"{name}…"):
                action.trigger()
    stage.until(lambda: bool(stage.window.findChildren(QInputDialog)))
    return stage.window.findChildren(QInputDialog)[-1]


def test_the_palette_switches_to_another_profile(stage: Stage) -> None:
    stage.services.profiles.create("iş")
    stage.window.command_palette.open()
    palette = present(stage.window.command_palette.palette)
    palette.field.insert("profile: iş")

    def first() -> object:
        return palette.model.index(0).data()

    stage.until(lambda: first() == "Switch profile: iş")
    with stage.qtbot.waitSignal(stage.window.closed):
        QTest.keyClick(palette.field, Qt.Key.Key_Return)
    restart = present(stage.window.restart)
    assert list(restart.arguments) == ["--profile", "iş"]
    restart.before()
    assert last_profile(stage._paths) == "iş"


def folders(stage: Stage) -> list[str]:
    return stage.services.profiles.names()


def test_a_new_profile_is_opened_by_a_restart_and_remembered(stage: Stage) -> None:
    current, _, new, *_ = opened(stage).actions()
    assert isinstance(current, QAction)
    assert (current.text(), current.isChecked()) == (DEFAULT_PROFILE, True)

    new.trigger()
    asked = present(stage.window.findChild(QInputDialog))
    with stage.qtbot.waitSignal(stage.window.closed):
        asked.textValueSelected.emit("iş")
    restart = present(stage.window.restart)
    assert list(restart.arguments) == ["--profile", "iş"]
    assert last_profile(stage._paths) == DEFAULT_PROFILE
    restart.before()
    assert last_profile(stage._paths) == "iş"


def test_the_open_profile_is_renamed_when_it_is_closed(stage: Stage) -> None:
    stage.services.profiles.create("iş")
    asked = choose(stage, "Rename profile", DEFAULT_PROFILE)
    asked.textValueSelected.emit("iş")  # is taken
    stage.until(lambda: "failed" in stage.window.parts.strip)
    assert stage.window.isVisible()
    with stage.qtbot.waitSignal(stage.window.closed):
        asked.textValueSelected.emit(" Ayşe ")
    stage._end()
    restart = present(stage.window.restart)
    restart.before()
    assert list(restart.arguments) == ["--profile", "Ayşe"]
    assert folders(stage) == ["Ayşe", "iş"]
    assert last_profile(stage._paths) == "Ayşe"


def test_a_profile_is_deleted_for_good_once_its_name_is_typed(stage: Stage) -> None:
    stage.services.profiles.create("iş")
    (stage._paths.profile("iş").folder / "bellek.db").write_bytes(b"whatever")
    asked = choose(stage, "Delete profile", "iş")
    box = present(asked.findChild(QDialogButtonBox))
    delete = box.button(QDialogButtonBox.StandardButton.Ok)
    assert not delete.isEnabled()
    asked.setTextValue("is")
    assert not delete.isEnabled()
    asked.setTextValue("iş")
    delete.click()
    stage.until(lambda: "profile" in stage.window.parts.strip)
    assert folders(stage) == [DEFAULT_PROFILE]
    assert not stage._paths.profile("iş").folder.exists()
    assert stage.window.restart is None


def test_the_open_profile_is_deleted_when_it_is_closed(stage: Stage) -> None:
    stage.services.profiles.create("iş")
    asked = choose(stage, "Delete profile", DEFAULT_PROFILE)
    with stage.qtbot.waitSignal(stage.window.closed):
        asked.textValueSelected.emit(DEFAULT_PROFILE)
    stage._end()
    restart = present(stage.window.restart)
    restart.before()
    assert folders(stage) == ["iş"]
    assert list(restart.arguments) == ["--profile", "iş"]
    assert last_profile(stage._paths) == "iş"


def test_a_profile_change_that_fails_between_two_starts_is_undone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log_watch: LogWatch
) -> None:
    log_watch.expect("desktop.app.window", "stays as it was")
    started = list[tuple[str, ...]]()
    monkeypatch.setattr(program, "start_again", lambda *wanted: started.append(wanted))
    lock = ProfileLock(tmp_path / "profile.lock")
    lock.acquire()

    def before() -> None:
        ProfileLock(tmp_path / "profile.lock").acquire()  # it is free by now
        raise DiskFullError

    window: Any = SimpleNamespace(restart=Restart(("--profile", "iş"), before=before))
    left: Any = SimpleNamespace(window=window)
    program._come_back(left, lock)
    assert started == [()]
