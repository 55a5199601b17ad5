"""Answers that go on while another session is open in the window."""

import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QModelIndex, Qt

from desktop.domain.ids import SessionId
from desktop.domain.messages import MessageState
from desktop.domain.projects import EVERYTHING
from desktop.domain.sessions import SessionStatus
from desktop.ui.services import NavigationTarget
from desktop.ui.sidebar.model import SessionRole
from desktop.ui.widgets.plain_text import MessageBox
from tests.commands import ROOT
from tests.narrowing import present
from tests.ui.dialogs.stand_ins import button
from tests.ui.main_window.left_and_killed import QUESTIONS
from tests.ui.main_window.stage import Answer, Stage


def _answer_of(stage: Stage, session_id: SessionId) -> str:
    model = stage.window.parts.sidebar.model
    return str(model.index_of(session_id).data(SessionRole.ANSWER))


def _row(stage: Stage, session_id: SessionId) -> QModelIndex:
    return stage.window.parts.sidebar.model.index_of(session_id)


def _leaves_answering(stage: Stage) -> tuple[SessionId, Answer]:
    """Begin a new session while one is answered."""
    answer = stage.sends_held()
    first = present(stage.window.sessions.active).id
    stage.window.actions_by_name["new_session"].trigger()
    stage.until(lambda: stage.window.sessions.active is None)
    return first, answer


def _end(stage: Stage, answer: Answer, session_id: SessionId) -> None:
    answer.go.set()
    stage.until(lambda: session_id not in stage.window.sessions.turns.answered)


def test_an_answer_goes_on_while_another_session_is_asked(stage: Stage) -> None:
    first, answer = _leaves_answering(stage)
    assert stage.window.parts.composer.button.text() == "Send"
    stage.ask("Başka bir soru?")
    assert stage.shown() == ["Başka bir soru?", "Tamam."]
    _end(stage, answer, first)
    stage.until(lambda: stage.archive.sessions.messages(first)[-1].content == "Bir iki")
    assert stage.shown() == ["Başka bir soru?", "Tamam."]
    assert stage.archive.sessions.messages(first)[-1].state is MessageState.COMPLETE


def test_the_list_says_which_session_is_answered_and_which_has_a_new_answer(stage: Stage) -> None:
    first, answer = _leaves_answering(stage)
    stage.until(lambda: _row(stage, first).isValid())
    assert _answer_of(stage, first) == "answering…"
    read = str(_row(stage, first).data(Qt.ItemDataRole.AccessibleTextRole))
    assert "answering…" in read
    _end(stage, answer, first)
    assert _answer_of(stage, first) == "new answer"
    stage.window.sessions.open(NavigationTarget(first))
    stage.until(lambda: stage.shown() == ["Say", "Bir iki"])
    assert _answer_of(stage, first) == ""


def test_the_words_of_a_session_that_goes_on_arrive_while_it_is_read(stage: Stage) -> None:
    first, answer = _leaves_answering(stage)
    stage.ask("Başka bir soru?")
    stage.window.sessions.open(NavigationTarget(first))
    stage.until(lambda: stage.shown() == ["Say", "Bir "])
    assert stage.window.sessions.turns.is_running
    _end(stage, answer, first)
    stage.until(lambda: stage.shown() == ["Say", "Bir iki"])
    assert not stage.window.sessions.turns.is_running


def test_a_session_that_goes_on_is_taken_up_again_and_asked_next(stage: Stage) -> None:
    first, answer = _leaves_answering(stage)
    stage.ask("Başka bir soru?")
    stage.window.sessions.resume(first)
    stage.until(lambda: present(stage.window.sessions.active).id == first)
    stage.window.sessions.show_active()
    stage.until(lambda: stage.shown() == ["Say", "Bir "])
    assert stage.window.parts.composer.button.text() == "Stop"
    _end(stage, answer, first)
    stage.until(lambda: stage.shown() == ["Say", "Bir iki"])
    stage.ask("Ya sonra?")
    assert stage.shown() == ["Say", "Bir iki", "Ya sonra?", "Tamam."]
    assert stage.archive.sessions.session(first).status is SessionStatus.ACTIVE


def test_stop_ends_the_answer_of_the_session_that_is_shown(stage: Stage) -> None:
    first, _ = _leaves_answering(stage)
    second = stage.model.holds("Oksi", "jenden")
    stage.send("Kutup ışığı?")
    stage.until(lambda: stage.shown() == ["Kutup ışığı?", "Oksi"])
    stage.window.sessions.open(NavigationTarget(first))
    stage.until(lambda: stage.shown() == ["Say", "Bir "])
    stage.window.actions_by_name["stop"].trigger()
    stage.until(lambda: first not in stage.window.sessions.turns.answered)
    stage.until(lambda: stage.archive.sessions.messages(first)[-1].state is MessageState.STOPPED)
    active = present(stage.window.sessions.active).id
    assert stage.window.sessions.turns.answered == {active}
    _end(stage, second, active)
    stage.until(lambda: stage.archive.sessions.messages(active)[-1].content == "Oksijenden")


