"""The server as another program meets it: the SDK's own client over a real process."""

import json
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path

import anyio
import pytest
from mcp import Client, StdioServerParameters, stdio_client
from mcp_types import Implementation, TextContent
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from desktop.domain.language import Language
from desktop.mcp.server import ProgramServer, _protocol_server
from desktop.sessions.services import Services
from desktop.settings.messages import Texts
from desktop.settings.paths import Paths
from desktop.settings.profile import ProfileLock
from desktop.settings.programs import CallOutcome, ProgramCalls
from desktop.settings.store import SettingsStore
from tests.archives import archive_in, finished
from tests.commands import ROOT, Json, bellek, bellek_process, own_environment

ERAS = ("legacy", "2026-07-28")
PROGRAM = Implementation(name="Claude\nDesktop", version="9")


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    """A profile in which a session ended."""
    paths = Paths.under(tmp_path)
    archive = archive_in(paths.profile().folder)
    archive.imports.add([finished("s1", "What is barley for?", "For beer.", title="Barley")])
    archive.close()
    return paths


@asynccontextmanager
async def client(paths: Paths, *options: str, era: str = "2026-07-28") -> AsyncIterator[Client]:
    parameters = StdioServerParameters(
        command=sys.executable,
        args=["-m", "desktop", "mcp", "--data-dir", str(paths.data), "--lang", "en", *options],
        cwd=ROOT,
        env=own_environment(),
    )
    async with Client(stdio_client(parameters), mode=era, client_info=PROGRAM) as connected:
        yield connected


async def call(connected: Client, name: str, **arguments: str) -> tuple[str, bool]:
    result = await connected.call_tool(name, arguments)
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text, bool(result.is_error)


@pytest.mark.parametrize("era", ERAS)
def test_a_client_of_each_era_lists_searches_and_reads(paths: Paths, era: str) -> None:
    async def ask() -> tuple[list[str], str, str]:
        async with client(paths, era=era) as connected:
            tools = [tool.name for tool in (await connected.list_tools()).tools]
            results, _ = await call(connected, "search", query="barley beer")
            (first, *_) = json.loads(results)["results"]
            item, _ = await call(connected, "fetch", id=first["id"])
            return tools, first["id"], item

    tools, item_id, item = anyio.run(ask)
    assert tools == ["search", "fetch"]
    assert item_id.startswith("session:s1")
    assert "For beer." in json.loads(item)["text"]


