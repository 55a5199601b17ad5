from datetime import UTC, datetime

from pytestqt.qtbot import QtBot

from desktop.domain.ids import SessionId
from desktop.domain.search import Suggestion
from desktop.ui.composer.suggestions import Suggestions
from desktop.ui.theme.theme import ThemeController


def suggestion(name: str, title: str, month: int) -> Suggestion:
    at = datetime(2024, month, 3, 12, tzinfo=UTC)
    return Suggestion(SessionId(name), None, title, at, ())


def test_in_a_narrow_window_there_are_fewer_of_them_and_each_says_something(
    qtbot: QtBot, theme: ThemeController
) -> None:
    chips = Suggestions(theme)
    qtbot.addWidget(chips)
    titles = ("Ekşi maya besleme düzeni", "Ekşi maya besleme düzeni", "Kira sözleşmesi")
    chips.show_suggestions([suggestion(str(n), title, n + 1) for n, title in enumerate(titles)])
    chips.show()

    def seen() -> list[str]:
        return [chip.text() for chip in chips._chips if chip.isVisible()]

    chips.resize(900, 40)
    qtbot.waitUntil(lambda: [len(text) > 8 for text in seen()] == [True, True, True])
    chips.resize(300, 40)
    qtbot.waitUntil(lambda: [len(text) > 8 for text in seen()] == [True])
