"""The actions on messages, and the requests that the window gets."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence, QMouseEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from desktop.domain.ids import MessageId
from desktop.domain.messages import CUT, Citation, CitationState, Message, MessageState, Thumb
from desktop.settings.settings import Theme
from desktop.ui.theme.theme import ThemeController
from desktop.ui.transcript.actions import Actions
from desktop.ui.transcript.answer_card import AnswerCard
from desktop.ui.transcript.blocks import CodeBlock
from desktop.ui.transcript.card import Card, MessageCard
from desktop.ui.transcript.entries import (
    MessageAction,
    MessageFacts,
    MessageRequest,
    Notice,
    NoticeAction,
)
from desktop.ui.transcript.question_card import QuestionCard
from desktop.ui.transcript.text_block import TextPane
from desktop.ui.transcript.view import TranscriptView
from tests.narrowing import instance, present
from tests.ui.transcript.conftest import answer, card_of, cards_of, dialogue, question, settled

SMALLEST_TARGET = 24
"""Pixels that a finger or an unsteady hand still meets (WCAG 2.5.8)."""
CITED = MessageFacts(
    citations=[Citation(1, CitationState.CHECKED, "gece düşük", "s", "p", "Somogyi 1959")]
)


def text_of(card: MessageCard) -> str:
    return "\n".join(pane.toPlainText() for pane in card.panes())


def actions_of(card: MessageCard) -> Actions:
    card.keep_actions(shown=True)
    assert card._actions is not None
    return card._actions


def question_card(view: TranscriptView, message: Message) -> QuestionCard:
    return instance(card_of(view, message), QuestionCard)


def field_of(card: QuestionCard) -> QPlainTextEdit:
    return present(card.findChild(QPlainTextEdit))


def button_in(card: Card) -> QPushButton:
    return present(card.findChild(QPushButton))


def words_at(pane: TextPane, start: int, end: int) -> str:
    cursor = QTextCursor(pane.document())
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    return cursor.selectedText()


def _current_mark(card: Card) -> str:
    """The words of the current match, if they are in this message."""
    for pane in card.panes():
        for number, mark in enumerate(pane.marks):
            if number == pane.current_mark:
                return words_at(pane, *mark)
    return ""


def test_a_long_paste_shows_its_beginning_and_more_on_request(
    view: TranscriptView, qtbot: QtBot
) -> None:
    """All of it at once would block the window."""
    pasted = question(1, "Ay denizi çeker.\n" * 170_000)
    view.show_session([pasted])
    settled(qtbot, view)
    card = question_card(view, pasted)
    first = len(text_of(card))
    assert first < 2_000
    card._pane.link_activated.emit("more:")
    assert first < len(text_of(card)) < 12_000
    assert view.text_of(pasted.id) == pasted.content


def test_streamed_text_is_shown_and_ends_as_what_was_saved(
    qtbot: QtBot, view: TranscriptView
) -> None:
    streaming = answer(2, "", MessageState.STREAMING)
    view.show_session([question(1), streaming])
    for piece in ("Her **iki", "si** de ", "yükseltir."):
        view.add_text(streaming.id, piece)
    qtbot.waitUntil(lambda: "Her ikisi de yükseltir." in text_of(card_of(view, streaming)))
    done = replace(streaming, content="Her **ikisi** de yükseltir.", state=MessageState.COMPLETE)
    view.finish(done)
    assert text_of(card_of(view, streaming)) == "Her ikisi de yükseltir."


def test_text_that_was_no_answer_is_taken_back_while_it_streams(
    qtbot: QtBot, view: TranscriptView
) -> None:
    streaming = answer(2, "", MessageState.STREAMING)
    view.show_session([question(1), streaming])
    view.add_text(streaming.id, "Gizli düşünce.")
    qtbot.waitUntil(lambda: "Gizli" in text_of(card_of(view, streaming)))
    view.add_text(streaming.id, "Dahası.")
    view.set_text(streaming.id, "")
    view.add_text(streaming.id, "Görünen yanıt.")
    qtbot.waitUntil(lambda: "Görünen" in text_of(card_of(view, streaming)))
    assert text_of(card_of(view, streaming)) == "Görünen yanıt."


@pytest.mark.parametrize(("took_ms", "at_question"), [(300, True), (30_000, False)])
def test_an_answer_that_arrives_at_once_is_read_from_its_question_on(
    view: TranscriptView,
    took_ms: int,
    at_question: bool,  # noqa: FBT001
) -> None:
    streaming = answer(4, "", MessageState.STREAMING)
    view.show_session([*dialogue(2), question(3), streaming])
    text = "\n\n".join(f"Satır {n}" for n in range(60))
    done = replace(streaming, content=text, state=MessageState.COMPLETE, duration_ms=took_ms)
    view.finish(done)
    top = view.column.top(view.entries[-2])
    assert (top == view.verticalScrollBar().value()) is at_question
    assert view.is_at_end is not at_question


def test_a_burst_of_tokens_is_painted_once(qtbot: QtBot, view: TranscriptView) -> None:
    streaming = answer(2, "", MessageState.STREAMING)
    view.show_session([question(1), streaming])
    frames: list[int] = []
    view._growth._frame.timeout.connect(lambda: frames.append(1))
    for _ in range(200):
        view.add_text(streaming.id, "söz ")
    qtbot.waitUntil(lambda: not view._growth._arrived)
    assert len(frames) == 1


def test_finished_blocks_are_left_alone_while_the_answer_grows(
    qtbot: QtBot, view: TranscriptView
) -> None:
    streaming = answer(2, "", MessageState.STREAMING)
    view.show_session([question(1), streaming])
    view.add_text(streaming.id, "Birinci.\n\n```python\nx = 1\n```\n\nSon")
    qtbot.waitUntil(lambda: not view._growth._arrived)
    first, code, last = card_of(view, streaming).panes()
    qtbot.waitUntil(lambda: bool(code.document().firstBlock().layout().formats()))
    revisions = first.document().revision(), code.document().revision()
    view.add_text(streaming.id, " söz")
    qtbot.waitUntil(lambda: "Son söz" in last.toPlainText())
    assert (first.document().revision(), code.document().revision()) == revisions


@pytest.mark.parametrize("begun", ["-", "   -", "   - ", "   =", "   *", "|", "   ---"])
def test_the_first_sign_of_a_line_changes_nothing_above_it_until_more_arrives(
    qtbot: QtBot, view: TranscriptView, begun: str
) -> None:
    whole = "Bir liste:\n\n1. İlki\n2. İğcikler"
    streaming = answer(2, "", MessageState.STREAMING)
    stopped = answer(4, f"{whole}\n{begun}", MessageState.STOPPED)
    complete = answer(6, whole)
    view.show_session([question(1), streaming, question(3), stopped, question(5), complete])
    view.add_text(streaming.id, f"{whole}\n{begun}")
    qtbot.waitUntil(lambda: not view._growth._arrived)
    (expected,) = card_of(view, complete).panes()
    for message in (streaming, stopped):
        (pane,) = card_of(view, message).panes()
        assert pane.document().toHtml() == expected.document().toHtml()


@pytest.mark.parametrize("state", [MessageState.STOPPED, MessageState.INTERRUPTED])
def test_a_partial_answer_says_so_and_can_be_retried(
    view: TranscriptView, state: MessageState
) -> None:
    partial = answer(2, "Yarım kalan", state)
    view.show_session([question(1), partial])
    card = card_of(view, partial)
    assert button_in(card).isVisible()
    assert isinstance(card, AnswerCard)
    assert card._state_words() in card.accessibleDescription()


def test_an_answer_that_stopped_or_was_cut_can_be_continued_if_it_has_a_beginning(
    view: TranscriptView,
) -> None:
    partial, empty = (
        answer(number, text, MessageState.STOPPED)
        for number, text in ((2, "Yarım kalan [1]"), (4, ""))
    )
    cut = replace(answer(6, "Kesilen", MessageState.COMPLETE), error=CUT)
    view.show_session([question(1), partial, question(3), empty, question(5), cut])
    chosen: list[MessageRequest] = []
    view.action_chosen.connect(chosen.append)
    for message, offers in ((partial, True), (empty, False), (cut, True)):
        card = card_of(view, message)
        words = [one.text() for one in card.findChildren(QPushButton) if one.isVisibleTo(card)]
        assert ("Continue writing" in words) is offers
    by_name = {one.text(): one for one in card_of(view, partial).findChildren(QPushButton)}
    by_name["Continue writing"].click()
    assert chosen == [MessageRequest(MessageAction.GO_ON, partial.id)]


def test_an_answer_that_failed_before_its_first_word_offers_nothing_but_retry(
    view: TranscriptView,
) -> None:
    failed, partial = answer(2, "", MessageState.FAILED), answer(4, "Yarım", MessageState.FAILED)
    view.show_session([question(1), failed, question(3), partial])
    assert actions_of(card_of(view, failed)).tab_stops() == []
    assert (
        actions_of(card_of(view, partial))._copy in actions_of(card_of(view, partial)).tab_stops()
    )


def test_copy_and_rewrite_name_their_message(view: TranscriptView) -> None:
    done = answer(2)
    view.show_session([question(1), done])
    actions = actions_of(card_of(view, done))
    chosen: list[MessageRequest] = []
    view.action_chosen.connect(chosen.append)
    QTest.mouseClick(actions._copy, Qt.MouseButton.LeftButton)
    QTest.mouseClick(actions._rewrite, Qt.MouseButton.LeftButton)
    assert chosen == [
        MessageRequest(MessageAction.COPY, done.id),
        MessageRequest(MessageAction.REWRITE, done.id),
    ]


def test_escape_leaves_a_question_as_it_was(qtbot: QtBot, view: TranscriptView) -> None:
    asked = question(1)
    view.show_session([asked, answer(2)])
    card = question_card(view, asked)
    card.begin_edit()
    with qtbot.assertNotEmitted(view.action_chosen):
        QTest.keyClick(field_of(card), Qt.Key.Key_Escape)
    assert card._edit is None


def test_a_change_of_theme_does_not_lose_a_question_being_changed(
    view: TranscriptView, theme: ThemeController
) -> None:
    asked = question(1)
    view.show_session([asked, answer(2)])
    question_card(view, asked).begin_edit()
    field_of(question_card(view, asked)).setPlainText("yarım söz")
    theme.apply(Theme.LIGHT, zoom_percent=120)
    assert field_of(question_card(view, asked)).toPlainText() == "yarım söz"


def test_a_thumb_can_be_given_explained_and_taken_back(qtbot: QtBot, view: TranscriptView) -> None:
    done = answer(2)
    view.show_session([question(1), done], facts={done.id: MessageFacts()})
    actions = actions_of(card_of(view, done))
    heard: list[tuple[MessageId | None, Thumb | None, str]] = []
    view.action_chosen.connect(lambda one: heard.append((one.message, one.thumb, one.text)))
    QTest.mouseClick(actions._down, Qt.MouseButton.LeftButton)
    QTest.keyClicks(actions._words, "kaynak yok")
    QTest.keyClick(actions._words, Qt.Key.Key_Return)
    QTest.mouseClick(actions._down, Qt.MouseButton.LeftButton)
    assert heard == [
        (done.id, Thumb.DOWN, ""),
        (done.id, Thumb.DOWN, "kaynak yok"),
        (done.id, None, ""),
    ]


def test_facts_are_asked_for_only_for_what_comes_into_sight(
    qtbot: QtBot, view: TranscriptView
) -> None:
    messages = dialogue(500)
    with qtbot.waitSignal(view.facts_wanted) as wanted:
        view.show_session(messages)
    asked = wanted.args[0]
    assert messages[-1].id in asked
    assert len(asked) < 40


def test_citations_that_arrive_late_turn_their_numbers_into_links(view: TranscriptView) -> None:
    done = answer(2, "Doğru [1].")
    view.show_session([question(1), done])
    assert text_of(card_of(view, done)) == "Doğru [1]."
    view.set_facts(done.id, CITED)
    assert "[1]" not in text_of(card_of(view, done))


def test_a_citation_that_could_not_be_checked_says_so(view: TranscriptView) -> None:
    done = answer(2, "Doğru [1], belki [2].")
    unchecked = Citation(2, CitationState.UNCHECKED, "?", "s", "p", "Bir yazı")
    facts = MessageFacts(citations=[*CITED.citations, unchecked])
    view.show_session([question(1), done], facts={done.id: facts})
    assert text_of(card_of(view, done)).split() == ["Doğru", "1", ",", "belki", "2?", "."]


@pytest.mark.parametrize("text", ["1. Doğru [1].\n2. Belki", "Enerji $E=mc^2$ olur."])
def test_a_selection_is_copied_as_it_was_written(view: TranscriptView, text: str) -> None:
    """A selection includes its citations, list markers and formulas."""
    done = answer(2, text)
    view.show_session([question(1), done], facts={done.id: CITED})
    (pane,) = card_of(view, done).panes()
    pane.selectAll()
    pane.copy()
    assert QGuiApplication.clipboard().text() == text


def test_code_is_copied_by_its_button(qtbot: QtBot, view: TranscriptView) -> None:
    done = answer(2, "```python\nx = 'ğ'\n```")
    view.show_session([question(1), done])
    (pane,) = card_of(view, done).panes()
    block = instance(pane.parentWidget(), CodeBlock)
    copy = present(block.findChild(QToolButton))
    QTest.mouseClick(copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "x = 'ğ'"


def test_a_table_wider_than_the_column_scrolls_by_itself(view: TranscriptView) -> None:
    header = "|" + " Uzunca başlık |" * 12
    wide = answer(2, f"{header}\n|{'---|' * 12}\n|{' değer |' * 12}")
    view.show_session([question(1), wide])
    (pane,) = card_of(view, wide).panes()
    QApplication.processEvents()
    assert pane.horizontalScrollBar().maximum() > 0
    assert pane.width() <= view.column_width


def test_a_table_a_little_too_wide_has_narrower_columns_not_a_scroll_bar(
    view: TranscriptView,
) -> None:
    columns = view.column_width // 160 + 1  # as wide as columns are, if none is broken
    cell = " Bir hücrede birkaç kısa söz var ve yer yok |"
    table = answer(2, f"|{cell * columns}\n|{'---|' * columns}\n|{cell * columns}")
    view.show_session([question(1), table])
    (pane,) = card_of(view, table).panes()
    QApplication.processEvents()
    assert pane.horizontalScrollBar().maximum() == 0


def test_a_notice_is_after_its_message_and_goes_when_acted_on(
    qtbot: QtBot, view: TranscriptView
) -> None:
    messages = dialogue(4)
    view.show_session(messages)
    view.add_notice(
        Notice("end", "Oturum bitti.", [NoticeAction("undo", "Geri al")], messages[1].id)
    )
    entry = view.entries[2]
    button = button_in(view.live[entry])
    with qtbot.waitSignal(view.notice_action) as acted:
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert acted.args == ["end", "undo"]
    view.remove_notice("end")
    assert len(view.entries) == 4


def test_find_counts_every_place_in_turkish_and_goes_round(
    qtbot: QtBot, view: TranscriptView
) -> None:
    messages = dialogue(60)
    messages[10] = question(11, "IŞIK ve ışık")
    messages[50] = question(51, "isik burada")
    view.show_session(messages)
    assert view.marking.find("ışık") == 3
    first = view.marking.place
    assert [view.marking.step(1) for _ in range(3)][-1] == first
    view.marking.step(-1)
    (card,) = (card for card in cards_of(view) if _current_mark(card))
    assert 0 <= card.y() < view.viewport().height()
    view.marking.clear()
    assert not any(pane.marks for pane in card.panes())


def test_a_hit_opens_at_its_message_with_its_words_marked(
    qtbot: QtBot, view: TranscriptView
) -> None:
    messages = dialogue(2000)
    messages[500] = question(501, "Somogyi etkisi 🙂 kitaplarımızdan")
    view.show_session(messages)
    view.scroll_to(messages[500].id, ["kitap"])
    settled(qtbot, view)
    card = card_of(view, messages[500])
    assert 0 <= card.y() < view.viewport().height()
    (pane,) = card.panes()
    (mark,) = pane.marks
    assert words_at(pane, *mark) == "kitaplarımızdan"


def test_messages_have_names_for_screen_readers(view: TranscriptView) -> None:
    view.show_session([question(1), answer(2, "Yanıt budur.")])
    names = [card.accessibleName() for card in cards_of(view)]
    assert all(names)
    assert card_of(view, answer(2)).accessibleDescription().startswith("Yanıt budur.")


def test_find_leads_to_a_place_in_the_part_of_a_long_paste_that_was_not_laid_out(
    qtbot: QtBot, view: TranscriptView
) -> None:
    filler = "satır satır uzun bir metin\n" * 20_000
    paste = question(1, f"Işık {filler}IŞIK orada\n{filler}ışık sonda")
    view.show_session([paste, answer(2)])
    assert view.marking.find("ışık") == 3
    card = card_of(view, paste)
    assert _current_mark(card) == "Işık"
    view.marking.step(1)
    assert _current_mark(card) == "IŞIK"
    (pane,) = card.panes()
    assert pane.current_mark is not None
    y = pane.mapTo(view.viewport(), QPoint(0, pane.y_of_mark(pane.current_mark))).y()
    assert 0 <= y < view.viewport().height()
    assert len(pane.toPlainText()) < 20_000
    view.marking.step(1)
    assert _current_mark(card) == "ışık"
    view.marking.step(1)
    assert _current_mark(card) == "Işık"
    assert card.entry.shown_from == 0


def test_the_part_before_the_shown_part_of_a_paste_can_be_read(view: TranscriptView) -> None:
    paste = question(1, "ilk " + "sözcük " * 4_000 + "hedef " + "sözcük " * 4_000)
    view.show_session([paste])
    view.marking.find("hedef")
    card = question_card(view, paste)
    assert "earlier character" in text_of(card)
    while card.entry.shown_from:
        card._pane.link_activated.emit("before:")
    assert text_of(card).startswith("ilk sözcük")
    assert "hedef" in text_of(card)


def test_opening_a_session_lays_out_a_hit_deep_in_a_paste(view: TranscriptView) -> None:
    paste = question(1, "kit " + "sözcük akitap " * 4_000 + "kitaplarımızdan " + "son " * 9_000)
    view.show_session([paste, *dialogue(40)[1:]])
    view.scroll_to(paste.id, ["kitap"])
    (pane,) = card_of(view, paste).panes()
    assert "kitaplarımızdan" in pane.toPlainText()
    assert len(pane.marks) == 1


@pytest.mark.parametrize(("width", "zoom"), [(1000, 100), (620, 100), (620, 200)])
def test_the_button_to_the_newest_message_does_not_cover_the_words(
    qtbot: QtBot, view: TranscriptView, width: int, zoom: int
) -> None:
    view.theme.apply(Theme.LIGHT, zoom_percent=zoom)
    view.resize(width, 600)
    view.show_session(dialogue(60))
    view.restore_anchor(20)
    settled(qtbot, view)
    assert not view._newest.isHidden()
    assert view.viewport().rect().contains(view._newest.geometry())
    assert view._newest.width() >= SMALLEST_TARGET
    for card in cards_of(view):
        assert isinstance(card, MessageCard)
        for pane in card.panes():
            words = pane.rect().translated(pane.mapTo(view.viewport(), pane.rect().topLeft()))
            assert not words.intersects(view._newest.geometry())


BLOCKS = "Önce bu.\n\n| a | b |\n|---|---|\n| bir | iki [1] |\n\n```\nx = 1\n```\n\nSonra şu."


def _drag(pane: TextPane, start: int, other: TextPane, end: int) -> None:
    """Press in one block and drag to a letter of another."""

    def point(where: TextPane, position: int) -> QPointF:
        cursor = QTextCursor(where.document())
        cursor.setPosition(position)
        area = where.cursorRect(cursor)
        return QPointF(where.viewport().mapToGlobal(area.center()))

    left = Qt.MouseButton.LeftButton
    for kind, at, button in (
        (QEvent.Type.MouseButtonPress, point(pane, start), left),
        (QEvent.Type.MouseMove, point(other, end), Qt.MouseButton.NoButton),
        (QEvent.Type.MouseButtonRelease, point(other, end), left),
    ):
        held = Qt.MouseButton.NoButton if kind is QEvent.Type.MouseButtonRelease else left
        local = pane.viewport().mapFromGlobal(at)
        event = QMouseEvent(kind, local, at, button, held, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(pane.viewport(), event)


def test_a_selection_goes_through_the_blocks_of_an_answer(view: TranscriptView) -> None:
    done = answer(2, BLOCKS)
    view.show_session([question(1), done], facts={done.id: CITED})
    panes = list(card_of(view, done).panes())
    panes[0].setFocus()
    _drag(panes[0], 5, panes[3], 5)
    panes[0].copy()
    copied = "bu.\n\na\tb\nbir\tiki [1]\n\nx = 1\n\nSonra"
    assert QGuiApplication.clipboard().text() == copied
    _drag(panes[2], 0, panes[2], 0)
    assert not any(pane.textCursor().hasSelection() for pane in panes)
    _drag(panes[2], 1, panes[1], 0)
    QTest.keySequence(panes[2], QKeySequence(QKeySequence.StandardKey.Copy))
    assert QGuiApplication.clipboard().text() == "a\tb\nbir\tiki [1]\n\nx"
    assert not panes[0].textCursor().hasSelection()


def test_all_of_an_answer_is_selected_at_once_and_a_press_takes_that_back(
    view: TranscriptView,
) -> None:
    done = answer(2, BLOCKS)
    view.show_session([question(1), done])
    panes = list(card_of(view, done).panes())
    QTest.keySequence(panes[3], QKeySequence(QKeySequence.StandardKey.SelectAll))
    assert all(pane.textCursor().hasSelection() for pane in panes)
    _drag(panes[0], 0, panes[0], 0)
    _drag(panes[0], 0, panes[0], 4)
    assert [pane.selected_text() for pane in panes] == ["Önce", "", "", ""]


def test_a_selection_goes_from_one_message_to_the_next(view: TranscriptView) -> None:
    asked, done, more = question(1, "İlk soru"), answer(2, BLOCKS), question(3, "Sonraki soru")
    view.show_session([asked, done, more], facts={done.id: CITED})
    (first,), (last,) = (list(card_of(view, one).panes()) for one in (asked, more))
    first.setFocus()
    _drag(first, 4, last, 7)
    QTest.keySequence(first, QKeySequence(QKeySequence.StandardKey.Copy))
    copied = "soru\n\nÖnce bu.\n\na\tb\nbir\tiki [1]\n\nx = 1\n\nSonra şu.\n\nSonraki"
    assert QGuiApplication.clipboard().text() == copied
    _drag(last, 0, last, 0)
    assert not any(pane.textCursor().hasSelection() for pane in view._panes())


def test_a_selection_stays_while_it_is_out_of_sight(qtbot: QtBot, view: TranscriptView) -> None:
    messages = dialogue(80)
    view.show_session(messages)
    view.restore_anchor(1)
    settled(qtbot, view)
    origin, other = (next(iter(card_of(view, one).panes())) for one in messages[:2])
    origin.setFocus()
    _drag(origin, 0, other, 3)
    selected = view._selecting.text()
    assert selected.startswith(origin.toPlainText())
    view.go_to_end()
    settled(qtbot, view)
    assert view._selecting.text() == selected


def test_dragging_a_selection_out_of_the_window_scrolls_it(
    qtbot: QtBot, view: TranscriptView
) -> None:
    view.show_session(dialogue(40))
    settled(qtbot, view)
    before = view.verticalScrollBar().value()
    view.scroll_towards(view.viewport().mapToGlobal(QPoint(10, -30)))
    assert view.verticalScrollBar().value() == before - 30


@pytest.mark.parametrize(("width", "has_words"), [(900, True), (370, False)])
def test_without_room_for_words_the_actions_show_icons(
    qtbot: QtBot, view: TranscriptView, width: int, *, has_words: bool
) -> None:
    view.resize(width, 600)
    done = answer(2, "Yanıt.")
    view.show_session([question(1), done])
    row = actions_of(card_of(view, done))
    style = Qt.ToolButtonStyle
    wanted = style.ToolButtonTextBesideIcon if has_words else style.ToolButtonIconOnly
    qtbot.waitUntil(lambda: row._copy.toolButtonStyle() is wanted)
    assert row._rewrite.toolButtonStyle() is wanted
    assert row._rewrite.toolTip() == ("" if has_words else "Regenerate")
    # A layout is made anew a moment after the texts go.
    qtbot.waitUntil(lambda: row.rect().contains(row._down.geometry()))
    assert row._remember.width() >= row._remember.sizeHint().width()


def test_a_question_with_a_long_paste_is_changed_without_laying_it_out(
    qtbot: QtBot, view: TranscriptView
) -> None:
    paste = "satır\n" * 300_000 + "son"
    asked = question(1, "Bunu özetle\n\n" + paste)
    view.show_session([asked])
    card = question_card(view, asked)
    card.begin_edit()
    field = field_of(card)
    assert field.toPlainText() == "Bunu özetle"
    field.setPlainText("Bunu kısalt")
    with qtbot.waitSignal(view.action_chosen) as edited:
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert edited.args == [MessageRequest(MessageAction.EDIT, asked.id, "Bunu kısalt\n\n" + paste)]


def test_a_right_click_offers_the_actions_for_the_words_under_it(view: TranscriptView) -> None:
    said = answer(2, "Bir **iki** üç [dört](https://example.org/x).")
    view.show_session([question(1), said])
    pane = next(card_of(view, said).panes())
    at = pane.mapToGlobal(pane.rect().center())
    labels = [one.text() for one in view.menu_at(at).actions() if one.isEnabled() and one.text()]
    assert labels == [
        "Copy message as Markdown",
        "Copy message with formatting",
        "Export answer…",
        "Print answer…",
        "Write into a notes folder…",
        "Compare with…",
        "Select the whole message",
        "Quote this message",
    ]
    pane.selectAll()
    menu = view.menu_at(at)
    chosen: list[MessageRequest] = []
    view.action_chosen.connect(chosen.append)
    for action in menu.actions():
        action.trigger()
    words = "Bir iki üç dört."
    assert MessageRequest(MessageAction.QUOTE, text=words) in chosen
    assert MessageRequest(MessageAction.SEARCH, text=words) in chosen


def test_the_menu_copies_a_message_as_it_was_written_and_the_address_of_a_link(
    view: TranscriptView,
) -> None:
    said = answer(1, "[dört](https://example.org/x) **beş**")
    view.show_session([said])
    pane = next(card_of(view, said).panes())
    in_link = QTextCursor(pane.document())
    in_link.setPosition(2)
    menu = view.menu_at(pane.viewport().mapToGlobal(pane.cursorRect(in_link).center()))
    by_label = {one.text(): one for one in menu.actions()}
    by_label["Copy link address"].trigger()
    assert QGuiApplication.clipboard().text() == "https://example.org/x"
    by_label["Copy message as Markdown"].trigger()
    assert QGuiApplication.clipboard().text() == "[dört](https://example.org/x) **beş**"


def test_only_an_answer_that_is_on_the_disk_can_be_exported(
    view: TranscriptView, qtbot: QtBot
) -> None:
    asked, said = question(1), answer(2, "Dört.")
    view.show_session([asked, said])

    def exports(message: Message) -> list[QAction]:
        pane = next(card_of(view, message).panes())
        menu = view.menu_at(pane.mapToGlobal(pane.rect().center()))
        return [one for one in menu.actions() if one.text() == "Export answer…"]

    with qtbot.waitSignal(view.action_chosen) as chosen:
        exports(said)[0].trigger()
    assert chosen.args == [MessageRequest(MessageAction.EXPORT, said.id)]
    assert not exports(asked)
    view.is_kept = False
    assert not exports(said)
