"""The README's first command, without a network, on a machine of stand-ins."""

import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.commands import ROOT, Done

PACKAGING = ROOT / "packaging"
XCB = (
    "\tlibxcb-cursor.so.0 => not found\n"
    "\tlibEGL.so.1 => not found\n"
    "\tlibc.so.6 => /lib/libc.so.6\n"
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="these are shell scripts")


class Machine:
    """A copy of the scripts and a system around them in which every program is a stand-in."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "bellek"
        self.bin = folder / "bin"
        self.bin.mkdir()
        (self.root / "packaging").mkdir(parents=True)
        for name in ("run.sh", "setup.sh"):
            shutil.copy(PACKAGING / name, self.root / "packaging")
        shutil.copytree(PACKAGING / "locks", self.root / "packaging" / "locks")
        shutil.copy(ROOT / "requirements.lock", self.root)
        # A system with Linux, a font and nothing missing, whose user may become root.
        self.has("uname", "echo Linux")
        self.has("find", "echo a.ttf")
        self.has("ldd", ":")
        self.has("id", "echo 0")
        self.has("apt-get", f'echo "$@" >>{folder}/apt')
        self.apt = folder / "apt"

    def has(self, name: str, does: str) -> Path:
        return self._script(self.bin / name, does)

    def is_set_up(self) -> None:
        """Set up as by a first run; its Python prints its arguments."""
        python = self.root / ".venv" / "bin" / "python"
        python.parent.mkdir(parents=True, exist_ok=True)
        self._script(python, '[ "$1" = -c ] || { printf "[%s]" "$@"; echo; }')
        sums = self.sourced('cat "$root/requirements.lock" "$root"/packaging/locks/*.lock | cksum')
        (self.root / ".venv" / ".installed").write_text(f"{sums.out.strip()}\nrequirements\n")

    def run(self, *arguments: str, **environ: str) -> Done:
        return self._sh([str(self.root / "packaging" / "run.sh"), *arguments], environ)

    def sourced(self, script: str, **environ: str) -> Done:
        """A script that has sourced setup.sh."""
        setup = self.root / "packaging" / "setup.sh"
        return self._sh(["-c", f'set -eu; root="{self.root}"; . "{setup}"; {script}'], environ)

    def asked_apt_for(self) -> str:
        return self.apt.read_text() if self.apt.exists() else ""

    def _sh(self, arguments: list[str], environ: Mapping[str, str]) -> Done:
        around = {"PATH": f"{self.bin}:/usr/bin:/bin", "HOME": str(self.root), **environ}
        done = subprocess.run(  # noqa: S603 - our own scripts
            ["/bin/sh", *arguments], env=around, capture_output=True, text=True, check=False
        )
        return Done(done.returncode, done.stdout, done.stderr)

    def _script(self, path: Path, does: str) -> Path:
        path.write_text(f"#!/bin/sh\n{does}\n")
        path.chmod(0o755)
        return path


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    machine = Machine(tmp_path)
    machine.is_set_up()
    return machine


def test_arguments_go_through_as_they_were_given(machine: Machine) -> None:
    said = machine.run("ask", "iki  söz; $HOME", "--json")
    assert (said.code, said.err) == (0, "")
    assert said.out == "[-P][-m][desktop][ask][iki  söz; $HOME][--json]\n"


def test_the_program_and_its_processes_load_no_docstrings_of_packages(machine: Machine) -> None:
    python = machine.root / ".venv" / "bin" / "python"
    python.write_text('#!/bin/sh\n[ "$1" = -c ] || echo "$PYTHONOPTIMIZE"\n')
    assert machine.run("doctor").out == "2\n"


def test_without_a_display_it_says_so_and_opens_the_chat(machine: Machine) -> None:
    said = machine.run("--data-dir", "d")
    assert said.out == "[-P][-m][desktop][chat][--data-dir][d]\n"
    assert "There is no display" in said.err


@pytest.mark.parametrize("variable", ["DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"])
def test_with_a_display_it_opens_the_window(machine: Machine, variable: str) -> None:
    said = machine.run("--lang", "tr", **{variable: "x"})
    assert (said.out, said.err) == ("[-P][-m][desktop][--lang][tr]\n", "")


def test_libraries_that_qt_lacks_are_installed_with_apt_where_that_may_be(
    machine: Machine,
) -> None:
    machine.has("ldd", f"printf '{XCB}'")
    said = machine.run(DISPLAY=":1")
    assert said.out == "[-P][-m][desktop]\n"
    assert (
        "install -qq -y --no-install-recommends libegl1 libxcb-cursor0" in machine.asked_apt_for()
    )


def test_without_permission_the_exact_command_is_shown_and_the_window_tried(
    machine: Machine,
) -> None:
    machine.has("ldd", f"printf '{XCB}'")
    machine.has("id", "echo 1000")
    machine.has("sudo", "exit 1")
    said = machine.run(DISPLAY=":1")
    assert "  sudo apt-get install libegl1 libxcb-cursor0" in said.err
    assert machine.asked_apt_for() == ""
    assert said.out == "[-P][-m][desktop]\n"


def test_a_command_without_a_window_asks_for_no_library(machine: Machine) -> None:
    machine.has("ldd", f"printf '{XCB}'")
    machine.run("doctor")
    assert machine.asked_apt_for() == ""


def test_a_missing_font_is_requested(machine: Machine) -> None:
    machine.has("find", ":")
    machine.run(DISPLAY=":1")
    assert "fonts-dejavu-core" in machine.asked_apt_for()


def test_a_second_run_installs_nothing_and_a_changed_lock_is_noticed(machine: Machine) -> None:
    asks = 'cd "$root"; locks=$(cat requirements.lock packaging/locks/*.lock | cksum); has_lock'
    assert machine.sourced(f"{asks} requirements").code == 0
    assert machine.sourced(f"{asks} local").code == 1
    with (machine.root / "requirements.lock").open("a") as lock:
        lock.write("other==1\n")
    assert machine.sourced(f"{asks} requirements").code == 1


def test_an_unfinished_environment_or_one_without_its_python_does_not_work(
    machine: Machine,
) -> None:
    assert machine.sourced("venv_works").code == 0
    (machine.root / ".venv" / ".unfinished").touch()
    assert machine.sourced("venv_works").code == 1
    (machine.root / ".venv" / ".unfinished").unlink()
    (machine.root / ".venv" / "bin" / "python").unlink()
    assert machine.sourced("venv_works").code != 0


def test_the_first_python_that_is_new_enough_is_taken(machine: Machine) -> None:
    machine.has("python3", "exit 1")
    machine.has("python3.14", "exit 1")
    machine.has("python3.13", "exit 0")
    assert machine.sourced('find_python; echo "$python"').out == "python3.13\n"
    mine = machine.has("mine", "exit 0")
    assert machine.sourced('find_python; echo "$python"', PYTHON=str(mine)).out == f"{mine}\n"


def test_without_a_new_enough_python_it_explains_what_to_do(machine: Machine) -> None:
    for name in ("python3", *(f"python3.{minor}" for minor in range(11, 15)), "python"):
        machine.has(name, '[ "$1" != --version ] || echo "Python 3.9.2"; exit 1')
    said = machine.sourced("find_python")
    assert said.code == 1
    assert "needs Python 3.11 or newer" in said.err
    assert "PYTHON=/path/to/python3" in said.err


@pytest.mark.parametrize(
    ("library", "package"),
    [
        ("libxcb-cursor.so.0", "libxcb-cursor0"),
        ("libxcb-util.so.1", "libxcb-util1"),
        ("libxkbcommon-x11.so.0", "libxkbcommon-x11-0"),
        ("libX11-xcb.so.1", "libx11-xcb1"),
        ("libEGL.so.1", "libegl1"),
        ("libfontconfig.so.1", "libfontconfig1"),
        ("libdbus-1.so.3", "libdbus-1-3"),
        ("libglib-2.0.so.0", "libglib2.0-0"),
        ("libwayland-client.so.0", "libwayland-client0"),
    ],
)
def test_debians_package_of_a_library_is_known(
    machine: Machine, library: str, package: str
) -> None:
    assert machine.sourced(f"package_of {library}").out == f"{package}\n"


def test_an_unknown_library_is_named(machine: Machine) -> None:
    said = machine.sourced("package_of libstrange.so.7")
    assert "libstrange.so.7" in said.err
    assert said.out == ""
