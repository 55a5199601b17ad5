"""An attacker in the child that reads hostile files reaches nothing of the user's."""

import ctypes
import json
import subprocess
import sys
from pathlib import Path

import pytest

from desktop.research.documents.reader import DocumentReader
from desktop.settings.sandbox import Protection, child_environment

_LANDLOCK_WITH_SIGNALS = 6
pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or ctypes.CDLL(None).syscall(444, None, 0, 1) < _LANDLOCK_WITH_SIGNALS,
    reason="needs Linux 6.12 or newer",
)

_ATTEMPTS = """
import os, signal, socket, subprocess, sys, resource, ctypes
from pathlib import Path
from desktop.research.child_process import send_line, serve_requests

def written(file):
    with open(file, "w") as opened:
        opened.write("x")

def is_cored(_):
    assert resource.getrlimit(resource.RLIMIT_CORE) == (0, 0)
    assert ctypes.CDLL(None).prctl(3, 0, 0, 0, 0) == 0
    raise PermissionError

ATTEMPTS = {
    "read a file": lambda file: Path(file).read_bytes(),
    "list a folder": lambda file: os.listdir(Path(file).parent),
    "list the root": lambda file: os.listdir("/"),
    "read a password file": lambda file: Path("/etc/passwd").read_bytes(),
    "read its parent": lambda file: Path(f"/proc/{os.getppid()}/environ").read_bytes(),
    "write": lambda file: written(file),
    "write a new file": lambda file: written(file + ".new"),
    "remove": lambda file: os.remove(file),
    "change rights": lambda file: os.chmod(file, 0o777),
    "link": lambda file: os.symlink(file, file + ".link"),
    "tcp": lambda file: socket.socket(socket.AF_INET, socket.SOCK_STREAM),
    "udp": lambda file: socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
    "unix": lambda file: socket.socket(socket.AF_UNIX),
    "netlink": lambda file: socket.socket(16, socket.SOCK_RAW),
    "start a program": lambda file: os.execv("/bin/true", ["true"]),
    "start a process": lambda file: os.fork(),
    "start both": lambda file: subprocess.run([sys.executable, "-c", ""]),
    "signal": lambda file: os.kill(os.getppid(), signal.SIGCONT),
    "limit another": lambda file: resource.prlimit(os.getppid(), resource.RLIMIT_CPU),
    "dump memory": is_cored,
}

def answer(request, answers):
    for name, attempt in ATTEMPTS.items():
        try:
            attempt(request["victim"])
        except PermissionError:
            send_line(answers, name, "refused")
        except BaseException as exc:
            send_line(answers, name, repr(exc))
        else:
            send_line(answers, name, "succeeded")

serve_requests(512, answer)
"""


def test_it_opens_no_file_no_socket_and_no_program(tmp_path: Path) -> None:
    archive = tmp_path / "bellek.db"
    archive.write_text("secret")
    told = subprocess.run(  # noqa: S603 - our own command, without a shell
        [sys.executable, "-c", _ATTEMPTS],
        input=json.dumps({"victim": str(archive)}).encode() + b"\n",
        capture_output=True,
        check=True,
    )
    results = dict(json.loads(line) for line in told.stdout.splitlines())
    assert len(results) > 15
    assert {name: how for name, how in results.items() if how != "refused"} == {}
    assert archive.read_text() == "secret"
    assert list(tmp_path.iterdir()) == [archive]


@pytest.mark.usefixtures("usual_children")
def test_it_reports_its_sandbox_and_still_reads(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("after all")
    with DocumentReader() as reader:
        assert reader.protections() == {Protection.FILES, Protection.CALLS}
        assert reader.read(tmp_path / "a.txt").passages


def test_a_child_gets_only_the_variables_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SESSION", "secret")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    monkeypatch.setenv("LC_ALL", "tr_TR.UTF-8")
    assert {"PATH", "LC_ALL"} <= child_environment().keys()
    assert not {"AWS_SESSION", "HOME", "CUDA_VISIBLE_DEVICES"} & child_environment().keys()
    assert child_environment("CUDA_", ONE="2").items() >= {
        ("CUDA_VISIBLE_DEVICES", "1"),
        ("ONE", "2"),
    }
