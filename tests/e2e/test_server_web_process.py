"""The real program at an endpoint with its own web search: asked, killed, asked again."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
import tomli_w

from tests.commands import bellek
from tests.e2e.kill.at_request import kill_at_request
from tests.fakes import SaysBlocks, ScriptedServer
from tests.researchers import QUESTIONS, REPORT, WEB, Brain, asks
from tests.server_web import METFORMIN, SMALL, reads_and_cites, reports

QUESTION = "What is the dawn phenomenon, how rare is it, and does metformin help?"
EN = ("--lang", "en")


@pytest.fixture
def brain() -> Brain:
    brain = Brain()
    brain.does[QUESTIONS] = asks("What is it?", "Does metformin help?")
    brain.does[WEB] = lambda _: SaysBlocks(reads_and_cites(), usage=SMALL, searches=1)
    brain.does[REPORT] = reports
    return brain


@pytest.fixture
def server(
    brain: Brain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[ScriptedServer]:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    with ScriptedServer(default=brain) as server:
        endpoint = {
            "id": "able",
            "name": "Able",
            "kind": "server",
            "base_url": server.url,
            "capabilities": {"citations": True, "web_tools": True},
            "context_tokens": 200_000,
        }
        settings = {
            "version": 1,
            "welcomed": True,
            "uses_web": True,
            "endpoints": [endpoint],
            "roles": {"answering": {"endpoint_id": "able", "model": "scripted-model"}},
        }
        folder = tmp_path / "bellek"
        folder.mkdir()
        (folder / "settings.toml").write_text(tomli_w.dumps(settings), encoding="utf-8")
        yield server


@pytest.mark.usefixtures("server")
def test_its_searches_and_sources_are_shown(brain: Brain) -> None:
    done = bellek(*EN, "ask", "--tier", "deep", QUESTION)
    assert done.code == 0, done.err
    for words in ("Searched the web", "Read a web page", "+ Metformin", "2/20 searches"):
        assert words in done.err
    assert f"Metformin <{METFORMIN}>" in done.out
    assert brain.kinds.count(WEB) == 2


@pytest.mark.usefixtures("server")
def test_a_run_that_is_killed_does_not_pay_for_its_searches_again(brain: Brain) -> None:
    asking = (*EN, "ask", "--tier", "deep", QUESTION)
    kill_at_request(brain, 5, *asking)
    done = bellek(*asking, "--json")
    assert done.code == 0, done.err
    ended = done.lines[-1]
    assert ended["outcome"] == "complete"
    assert Counter(kind for kind, _ in brain.answered)[WEB] == 2
    assert ended["usage"]["cost_usd"] == pytest.approx(0.02)
    assert {one["state"] for one in ended["citations"]} == {"checked"}
