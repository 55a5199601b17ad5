"""Which session the user is in, how it begins, ends and is left, and what is written in it."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from threading import RLock

from desktop.domain.errors import NoActiveSessionError, SessionUnknownError, StorageError
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import MessageFile
from desktop.domain.projects import ProjectId
from desktop.domain.sessions import Draft, EndReason, Session, SessionStatus
from desktop.language.keywords_and_stems import guess_language
from desktop.sessions.conversation.active_session import ActiveSession, new_session
from desktop.sessions.conversation.assistant_context import AssistantContext
from desktop.storage.repositories.sessions import (
    NEW_SESSION,
    DraftStore,
    SessionStore,
    StoredMessage,
)


class CurrentSession:
    """Holds at most one session. Any thread may call; disk access raises StorageError."""

    def __init__(
        self,
        store: SessionStore,
        drafts: DraftStore,
        context: AssistantContext,
        forget_temporary: Callable[[Iterable[MessageFile]], None],
    ) -> None:
        """`forget_temporary`: gets the files of a session that ends and is stored nowhere."""
        self.lock = RLock()
        """Held while several calls have to be atomic; those beside it have the same."""
        self._store = store
        self._drafts = drafts
        self._context = context
        self._forget_temporary = forget_temporary
        self._active: ActiveSession | None = None
        self._is_left = False  # Whether its answer goes on although the session has ended
        self._taken_up_at: datetime | None = None
        """When the user resumed it, in this process or another; idle time starts there."""

    def beside(self, active: ActiveSession | None = None) -> "CurrentSession":
        """Return another place for a session; `active`: the one that is there."""
        made = CurrentSession(self._store, self._drafts, self._context, self._forget_temporary)
        made.lock, made._active = self.lock, active
        return made

    @property
    def active(self) -> ActiveSession | None:
        with self.lock:
            return self._active

    @property
    def quiet_since(self) -> datetime | None:
        """Return when the session was last used; None if it has no message yet."""
        with self.lock:
            if self._active is None or not self._active.messages:
                return None
            said_at = self._active.session.updated_at
            return max(said_at, self._taken_up_at or said_at)

    @property
    def is_temporary(self) -> bool:
        active = self.active
        return active is not None and active.is_temporary

    @property
    def draft_place(self) -> SessionId:
        active = self.active
        return active.id if active else NEW_SESSION

    def require(self) -> ActiveSession:
        """Return the active session. Raises NoActiveSessionError."""
        if active := self.active:
            return active
        raise NoActiveSessionError

    def begin(self, text: str, project: ProjectId) -> ActiveSession:
        """Begin a session, written with its first message and in its language.

        A session that a dead process left active on the disk is completed then.
        """
        language = guess_language(text, self._context.language())
        session = replace(new_session(language, self._context.now()), project=project)
        return self._set(session, (), self._store)

    def begin_temporary(self, project: ProjectId) -> ActiveSession:
        """Begin a session that is stored nowhere; the previous one has ended."""
        session = new_session(self._context.language(), self._context.now())
        return self._set(replace(session, is_temporary=True, project=project), (), None)

    def adopt(self, active: ActiveSession) -> Session:
        """Make a temporary session from elsewhere the active one; the next save stores it."""
        with self.lock:
            self.drop()
            active.keep_in(self._store)
            self._active, self._taken_up_at = active, None
            return active.session

    def load(self, session: Session, *, is_wanted: bool = True) -> Session:
        """Load a stored session. `is_wanted`: the user has just resumed it."""
        stored = self._store.all_versions(session.id)
        if is_wanted:
            with suppress(StorageError):  # so that other processes know
                self._drafts.attend(session.id)
        attended_at = self._context.now() if is_wanted else self._drafts.attended_at(session.id)
        active = self._set(session, stored, self._store, attended_at)
        active.follow_answer()
        return active.session

    def reopen(self, session: Session) -> Session:
        """Load a past session and make it active again."""
        loaded = self.load(session)
        active = self.require()
        if loaded.status is SessionStatus.COMPLETE:
            active.reopen()
        return active.session

    def complete(self, why: EndReason) -> Session | None:
        """End the session, unless the disk refuses; None if nothing is left of it."""
        with self.lock:
            if self._active is None:
                return None
            is_kept = self._active.messages and not self._active.is_temporary
            ended = self._active.complete(why) if is_kept else None
            self.drop()
            return ended

    def leave(self, why: EndReason) -> Session:
        """End the session on the disk; it stays here for the turn that still writes to it.

        Sessions that this turn begins have ended, too: only one is active on the disk. Raises
        NoActiveSessionError.
        """
        with self.lock:
            ended = self.require().complete(why)
            self._is_left = True
            return ended

    def come_back(self) -> Session:
        """Make a session that was left active again."""
        with self.lock:
            active = self.require()
            active.reopen()
            self._is_left, self._taken_up_at = False, self._context.now()
            with suppress(StorageError):  # so that other processes know
                self._drafts.attend(active.id)
            return active.session

    def drop(self) -> None:
        with self.lock:
            if self._active is not None:
                if self._active.is_temporary:
                    self._forget_temporary(self._active.files)
                self._active = None

    def described(self, session_id: SessionId) -> Session:
        """Return the stored session; the active one takes over its title and pin."""
        stored = self._store.session(session_id)
        if (active := self.active) and active.id == session_id:
            active.set_description(stored)
            return active.session
        return stored

    def take_received(self, *, extends: bool) -> frozenset[MessageId]:
        """Take what other devices have changed in the session.

        Return its messages that are new, or have another version now. `extends`: whether those
        that follow the last one become part of its path.
        """
        with self.lock:
            active = self._active
            if active is None or active.is_temporary:
                return frozenset()
            stored = self._store.all_versions(active.id)
            changed = active.take_received(stored, extends=extends)
            if extends and changed:
                active.save()
            with suppress(SessionUnknownError):  # not yet written, or deleted elsewhere
                self.described(active.id)
            return changed

    def _set(
        self,
        session: Session,
        stored: Iterable[StoredMessage],
        store: SessionStore | None,
        taken_up_at: datetime | None = None,
    ) -> ActiveSession:
        with self.lock:
            self.drop()
            self._taken_up_at = taken_up_at
            context = self._context
            ids, figures = context.message_ids, context.figures
            if self._is_left:
                session = replace(
                    session,
                    status=SessionStatus.COMPLETE,
                    ended_at=context.now(),
                    end_reason=EndReason.REPLACED,
                )
            self._active = ActiveSession(
                session, stored, store, context.now, ids=ids, figures=figures
            )
            return self._active


class Drafts:
    """What is written and not sent, by the session it belongs to. May raise StorageError."""

    def __init__(self, store: DraftStore, current: Callable[[], CurrentSession]) -> None:
        self._store = store
        self._current = current
        self.has_waiting = False  # Whether the one without a session waits for its page

    def keep(self, draft: Draft) -> None:
        current = self._current()
        if current.is_temporary:
            return
        place = current.draft_place
        self._store.keep(place, draft)
        if place == NEW_SESSION:
            self.has_waiting = False
        # A draft from before the session has become its first message.
        elif not self.has_waiting and self._store.draft(NEW_SESSION) != Draft():
            self._store.keep(NEW_SESSION, Draft())

    def leave(self, draft: Draft) -> None:
        """Keep the draft of the session that the user is leaving for another."""
        self.keep(draft)
        self.has_waiting = self._current().draft_place == NEW_SESSION

    def read(self) -> Draft:
        place = self._current().draft_place
        if place == NEW_SESSION:
            self.has_waiting = False
        return self._store.draft(place)

    def files(self, place: SessionId) -> set[MessageFile]:
        """Return the files of the draft of a session, and of the one without a session."""
        return {file for each in (place, NEW_SESSION) for file in self._store.draft(each).files}

    def clear(self, place: SessionId) -> None:
        for each in {place, NEW_SESSION}:
            self._store.keep(each, Draft())
