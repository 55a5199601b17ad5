"""The web by an endpoint's own tools: the user's rules go along, and what it contacts is noted."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from desktop.domain.endpoints import Endpoint, EndpointId, EndpointKind
from desktop.domain.language import Language
from desktop.domain.model import TOO_OFTEN, WEB_FETCH, WEB_SEARCH, FoundPage, WebCall
from desktop.domain.web import ContactOutcome, ContactPurpose
from desktop.research.web.safe_urls import AccessRules
from desktop.research.web.server_web import EndpointWeb, WebPageStore
from desktop.storage.archive import Archive
from tests.archives import SettableClock, archive_in

ADDRESS = "https://a.example/insulin"
PAGE = FoundPage(1, "Insulin", ADDRESS, "It lowers sugar.", is_whole=True)
CLOUD = Endpoint(EndpointId("anthropic"), "Anthropic", EndpointKind.ANTHROPIC)


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    archive = archive_in(tmp_path, SettableClock())
    yield archive
    archive.close()


def served(archive: Archive, rules: AccessRules) -> EndpointWeb:
    found = WebPageStore(archive.sources, lambda: Language.EN, SettableClock())
    return EndpointWeb(lambda: rules, archive.contacts, found, SettableClock())


def test_hosts_go_along_as_endpoints_take_them(archive: Archive) -> None:
    never = ("https://Bad.example/", "*.worse.example", "localhost:8080", "10.0.0.1", "x.eu:81")
    asking = served(archive, AccessRules(is_on=True, never=never)).asking(2, 1)
    assert asking is not None
    assert list(asking.never) == ["bad.example", "worse.example", "x.eu"]
    assert list(asking.only) == []


def test_of_hosts_that_are_the_only_ones_those_that_are_shut_out_are_not_told(
    archive: Archive,
) -> None:
    rules = AccessRules(is_on=True, only=("a.example", "bad.b.example"), never=("b.example",))
    asking = served(archive, rules).asking(2, 1)
    assert asking is not None
    assert list(asking.only) == ["a.example"]


@pytest.mark.parametrize(
    "rules", [AccessRules(is_on=False), AccessRules(is_on=True, only=("wiki", "127.0.0.1:80"))]
)
def test_where_the_rules_cannot_be_told_nothing_is_asked_for(
    archive: Archive, rules: AccessRules
) -> None:
    assert served(archive, rules).asking(2, 1) is None


def test_a_page_of_a_host_that_is_shut_out_is_not_kept(archive: Archive) -> None:
    web = served(archive, AccessRules(is_on=True, never=("a.example",)))
    assert (web.keep(PAGE), web.read(PAGE)) == (None, None)
    assert archive.sources.sources() == []


def test_a_page_can_be_read_without_being_kept(archive: Archive) -> None:
    found = served(archive, AccessRules(is_on=True)).read(PAGE)
    assert found is not None
    source, passages = found
    assert (source.address, passages[0].text) == (ADDRESS, "It lowers sugar.")
    assert passages[0].source_id == source.id
    assert archive.sources.sources() == []


def test_what_the_endpoint_contacted_is_noted_as_its_own(archive: Archive) -> None:
    calls = [
        WebCall("1", WEB_SEARCH, "insulin"),
        WebCall("2", WEB_SEARCH, "more", TOO_OFTEN),
        WebCall("3", WEB_FETCH, ADDRESS),
        WebCall("4", WEB_FETCH, "https://b.example/gone", "url_not_accessible"),
    ]
    quoted = replace(PAGE, address="https://c.example/quoted", is_whole=False)
    served(archive, AccessRules(is_on=True)).note(calls, [PAGE, quoted], CLOUD, None)
    page, there = ContactPurpose.PAGE, ContactOutcome.THERE
    noted = {(one.purpose, one.address, one.outcome) for one in archive.contacts.contacts()}
    assert noted == {
        (ContactPurpose.SEARCH, "https://api.anthropic.com", there),
        (page, ADDRESS, there),
        (page, "https://c.example/quoted", there),
        (page, "https://b.example/gone", ContactOutcome.FAILED_THERE),
    }
    assert len(archive.contacts.contacts()) == len(noted)
