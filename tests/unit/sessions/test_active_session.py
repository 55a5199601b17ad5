"""The active session in memory, while the disk is slow."""

from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest

from desktop.domain.errors import DatabaseLockedError, ServerFailedError
from desktop.domain.events import Outcome
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import CUT, CitationState, Message, Role, map_branches
from desktop.domain.model import CUT_OFF
from desktop.domain.routing import TurnOptions
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


# Rewritten answers and edited questions: earlier versions can be reached


PAST = SessionId("past")


def asked(study: Study, *texts: str) -> list[MessageId]:
    """The ids of all messages after asking."""
    for text in texts:
        assert study.ask(text).outcome is Outcome.COMPLETE
    return [message.id for message in study.active.messages]


def test_a_rewritten_answer_takes_the_place_of_the_first_which_stays_reachable(
    study: Study,
) -> None:
    study.script.steps.extend(["İlk cevap", "İkinci cevap"])
    _, first = asked(study, "Soru?")
    second = study.run(study.assistant.retry(first)).message_id
    assert second is not None
    assert study.said == ["Soru?", "İkinci cevap"]
    assert study.active.versions(second).ids == (first, second)
    study.assistant.show_version(first)
    assert study.said == ["Soru?", "İlk cevap"]
    assert study.active.versions(first).place == 1
    assert [one.content for one in study.on_disk()] == study.said


def test_an_answer_that_broke_off_is_continued_in_another_version_of_it(study: Study) -> None:
    study.script.steps.append(["Sabah şekeri ", ServerFailedError()])
    broken = study.ask("Sabah şekeri neden yükselir?")
    assert broken.message_id is not None
    study.script.steps.append("hormonlarla yükselir.")
    ended = study.run(study.assistant.retry(broken.message_id, TurnOptions(goes_on=True)))
    assert ended.outcome is Outcome.COMPLETE
    assert study.said[-1] == "Sabah şekeri hormonlarla yükselir."
    assert "<answer_so_far>\nSabah şekeri " in (study.script.requests[-1].changing or "")
    study.assistant.show_version(broken.message_id)
    assert study.said[-1] == "Sabah şekeri "


def test_a_cut_answer_with_citations_is_continued_and_what_is_added_is_cited_too(
    study: Study,
) -> None:
    study.set(recalled_items=0, checks_answers=False)
    study.add_past(PAST, "Karar?", "Gece üçte ölçüm yapmaya karar verdik.")
    begun = 'Gece ölç [2: "Gece üçte ölçüm yapmaya karar verdik"]'
    study.script.stop_reason = CUT_OFF
    study.script.steps.append(begun)
    question = "Somogyi etkisi için gece ölçüm planı?"
    cut = study.run(study.assistant.ask(question, TurnOptions(attachments=[PAST])))
    assert cut.message_id is not None
    assert (cut.is_cut, cut.text) == (True, "Gece ölç [1]")
    assert study.on_disk()[-1].error == CUT
    study.script.stop_reason = "end_turn"
    study.script.steps.append(', karar buydu [1: "ölçüm yapmaya karar verdik"].')
    ended = study.run(study.assistant.retry(cut.message_id, TurnOptions(goes_on=True)))
    assert ended.text == "Gece ölç [1], karar buydu [2]."
    assert [(one.number, one.state) for one in ended.citations] == [
        (1, CitationState.CHECKED),
        (2, CitationState.CHECKED),
    ]
    assert "<answer_so_far>\nGece ölç\n" in study.changing
    assert study.on_disk()[-1].error is None
    stored = study.archive.answers.citations(study.active.id)
    assert [one.number for one in stored[study.on_disk()[-1].id]] == [1, 2]


def test_an_edited_question_is_asked_again_and_what_followed_the_old_one_stays_with_it(
    study: Study,
) -> None:
    first, *_ = asked(study, "Şafak nedir?", "Peki neden olur?")
    study.script.steps.append("Başka cevap")
    ended = study.run(study.assistant.edit(first, "Somogyi nedir?"))
    assert study.said == ["Somogyi nedir?", "Başka cevap"]
    assert [one.text for one in study.script.requests[-1].messages] == ["Somogyi nedir?"]
    edited = study.active.messages[0].id
    assert study.active.versions(edited).ids == (first, edited)
    study.assistant.show_version(first)
    assert study.said == ["Şafak nedir?", "Tamam.", "Peki neden olur?", "Tamam."]
    study.assistant.show_version(edited)
    assert study.said == ["Somogyi nedir?", "Başka cevap"]
    assert ended.outcome is Outcome.COMPLETE


def test_branches_are_a_tree_and_each_can_be_shown_from_any_other(study: Study) -> None:
    first, _, then, _ = asked(study, "A?", "A, sonra?")
    study.run(study.assistant.edit(then, "A, ya sonra?"))
    study.run(study.assistant.edit(first, "B?"))
    last = asked(study, "B, sonra?")[-2]

    def branches() -> list[tuple[str, int, int, bool]]:
        stored = study.active.all_versions
        path = {one.message.id for one in stored if one.is_current}
        found = map_branches((one.message for one in stored), path)
        return [(one.message.content, one.place, one.depth, one.is_current) for one in found]

    assert branches() == [
        ("A?", 1, 0, False),
        ("A, sonra?", 1, 1, False),
        ("A, ya sonra?", 2, 1, False),
        ("B?", 2, 0, True),
    ]
    study.assistant.show_version(then)
    assert study.said == ["A?", "Tamam.", "A, sonra?", "Tamam."]
    assert [one.content for one in study.on_disk()] == study.said
    study.assistant.show_version(last)
    assert study.said == ["B?", "Tamam.", "B, sonra?", "Tamam."]
    assert [current for *_, current in branches()] == [False, False, False, True]


def test_what_another_device_added_while_no_process_had_the_session_is_on_its_path(
    study: Study, disk: SlowDisk, active: ActiveSession
) -> None:
    last = active.messages[-1]
    added = replace(last, id=MessageId(last.id + 1), number=last.number + 1, parent_id=last.id)
    added = replace(added, role=Role.USER, content="Öteki cihazdan")
    disk.save(active.session, [StoredMessage(added, is_current=False)])
    study.assistant._current.drop()
    assert study.assistant.continue_unfinished() is not None
    assert study.active.messages[-1].content == "Öteki cihazdan"
    study.assistant.save_pending()
    assert kept(study, study.active)[-1] == "Öteki cihazdan"
