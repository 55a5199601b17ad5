from datetime import UTC, datetime

from pytestqt.qtbot import QtBot

from desktop.domain.ids import SessionId
from desktop.domain.search import Suggestion
from desktop.ui.composer.suggestions import Suggestions
from desktop.ui.theme.theme import ThemeController


def suggestion(name: str, title: str, month: int) -> Suggestion:
    at = datetime(2024, month, 3, 12, tzinfo=UTC)
    return Suggestion(SessionId(name), None, title, at, ())


def test_two_sessions_of_one_title_are_told_apart_by_their_days(
    qtbot: QtBot, theme: ThemeController
) -> None:
    chips = Suggestions(theme)
    qtbot.addWidget(chips)
    chips.resize(900, 40)
    same = [suggestion("a", "Ekşi maya", 3), suggestion("b", "Ekşi maya", 5)]
    chips.show_suggestions([*same, suggestion("c", "Nar ekşisi", 7)])
    chips.show()
    first, second, third = (chip.text() for chip in chips._chips)
    assert first != second
    assert all(text.startswith("Ekşi maya · ") and "2024" in text for text in (first, second))
    assert third == "Nar ekşisi"
