"""The use cases around the active session, for window and command line.

Methods that touch the disk or a model are called on a worker thread, one at a time for each of
`ask`, `retry`, `edit`; reading `active` is safe from any thread. Those that touch the disk may
raise StorageError.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from desktop.domain.events import TurnEnded
from desktop.domain.ids import MessageId, SessionId, TurnId
from desktop.domain.learned_preferences import Preference
from desktop.domain.messages import MessageFile, Rating, Thumb
from desktop.domain.projects import EVERYTHING, ProjectId, Wall
from desktop.domain.research import Plan, UnfinishedRun
from desktop.domain.routing import USUAL_OPTIONS, Tier, TurnOptions
from desktop.domain.sessions import EndReason, Session
from desktop.memory.active_memory import MemoryBlock
from desktop.memory.memory import Memory
from desktop.memory.user_messages import annotate_due
from desktop.recall.search import Search
from desktop.sessions.answering.pipeline import Answerer
from desktop.sessions.conversation.active_session import ActiveSession
from desktop.sessions.conversation.assistant_context import AssistantContext, open_memory
from desktop.sessions.conversation.current_session import CurrentSession, Drafts
from desktop.sessions.conversation.message_files import MessageFiles
from desktop.sessions.conversation.session_description import Described, Describer
from desktop.sessions.conversation.topic_change_classifier import TopicMonitor
from desktop.sessions.conversation.turn import Turn
from desktop.sessions.left_turns import LeftTurn, LeftTurns
from desktop.sessions.memory_commands import MemoryCommands
from desktop.sessions.turn_steps import TurnSteps
from desktop.storage.archive import Archive

if TYPE_CHECKING:
    from desktop.research.tools.outside_tools import OutsideTools
    from desktop.research.web.web import Web
    from desktop.sessions.literature import Literature


class Assistant:
    def __init__(  # noqa: PLR0913 (by name)
        self,
        archive: Archive,
        search: Search,
        context: AssistantContext,
        *,
        web: "Web | None" = None,
        memory: Memory | None = None,
        literature: "Callable[[Wall], Literature] | None" = None,
        outside: "OutsideTools | None" = None,
    ) -> None:
        self._archive = archive
        self._context = context
        self.memory = memory or open_memory(
            archive, context, search.near_facts, search.near_messages
        )
        self.files = MessageFiles(archive, context, lambda: self._current.is_temporary)
        self._answerer = Answerer(
            archive=archive,
            search=search,
            context=context,
            memory=self.memory,
            files=self.files,
            web=web,
            literature=literature,
            outside=outside,
        )
        self.tools = self._answerer.tools  # The tools that a model may call while it answers
        self._current = CurrentSession(
            archive.sessions, archive.drafts, context, archive.files.forget_temporary
        )
        self.drafts = Drafts(archive.drafts, lambda: self._current)
        self.interrupted: Sequence[Session] = ()
        """Past sessions whose answer a crashed process left open, as `unfinished` found them."""
        self.unanswered: Sequence[Session] = ()
        """The same of those whose answer had no word yet."""
        self._turn: Turn | None = None
        self._left = LeftTurns()  # Of sessions that the user left while they were answered
        self._monitor = TopicMonitor(
            context.embedder,
            context.phrases,
            lambda: context.own_wording().instructions("same_subject"),
            context.meaning_waits_s,
        )
        memory_commands = MemoryCommands(self.memory, context)
        self._steps = TurnSteps(
            archive=archive,
            context=context,
            current=self._current,
            answerer=self._answerer,
            memory_commands=memory_commands,
            monitor=self._monitor,
            files=self.files,
        )
        self._describer = Describer(
            archive, self.memory, context, is_open=lambda each: each in self._left.session_ids
        )
        self.shown = EVERYTHING  # The wall around the lists in every window

    @property
    def active(self) -> ActiveSession | None:
        return self._current.active

    @property
    def project(self) -> ProjectId:
        """Return the project in which the next session begins."""
        return self._steps.project

    @project.setter
    def project(self, project: ProjectId) -> None:
        self._steps.project = project

    def wall(self) -> Wall:
        active = self.active
        return self._archive.projects.wall(active.session.project if active else self.project)

    # Sessions left by a crashed process

    def unfinished(self) -> Session | None:
        """Return the session a crashed process left active; its open answers are interrupted."""
        self.interrupted = (*self.interrupted, *self._archive.sessions.left_streaming())
        self.unanswered = self.unanswered or self._archive.sessions.left_unanswered()
        self._archive.sessions.interrupt_streaming()
        return self._archive.sessions.active()

    def continue_unfinished(self, *, is_wanted: bool = True) -> Session | None:
        """Continue the session that is active on the disk.

        If a session was begun meanwhile, that one continues: its first message ended the other.
        `is_wanted`: the user has resumed it, so idle time starts now.
        """
        with self._current.lock:
            if active := self.active:
                return active.session
            session = self._archive.sessions.active()
            return self._current.load(session, is_wanted=is_wanted) if session else None

    def decline_unfinished(self) -> Session | None:
        with self._current.lock:
            if self.active is not None or self.continue_unfinished(is_wanted=False) is None:
                return None
            try:
                return self._current.complete(EndReason.CLOSED)
            finally:
                # If the disk refuses, the session can be offered again.
                self._current.drop()

    # Turns

    def ask(self, text: str, options: TurnOptions = USUAL_OPTIONS) -> Turn:
        return self._make_turn(partial(self._steps.ask, text=text), options)

    def retry(self, message_id: MessageId, options: TurnOptions = USUAL_OPTIONS) -> Turn:
        """Answer again: write another version of an answer, or the first answer to a question.

        The context is the same, and the previous answer is kept as a version.
        """
        return self._make_turn(partial(self._steps.answer_again, message_id=message_id), options)

    def answer_beside(self, message_id: MessageId, options: TurnOptions) -> Turn | None:
        """Write another version of an answer while it is written; None if it is not. Never waits.

        It is written on a branch: the answer that was begun first stays on the path.
        """
        with self._current.lock:
            turn, active = self._turn, self._current.active
            if turn is None or not turn.goes_on or active is None or active.is_temporary:
                return None
            question = active.message(message_id).parent_id if active.has(message_id) else None
            if turn.message is None or turn.message.id != question:
                return None
            current = self._current.beside(active.branch(turn.message.id))
        steps = replace(self._steps, current=current)
        beside = self._new_turn(partial(steps.answer_again, message_id=turn.message.id), options)
        self._left.add(LeftTurn(current, steps, beside))
        return beside

    def rewrite_without(self, message_id: MessageId) -> Turn:
        """Write an answer again, as a version, without the claims that its sources do not say."""
        steps = partial(self._steps.rewrite_without, message_id=message_id)
        return self._make_turn(steps, USUAL_OPTIONS)

    def retry_last(self, options: TurnOptions = USUAL_OPTIONS) -> Turn:
        """Answer the last question again, once earlier turns have ended."""
        return self._make_turn(self._steps.answer_last_again, options)

    def edit(
        self,
        message_id: MessageId,
        text: str,
        files: Sequence[MessageFile] | None = None,
        options: TurnOptions = USUAL_OPTIONS,
    ) -> Turn:
        """Ask another version of a question; what followed the old version stays there.

        `files`: those of its files that it still has; None: all.
        """
        steps = partial(self._steps.edit, message_id=message_id, text=text, files=files)
        return self._make_turn(steps, options)

    def answer_tool(self, turn_id: TurnId, call_id: str, *, is_allowed: bool) -> None:
        """Permit or decline a tool call that needs consent. Never blocks."""
        if turn := self._find_turn(turn_id):
            turn.replies.allow(call_id, is_allowed=is_allowed)

    def answer_plan(self, turn_id: TurnId, plan: Plan | None) -> None:
        """Begin a deep run with this plan; None cancels the run. Never blocks."""
        if turn := self._find_turn(turn_id):
            turn.replies.answer_plan(plan)

    def stop(self, turn_id: TurnId | None = None) -> None:
        """Stop a turn; None: the one of the active session."""
        if turn := self._find_turn(turn_id) if turn_id else self._turn:
            turn.stop()

    def stop_left(self, session_ids: Collection[SessionId]) -> None:
        """Stop the answers that go on in these sessions, whose messages are about to move."""
        self._left.stop_in(session_ids)

    def stop_in(self, session_ids: Collection[SessionId]) -> None:
        """Stop what still writes to these sessions; the active one of them ends."""
        self.stop_left(session_ids)
        if (active := self.active) and active.id in session_ids:
            self.end()

    def open_in(self, project: ProjectId) -> list[SessionId]:
        """Return the sessions of a project that are active, or whose answer goes on."""
        there = filter(None, (self.active, *self._left.actives))
        return [active.id for active in there if active.session.project == project]

    def in_memory(self, session_id: SessionId) -> ActiveSession | None:
        """Return a session that is active, or whose answer goes on although it was left."""
        if (active := self.active) and active.id == session_id:
            return active
        left = self._left.of_session(session_id)
        return left.active if left else None

    def unfinished_research(self) -> list[UnfinishedRun]:
        """Return deep runs that were interrupted, the newest first."""
        going = self._left.session_ids
        return [run for run in self._archive.runs.unfinished() if run.session_id not in going]

    def resume_research(self, run: UnfinishedRun, *, shows_plan: bool = False) -> Turn:
        self.resume(run.session_id)
        return self.retry(run.message_id, TurnOptions(tier=Tier.DEEP, shows_plan=shows_plan))

    def drop_research(self, run: UnfinishedRun) -> None:
        self._archive.runs.drop(run.id)

    def show_version(self, message_id: MessageId) -> None:
        """Show another version of a message. Raises NoActiveSessionError."""
        active = self._current.require()
        active.show_version(message_id)
        active.save()

    def rate(
        self, message_id: MessageId, thumb: Thumb | None, words: str = ""
    ) -> list[Preference]:
        """Store the rating of an answer; return the preferences that take effect by its words."""
        if self._current.is_temporary and self._current.require().has(message_id):
            return []
        rating = Rating(message_id, thumb, words) if thumb is not None else None
        if rating is None:
            self._archive.answers.unrate(message_id)
        else:
            self._archive.answers.rate(rating)
        if not self._context.settings().uses_memory:
            return []
        return self.memory.preferences.learn_rating(message_id, rating)

    # Ending and resuming

    def end(self, why: EndReason = EndReason.USER) -> Session | None:
        """End the active session and stop its answers; if the disk refuses, it stays active."""
        self.stop()
        if active := self.active:
            self._left.stop_in([active.id])
        return self._current.complete(why)

    def leave(self) -> Session | None:
        """End the active session in order to begin another; a running answer goes on."""
        if ended := self._leave_turn():
            return ended
        return self._current.complete(EndReason.REPLACED)

    def resume(self, session_id: SessionId) -> Session:
        """Make a past session the active one, and end the current one; its answer goes on.

        Raises SessionUnknownError, OriginalsRemovedError, SharedReadOnlyError.
        """
        session = self._archive.sessions.session(session_id)
        if (active := self.active) and active.id == session_id:
            return active.session
        self._archive.originals.require(session_id)
        self._archive.shared.check_own([session_id])
        self._leave_turn()
        with self._current.lock:
            self._current.complete(EndReason.REPLACED)
            if left := self._left.of_session(session_id):
                session = left.current.come_back()
                self._left.remove(left)
                self._go_to(left.current, left.steps, left.turn)
                return session
            self._left.stop_in([session_id])  # What is written beside it would not know of it
            return self._current.reopen(session)

    undo_end = resume

    def begin_temporary(self) -> Session:
        place = self._current.draft_place
        self._leave_turn()
        with self._current.lock:
            written = self.drafts.files(place)
            self._current.complete(EndReason.REPLACED)
            session = self._current.begin_temporary(self.project).session
        self.drafts.clear(place)  # The draft so far belongs to it
        self._archive.files.keep_in_memory(written, self._archive.database)
        return session

    def begin_aside(self) -> Session:
        """Begin a temporary session beside the one of the main assistant; it reads the memory."""
        begun = self._current.begin_temporary(self.project)
        begun.is_aside = True
        return begun.session

    def adopt(self, aside: "Assistant") -> Session:
        """Make the temporary session of another assistant the active one, and end the current one.

        `save_pending` stores it. Raises NoActiveSessionError.
        """
        moved = aside._current.require()  # noqa: SLF001 (of the same class)
        aside.stop()
        self._leave_turn()
        with self._current.lock:
            self._current.complete(EndReason.REPLACED)
            session = self._current.adopt(moved)
        aside._current.drop()  # noqa: SLF001 (of the same class)
        return session

    def described(self, session_id: SessionId) -> Session:
        """Return the stored session; the active one takes over its title and pin.

        Raises SessionUnknownError.
        """
        left = self._left.of_session(session_id)
        return (left.current if left else self._current).described(session_id)

    def take_received(self) -> frozenset[MessageId]:
        """Take what other devices have changed in the active session.

        Return its messages that are new, or have another version now.
        """
        with self._current.lock:
            return self._current.take_received(extends=not self._is_running())

    def learn_from(self, session_id: SessionId) -> bool:
        """Search a past session for facts again; return whether a model is connected for it."""
        return self._describer.read_for_facts(session_id)

    def undo_split(self, session_id: SessionId) -> Turn | None:
        """Ask the first message of this session again, in the session before it."""
        split = self._steps.split
        if split is None or split.new != session_id:
            return None
        self._steps.split = None
        rejoin = partial(self._steps.rejoin, split=split, before=self._turn)
        return self._make_turn(rejoin, USUAL_OPTIONS)

    def idle_end(self, now: datetime | None = None) -> Session | None:
        """End the session if it was idle for the set time and no turn runs."""
        limit = timedelta(minutes=self._context.settings().idle_minutes)
        with self._current.lock:
            quiet_since = self._current.quiet_since
            if quiet_since is None or self._is_running() or self._current.is_temporary:
                return None
            is_idle = (now or self._context.now()) - quiet_since >= limit
            return self._current.complete(EndReason.IDLE) if is_idle else None

    def save_pending(self) -> None:
        self._left.save_pending()
        if active := self.active:
            active.save()

    def close(self) -> None:
        """Stop all running answers, and end a session that has an answer."""
        self._left.stop()
        self.stop()
        if active := self.active:
            active.save()
            if active.has_exchange and not active.is_temporary:
                self._current.complete(EndReason.CLOSED)

    # Around the session

    def would_remember(self, question: str) -> MemoryBlock | None:
        """Return the memory that would be sent with a question; None if memory is not used."""
        return self._answerer.would_remember(question, self.active, self.wall())

    def next_request_tokens(self) -> int:
        """Estimate the next request of the active session, without its question."""
        active = self.active
        return self._answerer.forecast(active, self.wall()) if active else 0

    def describe_at_once(self, should_stop: Callable[[], bool]) -> Iterator[Described]:
        """Describe ended sessions without a model; `describe_pending` does it better."""
        yield from self._describer.extract_due(should_stop)

    def describe_pending(self, should_stop: Callable[[], bool]) -> Iterator[Described]:
        """Index and describe ended sessions; yield each that was described.

        Facts that are old enough move to long-term memory first, and the older part of a long
        session that continues is summarised. New messages are annotated.
        """
        context = self._context
        if not context.settings().uses_memory:
            self.memory.preferences.pass_over()
        elif not should_stop():
            self.memory.move_aged_facts(EVERYTHING)
            if preferences := self.memory.preferences.learn_due(should_stop):
                yield Described(None, preferences=preferences)
        if (active := self.active) and not active.is_temporary:
            self._monitor.prepare(active.messages)
            for learned in self._answerer.compactor.compact_due(active, should_stop):
                if learned.new:
                    yield Described(None, learned)
        yield from self._describer.describe_due(should_stop)
        if not should_stop():
            annotate_due(self._archive.annotations, context.phrases(), context.figures)
        yield from self._describer.describe_imported(should_stop)

    def _leave_turn(self) -> Session | None:
        """Let a running answer go on in its session, which ends; else stop what runs.

        Return the session; None if nothing goes on in it.
        """
        with self._current.lock:
            turn, current, steps = self._turn, self._current, self._steps
            if turn is not None and turn.goes_on and not current.is_temporary and current.active:
                ended = current.leave(EndReason.REPLACED)
                self._left.add(LeftTurn(current, steps, turn))
                beside = current.beside()
                self._go_to(beside, replace(steps, current=beside), None)
                return ended
        self.stop()
        return None

    def _go_to(self, current: CurrentSession, steps: TurnSteps, turn: Turn | None) -> None:
        steps.project = self._steps.project
        self._current, self._steps, self._turn = current, steps, turn

    def _is_running(self) -> bool:
        """Whether a turn may write to the active session."""
        active, turn = self.active, self._turn
        if active is not None and active.id in self._left.session_ids:
            return True
        return turn is not None and not turn.has_ended.is_set()

    def _find_turn(self, turn_id: TurnId) -> Turn | None:
        if self._turn is not None and self._turn.id == turn_id:
            return self._turn
        return self._left.turn(turn_id)

    def _make_turn(self, steps: Callable[[Turn], TurnEnded], options: TurnOptions) -> Turn:
        self._turn = self._new_turn(steps, options)
        return self._turn

    def _new_turn(self, steps: Callable[[Turn], TurnEnded], options: TurnOptions) -> Turn:
        context, choice = self._context, options.model or self._context.chosen_model()
        return Turn(steps, options, now=context.now, choice=choice, make_room=context.make_room)
