"""Formulas in an answer: typeset once they are drawn, and copied as TeX."""

from pytestqt.qtbot import QtBot

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
    qtbot: QtBot, view: TranscriptView
) -> None:
    # Formulas of its own: what another test has drawn is there at once.
    own = TEXT.replace("2a", "31a").replace(r"\sqrt", r"\sqrt[31]").replace("x^2", "x^{31}")
    view.show_session([question(1), answer(2, own)])
    assert r"$x = \frac{-b}{31a}$" in texts(view)
    before = [card.height() for card in view.live.values()]
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
