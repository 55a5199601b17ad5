"""Asking the services of literature, on loopback: limits, failures, the cache, keys, marks."""

import logging
from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from time import monotonic

import pytest

from desktop.domain.ids import SessionId
from desktop.domain.literature import (
    FoundWork,
    IdKind,
    LiteratureKeyMissingError,
    LiteratureKeyRejectedError,
    LiteratureNoneOnError,
    LiteratureOffError,
    LiteratureQuery,
    LiteratureResults,
    LiteratureServiceOffError,
    LiteratureWordsMissingError,
    LiteratureWorkUnknownError,
    ServiceName,
)
from desktop.domain.literature import ServiceName as S
from desktop.domain.references import DoiInvalidError, WorkMark
from desktop.domain.web import ContactOutcome, ContactPurpose, SiteBusyError
from desktop.research.literature.finder import LiteratureFinder
from desktop.research.literature.service_list import SERVICES
from desktop.storage.archive import Archive
from tests.archives import SettableClock, finished
from tests.literature import ODD, Paper, StandInServices
from tests.web import redirect, silent

KEY = "sk-geheim-5711"
EVERYWHERE = frozenset(ServiceName) - {S.ARXIV, S.DERGIPARK}
SEARCHING = [name for name, service in SERVICES.items() if service.search]
SUBJECTS = (
    "sleep", "bellek", "protein", "tarih", "kadın", "göç", "iklim", "learning", "stress", "uyku",
    "eğitim", "traffic", "kanser", "enerji", "roman", "dil", "robot", "su", "deprem", "müzik",
)  # fmt: skip


def paper(number: int, subject: str = "sleep", **more: object) -> Paper:
    doi = f"10.1234/{subject}.{number}".translate(str.maketrans("ığüşöç", "igusoc"))
    title = f"A study of {subject} in the general population of town {chr(65 + number)}"
    return Paper(title, **{"doi": doi, "at": EVERYWHERE, **more})  # type: ignore[arg-type]


def preprint(**more: object) -> Paper:
    usual = {"arxiv": "2101.00001", "is_preprint": True, "at": frozenset({S.ARXIV})}
    return replace(paper(0), doi="", **{**usual, **more})  # type: ignore[arg-type]


def last(finder: LiteratureFinder, words: str, *only: S) -> LiteratureResults:
    *_, results = finder.search(LiteratureQuery(words), only)
    return results


def titles(works: Sequence[FoundWork]) -> list[str]:
    return [work.reference.title for work in works]


def test_twenty_questions_break_no_limit_and_every_work_has_an_id(archive: Archive) -> None:
    papers = [
        paper(number, subject, pmid=str(number) if number % 2 else "", abstract="x " * number)
        for subject in SUBJECTS
        for number in range(3)
    ]
    with StandInServices(*papers, preprint(), key=KEY, scale=0.05) as services:
        finder = services.finder(archive)
        for subject in SUBJECTS:
            results = last(finder, subject)
            assert results.failures == ()
            assert len(results.works) == 3 + (subject == "sleep")
            assert all(work.ids for work in results.works)
        assert {name for name, _ in services.requests} == {*SEARCHING}
        assert services.over == []


def test_results_arrive_service_by_service_and_say_what_is_pending(archive: Archive) -> None:
    with StandInServices(paper(1)) as services:
        services.totals[S.CROSSREF] = 1340
        arrivals = list(
            services.finder(archive).search(LiteratureQuery("sleep"), [S.CROSSREF, S.OPENALEX])
        )
    assert [len(results.pending) for results in arrivals] == [1, 0, 0]
    assert [len(results.works) for results in arrivals] == [1, 1, 1]
    assert arrivals[-1].pages[S.CROSSREF].total == 1340
    assert arrivals[-1].has_more


def test_the_next_page_follows_what_was_found(archive: Archive) -> None:
    papers = [paper(number, at=frozenset({S.OPENALEX, S.EUROPE_PMC})) for number in range(5)]
    with StandInServices(*papers) as services:
        finder = services.finder(archive, uses_arxiv=False)
        query = LiteratureQuery("sleep")
        *_, first = finder.search(query, [S.OPENALEX, S.EUROPE_PMC], limit=2)
        *_, second = finder.search(query, limit=2, before=first)
        *_, third = finder.search(query, limit=2, before=second)
    assert [len(page.works) for page in (first, second, third)] == [2, 4, 5]
    assert (second.has_more, third.has_more) == (True, False)


