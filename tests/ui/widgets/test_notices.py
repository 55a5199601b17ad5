"""Notices by rank: a success disappears, a question stays, a bell lists the hidden ones."""

import pytest
from PySide6.QtCore import QCoreApplication, QPoint, QRect, QTimer
from PySide6.QtWidgets import QFrame, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from desktop.domain.language import Language
from desktop.settings.settings import UiLanguage
from desktop.ui.i18n import LanguageController
from desktop.ui.theme.theme import ThemeController
from desktop.ui.transcript.card import NoticeRow
from desktop.ui.widgets.bars import MessageBar, NoticeBell, Rank
from desktop.ui.widgets.buttons import PushButton
from desktop.ui.widgets.plain_text import MessageBox


class Notices:
    def __init__(self, qtbot: QtBot, theme: ThemeController) -> None:
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.bar = MessageBar(theme)
        self.bell = NoticeBell(theme, self.bar)
        layout = QVBoxLayout(self.window)
        layout.addWidget(self.bar)
        layout.addWidget(self.bell)
        self.window.resize(600, 500)
        self.window.show()

    def shown(self) -> set[str]:
        return {key for key, strip in self.bar._strips.items() if strip.isVisible()}

    def let_time_pass(self, key: str) -> None:
        strip = self.bar._strips[key]
        for timer in strip.findChildren(QTimer):
            timer.timeout.emit()

    def listed(self) -> list[str]:
        rows = self.open_list().findChildren(QFrame)
        return [one.accessibleName() for one in rows if one.property("role") == "notice"]

    def open_list(self) -> QFrame:
        self.bell.click()
        shown = [one for one in self.window.findChildren(QFrame) if one.isWindow()]
        return shown[-1]


@pytest.fixture
def notices(qtbot: QtBot, theme: ThemeController) -> Notices:
    return Notices(qtbot, theme)


def test_a_success_notice_closes_by_itself_and_can_be_undone_from_the_bell(
    notices: Notices,
) -> None:
    undone: list[str] = []
    notices.bar.show_message("done", "Saved.", ("Undo", lambda: undone.append("done")))
    assert notices.shown() == {"done"}
    assert notices.bell.isHidden()
    notices.let_time_pass("done")
    assert notices.shown() == set()
    assert notices.bell.isVisible()
    assert notices.listed() == ["Saved."]
    buttons = notices.open_list().findChildren(QPushButton)
    (button,) = [one for one in buttons if one.text() == "Undo"]
    button.click()
    assert undone == ["done"]
    assert notices.bell.isHidden()


@pytest.mark.parametrize("rank", [Rank.QUESTION, Rank.FAILURE])
def test_a_question_and_a_failure_stay(notices: Notices, rank: Rank) -> None:
    notices.bar.show_message("asked", "Archive?", ("Yes", lambda: None), rank=rank)
    notices.let_time_pass("asked")
    assert notices.shown() == {"asked"}


def test_a_success_stays_while_the_keyboard_is_in_it(notices: Notices, qtbot: QtBot) -> None:
    notices.bar.show_message("done", "Saved.", ("Undo", lambda: None))
    notices.bar._strips["done"].buttons[0].setFocus()
    qtbot.waitUntil(notices.bar._strips["done"].buttons[0].hasFocus)
    notices.let_time_pass("done")
    assert notices.shown() == {"done"}


def test_one_is_shown_where_two_would_fill_half_of_the_window(notices: Notices) -> None:
    for key in ("first", "second"):
        notices.bar.show_message(key, "Archive? " * 60, rank=Rank.QUESTION)
    notices.window.resize(900, 700)
    assert notices.shown() == {"first", "second"}
    notices.window.resize(300, 400)
    assert notices.shown() == {"second"}
    assert notices.bell.isVisible()


def test_buttons_stand_below_the_words_where_these_had_too_little_room(
    notices: Notices, qtbot: QtBot
) -> None:
    choices = [(words * 9, lambda: None) for words in ("Yes", "No", "Later")]
    notices.bar.show_message("asked", "Archive? " * 9, *choices, rank=Rank.QUESTION)
    row = notices.bar._strips["asked"]

    def is_beside() -> bool:
        return row.buttons[0].mapTo(row, QPoint()).x() > row._text.geometry().right()

    def is_inside(button: QPushButton) -> bool:
        return row.rect().contains(QRect(button.mapTo(row, QPoint()), button.size()))

    notices.window.resize(1_400, 500)
    qtbot.waitUntil(is_beside)
    notices.window.resize(400, 500)
    qtbot.waitUntil(lambda: not is_beside() and all(map(is_inside, row.buttons)))


