"""Pages that an endpoint found: kept, so that their words can be cited, and never made less."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.domain.language import Language
from desktop.domain.model import FoundPage
from desktop.domain.sources import Source, SourceState
from desktop.research.citations.quote_matching import stands_in
from desktop.research.web.server_web import WebPageStore
from desktop.storage.archive import Archive
from tests.archives import SettableClock, archive_in

ADDRESS = "https://a.example/insulin"
CITED = FoundPage(1, "Insulin", ADDRESS, "It lowers sugar.\n\nIt is a hormone.", is_whole=False)
WHOLE = FoundPage(1, "Insulin", ADDRESS, "It lowers sugar. It is old.\n\nMore.", is_whole=True)


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    archive = archive_in(tmp_path, SettableClock())
    yield archive
    archive.close()


@pytest.fixture
def shelf(archive: Archive) -> WebPageStore:
    return WebPageStore(archive.sources, lambda: Language.EN, SettableClock())


def kept(shelf: WebPageStore, page: FoundPage) -> tuple[Source, str]:
    found = shelf.keep(page)
    assert found is not None
    source, passages = found
    return source, "\n".join(one.text for one in passages)


def test_words_that_were_cited_of_a_search_are_kept_as_part_of_their_page(
    shelf: WebPageStore,
) -> None:
    source, text = kept(shelf, CITED)
    assert (source.address, source.state) == (ADDRESS, SourceState.PARTIAL)
    assert stands_in("It is a hormone", text)


def test_what_was_cited_later_joins_what_is_there(shelf: WebPageStore) -> None:
    first, _ = kept(shelf, CITED)
    again, text = kept(shelf, FoundPage(1, "Insulin", ADDRESS, "Cells need it.", is_whole=False))
    assert again.id == first.id
    assert stands_in("It is a hormone", text)
    assert stands_in("Cells need it", text)


def test_the_whole_page_takes_the_place_of_a_part_and_never_the_reverse(
    shelf: WebPageStore, archive: Archive
) -> None:
    kept(shelf, CITED)
    whole, text = kept(shelf, WHOLE)
    assert (whole.state, "hormone" in text) == (SourceState.COMPLETE, False)
    part = FoundPage(1, "Insulin", ADDRESS, "It is old.", is_whole=False)
    assert kept(shelf, part) == (whole, text)
    more, text = kept(shelf, CITED)
    assert (more.id, more.state) == (whole.id, SourceState.COMPLETE)
    assert "It is old." in text
    assert "hormone" in text


def test_what_was_cited_of_it_before_opens_still(shelf: WebPageStore, archive: Archive) -> None:
    found = shelf.keep(CITED)
    assert found is not None
    (passage, *_) = found[1]
    kept(shelf, WHOLE)
    assert archive.sources.passage(passage.id).text == passage.text


@pytest.mark.parametrize(
    "page",
    [
        FoundPage(1, "x", "javascript:alert(1)", "words", is_whole=True),
        FoundPage(1, "x", ADDRESS, " \n\n ", is_whole=True),
    ],
)
def test_what_is_no_page_or_has_no_words_is_not_kept(
    shelf: WebPageStore, archive: Archive, page: FoundPage
) -> None:
    assert shelf.keep(page) is None
    assert archive.sources.sources() == []


def test_words_that_are_cited_one_after_another_stay_where_they_were_found(
    shelf: WebPageStore,
) -> None:
    one, two = "It lowers sugar.", "It is a hormone."
    before = shelf.keep(FoundPage(1, "Insulin", ADDRESS, one, is_whole=False))
    after = shelf.keep(FoundPage(1, "Insulin", ADDRESS, f"{one}\n\n{two}", is_whole=False))
    assert before is not None
    assert after is not None
    assert [passage.text for passage in after[1]] == [one, two]
    assert after[1][0].id == before[1][0].id
