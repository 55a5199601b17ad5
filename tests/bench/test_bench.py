"""`bellek bench` measures what it claims: each benchmark runs once, with the smallest sizes."""

import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.commands import Json, bellek, bellek_process

WORDS = ["rare word", "word", "common word", "two words", "prefix of 3", "question"]
KINDS = [f"{kind}, {order}" for kind in WORDS for order in ("first", "ranked")]


def measured(name: str, runs: int = 2, *more: str) -> list[Json]:
    done = bellek_process("bench", name, "--runs", str(runs), "--small", *more)
    assert done.code == 0, done.err
    assert all(line["bench"] == name for line in done.lines)
    return done.lines


def positive(line: Json, names: Iterable[str]) -> bool:
    return all(line[name] > 0 for name in names)


def test_a_start_is_painted_before_its_sessions_are_listed_and_after_a_bare_window() -> None:
    (line,) = measured("startup", runs=1)
    assert (line["runs"], line["sessions"]) == (1, 20)
    assert 0 < line["p50_ms"] <= line["p95_ms"]
    assert line["p50_ms"] <= line["listed_p50_ms"]
    assert 0 < line["bare_p50_ms"] < line["p50_ms"]
    assert line["ratio"] == pytest.approx(line["p50_ms"] / line["bare_p50_ms"], abs=0.01)


def test_searching_is_measured_by_kind_and_in_the_window_from_a_keystroke() -> None:
    lines = measured("search", runs=1)
    build, *timed, imported, model = lines
    assert [line["kind"] for line in timed] == [*KINDS, "question, hybrid", "keystroke"]
    assert all(positive(line, ("p50_ms", "p95_ms", "runs")) for line in timed)
    assert positive(build, ("seconds",))
    assert (imported["kind"], imported["messages"]) == ("import", 200)
    assert positive(imported, ("messages_per_second",))
    assert model["awake_mb"] > 50
    assert model["let_go_mb"] == 0


def test_automatic_recall_is_measured_with_the_real_model_loaded() -> None:
    (line,) = measured("recall", runs=1)
    assert (line["messages"], line["runs"]) == (400, 10)
    assert positive(line, ("p50_ms", "p95_ms"))


def test_the_saving_benchmark_compares_lengths_and_counts_bytes_also_while_streaming() -> None:
    (line,) = measured("autosave", runs=1)
    assert positive(line, ("message_10_ms", "message_60_ms", "ratio"))
    assert 4_000 < line["bytes_per_message"] < 40_000
    assert 4_000 < line["bytes_per_streamed_second"] < 40_000


def test_a_profile_with_a_passphrase_is_measured_through_the_window_too() -> None:
    (line,) = measured("open", 1, "--encrypted")
    assert line["encrypted"] is True
    assert positive(line, ("p50_ms", "first_ms"))


def test_a_profile_that_is_journalled_is_measured_too() -> None:
    (line,) = measured("autosave", 1, "--synced")
    assert line["synced"] is True
    assert positive(line, ("message_10_ms", "bytes_per_message"))


def test_stalls_are_measured_in_a_new_window_for_each_run() -> None:
    (line,) = measured("stream")
    assert (line["runs"], line["words_per_second"]) == (2, 200)
    assert 0 <= line["stall_p99_ms"] <= line["stall_max_p50_ms"] <= line["stall_max_ms"]


def test_opening_is_timed_often_and_the_first_time_apart() -> None:
    (line,) = measured("open")
    assert (line["runs"], line["messages"]) == (2, 60)
    assert positive(line, ("p50_ms", "p95_ms", "first_ms"))


def test_memory_is_the_median_of_several_windows() -> None:
    (line,) = measured("memory")
    assert line["runs"] == 2
    assert 50 < line["idle_mb"] <= line["open_mb"] < 1000


@pytest.mark.parametrize("wrong", [("dance",), ("memory", "--runs", "0")])
def test_an_unknown_benchmark_is_wrong_usage(wrong: tuple[str, ...]) -> None:
    assert bellek("bench", *wrong).code == 2


def test_an_installed_program_says_that_benchmarks_need_the_source_tree(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("desktop.app.run.asset", tmp_path.joinpath)
    refused = bellek("bench", "router", "--lang", "en")
    assert (refused.code, refused.out) == (1, "")
    assert "source code" in refused.err


def test_benchmarks_of_a_window_require_a_display(monkeypatch: pytest.MonkeyPatch) -> None:
    if sys.platform in ("win32", "darwin"):
        pytest.skip("has a display always")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    refused = bellek_process("bench", "router", "startup", "--lang", "en")
    assert refused.code == 1
    assert "there is no display: startup" in refused.err


@pytest.mark.parametrize("name", ["palette", "quick"])
def test_windows_are_timed_and_their_first_opening_apart(name: str) -> None:
    (line,) = measured(name, runs=1)
    assert (line["runs"], line["sessions"]) == (5, 20)  # openings after the first of the start
    assert positive(line, ("p50_ms", "p95_ms", "first_ms"))
