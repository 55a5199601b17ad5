"""How a session ends, for each reason, and how each end is undone."""

import pytest

from desktop.domain.errors import NoActiveSessionError, SessionUnknownError
from desktop.domain.events import Outcome, SessionEnded, SessionStarted, TurnEvent
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import MessageState, Role
from desktop.domain.search import EVERYWHERE, Query
from desktop.domain.sessions import Draft, EndReason, SessionStatus
from tests.narrowing import present
from tests.studies import ANOTHER_SUBJECT, Study, talk


def test_thanks_end_the_session_and_belong_to_it(study: Study) -> None:
    session_id = talk(study)
    ended = study.ask("Tamam anladım, teşekkürler.")
    assert ended.outcome is Outcome.COMPLETE
    assert len(study.script.requests) == 2
    assert study.assistant.active is None
    (event,) = study.happened(SessionEnded)
    assert (event.session.id, event.why) == (session_id, EndReason.THANKS)
    assert "teşekkürler" in event.phrase
    session = study.archive.sessions.session(session_id)
    assert (session.status, session.end_reason) == (SessionStatus.COMPLETE, EndReason.THANKS)
    assert study.on_disk(session_id)[-1].content == "Tamam anladım, teşekkürler."


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("Teşekkürler, peki ya gece ne olur?", {}),
        ("İkisinin farkı ne?", {}),
        ("Neden?", {}),
        ("Biraz daha açar mısın?", {}),
        ("teşekkürler", {"detects_thanks": False}),
        (ANOTHER_SUBJECT, {"detects_subject_change": False}),
    ],
)
def test_follow_ups_and_uncertain_changes_stay_in_the_session(
    study: Study, text: str, settings: dict[str, bool]
) -> None:
    study.set(**settings)
    session_id = talk(study)
    study.ask(text)
    assert study.active.id == session_id


def test_the_users_own_phrases_count_and_those_struck_out_do_not(study: Study) -> None:
    study.set(own_end_phrases=("hadi eyvallah beyler",), ignored_phrases=("teşekkür*",))
    session_id = talk(study)
    study.ask("teşekkürler")
    assert study.active.id == session_id
    study.ask("Hadi eyvallah beyler")
    assert study.assistant.active is None


def test_an_announced_topic_ends_the_session_and_begins_the_next_with_what_follows(
    study: Study,
) -> None:
    old = talk(study)
    study.ask("Yeni konu: Somogyi etkisi nedir?")
    new = study.active.id
    assert new != old
    assert study.said == ["Somogyi etkisi nedir?", "Tamam."]
    assert [one.text for one in study.script.requests[-1].messages] == ["Somogyi etkisi nedir?"]
    assert study.archive.sessions.session(old).end_reason is EndReason.NEW_TOPIC
    assert len(study.on_disk(old)) == 4
    kinds = [type(event) for event in study.events]
    assert kinds.index(SessionEnded) < kinds.index(SessionStarted)


def test_a_topic_announced_without_a_question_leaves_nothing_active(study: Study) -> None:
    old = talk(study)
    ended = study.ask("Başka bir şey soracağım.")
    assert study.assistant.active is None
    assert (ended.outcome, ended.session_id) == (Outcome.COMPLETE, old)
    study.ask("Somogyi etkisi nedir?")
    assert study.active.id != old


def test_a_split_taken_back_asks_the_message_in_the_old_session(study: Study) -> None:
    old = talk(study)
    study.ask(ANOTHER_SUBJECT)
    new = study.active.id
    turn = present(study.assistant.undo_split(new))
    ended = study.run(turn)
    assert ended.outcome is Outcome.COMPLETE
    assert study.active.id == old
    assert study.said[-2:] == [ANOTHER_SUBJECT, "Tamam."]
    assert len(study.script.requests[-1].messages) == 5
    assert [session.id for session in study.sessions()] == [old]
    assert study.sessions()[0].status is SessionStatus.ACTIVE
    assert study.assistant.undo_split(new) is None


