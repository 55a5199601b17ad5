"""The transcript by keyboard, its column, and what it never loads."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from desktop.domain.messages import Citation, CitationState
from desktop.ui.transcript.column import ABOVE, Estimate, ListLayout
from desktop.ui.transcript.entries import Entry, MessageEntry, MessageFacts, Notice, NoticeAction
from desktop.ui.transcript.markdown import InlineSpan, Paragraph, Style, parse
from desktop.ui.transcript.view import TranscriptView
from desktop.ui.widgets.plain_text import MessageBox
from tests.narrowing import instance, present
from tests.ui.transcript.conftest import answer, card_of, dialogue, question


def test_arrows_go_from_message_to_message(qtbot: QtBot, view: TranscriptView) -> None:
    messages = dialogue(200)
    view.show_session(messages)
    view.restore_anchor(99)
    first = card_of(view, messages[100])
    first.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(first, Qt.Key.Key_Up)
    assert QApplication.focusWidget() is card_of(view, messages[99])


def test_tab_goes_through_one_message_and_then_out(qtbot: QtBot, view: TranscriptView) -> None:
    messages = dialogue(30)
    view.show_session(messages)
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Tab)
    card = card_of(view, messages[-1])
    assert QApplication.focusWidget() is card
    QTest.keyClick(card, Qt.Key.Key_Tab)
    focus = present(QApplication.focusWidget())
    assert card.isAncestorOf(focus)


def test_tab_goes_from_a_message_into_the_notices_below_it(
    qtbot: QtBot, view: TranscriptView
) -> None:
    messages = dialogue(4)
    view.show_session(messages)
    view.add_notice(Notice("end", "Oturum bitti.", [NoticeAction("undo", "Geri al")]))
    notice = view.live[view.entries[-1]]
    card_of(view, messages[-1]).setFocus(Qt.FocusReason.TabFocusReason)
    focus = QApplication.focusWidget()
    seen = []
    while focus is not None and focus is not notice and focus not in seen:
        seen.append(focus)
        QTest.keyClick(focus, Qt.Key.Key_Tab)
        focus = QApplication.focusWidget()
    assert focus is notice


def test_an_arrow_first_shows_the_rest_of_a_message_taller_than_the_window(
    qtbot: QtBot, view: TranscriptView
) -> None:
    messages = dialogue(40)
    view.resize(420, 160)
    view.show_session(messages)
    view.restore_anchor(22)
    card = card_of(view, messages[21])
    assert card.height() > view.viewport().height()
    card.setFocus(Qt.FocusReason.TabFocusReason)
    before = card.y()
    QTest.keyClick(card, Qt.Key.Key_Down)
    assert QApplication.focusWidget() is card
    assert card.y() < before


def test_the_focus_is_visible_also_below_a_long_answer(qtbot: QtBot, view: TranscriptView) -> None:
    messages = [question(1), answer(2, "Bir paragraf daha.\n\n" * 200)]
    view.show_session(messages)
    view.restore_anchor(2, 0)
    card = card_of(view, messages[1])
    card.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(card, Qt.Key.Key_Tab)
    focus = instance(QApplication.focusWidget(), QToolButton)

    top = focus.mapTo(view.viewport(), QPoint()).y()
    assert 0 <= top <= view.viewport().height() - focus.height()


HIGH = 100
QUESTION = question(1)


def entries(count: int) -> list[Entry]:
    return [MessageEntry(QUESTION) for _ in range(count)]


def column(count: int, height: int = 50) -> ListLayout:
    made = ListLayout(lambda: lambda _: height)
    made.fill(entries(count))
    return made


def tops(column: ListLayout) -> list[int]:
    return [column.top(entry) - ABOVE for entry in column.entries]


def test_a_place_between_entries_belongs_to_the_lower_one() -> None:
    made = column(3)
    places = (-5, 0, 49, 50, 99, 100, 999)
    assert [made.at(ABOVE + y) for y in places] == [0, 0, 0, 1, 1, 2, 2]


sizes = st.integers(1, 500)


@given(st.integers(1, 9), st.lists(st.tuples(st.integers(0, 99), sizes)), st.data())
def test_after_any_changes_an_entry_is_below_all_before_it(
    count: int, changes: list[tuple[int, int]], data: st.DataObject
) -> None:
    made, plain = column(count), [50] * count
    for place, height in changes:
        index = place % len(plain)
        match data.draw(st.sampled_from(["measure", "insert", "remove"])):
            case "measure":
                made.measure(made.entries[index], height)
                plain[index] = height
            case "insert":
                made.insert(index, *entries(1))
                plain.insert(index, 50)
            case _ if len(plain) > 1:
                made.remove(index, index + 1)
                del plain[index]
        index = place % len(plain)
        assert made.top(made.entries[index]) - ABOVE == sum(plain[:index])
    assert tops(made) == [sum(plain[:index]) for index in range(len(plain))]
    assert [entry.index for entry in made.entries] == list(range(len(plain)))


def test_a_window_shows_what_it_covers_and_as_much_around_as_asked_for() -> None:
    made = column(20)
    assert made.span(ABOVE + 500, HIGH) == (10, 13)
    assert made.span(ABOVE + 500, HIGH, beyond=1) == (8, 15)
    assert column(0).span(0, HIGH) == (0, 0)


def test_live_cards_keep_their_height_while_others_are_estimated_again() -> None:
    guesses = [50, 70]

    def estimates() -> Estimate:
        height = guesses.pop(0)
        return lambda _: height

    made = ListLayout(estimates)
    made.fill(entries(3))
    alive = made.entries[0]
    made.measure(alive, 33)
    made.estimate_all_but({alive})
    assert tops(made) == [0, 33, 103]
    assert not alive.is_measured


MADE = "https://made.example"
KNOWN = {1: Citation(1, CitationState.CHECKED, "gece", "s", "p", "Somogyi")}


@pytest.mark.parametrize(
    ("source", "runs"),
    [
        (f"Bak {MADE} [?], olur.", ("Bak ", MADE, " ", "[?]", ", olur.")),
        (f"[bu]({MADE})[?]", ("bu", "[?]")),
        ("Öyle [2?][?] ve [1].", ("Öyle ", "[2?]", "[?]", " ve", "1", ".")),
    ],
)
def test_it_is_set_apart_from_the_words_around_it(source: str, runs: tuple[str, ...]) -> None:
    (paragraph,) = parse(source, KNOWN).blocks
    assert isinstance(paragraph, Paragraph)
    assert tuple(run.text for run in paragraph.runs) == runs
    marks = [run for run in paragraph.runs if "?" in run.text]
    assert all(run == InlineSpan(run.text, Style.UNCHECKED) for run in marks)


def test_a_tool_tip_explains_its_meaning(view: TranscriptView) -> None:
    done = answer(2, f"Bak {MADE} [?] ve [1].")
    view.show_session([question(1), done], facts={done.id: MessageFacts(list(KNOWN.values()))})
    (pane,) = card_of(view, done).panes()
    at = QTextCursor(pane.document())
    told = {}
    for place, letter in enumerate(pane.toPlainText(), start=1):
        at.setPosition(place)
        told[letter] = at.charFormat().toolTip()
    assert "source" in told["?"]
    assert not told["B"]
    assert "gece" in told["1"]


EVIL = "https://evil.test/a"


def test_a_link_shows_its_target_on_hover_and_focus(
    view: TranscriptView, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    showing = "desktop.ui.widgets.plain_text.QToolTip.showText"
    monkeypatch.setattr(showing, lambda _, text, *__: told.append(text))
    done = answer(2, f"See [the page]({EVIL}).")
    view.show_session([question(1), done])
    (pane,) = card_of(view, done).panes()
    at = QTextCursor(pane.document())
    at.setPosition(len("See th"))
    assert at.charFormat().toolTip() == EVIL
    pane.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(pane, Qt.Key.Key_Tab)
    assert told == [EVIL]


@pytest.mark.parametrize(
    ("link", "asks"),
    [(f"[the page]({EVIL})", False), (f"[go*od*.org]({EVIL})", True), (EVIL, False)],
)
def test_a_link_that_names_another_host_asks_before_it_opens(
    view: TranscriptView, link: str, *, asks: bool
) -> None:
    done = answer(2, f"See {link}.")
    view.show_session([question(1), done])
    (pane,) = card_of(view, done).panes()
    opened: list[str] = []
    pane.link_activated.connect(opened.append)
    pane.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(pane, Qt.Key.Key_Tab)
    QTest.keyClick(pane, Qt.Key.Key_Return)
    boxes = [one for one in pane.window().findChildren(MessageBox) if one.isVisible()]
    assert len(boxes) == asks
    for box in boxes:
        assert "evil.test" in box.text()
        assert not opened
        (yes,) = [one for one in box.findChildren(QPushButton) if one is not box.defaultButton()]
        yes.click()
    assert opened == [EVIL]
