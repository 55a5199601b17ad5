"""Zotero's local API over a real socket: what is slow, stopped, or sends nonsense."""

from collections.abc import Iterator

import pytest

from desktop.domain.web import WebStoppedError
from desktop.research.zotero_api import ZoteroApi, ZoteroSlowError
from tests.zotero import Record, StandInZotero


@pytest.fixture
def zotero() -> Iterator[StandInZotero]:
    with StandInZotero() as zotero:
        yield zotero


def api_of(zotero: StandInZotero, *, seconds: float = 20.0) -> ZoteroApi:
    return ZoteroApi(lambda: zotero.address, seconds)


def test_a_zotero_that_stalls_is_given_up_at_the_time_limit(zotero: StandInZotero) -> None:
    zotero.stalls = True
    with pytest.raises(ZoteroSlowError):
        api_of(zotero, seconds=0.3).status()


def test_a_request_ends_when_the_user_stops_it(zotero: StandInZotero) -> None:
    zotero.stalls = True
    with pytest.raises(WebStoppedError):
        api_of(zotero).versions(stop=lambda: bool(zotero.requests))


def test_a_collection_that_contains_itself_has_an_end(zotero: StandInZotero) -> None:
    zotero.collections = {"A": ("Tez", "B"), "B": ("Bölüm", "A")}
    assert [each.name for each in api_of(zotero).collections()] == ["Bölüm / Tez", "Tez / Bölüm"]
    assert len(api_of(zotero).scope("A")) == 2


def test_items_of_odd_values_are_read_as_far_as_they_can_be(zotero: StandInZotero) -> None:
    zotero.put(Record("A", csl={"title": None}), Record("B", kind="note"), Record("../x"))
    assert list(api_of(zotero).versions()) == ["A"]
    (item,) = api_of(zotero).items(["A", "B", "../x"])
    assert (item.key, item.csl["title"]) == ("A", None)


def test_edits_are_read_page_by_page_until_they_are_older(zotero: StandInZotero) -> None:
    for number in range(250):
        zotero.put(Record(f"K{number}", modified=f"2026-01-{1 + number // 10:02d}T00:00:00Z"))
    edited = list(api_of(zotero).modified_since("2026-01-14T00:00:00Z"))
    assert len(edited) == 120
    assert sum("start=" in request for request in zotero.requests) == 2
