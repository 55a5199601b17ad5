"""The rows of the session list: entries, days and ranked results."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from PySide6.QtCore import QLocale, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtTest import QTest
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.search import Hit, HitKind
from desktop.domain.sessions import Session, SessionStatus
from desktop.ui.formatting import clock_time, money, token_count
from desktop.ui.search.hits import FoundHits
from desktop.ui.search.query import Filter, remembered
from desktop.ui.sidebar.entries import (
    Calendar,
    Entry,
    GroupHeading,
    TimeSpan,
    entry_of,
    heading_label,
    when_label,
)
from desktop.ui.sidebar.model import SessionListModel, SessionRole
from desktop.ui.sidebar.sidebar import Sidebar
from tests.narrowing import instance, present
from tests.ui.sidebar.conftest import NOON, TODAY, hit


@pytest.fixture(autouse=True)
def _turkish() -> None:
    QLocale.setDefault(QLocale("tr_TR"))


@pytest.fixture
def model(qtmodeltester: ModelTester) -> SessionListModel:
    made = SessionListModel(lambda: TODAY)
    qtmodeltester.check(made)  # type: ignore[no-untyped-call]  # pytest-qt has no types there
    return made


def session(name: str, days_ago: int = 0, **fields: object) -> Session:
    at = NOON - timedelta(days=days_ago)
    made = Session(SessionId(name), SessionStatus.COMPLETE, at, at, title=name, summary="s")
    return replace(made, **fields)  # type: ignore[arg-type]  # fields by name


def active(name: str) -> Session:
    return session(name, status=SessionStatus.ACTIVE, title=None, summary=None, opening="Soru?")


def _hit(name: str, message: int | None, days_ago: int = 0) -> Hit:
    return Hit(
        kind=HitKind.SESSION if message is None else HitKind.MESSAGE,
        session_id=SessionId(name),
        message_id=None if message is None else MessageId(message),
        message_number=message,
        score=1.0,
        title=name,
        snippet=f"… {name}\nSomogyi …",
        marks=((2, 2 + len(name)),),
        created_at=NOON - timedelta(days=days_ago),
    )


def rows(model: SessionListModel) -> list[str]:
    return [model.index(place).data() for place in range(model.rowCount())]


def entry(model: SessionListModel, name: str) -> Entry:
    return instance(model.index_of(SessionId(name)).data(SessionRole.ROW), Entry)


def test_sessions_are_under_their_days(model: SessionListModel) -> None:
    model.show_sessions([session("a"), session("b", 1), session("c", 40)], has_more=False)
    assert rows(model) == ["Today", "a", "Yesterday", "b", "Ekim", "c"]


def test_the_active_session_is_always_first(model: SessionListModel) -> None:
    model.show_sessions([session("a"), session("p", 90, is_pinned=True)], has_more=False)
    model.set_active(active("now"))
    assert rows(model) == ["Now", "Soru?", "Pinned", "p", "Today", "a"]
    model.choose(Filter.THIS_WEEK)
    assert rows(model) == ["Today", "Soru?", "a"]
    model.show_hits(FoundHits([_hit("a", 1, 3)]))
    assert rows(model)[:2] == ["Today", "Soru?"]


def test_pins_can_be_seen_alone(model: SessionListModel) -> None:
    model.show_sessions([session("a"), session("p", 90, is_pinned=True)], has_more=False)
    model.choose(Filter.PINNED)
    assert rows(model) == ["Pinned", "p"]


def test_an_undescribed_session_shows_its_first_words(model: SessionListModel) -> None:
    bare = session("a", title=None, summary=None, opening="Dawn fenomeni\nnedir?")
    model.show_sessions([bare], has_more=False)
    shown = entry(model, "a")
    assert shown.title == "Dawn fenomeni nedir?"
    assert shown.is_undescribed


def test_a_search_shows_a_row_a_session_and_counts_its_messages(model: SessionListModel) -> None:
    model.show_hits(FoundHits([_hit("a", None), _hit("a", 1), _hit("a", 2), _hit("b", 3, 1)]))
    assert rows(model) == ["Today", "a", "Yesterday", "b"]
    assert entry(model, "a").hits == 2
    assert entry(model, "a").hit == _hit("a", 1)
    assert model.message_hits == 3
    model.choose(Filter.MESSAGES)
    assert rows(model) == ["Today", "a", "a", "Yesterday", "b"]


def test_a_found_session_is_under_the_same_day_as_in_the_list(model: SessionListModel) -> None:
    grown = replace(session("a", 0), created_at=session("a", 40).created_at)
    model.show_sessions([grown], has_more=False)
    listed = model.index_of(SessionId("a")).data(SessionRole.WHEN)
    model.show_hits(
        FoundHits([_hit("a", 1, 40), _hit("far", 2, 40)], sessions=[session("far", 1)])
    )
    assert rows(model) == ["Today", "a", "Yesterday", "far"]
    assert model.index_of(SessionId("a")).data(SessionRole.WHEN) == listed


def test_a_search_that_has_more_says_so_and_asks_for_it_at_its_end(
    model: SessionListModel,
) -> None:
    asked: list[None] = []
    model.more_wanted.connect(lambda: asked.append(None))
    model.show_hits(FoundHits([_hit("a", 1), _hit("b", 2, 1)], has_more=True))
    assert rows(model)[-1] == "More results"
    model.fetchMore(QModelIndex())
    assert asked == [None]
    assert not model.canFetchMore(QModelIndex())
    model.show_hits(FoundHits([_hit("a", 1), _hit("b", 2, 1)], has_more=False))
    assert "More results" not in rows(model)
    assert not model.canFetchMore(QModelIndex())


def test_a_week_has_no_more_row_if_older_hits_were_found(model: SessionListModel) -> None:
    model.choose(Filter.THIS_WEEK)
    model.show_sessions([session("a"), session("old", 60)], has_more=True)
    assert not model.canFetchMore()
    model.show_hits(FoundHits([_hit("a", 1), _hit("b", 2, 40)], has_more=True))
    assert not model.has_more_hits


def test_the_open_session_stays_marked_whatever_happens_in_the_list(
    model: SessionListModel,
) -> None:
    def open_rows() -> list[str]:
        found = [model.index(place) for place in range(model.rowCount())]
        return [str(one.data()) for one in found if one.data(SessionRole.IS_OPEN)]

    model.show_sessions([session("a"), session("b", 1)], has_more=False)
    model.set_open(SessionId("b"))
    assert open_rows() == ["b"]
    model.show_hits(FoundHits([]))
    assert open_rows() == []
    model.show_hits(None)
    model.put(session("a", is_pinned=True))
    assert open_rows() == ["b"]


def test_marks_keep_their_places_when_a_snippet_has_line_breaks(model: SessionListModel) -> None:
    model.show_hits(FoundHits([_hit("abc", 1)]))
    shown = entry(model, "abc")
    begin, end = shown.marks[0]
    assert shown.text[begin:end] == "abc"
    assert "\n" not in shown.text


def test_a_row_keeps_its_index_when_others_come_and_go(model: SessionListModel) -> None:
    model.show_sessions([session("a"), session("b", 1)], has_more=False)
    kept = QPersistentModelIndex(model.index_of(SessionId("b")))
    model.put(session("new"))
    model.remove(SessionId("a"))
    model.put(session("b", 1, title="B"))
    assert kept.data() == "B"


def test_an_edited_title_is_emitted_not_stored(model: SessionListModel, qtbot: QtBot) -> None:
    model.show_sessions([session("a")], has_more=False)
    index = model.index_of(SessionId("a"))
    with qtbot.waitSignal(model.renamed) as signal:
        assert model.setData(index, "  Yeni   ad ")
    assert signal.args == ["a", "Yeni ad"]
    assert not model.setData(index, "  ")
    assert entry(model, "a").title == "a"


def test_headings_cannot_be_chosen(model: SessionListModel) -> None:
    model.show_sessions([session("a"), session("b", 1)], has_more=False)
    assert isinstance(model.index(0).data(SessionRole.ROW), GroupHeading)
    assert not model.flags(model.index(0)) & Qt.ItemFlag.ItemIsSelectable
    first = model.next_entry(QModelIndex(), 1)
    assert model.next_entry(first, 1).data() == "b"
    assert not model.next_entry(first, -1).isValid()


def test_the_rest_of_the_archive_is_asked_for_once(model: SessionListModel, qtbot: QtBot) -> None:
    asked: list[bool] = []
    model.more_wanted.connect(lambda: asked.append(True))
    model.show_sessions([session("a")], has_more=True)
    model.fetchMore()
    model.fetchMore()
    assert asked == [True]
    model.append_sessions([session("b", 1)], has_more=False)
    assert not model.canFetchMore()
    assert rows(model) == ["Today", "a", "Yesterday", "b"]


def test_a_row_announces_its_title_time_and_words(model: SessionListModel) -> None:
    model.show_sessions([session("a", summary="Özet")], has_more=False)
    index = model.index_of(SessionId("a"))
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "a, 12.00, Özet"


def test_a_summary_that_only_says_the_title_again_is_left_out() -> None:
    one = session("Somogyi etkisi", summary="Somogyi etkisi", opening="Somogyi etkisi nedir")
    assert entry_of(one).text == "Somogyi etkisi nedir"


def test_a_session_that_has_just_ended_does_not_leave_the_list(model: SessionListModel) -> None:
    model.show_sessions([session("older", 1)], has_more=False)
    model.set_active(replace(active("now"), messages=2))
    model.set_active(None)
    assert "Soru?" in rows(model)
    ended = entry(model, "now")
    assert not ended.is_active
    assert ended.is_undescribed


def test_a_session_that_is_kept_nowhere_leaves_the_list_at_its_end(
    model: SessionListModel,
) -> None:
    model.set_active(replace(active("now"), messages=2, is_temporary=True))
    model.set_active(None)
    assert rows(model) == []


THURSDAY = date(2026, 11, 19)  # a Thursday


@pytest.fixture(params=["tr_TR", "en_GB"])
def language(request: pytest.FixtureRequest) -> str:
    QLocale.setDefault(QLocale(request.param))
    return str(request.param)


@pytest.mark.parametrize(
    ("day", "span"),
    [
        (date(2026, 11, 20), TimeSpan.TODAY),
        (THURSDAY, TimeSpan.TODAY),
        (date(2026, 11, 18), TimeSpan.YESTERDAY),
        (date(2026, 11, 16), TimeSpan.THIS_WEEK),
        (date(2026, 11, 15), TimeSpan.LAST_WEEK),
        (date(2026, 11, 9), TimeSpan.LAST_WEEK),
        (date(2026, 11, 8), TimeSpan.MONTH),
        (date(2025, 11, 19), TimeSpan.MONTH),
    ],
)
def test_a_day_is_under_one_heading(language: str, day: date, span: TimeSpan) -> None:
    assert Calendar(THURSDAY).heading_of(day).span is span


def test_a_month_of_another_year_says_which() -> None:
    assert heading_label(GroupHeading(TimeSpan.MONTH, date(2026, 10, 1)), THURSDAY) == "Ekim"
    assert heading_label(GroupHeading(TimeSpan.MONTH, date(2025, 10, 1)), THURSDAY) == "Ekim 2025"


def test_the_row_shows_the_part_that_the_heading_omits() -> None:
    def local(day: date) -> datetime:
        return datetime(day.year, day.month, day.day, 14, 5).astimezone()

    assert when_label(local(THURSDAY), THURSDAY) == "14.05"
    assert when_label(local(date(2026, 11, 17)), THURSDAY) == "Sal"
    assert when_label(local(date(2026, 10, 14)), THURSDAY) == "14 Eki"


def test_times_tokens_and_money_are_written_as_the_language_does() -> None:
    moment = datetime(2026, 11, 19, 12, 3, 20).astimezone(UTC)
    assert clock_time(moment, seconds=True) == "12.03.20"
    assert token_count(940) == "940"
    assert token_count(2100) == "2,1k"  # the catalog makes it "bin"
    assert token_count(200_000) == "200k"
    assert money(0.061) == "$0,06"
    assert money(0.0004) == "$0,0004"
    assert money(0.00004) == "< $0,0001"


@pytest.fixture
def sidebar(sidebar: Sidebar) -> Sidebar:
    """While it searches."""
    sidebar.search.setText("somogyi")
    return sidebar


def hits(*names: str, message: int = 7) -> list[Hit]:
    return [hit(name, message) for name in names]


def test_the_ranked_order_has_one_heading(sidebar: Sidebar) -> None:
    sidebar.show_hits(FoundHits(hits("a", "b", "c")))
    sidebar.show_hits(FoundHits(hits("c", "a", "b")), is_ranked=True)
    assert rows(sidebar.model) == ["Best matches", "c", "a", "b"]


def test_the_row_with_the_focus_does_not_move(sidebar: Sidebar) -> None:
    sidebar.show_hits(FoundHits(hits("a", "b", "c", "d")), is_ranked=True)
    sidebar.list.enter()
    sidebar.list.setCurrentIndex(sidebar.model.index_of(SessionId("b")))
    before = sidebar.list.visualRect(sidebar.list.currentIndex())
    sidebar.show_hits(FoundHits(hits("d", "c", "b", "a")), is_ranked=True, is_longer=True)
    assert rows(sidebar.model) == ["Best matches", "a", "b", "d", "c"]
    assert sidebar.list.currentIndex().data() == "b"
    assert sidebar.list.visualRect(sidebar.list.currentIndex()) == before


def test_the_selection_follows_its_session_without_focus(sidebar: Sidebar) -> None:
    sidebar.show_hits(FoundHits(hits("a", "b", "c")), is_ranked=True)
    sidebar.list.setCurrentIndex(sidebar.model.index_of(SessionId("b")))
    sidebar.show_hits(FoundHits(hits("c", "b", "a", message=8)), is_ranked=True, is_longer=True)
    assert rows(sidebar.model) == ["Best matches", "c", "b", "a"]
    assert sidebar.list.currentIndex().data() == "b"


def test_the_count_is_of_the_whole_session(sidebar: Sidebar) -> None:
    sidebar.show_hits(FoundHits(hits("a"), counts={SessionId("a"): 12}), is_ranked=True)
    entry = present(sidebar.list.entry(sidebar.model.index_of(SessionId("a"))))
    assert entry.hits == 12


def test_messages_around_those_with_the_words_are_neither_counted_nor_shown(
    sidebar: Sidebar,
) -> None:
    around = replace(hit("a", 6), snippet="Geç kahve içilir mi?", marks=())
    sidebar.show_hits(
        FoundHits([around, hit("a", 7), replace(around, message_id=None)]), is_ranked=True
    )
    entry = present(sidebar.list.entry(sidebar.model.index_of(SessionId("a"))))
    assert entry.hit is not None
    assert (entry.hits, entry.hit.message_id) == (1, 7)


def test_a_search_is_remembered_once_and_not_by_its_beginnings() -> None:
    recent = remembered(remembered(["diyet"], "insü"), "İnsülin direnci")
    assert recent == ["İnsülin direnci", "diyet"]
    assert remembered(recent, "DİYET") == ["DİYET", "İnsülin direnci"]
    assert len(remembered([f"{n} arama" for n in range(9)], "son")) == 6


def test_hits_without_the_words_are_labelled_as_similar_only(sidebar: Sidebar) -> None:
    near = [replace(one, marks=()) for one in hits("a", "b")]
    sidebar.show_hits(FoundHits(near), is_ranked=True)
    assert rows(sidebar.model) == ["Similar in meaning only", "a", "b"]
    sidebar.show_hits(FoundHits([near[0], *hits("b")]), is_ranked=True)
    assert rows(sidebar.model) == ["Best matches", "b", "Similar in meaning only", "a"]


def test_down_in_the_search_field_goes_to_the_first_hit(sidebar: Sidebar) -> None:
    sidebar.model.set_active(Session(SessionId("now"), SessionStatus.ACTIVE, NOON, NOON))
    sidebar.list.enter()
    sidebar.query.focus()
    sidebar.show_hits(FoundHits(hits("a", "b")), is_ranked=True)
    QTest.keyClick(sidebar.search, Qt.Key.Key_Down)
    assert sidebar.list.currentIndex().data() == "a"


def test_a_found_session_that_is_continued_is_listed_once(sidebar: Sidebar) -> None:
    sidebar.show_hits(FoundHits(hits("a", "b")), is_ranked=True)
    sidebar.model.set_active(Session(SessionId("b"), SessionStatus.ACTIVE, NOON, NOON, title="b"))
    assert rows(sidebar.model) == ["Now", "b", "Best matches", "a"]