def test_a_split_can_be_taken_back_while_its_answer_streams(study: Study) -> None:
    old = talk(study)
    first = study.assistant.ask(ANOTHER_SUBJECT)
    events: list[TurnEvent] = []

    def take_back() -> None:
        turn = present(study.assistant.undo_split(study.active.id))
        turn.run(events.append)

    study.script.steps.append(("Üçüncü", take_back, " yüzyılda"))
    ended = study.run(first)
    assert ended.outcome is Outcome.STOPPED
    assert getattr(events[-1], "outcome", None) is Outcome.COMPLETE
    assert study.active.id == old
    assert study.said[-2:] == [ANOTHER_SUBJECT, "Tamam."]
    assert [session.id for session in study.sessions()] == [old]


def test_messages_after_a_split_survive_its_undo(study: Study) -> None:
    old = talk(study)
    study.ask(ANOTHER_SUBJECT)
    new = study.active.id
    study.ask("Peki Doğu Roma ne zaman yıkıldı?")
    turn = present(study.assistant.undo_split(new))
    study.run(turn)
    assert study.active.id == old
    kept = [one.content for session in study.sessions() for one in study.on_disk(session.id)]
    assert "Peki Doğu Roma ne zaman yıkıldı?" in kept


def test_closing_leaves_a_question_without_any_answer_for_the_next_time(study: Study) -> None:
    study.ask("Soru?")
    study.active.leave(study.active.messages[1].id)
    study.assistant.close()
    assert study.sessions()[0].status is SessionStatus.ACTIVE


@pytest.mark.parametrize(("settings", "minutes"), [({}, 30), ({"idle_minutes": 5}, 5)])
def test_a_session_ends_after_half_an_hour_of_silence_or_the_set_time(
    study: Study, settings: dict[str, int], minutes: int
) -> None:
    study.set(**settings)
    session_id = talk(study)
    study.clock.pass_by(minutes=minutes, seconds=-1)
    assert study.assistant.idle_end() is None
    study.clock.pass_by(seconds=1)
    ended = present(study.assistant.idle_end())
    assert (ended.id, ended.end_reason) == (session_id, EndReason.IDLE)
    assert ended.ended_at == study.clock()


def test_a_session_resumed_after_a_crash_counts_as_idle_only_if_nobody_resumed_it(
    study: Study,
) -> None:
    talk(study)
    study.clock.pass_by(days=2)
    later = study.after_a_crash()
    later.assistant.continue_unfinished()
    assert later.assistant.idle_end() is None
    later.clock.pass_by(minutes=31)
    by_command = later.after_a_crash()
    by_command.assistant.continue_unfinished(is_wanted=False)
    assert by_command.assistant.idle_end() is not None


def test_the_active_session_keeps_the_name_and_the_pin_that_it_is_given(study: Study) -> None:
    session_id = talk(study)
    study.past.rename(session_id, "Şafak olayı")
    (pinned,) = study.past.pin([session_id], is_pinned=True).value
    assert pinned == study.active.session == study.archive.sessions.session(session_id)
    assert (pinned.title, pinned.is_pinned) == ("Şafak olayı", True)
    study.ask("Peki sonra?")
    assert (study.active.session.title, study.active.session.is_pinned) == ("Şafak olayı", True)


def test_a_past_session_is_continued_and_the_active_one_gives_way(study: Study) -> None:
    first = talk(study)
    study.assistant.end()
    study.ask("Somogyi etkisi nedir?")
    second = study.active.id
    session = study.assistant.resume(first)
    assert (session.id, session.status) == (first, SessionStatus.ACTIVE)
    assert session.ended_at is None
    assert study.archive.sessions.session(second).end_reason is EndReason.REPLACED
    study.ask("Nerede kalmıştık?")
    assert len(study.script.requests[-1].messages) == 5


def test_continuing_the_active_session_or_one_that_is_missing_changes_nothing(
    study: Study,
) -> None:
    session_id = talk(study)
    assert study.assistant.resume(session_id).id == session_id
    assert len(study.sessions()) == 1
    with pytest.raises(SessionUnknownError):
        study.assistant.resume(SessionId("nowhere"))
    assert study.active.id == session_id


