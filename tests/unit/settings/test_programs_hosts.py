"""Files of other programs: the entry comes and goes, and everything else in them stays."""

import json
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from desktop.domain.errors import AppError, HostFileBrokenError
from desktop.domain.json_values import JsonValue
from desktop.settings.paths import Paths
from desktop.settings.programs import (
    HostState,
    ProgramHost,
    add_to_host,
    configuration,
    host_state,
    known_hosts,
    remove_from_host,
    server_entry,
)

ENTRY: Mapping[str, JsonValue] = {"command": "bellek", "args": ["mcp"], "env": {}}
OTHERS = (
    '{\n\t"theme": "açık", "n": 1.50,\n"mcpServers": {"files": {"command": "x", "args": []}}}\n'
)
BROKEN = (
    "{",
    "[]",
    "3",
    '{"mcpServers": []}',
    '{"mcpServers": {}, "mcpServers": {"a": {}}}',
    '{"a": 1,}',
    "// a comment\n{}",
    "[" * 100_000,
    "\udcff",
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "Claude" / "claude_desktop_config.json"
    file.parent.mkdir()
    return file


def test_an_entry_keeps_all_else_and_its_removal_restores_every_byte(file: Path) -> None:
    file.write_text(OTHERS, encoding="utf-8")
    file.chmod(0o640)
    host = ProgramHost("Claude Desktop", file)
    assert host_state(host) is HostState.NOT_ADDED
    add_to_host(file, ENTRY)
    add_to_host_again = json.loads(file.read_text(encoding="utf-8"))
    before = json.loads(OTHERS)
    assert add_to_host_again.pop("mcpServers") == {**before.pop("mcpServers"), "bellek": ENTRY}
    assert add_to_host_again == before
    assert host_state(host) is HostState.ADDED
    assert file.stat().st_mode & 0o777 == 0o640
    remove_from_host(file)
    assert file.read_text(encoding="utf-8") == OTHERS
    assert list(file.parent.iterdir()) == [file]


def test_what_changed_since_stays_when_the_entry_is_removed(file: Path) -> None:
    file.write_text(OTHERS, encoding="utf-8")
    add_to_host(file, ENTRY)
    table = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps({**table, "theme": "koyu"}), encoding="utf-8")
    remove_from_host(file)
    assert json.loads(file.read_text(encoding="utf-8")) == {**json.loads(OTHERS), "theme": "koyu"}


def test_a_file_that_was_made_for_the_entry_goes_with_it(file: Path) -> None:
    add_to_host(file, ENTRY)
    assert json.loads(file.read_text(encoding="utf-8")) == {"mcpServers": {"bellek": ENTRY}}
    remove_from_host(file)
    assert not file.exists()


@pytest.mark.parametrize("text", BROKEN)
@pytest.mark.parametrize("change", [lambda file: add_to_host(file, ENTRY), remove_from_host])
def test_a_file_that_is_not_understood_is_left_alone(
    file: Path, text: str, change: Callable[[Path], None]
) -> None:
    data = text.encode("utf-8", "surrogateescape")
    file.write_bytes(data)
    with pytest.raises(HostFileBrokenError):
        change(file)
    assert file.read_bytes() == data
    assert list(file.parent.iterdir()) == [file]
    assert host_state(ProgramHost("x", file)) is HostState.BROKEN


def test_a_program_that_is_not_here_is_missing(tmp_path: Path) -> None:
    hosts = known_hosts({"XDG_CONFIG_HOME": str(tmp_path / "none")}, tmp_path)
    assert {host.name for host in hosts} == {
        "Claude Desktop",
        "ChatGPT",
        "LM Studio",
        "Jan",
        "Cherry Studio",
    }
    assert {host_state(host) for host in hosts} == {HostState.MISSING}


def test_a_folder_in_the_place_of_the_file_is_an_error_of_ours(file: Path) -> None:
    file.mkdir()
    with pytest.raises(AppError):
        add_to_host(file, ENTRY)


def test_the_text_to_paste_starts_this_program(tmp_path: Path) -> None:
    entry = json.loads(configuration(server_entry(Paths.under(tmp_path), "work")))
    server = entry["mcpServers"]["bellek"]
    assert server["args"][-3:] == ["mcp", "--profile", "work"]
    assert server["env"]["BELLEK_DATA_DIR"] == str(tmp_path)
    done = subprocess.run(  # noqa: S603 - our own program
        [server["command"], *server["args"][:-3], "--version"],
        env=server["env"],
        cwd=tmp_path,
        capture_output=True,
        check=True,
    )
    assert done.stdout.startswith(b"bellek") or b"Bellek" in done.stdout
