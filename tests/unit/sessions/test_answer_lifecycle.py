"""An answer while it arrives."""

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from shutil import copytree

import pytest
import sqlcipher3.dbapi2

from desktop.domain.ids import SessionId
from desktop.domain.messages import Citation, CitationState, Message, MessageState, Role
from desktop.domain.routing import TurnOptions
from desktop.research.citations.quote_matching import normalize_quote
from desktop.sessions.answering.answer_lifecycle import COMMIT_EVERY_S, AnswerDraft
from desktop.storage.repositories.answer_records import AnswerRecord
from tests.guards import LogWatch
from tests.studies import Study

NEVER_S = 3600.0
SOON_S = 0.01


def wait_for(fact: Callable[[], bool]) -> None:
    pause = threading.Event()
    for _ in range(2000):
        if fact():
            return
        pause.wait(0.01)
    raise AssertionError("it never came true")


@pytest.fixture
def busy_timeout_s() -> float:
    """These wait for locks that are held to the end."""
    return 0.01


@pytest.fixture
def opened(study: Study) -> Study:
    """A study with an answer that has just begun."""
    study.ask("Soru?")
    study.active.add(Role.ASSISTANT, "", state=MessageState.STREAMING)
    study.active.save()
    return study


def draft_of(study: Study, commit_every_s: float) -> AnswerDraft:
    return AnswerDraft(study.active, study.active.messages[-1], commit_every_s=commit_every_s)


def committed(study: Study) -> str:
    return study.on_disk()[-1].content


def test_arrived_text_is_committed_even_if_no_more_comes(opened: Study) -> None:
    draft = draft_of(opened, SOON_S)
    draft.append("Model ")
    draft.append("düşünüyor")
    wait_for(lambda: committed(opened) == "Model düşünüyor")
    assert opened.on_disk()[-1].state is MessageState.STREAMING
    draft.close(MessageState.COMPLETE)


def test_at_most_a_second_of_words_is_only_in_memory() -> None:
    assert COMMIT_EVERY_S <= 0.9


def test_arriving_text_changes_only_its_own_answer(opened: Study) -> None:
    opened.clock.pass_by(minutes=1)
    before = opened.archive.sessions.session(opened.active.id)
    with opened.archive.database.outside_transactions() as db:
        db.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    words = "kelimesi " * 800
    opened.active.save_partial(replace(opened.active.messages[-1], content=words))
    assert committed(opened) == words
    assert opened.archive.sessions.session(opened.active.id) == before
    log = opened.database.with_name("bellek.db-wal")
    assert log.stat().st_size < len(words) + 4 * 4096


def test_an_answer_whose_row_the_disk_never_had_is_kept_whole_with_its_words(study: Study) -> None:
    study.ask("Soru?")
    message = study.active.add(Role.ASSISTANT, "", state=MessageState.STREAMING)
    study.active.save_partial(replace(message, content="Yarım"))
    assert study.on_disk()[-1] == replace(message, content="Yarım")


QUOTED = "gece üçte ölçüm yapmaya karar verdik"
CITED = f'Gece ölç [2: "{QUOTED}"]'


def test_a_killed_program_leaves_the_citations_of_what_had_arrived(
    study: Study, tmp_path: Path
) -> None:
    study.set(recalled_items=0)
    past = SessionId("past")
    study.add_past(past, "Karar?", f"Dün {QUOTED}.")
    image = tmp_path / "killed"

    def kill() -> None:
        wait_for(lambda: committed(study).startswith("Gece ölç [1] ve"))
        copytree(study.folder, image)

    study.script.steps.append([CITED, " ve ", kill, "sabah"])
    question = "Somogyi etkisi için gece ölçüm planı?"
    study.run(study.assistant.ask(question, TurnOptions(attachments=[past])))
    after = Study(image)
    assert after.archive.sessions.interrupt_streaming() == 1
    (session_id,) = (one.id for one in after.sessions() if one.id != past)
    answer = after.on_disk(session_id)[-1]
    assert (answer.state, answer.content) == (MessageState.INTERRUPTED, "Gece ölç [1] ve ")
    (citation,) = after.archive.answers.citations(session_id)[answer.id]
    assert (citation.number, citation.state) == (1, CitationState.CHECKED)
    assert normalize_quote(citation.quote) == normalize_quote(QUOTED)
    after.close()