@pytest.mark.parametrize(
    "how",
    [
        "teşekkürler",
        "Yeni konu: Somogyi etkisi nedir?",
        "Başka bir şey soracağım.",
        EndReason.USER,
        EndReason.IDLE,
        EndReason.CLOSED,
    ],
)
def test_every_ending_is_taken_back(study: Study, how: str | EndReason) -> None:
    session_id = talk(study)
    if isinstance(how, EndReason):
        study.assistant.end(how)
    else:
        study.ask(how)
    study.assistant.undo_end(session_id)
    assert study.active.id == session_id
    assert study.sessions()[0].id == session_id
    assert study.said[:4] == [one.content for one in study.on_disk()][:4]
    ended = study.ask("Peki gece ne olur?")
    assert (ended.outcome, study.active.id) == (Outcome.COMPLETE, session_id)


def test_commands_that_need_a_session_report_that_there_is_none(study: Study) -> None:
    with pytest.raises(NoActiveSessionError):
        study.assistant.show_version(MessageId(1))
    ended = study.run(study.assistant.retry(MessageId(1)))
    assert isinstance(ended.error, NoActiveSessionError)


def test_a_crash_is_offered_again_and_taken_up_where_it_stood(study: Study) -> None:
    session_id = talk(study)
    study.assistant.drafts.keep(Draft("yarım soru", 3, 40))

    def die() -> None:
        raise KeyboardInterrupt

    study.script.steps.append(("Yarım cevap", study.active.save, die))
    with pytest.raises(KeyboardInterrupt):
        study.ask("Peki sonra?")
    later = study.after_a_crash()
    offered = present(later.assistant.unfinished())
    assert (offered.id, offered.messages) == (session_id, 6)
    assert later.assistant.active is None
    later.assistant.continue_unfinished()
    assert later.said[4] == "Peki sonra?"
    assert later.assistant.drafts.read() == Draft("yarım soru", 3, 40)


def test_a_question_before_the_offer_is_answered_is_kept_and_completes_what_the_crash_left(
    study: Study,
) -> None:
    left = talk(study)
    study.active.add(Role.ASSISTANT, "Yarım", state=MessageState.STREAMING)
    study.active.save()
    later = study.after_a_crash()
    ended = later.ask("Somogyi etkisi nedir?")
    assert ended.outcome is Outcome.COMPLETE
    assert later.said == [one.content for one in later.on_disk()]
    assert later.said == ["Somogyi etkisi nedir?", "Tamam."]
    old = later.archive.sessions.session(left)
    assert (old.status, old.end_reason) == (SessionStatus.COMPLETE, EndReason.CLOSED)
    assert later.on_disk(left)[-1].state is MessageState.INTERRUPTED
    assert [session.id for session in later.describe()] == [left]


def test_an_offer_that_is_answered_late_takes_nothing_from_the_session_begun_meanwhile(
    study: Study,
) -> None:
    talk(study)
    later = study.after_a_crash()
    later.ask("Somogyi etkisi nedir?")
    begun = later.active
    continued = present(later.assistant.continue_unfinished())
    assert continued.id == begun.id
    assert later.assistant.decline_unfinished() is None
    assert later.assistant.active is begun
    assert begun.session.status is SessionStatus.ACTIVE


def test_a_declined_session_is_completed_described_and_found(study: Study) -> None:
    session_id = talk(study)
    later = study.after_a_crash()
    assert later.assistant.unfinished() is not None
    declined = present(later.assistant.decline_unfinished())
    assert declined.end_reason is EndReason.CLOSED
    assert [session.id for session in later.describe()] == [session_id]
    assert later.search.find(Query("insülinle", scope=EVERYWHERE))
    assert later.assistant.unfinished() is None
    assert later.assistant.decline_unfinished() is None


def test_a_draft_stays_with_its_session_and_one_that_was_sent_is_gone(study: Study) -> None:
    study.assistant.drafts.keep(Draft("Şafak ola"))
    assert study.assistant.drafts.read() == Draft("Şafak ola")
    session_id = talk(study)
    study.assistant.drafts.keep(Draft("peki ya"))
    study.assistant.end()
    assert study.assistant.drafts.read() == Draft()
    study.assistant.resume(session_id)
    assert study.assistant.drafts.read() == Draft("peki ya")
