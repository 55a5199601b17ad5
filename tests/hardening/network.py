"""Lists the addresses that the real program resolves or connects to, traced by Python.

Connections made by native code are not seen; the program's own traffic is all Python's.
"""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.commands import ROOT
from tests.hardening.tally import Tally
from tests.loopback import LoopbackServer

_TRACER = """
import os, sys
out = os.open(os.environ["TRACED"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
def hear(event, args):
    if event == "socket.getaddrinfo":
        os.write(out, f"{args[0]}\\n".encode())
    elif event == "socket.connect" and isinstance(args[1], tuple):
        os.write(out, f"{args[1][0]}\\n".encode())
sys.addaudithook(hear)
"""
_HERE = {"127.0.0.1", "::1", "localhost", "None", "b'127.0.0.1'", "b'localhost'"}
_WINDOW = """
import sys
from PySide6.QtCore import QTimer
from desktop.app import window
begin = window.Program.show
def show(self):
    begin(self)
    QTimer.singleShot(6000, self.window.quit)
window.Program.show = show
from desktop.__main__ import main
sys.exit(main())
"""


def trace_network() -> Tally:
    tally = Tally("network, at start and in use")
    with TemporaryDirectory() as name, LoopbackServer(["Bir ", "yanıt."]) as server:
        folder = Path(name)
        (folder / "sitecustomize.py").write_text(_TRACER, encoding="utf-8")
        document = folder / "a.md"
        document.write_text("# Köz\n\nKestane közde pişer.\n", encoding="utf-8")
        program = [sys.executable, "-m", "desktop"]
        asked = {"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": server.key}
        asked["BELLEK_MODEL"] = "loopback"
        for command, more in (
            (["--version"], {}),
            (["examples", "add"], {}),
            (["sessions", "list"], {}),
            (["search", "maya"], {}),
            (["library", "add", str(document)], {}),
            (["doctor"], {}),
            (["ask", "Somogyi etkisi nedir?"], {}),
            (["ask", "Somogyi etkisi nedir?"], asked),
            (["memory", "add", "Ben Ankara'da oturuyorum."], {}),
            (["backup", str(folder / "b.db")], {}),
        ):
            _run([*program, *command], folder, tally, more)
        for more in ({}, asked):
            window = [sys.executable, "-c", _WINDOW]
            _run(window, folder, tally, {**more, "QT_QPA_PLATFORM": "offscreen", "DISPLAY": ":0"})
    return tally


def _run(command: list[str], folder: Path, tally: Tally, more: dict[str, str]) -> None:
    traced = folder / "traced"
    traced.unlink(missing_ok=True)
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("ANTHROPIC_", "BELLEK_", "OPENAI_"))
    } | {
        "PYTHONPATH": f"{folder}:{ROOT}",
        "TRACED": str(traced),
        "BELLEK_DATA_DIR": str(folder / "d"),
    }
    tally.tried += 1
    try:
        done = subprocess.run(  # noqa: S603 - our own program
            command, cwd=ROOT, env=environment | more, capture_output=True, timeout=90, check=False
        )
    except subprocess.TimeoutExpired:
        tally.hangs += 1
        tally.note(f"{command[-2:]}: no end")
        return
    if b"Traceback" in done.stderr:
        tally.tracebacks += 1
        tally.note(f"{command[3:]}: {done.stderr[-300:].decode(errors='replace')}")
    if more.get("ANTHROPIC_API_KEY") and command[3:4] == ["ask"] and not traced.exists():
        tally.tracebacks += 1
        tally.note("nothing was traced: the tracer does not work")
    asked = traced.read_text(encoding="utf-8").split("\n") if traced.exists() else []
    for outside in sorted({one for one in asked if one} - _HERE):
        tally.contacts += 1
        tally.note(f"{command[3:]} contacted {outside}")