@pytest.mark.parametrize("version", HANDSHAKE_PROTOCOL_VERSIONS)
def test_a_client_of_any_earlier_version_is_answered_in_its_own(
    paths: Paths, version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mcp.client.session.LATEST_HANDSHAKE_VERSION", version)
    archive, texts = archive_in(paths.profile().folder), Texts(Language.EN)
    services = Services(archive, SettingsStore(paths), Language.EN)
    calls = ProgramCalls(paths.profile().folder)
    server = ProgramServer(lambda: nullcontext(services), calls, texts, has_more=True)

    async def ask() -> tuple[str, int, str]:
        async with Client(_protocol_server(server, texts), mode="legacy") as connected:
            tools = (await connected.list_tools()).tools
            found, _ = await call(connected, "search", query="barley")
            return connected.protocol_version, len(tools), found

    agreed, count, found = anyio.run(ask)
    assert (agreed, count) == (version, 6)
    assert "session:s1" in found
    services.close()
    archive.close()


def test_it_answers_beside_an_open_window_and_stops_at_its_switch(paths: Paths) -> None:
    lock = ProfileLock(paths.profile().lock)
    lock.acquire()

    async def ask() -> list[tuple[str, bool]]:
        async with client(paths) as connected:
            first = await call(connected, "search", query="barley")
            SettingsStore(paths).change(answers_programs=False)
            return [first, await call(connected, "search", query="barley")]

    try:
        (found, is_error), (refused, is_refused) = anyio.run(ask)
    finally:
        lock.release()
    assert "session:s1" in found
    assert not is_error
    assert is_refused
    assert refused == (
        "Other programs may not read here. The user has turned off answers to other programs in "
        "Bellek."
    )


def test_each_call_is_listed_without_its_words(paths: Paths) -> None:
    async def ask() -> None:
        async with client(paths) as connected:
            await call(connected, "search", query="secret barley")
            await call(connected, "fetch", id="session:secret")
            await call(connected, "secret", id="x")

    anyio.run(ask)
    calls = ProgramCalls(paths.profile().folder).calls()
    assert [(each.program, each.tool, each.outcome) for each in calls] == [
        ("Claude Desktop 9", "?", CallOutcome.FAILED),
        ("Claude Desktop 9", "fetch", CallOutcome.FAILED),
        ("Claude Desktop 9", "search", CallOutcome.DONE),
    ]
    files = [
        file for file in paths.profile().folder.rglob("*") if file.suffix in {".log", ".jsonl"}
    ]
    assert not any("secret" in file.read_text() for file in files)


def test_half_an_emoji_in_a_call_is_answered(paths: Paths) -> None:
    """As the SDK does not do: it drops the line, and the other program waits."""
    call = {"name": "search", "arguments": {"query": "barley \ud83c"}}
    client = {"name": "x", "version": "1"}
    start = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
    lines: list[Json] = [
        {"id": 0, "method": "initialize", "params": start},
        {"method": "notifications/initialized"},
        {"id": 1, "method": "tools/call", "params": call},
    ]
    sent = "".join(json.dumps({"jsonrpc": "2.0", **line}) + "\n" for line in lines)
    assert "\\ud83c" in sent
    with subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-m", "desktop", "mcp", "--data-dir", str(paths.data)],
        cwd=ROOT,
        env=own_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(sent)
        process.stdin.flush()
        _, answered = (json.loads(process.stdout.readline()) for _ in range(2))
        process.stdin.close()
    assert answered["id"] == 1
    assert "session:s1" in answered["result"]["content"][0]["text"]


def test_a_program_that_no_longer_listens_ends_it_without_a_trace(paths: Paths) -> None:
    hello = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode()
    with subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-m", "desktop", "mcp", "--data-dir", str(paths.data)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env=own_environment(),
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write(hello + b"\n")
        process.stdin.close()
        assert process.stderr.read() == b""


def test_what_stays_on_this_computer_is_not_answered(paths: Paths) -> None:
    SettingsStore(paths).change(is_local_only=True)
    done = bellek_process("mcp", "--data-dir", str(paths.data), "--lang", "en")
    assert done.code == 1
    assert "keeps this on this computer only" in done.err
    assert done.out == ""


def test_a_profile_with_a_passphrase_is_not_answered(paths: Paths) -> None:
    data = str(paths.data)
    argv = ("profile", "passphrase", "--passphrase-stdin", "--data-dir", data)
    assert bellek(*argv, stdin="uzun bir cümle\n" * 2).code == 0
    for options, stdin in ((), ""), (("--passphrase-stdin",), "uzun bir cümle\n"):
        done = bellek("mcp", *options, "--data-dir", data, "--lang", "en", stdin=stdin)
        assert done.code == 1
        assert "Other programs can use only profiles without one" in done.err


def test_an_unknown_project_is_refused_at_the_start(paths: Paths) -> None:
    done = bellek("mcp", "--data-dir", str(paths.data), "--project", "Tez", "--lang", "en")
    assert done.code == 1
    assert "There is no project Tez" in done.err


def test_without_the_sdk_it_says_what_to_install(
    paths: Paths, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] in ("mcp", "mcp_types")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, "desktop.mcp.server", raising=False)
    monkeypatch.setitem(sys.modules, "mcp_types", None)
    done = bellek("mcp", "--data-dir", str(paths.data), "--lang", "en")
    assert done.code == 1
    assert "--with-mcp" in done.err
