"""A disk that is locked, full or read-only: the session stays in memory and is tried again."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
import sqlcipher3.dbapi2

from desktop.domain.errors import (
    DatabaseLockedError,
    DatabaseReadOnlyError,
    DiskFullError,
    StorageError,
)
from desktop.domain.events import (
    MessageAdded,
    Outcome,
    Status,
    StatusChanged,
    TextArrived,
    TurnEnded,
)
from desktop.domain.messages import MessageState
from desktop.domain.sessions import SessionStatus
from desktop.recall.search import Search
from desktop.sessions.active import ActiveSession
from desktop.sessions.assistant import Assistant, Surroundings
from desktop.storage.archive import open_for_reading
from tests.guards import LogWatch
from tests.models import ScriptedModel
from tests.studies import Study, words_of


@contextmanager
def locked(study: Study) -> Iterator[None]:
    """Another program writes to the file and does not let go of it."""
    other = sqlcipher3.dbapi2.connect(str(study.database), isolation_level=None)
    try:
        other.execute("BEGIN IMMEDIATE")
        yield
    finally:
        other.close()


@contextmanager
def full(study: Study) -> Iterator[None]:
    """The file cannot grow by another page."""
    _limit_pages(study, 1)
    try:
        yield
    finally:
        _limit_pages(study, 1_000_000)


def _limit_pages(study: Study, count: int) -> None:
    # A limit is a connection's own, and the study's thread is always lent the same one.
    with study.archive.database.outside_transactions() as db:
        db.exec_driver_sql(f"PRAGMA max_page_count = {count}")


Trouble = Callable[[Study], AbstractContextManager[None]]
TROUBLES = pytest.mark.parametrize(
    ("trouble", "error"), [(locked, DatabaseLockedError), (full, DiskFullError)]
)
LONG = "Şafak olayı nedir? " * 900


@TROUBLES
def test_a_message_that_the_disk_does_not_take_stays_in_memory_and_no_request_leaves(
    study: Study, model: ScriptedModel, trouble: Trouble, error: type[StorageError]
) -> None:
    study.ask("İlk soru?")
    with trouble(study):
        ended = study.ask(LONG)
        assert study.said[-1] == LONG
        assert not study.active.is_saved
        assert len(study.on_disk()) == 2
        with pytest.raises(error):
            study.assistant.save_pending()
    assert (ended.outcome, type(ended.error)) == (Outcome.FAILED, error)
    assert len(model.requests) == 1
    assert [event.status for event in study.happened(StatusChanged)] == [Status.SAVING_LATER]
    assert [event.is_saved for event in study.happened(MessageAdded)] == [False]
    assert study.assistant.save_pending()
    assert [one.content for one in study.on_disk()] == study.said


@TROUBLES
def test_once_the_disk_is_well_a_retry_answers_the_kept_message(
    study: Study, model: ScriptedModel, trouble: Trouble, error: type[StorageError]
) -> None:
    study.ask("İlk soru?")
    with trouble(study):
        failed = study.ask(LONG)
    assert failed.message_id is not None
    ended = study.run(study.assistant.retry(failed.message_id))
    assert ended.outcome is Outcome.COMPLETE
    assert study.said[-2:] == [LONG, "Tamam."]
    assert [one.content for one in study.on_disk()] == study.said


@TROUBLES
def test_an_ending_that_the_disk_does_not_take_says_so_and_the_session_stays_active(
    study: Study, trouble: Trouble, error: type[StorageError]
) -> None:
    study.ask("Soru?")
    question = study.active.add(study.active.messages[0].role, LONG)
    with trouble(study), pytest.raises(error):
        study.assistant.end()
    assert study.active.session.status is SessionStatus.ACTIVE
    assert study.said[-1] == question.content
    assert study.archive.sessions.active() is not None
    ended = study.assistant.end()
    assert ended is not None
    assert study.sessions()[0].status is SessionStatus.COMPLETE
    assert study.on_disk(ended.id)[-1].content == LONG


def test_an_answer_that_the_disk_does_not_take_is_whole_in_memory_and_saved_later(
    study: Study, model: ScriptedModel, log_watch: LogWatch
) -> None:
    log_watch.expect("desktop.sessions", "database_locked")
    other = sqlcipher3.dbapi2.connect(str(study.database), isolation_level=None)
    model.steps.append((lambda: other.execute("BEGIN IMMEDIATE"), "Uzun ", "cevap"))
    ended = study.ask("Soru?")
    assert (ended.outcome, ended.text) == (Outcome.COMPLETE, "Uzun cevap")
    assert ended.message_id == study.active.messages[1].id
    assert [event.text for event in study.happened(TextArrived)] == ["Uzun ", "cevap"]
    assert study.happened(StatusChanged)[-1].status is Status.SAVING_LATER
    assert study.said == ["Soru?", "Uzun cevap"]
    assert study.on_disk()[1].state is MessageState.STREAMING
    other.close()
    assert study.assistant.save_pending()
    assert (study.on_disk()[1].content, study.on_disk()[1].state) == (
        "Uzun cevap",
        MessageState.COMPLETE,
    )


def test_quotations_that_the_disk_does_not_take_are_shown_and_saved_later(
    alone: Study, log_watch: LogWatch
) -> None:
    log_watch.expect("desktop.sessions", "database_locked")
    other = sqlcipher3.dbapi2.connect(str(alone.database), isolation_level=None)
    for event in alone.assistant.ask("Soru?").events():
        if isinstance(event, TextArrived):
            other.execute("BEGIN IMMEDIATE")
        alone.events.append(event)
    assert isinstance(alone.events[-1], TurnEnded)
    assert alone.events[-1].outcome is Outcome.COMPLETE
    assert alone.happened(StatusChanged)[-1].status is Status.SAVING_LATER
    other.close()
    assert alone.assistant.save_pending()
    assert [one.content for one in alone.on_disk()] == alone.said


def test_a_first_message_that_the_disk_does_not_take_begins_a_session_all_the_same(
    study: Study,
) -> None:
    with locked(study):
        study.ask("İlk söz?")
        assert study.said == ["İlk söz?"]
        assert study.sessions() == []
    study.assistant.save_pending()
    assert study.sessions()[0].opening == "İlk söz?"


def test_what_is_said_during_the_trouble_is_all_saved_once_it_is_over(study: Study) -> None:
    study.ask("Bir?")
    with locked(study):
        for text in ("İki?", "Üç?"):
            study.ask(text)
        study.run(study.assistant.edit(study.active.messages[0].id, "Bir buçuk?"))
        with pytest.raises(DatabaseLockedError):
            study.assistant.save_pending()
    assert study.assistant.save_pending()
    loaded = ActiveSession(
        study.active.session,
        study.archive.sessions.all_versions(study.active.id),
        study.archive.sessions,
        study.clock,
    )
    assert loaded.messages == study.active.messages
    assert study.said == ["Bir buçuk?"]


def test_thanks_end_nothing_while_the_disk_takes_nothing(study: Study) -> None:
    study.ask("Soru?")
    with locked(study):
        ended = study.ask("teşekkürler")
        assert isinstance(ended.error, DatabaseLockedError)
        assert study.active.session.status is SessionStatus.ACTIVE
    study.assistant.save_pending()
    assert study.on_disk()[-1].content == "teşekkürler"


def test_continuing_another_session_fails_whole_while_the_disk_takes_nothing(
    study: Study,
) -> None:
    study.ask("Bir?")
    first = study.active.id
    study.assistant.end()
    study.ask("İki?")
    second = study.active.id
    with locked(study), pytest.raises(DatabaseLockedError):
        study.assistant.resume(first)
    assert study.active.id == second
    assert study.active.session.status is SessionStatus.ACTIVE


def test_closing_says_that_it_did_not_save(study: Study) -> None:
    study.ask("Soru?")
    with locked(study), pytest.raises(DatabaseLockedError):
        study.assistant.close()
    assert study.active.session.status is SessionStatus.ACTIVE
    study.assistant.close()
    assert study.sessions()[0].status is SessionStatus.COMPLETE


def test_in_a_read_only_profile_everything_can_be_read_and_a_message_says_why_it_is_not_kept(
    study: Study, tmp_path: Path
) -> None:
    study.ask("Soru?")
    study.assistant.end()
    study.describe()
    archive = open_for_reading(study.database)
    search = Search(archive.index, lambda: ())
    assistant = Assistant(
        archive,
        search,
        Surroundings(
            settings=lambda: study.settings,
            wording=words_of,
            language=lambda: study.language,
            phrases=study.heard,
            model=study.model_of,
            now=study.clock,
        ),
    )
    *_, ended = assistant.ask("Yeni soru?").events()
    assert isinstance(getattr(ended, "error", None), DatabaseReadOnlyError)
    assert assistant.active is not None
    assert [one.content for one in assistant.active.messages] == ["Yeni soru?"]
    assert len(archive.sessions.sessions()) == 1
    archive.close()
