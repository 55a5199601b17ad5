"""What a reader can do with messages, and what the window hears of it."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent, QTextCursor
from PySide6.QtWidgets import QApplication, QPushButton

from desktop.domain.messages import (
    Citation,
    CitationState,
    MessageState,
    Rating,
    Thumb,
    Versions,
)
from desktop.ui.transcript.entries import MessageFacts, Notice, NoticeAction
from tests.ui.transcript.conftest import answer, card_of, dialogue, question, settled

CITED = MessageFacts(
    citations=[Citation(1, CitationState.CHECKED, "gece düşük", "s", "p", "Somogyi 1959")]
)


def text_of(card):
    return "\n".join(pane.toPlainText() for pane in card.panes())


def actions_of(card):
    card.keep_actions(shown=True)
    return card._actions


def click_on(pane, position):
    """Click where the letter at a position of the text stands."""
    cursor = QTextCursor(pane.document())
    cursor.setPosition(position)
    at = QPointF(pane.cursorRect(cursor).center()) + QPointF(2, 0)
    for kind, buttons in (
        (QEvent.Type.MouseButtonPress, Qt.MouseButton.LeftButton),
        (QEvent.Type.MouseButtonRelease, Qt.MouseButton.NoButton),
    ):
        event = QMouseEvent(
            kind,
            at,
            pane.viewport().mapToGlobal(at),
            Qt.MouseButton.LeftButton,
            buttons,
            Qt.KeyboardModifier.NoModifier,
        )
        QApplication.sendEvent(pane.viewport(), event)


def test_streamed_text_is_shown_and_ends_as_what_was_saved(qtbot, view):
    streaming = answer(2, "", MessageState.STREAMING)
    view.show_session([question(1), streaming])
    for piece in ("Her **iki", "si** de ", "yükseltir."):
        view.add_text(streaming.id, piece)
    qtbot.waitUntil(lambda: "Her ikisi de yükseltir." in text_of(card_of(view, streaming)))
    done = replace(streaming, content="Her **ikisi** de yükseltir.", state=MessageState.COMPLETE)
    view.finish(done)
    assert text_of(card_of(view, streaming)) == "Her ikisi de yükseltir."


def test_a_burst_of_tokens_is_painted_once(qtbot, view):
    streaming = answer(2, "", MessageState.STREAMING)
    view.show_session([question(1), streaming])
    card, frames = card_of(view, streaming), []
    grow = card.grow
    card.grow = lambda: (frames.append(1), grow())
    for _ in range(200):
        view.add_text(streaming.id, "söz ")
    qtbot.waitUntil(lambda: not view._grown)
    assert len(frames) == 1


def test_finished_blocks_are_left_alone_while_the_answer_grows(qtbot, view):
    streaming = answer(2, "", MessageState.STREAMING)
    view.show_session([question(1), streaming])
    view.add_text(streaming.id, "Birinci.\n\n```python\nx = 1\n```\n\nSon")
    qtbot.waitUntil(lambda: not view._grown)
    first, code, last = card_of(view, streaming).panes()
    qtbot.waitUntil(lambda: bool(code.document().firstBlock().layout().formats()))
    revisions = first.document().revision(), code.document().revision()
    view.add_text(streaming.id, " söz")
    qtbot.waitUntil(lambda: "Son söz" in last.toPlainText())
    assert (first.document().revision(), code.document().revision()) == revisions


def test_a_message_written_again_takes_the_place_of_what_stood_there(view):
    messages = dialogue(6)
    view.show_session(messages)
    again = answer(4, "Başka türlü.", id=99)
    view.append(again)
    assert [entry.message.id for entry in view.entries] == [
        *(message.id for message in messages[:3]),
        again.id,
    ]


def test_a_failed_answer_says_why_and_offers_retry(qtbot, view):
    failed = answer(2, "", MessageState.FAILED)
    facts = {failed.id: MessageFacts(error="Bağlantı koptu.")}
    view.show_session([question(1), failed], facts=facts)
    card = card_of(view, failed)
    assert "Bağlantı koptu." in card.accessibleDescription()
    retry = card.findChild(QPushButton)
    with qtbot.waitSignal(view.retry_requested) as asked:
        qtbot.mouseClick(retry, Qt.MouseButton.LeftButton)
    assert asked.args == [failed.id]


@pytest.mark.parametrize("state", [MessageState.STOPPED, MessageState.INTERRUPTED])
def test_a_partial_answer_says_so_and_can_be_retried(view, state):
    partial = answer(2, "Yarım kalan", state)
    view.show_session([question(1), partial])
    card = card_of(view, partial)
    assert card.findChild(QPushButton).isVisible()
    assert card._state_words() in card.accessibleDescription()


def test_copy_and_rewrite_name_their_message(qtbot, view):
    done = answer(2)
    view.show_session([question(1), done])
    actions = actions_of(card_of(view, done))
    with qtbot.waitSignals([view.copy_requested, view.rewrite_requested]):
        qtbot.mouseClick(actions._copy, Qt.MouseButton.LeftButton)
        qtbot.mouseClick(actions._rewrite, Qt.MouseButton.LeftButton)


def test_a_question_is_changed_in_its_place_and_asked_again(qtbot, view):
    asked = question(1, "Dawn fenomenı ne?")
    view.show_session([asked, answer(2)])
    card = card_of(view, asked)
    qtbot.mouseClick(actions_of(card)._edit, Qt.MouseButton.LeftButton)
    field = card._edit._field
    field.setPlainText("Dawn fenomeni ne?")
    with qtbot.waitSignal(view.edit_requested) as edited:
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert edited.args == [asked.id, "Dawn fenomeni ne?"]


def test_escape_leaves_a_question_as_it_was(qtbot, view):
    asked = question(1)
    view.show_session([asked, answer(2)])
    card = card_of(view, asked)
    card.begin_edit()
    with qtbot.assertNotEmitted(view.edit_requested):
        qtbot.keyClick(card._edit._field, Qt.Key.Key_Escape)
    assert card._edit is None


def test_a_change_of_theme_does_not_lose_a_question_being_changed(view, theme):
    asked = question(1)
    view.show_session([asked, answer(2)])
    card_of(view, asked).begin_edit()
    card_of(view, asked)._edit._field.setPlainText("yarım söz")
    theme.set_zoom(120)
    assert card_of(view, asked)._edit._field.toPlainText() == "yarım söz"


def test_versions_are_leafed_through(qtbot, view):
    done = answer(2)
    older = answer(2, id=77)
    facts = {done.id: MessageFacts(versions=Versions(2, [older.id, done.id]))}
    view.show_session([question(1), done], facts=facts)
    actions = actions_of(card_of(view, done))
    assert not actions._newer.isEnabled()
    with qtbot.waitSignal(view.version_requested) as wanted:
        qtbot.mouseClick(actions._older, Qt.MouseButton.LeftButton)
    assert wanted.args == [older.id]


def test_a_thumb_can_be_given_explained_and_taken_back(qtbot, view):
    done = answer(2)
    view.show_session([question(1), done], facts={done.id: MessageFacts()})
    actions = actions_of(card_of(view, done))
    heard = []
    view.rated.connect(lambda *args: heard.append(args))
    qtbot.mouseClick(actions._down, Qt.MouseButton.LeftButton)
    qtbot.keyClicks(actions._words, "kaynak yok")
    qtbot.keyClick(actions._words, Qt.Key.Key_Return)
    qtbot.mouseClick(actions._down, Qt.MouseButton.LeftButton)
    assert heard == [
        (done.id, Thumb.DOWN, ""),
        (done.id, Thumb.DOWN, "kaynak yok"),
        (done.id, None, ""),
    ]


def test_a_stored_rating_is_shown(view):
    done = answer(2)
    view.show_session([question(1), done])
    view.set_facts(done.id, MessageFacts(rating=Rating(done.id, Thumb.UP)))
    assert actions_of(card_of(view, done))._thumb is Thumb.UP


def test_facts_are_asked_for_only_for_what_comes_into_sight(qtbot, view):
    messages = dialogue(500)
    with qtbot.waitSignal(view.facts_wanted) as wanted:
        view.show_session(messages)
    asked = wanted.args[0]
    assert messages[-1].id in asked
    assert len(asked) < 40


def test_links_are_handed_to_the_window_and_never_opened_here(qtbot, view):
    done = answer(2, "[oturum](bellek://session/ab?message=5)")
    view.show_session([question(1), done])
    (pane,) = card_of(view, done).panes()
    with qtbot.waitSignal(view.link_activated) as followed:
        click_on(pane, 2)
    assert followed.args == ["bellek://session/ab?message=5"]


def test_a_citation_names_its_message_and_number(qtbot, view):
    done = answer(2, "Doğru [1].")
    view.show_session([question(1), done], facts={done.id: CITED})
    (pane,) = card_of(view, done).panes()
    with qtbot.waitSignal(view.citation_activated) as followed:
        click_on(pane, pane.toPlainText().index("1"))
    assert followed.args == [done.id, 1]


def test_citations_that_arrive_late_turn_their_numbers_into_links(view):
    done = answer(2, "Doğru [1].")
    view.show_session([question(1), done])
    assert text_of(card_of(view, done)) == "Doğru [1]."
    view.set_facts(done.id, CITED)
    assert "[1]" not in text_of(card_of(view, done))


def test_selected_text_is_copied_with_its_citations_and_list_markers(view):
    done = answer(2, "1. Doğru [1].\n2. Belki")
    view.show_session([question(1), done], facts={done.id: CITED})
    (pane,) = card_of(view, done).panes()
    pane.selectAll()
    pane.copy()
    assert QGuiApplication.clipboard().text() == "1. Doğru [1].\n2. Belki"


def test_code_is_copied_by_its_button(qtbot, view):
    done = answer(2, "```python\nx = 'ğ'\n```")
    view.show_session([question(1), done])
    (pane,) = card_of(view, done).panes()
    qtbot.mouseClick(pane.parent()._copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "x = 'ğ'"


def test_a_table_wider_than_the_column_scrolls_by_itself(view):
    header = "|" + " Uzunca başlık |" * 12
    wide = answer(2, f"{header}\n|{'---|' * 12}\n|{' değer |' * 12}")
    view.show_session([question(1), wide])
    (pane,) = card_of(view, wide).panes()
    QApplication.processEvents()
    assert pane.horizontalScrollBar().maximum() > 0
    assert pane.width() <= view.column_width


def test_a_notice_stands_after_its_message_and_goes_when_acted_on(qtbot, view):
    messages = dialogue(4)
    view.show_session(messages)
    view.add_notice(
        Notice("end", "Oturum bitti.", [NoticeAction("undo", "Geri al")], messages[1].id)
    )
    entry = view.entries[2]
    button = view.live[entry].findChild(QPushButton)
    with qtbot.waitSignal(view.notice_action) as acted:
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert acted.args == ["end", "undo"]
    view.remove_notice("end")
    assert len(view.entries) == 4


def test_find_counts_every_place_in_turkish_and_goes_round(qtbot, view):
    messages = dialogue(60)
    messages[10] = question(11, "IŞIK ve ışık")
    messages[50] = question(51, "isik burada")
    view.show_session(messages)
    assert view.find_in_session("ışık") == 3
    first = view._finder.current
    assert [view.find_next() for _ in range(3)][-1] == first + 1
    view.find_previous()
    place = view._finder.place()
    card = view.live[view.entries[place.entry]]
    assert sum(mark.is_current for pane in card.panes() for mark in pane._marks) == 1
    assert 0 <= card.y() < view.viewport().height()
    view.clear_marks()
    assert not any(pane.marked for pane in card.panes())


def test_a_hit_opens_at_its_message_with_its_words_marked(qtbot, view):
    messages = dialogue(2000)
    messages[500] = question(501, "Somogyi etkisi 🙂 kitaplarımızdan")
    view.show_session(messages)
    assert view.scroll_to(messages[500].id, ["kitap"])
    settled(qtbot, view)
    card = card_of(view, messages[500])
    assert 0 <= card.y() < view.viewport().height()
    (pane,) = card.panes()
    (mark,) = pane._marks
    cursor = QTextCursor(pane.document())
    cursor.setPosition(mark.start)
    cursor.setPosition(mark.end, QTextCursor.MoveMode.KeepAnchor)
    assert cursor.selectedText() == "kitaplarımızdan"


def test_messages_have_names_for_screen_readers(view):
    view.show_session([question(1), answer(2, "Yanıt budur.")])
    names = [card.accessibleName() for card in view._cards()]
    assert all(names)
    assert card_of(view, answer(2)).accessibleDescription().startswith("Yanıt budur.")
