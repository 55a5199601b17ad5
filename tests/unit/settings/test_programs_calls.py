"""The list of calls of other programs: bounded, and damaged lines harm no others."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from desktop.settings.programs import MOST_CALLS, CallOutcome, ProgramCall, ProgramCalls

CALL = ProgramCall(datetime(2026, 3, 5, tzinfo=UTC), "Jan 1", "search", CallOutcome.DONE, "Tez")


def test_the_newest_call_is_first(tmp_path: Path) -> None:
    calls = ProgramCalls(tmp_path / "profile")
    assert calls.calls() == []
    calls.add(CALL)
    calls.add(replace(CALL, tool="fetch"))
    assert calls.calls() == [replace(CALL, tool="fetch"), CALL]
    assert (tmp_path / "profile" / "other_programs.jsonl").stat().st_mode & 0o077 == 0


def test_a_damaged_line_is_left_out(tmp_path: Path) -> None:
    calls = ProgramCalls(tmp_path)
    calls.add(CALL)
    with (tmp_path / "other_programs.jsonl").open("ab") as file:
        file.write(b'\xff\n[1, 2]\n["x", "a", "b", "done", ""]\n{}\n')
    calls.add(CALL)
    assert calls.calls() == [CALL, CALL]


def test_the_list_stays_short(tmp_path: Path) -> None:
    calls, long = ProgramCalls(tmp_path), replace(CALL, program="x" * 1_000)
    for _ in range(MOST_CALLS):
        calls.add(long)
    calls.add(CALL)
    assert len(calls.calls()) == MOST_CALLS
    assert calls.calls()[0] == CALL
    assert (tmp_path / "other_programs.jsonl").stat().st_size < 1_000_000
    calls.clear()
    assert calls.calls() == []
