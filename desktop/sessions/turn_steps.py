"""What is done with a message of the user's, step by step; each yields the events of its turn.

Every step may raise StorageError and LlmError.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field

from desktop.domain.errors import AppError
from desktop.domain.events import (
    Decided,
    Outcome,
    SessionEnded,
    SessionStarted,
    TurnEnded,
    TurnEvent,
)
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import Message, Role
from desktop.domain.model import Model
from desktop.domain.routing import Answer, EndSession
from desktop.domain.sessions import EndReason, Session
from desktop.domain.tiers import Tier
from desktop.domain.usage import Purpose, Usage
from desktop.research.routing.router import decide, route
from desktop.sessions.active_session import ActiveSession
from desktop.sessions.answering.answering import Answerer
from desktop.sessions.assistant_context import Surroundings
from desktop.sessions.boundaries.live_topic_monitor import View, Watch
from desktop.sessions.context import EndsTooLong
from desktop.sessions.memory_commands import Remembering
from desktop.sessions.session_lifecycle import CurrentSession
from desktop.sessions.turn import Turn, save_message
from desktop.storage.archive import Archive

_ONE_EXCHANGE = 2


@dataclass(frozen=True, slots=True)
class Split:
    """A message that was taken for a new subject, and where it came from."""

    old: SessionId
    new: SessionId
    text: str


@dataclass(slots=True)
class Steps:
    archive: Archive
    around: Surroundings
    current: CurrentSession
    answerer: Answerer
    remembering: Remembering
    watch: Watch
    split: Split | None = None
    """The newest of them, which can be taken back."""
    _undone: set[MessageId] = field(default_factory=set)
    """Messages whose turn failed before it was done what they call for: Retry decides anew."""

    def ask(self, turn: Turn, text: str, said: Message | None = None) -> Iterator[TurnEvent]:
        """`said`: the message, where the session has it from a turn that came to nothing."""
        turn.message = said
        try:
            yield from self._do(turn, text, said)
        except AppError:
            if turn.message is None:
                yield from self._keep_words(turn, text)
            else:
                self._undone.add(turn.message.id)
            raise

    def _do(self, turn: Turn, text: str, said: Message | None) -> Iterator[TurnEvent]:
        active = self.current.active
        before = active.messages if active else ()
        earlier = before[:-1] if said else before
        view = self._looked_at(text, earlier, turn.tier)
        if view.is_doubtful and active is not None:
            if said is None:
                # On the disk before anybody is sent it.
                said = active.add(Role.USER, text)
                yield from save_message(turn, active, said)
            decision = self.watch.ask(view, text, earlier, self._counted(active.id))
        else:
            decision = view.decision
        if isinstance(decision, Answer):
            # It stays in the session: how much work it gets is another question.
            decision = route(text, earlier, self.around.rules(), chosen=turn.tier)
        turn.decision = decision
        yield Decided(turn.id, decision)
        if isinstance(decision, EndSession):
            yield from self._end_in_words(turn, decision, text, said)
        elif active is not None and said is not None:
            active.save()
            yield from self._answer(turn, active)
        else:
            begun = yield from self._say(turn, text)
            yield from self._answer(turn, begun)

    def _looked_at(self, text: str, earlier: Sequence[Message], tier: Tier | None) -> View:
        rules = self.around.rules()
        decision = decide(text, earlier, rules, chosen=tier)
        if self.current.is_temporary:
            # Only by the user's own hand: what ends is gone.
            is_end = isinstance(decision, EndSession)
            return View(Answer() if is_end else decision)
        if not rules.detects_subject_change:
            return View(decision)
        return self.watch.look(decision, text, earlier)

    def _counted(self, session_id: SessionId) -> Callable[[Model, Usage], None]:
        def count(model: Model, usage: Usage) -> None:
            self.archive.answers.count_usage(
                session_id, usage, purpose=Purpose.BOUNDARY, model=model.name
            )

        return count

    def _keep_words(self, turn: Turn, text: str) -> Iterator[TurnEvent]:
        """A turn that fails on the way to a session must not take the user's words with it."""
        active = self.current.active
        if active is None:
            active = self.current.begin(text)
            yield SessionStarted(turn.id, active.session)
        message = active.add(Role.USER, text)
        self._undone.add(message.id)
        yield from save_message(turn, active, message)

    def _end_in_words(
        self, turn: Turn, end: EndSession, text: str, said: Message | None
    ) -> Iterator[TurnEvent]:
        active = self.current.active
        if active is not None and end.keeps_message and said is None:
            yield from save_message(turn, active, active.add(Role.USER, text))
        ended = self.current.complete(end.why)
        if ended is not None:
            yield SessionEnded(turn.id, ended, end.why, end.reason)
        begun: ActiveSession | None = None
        if end.begin_with is not None:
            is_split = end.why is EndReason.SUBJECT_CHANGE
            begun = yield from self._say(
                turn, end.begin_with, split_from=ended if is_split else None
            )
        if active is not None and said is not None and not end.keeps_message:
            _hand_over(active, said)
        if begun is not None:
            yield from self._answer(turn, begun)
        else:
            session_id = ended.id if ended else None
            yield TurnEnded(turn.id, Outcome.COMPLETE, session_id, decision=turn.decision)

    def _say(
        self, turn: Turn, text: str, *, split_from: Session | None = None
    ) -> Generator[TurnEvent, None, ActiveSession]:
        """Put the user's words into the active session, or into a new one; returns it."""
        active = self.current.active
        if active is None:
            active = self.current.begin(text)
            if split_from is not None:
                self.split = Split(split_from.id, active.id, text)
            yield SessionStarted(turn.id, active.session)
        yield from save_message(turn, active, active.add(Role.USER, text))
        return active

    def _answer(self, turn: Turn, active: ActiveSession) -> Iterator[TurnEvent]:
        if (yield from self.remembering.serve(turn, active)):
            return
        try:
            yield from self.answerer.answer(turn, active)
        except EndsTooLong:
            yield from self._end_too_long(turn, active)

    def _end_too_long(self, turn: Turn, active: ActiveSession) -> Iterator[TurnEvent]:
        question = active.messages[-1]
        ended = self.current.complete(EndReason.TOO_LONG)
        if ended is not None:
            yield SessionEnded(turn.id, ended, EndReason.TOO_LONG, "")
        begun = yield from self._say(turn, question.content)
        _hand_over(active, question)
        yield from self._answer(turn, begun)

    def answer_again(self, turn: Turn, message_id: MessageId) -> Iterator[TurnEvent]:
        active = self.current.require()
        message, path = active.message(message_id), active.messages
        if message_id in self._undone and message == path[-1]:
            self._undone.discard(message_id)
            yield from self.ask(turn, message.content, message)
            return
        if message.role is Role.ASSISTANT:
            active.leave(message_id)
        elif message.number < len(path):
            active.leave(path[message.number].id)
        turn.message = active.messages[-1]
        active.save()
        if turn.tier is None and self.archive.runs.has_begun(turn.message.id):
            # What was paid for is not thrown away for being asked again.
            turn.tier = Tier.DEEP
        yield from self._answer(turn, active)

    def answer_last_again(self, turn: Turn) -> Iterator[TurnEvent]:
        path = self.current.require().messages
        asked = next(message for message in reversed(path) if message.role is Role.USER)
        yield from self.answer_again(turn, asked.id)

    def edit(self, turn: Turn, message_id: MessageId, text: str) -> Iterator[TurnEvent]:
        active = self.current.require()
        active.leave(message_id)
        yield from save_message(turn, active, active.add(Role.USER, text))
        yield from self._answer(turn, active)

    def rejoin(self, turn: Turn, split: Split, before: Turn | None) -> Iterator[TurnEvent]:
        if before is not None:
            before.stop()
        with self.current.lock:
            begun = self.current.complete(EndReason.REPLACED)
            session = self.current.reopen(self.archive.sessions.session(split.old))
            active = self.current.require()
        yield SessionStarted(turn.id, session)
        yield from save_message(turn, active, active.add(Role.USER, split.text))
        # Last: a process that dies on the way has the message in both sessions, never in none.
        if begun is not None and begun.id == split.new and begun.messages <= _ONE_EXCHANGE:
            self.archive.sessions.delete(split.new)
        yield from self._answer(turn, active)


def _hand_over(active: ActiveSession, message: Message) -> None:
    """Take off a message that has begun another session.

    Last: a process that dies on the way has it in both sessions, never in none.
    """
    active.leave(message.id)
    active.save()
