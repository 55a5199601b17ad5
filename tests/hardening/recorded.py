"""Stops a program at each system call that can change a disk, and lets it go on afterwards.

A filter of the kernel (seccomp) hands these calls of the program, and of its children, to the
process that started it; all others run as ever. No debugger is needed, and no right to trace.
"""

import ctypes
import os
import platform
import select
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fcntl import ioctl
from pathlib import Path
from struct import pack, unpack_from

_ROOT = Path(__file__).parents[2]
_MACHINES = {"x86_64": (0, 0xC000003E, 317), "aarch64": (1, 0xC00000B7, 277)}
"""The column of `_CHANGING`, the kernel's name of the architecture, its number in seccomp."""
_CHANGING = """
write 1 64, pwrite64 18 68, writev 20 66, pwritev 296 70, pwritev2 328 287, truncate 76 45,
ftruncate 77 46, fallocate 285 47, sendfile 40 71, splice 275 76, copy_file_range 326 285,
rename 82 -, renameat 264 38, renameat2 316 276, unlink 87 -, unlinkat 263 35, rmdir 84 -,
mkdir 83 -, mkdirat 258 34, link 86 -, linkat 265 37, symlink 88 -, symlinkat 266 36, creat 85 -
"""
"""System calls with their numbers on x86_64 and aarch64."""
_OPENING = {"open": (2, None, 1), "openat": (257, 56, 2)}
"""With the argument that holds its flags."""
_CREATES_OR_EMPTIES = os.O_CREAT | os.O_TRUNC
_LOAD, _EQUAL, _GREATER, _HAS_BITS, _RETURN = 0x20, 0x15, 0x25, 0x45, 0x06
_CALL, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
"""Their offsets in the data that the filter gets of a call."""
_ALLOW, _TELL = 0x7FFF0000, 0x7FC00000
_NO_NEW_PRIVILEGES, _FILTER_MODE, _NEW_LISTENER = 38, 1, 8
_RECEIVE, _SEND, _GO_ON = 0xC0502100, 0xC0182101, 1
_Instruction = tuple[int, int, int, int]


def _column() -> int:
    return _MACHINES[platform.machine()][0]


def _names() -> dict[int, str]:
    """Return the system calls that are told, by their number on this machine."""
    rows = [call.split() for call in _CHANGING.split(",")]
    named = {int(row[1 + _column()]): row[0] for row in rows if row[1 + _column()] != "-"}
    opening = {row[_column()]: name for name, row in _OPENING.items()}
    return named | {number: name for number, name in opening.items() if number is not None}


def _filter() -> Iterator[_Instruction]:
    _, architecture, _ = _MACHINES[platform.machine()]
    yield _LOAD, 0, 0, _ARCHITECTURE
    yield _EQUAL, 1, 0, architecture
    yield _RETURN, 0, 0, _ALLOW
    for number, name in _names().items():
        yield _LOAD, 0, 0, _CALL
        if name == "write":  # what is printed is no change
            yield _EQUAL, 0, 3, number
            yield _LOAD, 0, 0, _ARGUMENTS
            yield _GREATER, 0, 1, sys.stderr.fileno()
        elif name in _OPENING:
            yield _EQUAL, 0, 3, number
            yield _LOAD, 0, 0, _ARGUMENTS + 8 * _OPENING[name][2]
            yield _HAS_BITS, 0, 1, _CREATES_OR_EMPTIES
        else:
            yield _EQUAL, 0, 1, number
        yield _RETURN, 0, 0, _TELL
    yield _RETURN, 0, 0, _ALLOW


def _listen() -> int:
    """Have the calls of this process told from here on; return the file that tells them.

    Raises OSError where the kernel does not allow it.
    """
    library = ctypes.CDLL(None, use_errno=True)
    lines = [pack("=HBBI", *line) for line in _filter()]
    program = ctypes.create_string_buffer(b"".join(lines))
    filter_program = pack("@HP", len(lines), ctypes.addressof(program))
    library.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    number = _MACHINES[platform.machine()][2]
    listener = int(library.syscall(number, _FILTER_MODE, _NEW_LISTENER, filter_program))
    if listener < 0:
        raise OSError(ctypes.get_errno(), "seccomp")
    return listener


class Recording:
    """A program that runs; `calls` has to be read to its end."""

    def __init__(self, program: subprocess.Popen[bytes], listener: int) -> None:
        self._program, self._listener = program, listener

    def calls(self) -> Iterator[str]:
        """Yield the name of each call before it is carried out: the program waits meanwhile."""
        names, poll = _names(), select.poll()
        poll.register(self._listener, select.POLLIN)
        while any(events & select.POLLIN for _, events in poll.poll()):
            call = bytearray(80)
            try:
                ioctl(self._listener, _RECEIVE, call)
            except OSError:  # a signal came, or the process ended: the call is made again, or not
                continue
            identity, number = unpack_from("=Q8xi", call)
            yield names[number]
            try:
                ioctl(self._listener, _SEND, pack("=QqiI", identity, 0, 0, _GO_ON))
            except OSError:  # as above
                continue

    @property
    def exit_code(self) -> int:
        return self._program.wait()


@contextmanager
def recorded(
    command: Sequence[str], *, stdin: str, environment: Mapping[str, str], output: Path
) -> Iterator[Recording]:
    """Run the command; `output`: where all that it prints is put.

    Raises OSError where the kernel does not hand over calls.
    """
    ours, theirs = socket.socketpair()
    with ours, theirs, output.open("wb") as printed:
        program = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, __file__, str(theirs.fileno()), *command],
            cwd=_ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=printed,
            stderr=printed,
            pass_fds=[theirs.fileno()],
        )
        theirs.close()
        with program:
            _, listeners, _, _ = socket.recv_fds(ours, 1, 1)
            if not listeners:
                raise OSError("system calls are not handed over")
            try:
                if program.stdin is not None:
                    program.stdin.write(stdin.encode())  # a few words: a pipe holds them
                    program.stdin.close()
                yield Recording(program, listeners[0])
            except BaseException:
                program.kill()
                raise
            finally:
                os.close(listeners[0])


def can_record() -> bool:
    if platform.system() != "Linux" or platform.machine() not in _MACHINES:
        return False
    nothing = [sys.executable, "-S", "-c", ""]
    try:
        with recorded(nothing, stdin="", environment=os.environ, output=Path(os.devnull)) as one:
            for _ in one.calls():
                pass
    except OSError:
        return False
    return one.exit_code == 0


def _main() -> None:
    with socket.socket(fileno=int(sys.argv[1])) as line:
        socket.send_fds(line, [b"!"], [_listen()])
    os.execv(sys.argv[2], sys.argv[2:])  # noqa: S606 - our own program


if __name__ == "__main__":
    _main()