def test_at_most_two_are_shown_and_questions_come_first(notices: Notices) -> None:
    notices.bar.show_message("tool", "Allow?", rank=Rank.QUESTION, can_be_closed=False)
    for place in range(4):
        notices.bar.show_message(f"fact{place}", f"Remembered {place}.")
    notices.bar.show_message("failed", "No network.", rank=Rank.FAILURE)
    assert notices.shown() == {"tool", "failed"}
    assert notices.bell.accessibleName().startswith("4 notice")
    assert notices.listed() == [f"Remembered {place}." for place in (3, 2, 1, 0)]
    notices.bar.remove("failed")
    assert notices.shown() == {"tool", "fact3"}


def test_what_undoes_the_last_action_is_shown_before_what_has_been_there_for_long(
    notices: Notices,
) -> None:
    notices.bar.show_message("archive", "Archive?", ("Yes", lambda: None), rank=Rank.QUESTION)
    notices.bar.show_message("broke", "It broke.", rank=Rank.FAILURE)
    for name in ("moved", "deleted"):
        notices.bar.show_message(name, f"{name}.", ("Undo", lambda: None))
    assert notices.shown() == {"deleted", "archive"}
    notices.let_time_pass("moved")
    notices.let_time_pass("deleted")
    assert notices.shown() == {"archive", "broke"}


def test_without_a_bell_no_notice_is_hidden(qtbot: QtBot, theme: ThemeController) -> None:
    bar = MessageBar(theme)
    qtbot.addWidget(bar)
    for place in range(3):
        bar.show_message(str(place), "Deleted.", ("Undo", lambda: None))
        bar.set_aside(str(place))
    assert [strip.isHidden() for strip in bar._strips.values()] == [False] * 3


def test_a_notice_is_announced_and_a_failure_at_once(
    notices: Notices, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[tuple[str, bool]] = []

    def take(_: QWidget, words: str, *, is_urgent: bool = False) -> None:
        said.append((words, is_urgent))

    monkeypatch.setattr("desktop.ui.widgets.bars.announce", take)
    notices.bar.show_message("a", "Exporting: 10%", can_be_closed=False)
    notices.bar.show_message("a", "Exporting: 20%", can_be_closed=False)
    notices.bar.show_message("a", "Saved.")
    notices.bar.show_message("b", "No network.", rank=Rank.FAILURE)
    assert said == [("Exporting: 10%", False), ("Saved.", False), ("No network.", True)]


def test_the_cross_of_a_notice_follows_the_language(notices: Notices) -> None:
    notices.bar.show_message("asked", "Archive?", rank=Rank.QUESTION)
    cross = notices.bar._strips["asked"].close_button
    languages = LanguageController(Language.EN)
    for language, words in ((UiLanguage.TR, "Kapat"), (UiLanguage.EN, "Close")):
        languages.apply(language)
        QCoreApplication.processEvents()
        assert cross.accessibleName() == words
    languages.withdraw()


def test_the_buttons_of_a_notice_in_the_conversation_stay_in_sight(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    buttons = [PushButton(words * 9) for words in ("Go on", "Try again")]
    row = NoticeRow("The answer was stopped. " * 3, buttons, window)
    widest = max(button.sizeHint().width() for button in buttons)
    for width in (4 * widest, widest + 60):
        row.fit(width)
        window.show()
        QCoreApplication.processEvents()
        for button in buttons:
            assert row.rect().contains(QRect(button.pos(), button.size()))


def test_the_buttons_of_a_question_stand_below_each_other_where_they_would_be_cut(
    qtbot: QtBot,
) -> None:
    for words, is_stacked in (("Leave", False), ("Leave without the others" * 9, True)):
        box = MessageBox(MessageBox.Icon.NoIcon, "Leave?")
        qtbot.addWidget(box)
        box.offer((words, lambda: None), stay="Cancel")
        places = {button.y() for button in box.buttons()}
        assert (len(places) > 1) is is_stacked
