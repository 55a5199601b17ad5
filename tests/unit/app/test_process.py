"""Autostart: the program starts with the system, into the tray, if wanted."""

import plistlib
import sys
from pathlib import Path

import pytest

from desktop.app.process import set_autostart
from desktop.domain.errors import FileNotWrittenError

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems have another place")


def test_the_desktop_starts_it_until_it_is_turned_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    set_autostart(is_on=True)
    (file,) = (tmp_path / "autostart").iterdir()
    lines = file.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "[Desktop Entry]"
    assert lines[-1].startswith("Exec=")
    assert lines[-1].endswith('"--in-tray"')
    set_autostart(is_on=False)
    set_autostart(is_on=False)
    assert not file.exists()


def test_a_folder_without_permission_is_a_readable_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "autostart").write_text("a file")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    with pytest.raises(FileNotWrittenError):
        set_autostart(is_on=True)


def test_a_mac_gets_a_launch_agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setenv("HOME", str(tmp_path))
    set_autostart(is_on=True)
    (file,) = (tmp_path / "Library" / "LaunchAgents").iterdir()
    agent = plistlib.loads(file.read_bytes())
    assert agent["RunAtLoad"] is True
    assert agent["ProgramArguments"][-1] == "--in-tray"
    set_autostart(is_on=False)
    assert not file.exists()
