"""The list of what other programs called in a profile: lines of JSON, without anybody's words.

A file of its own, because the process that answers them may not write to an archive that a window
has open. Each process appends whole lines, which a system writes one after another.
"""

import json
import os
from collections import deque
from contextlib import suppress
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from desktop.domain.frozen import dataclass
from desktop.domain.times import parse_utc, utc_text
from desktop.settings.file_writing import raising_not_written, write_beside
from desktop.settings.paths import make_private_folder

OUTSIDE_CALLS = "outside_tools.jsonl"
"""The same list the other way round: calls of tools from elsewhere, by the servers' names."""
MOST_CALLS = 500
"""How many calls are listed; older ones are removed now and then."""
_MOST_BYTES = 400_000


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

    def __init__(self, profile: Path, name: str = "other_programs.jsonl") -> None:
        """`profile`: its folder; `name`: of the list's file."""
        self._file = profile / name

    def calls(self) -> list[ProgramCall]:
        """Return the calls, the newest first; none if the file cannot be read."""
        return [call for line in reversed(self._lines()) if (call := ProgramCall.of_line(line))]

    def add(self, call: ProgramCall) -> None:
        """Append a call. A full disk lists nothing, and stops no call."""
        with suppress(OSError):
            make_private_folder(self._file.parent)
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
            file = os.open(self._file, flags, 0o600)
            try:
                os.write(file, call.line())
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

    def _lines(self) -> list[bytes]:
        try:
            with self._file.open("rb") as file:
                return list(deque(file, maxlen=MOST_CALLS))
        except OSError:
            return []
