"""Everything a person can do with sessions; window and command line call the same methods.

Methods that touch the disk or a model are called on a worker thread, one at a time for each of
`ask`, `retry`, `rewrite`, `edit`; reading `active` is safe from any thread.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import RLock

from desktop.domain.decisions import EndSession
from desktop.domain.endpoints import ModelRole
from desktop.domain.errors import NoActiveSessionError
from desktop.domain.events import (
    Decided,
    Outcome,
    SessionEnded,
    SessionStarted,
    TurnEnded,
    TurnEvent,
)
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import MessageState, Rating, Role, Thumb
from desktop.domain.model import Model
from desktop.domain.sessions import Draft, EndReason, Session, SessionStatus
from desktop.language.guess import guess_language
from desktop.recall.search import Search
from desktop.research.router import decide
from desktop.sessions.active import ActiveSession
from desktop.sessions.answering import Answerer
from desktop.sessions.context import EndsTooLong
from desktop.sessions.describing import Describer
from desktop.sessions.surroundings import Surroundings
from desktop.sessions.turn import Turn, save_message
from desktop.storage.archive import Archive
from desktop.storage.sessions import NEW_SESSION

_ONE_EXCHANGE = 2


__all__ = ["Assistant", "Split", "Surroundings"]


@dataclass(frozen=True, slots=True)
class Split:
    """A message that was taken for a new subject, and where it came from."""

    old: SessionId
    new: SessionId
    text: str


class Assistant:
    def __init__(self, archive: Archive, search: Search, around: Surroundings) -> None:
        self._archive = archive
        self._around = around
        self._answerer = Answerer(archive, search, around)
        self._lock = RLock()
        self._active: ActiveSession | None = None
        self._turn: Turn | None = None
        self._split: Split | None = None
        self.describer = Describer(
            archive,
            self._summariser_if_wanted,
            around.wording,
            around.phrases,
            around.language,
        )

    @property
    def active(self) -> ActiveSession | None:
        with self._lock:
            return self._active

    # Starting

    def unfinished(self) -> Session | None:
        """What a dead process left active, its open answers interrupted. Raises StorageError."""
        self._archive.sessions.interrupt_streaming()
        return self._archive.sessions.active()

    def continue_unfinished(self) -> Session | None:
        """Take up the session that is active on the disk; raises StorageError.

        Where a session was begun meanwhile, it is that one: its first message completed the other.
        """
        with self._lock:
            if self._active is not None:
                return self._active.session
            session = self._archive.sessions.active()
            return self._load(session) if session else None

    def decline_unfinished(self) -> Session | None:
        """Complete what a dead process left active; raises StorageError."""
        with self._lock:
            if self._active is not None or self.continue_unfinished() is None:
                return None
            try:
                return self._complete(EndReason.CLOSED)
            finally:
                # Where the disk refuses, nobody has taken it up: it can be asked about again.
                self._active = None

    # Turns

    def ask(self, text: str) -> Turn:
        return self._start(Turn(lambda turn: self._ask(turn, text)))

    def retry(self, message_id: MessageId) -> Turn:
        """Answer again with the same context: a failed answer, or a question that has none."""
        return self._start(Turn(lambda turn: self._answer_again(turn, message_id)))

    def rewrite(self, message_id: MessageId) -> Turn:
        """Another version of an answer; what stood there is kept as a version."""
        return self.retry(message_id)

    def edit(self, message_id: MessageId, text: str) -> Turn:
        """Another version of a question, asked again; what followed the old stays with it."""
        return self._start(Turn(lambda turn: self._edit(turn, message_id, text)))

    def show_version(self, message_id: MessageId) -> None:
        """Raises StorageError, NoActiveSessionError."""
        active = self._require_active()
        active.show_version(message_id)
        active.save()

    def rate(self, message_id: MessageId, thumb: Thumb | None, words: str = "") -> None:
        if thumb is None:
            self._archive.answers.unrate(message_id)
        else:
            self._archive.answers.rate(Rating(message_id, thumb, words))

    # Ending and coming back

    def end(self, why: EndReason = EndReason.USER) -> Session | None:
        """End the active session, stopping its answer; raises StorageError.

        Where the disk refuses, it stays active.
        """
        self.stop()
        return self._complete(why)

    def undo_end(self, session_id: SessionId) -> Session:
        return self.resume(session_id)

    def resume(self, session_id: SessionId) -> Session:
        """Make a past session the active one, ending the one that is. Raises StorageError."""
        session = self._archive.sessions.session(session_id)
        if (active := self.active) and active.id == session_id:
            return active.session
        self.stop()
        with self._lock:
            self._complete(EndReason.REPLACED)
            return self._reopen(session)

    def undo_split(self, session_id: SessionId) -> Turn | None:
        """Ask the message that began this session in the one before it, after all."""
        split = self._split
        if split is None or split.new != session_id:
            return None
        self._split = None
        before = self._turn
        return self._start(Turn(lambda turn: self._rejoin(turn, split, before)))

    def idle_end(self, now: datetime | None = None) -> Session | None:
        """End the session if nothing was said for the set time; never while a turn runs."""
        active = self.active
        if active is None or not active.messages or self._is_busy():
            return None
        limit = timedelta(minutes=self._around.settings().idle_minutes)
        quiet_for = (now or self._around.now()) - active.session.updated_at
        return self._complete(EndReason.IDLE) if quiet_for >= limit else None

    def save_pending(self) -> bool:
        """Try again what the disk would not take; whether all is saved. Raises StorageError."""
        if active := self.active:
            active.save()
        return True

    def stop(self) -> None:
        """Stop the running answer, keeping what has arrived; raises StorageError."""
        if turn := self._turn:
            turn.stop()

    def close(self) -> None:
        """Leave: a running answer is stopped, a session with an exchange ends. StorageError."""
        self.stop()
        if active := self.active:
            active.save()
            if active.has_exchange:
                self._complete(EndReason.CLOSED)

    def keep_draft(self, draft: Draft) -> None:
        place = self._draft_place()
        store = self._archive.sessions
        store.keep_draft(place, draft)
        # What was written before there was a session has become its first message.
        if place != NEW_SESSION and store.draft(NEW_SESSION).text:
            store.keep_draft(NEW_SESSION, Draft())

    def draft(self) -> Draft:
        return self._archive.sessions.draft(self._draft_place())

    def describe_pending(self, should_stop: Callable[[], bool]) -> Iterator[Session]:
        """Index and describe what ended sessions are owed; yields each that was described."""
        return self.describer.describe_due(should_stop)

    # Inside

    def _start(self, turn: Turn) -> Turn:
        self._turn = turn
        return turn

    def _is_busy(self) -> bool:
        active = self.active
        last = active.messages[-1] if active and active.messages else None
        return last is not None and last.state is MessageState.STREAMING

    def _ask(self, turn: Turn, text: str) -> Iterator[TurnEvent]:
        active = self.active
        decision = decide(text, active.messages if active else (), self._around.rules())
        turn.decision = decision
        yield Decided(turn.id, decision)
        if isinstance(decision, EndSession):
            yield from self._end_in_words(turn, decision, text)
        else:
            yield from self._say(turn, text)

    def _end_in_words(self, turn: Turn, end: EndSession, text: str) -> Iterator[TurnEvent]:
        active = self.active
        ended: Session | None = None
        if active is not None:
            if end.keeps_message:
                yield from save_message(turn, active, active.add(Role.USER, text))
            ended = self._complete(end.why)
        if ended is not None:
            yield SessionEnded(turn.id, ended, end.why, end.reason)
        if end.begin_with is None:
            session_id = ended.id if ended else None
            yield TurnEnded(turn.id, Outcome.COMPLETE, session_id, decision=turn.decision)
            return
        is_split = end.why is EndReason.SUBJECT_CHANGE
        yield from self._say(turn, end.begin_with, split_from=ended if is_split else None)

    def _say(
        self, turn: Turn, text: str, *, split_from: Session | None = None
    ) -> Iterator[TurnEvent]:
        active = self.active
        if active is None:
            active = self._begin(text)
            if split_from is not None:
                self._split = Split(split_from.id, active.id, text)
            yield SessionStarted(turn.id, active.session)
        yield from save_message(turn, active, active.add(Role.USER, text))
        yield from self._answer(turn, active)

    def _answer(self, turn: Turn, active: ActiveSession) -> Iterator[TurnEvent]:
        try:
            yield from self._answerer.answer(turn, active)
        except EndsTooLong:
            yield from self._end_too_long(turn, active)

    def _end_too_long(self, turn: Turn, active: ActiveSession) -> Iterator[TurnEvent]:
        question = active.messages[-1]
        ended = self._complete(EndReason.TOO_LONG)
        if ended is not None:
            yield SessionEnded(turn.id, ended, EndReason.TOO_LONG, "")
        begun = self._begin(question.content)
        yield SessionStarted(turn.id, begun.session)
        yield from save_message(turn, begun, begun.add(Role.USER, question.content))
        # Last: a process that dies on the way has the question in both sessions, never in none.
        active.leave(question.id)
        active.save()
        yield from self._answer(turn, begun)

    def _answer_again(self, turn: Turn, message_id: MessageId) -> Iterator[TurnEvent]:
        active = self._require_active()
        message = active.message(message_id)
        if message.role is Role.ASSISTANT:
            active.leave(message_id)
        turn.message = active.messages[-1]
        active.save()
        yield from self._answer(turn, active)

    def _edit(self, turn: Turn, message_id: MessageId, text: str) -> Iterator[TurnEvent]:
        active = self._require_active()
        active.leave(message_id)
        yield from save_message(turn, active, active.add(Role.USER, text))
        yield from self._answer(turn, active)

    def _rejoin(self, turn: Turn, split: Split, before: Turn | None) -> Iterator[TurnEvent]:
        if before is not None:
            before.stop()
        with self._lock:
            begun = self._complete(EndReason.REPLACED)
            session = self._reopen(self._archive.sessions.session(split.old))
            active = self._require_active()
        yield SessionStarted(turn.id, session)
        yield from save_message(turn, active, active.add(Role.USER, split.text))
        # Last: a process that dies on the way has the message in both sessions, never in none.
        if begun is not None and begun.id == split.new and begun.messages <= _ONE_EXCHANGE:
            self._archive.sessions.delete(split.new)
        yield from self._answer(turn, active)

    def _begin(self, text: str) -> ActiveSession:
        language = guess_language(text, self._around.language())
        with self._lock:
            self._active = ActiveSession.begin(language, self._archive.sessions, self._around.now)
            return self._active

    def _load(self, session: Session) -> Session:
        stored = self._archive.sessions.all_versions(session.id)
        with self._lock:
            self._active = ActiveSession(session, stored, self._archive.sessions, self._around.now)
            return self._active.session

    def _reopen(self, session: Session) -> Session:
        loaded = self._load(session)
        active = self._require_active()
        if loaded.status is SessionStatus.COMPLETE:
            active.reopen()
        return active.session

    def _complete(self, why: EndReason) -> Session | None:
        with self._lock:
            if self._active is None:
                return None
            ended = self._active.complete(why) if self._active.messages else None
            self._active = None
            return ended

    def _require_active(self) -> ActiveSession:
        if active := self.active:
            return active
        raise NoActiveSessionError

    def _draft_place(self) -> SessionId:
        active = self.active
        return active.id if active else NEW_SESSION

    def _summariser_if_wanted(self) -> Model | None:
        if not self._around.settings().describes_with_model:
            return None
        return self._around.model(ModelRole.SUMMARISING)
