"""The counts of a part of the harness: the columns of its table."""

import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

from desktop.domain.errors import AppError

LONGEST_S = 10.0


@dataclass(slots=True)
class Tally:
    part: str
    tried: int = 0
    lost: int = 0
    """Times that something which was kept is not there any more."""
    stuck: int = 0
    """Times that the next start did not go on, or gave an error without words."""
    tracebacks: int = 0
    hangs: int = 0
    """Times that something took longer than `LONGEST_S`."""
    contacts: int = 0
    """Addresses outside this machine."""
    skipped: str = ""
    """Why nothing was tried."""
    notes: list[str] = field(default_factory=list)
    """What was found, with what it takes to see it again."""

    def note(self, words: str) -> None:
        if len(self.notes) < 20:
            self.notes.append(words)

    def attempt(
        self, seed: object, work: Callable[[], object], longest_s: float = LONGEST_S
    ) -> None:
        """Count one try in this process: a known error is an answer, anything else is not."""
        self.tried += 1
        began = monotonic()
        try:
            work()
        except AppError:
            pass
        except Exception as exc:  # noqa: BLE001 - what is looked for
            self.tracebacks += 1
            where = traceback.extract_tb(exc.__traceback__)[-1]
            self.note(f"{seed}: {exc!r} in {where.filename.rpartition('/')[2]}:{where.lineno}")
        if monotonic() - began > longest_s:
            self.hangs += 1
            self.note(f"{seed}: {monotonic() - began:.0f} s")

    def guard(self, name: str, work: Callable[..., object], *given: object) -> None:
        """Count one try that a thread makes."""
        try:
            work(*given)
        except Exception as exc:  # noqa: BLE001 - what is looked for
            self.tracebacks += 1
            self.note(f"{name}: {exc!r}")

    def row(self) -> str:
        figures = (self.tried, self.lost, self.stuck, self.tracebacks, self.hangs, self.contacts)
        return f"| {self.part} | " + " | ".join(f"{one:,}" for one in figures) + " |"


HEAD = (
    "| part | tried | lost | stuck | tracebacks | hangs over 10 s | outside contacts |\n"
    "|---|--:|--:|--:|--:|--:|--:|"
)
