"""What a start opens, and what it reports if it cannot."""

import io
import os
import subprocess
import sys
from importlib.abc import MetaPathFinder
from pathlib import Path

import pytest

from desktop.__main__ import main
from desktop.app import run as start
from desktop.app.run import run
from desktop.settings.paths import program_version
from tests.commands import bellek


def test_the_version_is_the_packages_own() -> None:
    assert program_version().split(".")[0].isdigit()
    assert program_version() in bellek("--version").out


@pytest.mark.parametrize(
    ("argv", "is_turkish"),
    [
        (["dance", "--lang", "tr"], True),
        (["--lang=tr", "dance"], True),
        (["dance", "--lang", "en"], False),
        (["dance", "--lang", "de"], False),
        (["dance", "--lang"], False),
        (["dance", "--language", "tr"], False),
    ],
)
def test_wrong_usage_is_explained_in_the_requested_language(
    argv: list[str], monkeypatch: pytest.MonkeyPatch, *, is_turkish: bool
) -> None:
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")
    done = bellek(*argv)
    assert done.code == 2
    assert ("Kullanımı görmek için" in done.err) is is_turkish


def test_ctrl_c_outside_of_an_answer_ends_the_program_without_a_trace(tmp_path: Path) -> None:
    class Typed(io.StringIO):
        def __next__(self) -> str:  # type: ignore[override]  # declared for bytes above StringIO
            raise KeyboardInterrupt

    done = bellek("search", "--batch", stdin=Typed("x"))
    assert (done.code, done.out, done.err) == (1, "", "")


def test_a_start_with_a_display_opens_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    assert not start._has_display()
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert start._has_display()


def test_a_bug_is_not_reported_as_an_outside_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def break_down(*_: object) -> int:
        raise ZeroDivisionError

    monkeypatch.setattr("desktop.app.run._dispatch", break_down)
    with pytest.raises(ZeroDivisionError):
        run(["doctor"])


class _CtrlC(MetaPathFinder):
    def find_spec(self, fullname: str, path: object, target: object = None) -> None:
        del path, target
        if fullname == "desktop.app.run":
            raise KeyboardInterrupt


def test_ctrl_c_while_the_program_is_being_imported_shows_no_traceback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(sys.modules, "desktop.app.run")
    monkeypatch.setattr(sys, "meta_path", [_CtrlC(), *sys.meta_path])
    assert main(["sessions", "list"]) == 1


@pytest.mark.parametrize("display", [":987", "nowhere:0"])
def test_a_window_that_cannot_open_is_explained_without_a_dump(
    display: str, tmp_path: Path
) -> None:
    around = {**os.environ, "QT_QPA_PLATFORM": "xcb", "DISPLAY": display}
    command = [sys.executable, "-m", "desktop", "--data-dir", str(tmp_path), "--lang", "tr"]
    done = subprocess.run(command, env=around, capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 1
    assert done.stderr.startswith("Pencere açılamıyor: ")
    assert "no Qt platform plugin could be initialized" not in done.stderr


# A command imports only what it uses, so that it starts fast


_PROGRAM = """
import re, sys
from pathlib import Path

compiled = []
compile_before = re._compile

def compile_pattern(pattern, flags):
    frame = sys._getframe(1)
    while frame and frame.f_code.co_filename == re.__file__:
        frame = frame.f_back
    if frame and "desktop" in Path(frame.f_code.co_filename).parts:
        compiled.append(str(pattern))
    return compile_before(pattern, flags)

re._compile = compile_pattern
from desktop.__main__ import main

heavy = ("anthropic", "openai", "numpy", "markdown_it")
heavy += ("desktop.domain.events", "desktop.llm", "desktop.research.router")
for command in sys.argv[1:]:
    assert main(command.split()) == 0
    imported = sorted(name for name in sys.modules if name in heavy)
    sys.stderr.write(f"{command.split()[2]}: {compiled}, {imported}\\n")
"""


def test_no_command_about_words_imports_router_or_model_and_a_list_compiles_no_pattern(
    tmp_path: Path,
) -> None:
    """One after the other, the least first."""
    commands = ("sessions list", "memory add Zeytin", "search gelgit --mode keyword")
    done = subprocess.run(  # noqa: S603 - this very program
        [sys.executable, "-c", _PROGRAM, *(f"--data-dir {tmp_path} {one}" for one in commands)],
        check=True,
        capture_output=True,
        text=True,
    )
    listed, *others = [line for line in done.stderr.splitlines() if line.endswith("]")]
    assert listed == "sessions: [], []"
    assert [line.rpartition(", ")[2] for line in others] == ["[]", "[]"]
