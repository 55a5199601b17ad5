"""A locked, full or read-only disk: the session stays in memory and is saved later."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import sqlcipher3.dbapi2

from desktop.domain import errors, events
from desktop.domain.messages import MessageState, Role
from desktop.domain.sessions import EndReason, SessionStatus
from desktop.sessions.conversation.active_session import ActiveSession
from tests.guards import LogWatch
from tests.models import ScriptedModel
from tests.studies import ANOTHER_SUBJECT, ANSWERS, Study, talk


@pytest.fixture
def busy_timeout_s() -> float:
    """These wait for locks that are held to the end."""
    return 0.01


@contextmanager
def locked(study: Study) -> Iterator[None]:
    """Another program holds a lock on the file."""
    other = sqlcipher3.dbapi2.connect(str(study.database), isolation_level=None)
    try:
        other.execute("BEGIN IMMEDIATE")
        yield
    finally:
        other.close()


@contextmanager
def full(study: Study) -> Iterator[None]:
    """The file cannot grow any more."""
    _limit_pages(study, 1)
    try:
        yield
    finally:
        _limit_pages(study, 1_000_000)


def _limit_pages(study: Study, count: int) -> None:
    # Each connection has its own limit; the study's thread always gets the same one.
    with study.archive.database.outside_transactions() as db:
        db.exec_driver_sql(f"PRAGMA max_page_count = {count}")


@contextmanager
def locked_from(
    study: Study, kind: type[events.TurnEvent]
) -> Iterator[Callable[[events.TurnEvent], None]]:
    """Another program locks the file at the first such event."""
    other = sqlcipher3.dbapi2.connect(str(study.database), isolation_level=None)

    def lock(event: events.TurnEvent) -> None:
        if (
            isinstance(event, kind)
            and getattr(event, "is_saved", True)
            and not other.in_transaction
        ):
            other.execute("BEGIN IMMEDIATE")

    yield lock
    other.close()


Trouble = Callable[[Study], AbstractContextManager[None]]
TROUBLES = pytest.mark.parametrize(
    ("trouble", "error"), [(locked, errors.DatabaseLockedError), (full, errors.DiskFullError)]
)
_NOBODY = 65534
LONG = "Şafak olayı nedir? " * 900


@TROUBLES
def test_a_message_that_the_disk_does_not_take_stays_in_memory_and_no_request_leaves(
    study: Study, trouble: Trouble, error: type[errors.StorageError]
) -> None:
    study.ask("İlk soru?")
    with trouble(study):
        ended = study.ask(LONG)
        assert study.said[-1] == LONG
        assert len(study.on_disk()) == 2
        with pytest.raises(error):
            study.assistant.save_pending()
    assert (ended.outcome, type(ended.error)) == (events.Outcome.FAILED, error)
    assert len(study.script.requests) == 1
    assert [event.status for event in study.happened(events.StatusChanged)] == [
        events.Status.SAVING_LATER
    ]
    assert [event.is_saved for event in study.happened(events.MessageAdded)] == [False]
    study.assistant.save_pending()
    assert [one.content for one in study.on_disk()] == study.said
    assert study.retry(ended).outcome is events.Outcome.COMPLETE
    assert study.said[-2:] == [LONG, "Tamam."]
    assert [one.content for one in study.on_disk()] == study.said


@TROUBLES
def test_a_failed_end_is_reported_and_the_session_stays_active(
    study: Study, trouble: Trouble, error: type[errors.StorageError]
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
    study: Study, log_watch: LogWatch
) -> None:
    log_watch.expect("desktop.sessions", "database_locked")
    other = sqlcipher3.dbapi2.connect(str(study.database), isolation_level=None)
    study.script.steps.append((lambda: other.execute("BEGIN IMMEDIATE"), "Uzun ", "cevap"))
    ended = study.ask("Soru?")
    assert (ended.outcome, ended.text) == (events.Outcome.COMPLETE, "Uzun cevap")
    assert ended.message_id == study.active.messages[1].id
    assert [event.text for event in study.happened(events.TextArrived)] == ["Uzun ", "cevap"]
    assert study.happened(events.StatusChanged)[-1].status is events.Status.SAVING_LATER
    assert study.said == ["Soru?", "Uzun cevap"]
    assert study.on_disk()[1].state is MessageState.STREAMING
    other.close()
    study.assistant.save_pending()
    assert (study.on_disk()[1].content, study.on_disk()[1].state) == (
        "Uzun cevap",
        MessageState.COMPLETE,
    )
    study.assistant.save_pending()
    assert study.archive.answers.usage(study.active.id) == {ended.message_id: ended.usage}


def test_a_first_message_that_the_disk_does_not_take_begins_a_session_all_the_same(
    study: Study,
) -> None:
    with locked(study):
        study.ask("İlk söz?")
        assert study.said == ["İlk söz?"]
        assert study.sessions() == []
    study.assistant.save_pending()
    assert study.sessions()[0].opening == "İlk söz?"


def test_messages_sent_while_the_disk_fails_are_all_saved_afterwards(study: Study) -> None:
    study.ask("Bir?")
    with locked(study):
        for text in ("İki?", "Üç?"):
            study.ask(text)
        study.run(study.assistant.edit(study.active.messages[0].id, "Bir buçuk?"))
        with pytest.raises(errors.DatabaseLockedError):
            study.assistant.save_pending()
    study.assistant.save_pending()
    loaded = ActiveSession(
        study.active.session,
        study.archive.sessions.all_versions(study.active.id),
        study.archive.sessions,
        study.clock,
    )
    assert loaded.messages == study.active.messages
    assert study.said == ["Bir buçuk?"]


def test_thanks_that_could_not_end_the_session_end_it_when_they_are_tried_again(
    study: Study,
) -> None:
    study.ask("Soru?")
    session_id = study.active.id
    with locked(study):
        failed = study.ask("teşekkürler")
        assert isinstance(failed.error, errors.DatabaseLockedError)
        assert study.active.session.status is SessionStatus.ACTIVE
    ended = study.retry(failed)
    assert ended.outcome is events.Outcome.COMPLETE
    assert len(study.script.requests) == 1
    assert study.assistant.active is None
    session = study.archive.sessions.session(session_id)
    assert (session.status, session.end_reason) == (SessionStatus.COMPLETE, EndReason.THANKS)
    assert [one.content for one in study.on_disk(session_id)] == ["Soru?", "Tamam.", "teşekkürler"]


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ("Yeni konu: Somogyi etkisi nedir?", "Somogyi etkisi nedir?"),
        (ANOTHER_SUBJECT, ANOTHER_SUBJECT),
    ],
)
def test_words_for_a_new_session_that_could_not_begin_are_kept_and_begin_it_later(
    study: Study, words: str, asked: str
) -> None:
    old = talk(study)
    with locked(study):
        failed = study.ask(words)
        assert isinstance(failed.error, errors.DatabaseLockedError)
        assert study.said[-1] == words
    study.assistant.save_pending()
    assert study.on_disk()[-1].content == words
    ended = study.retry(failed)
    assert ended.outcome is events.Outcome.COMPLETE
    assert study.active.id != old
    assert study.said == [asked, "Tamam."]
    assert [one.text for one in study.script.requests[-1].messages] == [asked]
    assert len(study.on_disk(old)) == 4
    assert study.archive.sessions.session(old).messages == 4


def test_a_topic_announced_without_a_question_ends_the_session_when_it_is_tried_again(
    study: Study,
) -> None:
    study.ask("Soru?")
    old = study.active.id
    with locked(study):
        failed = study.ask("Başka bir şey soracağım.")
    study.retry(failed)
    assert study.assistant.active is None
    assert [one.content for one in study.on_disk(old)] == ["Soru?", "Tamam."]
    assert study.archive.sessions.session(old).messages == 2
    assert study.happened(events.SessionEnded)[0].why is EndReason.NEW_TOPIC


def test_a_message_is_saved_even_if_its_handling_cannot_be_decided(study: Study) -> None:
    study.settings_trouble = errors.BaseUrlInvalidError(variable="ANTHROPIC_BASE_URL")
    failed = study.ask("Soru?")
    assert isinstance(failed.error, errors.BaseUrlInvalidError)
    assert study.said == ["Soru?"] == [one.content for one in study.on_disk()]
    study.settings_trouble = None
    assert study.retry(failed).outcome is events.Outcome.COMPLETE
    assert study.said == ["Soru?", "Tamam."]


def _locked_once_the_question_is_saved(study: Study, text: str) -> events.TurnEnded:
    """The disk fails between a question and its answer."""
    with locked_from(study, events.MessageAdded) as lock:
        return study.run(study.assistant.ask(text), lock)


@pytest.mark.parametrize("who", ["study", "alone"])
def test_an_answer_that_could_not_begin_leaves_no_empty_row(
    who: str, request: pytest.FixtureRequest
) -> None:
    study: Study = request.getfixturevalue(who)
    failed = _locked_once_the_question_is_saved(study, "Soru?")
    assert isinstance(failed.error, errors.DatabaseLockedError)
    assert study.said == ["Soru?"]
    assert failed.message_id == study.active.messages[0].id
    ended = study.retry(failed)
    assert ended.outcome is events.Outcome.COMPLETE
    assert [one.role for one in study.active.messages] == [Role.USER, Role.ASSISTANT]
    assert [one.content for one in study.on_disk()] == study.said


def test_silence_ends_a_session_whose_answer_could_not_begin(study: Study) -> None:
    _locked_once_the_question_is_saved(study, "Soru?")
    study.clock.pass_by(minutes=31)
    assert study.assistant.idle_end() is not None


def test_citations_are_saved_with_the_answer_after_a_refused_write(
    alone: Study, log_watch: LogWatch
) -> None:
    log_watch.expect("desktop.sessions", "database_locked")
    alone.add_past("eski", "Şafak olayı nedir?", ANSWERS[0])
    alone.describe()
    asked = "Büyüme hormonu sabaha karşı neden artar?"
    with locked_from(alone, events.TextArrived) as lock:
        ended = alone.run(alone.assistant.ask(asked), lock)
    assert ended.outcome is events.Outcome.COMPLETE
    assert ended.citations
    assert alone.happened(events.StatusChanged)[-1].status is events.Status.SAVING_LATER
    alone.assistant.save_pending()
    assert [one.content for one in alone.on_disk()] == alone.said
    kept = alone.archive.answers.citations(alone.active.id)
    assert kept == {ended.message_id: list(ended.citations)}


def test_continuing_another_session_fails_completely_while_the_disk_is_full(study: Study) -> None:
    study.ask("Bir?")
    first = study.active.id
    study.assistant.end()
    study.ask("İki?")
    second = study.active.id
    with locked(study), pytest.raises(errors.DatabaseLockedError):
        study.assistant.resume(first)
    assert study.active.id == second
    assert study.active.session.status is SessionStatus.ACTIVE


def test_closing_says_that_it_did_not_save(study: Study) -> None:
    study.ask("Soru?")
    with locked(study), pytest.raises(errors.DatabaseLockedError):
        study.assistant.close()
    assert study.active.session.status is SessionStatus.ACTIVE
    study.assistant.close()
    assert study.sessions()[0].status is SessionStatus.COMPLETE


@contextmanager
def read_only(study: Study) -> Iterator[None]:
    """The file may not be written."""
    study.archive.close()
    study.database.chmod(0o444)
    study.folder.chmod(0o777)
    is_root = os.geteuid() == 0
    if is_root:  # who may write everywhere
        os.seteuid(_NOBODY)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)
        study.database.chmod(0o644)


@pytest.mark.skipif(sys.platform == "win32", reason="the bits that say so are Unix's")
def test_a_read_only_archive_is_read_and_takes_the_waiting_changes_once_it_is_writable() -> None:
    with TemporaryDirectory() as folder:  # other users can reach it, unlike tmp_path
        study = Study(Path(folder), ScriptedModel())
        study.ask("Soru?")
        with read_only(study):
            failed = study.ask("Yeni soru?")
            assert isinstance(failed.error, errors.DatabaseReadOnlyError)
            assert study.said == ["Soru?", "Tamam.", "Yeni soru?"]
            assert len(study.on_disk()) == 2
            with pytest.raises(errors.DatabaseReadOnlyError):
                study.assistant.save_pending()
        study.assistant.save_pending()
        assert [one.content for one in study.on_disk()] == study.said
        study.close()
