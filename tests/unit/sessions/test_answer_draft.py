"""An answer while it arrives."""

import threading
from collections.abc import Callable
from dataclasses import replace

import pytest
import sqlcipher3.dbapi2

from desktop.domain.messages import Message, MessageState, Role
from desktop.sessions.answer_draft import COMMIT_EVERY_S, AnswerDraft
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
def opened(study: Study) -> tuple[Study, Message]:
    study.ask("Soru?")
    message = study.active.add(Role.ASSISTANT, "", state=MessageState.STREAMING)
    study.active.save()
    return study, message


def committed(study: Study) -> str:
    return study.on_disk()[-1].content


def test_what_arrived_is_committed_although_nothing_more_comes(
    opened: tuple[Study, Message],
) -> None:
    study, message = opened
    draft = AnswerDraft(study.active, message, commit_every_s=SOON_S)
    draft.append("Model ")
    draft.append("düşünüyor")
    wait_for(lambda: committed(study) == "Model düşünüyor")
    assert study.on_disk()[-1].state is MessageState.STREAMING
    draft.close(MessageState.COMPLETE)


def test_at_most_a_second_of_words_is_only_in_memory() -> None:
    assert COMMIT_EVERY_S <= 0.9


def test_what_arrives_touches_nothing_but_the_words_of_its_answer(
    opened: tuple[Study, Message],
) -> None:
    study, message = opened
    study.clock.pass_by(minutes=1)
    before = study.archive.sessions.session(study.active.id)
    with study.archive.database.outside_transactions() as db:
        db.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    words = "kelimesi " * 800
    study.active.save_partial(replace(message, content=words))
    assert committed(study) == words
    assert study.archive.sessions.session(study.active.id) == before
    log = study.database.with_name("bellek.db-wal")
    assert log.stat().st_size < len(words) + 4 * 4096


def test_an_answer_whose_row_the_disk_never_had_is_kept_whole_with_its_words(
    study: Study,
) -> None:
    study.ask("Soru?")
    message = study.active.add(Role.ASSISTANT, "", state=MessageState.STREAMING)
    study.active.save_partial(replace(message, content="Yarım"))
    assert study.on_disk()[-1] == replace(message, content="Yarım")


def test_closing_keeps_everything_with_its_state_and_its_time(
    opened: tuple[Study, Message],
) -> None:
    study, message = opened
    draft = AnswerDraft(study.active, message, commit_every_s=NEVER_S)
    draft.append("Bir ")
    draft.append("iki")
    draft.close(MessageState.FAILED, error="connection_lost")
    kept = study.on_disk()[-1]
    assert kept == draft.message == study.active.messages[-1]
    assert (kept.content, kept.state, kept.error) == (
        "Bir iki",
        MessageState.FAILED,
        "connection_lost",
    )
    assert kept.duration_ms is not None


def test_whoever_closes_first_decides_and_what_comes_later_is_dropped(
    opened: tuple[Study, Message],
) -> None:
    study, message = opened
    draft = AnswerDraft(study.active, message, commit_every_s=NEVER_S)
    assert draft.append("Yarım")
    draft.close(MessageState.STOPPED)
    assert not draft.append(" geç kaldı")
    draft.close(MessageState.COMPLETE)
    assert (committed(study), study.on_disk()[-1].state) == ("Yarım", MessageState.STOPPED)


def test_a_commit_that_the_disk_refuses_is_made_up_for_by_the_next(
    opened: tuple[Study, Message], log_watch: LogWatch
) -> None:
    log_watch.expect("desktop.sessions.answer_draft", "database_locked")
    study, message = opened
    other = sqlcipher3.dbapi2.connect(str(study.database), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    draft = AnswerDraft(study.active, message, commit_every_s=SOON_S)
    draft.append("Bekleyen söz")
    wait_for(lambda: bool(log_watch._records))
    assert study.active.messages[-1].content == "Bekleyen söz"
    assert committed(study) == ""
    other.close()
    wait_for(lambda: committed(study) == "Bekleyen söz")
    draft.close(MessageState.COMPLETE)


def test_words_that_arrive_while_others_are_committed_are_never_lost_or_doubled(
    opened: tuple[Study, Message],
) -> None:
    study, message = opened
    draft = AnswerDraft(study.active, message, commit_every_s=0.0001)
    words = [f"{n} " for n in range(400)]
    for word in words:
        draft.append(word)
        if word.endswith("50 "):
            wait_for(lambda: committed(study).endswith("50 "))
    draft.close(MessageState.COMPLETE)
    assert committed(study) == "".join(words)
    loaded = study.archive.sessions.messages(study.active.id)
    assert tuple(loaded) == study.active.messages
