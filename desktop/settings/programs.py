"""Other programs that ask over the Model Context Protocol: their files of servers, their calls.

A file of servers keeps everything else that is in it: it is read whole, refused if it is not
understood, copied, and replaced in one step.

What they called in a profile is listed as lines of JSON, without anybody's words, in a file of its
own, because the process that answers them may not write to an archive that a window has open. Each
process appends whole lines, which a system writes one after another. In an encrypted profile each
line is sealed by itself; a process without the key, whose calls are refused there, appends a plain
one that names no project.
"""

import json
import os
import shutil
import sys
from base64 import b64decode, b64encode
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop.domain.errors import AppError, HostFileBrokenError
from desktop.domain.frozen import dataclass
from desktop.domain.json_values import JsonValue
from desktop.domain.times import parse_utc, utc_text
from desktop.settings.file_writing import (
    raising_not_written,
    raising_unreadable,
    write_beside,
)
from desktop.settings.paths import DEFAULT_PROFILE, Paths, is_encrypted, make_private_folder

if TYPE_CHECKING:
    from desktop.settings.encryption import ProfileKey

PROGRAM_CALLS = "other_programs.jsonl"
OUTSIDE_CALLS = "outside_tools.jsonl"
"""The same list the other way round: calls of tools from elsewhere, by the servers' names."""
CALL_LISTS = (PROGRAM_CALLS, OUTSIDE_CALLS)
MOST_CALLS = 500
"""How many calls are listed; older ones are removed now and then."""
_MOST_BYTES = 400_000
_PLAIN = b"["  # How a line begins that is not sealed


class CallOutcome(StrEnum):
    DONE = "done"
    REFUSED = "refused"  # By the user's settings
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class ProgramCall:
    at: datetime
    program: str  # As it calls itself; empty if it does not say
    tool: str
    outcome: CallOutcome
    project: str = ""  # The name of the one that the server was started for

    def line(self) -> bytes:
        values = [utc_text(self.at), self.program, self.tool, self.outcome, self.project]
        return json.dumps(values, ensure_ascii=True).encode() + b"\n"

    @classmethod
    def of_line(cls, line: bytes) -> "ProgramCall | None":
        """Return the call of a line; None for a line that is damaged."""
        try:
            at, program, tool, outcome, project = json.loads(line)
            return cls(parse_utc(at), str(program), str(tool), CallOutcome(outcome), str(project))
        except (ValueError, TypeError, AttributeError, RecursionError):
            return None


class ProgramCalls:
    """Any thread may call; every method may wait for the disk."""

    def __init__(
        self, profile: Path, name: str = PROGRAM_CALLS, key: "ProfileKey | None" = None
    ) -> None:
        """`profile`: its folder; `name`: of the list's file; `key`: of an encrypted profile."""
        self._file = profile / name
        self._key = key

    def calls(self) -> list[ProgramCall]:
        """Return the calls, the newest first; none if the file cannot be read."""
        lines = (_opened(line, self._file.name, self._key) for line in reversed(self._lines()))
        return [call for line in lines if (call := ProgramCall.of_line(line))]

    def add(self, call: ProgramCall) -> None:
        """Append a call. A full disk lists nothing, and stops no call."""
        with suppress(OSError):
            make_private_folder(self._file.parent)
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
            file = os.open(self._file, flags, 0o600)
            try:
                os.write(file, self._line(call))
                is_long = os.fstat(file).st_size > _MOST_BYTES
            finally:
                os.close(file)
            if is_long:
                lines = b"".join(self._lines())
                with write_beside(self._file) as partial:
                    partial.write_bytes(lines)

    def clear(self) -> None:
        """Remove the list. Raises FileNotWrittenError, DiskFullError."""
        with raising_not_written(self._file):
            self._file.unlink(missing_ok=True)

    def _line(self, call: ProgramCall) -> bytes:
        if self._key is not None:
            return _sealed(call.line(), self._file.name, self._key)
        return (replace(call, project="") if is_encrypted(self._file.parent) else call).line()

    def _lines(self) -> list[bytes]:
        try:
            with self._file.open("rb") as file:
                return list(deque(file, maxlen=MOST_CALLS))
        except OSError:
            return []


def convert_calls(profile: Path, key: "ProfileKey", new_key: "ProfileKey | None") -> None:
    """Seal the lines of both lists that are plain; or open those that are sealed with `key`.

    Raises FileUnreadableError, FileNotWrittenError, DiskFullError.
    """
    for file in (profile / name for name in CALL_LISTS):
        if not file.exists():
            continue
        with raising_unreadable(file):
            lines = file.read_bytes().splitlines(keepends=True)
        converted = [
            _sealed(line, file.name, new_key) if new_key else _opened(line, file.name, key)
            for line in lines
        ]
        if converted != lines:
            with raising_not_written(file), write_beside(file) as partial:
                partial.write_bytes(b"".join(converted))


def _sealed(line: bytes, name: str, key: "ProfileKey") -> bytes:
    return b64encode(key.seal(line, name)) + b"\n" if line.startswith(_PLAIN) else line


def _opened(line: bytes, name: str, key: "ProfileKey | None") -> bytes:
    if key is None or line.startswith(_PLAIN):
        return line
    try:
        return key.unseal(b64decode(line), name)
    except ValueError:  # of another key, or damaged
        return line


