"""An answer while it arrives: in memory at once, on the disk at least once a second."""

import logging
from collections.abc import Callable
from dataclasses import replace
from threading import Event, Lock, Thread
from time import monotonic

from desktop.domain.errors import StorageError
from desktop.domain.messages import CUT, NO_MODEL, Message, MessageState
from desktop.language.normalization import whole_letters
from desktop.sessions.active_session import ActiveSession

log = logging.getLogger(__name__)

COMMIT_EVERY_S = 0.8  # Less than the second that may be lost, to leave time for the commit itself


class AnswerDraft:
    """Collects an answer's text and commits it on a thread of its own.

    The thread also commits while nothing arrives, so that text never stays only in memory when a
    model pauses or a worker hangs in the network.
    """

    def __init__(
        self, active: ActiveSession, message: Message, *, commit_every_s: float = COMMIT_EVERY_S
    ) -> None:
        self._active = active
        self._message = message
        self._commit_every_s = commit_every_s
        self.instead: Callable[[], str] = str
        """Returns the text of an answer that was stopped before its first word."""
        self.written_by: Callable[[], str] = str
        """Returns the model's name if the endpoint chose it from its own list."""
        self.waited_s: Callable[[], float] = float
        """Returns how long the user was waited for, which is not part of the answer's time."""
        self.is_own = False  # Whether the text is the application's own, though a model was asked
        self.is_cut = False  # Whether the text was cut for lack of room
        self._pieces: list[str] = []
        self._committed = 0
        self._lock = Lock()
        self._is_closed = Event()
        self._began = monotonic()
        self._committer = Thread(target=self._commit_regularly, name="answer-draft", daemon=True)
        self._committer.start()

    @property
    def message(self) -> Message:
        return self._message

    @property
    def model(self) -> str:
        """Return the name stored with the answer; empty until the endpoint has chosen a model."""
        return self._message.model or self.written_by()

    @property
    def has_text(self) -> bool:
        with self._lock:
            return bool(self._pieces)

    def append(self, text: str) -> bool:
        """Append text that arrived; False if the answer was closed meanwhile."""
        with self._lock:
            if self._is_closed.is_set():
                return False
            self._pieces.append(text)
            return True

    def close(self, state: MessageState, *, error: str | None = None) -> None:
        """Give the answer its final state, in memory and on the disk; raises StorageError.

        Only the first call has an effect; later callers find the answer on the disk too.
        """
        with self._lock:
            if not self._is_closed.is_set():
                self._is_closed.set()
                is_stopped = state is MessageState.STOPPED
                instead = whole_letters(self.instead()) if is_stopped and not self._pieces else ""
                self._message = replace(
                    self._message,
                    content=self._text() or instead,
                    state=state,
                    error=CUT if self.is_cut and state is MessageState.COMPLETE else error,
                    model=NO_MODEL if self.is_own else self.model,
                    duration_ms=int((monotonic() - self._began - self.waited_s()) * 1000),
                )
                self._active.replace(self._message)
        self._active.save()

    def _text(self) -> str:
        return whole_letters("".join(self._pieces))

    def _commit_regularly(self) -> None:
        pause_s = self._commit_every_s
        while not self._is_closed.wait(pause_s):
            began = monotonic()
            self._commit()
            # A slow disk must not add its time to the interval between two commits.
            pause_s = max(0.0, self._commit_every_s - (monotonic() - began))

    def _commit(self) -> None:
        with self._lock:
            if self._is_closed.is_set() or len(self._pieces) == self._committed:
                return
            count = len(self._pieces)
            arrived = replace(self._message, content=self._text())
        try:
            self._active.save_partial(arrived)
        except StorageError as exc:
            # The text stays in memory; the next commit, or the close, writes all of it.
            log.warning("what has arrived of an answer is not on the disk yet: %s", exc.key)
        else:
            self._committed = count
