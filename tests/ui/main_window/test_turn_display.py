"""Which of several turns is shown, and what of it is shown again."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Event

import pytest
from pytestqt.qtbot import QtBot

from desktop.domain import events
from desktop.domain.ids import MessageId, SessionId, TurnId
from desktop.domain.messages import Message, MessageState, Role
from desktop.domain.times import utc_now
from desktop.domain.usage import Phase
from desktop.ui.session.turn_display import TurnDisplay
from desktop.ui.theme.theme import ThemeController
from desktop.ui.transcript.view import TranscriptView
from desktop.ui.turn_bridge import TurnBridge

_A, _B = SessionId("a"), SessionId("b")


@dataclass
class _Turn:
    id: TurnId
    cancelled: Event = field(default_factory=Event)

    def run(self, emit: object) -> None:
        """Its events come from the test."""


class _Shown:
    """A display of two sessions; records what it says of the shown turn."""

    def __init__(self, theme: ThemeController, qtbot: QtBot) -> None:
        self._pool = ThreadPoolExecutor(1)
        self.bridge = TurnBridge(self._pool)
        self.transcript = TranscriptView(theme)
        qtbot.addWidget(self.transcript)
        self.turns = TurnDisplay(self.transcript, self.bridge, self.transcript)
        self.calls: list[events.ToolState] = []
        self.phases: list[Phase] = []
        self.turns.tool_called.connect(lambda called: self.calls.append(called.state))
        self.turns.happened.connect(self._note)

    def begin(self, name: str, session_id: SessionId) -> TurnId:
        """Begin a turn in a session, which is shown."""
        self.turns.shown_id = session_id
        turn_id = TurnId(name)
        self.turns.start(_Turn(turn_id))
        number = MessageId(sum(map(ord, name)))
        answer = Message(
            id=number,
            session_id=session_id,
            number=2,
            role=Role.ASSISTANT,
            content="",
            state=MessageState.STREAMING,
            created_at=utc_now(),
        )
        self.bridge.arrived.emit(events.MessageAdded(turn_id, answer, is_saved=True))
        return turn_id

    def calls_tool(self, turn_id: TurnId, state: events.ToolState) -> None:
        self.bridge.arrived.emit(events.ToolCalled(turn_id, "call", "web_search", "", state))

    def close(self) -> None:
        self._pool.shutdown()

    def _note(self, event: events.TurnEvent) -> None:
        if isinstance(event, events.PhaseStarted):
            self.phases.append(event.phase)


@pytest.fixture
def shown(theme: ThemeController, qtbot: QtBot) -> _Shown:
    return _Shown(theme, qtbot)


def test_a_session_that_was_left_shows_its_question_for_permission_when_it_is_shown(
    shown: _Shown,
) -> None:
    turns, asking = shown.turns, events.ToolState.ASKING
    first = shown.begin("first", _A)
    turns.leave()
    shown.begin("second", _B)
    shown.calls_tool(first, asking)
    assert shown.calls == []
    assert turns.waiting == {_A}
    turns.shown_id = _A
    assert shown.calls == [asking]
    shown.calls_tool(first, events.ToolState.RUNNING)
    assert turns.waiting == frozenset()
    turns.shown_id = _B
    turns.shown_id = _A
    assert shown.calls[-1] is events.ToolState.RUNNING
    shown.close()


def test_the_steps_of_a_turn_are_shown_again_and_those_of_others_are_not(shown: _Shown) -> None:
    turns, arrived = shown.turns, shown.bridge.arrived
    first = shown.begin("first", _A)
    arrived.emit(events.PhaseStarted(first, Phase.ASSESSMENT))
    turns.leave()
    second = shown.begin("second", _B)
    arrived.emit(events.PhaseStarted(first, Phase.EXECUTION))
    arrived.emit(events.PhaseStarted(second, Phase.ASSESSMENT))
    assert shown.phases == [Phase.ASSESSMENT, Phase.ASSESSMENT]
    turns.shown_id = _A
    assert shown.phases[2:] == [Phase.ASSESSMENT, Phase.EXECUTION]
    assert turns.answered == {_A, _B}
    shown.close()


def test_the_end_of_a_turn_that_is_not_shown_leaves_the_shown_one_running(shown: _Shown) -> None:
    turns = shown.turns
    first = shown.begin("first", _A)
    turns.leave()
    shown.begin("second", _B)
    ended: list[events.TurnEvent] = []
    turns.ended.connect(ended.append)
    shown.bridge.arrived.emit(events.TurnEnded(first, events.Outcome.COMPLETE, _A))
    assert ended == []
    assert turns.is_running
    assert turns.answered == {_B}
    shown.close()
