"""A later order of the hits: best first, and nothing moves under hand or pointer."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.domain.ids import SessionId
from desktop.domain.search import Hit
from desktop.domain.sessions import Session, SessionStatus
from desktop.ui.search.hits import FoundHits
from desktop.ui.search.query import remembered
from desktop.ui.sidebar.sidebar import Sidebar
from tests.ui.sidebar.conftest import NOON, hit


@pytest.fixture
def sidebar(sidebar: Sidebar) -> Sidebar:
    """While it searches."""
    sidebar.search.setText("somogyi")
    return sidebar


def hits(*names: str, message: int = 7) -> list[Hit]:
    return [hit(name, message) for name in names]


def rows(sidebar: Sidebar) -> list[str]:
    model = sidebar.model
    return [str(model.index(place).data()) for place in range(model.rowCount())]


def test_the_ranked_order_has_one_heading(sidebar: Sidebar) -> None:
    sidebar.show_hits(FoundHits(hits("a", "b", "c")))
    sidebar.show_hits(FoundHits(hits("c", "a", "b")), is_ranked=True)
    assert rows(sidebar) == ["Best matches", "c", "a", "b"]


def test_what_the_keyboard_is_at_does_not_move(sidebar: Sidebar) -> None:
    sidebar.show_hits(FoundHits(hits("a", "b", "c", "d")), is_ranked=True)
    sidebar.list.enter()
    sidebar.list.setCurrentIndex(sidebar.model.index_of(SessionId("b")))
    before = sidebar.list.visualRect(sidebar.list.currentIndex())
    sidebar.show_hits(FoundHits(hits("d", "c", "b", "a")), is_ranked=True, is_longer=True)
    assert rows(sidebar) == ["Best matches", "a", "b", "d", "c"]
    assert sidebar.list.currentIndex().data() == "b"
    assert sidebar.list.visualRect(sidebar.list.currentIndex()) == before


def test_the_choice_follows_its_session_where_nobody_is_at_it(sidebar: Sidebar) -> None:
    sidebar.show_hits(FoundHits(hits("a", "b", "c")), is_ranked=True)
    sidebar.list.setCurrentIndex(sidebar.model.index_of(SessionId("b")))
    sidebar.show_hits(FoundHits(hits("c", "b", "a", message=8)), is_ranked=True, is_longer=True)
    assert rows(sidebar) == ["Best matches", "c", "b", "a"]
    assert sidebar.list.currentIndex().data() == "b"


def test_the_count_is_of_the_whole_session(sidebar: Sidebar) -> None:
    sidebar.show_hits(FoundHits(hits("a"), counts={SessionId("a"): 12}), is_ranked=True)
    entry = sidebar.list.entry(sidebar.model.index_of(SessionId("a")))
    assert entry is not None
    assert entry.hits == 12


def test_messages_around_those_with_the_words_are_neither_counted_nor_shown(
    sidebar: Sidebar,
) -> None:
    around = replace(hit("a", 6), snippet="Geç kahve içilir mi?", marks=())
    sidebar.show_hits(
        FoundHits([around, hit("a", 7), replace(around, message_id=None)]), is_ranked=True
    )
    entry = sidebar.list.entry(sidebar.model.index_of(SessionId("a")))
    assert entry is not None
    assert entry.hit is not None
    assert (entry.hits, entry.hit.message_id) == (1, 7)


def test_a_search_is_remembered_once_and_not_by_its_beginnings() -> None:
    recent = remembered(remembered(["diyet"], "insü"), "İnsülin direnci")
    assert recent == ["İnsülin direnci", "diyet"]
    assert remembered(recent, "DİYET") == ["DİYET", "İnsülin direnci"]
    assert len(remembered([f"{n} arama" for n in range(9)], "son")) == 6


def test_hits_that_have_none_of_the_words_are_said_to_be_near_only(sidebar: Sidebar) -> None:
    near = [replace(one, marks=()) for one in hits("a", "b")]
    sidebar.show_hits(FoundHits(near), is_ranked=True)
    assert rows(sidebar) == ["Similar in meaning only", "a", "b"]
    sidebar.show_hits(FoundHits([near[0], *hits("b")]), is_ranked=True)
    assert rows(sidebar) == ["Best matches", "a", "b"]


def test_the_way_down_from_the_search_leads_to_the_first_hit(sidebar: Sidebar) -> None:
    sidebar.model.set_active(Session(SessionId("now"), SessionStatus.ACTIVE, NOON, NOON))
    sidebar.list.enter()
    sidebar.query.focus()
    sidebar.show_hits(FoundHits(hits("a", "b")), is_ranked=True)
    QTest.keyClick(sidebar.search, Qt.Key.Key_Down)
    assert sidebar.list.currentIndex().data() == "a"


def test_what_was_found_and_is_continued_stands_in_the_list_once(sidebar: Sidebar) -> None:
    sidebar.show_hits(FoundHits(hits("a", "b")), is_ranked=True)
    sidebar.model.set_active(Session(SessionId("b"), SessionStatus.ACTIVE, NOON, NOON, title="b"))
    assert rows(sidebar) == ["Now", "b", "Best matches", "a"]
