"""The diary's window over the real core, and the entries that the search finds."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import combinations
from threading import Event

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog, QTableView, QWidget

from desktop.domain.diary import Watch, WatchedItem, WatchKind, local_day
from desktop.domain.projects import EVERYTHING
from desktop.sessions.keeping.diary import Diary
from desktop.sessions.keeping.housekeeping import TaskCount
from desktop.settings.settings import DiaryMode, UiLanguage
from desktop.ui.diary.diary_page import DiaryPage
from desktop.ui.formatting import full_day
from desktop.ui.widgets.buttons import Button, IconButton
from desktop.ui.widgets.fields import WrappingCheckBox
from tests.archives import finished
from tests.narrowing import present
from tests.ui.dialogs.stand_ins import texts
from tests.ui.main_window.stage import Stage

STEP = "Yarın mayayı iki kez besleyeceğim."
AT = datetime(2026, 3, 5, 12, tzinfo=UTC)
DAY, DAY_BEFORE = date(2026, 3, 5), date(2026, 3, 4)


@pytest.fixture
def stage(opens: Callable[[], Stage]) -> Stage:
    """Two days with a session each."""
    made = opens()
    yeast = ("Ekşi maya kaç gün dayanır?", "Üç hafta dayanır.", STEP, "Tamam.")
    gears = ("Dişli oranı nedir?", "Ön dişli bölü arka dişli.")
    made.archive.imports.add(
        [
            finished("maya", *yeast, title="Maya", summary="Maya üç hafta dayanır.", at=AT),
            finished("disli", *gears, title="Dişli", at=AT - timedelta(days=1)),
        ]
    )
    made.attach()
    assert made.services.diary.write_due(lambda: False) == 2
    made.archive.index.index_session(made.archive.sessions.sessions(EVERYTHING)[0].id)
    return made


def opened(stage: Stage, day: date | None = None) -> DiaryPage:
    stage.window.diary.open(day)
    window = present(stage.window.diary.page)
    stage.until(lambda: window.is_loaded)
    return window


def button(window: DiaryPage, words: str) -> Button:
    return next(one for one in window.findChildren(Button) if words in one.text())


def test_the_menu_opens_the_newest_day(stage: Stage) -> None:
    stage.window.actions_by_name["diary"].trigger()
    window = present(stage.window.diary.page)
    stage.until(lambda: window.is_loaded)
    assert window.calendar.day == DAY
    assert "Üç hafta dayanır." in texts(window.page)
    assert set(window.calendar._days) == {DAY, DAY_BEFORE}


def test_the_keyboard_goes_from_day_to_day(stage: Stage) -> None:
    window = opened(stage)
    (table,) = window.calendar.findChildren(QTableView)
    QTest.keyClick(table, Qt.Key.Key_Left)
    assert window.calendar.day == DAY_BEFORE
    assert "Dişli oranı nedir?" in texts(window.page)
    QTest.keyClick(table, Qt.Key.Key_Left)
    assert "This day has no entry." in texts(window.page)


def test_a_thought_is_ticked_off_wherever_it_is_shown_and_leaves_the_open_ones(
    stage: Stage,
) -> None:
    window = opened(stage)
    (box,) = window._list.findChildren(WrappingCheckBox)
    (shown,) = window.page.findChildren(WrappingCheckBox)
    assert box.text() == STEP
    box.click()
    stage.until(lambda: "0 open items" in window._count.text())
    (kept,) = stage.services.archive.diary_entries(EVERYTHING, DAY, DAY)[0].thoughts
    assert kept.done_at is not None
    assert shown.isChecked()
    window.load()
    stage.until(lambda: not window._list.findChildren(WrappingCheckBox))


def test_the_keyboard_stays_at_a_thought_that_it_ticks_off(stage: Stage) -> None:
    window = opened(stage)
    (box,) = window.page.findChildren(WrappingCheckBox)
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Space)
    stage.until(lambda: "0 open items" in window._count.text())
    assert window.focusWidget() is box


def write(window: DiaryPage, words: str) -> QInputDialog:
    """Write the user's text for the day that is shown, without saving it."""
    button(window, "Edit").click()
    dialog = next(one for one in window.findChildren(QInputDialog) if one.isVisible())
    dialog.setTextValue(words or dialog.textValue())
    return dialog


