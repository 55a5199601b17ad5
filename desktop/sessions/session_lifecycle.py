"""Which session is active, and how it becomes so: begun, taken up again, completed."""

from contextlib import suppress
from datetime import datetime
from threading import RLock

from desktop.domain.errors import NoActiveSessionError, StorageError
from desktop.domain.ids import NO_MESSAGE, SessionId
from desktop.domain.sessions import EndReason, Session, SessionStatus
from desktop.language.language_detection import guess_language
from desktop.sessions.active_session import ActiveSession
from desktop.sessions.assistant_context import AssistantContext
from desktop.storage.sessions import NEW_SESSION, DraftStore, SessionStore


class CurrentSession:
    """Holds at most one. Any thread may ask; what touches the disk raises StorageError."""

    def __init__(self, store: SessionStore, drafts: DraftStore, around: AssistantContext) -> None:
        self.lock = RLock()
        """Held while several calls have to be one step."""
        self._store = store
        self._drafts = drafts
        self._around = around
        self._active: ActiveSession | None = None
        self._newest_id = NO_MESSAGE
        """Of the sessions before."""
        self._taken_up_at: datetime | None = None
        """When the user came back to it, in this process or another; idle time begins there."""

    @property
    def active(self) -> ActiveSession | None:
        with self.lock:
            return self._active

    @property
    def quiet_since(self) -> datetime | None:
        """When the session was last used; None where it has no message yet."""
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
        """Raises NoActiveSessionError."""
        if active := self.active:
            return active
        raise NoActiveSessionError

    def begin(self, text: str) -> ActiveSession:
        """Begin a session in the language of its first message."""
        language = guess_language(text, self._around.language())
        with self.lock:
            self.drop()
            return self._set(
                ActiveSession.begin(language, self._store, self._around.now, after=self._newest_id)
            )

    def begin_temporary(self) -> ActiveSession:
        """Begin a session that is stored nowhere; the one before it has ended."""
        with self.lock:
            self.drop()
            language, now = self._around.language(), self._around.now
            return self._set(ActiveSession.begin(language, None, now))

    def load(self, session: Session, *, is_wanted: bool = True) -> Session:
        """Load a stored session. `is_wanted`: the user has just come back to it."""
        stored = self._store.all_versions(session.id)
        if is_wanted:
            # Another process has to know, too. A disk that takes nothing keeps nobody from it.
            with suppress(StorageError):
                self._drafts.attend(session.id)
        attended_at = self._around.now() if is_wanted else self._drafts.attended_at(session.id)
        with self.lock:
            self.drop()
            now, after = self._around.now, self._newest_id
            loaded = ActiveSession(session, stored, self._store, now, after=after)
            return self._set(loaded, attended_at).session

    def reopen(self, session: Session) -> Session:
        """Load a past session and make it active again."""
        loaded = self.load(session)
        active = self.require()
        if loaded.status is SessionStatus.COMPLETE:
            active.reopen()
        return active.session

    def complete(self, why: EndReason) -> Session | None:
        """End it; where the disk refuses, it stays active.

        None where nothing is left of it: nothing was said in it, or it was temporary.
        """
        with self.lock:
            if self._active is None:
                return None
            is_kept = self._active.messages and not self._active.is_temporary
            ended = self._active.complete(why) if is_kept else None
            self.drop()
            return ended

    def drop(self) -> None:
        """Unload the session and leave it on the disk as it is."""
        with self.lock:
            if self._active is not None:
                self._newest_id = max(self._newest_id, self._active.newest_id)
                self._active = None

    def described(self, session_id: SessionId) -> Session:
        """The stored session; the active one takes over its title and pin."""
        stored = self._store.session(session_id)
        if (active := self.active) and active.id == session_id:
            active.set_description(stored)
            return active.session
        return stored

    def _set(self, active: ActiveSession, taken_up_at: datetime | None = None) -> ActiveSession:
        self._active, self._taken_up_at = active, taken_up_at
        return active
