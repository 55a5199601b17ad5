"""Timed jobs: saving drafts, ending idle sessions, retrying saves, describing, midnight."""

from datetime import date, timedelta
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.domain.embedding import EmbeddingProgress
from desktop.domain.errors import AppError
from desktop.domain.ids import SessionId
from desktop.domain.sessions import Draft, EndReason, Session
from desktop.domain.times import Clock, utc_now
from desktop.settings.settings import Settings
from desktop.ui.composer.composer import Composer
from desktop.ui.services import WindowServices
from desktop.ui.session.controller import SessionController
from desktop.ui.transcript.view import TranscriptView
from desktop.ui.turn_bridge import TurnBridge

if TYPE_CHECKING:
    from desktop.sessions.session_description import Described

_DRAFT_MS = 500
_IDLE_MS = 30_000
_RETRY_MS = 3_000
_FIRST_DESCRIBING_MS = 1_500
_DESCRIBE_MS = 5 * 60_000
_EMBED_MS = 15_000
"""After describing: a start, and whoever goes on asking at once, come first."""
_EMBED_SLICE_S, _EMBED_PAUSE_MS = 5.0, 100
"""Vectors are made in slices, so that progress is shown and typing is noticed."""


class BackgroundScheduler(QObject):
    described = Signal(object)
    """Session"""
    learned = Signal(object)
    """Learned: what will be known in the next session"""
    embedding_progressed = Signal(object)
    """EmbeddingProgress"""
    day_changed = Signal()
    clock_seen = Signal()
    """The clock was looked at, and what it called for is done."""
    draft_failed = Signal(object)
    """AppError: the first of a row of failures"""

    def __init__(
        self,
        bridge: TurnBridge,
        sessions: SessionController,
        composer: Composer,
        transcript: TranscriptView,
        *,
        now: Clock = utc_now,
    ) -> None:
        super().__init__(sessions)
        self._bridge = bridge
        self._sessions = sessions
        self._composer = composer
        self._transcript = transcript
        self._now = now
        self._services: WindowServices | None = None
        self._typed_at = now()
        self._day = date.today()  # noqa: DTZ011 (the reader's own day)
        self._kept = Draft()
        self._kept_for: SessionId | None = None
        self._is_kept = True
        """Whether the disk has it there, and nowhere else."""
        self._has_kept_draft = False
        self._has_draft_failed = False
        self.keeping = Lock()
        """Held by the worker that keeps a draft: they overtake each other."""
        self._is_describing = False
        self._describes_again = False
        self._is_saving = False
        self._is_embedding = False
        self._searches_by_meaning = True
        self._import_tokens = 0
        self._embed = QTimer(self, singleShot=True, interval=_EMBED_MS)
        self._draft = QTimer(self, singleShot=True, interval=_DRAFT_MS)
        self._minute = QTimer(self, interval=_IDLE_MS)
        self._again = QTimer(self, interval=_RETRY_MS)
        self._describe = QTimer(self, interval=_DESCRIBE_MS)
        self._connect()

    def attach(self, services: WindowServices) -> None:
        self._services = services
        self._minute.start()
        self._describe.start()
        QTimer.singleShot(_FIRST_DESCRIBING_MS, self, self.describe)

    def stop(self) -> None:
        for timer in (self._draft, self._minute, self._again, self._describe, self._embed):
            timer.stop()

    def draft(self) -> Draft:
        """What stands in the composer, and where the reader of the active session is.

        What was sent stays in it until the disk has it as a message.
        """
        shown, beside = self._sessions.shown, tuple(self._sessions.asking.beside())
        unsaved = self._sessions.asking.unsaved
        written = "\n\n".join(part for part in (unsaved, self._composer.text) if part)
        if shown is None or self._sessions.is_past_shown:
            return Draft(written, beside=beside)
        number, offset = self._transcript.anchor()
        return Draft(written, number, offset, beside)

    def last_draft(self) -> Draft:
        """The one to be kept by whoever closes the window; what is still under way is not."""
        self._kept = self.draft()
        return self._kept

    @property
    def has_kept_draft(self) -> bool:
        """Whether what the disk kept was put back: from then on it is kept from here."""
        return self._has_kept_draft

    def take_draft(self, draft: Draft) -> None:
        """Put a kept draft back, before what has been written meanwhile."""
        now = self.draft()
        if draft.text not in now.text:
            self._composer.set_text(Draft(self._composer.text).behind(draft).text)
        if draft.beside:
            self._sessions.asking.beside_kept.emit(draft.beside)
        if (now.text, now.beside) != (draft.text, draft.beside):
            self._draft.start()
        self._kept = draft
        self._has_kept_draft = True

    def describe(self) -> None:
        """Have ended sessions described; asked for meanwhile, it is done once more."""
        services = self._services
        if services is None:
            return
        if self._is_describing:
            self._describes_again = True
            return
        self._is_describing, self._describes_again = True, False
        turns, closing = self._sessions.turns, self._bridge.closing

        def should_stop() -> bool:
            # A question goes first: describing would take processor and disk from it.
            return closing.is_set() or turns.is_running

        self._bridge.run_each(
            lambda: services.assistant.describe_pending(should_stop),
            self._take_described,
            settled=self._described,
        )

    def embed(self) -> None:
        """Have what was said given vectors: whenever there is nothing better to do."""
        services = self._services
        if services is None or self._is_embedding:
            return
        turns, closing = self._sessions.turns, self._bridge.closing

        ends_at = monotonic() + _EMBED_SLICE_S
        quiet_s = (self._now() - self._typed_at).total_seconds()

        def should_stop() -> bool:
            is_busy = turns.is_running or self._is_describing
            return closing.is_set() or is_busy or monotonic() > ends_at

        self._is_embedding = True
        self._bridge.run(
            lambda: services.embed(should_stop, quiet_s),
            self._show_embedded,
            settled=self._embedded,
        )

    def apply(self, settings: Settings) -> None:
        """What is allowed now and was not has something to catch up with."""
        is_wanted = settings.searches_by_meaning and not self._searches_by_meaning
        self._searches_by_meaning = settings.searches_by_meaning
        if is_wanted:
            self._embed.start()
        has_more = settings.import_tokens > self._import_tokens
        self._import_tokens = settings.import_tokens
        if has_more:
            self.describe()

    def save_again(self) -> None:
        """The disk would not take something: ask it until it does."""
        self._again.start()

    def _connect(self) -> None:
        self._draft.timeout.connect(self._keep_draft)
        self._embed.timeout.connect(self.embed)
        self._minute.timeout.connect(self._look_at_clock)
        self._again.timeout.connect(self._save)
        self._describe.timeout.connect(self.describe)
        self._composer.draft_changed.connect(self._note_typing)
        self._sessions.asking.unsaved_changed.connect(self._draft.start)
        self._sessions.active_changed.connect(self._note_active)
        self._sessions.draft_found.connect(self.take_draft)
        self._transcript.verticalScrollBar().valueChanged.connect(self._note_place)
        self._sessions.turns.running_changed.connect(self._describe_after_turn)

    def _describe_after_turn(self, is_running: bool) -> None:  # noqa: FBT001 (from a signal)
        if not is_running:
            self.describe()

    def _note_typing(self) -> None:
        self._typed_at = self._now()
        self._draft.start()

    def _note_place(self, _: int) -> None:
        # A timer takes a number for its interval: thousands of pixels down nothing would be kept.
        self._draft.start()

    def _note_active(self, session: Session | None) -> None:
        """A draft belongs to the session that it will be asked in."""
        session_id = session.id if session else None
        if session_id != self._kept_for:
            self._take_from(self._kept_for)
            self._kept_for = session_id
            self._kept = Draft()
            # Where there was no session, what was being written stands there still.
            self._is_kept = False
            self._draft.start()

    def _take_from(self, session_id: SessionId | None) -> None:
        """What stands in the composer goes along: whoever comes back does not find it twice."""
        services = self._services
        if (
            services is not None
            and session_id is not None
            and (self._kept.text or self._kept.beside)
        ):
            self._bridge.run(lambda: self._empty(services, session_id))

    def _empty(self, services: WindowServices, session_id: SessionId) -> None:  # worker thread
        with self.keeping:
            services.archive.clear_draft(session_id)

    def _keep_draft(self) -> None:
        if self._sessions.is_temporary or not self._has_kept_draft:
            # What is there from the last time would be written over before it is seen.
            return
        draft = self.draft()
        services = self._services
        if services is not None and not (self._is_kept and draft == self._kept):
            self._kept, self._is_kept = draft, True
            self._bridge.run(
                lambda: self._put(services, draft), self._draft_kept, self._draft_failed
            )

    def _put(self, services: WindowServices, draft: Draft) -> None:  # worker thread
        """An older one that comes late is not put in the place of a newer one."""
        with self.keeping:
            if draft is self._kept:
                services.assistant.keep_draft(draft)

    def _draft_kept(self, _: object) -> None:
        self._has_draft_failed = False

    def _draft_failed(self, error: AppError) -> None:
        self._is_kept = False
        self._draft.start(_RETRY_MS)
        if not self._has_draft_failed:
            self._has_draft_failed = True
            self.draft_failed.emit(error)

    def _take_described(self, done: "Described") -> None:
        if done.session is not None:
            self.described.emit(done.session)
        if done.learned is not None:
            self.learned.emit(done.learned)

    def _described(self) -> None:
        self._is_describing = False
        self._embed.start()
        if self._describes_again:
            self.describe()

    def _embedded(self) -> None:
        self._is_embedding = False

    def _show_embedded(self, progress: EmbeddingProgress) -> None:
        self.embedding_progressed.emit(progress)
        if progress.made and progress.refined < progress.sessions:
            QTimer.singleShot(_EMBED_PAUSE_MS, self, self.embed)

    def _look_at_clock(self) -> None:
        today = date.today()  # noqa: DTZ011 (the reader's own day)
        if today != self._day:
            self._day = today
            self.day_changed.emit()
        services = self._services
        if services is None or self._sessions.turns.is_running or self._is_writing(services):
            self.clock_seen.emit()
            return
        now = self._now()
        self._sessions.do(
            lambda services: services.assistant.idle_end(now),
            self._take_idle,
            self.clock_seen.emit,
        )

    def _is_writing(self, services: WindowServices) -> bool:
        """A draft that somebody is at keeps the session; one that was left does not."""
        idle = timedelta(minutes=services.settings().idle_minutes)
        return bool(self._composer.text) and self._now() - self._typed_at < idle

    def _take_idle(self, session: Session | None) -> None:
        self._sessions.take_end(session, EndReason.IDLE)

    def _save(self) -> None:
        services = self._services
        if services is None or self._is_saving:
            return
        self._is_saving = True
        self._bridge.run(services.assistant.save_pending, self._saved, settled=self._saved_once)

    def _saved(self, _: None) -> None:
        self._again.stop()
        self._sessions.saved.emit()

    def _saved_once(self) -> None:
        self._is_saving = False