def test_stop_does_nothing_in_a_session_that_is_not_answered(library: Stage) -> None:
    answer = library.sends_held()
    library.read_past()
    assert not library.window.actions_by_name["stop"].isEnabled()
    library.window.sessions.asking.stop_shown()
    answer.go.set()
    active = present(library.window.sessions.active).id
    library.until(lambda: library.archive.sessions.messages(active)[-1].content == "Bir iki")


def test_what_waits_to_be_asked_stays_with_the_session_that_is_left(stage: Stage) -> None:
    answer = stage.sends_held()
    first = present(stage.window.sessions.active).id
    stage.send("Ya sonra?")
    stage.window.actions_by_name["new_session"].trigger()
    stage.until(lambda: stage.window.sessions.active is None)
    assert stage.window.parts.composer.text == ""
    _end(stage, answer, first)
    stage.window.sessions.resume(first)
    stage.until(lambda: stage.window.parts.composer.text == "Ya sonra?")


def test_closing_asks_first_if_an_answer_that_nobody_sees_would_stop(stage: Stage) -> None:
    first, answer = _leaves_answering(stage)
    stage.window.close()
    stage.window.close()
    (box,) = stage.window.findChildren(MessageBox)
    assert "1 session is being answered" in box.text()
    assert stage.window.isVisible()
    button(box, "Keep open").click()
    stage.until(lambda: not stage.window.findChildren(MessageBox))
    assert first in stage.window.sessions.turns.answered
    _end(stage, answer, first)
    with stage.qtbot.waitSignal(stage.window.closed):
        stage.window.close()


def test_closing_the_window_keeps_what_has_arrived_of_each(
    stage: Stage, opens: Callable[[], Stage]
) -> None:
    _leaves_answering(stage)
    stage.model.holds("Oksi", "jenden")
    stage.send("Kutup ışığı?")
    stage.until(lambda: stage.shown() == ["Kutup ışığı?", "Oksi"])
    stage.leave()
    second = opens()
    second.attach()
    sessions = second.archive.sessions
    ends = {
        (message.content, message.state)
        for session in second.window.parts.sidebar.model.sessions
        for message in sessions.messages(session.id)[-1:]
    }
    assert ends == {("Bir ", MessageState.STOPPED), ("Oksi", MessageState.STOPPED)}


def test_after_a_crash_both_answers_are_kept_and_offered(
    stage: Stage, opens: Callable[[], Stage]
) -> None:
    first, _ = _leaves_answering(stage)
    stage.model.holds("Oksi", "jenden")
    stage.send("Kutup ışığı?")
    stage.until(lambda: stage.shown() == ["Kutup ışığı?", "Oksi"])
    active = present(stage.window.sessions.active).id
    kept = stage.archive.sessions
    stage.until(lambda: kept.messages(first)[-1].content == "Bir ")
    stage.until(lambda: kept.messages(active)[-1].content == "Oksi")
    stage.die()
    again = opens()
    with again.archive.database.writing() as db:  # as a kill leaves it, which ends no thread
        streaming = "UPDATE messages SET state = 'streaming' WHERE role = 'assistant'"
        db.exec_driver_sql(streaming)
    again.attach()
    strip = again.window.parts.strip
    again.until(lambda: "unfinished" in strip)
    assert "Kutup ışığı?" in strip.text("unfinished")
    assert "“Say”" in strip.text(f"interrupted-{first}")
    button(strip, "Open").click()
    again.until(lambda: again.shown() == ["Say", "Bir "])


def test_a_question_whose_answer_had_no_word_when_the_program_was_killed_is_asked_again(
    opens: Callable[[], Stage], tmp_path: Path
) -> None:
    script = "tests.ui.main_window.left_and_killed"
    argv = [sys.executable, "-m", script, str(tmp_path / "profile")]
    done = subprocess.run(argv, cwd=ROOT, timeout=100, check=False)  # noqa: S603 - our own
    assert done.returncode == -signal.SIGKILL
    stage = opens()
    stage.attach()
    strip = stage.window.parts.strip
    by_opening = {s.opening: s.id for s in stage.archive.sessions.sessions(EVERYTHING)}
    assert sorted(by_opening) == sorted(QUESTIONS)
    for question, session_id in by_opening.items():
        key = f"unanswered-{session_id}"
        stage.until(partial(strip.__contains__, key))
        assert question in strip.text(key)
    for question, session_id in by_opening.items():
        again, _ = strip._strips[f"unanswered-{session_id}"].buttons
        again.click()
        stage.until(partial(_shows, stage, question, "Tamam."))
        stage.until(lambda: not stage.window.sessions.turns.is_any_running)
    stage.leave()
    reopened = opens()
    reopened.attach()
    reopened.until(lambda: reopened.window.sessions.recovery._is_known)
    assert not [key for key in reopened.window.parts.strip._strips if "unanswered" in key]


def _shows(stage: Stage, *texts: str) -> bool:
    return stage.shown() == [*texts]
