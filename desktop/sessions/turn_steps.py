"""The steps of a turn: decide what a message needs, save it, end or begin sessions, answer.

Every step may raise StorageError and LlmError.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from desktop.domain.endpoints import ModelRole
from desktop.domain.errors import AppError
from desktop.domain.events import Decided, Outcome, SessionEnded, SessionStarted, TurnEnded
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import Citation, Message, MessageFile, Role
from desktop.domain.projects import NO_PROJECT, ProjectId, Wall
from desktop.domain.routing import Answer, Decision, EndSession, Forget, Remember, Tier
from desktop.domain.sessions import EndReason
from desktop.domain.usage import Purpose
from desktop.research.quick_classifier import QuickRole
from desktop.research.router import decide, route
from desktop.sessions.answering.answer_lifecycle import Exchange
from desktop.sessions.answering.pipeline import Answerer
from desktop.sessions.answering.request_assembler import SessionTooLong
from desktop.sessions.boundaries.topic_change_classifier import TopicMonitor
from desktop.sessions.conversation.active_session import ActiveSession, CurrentSession
from desktop.sessions.conversation.assistant_context import AssistantContext
from desktop.sessions.conversation.message_files import MessageFiles
from desktop.sessions.conversation.turn import Turn
from desktop.sessions.memory_commands import MemoryCommands
from desktop.storage.archive import Archive

_ONE_EXCHANGE = 2


@dataclass(frozen=True, slots=True)
class TopicSplit:
    """A message that was judged to begin a new topic, and the session it came from."""

    old: SessionId
    new: SessionId
    text: str
    files: Sequence[MessageFile]


@dataclass(slots=True)
class TurnSteps:
    archive: Archive
    context: AssistantContext
    current: CurrentSession
    answerer: Answerer
    remembering: MemoryCommands
    watch: TopicMonitor
    files: MessageFiles
    project: ProjectId = NO_PROJECT
    split: TopicSplit | None = None  # The newest split, which can be undone
    _undone: set[MessageId] = field(default_factory=set)
    """Messages whose turn failed before their action was carried out: Retry decides anew."""

    def ask(self, turn: Turn, text: str, said: Message | None = None) -> TurnEnded:
        """Ask. `said`: the message, if a failed turn has already saved it in the session."""
        turn.message = said
        try:
            turn.decision = self._decide(turn, text)
            turn.emit(Decided(turn.id, turn.decision))
            if isinstance(turn.decision, EndSession):
                return self._end_session(turn, turn.decision, text)
            active = self.current.active
            if active is not None and turn.message is not None:
                active.save()
            else:
                active = self._add_question(turn, text, turn.files)
            return self._answer(turn, active)
        except AppError:
            try:
                if turn.message is None:
                    # A turn that fails before there is a session must not lose the user's text.
                    self._add_question(turn, text, turn.files)
            finally:
                if turn.message is not None:
                    self._undone.add(turn.message.id)
            raise

    def _decide(self, turn: Turn, text: str) -> Decision:
        """Decide what the message needs; it is saved before a model is asked about it."""
        active, quick = self.current.active, self.context.model(ModelRole.QUICK)
        before = active.messages if active else ()
        earlier = before[:-1] if turn.message else before
        project = active.session.project if active else self.project
        rules = self.context.rules(self._wall(turn, project))
        decided = decide(text, earlier, rules, chosen=turn.tier)
        decision, is_doubtful = self._looked_at(decided, text, earlier)
        if is_doubtful and active is not None and quick is not None:
            if turn.message is None:
                self._add(turn, active, text, turn.files)
            count = partial(
                self.archive.answers.count_usage,
                active.id,
                purpose=Purpose.BOUNDARY,
                model=quick.name,
            )
            decision = self.watch.ask(decision, text, earlier, QuickRole(quick, count))
        if isinstance(decision, Answer) and decision is not decided:
            # It stays in the session after all; how much work it gets is decided separately.
            return route(text, earlier, rules, chosen=turn.tier)
        return decision

    def _looked_at(
        self, decision: Decision, text: str, earlier: Sequence[Message]
    ) -> tuple[Decision, bool]:
        if self.current.is_temporary:
            # Only the user ends a temporary session: its content is lost.
            return Answer() if isinstance(decision, EndSession) else decision, False
        if not self.context.settings().detects_subject_change:
            return decision, False
        return self.watch.look(decision, text, earlier)

    def _end_session(self, turn: Turn, end: EndSession, text: str) -> TurnEnded:
        active, said = self.current.active, turn.message
        if active is not None and end.keeps_message and said is None:
            self._add(turn, active, text, turn.files)
        ended = self.current.complete(end.why)
        if ended is not None:
            turn.emit(SessionEnded(turn.id, ended, end.why, end.reason))
        begun: ActiveSession | None = None
        if end.begin_with is not None:
            project = ended.project if ended else None
            begun = self._add_question(turn, end.begin_with, turn.files, project)
            if ended is not None and end.why is EndReason.SUBJECT_CHANGE:
                self.split = TopicSplit(ended.id, begun.id, end.begin_with, turn.files)
        if active is not None and said is not None and not end.keeps_message:
            _hand_over(active, said)
        if begun is not None:
            return self._answer(turn, begun)
        session_id = ended.id if ended else None
        return TurnEnded(turn.id, Outcome.COMPLETE, session_id, decision=turn.decision)

    def _add_question(
        self, turn: Turn, text: str, files: Sequence[MessageFile], project: ProjectId | None = None
    ) -> ActiveSession:
        active = self.current.active
        if active is None:
            active = self.current.begin(text, self.project if project is None else project)
            turn.emit(SessionStarted(turn.id, active.session))
        self._add(turn, active, text, files)
        return active

    def _add(
        self, turn: Turn, active: ActiveSession, text: str, files: Sequence[MessageFile]
    ) -> None:
        """Save the user's message; its files are kept before a row names them."""
        if files:
            self.files.require(files)
        turn.save_message(active, active.add(Role.USER, text, files=files))

    def _wall(self, turn: Turn, project: ProjectId) -> Wall:
        return self.archive.projects.wall(project, is_open=turn.sees_all)

    def _answer(self, turn: Turn, active: ActiveSession) -> TurnEnded:
        exchange = Exchange(turn, active, self._wall(turn, active.session.project))
        if active.files:
            self.files.store_documents(active.id, active.messages)
        # A retry is not decided again, but may have been a memory request.
        may_remember = turn.decision is None or isinstance(turn.decision, Remember | Forget)
        if may_remember and (ended := self.remembering.serve(exchange)) is not None:
            return ended
        try:
            return self.answerer.answer(exchange)
        except SessionTooLong:
            question = active.messages[-1]
            if (session := self.current.complete(EndReason.TOO_LONG)) is not None:
                turn.emit(SessionEnded(turn.id, session, EndReason.TOO_LONG, ""))
            project = active.session.project
            begun = self._add_question(turn, question.content, question.files, project)
            _hand_over(active, question)
            return self._answer(turn, begun)

    def answer_again(self, turn: Turn, message_id: MessageId) -> TurnEnded:
        active = self.current.require()
        message, path = active.message(message_id), active.messages
        if message_id in self._undone and message == path[-1]:
            self._undone.discard(message_id)
            return self.ask(turn, message.content, message)
        if message.role is Role.ASSISTANT:
            if turn.goes_on:
                turn.begun, turn.begun_citations = message.content, self._cited(active, message_id)
            active.leave(message_id)
        elif message.number < len(path):
            active.leave(path[message.number].id)
        turn.message = active.messages[-1]
        active.save()
        if turn.tier is None and self.archive.runs.has_begun(turn.message.id):
            # Finished steps of a deep run are already paid for, and are used again.
            turn.tier = Tier.DEEP
        return self._answer(turn, active)

    def _cited(self, active: ActiveSession, message_id: MessageId) -> Sequence[Citation]:
        if record := active.records.get(message_id):
            return record.citations
        return self.archive.answers.citations(active.id).get(message_id, ())

    def answer_last_again(self, turn: Turn) -> TurnEnded:
        path = self.current.require().messages
        asked = next(message for message in reversed(path) if message.role is Role.USER)
        return self.answer_again(turn, asked.id)

    def edit(
        self,
        turn: Turn,
        message_id: MessageId,
        text: str,
        files: Sequence[MessageFile] | None = None,
    ) -> TurnEnded:
        active = self.current.require()
        if files is None:
            files = active.message(message_id).files
        active.leave(message_id)
        self._add(turn, active, text, files)
        return self._answer(turn, active)

    def rejoin(self, turn: Turn, split: TopicSplit, before: Turn | None) -> TurnEnded:
        """Undo a split: ask the message in the session that it was split from."""
        if before is not None:
            before.stop()
        with self.current.lock:
            begun = self.current.complete(EndReason.REPLACED)
            session = self.current.reopen(self.archive.sessions.session(split.old))
            active = self.current.require()
        turn.emit(SessionStarted(turn.id, session))
        self._add(turn, active, split.text, split.files)
        # Last: if the process dies in between, both sessions have the message, never neither.
        if begun is not None and begun.id == split.new and begun.messages <= _ONE_EXCHANGE:
            self.archive.sessions.delete(split.new)
        return self._answer(turn, active)


def _hand_over(active: ActiveSession, message: Message) -> None:
    """Remove a message that has begun another session.

    Last: if the process dies in between, both sessions have it, never neither.
    """
    active.leave(message.id)
    active.save()
