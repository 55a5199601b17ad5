"""Scholarly literature from the command line, against services on loopback."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from desktop.domain.literature import ServiceName as S
from desktop.domain.times import utc_now
from desktop.research.literature.service_list import SERVICES
from desktop.settings.paths import Paths
from desktop.settings.profile import ProfileLock
from desktop.storage.archive import Archive
from desktop.storage.schema.database import Database
from tests.commands import Done, bellek
from tests.literature import ODD, Paper, StandInServices

SLEEP = Paper(
    "Sleep and the consolidation of memory in adults",
    doi="10.1234/sleep.1",
    abstract="We show that sleep helps memory.",
)
RETRACTED = Paper(
    "Sleep without any memory at all in rats",
    doi="10.1234/sleep.2",
    updated_by=[("retraction", "10.1234/notice")],
)
PAPERS = (SLEEP, RETRACTED)


@pytest.fixture
def services() -> Iterator[StandInServices]:
    with StandInServices(*PAPERS) as services:
        use(services)
        yield services


def use(services: StandInServices) -> None:
    for name, address in services.settings.items():
        assert bellek("config", "set", name, address).code == 0
    assert bellek("config", "set", "uses_literature", "true").code == 0


def command(*argv: str, stdin: str = "") -> Done:
    return bellek("literature", *argv, "--lang", "tr", stdin=stdin)


def test_works_are_searched_and_shown_beside_a_window(
    services: StandInServices, tmp_path: Path
) -> None:
    profile = Paths.under(tmp_path / "bellek").profile()
    command("services")
    lock, window = ProfileLock(profile.lock), Archive(Database(profile.database), utc_now)
    lock.acquire()
    try:
        done = command("search", "sleep")
        assert (done.code, SLEEP.title in done.out) == (0, True), done.err
        assert command("get", SLEEP.doi).code == 0
        assert command("add", SLEEP.doi).code == 1
        assert window.contacts.contacts()
    finally:
        window.close()
        lock.release()


def test_nothing_is_contacted_until_literature_is_turned_on(services: StandInServices) -> None:
    assert bellek("config", "set", "uses_literature", "false").code == 0
    for argv in (["search", "sleep"], ["get", SLEEP.doi], ["add", SLEEP.doi]):
        done = command(*argv)
        assert done.code == 1
        assert "bellek config set uses_literature true" in done.err
    assert services.requests == []


def test_a_search_in_a_project_on_this_computer_asks_no_service(services: StandInServices) -> None:
    bellek("project", "create", "Klinik")
    bellek("project", "local", "Klinik", "on")
    for name, argument in (
        ("search", "sleep"),
        *((name, SLEEP.doi) for name in ("get", "cited-by", "references")),
    ):
        refused = command(name, argument, "--project", "Klinik")
        assert (refused.code, "yalnızca bu bilgisayarda" in refused.err) == (1, True), name
    bellek("config", "set", "is_local_only", "true")
    assert "yalnızca bu bilgisayarda" in command("services").err
    assert services.requests == []


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (("--since", "2025", "--until", "2020"), "--since 2025, --until 2020 yılından sonra"),
        (("--limit", "0"), "--limit 1 ile 100 arasında"),
        (("--limit", "-5"), "--limit 1 ile 100 arasında"),
        (("--limit", "100000"), "--limit 1 ile 100 arasında"),
    ],
)
def test_a_search_that_cannot_be_meant_is_refused(
    services: StandInServices, argv: tuple[str, ...], words: str
) -> None:
    done = command("search", "sleep", *argv)
    assert (done.code, words in done.err) == (2, True)
    assert services.requests == []


def test_a_search_that_finds_nothing_says_so(services: StandInServices) -> None:
    services.papers = []
    done = command("search", "sleep")
    assert (done.code, done.out) == (0, "")
    assert "Hiçbir yayın bulunamadı" in done.err
    assert "literature add" not in done.err


def test_works_of_other_years_are_not_counted(services: StandInServices) -> None:
    services.papers = [SLEEP, replace(RETRACTED, year=1990)]
    years = ("--since", str(SLEEP.year), "--until", str(SLEEP.year))
    done = command("search", "sleep", *years, "--json").json
    assert len(done["works"]) == 1
    assert {page["shown"] for page in done["services"]} <= {0, 1}


def test_without_a_keyring_the_key_of_a_service_is_named_and_none_is_removed() -> None:
    done = command("key", "openalex", "--key-stdin", stdin="secret\n")
    assert (done.code, "OpenAlex anahtarı saklanmadı" in done.err) == (1, True)
    assert "ANTHROPIC" not in done.err
    assert "kayıtlı bir anahtar yok" in command("key", "openalex", "--remove").err


def test_a_search_lists_each_work_once_and_says_how_many_there_are(
    services: StandInServices,
) -> None:
    services.totals[S.OPENALEX] = 1340
    done = command("search", "sleep memory")
    assert done.code == 0
    assert "OpenAlex: 1.340 yayından 2 tanesi" in done.err
    assert "Crossref: 2 yayından 2 tanesi" in done.err
    assert done.out.count("Sleep and the consolidation") == 1
    assert "Sleep without any memory at all in rats [geri çekildi]" in done.out
    assert services.over == []


def test_an_added_work_is_marked_in_lists_and_exports(services: StandInServices) -> None:
    added = command("add", RETRACTED.doi, "--json").json
    assert (added["is_new"], added["text"], added["marks"]) == (True, "reference", ["retracted"])
    assert "in rats [geri çekildi]" in bellek("library", "list", "--lang", "tr").out
    assert "in rats [retracted]" in bellek("library", "show", added["id"], "--lang", "en").out
    for form in ("bibtex", "biblatex", "ris", "csl"):
        exported = bellek("references", "export", "--format", form).out
        assert "[retracted]" in exported, form
        assert "literature" not in exported, form
    plain = bellek("references", "export", "--format", "list", "--style", "ieee", "--lang", "tr")
    assert "in rats [geri çekildi]" in plain.out


def test_a_work_that_was_found_is_not_asked_for_again(services: StandInServices) -> None:
    command("search", "sleep memory")
    before = len(services.requests)
    got = command("get", f"https://doi.org/{SLEEP.doi}", "--json").json
    assert (got["doi"], got["abstract"]) == (SLEEP.doi, SLEEP.abstract)
    assert command("get", "10.9/none").code == 1
    asked = len(services.requests) - before
    assert command("get", "10.9/none").code == 1
    assert (asked, len(services.requests) - before) == (6, 6)  # of the others, once


def test_a_service_that_fails_is_named_and_the_others_answer(services: StandInServices) -> None:
    services.odd = {S.CROSSREF: ODD["HTML"]()}
    done = command("search", "sleep memory", "--json")
    assert done.code == 0
    assert [failure["service"] for failure in done.json["failures"]] == ["crossref"]
    assert len(done.json["works"]) == 2
    services.odd = dict.fromkeys(S, ODD["500"]())
    assert command("search", "sleep memory").code == 1


def test_what_was_retracted_since_is_found_by_a_check(services: StandInServices) -> None:
    services.papers = [replace(RETRACTED, updated_by=())]
    command("add", RETRACTED.doi)
    done = command("check")
    assert (done.code, done.out) == (0, "")
    assert "DOI’si olan 1 esere bakıldı; yeni işaret: 0." in done.err


def test_every_service_says_what_is_sent_to_it(services: StandInServices) -> None:
    done = command("services")
    for name, service in SERVICES.items():
        assert f"{name} " in done.out
        assert service.title in done.out
    assert "Aranan sözcükleri" in done.out