@pytest.mark.parametrize("odd", ODD)
def test_an_odd_answer_is_a_failure_of_its_service_alone(archive: Archive, odd: str) -> None:
    for service in SEARCHING:
        with StandInServices(paper(1), preprint(), key=KEY) as services:
            services.odd = {service: ODD[odd]()}
            results = last(services.finder(archive, seconds=1.0), "sleep")
        assert [failure.service for failure in results.failures] == [service]
        assert set(results.pages) == {*SEARCHING} - {service}
        assert results.works


def test_a_service_that_asks_to_wait_is_not_asked_again_before(archive: Archive) -> None:
    with StandInServices(paper(1)) as services:
        services.odd = {S.CROSSREF: ODD["429"]()}
        finder = services.finder(archive)
        for _ in range(3):
            (failure,) = last(finder, "sleep", S.CROSSREF).failures
            assert isinstance(failure.error, SiteBusyError)
        assert len(services.of(S.CROSSREF)) == 1


def test_a_command_waits_for_the_last_request_of_the_one_before(archive: Archive) -> None:
    with StandInServices(preprint(), scale=0.1) as services:
        for _ in range(3):  # each with limits of its own
            clock = SettableClock()
            clock.at = max([clock.at, *(contact.at for contact in archive.contacts.contacts())])
            last(services.finder(archive, clock), "sleep", S.ARXIV)
        assert services.over == []


def test_nothing_is_contacted_while_literature_is_off(archive: Archive) -> None:
    with StandInServices(paper(1)) as services:
        finder = services.finder(archive, uses_literature=False, uses_web=True)
        with pytest.raises(LiteratureOffError):
            last(finder, "sleep")
        with pytest.raises(LiteratureOffError):
            finder.get("10.1234/sleep.1")
        with pytest.raises(LiteratureOffError):
            finder.fetcher.fetch(services.url("/copy.pdf"))
        assert services.asked == []


def test_literature_does_not_need_the_web(archive: Archive) -> None:
    with StandInServices(paper(1)) as services:
        assert last(services.finder(archive, uses_web=False), "sleep").works


def test_a_service_that_is_off_is_not_asked(archive: Archive) -> None:
    with StandInServices(paper(1)) as services:
        finder = services.finder(archive, uses_crossref=False)
        assert S.CROSSREF not in last(finder, "sleep").pages
        with pytest.raises(LiteratureServiceOffError):
            last(finder, "sleep", S.CROSSREF)
        with pytest.raises(LiteratureKeyMissingError):
            last(finder, "sleep", S.SEMANTIC_SCHOLAR)
        with pytest.raises(LiteratureNoneOnError):
            last(finder, "sleep", S.DERGIPARK)  # it is never searched
        assert S.CROSSREF not in {name for name, _ in services.requests}
        with pytest.raises(LiteratureWordsMissingError):
            last(finder, " ")


def test_a_key_reaches_no_file_no_log_and_no_error(
    archive: Archive, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)  # what the log file has
    with StandInServices(paper(1), key=KEY) as services:
        finder = services.finder(archive)
        last(finder, "sleep")
        assert KEY in services.of(S.OPENALEX)[0]
        finder.get("10.1234/sleep.1")
        errors = []
        for answer in (*(odd() for odd in ODD.values()), redirect(f"ftp://x/?api_key={KEY}")):
            services.odd = dict.fromkeys(ServiceName, answer)
            results = last(services.finder(archive, seconds=1.0), "sleep")
            errors += [failure.error for failure in results.failures]
        services.key = "another"
        services.odd = {}
        assert all(KEY not in f"{error!r} {error.values}" for error in errors)
    contacts = archive.contacts.contacts()
    assert {contact.purpose for contact in contacts} == {ContactPurpose.LITERATURE}
    assert not any("?" in contact.address or "sleep+" in contact.address for contact in contacts)
    assert KEY not in caplog.text + repr(finder)
    archive.close()
    assert all(KEY.encode() not in file.read_bytes() for file in tmp_path.rglob("*.db*"))


