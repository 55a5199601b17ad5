"""The web by an endpoint's own tools: by the user's rules, logged, its pages stored."""

from dataclasses import replace

import pytest

from desktop.domain.endpoints import Endpoint, EndpointId, EndpointKind
from desktop.domain.ids import SessionId
from desktop.domain.model import TOO_OFTEN, WEB_FETCH, WEB_SEARCH, FoundPage, WebCall
from desktop.domain.projects import EVERYTHING
from desktop.domain.sources import Source, SourceState
from desktop.domain.web import ContactOutcome, ContactPurpose
from desktop.research.citations.quote_matching import stands_in
from desktop.research.web.endpoint_web import EndpointWeb
from desktop.research.web.safe_urls import AccessRules
from desktop.storage.archive import Archive
from tests.archives import SettableClock
from tests.narrowing import present

ADDRESS = "https://a.example/insulin"
CLOUD = Endpoint(EndpointId("anthropic"), "Anthropic", EndpointKind.ANTHROPIC)
ON = AccessRules(is_on=True)


def cited(text: str) -> FoundPage:
    return FoundPage(1, "Insulin", ADDRESS, text, is_whole=False)


CITED = cited("It lowers sugar.\n\nIt is a hormone.")
WHOLE = FoundPage(1, "Insulin", ADDRESS, "It lowers sugar. It is old.\n\nMore.", is_whole=True)


def served(archive: Archive, rules: AccessRules = ON, session: str | None = "s") -> EndpointWeb:
    contacts, sources = archive.contacts, archive.sources
    session_id = SessionId(session) if session else None
    return EndpointWeb(lambda: rules, contacts, sources, SettableClock(), session_id)


def kept(archive: Archive, page: FoundPage) -> tuple[Source, str]:
    found = present(served(archive).keep(page))
    source, passages = found
    return source, "\n".join(one.text for one in passages)


@pytest.mark.parametrize(
    ("rules", "only", "never"),
    [
        (
            AccessRules(
                is_on=True,
                never=("https://Bad.example/", "*.worse.example", "localhost:8080", "x.eu:81"),
            ),
            [],
            ["bad.example", "worse.example", "x.eu"],
        ),
        (
            AccessRules(is_on=True, only=("a.example", "bad.b.example"), never=("b.example",)),
            ["a.example"],
            ["b.example"],
        ),
    ],
)
def test_hosts_are_sent_in_the_form_of_each_endpoint(
    archive: Archive, rules: AccessRules, only: list[str], never: list[str]
) -> None:
    asking = present(served(archive, rules).asking(2, 1))
    assert (list(asking.only), list(asking.never)) == (only, never)


@pytest.mark.parametrize(
    "rules", [AccessRules(is_on=False), AccessRules(is_on=True, only=("wiki", "127.0.0.1:80"))]
)
def test_an_endpoint_that_cannot_apply_the_rules_gets_no_web_tools(
    archive: Archive, rules: AccessRules
) -> None:
    assert served(archive, rules).asking(2, 1) is None


@pytest.mark.parametrize(
    ("page", "rules"),
    [
        (WHOLE, AccessRules(is_on=True, never=("a.example",))),
        (replace(WHOLE, address="javascript:alert(1)"), ON),
        (replace(WHOLE, text=" \n\n "), ON),
    ],
)
def test_blocked_pages_and_pages_without_words_are_not_stored(
    archive: Archive, page: FoundPage, rules: AccessRules
) -> None:
    assert served(archive, rules).keep(page) is None
    assert served(archive, rules, None).keep(page) is None
    assert archive.sources.sources(EVERYTHING) == []


def test_contacts_of_the_endpoint_are_logged_as_its_own(archive: Archive) -> None:
    calls = [
        WebCall("1", WEB_SEARCH, "insulin"),
        WebCall("2", WEB_SEARCH, "more", TOO_OFTEN),
        WebCall("3", WEB_FETCH, ADDRESS),
        WebCall("4", WEB_FETCH, "https://b.example/gone", "url_not_accessible"),
    ]
    quoted = replace(CITED, address="https://c.example/quoted")
    served(archive, session=None).note(calls, [WHOLE, quoted], CLOUD)
    page, there = ContactPurpose.PAGE, ContactOutcome.THERE
    noted = {(one.purpose, one.address, one.outcome) for one in archive.contacts.contacts()}
    assert noted == {
        (ContactPurpose.SEARCH, "https://api.anthropic.com", there),
        (page, ADDRESS, there),
        (page, "https://c.example/quoted", there),
        (page, "https://b.example/gone", ContactOutcome.FAILED_THERE),
    }
    assert len(archive.contacts.contacts()) == len(noted)


def test_words_cited_from_a_search_are_added_to_the_stored_text(archive: Archive) -> None:
    first, text = kept(archive, CITED)
    assert (first.address, first.state) == (ADDRESS, SourceState.PARTIAL)
    assert stands_in("It is a hormone", text)
    again, text = kept(archive, cited("Cells need it."))
    assert again.id == first.id
    assert text == "It lowers sugar.\nIt is a hormone.\nCells need it."


def test_the_whole_page_takes_the_place_of_a_part_and_never_the_reverse(archive: Archive) -> None:
    found = present(served(archive).keep(CITED))
    (before, *_) = found[1]
    whole, text = kept(archive, WHOLE)
    assert (whole.state, "hormone" in text) == (SourceState.COMPLETE, False)
    assert archive.sources.passage(before.id).text == before.text
    assert kept(archive, cited("It is old.")) == (whole, text)
    more, text = kept(archive, CITED)
    assert (more.id, more.state) == (whole.id, SourceState.COMPLETE)
    assert "It is old." in text
    assert "hormone" in text