def test_citations_are_written_only_when_there_are_others(
    opened: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    records: list[AnswerRecord | None] = []
    save = opened.active.save_partial

    def noting(message: Message, record: AnswerRecord | None = None) -> None:
        save(message, record)
        records.append(record)

    monkeypatch.setattr(opened.active, "save_partial", noting)
    draft = draft_of(opened, SOON_S)
    citations = [Citation(1, CitationState.UNCHECKED, "", "s", "p", "Başlık")]
    draft.citations = lambda: tuple(citations)
    for word in ("Bir [1]", " iki", " üç"):
        draft.append(word)
        count = len(records)
        wait_for(lambda count=count: len(records) > count)  # type: ignore[misc]  # a default
    draft.close(MessageState.COMPLETE)
    message_id = draft.message.id
    assert [record and record.citations for record in records] == [tuple(citations), None, None]
    assert opened.archive.answers.citations(opened.active.id) == {message_id: citations}


def test_a_taken_back_text_leaves_no_citations(study: Study) -> None:
    study.ask("Soru?")
    answer = study.active.add(Role.ASSISTANT, "", state=MessageState.STREAMING)
    study.active.save()
    cited = [Citation(1, CitationState.UNCHECKED, "", "s", "p", "Başlık")]
    study.active.save_partial(answer, AnswerRecord(answer.id, "", cited))
    assert study.archive.answers.citations(study.active.id) == {answer.id: cited}
    study.active.save_partial(answer, AnswerRecord(answer.id, ""))
    assert study.archive.answers.citations(study.active.id) == {}


def test_closing_keeps_everything_with_its_state_and_its_time(opened: Study) -> None:
    draft = draft_of(opened, NEVER_S)
    draft.append("Bir ")
    draft.append("iki")
    draft.close(MessageState.FAILED, error="connection_lost")
    kept = opened.on_disk()[-1]
    assert kept == draft.message == opened.active.messages[-1]
    assert (kept.content, kept.state, kept.error) == (
        "Bir iki",
        MessageState.FAILED,
        "connection_lost",
    )
    assert kept.duration_ms is not None


def test_the_first_close_decides_and_later_text_is_dropped(opened: Study) -> None:
    draft = draft_of(opened, NEVER_S)
    assert draft.append("Yarım")
    draft.close(MessageState.STOPPED)
    assert not draft.append(" geç kaldı")
    draft.close(MessageState.COMPLETE)
    assert (committed(opened), opened.on_disk()[-1].state) == ("Yarım", MessageState.STOPPED)


def test_a_commit_refused_by_the_disk_is_repeated_with_the_next(
    opened: Study, log_watch: LogWatch
) -> None:
    log_watch.expect("desktop.sessions.answering.answer_lifecycle", "database_locked")
    other = sqlcipher3.dbapi2.connect(str(opened.database), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    draft = draft_of(opened, SOON_S)
    draft.append("Bekleyen söz")
    wait_for(lambda: bool(log_watch._records))
    assert opened.active.messages[-1].content == "Bekleyen söz"
    assert committed(opened) == ""
    other.close()
    wait_for(lambda: committed(opened) == "Bekleyen söz")
    draft.close(MessageState.COMPLETE)


def test_words_that_arrive_while_others_are_committed_are_never_lost_or_doubled(
    opened: Study,
) -> None:
    draft = draft_of(opened, 0.0001)
    words = [f"{n} " for n in range(400)]
    for word in words:
        draft.append(word)
        if word.endswith("50 "):
            wait_for(lambda: committed(opened).endswith("50 "))
    draft.close(MessageState.COMPLETE)
    assert committed(opened) == "".join(words)
    loaded = opened.archive.sessions.messages(opened.active.id)
    assert tuple(loaded) == opened.active.messages
