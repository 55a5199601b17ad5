"""The active session in memory, while the disk is slow."""

from collections.abc import Callable, Iterable

import pytest

from desktop.domain.errors import DatabaseLockedError
from desktop.domain.messages import Message, Role
from desktop.domain.sessions import EndReason, Session, SessionStatus
from desktop.sessions.conversation import active_session
from desktop.sessions.conversation.active_session import ActiveSession
from desktop.storage.repositories.answer_records import AnswerRecord
from desktop.storage.repositories.sessions import SessionStore, StoredMessage
from tests.studies import Study


class SlowDisk(SessionStore):
    """Does something else while it writes."""

    def __init__(self, study: Study) -> None:
        super().__init__(study.archive.database, now=study.clock)
        self.meanwhile: Callable[[], object] = lambda: None
        self.refuses = False

    def save(
        self,
        session: Session,
        changed: Iterable[StoredMessage],
        records: Iterable[AnswerRecord] = (),
    ) -> None:
        self.meanwhile()
        if self.refuses:
            raise DatabaseLockedError
        super().save(session, changed, records)


@pytest.fixture
def disk(study: Study) -> SlowDisk:
    return SlowDisk(study)


@pytest.fixture
def active(study: Study, disk: SlowDisk) -> ActiveSession:
    study.ask("Soru?")
    stored = disk.all_versions(study.active.id)
    return ActiveSession(study.active.session, stored, disk, study.clock)


def kept(study: Study, active: ActiveSession) -> list[str]:
    return [one.content for one in study.on_disk(active.id)]


def test_a_message_added_during_a_write_is_saved_by_the_next(
    study: Study, disk: SlowDisk, active: ActiveSession
) -> None:
    active.add(Role.USER, "Bir")
    disk.meanwhile = lambda: active.add(Role.USER, "İki")
    active.save()
    assert kept(study, active) == ["Soru?", "Tamam.", "Bir"]
    disk.meanwhile = lambda: None
    active.save()
    assert kept(study, active) == ["Soru?", "Tamam.", "Bir", "İki"]


def test_a_message_leaving_the_path_during_a_write_leaves_it_on_disk_by_the_next(
    study: Study, disk: SlowDisk, active: ActiveSession
) -> None:
    added = active.add(Role.USER, "Bir")
    disk.meanwhile = lambda: active.leave(added.id) if added in active.messages else None
    active.save()
    active.save()
    assert kept(study, active) == ["Soru?", "Tamam."]


def test_a_refused_ending_loses_no_message_that_arrived_meanwhile(
    disk: SlowDisk, active: ActiveSession
) -> None:
    disk.refuses, disk.meanwhile = True, lambda: active.add(Role.USER, "Tam o sırada")
    with pytest.raises(DatabaseLockedError):
        active.complete(EndReason.USER)
    assert active.session.status is SessionStatus.ACTIVE
    assert active.session.messages == len(active.messages) == 3


def test_a_session_is_ended_only_once_it_is_on_the_disk(
    disk: SlowDisk, active: ActiveSession
) -> None:
    seen: list[SessionStatus] = []
    disk.meanwhile = lambda: seen.append(active.session.status)
    ended = active.complete(EndReason.USER)
    assert seen == [SessionStatus.ACTIVE]
    assert (ended.status, active.session) == (SessionStatus.COMPLETE, ended)


def test_sessions_that_begin_within_a_millisecond_share_no_message(study: Study) -> None:
    for n in range(60):
        study.ask(f"{n}. soru")
        study.assistant.end()
    kept = [one for session in study.sessions() for one in study.on_disk(session.id)]
    assert sorted(one.content for one in kept if one.role is Role.USER) == sorted(
        f"{n}. soru" for n in range(60)
    )
    assert len(kept) == 120


def test_saving_looks_at_what_changed_and_not_at_the_whole_session(
    active: ActiveSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(200):
        active.add(Role.USER, f"{number}")
    active.save()
    looked_at = list[str]()

    def look(message: Message, *is_current: bool) -> StoredMessage:
        looked_at.append(message.content)
        return StoredMessage(message, *is_current)

    monkeypatch.setattr(active_session, "StoredMessage", look)
    active.add(Role.USER, "Bir")
    active.save()
    assert set(looked_at) == {"Bir"}
