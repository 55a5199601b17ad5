"""The environment that a child process gets, and the sandbox that Linux puts it in.

`enter_sandbox` restricts the calling process: Landlock allows no file but the program's own, a
seccomp filter no network, no other program and no other process. What it already has open stays
open. macOS and Windows have no such protection here: only the environment and limits apply.
"""

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from struct import pack

from desktop.settings.paths import asset

_NEEDED = (
    "PATH",
    "LANG",
    "LANGUAGE",
    "TZ",
    "TMPDIR",
    "TEMP",
    "TMP",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "OMP_NUM_THREADS",
    # Windows: the system's own libraries, and where Python looks for a user's packages.
    "SYSTEMROOT",
    "SYSTEMDRIVE",
    "WINDIR",
    "PATHEXT",
    "APPDATA",
    "USERPROFILE",
)
_NEEDED_PREFIXES = ("LC_", "PYTHON", "_PYI")


class Protection(StrEnum):
    FILES = "files"  # No file can be opened except the program's own
    CALLS = "calls"  # No network, no other program, no other process


def child_environment(*prefixes: str, **more: str) -> dict[str, str]:
    """Return the variables that a child needs, those with the prefixes, and `more`; no keys."""
    allowed_prefixes = (*_NEEDED_PREFIXES, *prefixes)
    named = {
        name: value
        for name, value in os.environ.items()
        if name.upper() in _NEEDED or name.upper().startswith(allowed_prefixes)
    }
    return {**named, **more}


def enter_sandbox() -> frozenset[Protection]:
    """Sandbox this process for good; return what is in force. Call it before threads begin."""
    if sys.platform != "win32":
        import resource  # noqa: PLC0415 - not on Windows

        for limit in (resource.RLIMIT_CORE, resource.RLIMIT_FSIZE):
            with suppress(OSError, ValueError):
                resource.setrlimit(limit, (0, 0))
    if sys.platform != "linux" or sys.maxsize < 1 << 32 or os.uname().machine not in _MACHINES:
        return frozenset()
    kernel = _Kernel(os.uname().machine)
    if not kernel.succeeds("prctl", _NO_NEW_PRIVILEGES, 1, 0, 0, 0):
        return frozenset()
    kernel.succeeds("prctl", _DUMPABLE, 0, 0, 0, 0)
    entered = {Protection.FILES: kernel.restrict_files, Protection.CALLS: kernel.filter_calls}
    return frozenset(name for name, enter in entered.items() if enter())


_NO_NEW_PRIVILEGES, _DUMPABLE = 38, 4
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ASK_VERSION = 1
_BELOW_A_PATH = 1
_READ_FILE, _READ_FOLDER = 1 << 2, 1 << 3
_FILE_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1}
"""What Landlock can forbid, by its version."""
_WITH_NETWORK, _WITH_SCOPE = 4, 6
_NEWEST_FILE_RIGHTS = (1 << 16) - 1
_SYSTEM_FILES = (
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/etc/ld.so.cache",
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "/usr/share/zoneinfo",
    # How many cores there are, and what they can do.
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/sys/devices/system/cpu",
    "/dev/null",
    "/dev/urandom",
)
"""Libraries load others on first use; PDFium needs the widths of fonts."""

_MACHINES = {"x86_64": (0, 0xC000003E, 317), "aarch64": (1, 0xC00000B7, 277)}
"""The column of `_FORBIDDEN`, the kernel's name of the architecture, its number in seccomp."""
_FORBIDDEN = """
socket 41 198, socketpair 53 199, connect 42 203, bind 49 200, listen 50 201, accept 43 202,
accept4 288 242, sendto 44 206, sendmsg 46 211, sendmmsg 307 269, execve 59 221, execveat 322 281,
fork 57 -, vfork 58 -, kill 62 129, tkill 200 130, tgkill 234 131, rt_sigqueueinfo 129 138,
rt_tgsigqueueinfo 297 240, ptrace 101 117, process_vm_readv 310 270, process_vm_writev 311 271,
kcmp 312 272, pidfd_send_signal 424 424, pidfd_open 434 434, pidfd_getfd 438 438,
process_madvise 440 440, process_mrelease 448 448, io_uring_setup 425 425, io_uring_enter 426 426,
io_uring_register 427 427, bpf 321 280, perf_event_open 298 241, userfaultfd 323 282,
add_key 248 217, request_key 249 218, keyctl 250 219, shmget 29 194, shmat 30 196, semget 64 190,
msgget 68 186, mq_open 240 180, mount 165 40, umount2 166 39, pivot_root 155 41, chroot 161 51,
unshare 272 97, setns 308 268, open_tree 428 428, move_mount 429 429, fsopen 430 430,
fsconfig 431 431, fsmount 432 432, fspick 433 433, mount_setattr 442 442, fanotify_init 300 262,
name_to_handle_at 303 264, open_by_handle_at 304 265, init_module 175 105, finit_module 313 273,
delete_module 176 106, kexec_load 246 104, kexec_file_load 320 294, reboot 169 142,
personality 135 92, acct 163 89, quotactl 179 60, swapon 167 224, swapoff 168 225, chmod 90 -,
fchmod 91 52, fchmodat 268 53, fchmodat2 452 452, chown 92 -, fchown 93 55, lchown 94 -,
fchownat 260 54, utime 132 -, utimes 235 -, futimesat 261 -, utimensat 280 88, setxattr 188 5,
lsetxattr 189 6, fsetxattr 190 7, removexattr 197 14, lremovexattr 198 15, fremovexattr 199 16,
setpriority 141 140, ioprio_set 251 30, sched_setscheduler 144 119, sched_setparam 142 118,
sched_setattr 314 274, migrate_pages 256 238, move_pages 279 239
"""
"""System calls with their numbers on x86_64 and aarch64."""
_CLONE, _CLONE3, _LIMITS = (56, 220), 435, (302, 261)
_NEWEST_CALL = 462  # Later calls, and those of the x32 interface, are unknown to the process
_THREAD = 0x10000
_FILTER_MODE, _ALL_THREADS = 1, 1
_LOAD, _EQUAL, _GREATER, _HAS_BITS, _RETURN = 0x20, 0x15, 0x25, 0x45, 0x06
_CALL, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
"""Their offsets in the data that the filter gets of a call."""
_ALLOW, _KILL, _NOT_PERMITTED, _NOT_THERE = 0x7FFF0000, 0x80000000, 0x00050001, 0x00050026


