"""The child process that speaks with servers of tools, and 50 of them that mean no good."""

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from desktop.domain.outside_tools import (
    LONGEST_RESULT,
    MOST_TOOLS,
    ToolServer,
    ToolServerError,
    usable,
)
from desktop.research.tools import outside_process
from desktop.research.tools.outside_process import OutsideProcess
from desktop.research.web.rate_limiting import never
from tests import outside_server
from tests.commands import ROOT


def server(behaviour: str, folder: Path) -> ToolServer:
    command = (sys.executable, outside_server.__file__, behaviour, str(folder / "called"))
    return ToolServer(name="port", command=command)


@contextmanager
def served(behaviour: str, folder: Path) -> Iterator[OutsideProcess]:
    process = OutsideProcess(server(behaviour, folder), lambda *_: "")
    try:
        yield process
    finally:
        process.end()


def left(folder: Path) -> list[int]:
    """Return the processes that have the folder among their arguments."""
    mark, found = str(folder / "called").encode(), []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if mark in file.read_bytes():
                found.append(int(file.parent.name))
        except OSError:
            continue
    return found


@pytest.mark.parametrize("behaviour", outside_server.UNUSABLE)
def test_a_server_that_cannot_be_used_fails_and_leaves_nothing(
    behaviour: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outside_process, "STARTS_S", 3.0)
    with served(behaviour, tmp_path) as process, pytest.raises(ToolServerError):
        process.open(never)
    assert left(tmp_path) == []


@pytest.mark.parametrize("behaviour", outside_server.EMPTY)
def test_tools_out_of_bounds_are_not_offered(behaviour: str, tmp_path: Path) -> None:
    with served(behaviour, tmp_path) as process:
        assert usable(process.open(never)) == []
    assert left(tmp_path) == []


@pytest.mark.parametrize("behaviour", outside_server.BAD_RESULTS)
def test_a_call_that_fails_says_so_and_leaves_nothing(
    behaviour: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outside_process, "CALL_S", 2.0)
    with served(behaviour, tmp_path) as process:
        process.open(never)
        try:
            _, is_error = process.call("tide", {"harbour": "x"}, never)
            assert is_error
        except ToolServerError:
            pass
    assert left(tmp_path) == []


@pytest.mark.parametrize(
    ("behaviour", "said"),
    [
        ("asks_model", "sampling/createMessage: refused"),
        ("asks_user", "elicitation/create: refused"),
        ("asks_folders", "roots/list: refused"),
        ("asks_unknown", "bellek/secrets: refused"),
        ("result_image", "[image]\n\nnoon"),
        ("result_structured", '{"noon": true}'),
        ("pattern_slow", '{"a": "' + "a" * 60 + 'b"}'),
        ("result_links", "[resource_link]\n\n[resource_link]"),
        ("result_audio", "[audio]"),
        ("result_half_emoji", "noon \ufffd"),
        ("schema_recursive", "High at noon."),
        ("storm_of_changes", "High at noon."),
        ("storm_of_progress", "High at noon."),
        ("talks_on_stderr", "High at noon."),
        ("deaf", "High at noon."),
        ("left_behind", "High at noon."),
        ("left_behind_stubborn", "High at noon."),
    ],
)
def test_a_server_gets_nothing_but_the_call_and_ends_with_all_that_it_started(
    behaviour: str, said: str, tmp_path: Path
) -> None:
    with served(behaviour, tmp_path) as process:
        process.open(never)
        assert process.call("tide", {"harbour": "x"}, never) == (said, False)
        assert left(tmp_path)
    assert left(tmp_path) == []


def test_an_answer_before_its_question_is_not_the_answer(tmp_path: Path) -> None:
    with served("answers_early", tmp_path) as process:
        process.open(never)
        answers = [process.call("tide", {"harbour": "x"}, never) for _ in range(3)]
    assert answers == [("High at noon.", False)] * 3


def test_names_are_the_servers_own_and_not_more_than_can_be_offered(tmp_path: Path) -> None:
    names: dict[str, list[str]] = {}
    for behaviour in ("own_names", "same_names", "many_tools"):
        with served(behaviour, tmp_path) as process:
            tools = usable(process.open(never))
            names[behaviour] = [tool.full_name for tool in tools]
            assert all(tool.description != "second" for tool in tools)
    assert names["own_names"] == ["port__memory_save", "port__web_fetch"]
    assert names["same_names"] == ["port__tide"]
    assert len(names["many_tools"]) == MOST_TOOLS


def test_a_long_result_is_cut_and_an_error_is_one(tmp_path: Path) -> None:
    with served("result_long", tmp_path) as process:
        process.open(never)
        text, is_error = process.call("tide", {}, never)
    assert (len(text), is_error) == (LONGEST_RESULT, False)
    with served("result_error", tmp_path) as process:
        process.open(never)
        assert process.call("tide", {}, never) == ("no tide", True)


def test_a_server_sees_no_key_and_only_the_variables_that_were_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    named = replace(server("environment", tmp_path), variables={"A": "1"}, secrets=("B",))
    process = OutsideProcess(named, lambda _, name: f"secret of {name}")
    try:
        process.open(never)
        text, _ = process.call("tide", {}, never)
    finally:
        process.end()
    seen = json.loads(text)
    assert (seen["A"], seen["B"], seen["PATH"]) == ("1", "secret of B", os.environ["PATH"])
    assert not {"ANTHROPIC_API_KEY", "PYTHONPATH", "BELLEK_DATA_DIR"} & set(seen)


def test_no_shell_reads_the_command(tmp_path: Path) -> None:
    mark = tmp_path / "made"
    command = (*server("friendly", tmp_path).command, f"; touch {mark}", f"$(touch {mark})")
    process = OutsideProcess(ToolServer(name="port", command=command), lambda *_: "")
    try:
        process.open(never)
    finally:
        process.end()
    assert not mark.exists()


_HOLDS = """
import sys
from desktop.domain.outside_tools import ToolServer
from desktop.research.tools.outside_process import OutsideProcess
process = OutsideProcess(ToolServer(name="port", command=tuple(sys.argv[1:])), lambda *_: "")
process.open(lambda: False)
print(process._process.pid, flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")
@pytest.mark.parametrize("whom", ["the program", "the child"])
def test_whoever_is_killed_the_server_ends(tmp_path: Path, whom: str) -> None:
    holder = subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-c", _HOLDS, *server("deaf", tmp_path).command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
    )
    with holder:
        assert holder.stdout is not None
        child = int(holder.stdout.readline())
        servers = [pid for pid in left(tmp_path) if pid != holder.pid]
        ends = [os.pidfd_open(pid) for pid in servers]
        os.kill(holder.pid if whom == "the program" else child, signal.SIGKILL)
        for end in ends:
            assert select.select([end], [], [], 30)[0]
            os.close(end)
        holder.kill()
    assert len(servers) == 1
    assert left(tmp_path) == []


def test_a_stopped_call_ends_at_once_and_its_server_with_it(tmp_path: Path) -> None:
    with served("silent_at_call", tmp_path) as process:
        process.open(never)
        with pytest.raises(ToolServerError):
            process.call("tide", {}, lambda: True)
    assert left(tmp_path) == []
