"""Forks the program's children from a process that has imported what they import at their start.

Each is a process of its own, with its own pipes, variables, limits and end, and imports by itself
what it needs once it is in its sandbox. Linux only; elsewhere, for modules that use the fixture
`usual_children`, and where a test kills the program itself, they start as the program starts them.
"""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from pathlib import Path
from select import select
from threading import Event, Lock, Thread
from typing import IO, Any
from unittest.mock import patch

ROOT = Path(__file__).parents[1]
STARTS = "desktop.research.child_process.subprocess"
_MOST_BYTES = 1 << 16
_THREE = 3
_IMPORTS = {
    "--ask-tools": "desktop.mcp.client_process",
    "--read-documents": "desktop.app.file_worker",
    "--read-pages": "desktop.app.file_worker",
    "--read-imports": "desktop.sessions.importing.import_process",
}


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
        self._end = os.pidfd_open(self.pid)
        self._has_ended = Event()
        Thread(target=self._hear_end, daemon=True).start()

    def _hear_end(self) -> None:
        with self._line:
            self.returncode = int(self._line.recv(_MOST_BYTES) or -signal.SIGKILL)
        self._has_ended.set()
        os.close(self._end)

    def poll(self) -> int | None:
        with suppress(OSError):  # it is closed once the end was heard of
            if self.returncode is None and select([self._end], [], [], 0)[0]:
                self._has_ended.wait()
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


class _Forking:
    """Stands for the module `subprocess` where children are started."""

    def __init__(self, folder: Path, servers: ExitStack) -> None:
        self._folder, self._servers = folder, servers
        self._lines: dict[str, Path] = {}
        self._lock = Lock()

    def __getattr__(self, name: str) -> Any:  # Any: whatever it is there
        return getattr(subprocess, name)

    def Popen(self, command: Sequence[str], **fields: Any) -> Any:  # noqa: N802 - its name there
        imported = next((_IMPORTS[word] for word in command if word in _IMPORTS), None)
        if imported is None:
            return subprocess.Popen(command, **fields)  # noqa: S603 - as the program
        cwd, env = fields["cwd"], fields["env"]
        files = fields["stdout"], fields["stderr"]
        with self._lock:
            line = self._line(imported)
        return ForkedChild(line, command, cwd=cwd, env=env, files=files)

    def _line(self, imported: str) -> Path:
        """Return the socket of the process that has this module; start it for the first child."""
        if imported not in self._lines:
            line = self._folder / str(len(self._lines))
            argv = [sys.executable, "-m", "tests.forked_children", imported, str(line)]
            pipe = subprocess.PIPE
            server = subprocess.Popen(argv, cwd=ROOT, stdin=pipe, stdout=pipe)  # noqa: S603
            self._servers.enter_context(server)
            self._servers.callback(server.kill)
            if server.stdout is None:
                raise AssertionError("made with a pipe")
            server.stdout.readline()
            self._lines[imported] = line
        return self._lines[imported]


@contextmanager
def forked_children(folder: Path) -> Iterator[None]:
    """Have all children of the block forked; `folder`: an empty one."""
    if sys.platform != "linux":
        yield
        return
    with ExitStack() as servers:
        servers.enter_context(patch(STARTS, _Forking(folder, servers)))
        yield


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
    os._exit(main(command[command.index("desktop") + 1 :]))


def _end_with_parent() -> None:
    # Not by a signal of the system: that comes when the thread ends that started this process.
    os.read(0, 1)
    os._exit(0)


def _serve(imported: str, at: str) -> None:
    import_module(imported)
    Thread(target=_end_with_parent, daemon=True).start()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
        listening.bind(at)
        listening.listen()
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while True:
            _fork(listening.accept()[0])


if __name__ == "__main__":
    _serve(*sys.argv[1:])