class _Kernel:
    def __init__(self, machine: str) -> None:
        self._library = ctypes.CDLL(None, use_errno=True)
        self._column, self._architecture, self._seccomp = _MACHINES[machine]

    def succeeds(self, function: str, *arguments: object) -> bool:
        return int(getattr(self._library, function)(*map(_word, arguments))) == 0

    def restrict_files(self) -> bool:
        version = self._call(_CREATE_RULESET, None, 0, _ASK_VERSION)
        if version < 1:
            return False
        # TCP: bind and connect; scope: abstract sockets and signals.
        attributes = pack("=QQQ", _FILE_RIGHTS.get(version, _NEWEST_FILE_RIGHTS), 0b11, 0b11)
        size = 8 * (1 + (version >= _WITH_NETWORK) + (version >= _WITH_SCOPE))
        ruleset = self._call(_CREATE_RULESET, attributes, size, 0)
        if ruleset < 0:
            return False
        try:
            for path in _readable_paths():
                with suppress(OSError):
                    self._allow_reading(ruleset, path)
            return self._call(_RESTRICT_SELF, ruleset, 0) == 0
        finally:
            os.close(ruleset)

    def _allow_reading(self, ruleset: int, path: Path) -> None:
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
        rights = _READ_FILE | (_READ_FOLDER if path.is_dir() else 0)
        self._call(_ADD_RULE, ruleset, _BELOW_A_PATH, pack("=Qi", rights, opened), 0)
        os.close(opened)

    def filter_calls(self) -> bool:
        lines = [pack("=HBBI", *line) for line in self._filter_lines()]
        program = ctypes.create_string_buffer(b"".join(lines))
        filter_program = pack("@HP", len(lines), ctypes.addressof(program))
        return self._call(self._seccomp, _FILTER_MODE, _ALL_THREADS, filter_program) == 0

    def _filter_lines(self) -> Iterator[tuple[int, int, int, int]]:
        numbers = [call.split()[1 + self._column] for call in _FORBIDDEN.split(",")]
        yield _LOAD, 0, 0, _ARCHITECTURE
        yield from _unless(_EQUAL, self._architecture, _KILL)
        yield _LOAD, 0, 0, _CALL
        yield from _when(_GREATER, _NEWEST_CALL, _NOT_THERE)
        # Its flags cannot be seen; libraries then use `clone`.
        yield from _when(_EQUAL, _CLONE3, _NOT_THERE)
        for number in numbers:
            if number != "-":
                yield from _when(_EQUAL, int(number), _NOT_PERMITTED)
        # Threads may begin, and the process may set limits of its own.
        yield _EQUAL, 0, 4, _CLONE[self._column]
        yield _LOAD, 0, 0, _FIRST_ARGUMENT
        yield from _when(_HAS_BITS, _THREAD, _ALLOW)
        yield _RETURN, 0, 0, _NOT_PERMITTED
        yield from _unless(_EQUAL, _LIMITS[self._column], _ALLOW)
        yield _LOAD, 0, 0, _FIRST_ARGUMENT
        yield from _unless(_EQUAL, 0, _NOT_PERMITTED)
        yield _RETURN, 0, 0, _ALLOW

    def _call(self, number: int, *arguments: object) -> int:
        return int(self._library.syscall(*map(_word, (number, *arguments))))


def _word(value: object) -> object:
    return ctypes.c_long(value) if isinstance(value, int) else value


def _when(test: int, value: int, answer: int) -> Iterator[tuple[int, int, int, int]]:
    yield test, 0, 1, value
    yield _RETURN, 0, 0, answer


def _unless(test: int, value: int, answer: int) -> Iterator[tuple[int, int, int, int]]:
    yield test, 1, 0, value
    yield _RETURN, 0, 0, answer


def _readable_paths() -> Iterator[Path]:
    root = Path(__file__).parents[2]
    # A folder of sources may contain anything, for example a profile.
    is_source = (root / "pyproject.toml").exists()
    for name in filter(None, sys.path):
        if not (is_source and Path(name) == root):
            yield Path(name)
    # A frozen program holds its own modules.
    yield Path(sys.executable)
    yield from (root / "desktop", asset("resources"), *map(Path, _SYSTEM_FILES))
