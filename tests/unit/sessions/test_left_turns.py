"""An answer goes on in a session that the user has left for another one."""

from collections.abc import Callable
from threading import Event, Thread

from desktop.domain.events import Outcome, Status, StatusChanged, TurnEvent
from desktop.domain.ids import SessionId
from desktop.domain.messages import MessageState
from desktop.domain.sessions import Draft, EndReason, SessionStatus
from tests.fakes import Says, ScriptedServer, Waits
from tests.models import served_model
from tests.studies import Study

_WAIT_S = 30


def _answer_while(study: Study, act: Callable[[SessionId], object]) -> SessionId:
    """Ask in a session, and act in the middle of its answer."""
    asked: list[SessionId] = []

    def meanwhile() -> None:
        asked.append(study.active.id)
        act(study.active.id)

    study.script.steps.append(["Bir ", meanwhile, "iki."])
    ended = study.run(study.assistant.ask("Gelgit neden olur?"))
    assert (ended.outcome, ended.text) == (Outcome.COMPLETE, "Bir iki.")
    assert ended.session_id == asked[0]
    return asked[0]


def _ask_beside(study: Study, text: str = "Kutup ışığı nedir?") -> SessionId:
    """Ask in a session of its own, while the events of another turn are recorded."""
    study.assistant.ask(text).run(lambda _: None)
    return study.active.id


def test_an_answer_goes_on_while_another_session_is_asked(study: Study) -> None:
    beside: list[SessionId] = []

    def leave(_: SessionId) -> None:
        study.assistant.leave()
        study.script.steps.append("Oksijenden.")
        beside.append(_ask_beside(study))

    first = _answer_while(study, leave)
    assert [one.content for one in study.on_disk(first)] == ["Gelgit neden olur?", "Bir iki."]
    assert study.on_disk(first)[-1].state is MessageState.COMPLETE
    assert study.said == ["Kutup ışığı nedir?", "Oksijenden."]
    left = study.archive.sessions.session(first)
    assert (left.status, left.end_reason) == (SessionStatus.COMPLETE, EndReason.REPLACED)
    assert study.archive.sessions.session(beside[0]).status is SessionStatus.ACTIVE


def test_only_one_session_is_active_on_the_disk_while_two_are_answered(study: Study) -> None:
    active: list[list[SessionStatus]] = []

    def look() -> None:
        active.append(sorted(session.status for session in study.sessions()))

    def leave(_: SessionId) -> None:
        study.assistant.leave()
        study.script.steps.append(["Oksi", look, "jenden."])
        _ask_beside(study)
        study.assistant.save_pending()
        look()

    _answer_while(study, leave)
    assert active == [[SessionStatus.ACTIVE, SessionStatus.COMPLETE]] * 2


def test_a_session_is_taken_up_again_while_it_is_answered(study: Study) -> None:
    def go_and_come(first: SessionId) -> None:
        study.assistant.leave()
        _ask_beside(study)
        assert study.assistant.resume(first).status is SessionStatus.ACTIVE

    first = _answer_while(study, go_and_come)
    assert study.active.id == first
    assert study.said == ["Gelgit neden olur?", "Bir iki."]
    study.ask("Peki neden?")
    assert len(study.on_disk(first)) == 4
    assert [one.status for one in study.sessions()].count(SessionStatus.ACTIVE) == 1


def test_stop_ends_the_answer_that_it_names_and_no_other(study: Study) -> None:
    turn = study.assistant.ask("Gelgit neden olur?")

    def stop_other() -> None:
        study.assistant.stop()  # of the session that is active now: none runs
        study.assistant.stop(turn.id)

    def leave() -> None:
        study.assistant.leave()
        _ask_beside(study)
        stop_other()

    study.script.steps.append(["Bir ", leave, "iki."])
    ended = study.run(turn)
    assert ended.outcome is Outcome.STOPPED
    assert study.said == ["Kutup ışığı nedir?", "Tamam."]


def test_a_session_that_was_left_is_described_once_its_answer_is_complete(study: Study) -> None:
    described: list[SessionId] = []

    def leave(_: SessionId) -> None:
        study.assistant.leave()
        described.extend(
            one.session.id
            for one in study.assistant.describe_at_once(lambda: False)
            if one.session is not None
        )

    first = _answer_while(study, leave)
    assert described == []
    assert [session.id for session in study.describe()] == [first]


def test_a_session_that_is_deleted_is_written_no_further(study: Study) -> None:
    turn = study.assistant.ask("Gelgit neden olur?")

    def leave_and_delete() -> None:
        first = study.active.id
        study.assistant.leave()
        study.past.delete([first])

    study.script.steps.append(["Bir ", leave_and_delete, "iki."])
    assert study.run(turn).outcome is Outcome.STOPPED
    assert study.sessions() == []


def test_the_draft_stays_with_the_session_that_was_left(study: Study) -> None:
    def leave(_: SessionId) -> None:
        study.assistant.drafts.leave(Draft("Sonra sorarım"))
        study.assistant.leave()
        _ask_beside(study)
        study.assistant.drafts.keep(Draft("Başka"))

    first = _answer_while(study, leave)
    study.assistant.resume(first)
    assert study.assistant.drafts.read().text == "Sonra sorarım"


def test_a_temporary_session_is_not_left(study: Study) -> None:
    study.assistant.begin_temporary()
    turn = study.assistant.ask("Gelgit neden olur?")
    study.script.steps.append(["Bir ", study.assistant.leave, "iki."])
    assert study.run(turn).outcome is Outcome.STOPPED
    assert study.sessions() == []


def test_closing_keeps_what_has_arrived_of_all_answers(study: Study) -> None:
    turn = study.assistant.ask("Gelgit neden olur?")

    def close() -> None:
        study.assistant.close()

    def leave() -> None:
        study.assistant.leave()
        study.script.steps.append(["Oksi", close, "jenden."])
        study.assistant.ask("Kutup ışığı nedir?").run(lambda _: None)

    study.script.steps.append(["Bir ", leave, "iki."])
    study.run(turn)
    last = [study.on_disk(session.id)[-1] for session in study.sessions()]
    assert sorted((one.content, one.state) for one in last) == [
        ("Bir ", MessageState.STOPPED),
        ("Oksi", MessageState.STOPPED),
    ]


def test_a_session_waits_in_line_while_a_model_on_this_computer_answers_another(
    study: Study, server: ScriptedServer
) -> None:
    with served_model(server) as study.model:
        _wait_in_line(study, server)


def _wait_in_line(served: Study, server: ScriptedServer) -> None:
    held = Waits(Event())
    server.then(Says(chunks=("Bir ", held, "iki.")), Says("Oksijenden."))
    first = served.assistant.ask("Gelgit neden olur?")
    answering = Thread(target=first.run, args=(lambda _: None,))
    answering.start()
    assert held.reached.wait(_WAIT_S)
    served.assistant.leave()
    states: list[Status] = []
    in_line = Event()

    def note(event: TurnEvent) -> None:
        if isinstance(event, StatusChanged):
            states.append(event.status)
        if states[-1:] == [Status.QUEUED]:
            in_line.set()

    second = served.assistant.ask("Kutup ışığı nedir?")
    waiting = Thread(target=second.run, args=(note,))
    waiting.start()
    assert in_line.wait(_WAIT_S)
    assert len(server.asked) == 1
    held.until.set()
    for thread in (answering, waiting):
        thread.join(_WAIT_S)
        assert not thread.is_alive()
    assert served.said == ["Kutup ışığı nedir?", "Oksijenden."]
    assert states[states.index(Status.QUEUED) + 1] is Status.WAITING