def test_a_key_in_a_header_does_not_follow_a_redirect_to_another_host(archive: Archive) -> None:
    with StandInServices(paper(1), key=KEY) as services, StandInServices() as other:
        services.odd = {S.SEMANTIC_SCHOLAR: redirect(other.url("/semantic_scholar/elsewhere"))}
        finder = services.finder(archive, web_at_home=(f"127.0.0.1:{other.port}",))
        last(finder, "sleep", S.SEMANTIC_SCHOLAR)
        assert "x-api-key" in services.asked[0].headers
        assert "x-api-key" not in other.asked[0].headers


def test_a_key_that_is_refused_is_named(archive: Archive) -> None:
    with StandInServices(paper(1), key=KEY) as services:
        finder = services.finder(archive)
        services.key = "another"
        (failure,) = last(finder, "sleep", S.OPENALEX).failures
        assert isinstance(failure.error, LiteratureKeyRejectedError)


@pytest.mark.parametrize(("mail", "is_sent"), [("ada@example.org", True), ("", False)])
def test_only_crossref_gets_the_address_of_the_user(
    archive: Archive,
    mail: str,
    is_sent: bool,  # noqa: FBT001 - of the table
) -> None:
    with StandInServices(paper(1), preprint()) as services:
        last(services.finder(archive, literature_mail=mail), "sleep")
        by_service = {asked.path.split("/")[1]: asked.headers for asked in services.asked}
        told = {name for name, headers in by_service.items() if "mailto:" in headers["user-agent"]}
        assert told == ({"crossref"} if is_sent else set())


def test_a_doi_is_asked_for_once_in_a_month_and_an_unknown_one_in_three_days(
    archive: Archive,
) -> None:
    clock = SettableClock()
    archive.literature._now = clock
    with StandInServices(paper(1)) as services:
        finder = services.finder(archive, clock)

        def asked(doi: str) -> int:
            before = len(services.requests)
            with suppress(LiteratureWorkUnknownError):
                finder.get(doi)
            return len(services.requests) - before

        known, unknown = "https://doi.org/10.1234/SLEEP.1", "10.1234/none"
        assert (asked(known), asked(unknown)) == (4, 4)
        assert (asked(known), asked(unknown)) == (0, 0)
        clock.pass_by(days=4)
        assert (asked(known), asked(unknown)) == (0, 4)
        clock.pass_by(days=27)
        assert asked(known) == 4
        with pytest.raises(DoiInvalidError):
            finder.get("not a DOI")


def test_a_work_that_only_one_service_found_gets_the_marks_and_the_abstract_of_others(
    archive: Archive,
) -> None:
    hidden = paper(
        1,
        updated_by=[("retraction", "10.1234/notice")],
        titles={S.CROSSREF: "Unter anderem Titel", S.EUROPE_PMC: "Nor here by its words"},
        abstract="Found at last.",
    )
    hidden = replace(hidden, at=frozenset({S.OPENALEX, S.CROSSREF}))
    bare = replace(hidden, abstract="", at=frozenset({S.OPENALEX}))
    with StandInServices(
        bare, replace(hidden, title="Unter anderem Titel", at=frozenset({S.CROSSREF}))
    ) as services:
        (work,) = last(services.finder(archive), "sleep").works
        assert work.marks == {WorkMark.RETRACTED}
        assert set(work.services) == {S.OPENALEX, S.CROSSREF}
        assert services.over == []


def test_the_kinds_of_marks_are_told_apart(archive: Archive) -> None:
    kinds = {
        "retraction": WorkMark.RETRACTED,
        "withdrawal": WorkMark.RETRACTED,
        "expression_of_concern": WorkMark.CONCERN,
        "corrigendum": WorkMark.CORRECTED,
    }
    papers = [
        paper(number, updated_by=[(kind, f"10.1234/n{number}")])
        for number, kind in enumerate([*kinds, "new_version"])
    ]
    notice = Paper(
        "Retraction notice on a study of sleep",
        doi="10.1234/notice",
        update_to=[("retraction", "10.1234/sleep.4")],
    )
    with StandInServices(*papers, notice) as services:
        works = last(services.finder(archive), "sleep").works
    marks = {work.doi: set(work.marks) for work in works}
    expected = {f"10.1234/sleep.{number}": {mark} for number, mark in enumerate(kinds.values())}
    assert marks == expected | {"10.1234/sleep.4": {WorkMark.RETRACTED}, "10.1234/notice": set()}


