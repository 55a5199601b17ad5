"""Words of an answer are highlighted and get notes, in the menu of the transcript."""

from threading import Event

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor, QTextCursor

from desktop.domain.ids import MessageId
from desktop.domain.messages import Versions
from desktop.domain.notes import Note
from desktop.domain.projects import EVERYTHING
from desktop.sessions.conversation.active_session import ActiveSession
from desktop.ui.dialogs.note_editor import NoteForm
from desktop.ui.session.message_actions import MessageActions
from desktop.ui.transcript.card import MessageCard
from desktop.ui.transcript.text_block import TextPane
from desktop.ui.transcript.text_decorations import stretches
from tests.narrowing import present
from tests.ui.main_window.stage import WAIT_MS, Stage

_ANSWER = "Zeytin az su ister.\n\nDamla sulama suyu azaltır; su pahalıdır."


def answered(stage: Stage) -> list[TextPane]:
    stage.model.says(_ANSWER)
    stage.window.show()
    stage.ask("Zeytin ne kadar su ister?")
    return panes(stage)


def panes(stage: Stage) -> list[TextPane]:
    transcript = stage.window.parts.transcript
    cards = [card for card in transcript.live.values() if isinstance(card, MessageCard)]
    return list(next(card for card in cards if not card.entry.is_user).panes())


def notes(stage: Stage) -> list[Note]:
    return stage.archive.notes.notes(EVERYTHING)


def marked(stage: Stage) -> list[str]:
    return [
        pane.toPlainText()[place.start : place.end]
        for pane in panes(stage)
        for place in pane.notes
    ]


def select(pane: TextPane, words: str, after: int = 0) -> QPoint:
    start = pane.toPlainText().index(words, after)
    cursor = QTextCursor(pane.document())
    cursor.setPosition(start)
    cursor.setPosition(start + len(words), QTextCursor.MoveMode.KeepAnchor)
    pane.setTextCursor(cursor)
    middle = QTextCursor(pane.document())
    middle.setPosition(start + len(words) // 2)
    return pane.viewport().mapToGlobal(pane.cursorRect(middle).center())


def choose(stage: Stage, at: QPoint, words: str) -> None:
    menu = stage.window.parts.transcript.menu_at(at)
    next(action for action in menu.actions() if action.text() == words).trigger()


def test_words_of_an_answer_are_highlighted(stage: Stage) -> None:
    pane = answered(stage)[-1]
    choose(stage, select(pane, "suyu azaltır"), "Highlight")
    stage.until(lambda: marked(stage) == ["suyu azaltır"])
    (note,) = notes(stage)
    assert (note.quote, note.session_id) == (
        "suyu azaltır",
        present(stage.window.sessions.shown).id,
    )
    pane = panes(stage)[-1]
    pane.clear_selection()
    ((_, start, end),) = pane.notes
    (line,) = stretches(pane.document(), start, end)
    row = [QPoint(x, round(line.rect.top()) + 3) for x in range(int(line.rect.left()), 400)]
    shot = pane.viewport().grab().toImage()
    colour = QColor(stage.theme.tokens.note)
    assert colour in [shot.pixelColor(point) for point in row if shot.valid(point)]


def test_a_highlight_stays_when_details_of_its_answer_come_late(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_end, versions = Event(), ActiveSession.versions

    def come_late(session: ActiveSession, message_id: MessageId) -> Versions:
        assert may_end.wait(WAIT_MS / 1_000)
        return versions(session, message_id)

    monkeypatch.setattr(ActiveSession, "versions", come_late)
    choose(stage, select(answered(stage)[-1], "Damla sulama"), "Highlight")
    stage.until(lambda: marked(stage) == ["Damla sulama"])
    desk = present(stage.window.findChild(MessageActions))
    with stage.qtbot.waitSignal(desk.citations_changed, timeout=WAIT_MS):
        may_end.set()
    assert marked(stage) == ["Damla sulama"]
    with stage.qtbot.waitSignal(desk.citations_changed, timeout=WAIT_MS):
        stage.window.parts.transcript.facts_wanted.emit([stage.messages()[-1].message.id])
    assert marked(stage) == ["Damla sulama"]


def test_what_is_written_of_a_note_that_is_gone_meanwhile_is_shown_again(stage: Stage) -> None:
    choose(stage, select(answered(stage)[-1], "Damla"), "Highlight")
    stage.until(lambda: marked(stage) == ["Damla"])
    (note,) = notes(stage)
    choose(stage, select(panes(stage)[-1], "Damla"), "Edit note…")
    form = stage.opened(NoteForm)
    form._text.setText("Evde dene.")
    stage.archive.notes.delete([note.id])
    stage.archive.purge_deleted()
    form.save()
    stage.until(lambda: stage.opened(NoteForm) is not form)
    assert stage.opened(NoteForm)._text.text() == "Evde dene."
    stage.opened(NoteForm).reject()


def test_of_words_that_stand_twice_the_selected_ones_are_marked(stage: Stage) -> None:
    pane = answered(stage)[-1]
    second = pane.toPlainText().index("su pahalı")
    choose(stage, select(pane, "su", second), "Highlight")
    stage.until(lambda: bool(notes(stage)))
    stage.until(lambda: [place.start for place in panes(stage)[-1].notes] == [second])


def test_a_note_on_an_answer_is_changed_and_its_change_undone(stage: Stage) -> None:
    at = select(answered(stage)[-1], "Damla sulama")
    choose(stage, at, "Note…")
    form = stage.opened(NoteForm)
    form._text.setText("sor")
    form.save()
    stage.until(lambda: marked(stage) == ["Damla sulama"])
    choose(stage, at, "Edit note…")
    form = stage.opened(NoteForm)
    form._text.setText("yaz")
    form.save()
    # The mark is loaded again after the strip offers to undo this change, not the first.
    stage.until(lambda: [place.note.text for place in panes(stage)[-1].notes] == ["yaz"])
    stage.window.parts.strip.undo_last()
    stage.until(lambda: [note.text for note in notes(stage)] == ["sor"])


def test_a_note_that_another_device_changes_meanwhile_keeps_both_texts(stage: Stage) -> None:
    at = select(answered(stage)[-1], "Damla sulama")
    choose(stage, at, "Highlight")
    stage.until(lambda: marked(stage) == ["Damla sulama"])
    choose(stage, at, "Edit note…")
    form = stage.opened(NoteForm)
    form._text.setText("Evde dene.")
    (note,) = notes(stage)
    stage.archive.notes.edit(note.id, "Bahçede dene.")
    form.save()
    stage.until(lambda: [one.text for one in notes(stage)] == ["Evde dene.\n\nBahçede dene."])


def test_a_deleted_note_leaves_no_mark(stage: Stage) -> None:
    at = select(answered(stage)[-1], "Damla sulama")
    choose(stage, at, "Highlight")
    stage.until(lambda: bool(marked(stage)))
    choose(stage, at, "Edit note…")
    present(stage.opened(NoteForm))._delete()
    stage.until(lambda: not marked(stage))
    assert notes(stage) == []
