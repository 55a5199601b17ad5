"""The command line as child processes: a real server, real locks, real signals."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.commands import ROOT, bellek, bellek_process
from tests.fakes import Fails, Says, SaysJson, ScriptedServer, Waits
from tests.models import connect_by_environment

DESCRIBED = {"title": "Şafak", "summary": "Özet.", "topics": ["a", "b", "c"], "facts": []}
EN = ("--lang", "en")


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(default=Says("Sabah yükselişi."), key="sk-test") as server:
        yield server


@pytest.fixture
def connected(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> ScriptedServer:
    """Connected by the environment alone, as in a script."""
    connect_by_environment(monkeypatch, server, tmp_path / "bellek")
    return server


def test_separate_processes_begin_continue_and_end_one_session(connected: ScriptedServer) -> None:
    first = bellek_process("ask", "Şafak olayı nedir?", "--json")
    assert first.code == 0
    assert first.lines[-1]["outcome"] == "complete"
    assert first.lines[-1]["text"] == "Sabah yükselişi."
    second = bellek_process("ask", "Peki neden olur?")
    assert (second.code, second.out) == (0, "Sabah yükselişi.\n")
    assert [text for _, text in connected.asked[-1].said][:2] == [
        "Şafak olayı nedir?",
        "Sabah yükselişi.",
    ]
    connected.default = SaysJson(DESCRIBED)
    third = bellek_process("ask", "tamam, teşekkürler", "--json")
    assert third.lines[-1]["decision"]["kind"] == "end_session"
    listed = bellek("sessions", "list", "--json").json
    assert (listed["status"], listed["title"]) == ("complete", "Şafak")
    assert listed["topics"] == ["a", "b", "c"]


def test_no_key_and_no_word_of_anyones_is_in_the_log(
    connected: ScriptedServer, tmp_path: Path
) -> None:
    bellek("ask", "Zeytinyağlı sır nedir?")
    connected.default = Fails(500)
    bellek_process("ask", "Kuşkonmaz sırrı nedir?")
    logs = b"".join(file.read_bytes() for file in tmp_path.glob("bellek/profiles/*/logs/*"))
    for secret in ("sk-test", "Zeytinyağlı", "Kuşkonmaz", "Sabah yükselişi"):
        assert secret.encode() not in logs


@pytest.mark.skipif(sys.platform == "win32", reason="signals of its own")
def test_ctrl_c_stops_the_answer_and_keeps_what_had_arrived(connected: ScriptedServer) -> None:
    never = Waits(threading.Event())
    connected.then(Says(chunks=("Yarım ", never)))
    process = subprocess.Popen(
        [sys.executable, "-m", "desktop", "ask", "Şafak olayı nedir?"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ},
    )
    assert process.stdout is not None
    assert process.stdout.read(len("Yarım ".encode())).decode() == "Yarım "
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == 0
    shown = bellek("sessions", "list", "--json").json
    messages = bellek("sessions", "show", shown["id"], "--json").json["messages"]
    assert (messages[1]["content"], messages[1]["state"]) == ("Yarım ", "stopped")


def test_a_closed_output_pipe_prints_no_traceback() -> None:
    process = subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-m", "desktop", *EN, "--help"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    )
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert b"Traceback" not in process.stderr.read()
    process.stderr.close()
    process.wait(timeout=30)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("command", ["sessions list", "mcp"])
def test_a_stream_that_the_caller_closed_is_no_fault(command: str, closed: str) -> None:
    shell = f'exec "$@" {closed}'
    done = subprocess.run(  # noqa: S603 - our own program
        ["/bin/sh", "-c", shell, "sh", sys.executable, "-m", "desktop", *EN, *command.split()],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device here")
def test_an_output_that_is_full_is_told_in_words() -> None:
    with open("/dev/full", "w") as full:  # noqa: PTH123 - a device
        done = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-m", "desktop", *EN, "--version"],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (done.returncode, done.stderr) == (
        1,
        "The disk is full. Free some space, then try again.\n",
    )


def test_turkish_is_written_in_utf_8_whatever_the_locale_says() -> None:
    done = bellek_process("--lang", "tr", "ask", "Şğıİ?", environ={"LC_ALL": "C"})
    assert done.code == 0
    assert "Bağlı bir model yok" in done.out
    assert bellek("sessions", "list", "--json").json["opening"] == "Şğıİ?"


def test_the_test_of_a_build_passes_without_a_display(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    done = bellek_process("--self-test")
    assert done.code == 0
    assert "theme: offscreen" in done.out
