"""Searching in the window: as typed, with dates in words, in the results view, hit by hit."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import Event

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.domain.ids import SessionId
from desktop.domain.search import Hit, Query, SearchMode
from desktop.ui.search.hits import FoundSession
from desktop.ui.search.query import Filter
from desktop.ui.search.results_list import More, ResultRole
from desktop.ui.services import NavigationTarget
from tests.archives import finished
from tests.ui.main_window.stage import WAIT_MS, Stage

NOW = datetime.now(UTC)
LONG_AGO = NOW - timedelta(days=400)


@pytest.fixture
def kept(opens: Callable[[], Stage]) -> Stage:
    stage = opens()
    stage.archive.imports.add(
        [
            finished(
                "gece",
                "Gelgit gece neden yükselir?",
                "Ay'ın çekimi gelgiti doğurur.",
                "Başka bir soru?",
                "Başka bir yanıt; gelgit yok.",
                "Son olarak gelgit tablosu?",
                "Tablo kıyıya göre değişir.",
                title="Gelgit ve gece",
                topics=["deniz"],
                at=LONG_AGO,
            ),
            finished(
                "tablo", "Gelgit tablosu nerede?", "Limanda.", title="Tablolar", topics=["liman"]
            ),
            finished("baska", "Bambaşka bir söz.", "Evet.", title="Başka"),
        ]
    )
    stage.archive.sessions.pin(SessionId("tablo"), True)
    for _ in stage.services.assistant.describe_pending(lambda: False):
        pass
    stage.attach()
    return stage


def searched(stage: Stage, text: str) -> None:
    stage.window.parts.sidebar.search.setText(text)
    model = stage.window.parts.sidebar.model
    stage.until(lambda: model.is_searching and not stage.is_finding())


def test_days_in_which_there_was_no_session_are_named(kept: Stage) -> None:
    searched(kept, "mart 1999")
    said = kept.window.parts.sidebar.list._nothing.text()
    assert said == "No sessions in this period: March 1, 1999 – March 31, 1999."
    searched(kept, "mart 1999 gelgit")
    assert kept.window.parts.sidebar.list._nothing.text().startswith("Nothing found for")


def results(stage: Stage) -> list[str]:
    model = stage.window.parts.results.model
    rows = [model.index(place).data(ResultRole.ROW) for place in range(model.rowCount())]
    return [row.session_id for row in rows if isinstance(row, FoundSession)]


def asked(stage: Stage, text: str) -> None:
    """Open the results view and ask there."""
    stage.window.actions_by_name["results"].trigger()
    stage.window.parts.results.field.setText(text)


def test_after_a_pause_the_best_hits_come_first_with_their_counts(kept: Stage) -> None:
    searched(kept, "gelgit")
    assert "Best matches" in kept.rows()
    model = kept.window.parts.sidebar.model
    counts = {
        row.session_id: row.hits
        for row in map(kept.window.parts.sidebar.list.entry, map(model.index, range(5)))
        if row is not None
    }
    assert counts == {"gece": 4, "tablo": 1}


def test_words_for_a_date_are_a_filter_that_can_be_taken_off(kept: Stage) -> None:
    sidebar = kept.window.parts.sidebar
    searched(kept, "gelgit last year")
    assert sidebar.date_chip.isVisible()
    assert sidebar.date_chip.text() == "last year"
    assert "Tablolar" not in kept.rows()
    QTest.keyClick(sidebar.date_chip, Qt.Key.Key_Delete)
    assert not sidebar.date_chip.isVisible()
    assert sidebar.query.typed.words == "gelgit last year"


def test_recent_successful_searches_are_offered_in_an_empty_field(kept: Stage) -> None:
    sidebar = kept.window.parts.sidebar
    searched(kept, "gelgit")
    sidebar.step(1)
    sidebar.search.clear()
    sidebar.query.focus()
    kept.until(sidebar.recent.isVisible)
    assert list(sidebar.recent.queries) == ["gelgit"]
    QTest.keyClick(sidebar.search, Qt.Key.Key_Down)
    QTest.keyClick(sidebar.recent._rows[0], Qt.Key.Key_Return)
    assert sidebar.query.text == "gelgit"
    assert sidebar.recent.isHidden()


def test_recent_searches_outlive_the_window_until_they_are_switched_off(
    kept: Stage, opens: Callable[[], Stage]
) -> None:
    searched(kept, "gelgit")
    kept.window.parts.sidebar.all_results.click()
    kept.leave()
    again = opens()
    assert list(again.window.parts.sidebar.recent.queries) == ["gelgit"]
    again.changes.apply(replace(again.changes.settings, keeps_searches=False))
    assert not again.window.parts.sidebar.recent.queries
    again.changes.apply(replace(again.changes.settings, keeps_searches=True))
    assert not again.window.parts.sidebar.recent.queries


def test_all_results_open_in_the_middle_and_escape_leads_back(kept: Stage) -> None:
    parts = kept.window.parts
    parts.composer.setFocus()
    searched(kept, "gelgit")
    QTest.keyClick(parts.sidebar.all_results, Qt.Key.Key_Space)
    shown = [parts.are_results_shown]
    assert parts.results.field.text() == "gelgit"
    kept.until(lambda: set(results(kept)) == {"gece", "tablo"})
    QTest.keyClick(parts.results.field, Qt.Key.Key_Escape)
    shown.append(parts.are_results_shown)
    assert shown == [True, False]
    assert parts.composer.isVisible()


def test_filters_leave_what_they_name(kept: Stage) -> None:
    def leaves(*left: str) -> None:
        kept.until(lambda: set(results(kept)) == set(left))

    asked(kept, "gelgit")
    filters = kept.window.parts.results.filters
    leaves("gece", "tablo")
    filters.topic.setEditText("deniz")
    leaves("gece")
    filters.topic.setEditText("Any topic")
    leaves("gece", "tablo")
    filters.pinned.setChecked(True)
    leaves("tablo")
    filters.pinned.setChecked(False)
    leaves("gece", "tablo")
    filters.when.setEditText("2001")
    leaves()


def test_the_results_are_read_on_by_keyboard(opens: Callable[[], Stage]) -> None:
    stage = opens()
    stage.archive.imports.add(
        [finished(f"s{n}", f"Gelgit {n}?", f"Gelgit {n}.") for n in range(45)]
    )
    stage.attach()
    asked(stage, "gelgit")
    page = stage.window.parts.results
    stage.until(lambda: page.model.rowCount() > 60)
    first = results(stage)
    QTest.keyClick(page.field, Qt.Key.Key_Down)
    QTest.keyClick(page.list, Qt.Key.Key_End)
    assert isinstance(page.model.row(page.list.currentIndex()), More)
    QTest.keyClick(page.list, Qt.Key.Key_Return)
    stage.until(lambda: len(results(stage)) == 45)
    assert results(stage)[: len(first) - 1] == first[:-1]


def test_the_next_and_previous_hits_can_be_reached(kept: Stage) -> None:
    asked(kept, "gelgit")
    page, bar = kept.window.parts.results, kept.window.parts.find_bar
    kept.until(lambda: bool(results(kept)))
    kept.window.commands.search.open(
        NavigationTarget(SessionId("gece"), None, ("gelgit",), "gelgit")
    )
    kept.until(bar.isVisible)
    assert bar._place.text() == "1 of 4"
    kept.window.actions_by_name["find_next"].trigger()
    assert bar._place.text() == "2 of 4"
    kept.window.actions_by_name["find_previous"].trigger()
    kept.window.actions_by_name["find_previous"].trigger()
    assert bar._place.text() == "4 of 4"
    assert not page.isVisible()
    QTest.keyClick(bar, Qt.Key.Key_Escape)
    assert bar.isHidden()


def test_hits_are_shown_no_longer_than_their_search(kept: Stage) -> None:
    search, bar = kept.window.parts.sidebar.search, kept.window.parts.find_bar
    hit = NavigationTarget(SessionId("gece"), None, ("gelgit",), "gelgit")
    search.setText("gelgit")
    kept.window.commands.search.open(hit)
    kept.until(bar.isVisible)
    search.clear()
    assert bar.isHidden()
    kept.window.commands.search.open(hit)
    kept.until(bar.isVisible)
    QTest.keyClicks(bar.field, " y")  # from here on the user looks for a text
    search.setText("y")
    search.clear()
    assert bar.isVisible()


def test_the_keyboard_stays_with_the_conversation_when_a_page_gives_way(kept: Stage) -> None:
    window, parts = kept.window, kept.window.parts
    window.activateWindow()
    kept.until(window.isActiveWindow)
    parts.composer.setFocus()
    window.sessions.open(NavigationTarget(SessionId("gece")))
    kept.until(parts.reading_bar.isVisible)
    focused = [window.focusWidget()]
    parts.reading_bar.back.setFocus()
    parts.reading_bar.back.click()
    kept.until(parts.composer.isVisible)
    focused.append(window.focusWidget())
    window.actions_by_name["results"].trigger()
    window.commands.search.open(NavigationTarget(SessionId("gece")))
    kept.until(parts.reading_bar.isVisible)
    focused.append(window.focusWidget())
    assert focused == [parts.transcript, parts.composer.field, parts.transcript]


def test_escape_in_the_hits_leads_back_to_an_empty_search(kept: Stage) -> None:
    sidebar = kept.window.parts.sidebar
    kept.window.activateWindow()
    kept.until(kept.window.isActiveWindow)
    sidebar.search.setText("gelgit")
    sidebar.list.setFocus()
    QTest.keyClick(sidebar.list, Qt.Key.Key_Escape)
    assert not sidebar.search.text()
    assert sidebar.search.hasFocus()


def test_find_gives_the_keyboard_back_to_where_it_was(kept: Stage) -> None:
    kept.window.sessions.open(NavigationTarget(SessionId("gece")))
    kept.until(lambda: len(kept.shown()) == 6)
    kept.window.activateWindow()
    kept.until(kept.window.isActiveWindow)
    searching = kept.window.parts.sidebar.search
    searching.setFocus()
    kept.window.actions_by_name["find"].trigger()
    find = kept.window.parts.find_bar
    QTest.keyClicks(find.field, "GELGIT")
    place = find._place.text()
    kept.window.actions_by_name["find_next"].trigger()
    assert find._place.text() != place
    assert find._place.text().endswith("of 4")
    QTest.keyClick(find.field, Qt.Key.Key_Escape)
    assert searching.hasFocus()


def test_a_notice_is_seen_while_the_results_are_shown(kept: Stage) -> None:
    parts = kept.window.parts
    kept.window.actions_by_name["results"].trigger()
    assert parts.results.isVisible()
    assert not parts.strip.isVisible()
    kept.window.notices.show_broke("ValueError")
    assert parts.strip.isVisible()
    assert not parts.composer.isVisible()
    parts.strip.remove("broke")
    kept.window.commands.search.leave_results()
    assert parts.composer.isVisible()


@pytest.mark.parametrize("ends", ["cleared", "continued"])
def test_moving_between_hits_ends_with_the_search(kept: Stage, ends: str) -> None:
    searched(kept, "gelgit")
    kept.window.parts.sidebar.step(1)
    kept.until(kept.window.parts.find_bar.isVisible)
    if ends == "cleared":
        kept.window.parts.sidebar.search.clear()
    else:
        kept.window.actions_by_name["continue"].trigger()
    kept.until(kept.window.parts.find_bar.isHidden)
    assert not kept.window.parts.transcript.marking._marks


def test_enter_in_the_search_opens_the_best_hit_once_it_is_known(kept: Stage) -> None:
    sidebar, sessions = kept.window.parts.sidebar, kept.window.sessions
    sidebar.query.focus()
    QTest.keyClicks(sidebar.search, "gelgit")
    QTest.keyClick(sidebar.search, Qt.Key.Key_Return)
    kept.until(lambda: sessions.shown is not None)
    best = sidebar.list.current_entry()
    assert best is not None
    assert sessions.shown is not None
    assert best.session_id == sessions.shown.id


def test_enter_where_nothing_was_found_opens_nothing(kept: Stage) -> None:
    sidebar = kept.window.parts.sidebar
    searched(kept, "kuantumlu")
    QTest.keyClick(sidebar.search, Qt.Key.Key_Return)
    kept.until(lambda: not kept.is_finding())
    assert kept.window.sessions.shown is None


def test_enter_in_the_field_of_all_results_opens_the_first(kept: Stage) -> None:
    page, sessions = kept.window.parts.results, kept.window.sessions
    kept.window.actions_by_name["results"].trigger()
    QTest.keyClicks(page.field, "gelgit")
    QTest.keyClick(page.field, Qt.Key.Key_Return)
    kept.until(lambda: sessions.shown is not None)


def test_nothing_is_counted_or_missed_while_a_search_may_find_more(
    opens: Callable[[], Stage], monkeypatch: pytest.MonkeyPatch
) -> None:
    stage, asked, go = opens(), list[SearchMode](), Event()

    def find(query: Query) -> list[Hit]:
        asked.append(query.mode)
        if query.mode is SearchMode.AUTO:
            go.wait(WAIT_MS / 1_000)
        return []

    monkeypatch.setattr(stage.services.search, "find", find)
    stage.attach()
    sidebar, page = stage.window.parts.sidebar, stage.window.parts.results
    chip, missing = sidebar.chips._buttons[Filter.MESSAGES], (sidebar.list._nothing, page._nothing)
    sidebar.search.setText("gelgit")
    stage.until(lambda: asked.count(SearchMode.AUTO) == 1)
    stage.window.actions_by_name["results"].trigger()
    stage.until(lambda: asked.count(SearchMode.AUTO) == 2)
    assert sidebar.model.is_searching
    assert chip.text().strip() == "Messages"
    assert not any("gelgit" in one.text() for one in missing)
    go.set()
    stage.until(lambda: chip.text() == "Messages 0")
    stage.until(lambda: all("gelgit" in one.text() for one in missing))
    sidebar.search.setText("gelgitler")
    assert chip.text().strip() == "Messages"
