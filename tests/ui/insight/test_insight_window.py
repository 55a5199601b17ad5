"""The insight window over the real core."""

import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from desktop.domain.ids import SessionId
from desktop.domain.messages import Rating, Thumb
from desktop.domain.usage import DailyFigure, Figure, Purpose, Usage
from desktop.sessions.keeping.insight import InsightPart
from desktop.settings.settings import Theme, UiLanguage
from desktop.ui.insight.insight_page import InsightPage, InsightPeriod
from desktop.ui.insight.pictures import Chart, Plot
from tests.archives import finished
from tests.narrowing import present
from tests.ui.main_window.stage import Stage
from tests.ui.read_aloud import nameless

NOW = datetime.now(UTC)


@pytest.fixture
def stage(empty: Stage) -> Stage:
    """A session of yesterday and one of two years ago, with everything that is counted."""
    archive = empty.archive
    for name, days, topics in (("new", 1, ["gelgit"]), ("old", 730, ["gelgit", "uyku"])):
        at = NOW - timedelta(days=days)
        archive.imports.add([finished(name, "Nedir?", "Şudur.", topics=topics, at=at)])
    answer = archive.sessions.messages(SessionId("new"))[1]
    archive.answers.rate(Rating(answer.id, Thumb.DOWN))
    spent = Usage(900, 100, cost_usd=0.02)
    archive.answers.count_usage(SessionId("new"), spent, purpose=Purpose.ANSWER, model="m")
    archive.background.add(Purpose.DIARY, "m", Usage(50, 10, cost_usd=0.01))
    archive.daily_figures.add([DailyFigure(NOW.date(), Figure.SEARCH_MS, 2, 50.0)])
    return empty


def opened(stage: Stage) -> InsightPage:
    stage.window.actions_by_name["insight"].trigger()
    window = present(stage.window.insight.page)
    stage.until(lambda: window.is_loaded)
    return window


def choose(stage: Stage, window: InsightPage, span: InsightPeriod) -> None:
    before = window._insight
    button = window._spans.buttons()[list(InsightPeriod).index(span)]
    button.click()
    stage.until(lambda: window._insight is not before and window.is_loaded)


def pictures(window: InsightPage) -> list[QWidget]:
    return [one for one in window.findChildren(Plot) if one.isVisibleTo(window)]


def cells(window: InsightPage, part: InsightPart) -> list[list[str]]:
    card = window.cards[part]
    table = card.table
    if table.isHidden():
        card.toggle.click()
    items = [
        [table.item(row, at) for at in range(table.columnCount())]
        for row in range(table.rowCount())
    ]
    return [[one.text() for one in row if one is not None] for row in items]


def test_every_part_has_a_chart_and_the_same_in_a_table(stage: Stage) -> None:
    window = opened(stage)
    assert not nameless(window)
    for part, card in window.cards.items():
        is_charted = part not in {InsightPart.MEMORY, InsightPart.BACKGROUND}
        assert card.toggle.isVisible() is is_charted, part
        assert cells(window, part), part
    assert cells(window, InsightPart.THUMBS)[0][1:] == ["0", "1"]
    assert cells(window, InsightPart.MEMORY) == [["Time to search", "25.0 ms", "2"]]
    used = ["Diary", "1", "60", "$0.01"]
    assert cells(window, InsightPart.BACKGROUND) == [
        [period, *used] for period in ("Today", "7 days", "30 days")
    ]
    assert cells(window, InsightPart.SPENDING)[0][1:] == ["m", "900", "100", "0", "$0.02"]


def test_a_key_switches_between_chart_and_table(stage: Stage) -> None:
    window = opened(stage)
    card = window.cards[InsightPart.HOURS]
    count = len(pictures(window))
    QTest.keyClick(card.toggle, Qt.Key.Key_Return)
    assert (card.table.isVisible(), len(pictures(window))) == (True, count - 1)
    QTest.keyClick(card.toggle, Qt.Key.Key_Space)
    assert (card.table.isVisible(), len(pictures(window))) == (False, count)


