"""A session's life in the window: ended, undone, continued, left open by a crash, closed."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.domain.errors import ConnectionLostError
from desktop.domain.facts import Fact, NewFact, Origin, Term
from desktop.domain.ids import FactId, SessionId
from desktop.domain.projects import EVERYTHING
from desktop.domain.sessions import EndReason, SessionStatus
from desktop.domain.times import utc_now
from desktop.ui.services import NavigationTarget
from tests.narrowing import present
from tests.ui.disks import Disk
from tests.ui.main_window.stage import WAIT_MS, Stage


def _past(stage: Stage) -> NavigationTarget:
    """A past session of the example library."""
    session = next(one for one in stage.archive.sessions.sessions(EVERYTHING) if one.messages > 2)
    return NavigationTarget(session.id)


def test_thanks_end_the_session_and_undo_takes_it_back(stage: Stage) -> None:
    stage.ask("Dawn fenomeni nedir?")
    before = present(stage.window.sessions.active)
    stage.ask("teşekkürler")
    assert stage.window.sessions.active is None
    assert "teşekkürler" in stage.notices()[0]
    assert stage.window.parts.composer.isVisible()
    stage.window.parts.transcript.notice_action.emit(f"ended-{before.id}", "undo")
    stage.until(lambda: stage.window.sessions.active is not None)
    assert stage.services.assistant.active is not None
    assert stage.services.assistant.active.id == before.id
    stage.ask("Peki ya Somogyi?")
    assert stage.shown()[0] == "Dawn fenomeni nedir?"
    assert stage.notices() == []


def test_a_message_mistaken_for_thanks_is_answered_with_one_press_after_undo(stage: Stage) -> None:
    stage.ask("Dawn fenomeni nedir?")
    before = present(stage.window.sessions.active)
    stage.ask("teşekkürler")
    notices = stage.window.parts.transcript.notice_action
    notices.emit(f"ended-{before.id}", "undo")
    stage.until(lambda: stage.notices() == ["Your last message has no answer yet."])
    stage.model.says("Rica ederim.")
    with stage.qtbot.waitSignal(stage.window.sessions.answered):
        notices.emit("unanswered", "answer")
    assert stage.shown()[-2:] == ["teşekkürler", "Rica ederim."]
    assert stage.notices() == []


def test_an_ended_session_gets_its_title_in_notice_header_and_list(stage: Stage) -> None:
    stage.model.says("Dawn fenomeni, sabaha karşı hormonların kan şekerini yükseltmesidir.")
    stage.ask("Dawn fenomeni nedir?")
    stage.ask("teşekkürler")
    stage.until(lambda: "Saved as" in stage.notices()[0])
    session = stage.archive.sessions.sessions(EVERYTHING)[0]
    assert session.title
    assert session.title in stage.rows()
    assert stage.window.windowTitle().startswith(session.title)


def test_a_past_session_is_read_first_and_continued_when_wanted(library: Stage) -> None:
    library.ask("Bir soru")
    library.read_past()
    assert not library.window.parts.composer.isVisible()
    count = len(library.shown())
    library.window.parts.reading_bar.continue_button.click()
    library.until(library.window.parts.composer.isVisible)
    library.ask("Devam edelim mi?")
    assert len(library.shown()) == count + 2
    ended = [
        one for one in library.archive.sessions.sessions(EVERYTHING) if one.opening == "Bir soru"
    ]
    assert ended[0].end_reason is EndReason.REPLACED


def test_text_typed_while_a_session_resumes_goes_into_it(library: Stage) -> None:
    library.read_past()
    button = library.window.parts.reading_bar.continue_button
    button.click()
    QTest.keyClicks(button, "devam")
    library.until(library.window.parts.composer.isVisible)
    assert library.window.parts.composer.text == "devam"


def test_answers_stream_on_while_another_session_is_read(library: Stage) -> None:
    answer = library.sends_held("Bir ", "iki ", "üç")
    library.window.sessions.open(_past(library))
    library.until(lambda: library.window.sessions.is_past_shown)
    library.window.sessions.show_active()
    library.until(lambda: library.shown() == ["Say", "Bir "])
    with library.qtbot.waitSignal(library.window.sessions.answered):
        answer.go.set()
    assert library.shown() == ["Say", "Bir iki üç"]


def test_a_crash_is_asked_about_and_yes_brings_everything_back(
    stage: Stage, opens: Callable[[], Stage]
) -> None:
    stage.ask("Dawn fenomeni nedir?")
    stage.write("yarım kalan")
    stage.window.background._keep_draft()
    stage.until(lambda: stage.services.assistant.drafts.read().text == "yarım kalan")
    stage.die()

    second = opens()
    second.attach()
    second.until(lambda: "unfinished" in second.window.parts.strip)
    assert "Dawn fenomeni nedir?" in second.window.parts.strip.text("unfinished")
    second.window.sessions.recovery.accept()
    second.until(lambda: second.shown() == ["Dawn fenomeni nedir?", "Tamam."])
    second.until(lambda: second.window.parts.composer.text == "yarım kalan")
    assert "unfinished" not in second.window.parts.strip
    assert second.window.sessions.active is not None


def test_a_session_left_open_by_a_crash_can_be_continued_from_the_list(back: Stage) -> None:
    left = present(back.window.sessions.recovery._left)
    back.window.commands.continue_session(left.id)
    back.until(lambda: len(back.shown()) == 2)
    assert "unfinished" not in back.window.parts.strip
    back.ask("Peki ya Somogyi?")
    assert len(back.shown()) == 4


def test_facts_grow_old_at_a_start_and_if_a_session_is_continued(
    opens: Callable[[], Stage], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop.ui.window.background_scheduler._FIRST_DESCRIBING_MS", 300)
    stage = opens()
    stage.add_examples()

    def add(name: str) -> FactId:
        said = utc_now() - timedelta(days=3)
        fact = Fact(FactId(name), "Ev", name, 7, Origin.USER, Term.SHORT, valid_from=said)
        stage.archive.facts.add([NewFact(fact)])
        return fact.id

    def is_old(fact_id: FactId) -> bool:
        return stage.archive.facts.fact(fact_id).term is Term.LONG

    before = add("İzmir'de yaşıyor")
    stage.attach()
    stage.until(lambda: is_old(before) and not stage.window.background._is_describing)
    after = add("Kızı piyano çalıyor")
    stage.window.commands.continue_session(_past(stage).session_id)
    stage.until(lambda: is_old(after))


def test_closing_ends_the_session_and_keeps_the_draft(
    stage: Stage, opens: Callable[[], Stage]
) -> None:
    stage.ask("Dawn fenomeni nedir?")
    stage.write("sonra sorulacak")
    stage.leave()
    second = opens().settle()
    assert second.window.sessions.recovery._left is None
    second.until(lambda: second.window.parts.composer.text == "sonra sorulacak")
    session = second.archive.sessions.sessions(EVERYTHING)[0]
    assert session.end_reason is EndReason.CLOSED


def test_an_idle_session_is_ended_unless_a_draft_is_being_written(stage: Stage) -> None:
    stage.ask("Dawn fenomeni nedir?")
    chores = stage.window.background
    later = utc_now() + timedelta(hours=2)
    stage.write("yazıyorum")
    chores._now = lambda: later
    chores._note_typing()
    with stage.qtbot.waitSignal(chores.clock_seen):
        chores._look_at_clock()
    assert stage.window.sessions.active is not None
    assert stage.services.assistant.active is not None
    stage.write("")
    chores._look_at_clock()
    stage.until(lambda: stage.window.sessions.active is None)
    assert "you were away" in stage.notices()[0]


def test_a_past_session_that_was_continued_stays_until_it_has_been_quiet_itself(
    library: Stage,
) -> None:
    library.ask("Bir soru")
    library.read_past()
    QTest.mouseClick(library.window.parts.reading_bar.continue_button, Qt.MouseButton.LeftButton)
    library.until(lambda: library.notices() != [])
    chores = library.window.background
    with library.qtbot.waitSignal(chores.clock_seen):
        chores._look_at_clock()
    assert library.window.sessions.active is not None
    assert "continuing this session" in library.notices()[0]
    later = utc_now() + timedelta(hours=2)
    chores._now = lambda: later
    chores._look_at_clock()
    library.until(lambda: library.window.sessions.active is None)
    (notice,) = library.notices()
    assert "you were away" in notice


def test_below_a_session_that_has_ended_the_field_says_that_another_begins(stage: Stage) -> None:
    field = stage.window.parts.composer.field
    stage.ask("Soru")
    assert field.placeholderText() == "Ask anything…"
    stage.window.actions_by_name["end_session"].trigger()
    stage.until(lambda: field.placeholderText() == "Ask anything. This starts a new session…")
    stage.ask("Başka soru")
    stage.until(lambda: field.placeholderText() == "Ask anything…")


_TIDES = {
    "Gelgit neden olur?": "Gelgit, Ay'ın çekiminin okyanus sularını kabartmasıyla ve Dünya'nın "
    "kendi çevresinde dönmesiyle oluşur; kıyıda deniz düzeyi günde iki kez yükselir ve alçalır.",
    "Peki büyük gelgit nedir?": "Büyük gelgit, Güneş ile Ay'ın aynı doğrultuda çektiği yeni ay ve "
    "dolunay günlerinde olur.",
    "Küçük gelgit nedir?": "Küçük gelgit, Ay ilk ya da son dördündeyken, iki gök cisminin çekimi "
    "dik açı yaptığında görülür; o günlerde yükselme ile alçalma arasındaki fark en azdır.",
}
_BREAD = (
    "Ekşi mayalı ekmek hamuru taş fırında pişirilmeden önce serin odada kaç saat mayalandırılır?"
)


def _changes_subject(stage: Stage) -> tuple[SessionId, SessionId]:
    """Return the ids of the session left for another subject, and of the new one."""
    for question, answer in _TIDES.items():
        stage.model.says(answer)
        stage.ask(question)
    before = stage.window.sessions.active
    stage.model.says("Oda sıcaklığında sekiz ile on iki saat.")
    stage.ask(_BREAD)
    begun = stage.window.sessions.active
    assert before is not None
    assert begun is not None
    assert before.id != begun.id
    return before.id, begun.id


def _listed(stage: Stage) -> list[SessionId]:
    sidebar = stage.window.parts.sidebar.model
    return [
        one.id for one in stage.archive.sessions.sessions(EVERYTHING) if sidebar.session(one.id)
    ]


def test_an_undone_change_of_subject_leaves_no_session_behind(stage: Stage) -> None:
    before, _ = _changes_subject(stage)
    with stage.qtbot.waitSignal(stage.window.sessions.answered):
        stage.window.parts.transcript.notice_action.emit("began", "undo")
    assert [one.id for one in stage.archive.sessions.sessions(EVERYTHING)] == [before]
    assert _listed(stage) == [before]
    assert len([row for row in stage.rows() if row in _TIDES or row == _BREAD]) == 1


def test_a_continued_subject_stays_listed_when_its_change_is_undone(stage: Stage) -> None:
    before, begun = _changes_subject(stage)
    stage.window.background.described.disconnect()  # it would show it, too, later
    stage.ask("Peki bu hamur kaç derecede bekletilir?")
    with stage.qtbot.waitSignal(stage.window.sessions.answered):
        stage.window.parts.transcript.notice_action.emit("began", "undo")
    stage.until(lambda: set(_listed(stage)) == {before, begun})

    def is_complete() -> bool:
        row = stage.window.parts.sidebar.model.session(begun)
        return row is not None and row.status is SessionStatus.COMPLETE and row.messages == 4

    stage.until(is_complete)


def test_a_slow_model_keeps_no_ended_session_without_a_title(stage: Stage) -> None:
    stage.changes.apply(replace(stage.changes.settings, describes_with_model=True))
    asked, go = Event(), Event()

    def wait(*_: object) -> None:
        asked.set()
        go.wait(WAIT_MS / 1000)
        raise ConnectionLostError(where="x")

    stage.model.ask_json = wait  # type: ignore[method-assign, assignment]
    try:
        listed = stage.window.parts.sidebar.model
        for question in ("Ekmek mayası kaç saatte kabarır?", "Gelgit neden olur?"):
            stage.ask(question)
            stage.window.sessions.end()
            stage.until(lambda: stage.services.assistant.active is None)
            stage.until(lambda: all(one.title for one in listed.sessions))
            stage.until(asked.is_set)
    finally:
        go.set()


def test_a_draft_of_a_sent_question_does_not_come_back(
    stage: Stage, opens: Callable[[], Stage]
) -> None:
    stage.write("Dawn fenomeni nedir?")
    stage.window.background._keep_draft()
    stage.until(lambda: stage.services.assistant.drafts.read().text != "")
    stage.window.parts.composer.send()
    stage.until(lambda: len(stage.shown()) == 2)
    stage.leave()
    second = opens().settle()
    assert second.services.assistant.drafts.read().text == ""
    assert second.window.parts.composer.text == ""


def test_the_name_and_the_pin_of_the_active_session_stay_when_another_was_read(
    library: Stage,
) -> None:
    library.ask("Dawn fenomeni nedir?")
    sessions, sidebar = library.window.sessions, library.window.parts.sidebar
    active = present(sessions.active)
    sidebar.model.renamed.emit(active.id, "Sabah şekeri")
    library.until(lambda: library.window.windowTitle().startswith("Sabah şekeri"))
    sidebar.act_wanted.emit("pin", [active.id])
    library.until(lambda: sessions.shown is not None and sessions.shown.is_pinned)
    sessions.open(_past(library))
    library.until(lambda: sessions.is_past_shown)
    sessions.show_active()
    library.until(lambda: not sessions.is_past_shown)
    assert library.window.windowTitle().startswith("Sabah şekeri")
    assert library.window.actions_by_name["pin"].isChecked()
    library.ask("Peki ya Somogyi?")
    assert library.window.windowTitle().startswith("Sabah şekeri")
    assert library.archive.sessions.session(active.id).is_pinned


def test_a_draft_is_saved_equally_soon_wherever_the_user_reads(stage: Stage) -> None:
    bar, timer = stage.window.parts.transcript.verticalScrollBar(), stage.window.background._draft
    stage.write("yarım")
    soon = timer.interval()
    bar.setRange(0, 90_000)
    bar.setValue(90_000)
    assert timer.isActive()
    assert timer.interval() == soon


@pytest.mark.parametrize("is_sent", [False, True])
def test_text_typed_before_the_disk_was_ready_is_the_next_starts_draft(
    opens: Callable[[], Stage],
    is_sent: bool,  # noqa: FBT001 - from the list above
) -> None:
    first = opens()
    first.write("Dawn fenomeni nedir?")
    if is_sent:
        first.window.parts.composer.send()
    with first.qtbot.waitSignal(first.window.closed):
        first.window.close()
        first.window.worker.attach(first.services)
    first._end()
    second = opens().settle()
    assert second.window.parts.composer.text == "Dawn fenomeni nedir?"


def test_an_empty_window_does_not_wait_for_the_disk(opens: Callable[[], Stage]) -> None:
    stage = opens()
    stage.window.close()
    assert not stage.window.shutdown.is_leaving
    stage._end()


def test_a_stored_draft_precedes_text_typed_meanwhile(
    stage: Stage, opens: Callable[[], Stage]
) -> None:
    stage.write("yarım kalan")
    stage.leave()
    second = opens()
    second.write("yeni")
    with second.qtbot.waitSignal(second.window.sessions.recovery.settled):
        second.attach()
    assert second.window.parts.composer.text == "yarım kalan\n\nyeni"


def test_search_by_meaning_switched_on_again_catches_up(stage: Stage) -> None:
    embed = stage.window.background._embed
    embed.stop()
    stage.changes.apply(replace(stage.changes.settings, searches_by_meaning=False))
    assert not embed.isActive()
    stage.changes.apply(replace(stage.changes.settings, searches_by_meaning=True))
    stage.until(embed.isActive)


def test_a_draft_belongs_to_the_session_in_which_it_was_begun(
    library: Stage, tmp_path: Path
) -> None:
    document, composer = tmp_path / "manual.txt", library.window.parts.composer
    document.write_text("Ekmek hamuru bekletilir.", encoding="utf-8")
    sessions, past = library.window.sessions, _past(library)

    def holds(text: str, files: int, beside: int) -> bool:
        context = len(sessions.asking.in_context)
        return (composer.text, len(composer.files.files), context) == (text, files, beside)

    composer.files_given.emit([document])
    library.until(lambda: len(composer.files.files) == 1 and not composer.files.is_busy)
    library.write("yeni")
    library.window.recall.add(_past(library).session_id, "Eklenen")
    sessions.open(past)
    library.until(lambda: sessions.is_past_shown)
    library.window.commands.continue_session(past.session_id)
    library.until(lambda: sessions.active is not None and not sessions.asking.is_held)
    assert holds("", 0, 0)
    library.write("eski")
    library.window.background._keep_draft()
    library.window.commands.begin_new()
    library.until(lambda: sessions.active is None and not sessions.asking.is_held)
    assert holds("yeni", 1, 1)
    library.window.commands.continue_session(past.session_id)
    library.until(lambda: sessions.active is not None and not sessions.asking.is_held)
    assert holds("eski", 0, 0)


def test_a_draft_comes_back_if_the_session_could_not_be_left(stage: Stage, disk: Disk) -> None:
    stage.ask("Soru")
    stage.write("yarım")
    with disk.refusing():
        stage.window.commands.begin_new()
        stage.until(lambda: not stage.window.sessions.asking.is_held)
    assert stage.window.sessions.active is not None
    assert stage.window.parts.composer.text == "yarım"


def test_what_waits_on_the_empty_page_is_not_lost_at_the_end(
    library: Stage, opens: Callable[[], Stage]
) -> None:
    library.write("yeni")
    library.window.commands.continue_session(_past(library).session_id)
    library.until(lambda: library.window.sessions.active is not None)
    library.leave()
    assert opens().settle().window.parts.composer.text == "yeni"
