"""The quick window asks beside the active session, and keeps nothing until it is moved."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop.app.single_instance import SingleInstance, ask_first_window
from desktop.domain.projects import EVERYTHING
from desktop.domain.sessions import SessionStatus
from desktop.ui.quick_access.quick_window import QuickWindow
from desktop.ui.transcript.answer_card import UsedPassages
from desktop.ui.transcript.entries import MessageEntry
from desktop.ui.widgets.buttons import Button
from desktop.ui.window.lifetime import WindowRequest
from tests.narrowing import instance, present
from tests.ui.main_window.stage import WAIT_MS, Stage


def opened(stage: Stage) -> QuickWindow:
    stage.window.actions_by_name["quick"].trigger()
    window = present(stage.window.quick.window)
    stage.until(window.isVisible)
    return window


def ask(stage: Stage, text: str) -> QuickWindow:
    window = opened(stage)
    window.editor.set_text(text)
    with stage.qtbot.waitSignal(stage.window.quick.answered, timeout=WAIT_MS):
        QTest.keyClick(window.editor.field, Qt.Key.Key_Return)
    return window


def said(window: QuickWindow) -> list[str]:
    return [one.text for one in window.transcript.entries if isinstance(one, MessageEntry)]


def test_it_answers_beside_the_active_session_and_neither_ends_nor_joins_it(stage: Stage) -> None:
    stage.model.says("Ana yanıt.")
    stage.ask("Ana soru?")
    before = stage.services.assistant.active
    stage.model.says("Kısa ", "yanıt.")
    window = ask(stage, "Kısa soru?")
    stage.until(lambda: said(window) == ["Kısa soru?", "Kısa yanıt."])
    assert stage.shown() == ["Ana soru?", "Ana yanıt."]
    assert stage.services.assistant.active is before
    assert all("Ana soru" not in one.text for one in stage.model.requests[-1].messages)


def test_what_it_used_is_said_listed_below_the_answer_and_opens_in_the_main_window(
    library: Stage,
) -> None:
    library.model.says("Yanıt.")
    window = ask(library, "Explain the difference between Dawn fenomeni and Somogyi etkisi")
    assert "past sessions and memory" in window.state.text()
    answer = instance(window.transcript.entries[-1], MessageEntry)
    library.until(lambda: bool(answer.facts.recalled))
    item = answer.facts.recalled[0]
    used = present(window.transcript.live[answer].findChild(UsedPassages))
    used.findChildren(Button)[0].click()
    library.until(lambda: len(used.findChildren(Button)) > 1)
    buttons = used.findChildren(Button)
    next(one for one in buttons if one.accessibleName().startswith(item.title)).click()
    sessions = library.window.sessions
    library.until(lambda: sessions.shown is not None and sessions.shown.id == item.session_id)
    library.changes.apply(replace(library.changes.settings, uses_memory=False))
    library.until(lambda: "memory" not in window.state.text())


def test_an_empty_question_cannot_be_sent_but_a_running_answer_stopped(stage: Stage) -> None:
    window = opened(stage)
    assert not window.send.isEnabled()
    window.editor.set_text("Kısa soru?")
    assert window.send.isEnabled()
    window.editor.set_text(" ")
    assert not window.send.isEnabled()
    window.show_running(is_running=True)
    assert window.send.isEnabled()


def test_nothing_of_it_is_on_the_disk(stage: Stage) -> None:
    stage.model.says("Gizli yanıt.")
    ask(stage, "Gizli soru bademci?")
    assert stage.archive.sessions.sessions(EVERYTHING) == []
    assert b"bademci" not in stage.archive.database.path.read_bytes()


def test_it_continues_while_the_main_window_answers(stage: Stage) -> None:
    held = stage.sends_held()
    stage.model.says("Yan.")
    window = ask(stage, "Yan soru?")
    stage.until(lambda: said(window) == ["Yan soru?", "Yan."])
    assert stage.window.sessions.turns.is_running
    held.go.set()
    stage.until(lambda: stage.shown()[-1:] == ["Bir iki"])


def test_after_escape_its_content_is_there_again(stage: Stage) -> None:
    stage.model.says("Yanıt.")
    window = ask(stage, "Soru?")
    QTest.keyClick(window.editor.field, Qt.Key.Key_Escape)
    assert window.isHidden()
    assert opened(stage) is window
    assert said(window) == ["Soru?", "Yanıt."]


def test_a_new_question_forgets_the_last_one(stage: Stage) -> None:
    stage.model.says("Yanıt.")
    window = ask(stage, "Soru?")
    stage.until(window.anew.isEnabled)
    QTest.mouseClick(window.anew, Qt.MouseButton.LeftButton)
    assert said(window) == []
    stage.model.says("İkinci.")
    ask(stage, "Başka?")
    assert [one.text for one in stage.model.requests[-1].messages if "Soru?" in one.text] == []


def test_opened_in_the_main_window_it_is_a_session_like_any_other(stage: Stage) -> None:
    stage.model.says("Ana yanıt.")
    stage.ask("Ana soru?")
    main = present(stage.services.assistant.active)
    stage.model.says("Kısa yanıt.")
    window = ask(stage, "Kısa soru?")
    stage.until(window.move_button.isEnabled)
    QTest.mouseClick(window.move_button, Qt.MouseButton.LeftButton)
    stage.until(lambda: stage.shown() == ["Kısa soru?", "Kısa yanıt."])
    stage.until(window.isHidden)
    stage.until(lambda: stage.archive.sessions.active() is not None)
    active = present(stage.archive.sessions.active())
    assert active.id != main.id
    assert not active.is_temporary
    assert stage.archive.sessions.session(main.id).status is SessionStatus.COMPLETE
    stored = stage.archive.sessions.messages(active.id)
    assert [one.content for one in stored] == ["Kısa soru?", "Kısa yanıt."]
    stage.model.says("Sürüyor.")
    stage.ask("Devam?")
    assert stage.shown()[-1] == "Sürüyor."


def test_an_error_is_shown_in_the_quick_window(stage: Stage) -> None:
    stage.has_model = False
    window = ask(stage, "Soru?")
    stage.until(lambda: len(said(window)) == 2)


def test_leaving_closes_it(stage: Stage) -> None:
    window = opened(stage)
    stage.leave()
    assert window.isHidden()


def test_a_call_of_another_process_says_which_window_it_wants(
    qtbot: QtBot, tmp_path: Path
) -> None:
    first = SingleInstance(tmp_path)
    for wanted in (
        WindowRequest(),
        WindowRequest(is_quick=True),
        WindowRequest(files=(tmp_path / "ışık\n.pdf",)),
        WindowRequest(fact="“Kedi”\n", program="Jan", project="p1", opens="s1"),
    ):
        with qtbot.waitSignal(first.window_requested) as heard:
            assert ask_first_window(tmp_path, wanted)
        assert heard.args == [wanted]


def test_files_that_are_opened_with_bellek_are_added_as_if_they_were_dropped(
    stage: Stage, tmp_path: Path
) -> None:
    file = tmp_path / "not.html"
    file.write_text("<h1>Gece</h1><p>Gece nöbetinde kahve az içilir.</p>", encoding="utf-8")
    stage.window.answer_request(WindowRequest(files=(file,)))
    stage.until(lambda: len(stage.archive.sources.sources(EVERYTHING)) == 1)