_SERVERS, _NAME = "mcpServers", "bellek"
_BACKUP = ".before-bellek"
_Table = dict[str, Any]  # Any: whatever another program wrote as JSON


class HostState(StrEnum):
    MISSING = "missing"  # The program has no folder here
    NOT_ADDED = "not_added"
    ADDED = "added"
    BROKEN = "broken"  # Its file cannot be read or understood, and so is left alone


@dataclass(frozen=True, slots=True)
class ProgramHost:
    name: str
    file: Path | None = None  # None: its servers are entered in its own settings


def known_hosts(environ: Mapping[str, str], home: Path) -> tuple[ProgramHost, ...]:
    """Return the programs whose form of configuration is known."""
    file = "claude_desktop_config.json"
    match sys.platform:
        case "win32":
            folder = Path(environ.get("APPDATA") or home / "AppData" / "Roaming")
        case "darwin":
            folder = home / "Library" / "Application Support"
        case _:
            folder = Path(environ.get("XDG_CONFIG_HOME") or home / ".config")
    return (
        ProgramHost("Claude Desktop", folder / "Claude" / file),
        ProgramHost("LM Studio", home / ".lmstudio" / "mcp.json"),
        ProgramHost("ChatGPT"),
        ProgramHost("Jan"),
        ProgramHost("Cherry Studio"),
    )


def server_entry(paths: Paths, profile: str) -> dict[str, JsonValue]:
    """Return how another program starts `bellek mcp` for a profile, without a shell."""
    command, environ = [sys.executable, "-m", "desktop"], dict[str, JsonValue]()
    if getattr(sys, "frozen", False):
        ending = Path(sys.executable).suffix
        command = [str(Path(sys.executable).with_name(f"bellek{ending}"))]
    elif installed := shutil.which("bellek"):
        command = [installed]
    else:
        environ["PYTHONPATH"] = str(Path(__file__).parents[2])
    if paths != Paths.of_system({}):
        environ["BELLEK_DATA_DIR"] = str(paths.data)
    arguments = ["--profile", profile] if profile != DEFAULT_PROFILE else []
    rest: list[JsonValue] = [*command[1:], "mcp", *arguments]
    return {"command": command[0], "args": rest, "env": environ}


def configuration(entry: Mapping[str, JsonValue]) -> str:
    """Return the text to paste into a program."""
    return json.dumps({_SERVERS: {_NAME: entry}}, ensure_ascii=False, indent=2)


def host_state(host: ProgramHost) -> HostState:
    """Return whether the program asks Bellek; waits for the disk."""
    if host.file is None or not host.file.parent.is_dir():
        return HostState.MISSING
    try:
        _, servers = _read(host.file)
    except AppError:
        return HostState.BROKEN
    return HostState.ADDED if _NAME in servers else HostState.NOT_ADDED


def add_to_host(file: Path, entry: Mapping[str, JsonValue]) -> None:
    """Enter Bellek in the file, after a copy of it.

    Raises HostFileBrokenError, FileUnreadableError, FileNotWrittenError, DiskFullError.
    """
    table, servers = _read(file)
    with raising_not_written(file):
        if file.exists():
            shutil.copy2(file, _backup_of(file))
        _write(file, {**table, _SERVERS: {**servers, _NAME: entry}})


def remove_from_host(file: Path) -> None:
    """Undo it: restore the copy, or only remove the entry if the file has changed since.

    Raises as `add_to_host`.
    """
    table, servers = _read(file)
    backup = _backup_of(file)
    rest = {name: server for name, server in servers.items() if name != _NAME}
    with raising_not_written(file):
        if backup.exists() and _same_without_ours(backup, table, rest):
            backup.replace(file)
        elif not backup.exists() and set(table) == {_SERVERS} and not rest:
            file.unlink()  # it was made for the entry
        else:
            _write(file, {**table, _SERVERS: rest})


def _same_without_ours(backup: Path, table: _Table, rest: _Table) -> bool:
    try:
        before, servers = _read(backup)
    except HostFileBrokenError:
        return False
    return {**before, _SERVERS: servers} == {**table, _SERVERS: rest}


def _backup_of(file: Path) -> Path:
    return file.with_name(f"{file.name}{_BACKUP}")


def _read(file: Path) -> tuple[_Table, _Table]:
    """Return the whole table and its servers; empty ones for a file that is missing or empty."""
    with raising_unreadable(file):
        text = file.read_bytes() if file.exists() else b""
    try:
        table = json.loads(text.decode("utf-8-sig").strip() or "{}", object_pairs_hook=_unique)
        servers = table.get(_SERVERS, {})
    except (ValueError, RecursionError, AttributeError) as exc:
        raise HostFileBrokenError(path=str(file)) from exc
    if not isinstance(servers, dict):
        raise HostFileBrokenError(path=str(file))
    return table, servers


def _unique(pairs: list[tuple[str, Any]]) -> _Table:
    """Refuse a name that stands twice: one of its values would be lost."""
    table = dict(pairs)
    if len(table) != len(pairs):
        raise ValueError("duplicate name")
    return table


def _write(file: Path, table: _Table) -> None:
    with write_beside(file) as partial:
        partial.write_text(json.dumps(table, ensure_ascii=False, indent=2) + "\n", "utf-8")
        if file.exists() and os.name != "nt":
            shutil.copymode(file, partial)