@pytest.mark.parametrize("zoom", [100, 180, 200])
def test_calendar_list_and_entry_never_overlap(stage: Stage, zoom: int) -> None:
    stage.window.resize(900, 640)
    changes = stage.window.changes
    changes.apply(replace(changes.settings, zoom_percent=zoom))
    window = opened(stage)
    parts: list[QWidget] = [window.calendar, window._list, window.page]
    stage.until(lambda: window.calendar.height() >= window.calendar.minimumHeight() > 0)
    places = [QRect(part.mapTo(window, QPoint(0, 0)), part.size()) for part in parts]
    assert not any(place.intersects(other) for place, other in combinations(places, 2))


def test_a_line_leads_to_its_message(stage: Stage) -> None:
    window = opened(stage)
    go = next(one for one in window.page.findChildren(IconButton) if STEP in one.accessibleName())
    go.click()
    stage.until(lambda: STEP in stage.shown())
    assert not window.isVisible()


def test_the_users_text_is_not_overwritten(stage: Stage) -> None:
    window = opened(stage)
    dialog = write(window, "Fırın bozuldu.")
    assert window.holds_work
    dialog.accept()
    stage.until(lambda: "Fırın bozuldu." in texts(window.page))
    assert stage.services.diary.write(DAY) == stage.services.archive.diary_entries(EVERYTHING)[0]
    assert stage.services.archive.diary_entries(EVERYTHING)[0].note == "Fırın bozuldu."


def test_a_text_is_of_the_day_that_it_was_begun_for(stage: Stage) -> None:
    window = opened(stage)
    dialog = write(window, "Fırın bozuldu.")
    window.calendar.choose(DAY_BEFORE)
    dialog.accept()
    stage.until(
        lambda: stage.services.archive.diary_entries(EVERYTHING)[0].note == "Fırın bozuldu."
    )
    assert "Dişli oranı nedir?" in texts(window.page)


def test_an_unchanged_or_cancelled_text_stays_the_automatic_one(stage: Stage) -> None:
    window = opened(stage)
    with stage.qtbot.assertNotEmitted(window.page.edited):
        write(window, "").accept()
        write(window, "Fırın bozuldu.").reject()


def test_the_search_for_sessions_finds_days_and_opens_them(stage: Stage) -> None:
    sidebar = stage.window.parts.sidebar
    sidebar.search.setText("besleyeceğim")
    stage.until(lambda: "Thursday, March 5, 2026" in stage.rows() and not stage.is_finding())
    with stage.qtbot.waitSignal(sidebar.place_chosen) as chosen:
        place = stage.rows().index("Thursday, March 5, 2026")
        sidebar.list.opened.emit(sidebar.model.row(sidebar.model.index(place)))
    assert chosen.args == [DAY]
    assert stage.window.diary.page is not None


def test_what_a_watch_found_is_found_in_the_sidebar_and_opens_its_day(stage: Stage) -> None:
    store, sidebar = stage.archive.watches, stage.window.parts.sidebar
    watch = stage.services.watches.add(WatchKind.FEED, "https://blog.example/feed")
    store.keep_look(watch.id, ["1"], [WatchedItem("Rye bread", "https://blog.example/rye")])
    sidebar.search.setText("rye")
    today = full_day(local_day(datetime.now(UTC)))
    stage.until(lambda: today in stage.rows() and not stage.is_finding())
    row = present(sidebar.model.row(sidebar.model.index(stage.rows().index(today))))
    sidebar.list.opened.emit(row)
    stage.until(lambda: stage.window.diary.page is not None)
    page = present(stage.window.diary.page)
    stage.until(lambda: "Rye bread" in texts(page.page))


def test_the_results_page_counts_sessions_and_opens_days(stage: Stage) -> None:
    results = stage.window.parts.results
    stage.window.commands.search.show_results("besleyeceğim")
    stage.until(lambda: len(results.model.sessions) == 2)
    assert "1 session" in texts(results)
    with stage.qtbot.waitSignal(results.place_chosen) as chosen:
        results._open(next(one for one in results.model.sessions if one.is_day))
    assert chosen.args == [DAY]