def test_tab_leads_from_the_period_through_every_part(stage: Stage) -> None:
    window = opened(stage)
    window.activateWindow()
    stage.until(window.isActiveWindow)
    chosen = present(window._spans.checkedButton())
    stage.until(chosen.hasFocus)
    met: list[QWidget | None] = []
    stops = [
        card.toggle if card.toggle.isVisible() else card.table for card in window.cards.values()
    ]
    for _ in stops:
        QTest.keyClick(window, Qt.Key.Key_Tab)
        met.append(window.focusWidget())
    assert met == stops


def test_a_period_counts_what_lies_in_it(stage: Stage) -> None:
    window = opened(stage)
    assert len(cells(window, InsightPart.ACTIVITY)) == 1
    choose(stage, window, InsightPeriod.ALL)
    assert len(cells(window, InsightPart.ACTIVITY)) == 2
    assert cells(window, InsightPart.SUBJECTS)[0][:2] == ["gelgit", "2"]
    choose(stage, window, InsightPeriod.MONTH)
    assert len(cells(window, InsightPart.ACTIVITY)) == 1


def test_what_was_sent_in_the_background_is_shown_without_a_session(empty: Stage) -> None:
    empty.archive.background.add(Purpose.WATCH, "m", Usage(50, 10))
    window = opened(empty)
    assert window.cards[InsightPart.BACKGROUND].table.isVisible()
    assert cells(window, InsightPart.BACKGROUND)[0][:2] == ["Today", "Watches"]


def test_without_a_session_the_window_says_what_will_be_here(empty: Stage) -> None:
    window = opened(empty)
    assert not pictures(window)
    assert not any(card.isVisible() for card in window.cards.values())


def test_a_change_of_language_opens_it_again_with_the_same_period(stage: Stage) -> None:
    window = opened(stage)
    choose(stage, window, InsightPeriod.ALL)
    stage.changes.choose_language(UiLanguage.TR)
    stage.until(lambda: stage.window.insight.page is not window)
    again = present(stage.window.insight.page)
    stage.until(lambda: again.is_loaded)
    assert (again.windowTitle(), again.span) == ("Genel bakış", InsightPeriod.ALL)


def test_a_change_of_theme_colours_the_pictures_again(stage: Stage) -> None:
    window = opened(stage)
    stage.theme.apply(Theme.DARK)
    stage.until(lambda: window.is_loaded)
    dark = stage.theme.tokens.raised
    assert {one.backgroundBrush().color().name() for one in window.findChildren(Chart)} >= {dark}


def test_at_the_narrowest_and_the_largest_type_nothing_is_wider_than_the_window(
    stage: Stage,
) -> None:
    stage.theme.apply(Theme.LIGHT, zoom_percent=200)
    window = opened(stage)
    window.resize(900, 640)
    stage.until(lambda: window.width() == 900)
    room = window._area.viewport().width()
    assert all(card.geometry().right() <= room for card in window.cards.values())


def test_the_wheel_over_a_chart_scrolls_the_page(stage: Stage) -> None:
    window = opened(stage)
    chart = window.findChildren(Chart)[0]
    before = chart.viewRange()
    at = chart.rect().center()
    down = QPoint(0, -120)
    none = Qt.KeyboardModifier.NoModifier
    event = QWheelEvent(
        at, chart.mapToGlobal(at), down, down, Qt.MouseButton.NoButton, none,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(chart.viewport(), event)
    assert chart.viewRange() == before
    assert not event.isAccepted()


def test_the_figures_of_the_memory_are_stored_while_the_window_is_open(empty: Stage) -> None:
    empty.services.figures.record(Figure.CACHE_HITS, 1)
    empty.window.background._look_at_clock()

    def is_stored() -> bool:
        figures = empty.archive.daily_figures.figures()
        return any(one.figure is Figure.CACHE_HITS for one in figures)

    empty.until(is_stored)


def test_pyqtgraph_is_imported_only_when_the_window_opens() -> None:
    program = (
        "import sys, desktop.app.window, desktop.sessions.services;"
        "print([one for one in ('pyqtgraph', 'numpy') if one in sys.modules])"
    )
    done = subprocess.run(  # noqa: S603 (this very program)
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert done.stdout.strip() == "[]"