def test_a_preprint_names_its_published_version(archive: Archive) -> None:
    published = paper(0, at=frozenset({S.CROSSREF}))
    with StandInServices(preprint(published_as=published.doi), published) as services:
        works = last(services.finder(archive), "sleep").works
    by_doi = {work.doi: work for work in works}
    assert by_doi["10.48550/arxiv.2101.00001"].preprint_of == published.doi
    assert by_doi["10.48550/arxiv.2101.00001"].open_copy == "https://arxiv.org/pdf/2101.00001"
    assert by_doi[published.doi].has_preprint == "10.48550/arxiv.2101.00001"


@pytest.mark.parametrize(
    "written",
    ["arXiv:2101.00001v2", "https://arxiv.org/abs/2101.00001", "10.48550/arXiv.2101.00001"],
)
def test_a_preprint_is_known_by_its_id_too(archive: Archive, written: str) -> None:
    with StandInServices(preprint()) as services:
        assert services.finder(archive).get(written).ids[IdKind.ARXIV] == "2101.00001"
        with pytest.raises(DoiInvalidError):
            services.finder(archive).get("arXiv:nothing")


def test_an_article_at_dergipark_is_completed_by_its_number(archive: Archive) -> None:
    article = Paper(
        "Kentsel dönüşüm üzerine nitel bir araştırma",
        doi="10.1234/kent",
        dergipark="56789",
        abstract="Bu çalışma kenti inceler.",
        language="tr",
        at=frozenset({S.OPENALEX}),
    )
    with StandInServices(replace(article, abstract=""), article) as services:
        services.papers[1] = replace(article, at=frozenset())
        services.papers.reverse()
        work = services.finder(archive).get("10.1234/kent")
        (path,) = services.of(S.DERGIPARK)
        assert "identifier=oai%3Adergipark.org.tr%3Aarticle%2F56789" in path
    assert work.abstract == "Bu çalışma kenti inceler."


@pytest.mark.parametrize(
    "words", ["a:b*", "* : * x", 'AUTH:"x" OR (', "ışık \\ [1 TO 2]", "a" * 4000]
)
def test_no_words_break_the_language_of_a_service(archive: Archive, words: str) -> None:
    with StandInServices(paper(1), key=KEY) as services:
        assert last(services.finder(archive), words).failures == ()


def test_what_a_session_contacts_is_listed_with_it(archive: Archive) -> None:
    archive.imports.add([finished("s", "Soru", "Yanıt")])
    with StandInServices(paper(1)) as services:
        finder = replace(services.finder(archive), session_id=SessionId("s"))
        last(finder, "sleep", S.OPENALEX)
    (contact,) = archive.contacts.contacts(session_id=SessionId("s"))
    assert contact.address.endswith("/openalex/works")


def test_who_cites_a_work_and_whom_it_cites(archive: Archive) -> None:
    cited, citing = paper(1), paper(2, cites=["10.1234/sleep.1"])
    with StandInServices(cited, citing) as services:
        finder = services.finder(archive)
        work = finder.get("10.1234/sleep.1")
        assert titles(finder.related(work, is_citing=True).works) == [citing.title]
        assert titles(finder.related(finder.get("10.1234/sleep.2"), is_citing=False).works) == [
            cited.title
        ]


def test_a_search_that_is_left_ends_its_requests(archive: Archive) -> None:
    with StandInServices(paper(1)) as services:
        services.odd = {S.CROSSREF: silent()}
        search = services.finder(archive).search(
            LiteratureQuery("sleep"), [S.CROSSREF, S.OPENALEX]
        )
        assert isinstance(search, Generator)
        assert next(search).pending == {S.CROSSREF}
        begun = monotonic()
        search.close()
        assert monotonic() - begun < 10  # half of its time limit
    assert archive.contacts.contacts()[0].outcome is ContactOutcome.FAILED


def test_the_newest_come_first_from_services_that_find_nothing_beside_the_words(
    archive: Archive,
) -> None:
    with StandInServices(paper(0), preprint()) as services:
        finder = services.finder(archive)
        list(finder.search(LiteratureQuery("sleep", newest_first=True)))
        asked = {name: "".join(services.of(name)) for name in SEARCHING}
        orders = ("publication_date%3Adesc", "P_PDATE_D", "submittedDate&sort")
        assert "publication_date%3Adesc" in asked[S.OPENALEX]
        assert "P_PDATE_D" in asked[S.EUROPE_PMC]
        assert "sortBy=submittedDate" in asked[S.ARXIV]
        assert not any(order in asked[S.CROSSREF] for order in orders)
