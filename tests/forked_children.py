"""Starts the children that speak with servers of tools from a process that has their imports.

Each is a process of its own, with its own pipes, variables, limits and end; only the second that
the SDK takes to import is spent once. Linux only; elsewhere, and where a test kills the program
itself, children start as the program starts them.
"""

import ctypes
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import IO, Any
from unittest.mock import patch

ROOT = Path(__file__).parents[1]
_DIES_WITH_PARENT = 1  # For prctl
_MOST_BYTES = 1 << 16
_THREE = 3
_FLAG = "--ask-tools"


class ForkedChild:
    """What `subprocess.Popen` is for a child that another process forks."""

    def __init__(
        self,
        server: Path,
        command: Sequence[str],
        *,
        cwd: Path,
        env: Mapping[str, str],
        files: tuple[int, IO[bytes]],
    ) -> None:
        reading, writing = os.pipe()
        self.stdin = os.fdopen(writing, "wb")
        self.stdout = None
        self.returncode: int | None = None
        self._line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._line.connect(str(server))
        request = json.dumps({"command": command, "cwd": str(cwd), "env": dict(env)}).encode()
        out, errors = files
        socket.send_fds(self._line, [request], [reading, out, errors.fileno()])
        os.close(reading)
        self.pid = int(self._line.recv(_MOST_BYTES))
        self._has_ended = Event()
        Thread(target=self._hear_end, daemon=True).start()

    def _hear_end(self) -> None:
        with self._line:
            self.returncode = int(self._line.recv(_MOST_BYTES) or -signal.SIGKILL)
        self._has_ended.set()

    def poll(self) -> int | None:
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if not self._has_ended.wait(timeout) or self.returncode is None:
            raise subprocess.TimeoutExpired("child", timeout or 0)
        return self.returncode

    def kill(self) -> None:
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)

    def communicate(self) -> tuple[None, None]:
        if not self.stdin.closed:
            self.stdin.close()
        self.wait()
        return None, None


@contextmanager
def forked_children(folder: Path) -> Iterator[None]:
    """Have all children of the block forked; `folder`: an empty one."""
    if sys.platform != "linux":
        yield
        return
    at, usual = folder / "line", subprocess.Popen
    argv = [sys.executable, "-m", "tests.forked_children", str(at)]

    def start(command: Sequence[str], **fields: Any) -> Any:  # Any: as Popen has it
        if _FLAG not in command:
            return usual(command, **fields)
        cwd, env = fields["cwd"], fields["env"]
        files = fields["stdout"], fields["stderr"]
        return ForkedChild(at, command, cwd=cwd, env=env, files=files)

    with usual(argv, cwd=ROOT, stdout=subprocess.PIPE) as server:
        if server.stdout is None:
            raise AssertionError("made with a pipe")
        server.stdout.readline()
        with patch("desktop.research.child_process.subprocess.Popen", start):
            yield
        server.kill()


def _fork(line: socket.socket) -> None:
    """Fork a child, tell who it is, and later how it ended."""
    request, files, _, _ = socket.recv_fds(line, _MOST_BYTES, _THREE)
    wanted = json.loads(request)
    pid = os.fork()
    if pid == 0:
        _be_child(wanted, files)
    for file in files:
        os.close(file)
    line.send(str(pid).encode())
    Thread(target=_tell_end, args=(line, pid), daemon=True).start()


def _tell_end(line: socket.socket, pid: int) -> None:
    _, status = os.waitpid(pid, 0)
    with line:
        line.send(str(os.waitstatus_to_exitcode(status)).encode())


def _be_child(wanted: Mapping[str, Any], files: Sequence[int]) -> None:
    from desktop.__main__ import main  # noqa: PLC0415 - as the program does

    for at, file in enumerate(files):
        os.dup2(file, at)
    os.closerange(_THREE, max(files) + 1)
    os.chdir(wanted["cwd"])
    os.environ.clear()
    os.environ.update(wanted["env"])
    command = wanted["command"]
    os._exit(main(command[command.index(_FLAG) :]))


def _serve(at: str) -> None:
    import desktop.mcp.client_process  # noqa: F401, PLC0415 - what all of them need

    ctypes.CDLL(None).prctl(_DIES_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
        listening.bind(at)
        listening.listen()
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while True:
            _fork(listening.accept()[0])


if __name__ == "__main__":
    _serve(sys.argv[1])
