"""Research by the real program: a document, two pages, and a process killed on the way."""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from desktop.domain.ids import PassageId
from desktop.research.citations.quote_matching import stands_in
from desktop.settings.paths import Paths
from desktop.settings.settings import WebSearch
from desktop.settings.store import SettingsStore
from desktop.storage.archive import open_for_reading
from tests.commands import bellek, bellek_process
from tests.e2e.kill.at_request import kill_at_request
from tests.e2e.kill.waiting import wait_until
from tests.fakes import ScriptedServer
from tests.models import connect_by_environment
from tests.researchers import (
    COMPARE,
    GAPS,
    PLAN,
    QUESTIONS,
    READ,
    REPORT,
    VERIFY,
    Brain,
    asks,
    kind_of,
    plans,
)
from tests.web import Web as LoopbackWeb
from tests.web import page, result, searxng

DAWN = "The dawn phenomenon is a rise of blood sugar between four and eight in the morning."
METFORMIN = "Metformin in the evening lowers the dawn phenomenon by a tenth."
RARE = "The dawn phenomenon is rare: only one in ten people with diabetes has it."
QUESTION = "What is the dawn phenomenon, how rare is it, and does metformin help?"
PARTS = ("What is the dawn phenomenon?", "Does metformin lower the dawn phenomenon?")
REQUESTS = (PLAN, READ, READ, GAPS, VERIFY, COMPARE, REPORT)
EN = ("--lang", "en")


@pytest.fixture
def brain() -> Brain:
    brain = Brain()
    brain.does[QUESTIONS] = asks(*PARTS)
    brain.does[PLAN] = plans(*PARTS)
    return brain


@pytest.fixture
def server(
    brain: Brain, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[ScriptedServer]:
    with ScriptedServer(default=brain) as server:
        connect_by_environment(monkeypatch, server, tmp_path / "bellek")
        yield server


@pytest.fixture
def web(tmp_path: Path) -> Iterator[LoopbackWeb]:
    """The web is on, and the library has a document."""
    with LoopbackWeb() as web:
        pages = [
            web.put("/metformin", page("Metformin", METFORMIN)),
            web.put("/rare", page("Rare", RARE)),
        ]
        web.put("/search", searxng(*(result("Dawn", one) for one in pages)))
        SettingsStore(Paths.under(tmp_path / "bellek")).change(
            welcomed=True,
            uses_web=True,
            web_search=WebSearch.SEARXNG,
            searxng_address=web.url(),
            web_at_home=(f"127.0.0.1:{web.port}",),
        )
        document = tmp_path / "dawn.md"
        document.write_text(f"# Dawn\n\n{DAWN}\n", encoding="utf-8")
        assert bellek(*EN, "library", "add", str(document)).code == 0
        yield web


def opens(tmp_path: Path, citation: object) -> bool:
    """Whether its words are in the stored passage that it leads to."""
    assert isinstance(citation, dict)
    archive = open_for_reading(tmp_path / "bellek" / "profiles" / "default" / "bellek.db")
    try:
        passage = archive.sources.passage(PassageId(citation["passage_id"]))
    finally:
        archive.close()
    is_there = passage.source_id == citation["source_id"]
    return is_there and stands_in(str(citation["quote"]), passage.text)


def paid_steps(tmp_path: Path) -> int:
    file = tmp_path / "bellek" / "profiles" / "default" / "bellek.db"
    with closing(sqlite3.connect(file)) as db:
        found = db.execute("SELECT count(*) FROM research_steps WHERE model != ''").fetchone()
    return int(found[0])


@pytest.mark.usefixtures("server")
def test_every_citation_of_an_answer_opens_the_words_it_rests_on(
    tmp_path: Path, web: LoopbackWeb
) -> None:
    done = bellek_process(*EN, "ask", "--tier", "deep", QUESTION, "--json")
    assert done.code == 0, done.err
    ended = done.lines[-1]
    assert ended["outcome"] == "complete"
    assert {one["title"] for one in ended["citations"]} == {"Dawn", "Metformin", "Rare"}
    assert {one["state"] for one in ended["citations"]} == {"checked"}
    assert all(opens(tmp_path, one) for one in ended["citations"])
    assert ended["decision"]["tier"] == "deep"
    told = {line["event"] for line in done.lines}
    assert {"step_started", "step_ended", "source_found", "progress_made"} <= told
    assert {"/metformin", "/rare"} <= set(web.paths())


@pytest.mark.usefixtures("server", "web")
def test_a_person_sees_plan_steps_sources_and_what_is_spent() -> None:
    done = bellek(*EN, "ask", "--tier", "deep", QUESTION)
    assert done.code == 0
    for words in ("Plan:", PARTS[0], "Limits: 300,000 tokens", "+ Metformin", "tokens ·"):
        assert words in done.err
    assert "## Sources" in done.out


@pytest.mark.usefixtures("web")
@pytest.mark.parametrize("number", [1, 4, 6])
def test_a_run_that_is_killed_resumes_without_paying_again(
    server: ScriptedServer, brain: Brain, tmp_path: Path, number: int
) -> None:
    asking = (*EN, "ask", "--tier", "deep", QUESTION)
    # Parts run in parallel: an answer that was just sent is not a finished step yet.
    kill_at_request(
        brain,
        number,
        *asking,
        first=lambda: wait_until(
            lambda: paid_steps(tmp_path) == number, "what was answered is kept"
        ),
    )
    done = bellek(*asking, "--json")
    assert done.code == 0, done.err
    assert done.lines[-1]["outcome"] == "complete"
    paid = [kind for kind, _ in brain.answered]
    checked = (*REQUESTS, VERIFY)  # Of the answer
    assert Counter(paid) == Counter(checked)
    assert len(set(brain.answered)) == len(checked)
    assert all(kind_of(request) in REQUESTS for request in server.asked)


@pytest.mark.usefixtures("web", "server")
def test_a_check_of_claims_that_is_killed_is_made_by_the_next_command(
    brain: Brain, tmp_path: Path
) -> None:
    kill_at_request(brain, len(REQUESTS), *EN, "ask", "--tier", "deep", QUESTION)
    done = bellek(*EN, "ask", "--tier", "quick", "How rare is it?", "--json")
    assert done.code == 0, done.err
    assert [kind for kind, _ in brain.answered].count(VERIFY) == 2
    file = tmp_path / "bellek" / "profiles" / "default" / "bellek.db"
    with closing(sqlite3.connect(file)) as db:
        (due,) = db.execute("SELECT count(*) FROM claim_checks WHERE judged_at IS NULL").fetchone()
        (green,) = db.execute("SELECT count(*) FROM claims WHERE support = 'supported'").fetchone()
    assert (due, green > 0) == (0, True)
