"""Scholarly literature from the command line, against services on loopback."""

from collections.abc import Iterator

import pytest

from desktop.domain.literature import ServiceName as S
from tests.commands import Done, bellek
from tests.literature import Paper, StandInServices

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
        if name in ("openalex_address", "crossref_address"):
            assert bellek("config", "set", name, address).code == 0
    assert bellek("config", "set", "uses_literature", "true").code == 0


def command(*argv: str, stdin: str = "") -> Done:
    return bellek("literature", *argv, "--lang", "tr", stdin=stdin)


def test_nothing_is_contacted_until_literature_is_turned_on(services: StandInServices) -> None:
    assert bellek("config", "set", "uses_literature", "false").code == 0
    for argv in (["search", "sleep"], ["get", SLEEP.doi], ["add", SLEEP.doi]):
        done = command(*argv)
        assert done.code == 1
        assert "bellek config set uses_literature true" in done.err
    assert services.requests == []


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
    assert (asked, len(services.requests) - before) == (2, 2)
