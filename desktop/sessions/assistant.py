"""The use cases around the active session, for window and command line.

Methods that touch the disk or a model are called on a worker thread, one at a time for each of
`ask`, `retry`, `edit`; reading `active` is safe from any thread.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial

from desktop.domain.endpoints import ModelRole
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import Rating, Thumb
from desktop.domain.model import Model
from desktop.domain.research import Plan, UnfinishedRun
from desktop.domain.sessions import Draft, EndReason, Session
from desktop.domain.tiers import Tier
from desktop.memory.active_memory_prompt import MemoryBlock
from desktop.memory.memory import Memory
from desktop.recall.search import Search
from desktop.research.tiers.web_retrieval import WebAccess
from desktop.research.tools.registry import ToolRegistry
from desktop.sessions.active_session import ActiveSession
from desktop.sessions.answering.pipeline import Answerer
from desktop.sessions.archive_service import SplitMerge
from desktop.sessions.assistant_context import AssistantContext, open_memory
from desktop.sessions.boundaries.live_topic_monitor import Watch
from desktop.sessions.memory_commands import Remembering
from desktop.sessions.session_description import Described, Describer
from desktop.sessions.session_lifecycle import CurrentSession
from desktop.sessions.turn import Turn
from desktop.sessions.turn_steps import TopicSplit, TurnSteps
from desktop.storage.archive import Archive
from desktop.storage.sessions import NEW_SESSION

__all__ = ["Assistant", "AssistantContext", "TopicSplit"]


class Assistant:
    def __init__(
        self,
        archive: Archive,
        search: Search,
        around: AssistantContext,
        web: WebAccess | None = None,
        memory: Memory | None = None,
    ) -> None:
        self._archive = archive
        self._around = around
        self.memory = memory or open_memory(archive, around, search.near_facts)
        self._answerer = Answerer(archive, search, around, self.memory, web)
        self._current = CurrentSession(archive.sessions, archive.drafts, around)
        self._turn: Turn | None = None
        self._watch = Watch(
            around.embedder,
            lambda: around.model(ModelRole.QUICK),
            around.phrases,
            lambda: around.own_wording().same_subject,
        )
        self._steps = TurnSteps(
            archive,
            around,
            self._current,
            self._answerer,
            Remembering(self.memory, around),
            self._watch,
        )
        self.split_merge = SplitMerge(archive)
        self.describer = Describer(
            archive,
            self.memory,
            self._summariser_if_wanted,
            lambda: around.model(ModelRole.SUMMARISING),
            around.wording,
            around.phrases,
            around.language,
            lambda: around.settings().uses_memory,
        )

    @property
    def active(self) -> ActiveSession | None:
        return self._current.active

    @property
    def tools(self) -> ToolRegistry:
        """What a model may call while it answers."""
        return self._answerer.tools

    def answer_tool(self, call_id: str, *, is_allowed: bool) -> None:
        """Permit or decline a tool call that asks first. Never waits."""
        if turn := self._turn:
            turn.replies.allow(call_id, is_allowed=is_allowed)

    def answer_plan(self, plan: Plan | None) -> None:
        """Begin a deep run with this plan; None gives the run up. Never waits."""
        if turn := self._turn:
            turn.replies.answer_plan(plan)

    # Starting

    def unfinished(self) -> Session | None:
        """The session that a crashed process left active; its open answers are interrupted.

        Raises StorageError.
        """
        self._archive.sessions.interrupt_streaming()
        return self._archive.sessions.active()

    def continue_unfinished(self, *, is_wanted: bool = True) -> Session | None:
        """Continue the session that is active on the disk. Raises StorageError.

        Where a session was begun meanwhile, it is that one: its first message completed the other.
        `is_wanted`: somebody has come back to it, and has until now not been silent in it.
        """
        with self._current.lock:
            if active := self.active:
                return active.session
            session = self._archive.sessions.active()
            return self._current.load(session, is_wanted=is_wanted) if session else None

    def decline_unfinished(self) -> Session | None:
        """End the session that a crashed process left active. Raises StorageError."""
        with self._current.lock:
            if self.active is not None or self.continue_unfinished(is_wanted=False) is None:
                return None
            try:
                return self._current.complete(EndReason.CLOSED)
            finally:
                # Where the disk refuses, nobody has taken it up: it can be asked about again.
                self._current.drop()

    # Turns

    def ask(
        self,
        text: str,
        *,
        beside: Sequence[SessionId] = (),
        tier: Tier | None = None,
        shows_plan: bool = False,
    ) -> Turn:
        """Ask a question. `beside`: past sessions whose passages go with this request alone.

        `tier`: how much work is done, whatever the router would decide. `shows_plan`: whether a
        deep run waits for `answer_plan`.
        """
        turn = Turn(partial(self._steps.ask, text=text), beside, tier)
        turn.shows_plan = shows_plan
        return self._start(turn)

    def retry(
        self,
        message_id: MessageId,
        *,
        beside: Sequence[SessionId] = (),
        tier: Tier | None = None,
        shows_plan: bool = False,
    ) -> Turn:
        """Answer again: write another version of an answer, or the first answer of a question.

        The context is the same, and what stood there is kept as a version.
        """
        turn = Turn(partial(self._steps.answer_again, message_id=message_id), beside, tier)
        turn.shows_plan = shows_plan
        return self._start(turn)

    def retry_last(
        self,
        *,
        beside: Sequence[SessionId] = (),
        tier: Tier | None = None,
        shows_plan: bool = False,
    ) -> Turn:
        """Answer the last question again, as it is once the turns before have ended."""
        turn = Turn(self._steps.answer_last_again, beside, tier)
        turn.shows_plan = shows_plan
        return self._start(turn)

    def edit(
        self,
        message_id: MessageId,
        text: str,
        *,
        beside: Sequence[SessionId] = (),
        shows_plan: bool = False,
    ) -> Turn:
        """Ask another version of a question; what followed the old version stays with it."""
        turn = Turn(partial(self._steps.edit, message_id=message_id, text=text), beside)
        turn.shows_plan = shows_plan
        return self._start(turn)

    def unfinished_research(self) -> list[UnfinishedRun]:
        """Deep runs that were interrupted, the newest first. Raises StorageError."""
        return self._archive.runs.unfinished()

    def resume_research(self, run: UnfinishedRun, *, shows_plan: bool = False) -> Turn:
        """Continue a deep run behind its last finished step, in its session. StorageError."""
        active = self.active
        if active is None or active.id != run.session_id:
            self.resume(run.session_id)
        return self.retry(run.message_id, tier=Tier.DEEP, shows_plan=shows_plan)

    def drop_research(self, run: UnfinishedRun) -> None:
        """Discard an interrupted deep run. Raises StorageError."""
        self._archive.runs.drop(run.id)

    def show_version(self, message_id: MessageId) -> None:
        """Show another version of a message. Raises StorageError, NoActiveSessionError."""
        active = self._current.require()
        active.show_version(message_id)
        active.save()

    def rate(self, message_id: MessageId, thumb: Thumb | None, words: str = "") -> None:
        if self._current.is_temporary and self._current.require().has(message_id):
            return
        if thumb is None:
            self._archive.answers.unrate(message_id)
        else:
            self._archive.answers.rate(Rating(message_id, thumb, words))

    # Ending and coming back

    def end(self, why: EndReason = EndReason.USER) -> Session | None:
        """End the active session and stop its answer. Raises StorageError.

        Where the disk refuses, it stays active.
        """
        self.stop()
        return self._current.complete(why)

    def undo_end(self, session_id: SessionId) -> Session:
        return self.resume(session_id)

    def resume(self, session_id: SessionId) -> Session:
        """Make a past session the active one, and end the active one. Raises StorageError."""
        session = self._archive.sessions.session(session_id)
        if (active := self.active) and active.id == session_id:
            return active.session
        self.stop()
        with self._current.lock:
            self._current.complete(EndReason.REPLACED)
            return self._current.reopen(session)

    def begin_temporary(self) -> Session:
        """Begin a session that is stored nowhere, and end the active one. Raises StorageError."""
        self.stop()
        with self._current.lock:
            place = self._current.draft_place
            self._current.complete(EndReason.REPLACED)
            session = self._current.begin_temporary().session
        # What is written by now belongs to it.
        for written_for in {place, NEW_SESSION}:
            self._archive.drafts.keep(written_for, Draft())
        return session

    def rename(self, session_id: SessionId, title: str) -> Session:
        """Give a session a title of one line. Raises StorageError, SessionUnknownError."""
        self._archive.sessions.rename(session_id, " ".join(title.split()))
        return self._current.named(session_id)

    def pin(self, session_id: SessionId, *, is_pinned: bool) -> Session:
        """Pin or unpin a session. Raises StorageError, SessionUnknownError."""
        self._archive.sessions.pin(session_id, is_pinned)
        return self._current.named(session_id)

    def undo_split(self, session_id: SessionId) -> Turn | None:
        """Ask the message that began this session in the session before it instead."""
        split = self._steps.split
        if split is None or split.new != session_id:
            return None
        self._steps.split = None
        before = self._turn
        return self._start(Turn(partial(self._steps.rejoin, split=split, before=before)))

    def idle_end(self, now: datetime | None = None) -> Session | None:
        """End the session if it was idle for the set time and no turn runs."""
        limit = timedelta(minutes=self._around.settings().idle_minutes)
        with self._current.lock:
            turn, quiet_since = self._turn, self._current.quiet_since
            is_running = turn is not None and not turn.has_ended.is_set()
            if quiet_since is None or is_running or self._current.is_temporary:
                return None
            is_idle = (now or self._around.now()) - quiet_since >= limit
            return self._current.complete(EndReason.IDLE) if is_idle else None

    def save_pending(self) -> None:
        """Save again what could not be saved. Raises StorageError."""
        if active := self.active:
            active.save()

    def stop(self) -> None:
        """Stop the running answer and save what has arrived. Raises StorageError."""
        if turn := self._turn:
            turn.stop()

    def close(self) -> None:
        """Stop a running answer, and end a session that has an answer. Raises StorageError."""
        self.stop()
        if active := self.active:
            active.save()
            if active.has_exchange and not active.is_temporary:
                self._current.complete(EndReason.CLOSED)

    def keep_draft(self, draft: Draft) -> None:
        if self._current.is_temporary:
            return
        place = self._current.draft_place
        store = self._archive.drafts
        store.keep(place, draft)
        # What was written before there was a session has become its first message.
        if place != NEW_SESSION and store.draft(NEW_SESSION) != Draft():
            store.keep(NEW_SESSION, Draft())

    def draft(self) -> Draft:
        return self._archive.drafts.draft(self._current.draft_place)

    def would_remember(self, question: str) -> MemoryBlock | None:
        """The active memory that would go with a question; None where memory is not used."""
        return self._answerer.active_memory.would_go(question, self.active)

    def describe_pending(self, should_stop: Callable[[], bool]) -> Iterator[Described]:
        """Index and describe ended sessions; yields each that was described.

        Facts that are old enough move to the long term first, and the older part of a long
        session that goes on is summarised.
        """
        if self._around.settings().uses_memory and not should_stop():
            self.memory.move_aged_facts()
        if (active := self.active) and not active.is_temporary:
            self._watch.prepare(active.messages)
            for learned in self._answerer.compactor.compact_due(active, should_stop):
                if learned.new:
                    yield Described(None, learned)
        yield from self.describer.describe_due(should_stop)
        yield from self.describer.describe_imported(
            should_stop, lambda: self._around.settings().import_tokens
        )

    # Inside

    def _start(self, turn: Turn) -> Turn:
        turn.trace.now = self._around.now
        self._turn = turn
        return turn

    def _summariser_if_wanted(self) -> Model | None:
        if not self._around.settings().describes_with_model:
            return None
        return self._around.model(ModelRole.SUMMARISING)
