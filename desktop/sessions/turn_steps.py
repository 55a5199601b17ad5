"""The steps of a turn: decide what a message needs, save it, end or begin sessions, answer.

Every step may raise StorageError and LlmError.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from desktop.domain import routing
from desktop.domain.endpoints import ModelRole
from desktop.domain.errors import AppError, ContextTooLongError
from desktop.domain.events import Outcome, SessionEnded, SessionStarted, TurnEnded
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import Citation, Message, MessageFile, Role
from desktop.domain.projects import NO_PROJECT, ProjectId, Wall
from desktop.domain.sessions import EndReason
from desktop.domain.usage import Purpose
from desktop.research.quick_classifier import QuickRole
from desktop.research.router import Judgement, begin_session, judge
from desktop.research.utterance import Utterance, parse_utterance
from desktop.sessions.answering.answer_lifecycle import Exchange
from desktop.sessions.answering.claim_check import ClaimRewriter
from desktop.sessions.answering.pipeline import Answerer
from desktop.sessions.answering.request_assembler import SessionTooLong
from desktop.sessions.conversation.active_session import ActiveSession
from desktop.sessions.conversation.assistant_context import AssistantContext
from desktop.sessions.conversation.current_session import CurrentSession
from desktop.sessions.conversation.message_files import MessageFiles
from desktop.sessions.conversation.topic_change_classifier import TopicMonitor
from desktop.sessions.conversation.turn import Turn
from desktop.sessions.memory_commands import MemoryCommands
from desktop.settings.settings import ClaimChecks
from desktop.storage.archive import Archive

_ONE_EXCHANGE = 2


@dataclass(frozen=True, slots=True)
class TopicSplit:
    """A message that was judged to begin a new topic, and the session it came from."""

    old: SessionId
    new: SessionId
    text: str
    files: Sequence[MessageFile]


@dataclass(slots=True, kw_only=True)
class TurnSteps:
    archive: Archive
    context: AssistantContext
    current: CurrentSession
    answerer: Answerer
    memory_commands: MemoryCommands
    monitor: TopicMonitor
    files: MessageFiles
    project: ProjectId = NO_PROJECT
    split: TopicSplit | None = None  # The newest split, which can be undone
    _undone: set[MessageId] = field(default_factory=set)
    """Messages whose turn failed before their action was carried out: Retry decides anew."""

    def ask(self, turn: Turn, text: str, message: Message | None = None) -> TurnEnded:
        """Ask. `message`: the one that a failed turn has already saved in the session."""
        turn.message, files = message, turn.options.files
        try:
            decision = self._decide(turn, text)
            turn.decide(decision)
            if isinstance(decision, routing.EndSession):
                return self._end_session(turn, decision, text)
            active = self.current.active
            if active is not None and turn.message is not None:
                active.save()
            else:
                active = self._add_question(turn, text, files)
            return self._answer(turn, active)
        except AppError:
            try:
                if turn.message is None:
                    # A turn that fails before there is a session must not lose the user's text.
                    self._add_question(turn, text, files)
            finally:
                if turn.message is not None:
                    self._undone.add(turn.message.id)
            raise

    def _decide(self, turn: Turn, text: str) -> routing.Decision:
        """Decide what the message needs; it is saved before a model is asked about it."""
        active = self.current.active
        messages = active.messages if active else ()
        earlier = messages[:-1] if turn.message else messages
        rules = self.answerer.rules(
            self._wall(turn, active.session.project if active else self.project)
        )
        utterance = self._parse(text)
        files = turn.message.files if turn.message else turn.options.files
        tier, is_direct = turn.options.tier, any(file.is_picture for file in files)
        judgement = judge(utterance, earlier, rules, tier=tier, is_direct=is_direct)
        end = self._end_of(turn, judgement, utterance, earlier)
        if end is None:
            return judgement.otherwise
        return begin_session(end, utterance, rules, tier=tier, is_direct=is_direct)

    def _decide_again(
        self, turn: Turn, active: ActiveSession, *, tier: routing.Tier | None, is_continued: bool
    ) -> routing.Decision:
        """Decide about a message that stays in its session, whatever it says."""
        *earlier, message = active.messages
        rules = self.answerer.rules(self._wall(turn, active.session.project))
        has_pictures = any(file.is_picture for file in message.files)
        utterance, is_direct = self._parse(message.content), has_pictures or is_continued
        return judge(utterance, earlier, rules, tier=tier, is_direct=is_direct).otherwise

    def _parse(self, text: str) -> Utterance:
        return parse_utterance(text, self.context.phrases(), self.context.language())

    def _end_of(
        self, turn: Turn, judgement: Judgement, utterance: Utterance, earlier: Sequence[Message]
    ) -> routing.EndSession | None:
        """Return the end of the session that words, meaning and the quick model agree on."""
        if self.current.is_temporary:
            return None  # Only the user ends a temporary session: its content is lost.
        if not (judgement.may_leave and self.context.settings().detects_subject_change):
            return judgement.end
        end, is_doubtful = self.monitor.look(judgement.end, utterance, earlier)
        active = self.current.active
        if not is_doubtful or active is None:
            return end
        quick = self.context.model(ModelRole.QUICK, self._wall(turn, active.session.project))
        if quick is None:
            return end
        if turn.message is None:
            self._add(turn, active, utterance.text, turn.options.files)
        count = partial(
            self.archive.answers.count_usage,
            active.id,
            purpose=Purpose.BOUNDARY,
            model=quick.name,
        )
        return self.monitor.ask(end, utterance, earlier, QuickRole(quick, count))

    def _end_session(self, turn: Turn, end: routing.EndSession, text: str) -> TurnEnded:
        active, message, files = self.current.active, turn.message, turn.options.files
        if active is not None and end.keeps_message and message is None:
            self._add(turn, active, text, files)
        ended = self.current.complete(end.why)
        if ended is not None:
            turn.emit(SessionEnded(turn.id, ended, end.why, end.reason))
        begun: ActiveSession | None = None
        if end.begin_with is not None:
            project = ended.project if ended else None
            begun = self._add_question(turn, end.begin_with, files, project)
            if ended is not None and end.why is EndReason.SUBJECT_CHANGE:
                self.split = TopicSplit(ended.id, begun.id, end.begin_with, files)
        if active is not None and message is not None and not end.keeps_message:
            _hand_over(active, message)
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
        wall = self.archive.projects.wall(project, is_open=turn.options.sees_all)
        return replace(wall, is_temporary=self.current.is_temporary)

    def _answer(
        self,
        turn: Turn,
        active: ActiveSession,
        *,
        tier: routing.Tier | None = None,
        continued: Message | None = None,
    ) -> TurnEnded:
        """Answer the newest message. `continued`: its answer that was cut, and goes on."""
        if active.files:
            self.files.store_documents(active.id, active.messages)
        if turn.decision is None:
            tier, is_continued = tier or turn.options.tier, bool(continued and continued.content)
            turn.decide(self._decide_again(turn, active, tier=tier, is_continued=is_continued))
        decision, wall = turn.decision, self._wall(turn, active.session.project)
        if not self.context.settings().is_local_only:
            self.archive.projects.check_reach(wall, turn.options.attachments)
        exchange = Exchange(
            turn=turn,
            active=active,
            wall=wall,
            message=active.messages[-1],
            answering=(decision and routing.answering_of(decision)) or routing.Answer(),
            continued=continued.content if continued else "",
            continued_citations=self._cited(active, continued.id) if continued else (),
            claim_checks=self.context.settings().checks_claims,
        )
        if isinstance(decision, routing.Remember | routing.Forget) and (
            ended := self.memory_commands.serve(exchange, decision)
        ):
            return ended
        while True:
            try:
                return self.answerer.answer(exchange)
            except SessionTooLong:
                if active.is_branch:  # Only the answer on the path begins another session
                    raise ContextTooLongError from None
                exchange = self._begin_anew(exchange)

    def _begin_anew(self, exchange: Exchange) -> Exchange:
        """Begin the next session with the question of one that has grown too long."""
        turn, active, question = exchange.turn, exchange.active, exchange.message
        if (session := self.current.complete(EndReason.TOO_LONG)) is not None:
            turn.emit(SessionEnded(turn.id, session, EndReason.TOO_LONG, ""))
        project = active.session.project
        begun = self._add_question(turn, question.content, question.files, project)
        _hand_over(active, question)
        if begun.files:
            self.files.store_documents(begun.id, begun.messages)
        settled = (turn.decision and routing.answering_of(turn.decision)) or exchange.answering
        return replace(exchange, active=begun, message=begun.messages[-1], answering=settled)

    def answer_again(self, turn: Turn, message_id: MessageId) -> TurnEnded:
        active = self.current.require()
        message, path = active.message(message_id), active.messages
        if message_id in self._undone and message == path[-1]:
            self._undone.discard(message_id)
            return self.ask(turn, message.content, message)
        continued: Message | None = None
        if message.role is Role.ASSISTANT:
            continued = message if turn.options.goes_on else None
            active.leave(message_id)
        elif message.number < len(path):
            active.leave(path[message.number].id)
        turn.message = active.messages[-1]
        active.save()
        # Finished steps of a deep run are already paid for, and are used again.
        is_open = turn.options.tier is None and not active.is_branch
        has_begun = is_open and self.archive.runs.has_begun(turn.message.id)
        tier = routing.Tier.DEEP if has_begun else turn.options.tier
        return self._answer(turn, active, tier=tier, continued=continued)

    def rewrite_without(self, turn: Turn, message_id: MessageId) -> TurnEnded:
        """Write an answer again without the claims that its sources do not say, if any."""
        active = self.current.require()
        message, citations = active.message(message_id), self._cited(active, message_id)
        review = self.archive.claims.reviews(active.id).get(message_id)
        wall = self._wall(turn, active.session.project)
        model = self.context.model(ModelRole.ANSWERING, wall)
        if model is None or review is None or not review.not_said:
            return turn.end(Outcome.STOPPED)
        active.leave(message_id)
        turn.message = active.messages[-1]
        active.save()
        turn.decide(routing.Answer())
        exchange = Exchange(
            turn=turn,
            active=active,
            wall=wall,
            message=turn.message,
            answering=routing.Answer(),
            claim_checks=ClaimChecks.ALWAYS if review.model else ClaimChecks.ON_REQUEST,
        )
        return ClaimRewriter(
            exchange=exchange,
            context=self.context,
            model=model,
            before=message,
            citations=citations,
            left_out=review.not_said,
        ).write()

    def _cited(self, active: ActiveSession, message_id: MessageId) -> Sequence[Citation]:
        if record := active.records.get(message_id):
            return record.citations
        return self.archive.answers.citations(active.id).get(message_id, ())

    def answer_last_again(self, turn: Turn) -> TurnEnded:
        path = self.current.require().messages
        question = next(message for message in reversed(path) if message.role is Role.USER)
        return self.answer_again(turn, question.id)

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
