"""Wrong usage and unreadable input end in a sentence and the right exit code."""

import os
from collections.abc import Iterator
from pathlib import Path
from shlex import split

import pytest

from tests.commands import Done, bellek
from tests.examples import examples

EN = ("--lang", "en")


def said(*argv: str) -> Done:
    """Every command prints something, and its results alone go to stdout."""
    done = bellek(*EN, *argv)
    assert done.out or done.err
    assert "Traceback" not in done.err
    return done


@pytest.mark.parametrize(
    "line",
    examples(__file__, "wrong_usage_exits_with_two_and_names_the_unknown_part"),
)
def test_wrong_usage_exits_with_two_and_names_the_unknown_part(line: str) -> None:
    done = said(*split(line))
    assert (done.code, done.out) == (2, "")
    assert "--help" in done.err


@pytest.mark.parametrize(
    "line",
    [
        "sessions show nobody",
        "sessions resume nobody",
        "sessions delete nobody",
        "sessions rename nobody x",
        "sessions report nobody",
        "sessions end nobody",
        "memory forget nobody",
        "library remove nobody",
        "export nobody",
        "ask x --session active",
    ],
)
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_a_missing_item_is_an_error_with_advice(line: str, form: list[str]) -> None:
    done = said(*split(line), *form)
    assert (done.code, bool(done.out)) == (1, bool(form))


@pytest.mark.parametrize(
    "argv", [["import"], ["library", "add"], ["memory", "reload"], ["boundaries"]]
)
def test_a_missing_file_and_a_pipe_are_named_and_never_waited_for(
    argv: list[str], tmp_path: Path
) -> None:
    missing, pipe = tmp_path / "yok", tmp_path / "boru"
    os.mkfifo(pipe)
    for file, words in ((missing, ""), (pipe, " (the path is a pipe or a device")):
        done = said(*argv, str(file))
        assert (done.code, done.out) == (1, "")
        assert f"{file}{words}" in done.err


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["sessions", "list"], "no sessions yet"),
        (["export"], "no sessions yet"),
        (["memory", "list"], "There are no remembered facts"),
        (["memory", "list", "--topic", "x"], "no facts that match"),
        (["memory", "list", "--search", "x"], "no facts that match"),
        (["memory", "list", "--until", "yesterday"], "no facts that match"),
        (["memory", "export"], "no long-term facts yet"),
        (["memory", "export", "--all"], "There are no remembered facts"),
        (["library", "list"], "library is empty"),
        (["search", "x"], "No matches"),
        (["search", "--since", "2026-01-01"], "no sessions in this period: January 1, 2026 – "),
    ],
)
def test_an_empty_list_is_reported_and_is_no_failure(argv: list[str], words: str) -> None:
    done = said(*argv)
    assert (done.code, done.out) == (0, "")
    assert words in done.err
    assert bellek(*argv, "--json").out == ""


@pytest.mark.parametrize(
    ("argv", "stdin", "key"),
    [
        (["sessions", "show", "yok"], "", "session_unknown"),
        (["sessions", "shw"], "", "usage"),
        (["notes", "add", "--source", "x", "--quote", " "], "", "usage"),
        (["search", "--batch"], "{\n", "usage"),
        (["references", "import", "yok.bib"], "", "file_unreadable"),
        (["library", "add", "yok.pdf"], "", "file_unreadable"),
        (["import", "yok.json"], "", "file_unreadable"),
    ],
)
def test_whatever_fails_is_one_kind_of_json(argv: list[str], stdin: str, key: str) -> None:
    done = bellek(*argv, "--json", stdin=stdin)
    (failure,) = done.lines
    (failure,) = failure.get("problems", [failure])
    assert failure["error"]["key"] == key
    assert failure["message"] in done.err


HALF = "a\udcff"


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (["sessions", "show", HALF], 1),
        (["sessions", "rename", HALF, HALF], 1),
        (["sessions", "delete", HALF], 1),
        (["search", HALF, "--topic", HALF], 0),
        (["search", HALF, "--since", HALF], 2),
        (["memory", "add", HALF, "--topic", HALF], 0),
        (["memory", "list", "--topic", HALF, "--search", HALF], 0),
        (["memory", "forget", HALF], 1),
        (["memory", "reload", HALF], 1),
        (["library", "remove", HALF], 1),
        (["library", "add", HALF], 1),
        (["import", HALF], 1),
        (["export", HALF], 1),
        (["ask", HALF, "--session", HALF], 1),
        (["ask", HALF], 0),
    ],
)
def test_invalid_bytes_lose_their_letter_and_no_command(argv: list[str], code: int) -> None:
    assert said(*argv).code == code


def test_half_a_letter_in_a_batch_loses_no_line() -> None:
    line = '{"id": 1, "query": "a\\ud800", "topic": "\\ud800"}'
    done = bellek("search", "--batch", stdin=line)
    assert (done.code, done.json["hits"]) == (0, [])


def test_an_infinite_limit_is_no_limit() -> None:
    bellek("ask", "Zürafa nedir?")
    bellek("sessions", "end")
    done = bellek("search", "zürafa", "--limit", "9" * 30, "--json")
    assert done.code == 0
    assert done.lines


@pytest.fixture
def locked(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "kilitli"
    bellek("--data-dir", str(folder), "ask", "Zürafa nedir?")
    folder.chmod(0)
    yield folder
    folder.chmod(0o700)


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may look into every folder"
)
@pytest.mark.parametrize("argv", [["sessions", "list"], ["search", "x"], ["doctor"]])
def test_a_folder_that_may_not_be_listed_is_reported(locked: Path, argv: list[str]) -> None:
    done = said("--data-dir", str(locked), *argv)
    assert (done.code, done.out) == (1, "")
    assert "permissions" in done.err
