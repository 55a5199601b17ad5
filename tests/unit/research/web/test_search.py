"""Searching: results in one form, each failure with its own error, never an empty list."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import pytest
from ddgs.exceptions import DDGSException, RatelimitException, TimeoutException

from desktop.domain.language import Language
from desktop.domain.web import (
    ContactOutcome,
    ContactPurpose,
    SearchBlockedError,
    SearchBusyError,
    SearchUnreachableError,
    SearxngAnswerError,
    SearxngMissingError,
    WebError,
    WebHit,
    WebStoppedError,
)
from desktop.research.web.fetch import Fetcher
from desktop.research.web.safe_urls import AccessRules
from desktop.research.web.search import (
    PROVIDERS,
    DdgsEngine,
    SearchRequest,
    public_engines,
    search_engines,
    search_searxng,
)
from desktop.settings.settings import SETTINGS, WebSearch
from tests.web import ContactList, Served, Web, fetcher_for, result, searxng, words_of

SOUGHT = SearchRequest("insülin direnci nedir", 5, Language.TR)
RAW = {"title": "Insulin", "href": "https://a.example/", "body": "Lowers  sugar."}


@dataclass
class Says:
    """An engine that says the same each time."""

    name: str
    said: Sequence[Mapping[str, object]] | type[WebError] = ()
    asked: list[tuple[str, str]] = field(default_factory=list)

    @property
    def address(self) -> str:
        return f"https://{self.name}.example/search?q={{query}}"

    def results(self, words: str, region: str, limit: int) -> Sequence[Mapping[str, object]]:
        self.asked.append((words, region))
        assert limit == SOUGHT.limit
        if isinstance(self.said, type):
            raise self.said(engines=self.name)
        return self.said


def rules() -> AccessRules:
    return AccessRules(is_on=True, only=("pages.example",))


def public(
    *engines: Says, log: ContactList | None = None, sought: SearchRequest = SOUGHT
) -> list[WebHit]:
    return search_engines(Fetcher(rules, log or ContactList()), engines, sought)


def test_results_come_in_one_form_and_each_page_once() -> None:
    odd: list[Mapping[str, object]] = [
        RAW,
        {**RAW, "title": "Again"},
        {"href": "javascript:alert(1)", "title": "No page"},
        {"title": "No address"},
        {"href": "https://b.example/ü", "title": "", "body": None},
    ]
    assert public(Says("one", odd)) == [
        WebHit("Insulin", "https://a.example/", "Lowers sugar."),
        WebHit("https://b.example/%C3%BC", "https://b.example/%C3%BC", ""),
    ]


def test_the_next_engine_is_asked_only_if_one_finds_nothing() -> None:
    silent, good, spare = Says("silent"), Says("good", [RAW]), Says("spare", [RAW])
    log = ContactList()
    assert len(public(silent, good, spare, log=log)) == 1
    assert (len(silent.asked), len(good.asked), len(spare.asked)) == (1, 1, 0)
    assert good.asked == [("insülin direnci nedir", "tr-tr")]
    assert [one.address for one in log.contacts] == [
        "https://silent.example/search",
        "https://good.example/search",
    ]


@pytest.mark.parametrize("error", [SearchBlockedError, SearchUnreachableError, SearchBusyError])
def test_the_reason_for_an_empty_memory_is_shown(error: type[WebError]) -> None:
    said = () if error is SearchBlockedError else error
    with pytest.raises(error) as told:
        public(Says("one", said), Says("two", said))
    assert told.value.values == {"engines": "one, two"}


def test_a_search_can_be_stopped_between_engines() -> None:
    engine = Says("one", [RAW])
    with pytest.raises(WebStoppedError):
        public(engine, sought=replace(SOUGHT, stop=lambda: True))
    assert engine.asked == []


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (RatelimitException("202"), SearchBusyError),
        (TimeoutException("timed out"), SearchUnreachableError),
        (DDGSException("ConnectError: no route"), SearchUnreachableError),
    ],
)
def test_the_errors_of_ddgs_are_distinguished(
    monkeypatch: pytest.MonkeyPatch, error: Exception, kind: type[WebError]
) -> None:
    def text(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("ddgs.ddgs.DDGS.text", text)
    with pytest.raises(kind):
        DdgsEngine("duckduckgo").results("x", "tr-tr", 5)


def test_every_engine_that_is_asked_is_one_that_ddgs_knows() -> None:
    assert [engine.address.partition(":")[0] for engine in public_engines()] == ["https"] * 4


def searx(web: Web, path: str = "", log: ContactList | None = None) -> list[WebHit]:
    fetcher = fetcher_for(web, rules, contacts=log or ContactList())
    return search_searxng(fetcher, web.url(path), SOUGHT)


def test_a_searxng_on_this_computer_is_asked_in_the_language_of_the_question(web: Web) -> None:
    """The user named it, so neither the address check nor the lists of hosts block it."""
    web.put("/search", searxng(result("Insulin", "https://a.example/", "Lowers sugar.")))
    log = ContactList()
    assert searx(web, log=log) == [WebHit("Insulin", "https://a.example/", "Lowers sugar.")]
    (asked,) = web.asked
    assert words_of(asked) == "insülin direnci nedir"
    assert "format=json" in asked.path
    assert "language=tr" in asked.path
    (noted,) = log.contacts
    assert (noted.purpose, noted.outcome) == (ContactPurpose.SEARCH, ContactOutcome.OK)
    assert noted.address == web.url("/search")


@pytest.mark.parametrize("path", ["", "/", "/search", "/search/", "/searx/"])
def test_its_address_may_be_written_as_people_do(web: Web, path: str) -> None:
    place = "/searx/search" if path == "/searx/" else "/search"
    web.put(place, searxng(result("A", "https://a.example/")))
    assert len(searx(web, path)) == 1


def test_engines_that_did_not_answer_it_are_named(web: Web) -> None:
    web.put("/search", searxng(unresponsive=["brave", "google"]))
    with pytest.raises(SearchBlockedError) as told:
        searx(web)
    assert told.value.values == {"engines": "brave, google"}


@pytest.mark.parametrize(
    ("served", "error"),
    [
        (Served(status=403), SearxngAnswerError),  # as it answers where JSON is not allowed
        (Served(status=404), SearxngAnswerError),
        (Served(status=429), SearchBusyError),
        (Served(b"<html>"), SearxngAnswerError),
        (Served(b"[]", "application/json"), SearxngAnswerError),
        (Served(b'{"results": {}}', "application/json"), SearxngAnswerError),
        (Served(b"[" * 100_000, "application/json"), SearxngAnswerError),
    ],
)
def test_a_reply_that_is_not_searxngs_is_an_error(
    web: Web, served: Served, error: type[WebError]
) -> None:
    web.put("/search", served)
    with pytest.raises(error):
        searx(web)


def test_malformed_results_do_not_stop_the_others(web: Web) -> None:
    body = rb'{"results": [1, null, {"url": 5}, {"url": "https://a.example/", "title": 7}, '
    body += rb'{"url": "https://a.example/\ud800"}, {"url": "https://b.example/", '
    body += rb'"title": "a\u001b[31m\u0000b \ud83d", "content": "c\u009bd"}, '
    body += rb'{"title": "long", "url": "https://a.example/' + b"a" * 9000 + b'"}]}'
    web.put("/search", Served(body, "application/json"))
    whole, *_, odd = searx(web)
    assert whole == WebHit("https://a.example/", "https://a.example/", "")
    assert f"{odd.title}{odd.snippet}".encode()
    assert (odd.title[:8], odd.snippet) == ("a [31m b", "c d")


@pytest.mark.parametrize("name", WebSearch)
def test_every_provider_of_the_settings_has_a_record_and_the_setting_that_it_needs(
    name: WebSearch,
) -> None:
    needs = PROVIDERS[name].needs
    assert not needs or SETTINGS[needs].section == SETTINGS["web_search"].section


def test_a_searxng_without_an_address_is_an_error_before_anything_is_sent() -> None:
    log = ContactList()
    with pytest.raises(SearxngMissingError):
        PROVIDERS[WebSearch.SEARXNG].search(Fetcher(rules, log), "", SOUGHT)
    assert not log.contacts
