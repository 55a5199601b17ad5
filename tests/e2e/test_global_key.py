"""The key that opens the quick window from any program, on a real display."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.settings.paths import Paths
from desktop.settings.settings import Settings
from desktop.settings.store import SettingsStore
from tests.commands import ROOT, own_environment
from tests.e2e.kill.waiting import wait_until
from tests.e2e.window_process import WindowProcess, own_display

_TWO = """
from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from desktop.settings.settings import Settings
from desktop.ui.quick_access.global_key import GlobalKey
app = QGuiApplication([])
for name in ("first", "second"):
    key = GlobalKey(app)
    key.refused.connect(lambda name=name: print(name, "refused", flush=True))
    key.pressed.connect(lambda name=name: print(name, "pressed", flush=True))
    key.apply(Settings(quick_key="Meta+B"))
QTimer.singleShot(100, lambda: print("ready", flush=True))
app.exec()
"""


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    with own_display() as name:
        yield name


def _xdotool(display: str, *arguments: str) -> str:
    done = subprocess.run(  # noqa: S603 - our own words
        ("xdotool", *arguments),  # noqa: S607 - as the system finds it
        env=own_environment(DISPLAY=display),
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )
    return done.stdout.strip()


def test_the_key_opens_the_quick_window_whoever_has_the_focus(
    tmp_path: Path, display: str
) -> None:
    SettingsStore(Paths.under(tmp_path)).save(Settings(quick_key="Ctrl+Alt+Space", welcomed=True))
    with WindowProcess(tmp_path, display) as window:
        window.wait_for_window()
        _xdotool(display, "windowunmap", "--sync", _xdotool(display, "getwindowfocus"))
        assert not _xdotool(display, "search", "--onlyvisible", "--name", "Hızlı soru")
        _xdotool(display, "key", "ctrl+alt+space")
        wait_until(
            lambda: bool(_xdotool(display, "search", "--onlyvisible", "--name", "Hızlı soru")),
            "the quick window",
        )


def test_a_shortcut_of_another_program_is_refused_whatever_lock_keys_are_on(display: str) -> None:
    with subprocess.Popen(  # noqa: S603 - our own words
        (sys.executable, "-c", _TWO),
        cwd=ROOT,
        env=own_environment(DISPLAY=display, QT_QPA_PLATFORM="xcb"),
        stdout=subprocess.PIPE,
        text=True,
    ) as both:
        assert both.stdout is not None
        said = [both.stdout.readline().strip() for _ in range(2)]
        assert said == ["second refused", "ready"]
        _xdotool(display, "key", "Caps_Lock")
        _xdotool(display, "key", "super+b")
        assert both.stdout.readline().strip() == "first pressed"
        both.kill()
