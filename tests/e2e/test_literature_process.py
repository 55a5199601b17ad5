"""Literature and judged claims by the real program: killed, encrypted, from an old file."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from desktop.domain.literature import ServiceName as S
from desktop.settings.paths import Paths
from desktop.settings.store import SettingsStore
from tests.commands import bellek, bellek_process
from tests.e2e.kill.at_request import kill_at_request
from tests.e2e.kill.waiting import wait_until
from tests.fakes import ScriptedServer
from tests.literature import Paper, StandInServices
from tests.models import connect_by_environment
from tests.researchers import PLAN, QUESTIONS, VERIFY, Brain, asks, plans
from tests.unit.storage.test_schema import database_at

EN = ("--lang", "en")
QUESTION = "What do studies on the dawn phenomenon say?"
PARTS = ("How often is the dawn phenomenon?", "Does cinnamon cure the dawn phenomenon?")
OFTEN = Paper(
    "The dawn phenomenon and its frequency in adults with diabetes",
    doi="10.1234/dawn.1",
    abstract="About half of the people with type 2 diabetes have the dawn phenomenon.",
)
RETRACTED = Paper(
    "The dawn phenomenon is cured by cinnamon within a week",
    doi="10.1234/dawn.2",
    abstract="Cinnamon cures the dawn phenomenon within a week, as we show.",
    updated_by=[("retraction", "10.1234/notice")],
)
ASKING = (*EN, "ask", "--tier", "deep", QUESTION)
OFF = (S.EUROPE_PMC, S.ARXIV, S.TRDIZIN, S.DERGIPARK)


def database(folder: Path) -> Path:
    return folder / "bellek" / "profiles" / "default" / "bellek.db"


def rows(folder: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(database(folder))) as db:
        return db.execute(query).fetchall()


@pytest.fixture
def brain() -> Brain:
    brain = Brain()
    brain.does[QUESTIONS] = asks(*PARTS)
    brain.does[PLAN] = plans(*PARTS)
    return brain


@pytest.fixture(autouse=True)
def server(
    brain: Brain, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[ScriptedServer]:
    with ScriptedServer(default=brain) as server:
        connect_by_environment(monkeypatch, server, tmp_path / "bellek")
        yield server


@pytest.fixture
def services(tmp_path: Path) -> Iterator[StandInServices]:
    with StandInServices(OFTEN, RETRACTED) as services:
        known = dict(services.settings)
        off = {f"uses_{name}": False for name in OFF}
        addresses = {
            f"{name}_address": known[f"{name}_address"] for name in (S.OPENALEX, S.CROSSREF)
        }
        SettingsStore(Paths.under(tmp_path / "bellek")).change(
            welcomed=True, uses_literature=True, **off, **addresses
        )
        yield services


def searches(services: StandInServices) -> list[str]:
    return [place for _, place in services.requests if "search=" in place or "query." in place]


@pytest.mark.parametrize("number", [1, 3, 5])
def test_a_deep_run_with_literature_that_is_killed_resumes_without_paying_again(
    services: StandInServices, brain: Brain, tmp_path: Path, number: int
) -> None:
    paid = "SELECT count(*) FROM research_steps WHERE model != ''"
    kill_at_request(
        brain,
        number,
        *ASKING,
        first=lambda: wait_until(
            lambda: rows(tmp_path, paid) == [(number,)], "what was answered is kept"
        ),
    )
    before = searches(services)
    done = bellek_process(*ASKING, "--json")
    assert done.code == 0, done.err
    ended = done.lines[-1]
    assert (ended["outcome"], ended["text"].count("## References")) == ("complete", 1)
    assert f"{RETRACTED.title} [retracted]" in ended["text"]
    assert len(set(brain.answered)) == len(brain.answered)
    if number > len([kind for kind in brain.kinds[:number] if kind == PLAN]) + len(PARTS) - 1:
        assert searches(services) == before  # all parts had been read
    assert services.over == []
    assert rows(tmp_path, "SELECT count(*) FROM sources") == [(2,)]


def test_claims_of_an_encrypted_profile_are_judged_and_stand_nowhere_in_plain(
    services: StandInServices, brain: Brain, tmp_path: Path
) -> None:
    words = "dört kelime bir parola\n"
    made = bellek(*EN, "profile", "passphrase", "--passphrase-stdin", "--json", stdin=words)
    assert made.code == 0, made.err
    locked = bellek(*EN, "literature", "search", "dawn")
    assert (locked.code, "locked" in locked.err) == (1, True)
    asking = (*ASKING, "--json", "--passphrase-stdin")
    found = bellek(*EN, "literature", "search", "dawn", "--passphrase-stdin", stdin=words)
    assert OFTEN.title in found.out
    ended = bellek(*asking, stdin=words).lines[-1]
    supports = {one["support"] for one in ended["citations"]}
    assert (ended["outcome"], "supported" in supports) == ("complete", True)
    profile = database(tmp_path).parent
    for file in (each for each in profile.rglob("*") if each.is_file()):
        content = file.read_bytes()
        assert b"dawn phenomenon" not in content, file
        assert b"10.1234" not in content, file


def test_a_file_from_before_literature_and_claims_is_brought_up_to_date(
    services: StandInServices, brain: Brain, tmp_path: Path
) -> None:
    file = database(tmp_path)
    file.parent.mkdir(parents=True, exist_ok=True)
    database_at(file, 24).close()
    assert OFTEN.title in bellek(*EN, "literature", "search", "dawn").out
    assert bellek(*EN, "watch", "add", "dawn", "--kind", "literature").code == 0
    ended = bellek(*ASKING, "--json").lines[-1]
    assert {one["support"] for one in ended["citations"]} == {"supported"}


def test_at_the_cap_of_the_day_a_check_stays_due_and_is_made_once_it_is_gone(
    services: StandInServices, brain: Brain, tmp_path: Path
) -> None:
    due = "SELECT count(*) FROM claim_checks WHERE judged_at IS NULL"
    first = bellek_process(*EN, "ask", "--tier", "research", QUESTION)
    assert first.code == 0, first.err
    assert bellek(*EN, "config", "set", "background_tokens", "1").code == 0
    assert "Checks of claims" in bellek(*EN, "stats", "--background").out
    capped = bellek_process(*EN, "ask", "--tier", "research", f"{QUESTION} Again?")
    assert capped.code == 0, capped.err
    assert rows(tmp_path, due) == [(1,)]
    asked = brain.kinds.count(VERIFY)
    assert bellek(*EN, "config", "set", "background_tokens", "0").code == 0
    assert bellek_process(*EN, "ask", "--tier", "quick", "How often is it?").code == 0
    assert rows(tmp_path, due) == [(0,)]
    assert brain.kinds.count(VERIFY) == asked + 1
