"""Formulas in an answer: typeset once they are drawn, and copied as TeX."""

from threading import Event

import pytest
from pytestqt.qtbot import QtBot

from desktop.language.formulas import FormulaDrawing, draw_formula
from desktop.settings.settings import Theme
from desktop.ui.theme.theme import ThemeController
from desktop.ui.transcript.view import TranscriptView
from tests.ui.transcript.conftest import answer, question

OBJECT = "\ufffc"
TEXT = r"""Kökler $x = \frac{-b}{2a}$ ve $\foo{y}$.

$$\sqrt{\frac{a}{b}}$$

| ad | formül |
|---|---|
| Gauss | $\int e^{-x^2}\,dx$ |
"""


def texts(view: TranscriptView) -> str:
    return "\n".join(pane.toPlainText() for card in view.live.values() for pane in card.panes())


def show(qtbot: QtBot, view: TranscriptView) -> None:
    view.show_session([question(1), answer(2, TEXT)])
    qtbot.waitUntil(lambda: texts(view).count(OBJECT) == 3, timeout=20_000)


def test_formulas_are_shown_as_written_until_they_are_drawn(
    qtbot: QtBot, view: TranscriptView, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_seen = Event()

    def draw_once_seen(tex: str, *, is_alone: bool) -> FormulaDrawing | None:
        is_seen.wait(20)
        return draw_formula(tex, is_alone=is_alone)

    monkeypatch.setattr("desktop.ui.transcript.document_writer.draw_formula", draw_once_seen)
    view.show_session([question(1), answer(2, TEXT)])
    assert r"$x = \frac{-b}{2a}$" in texts(view)
    before = [card.height() for card in view.live.values()]
    is_seen.set()
    qtbot.waitUntil(lambda: texts(view).count(OBJECT) == 3, timeout=20_000)
    assert [card.height() for card in view.live.values()][1] > before[1]


def test_an_unknown_command_stays_as_it_was_written(qtbot: QtBot, view: TranscriptView) -> None:
    show(qtbot, view)
    assert r"$\foo{y}$" in texts(view)


def test_a_typeset_formula_is_copied_as_tex(qtbot: QtBot, view: TranscriptView) -> None:
    show(qtbot, view)
    panes = [pane for card in view.live.values() for pane in card.panes()]
    panes[1].selectAll()
    assert r"Kökler $x = \frac{-b}{2a}$ ve $\foo{y}$." in panes[1].selected_text()
    assert r"$$\sqrt{\frac{a}{b}}$$" in panes[1].selected_text()


def test_formulas_are_painted_in_the_colour_of_each_theme(
    qtbot: QtBot, view: TranscriptView, theme: ThemeController
) -> None:
    show(qtbot, view)
    theme.apply(Theme.DARK)
    qtbot.waitUntil(lambda: texts(view).count(OBJECT) == 3, timeout=20_000)
    pane = [pane for card in view.live.values() for pane in card.panes()][1]
    shown = pane.grab().toImage()
    lightest = max(
        shown.pixelColor(x, y).lightness()
        for x in range(shown.width())
        for y in range(shown.height() // 2, shown.height())
    )
    assert lightest > 150