def test_an_empty_diary_is_written_on_request(empty: Stage) -> None:
    window = opened(empty)
    assert any("Every line links to its message." in one for one in texts(window))
    empty.archive.imports.add([finished("maya", "Ekşi maya nedir?", "Un.", title="Maya", at=AT)])
    window.calendar.choose(DAY)
    button(window, "Write this").click()
    empty.until(lambda: "Ekşi maya nedir?" in texts(window.page))


def test_a_switched_off_diary_offers_no_writing(empty: Stage) -> None:
    empty.changes.apply(replace(empty.changes.settings, diary=DiaryMode.OFF))
    window = opened(empty)
    assert "Write" not in " ".join(one.text() for one in window.findChildren(Button))
    assert any("turned off" in one for one in texts(window))


def test_another_language_reopens_the_window_at_its_day(stage: Stage) -> None:
    old = opened(stage, DAY_BEFORE)
    stage.changes.choose_language(UiLanguage.TR)
    window = present(stage.window.diary.page)
    assert window is not old
    stage.until(lambda: window.is_loaded)
    assert window.windowTitle() == "Günlük"
    assert window.calendar.day == DAY_BEFORE


def test_other_changes_do_not_wait_for_the_model(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    go, begun = Event(), Event()

    def write(*_: object) -> bool:
        begun.set()
        return go.wait(5)

    window = opened(stage, DAY)
    monkeypatch.setattr(Diary, "write", write)
    button(window, "Write a&gain").click()
    assert "Writing…" in texts(window)
    stage.until(begun.is_set)
    told: list[object] = []
    window._worker.do_in_turn(lambda _: None, told.append)
    stage.until(lambda: bool(told))
    assert not go.is_set()
    go.set()
    stage.until(lambda: "Writing…" not in texts(window))


def test_what_a_watch_found_is_shown_on_its_day_with_its_words(stage: Stage) -> None:
    store = stage.archive.watches
    watch = stage.services.watches.add(WatchKind.FEED, "https://blog.example/feed")
    item = WatchedItem("Rye bread", "https://blog.example/rye", "Rye needs time.", "", True)
    store.keep_look(watch.id, ["1"], [item], left_out=2)
    with stage.qtbot.waitSignal(stage.window.diary.found) as notified:
        stage.window.diary.show_found(TaskCount("watches", 1))
    assert notified.args == ["Watches found 1 new thing."]  # others may see a notification
    assert "1 new thing." in stage.window.parts.strip.text("watches")
    stage.window.parts.strip._choose("watches", 0)
    window = present(stage.window.diary.page)
    stage.until(lambda: "Rye bread" in texts(window.page))
    shown = texts(window.page)
    assert "“Rye needs time.”" in shown
    assert any("look like instructions" in text for text in shown)
    assert "2 more are not shown." in shown
    names = [one.accessibleName() for one in window.page.findChildren(IconButton)]
    assert "Open in the browser: Rye bread" in names


def test_a_watch_is_added_looked_at_paused_and_removed_with_undo(stage: Stage) -> None:
    window = opened(stage)
    dialog = window.open_watches()
    assert not dialog.add.isEnabled()
    dialog.kind.show_value(WatchKind.FEED)
    dialog.subject.setText("blog.example/feed")
    dialog.add.click()
    stage.until(lambda: "watch" in dialog.strip and "is off" in dialog.strip.text("watch"))

    def watches() -> Sequence[Watch]:
        return stage.services.watches.watches(EVERYTHING)

    def press(words: str) -> None:
        button = "{}: https://blog.example/feed".format
        stage.until(lambda: button(words) in named(dialog))
        named(dialog)[button(words)].click()

    assert [watch.subject for watch in watches()] == ["https://blog.example/feed"]
    press("Pause")
    stage.until(lambda: watches()[0].is_paused)
    press("Resume")
    stage.until(lambda: not watches()[0].is_paused)
    press("Remove")
    stage.until(lambda: not watches() and "Nothing is watched." in texts(dialog))
    dialog.strip.undo_last()
    stage.until(lambda: bool(watches()) and "https://blog.example/feed" in texts(dialog))


def named(widget: QWidget) -> dict[str, Button]:
    return {one.accessibleName(): one for one in widget.findChildren(Button)}
