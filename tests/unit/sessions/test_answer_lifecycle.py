"""An answer while it arrives."""

import threading
from collections.abc import Callable
from dataclasses import replace

import pytest
import sqlcipher3.dbapi2

from desktop.domain.messages import MessageState, Role
from desktop.sessions.answering.answer_lifecycle import COMMIT_EVERY_S, AnswerDraft
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
