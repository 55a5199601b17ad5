"""Timed jobs: drafts, ending idle sessions, retrying saves, describing, housekeeping, midnight."""

from dataclasses import replace
from datetime import date, timedelta
from time import monotonic
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.domain.endpoints import ModelRole
from desktop.domain.errors import AppError
from desktop.domain.ids import SessionId
from desktop.domain.search import EmbeddingProgress
from desktop.domain.sessions import Draft, EndReason, Session
from desktop.domain.times import Clock, utc_now
from desktop.settings.settings import Consent, Settings
from desktop.ui.composer.composer import Composer
from desktop.ui.services import Worker
from desktop.ui.session.controller import SessionController
from desktop.ui.timers import make_timer
from desktop.ui.transcript.view import TranscriptView
from desktop.ui.turn_bridge import ignore

if TYPE_CHECKING:
    from desktop.sessions.conversation.session_description import Described

_DRAFT_MS = 500
_IDLE_MS = 30_000
_RETRY_MS = 3_000
_FIRST_DESCRIBING_MS = 6_000  # Later than the import of the SDK, which would take twice as long
_DESCRIBE_MS = 5 * 60_000
_EMBED_MS = 15_000  # Later than describing, so that starting and the next question come first
_EMBED_SLICE_S, _EMBED_PAUSE_MS = 5.0, 100
"""Vectors are made in slices, so that progress is shown and typing is noticed."""
_BACKUP_MS = 5_000
"""Soon: many open the window for minutes only. Not at once: starting comes first."""
_HOUSEKEEPING_MS = 60_000
_QUIET_S = 20  # Seconds without a key press before housekeeping begins or goes on


class BackgroundScheduler(QObject):
    described = Signal(object)  # Session
    describing_ended = Signal()  # Sessions may have cost more tokens
    claims_checked = Signal(object)  # CheckedClaims
    learned = Signal(object)  # Learned: what will be known in the next session
    preferred = Signal(object)  # Preferences that take effect by what was said
    embedding_progressed = Signal(object)  # EmbeddingProgress
    housekept = Signal(object)  # TaskCount: what a daily task has done
    house_kept = Signal()  # The daily tasks that may run have run
    day_changed = Signal()
    clock_seen = Signal()  # The clock was checked, and all due jobs are done
    backup_failed = Signal(object)  # AppError: the first of a series of failures
    draft_failed = Signal(object)  # AppError: the first of a series of failures

    def __init__(
        self,
        worker: Worker,
        sessions: SessionController,
        composer: Composer,
        transcript: TranscriptView,
    ) -> None:
        super().__init__(sessions)
        self._worker = worker
        self._closing = worker.bridge.closing
        self._sessions = sessions
        self._composer = composer
        self._transcript = transcript
        self._now: Clock = utc_now
        self._typed_at = utc_now()
        self._day = date.today()  # noqa: DTZ011 (the user's local day)
        self._last_draft = Draft()
        self._kept_for: SessionId | None = None
        self._is_kept = True  # whether this draft is on the disk
        self.has_kept_draft = False  # Whether the stored draft was restored; else none is saved
        self._has_draft_failed = False
        self._is_stopped = False
        self._is_describing = False
        self._describes_again = False
        self._is_embedding = False
        self._is_housekeeping = False
        self._kept_on: date | None = None  # The day on which housekeeping was last finished
        self._may_archive = False
        self._meaning: tuple[object, bool] = (None, False), True
        self._import_tokens = 0
        self._may_describe_more = False  # Once the core knows, too
        self._embed = make_timer(self, _EMBED_MS, self.embed, is_single=True)
        self._draft = make_timer(self, _DRAFT_MS, self._keep_draft, is_single=True)
        self._house = make_timer(self, _HOUSEKEEPING_MS, self.keep_house)
        self._minute = make_timer(self, _IDLE_MS, self._look_at_clock)
        self._again = make_timer(self, _RETRY_MS, self._save, is_single=True)
        self._describe = make_timer(self, _DESCRIBE_MS, self.describe)
        sessions.take_draft = self._take_away
        worker.ready.connect(self._start)
        composer.draft_changed.connect(self._note_typing)
        sessions.asking.unsaved_changed.connect(self._draft.start)
        sessions.active_changed.connect(self._note_active)
        sessions.draft_found.connect(self.take_draft)
        sessions.description_due.connect(self.describe)
        sessions.unsaved.connect(self._again.start)
        sessions.turns.running_changed.connect(
            lambda is_running: None if is_running else self.describe()
        )
        # The position is not passed on: `QTimer.start` would take it as an interval.
        transcript.verticalScrollBar().valueChanged.connect(lambda _: self._draft.start())

    def stop(self) -> None:
        self._is_stopped = True
        for timer in self.findChildren(QTimer):
            timer.stop()

    def draft(self) -> Draft:
        """Return the unsent text, and where the user is in the active session.

        A sent text remains part of it until it is saved as a message.
        """
        asking, shown = self._sessions.asking, self._sessions.shown
        written = "\n\n".join(part for part in (asking.unsaved, self._composer.text) if part)
        attachments = tuple(asking.in_context)
        files = tuple(dict.fromkeys((*asking.unsaved_files, *self._composer.files.files)))
        if shown is None or self._sessions.is_past_shown:
            return Draft(written, attachments=attachments, files=files)
        number, offset = self._transcript.anchor()
        return Draft(written, number, offset, attachments, files)

    def _take_away(self) -> Draft:
        """Empty the composer for another session; return what the one that is left keeps."""
        written, files = self._composer.text, self._composer.files.files
        left = replace(self.draft(), text=written, files=files)
        self._composer.clear()
        self._last_draft = Draft()
        self._sessions.draft_left.emit()
        return left

    def take_draft(self, draft: Draft) -> None:
        now = self.draft()
        if draft.text not in now.text:
            self._composer.set_text(Draft(self._composer.text).behind(draft).text)
        if draft.files:
            composer = self._composer.files
            composer.set_files(dict.fromkeys((*draft.files, *composer.files)))
        if (now.text, now.attachments, now.files) != (draft.text, draft.attachments, draft.files):
            self._draft.start()
        self._last_draft = draft
        self.has_kept_draft = True

    def describe(self) -> None:
        self._check_claims()
        self._worker.do_each(
            lambda services: services.assistant.describe_at_once(self._closing.is_set),
            self._take_described,
            self._describe_better,
            ignore,
        )

    def _describe_better(self) -> None:
        if self._is_describing:
            self._describes_again = True
            return
        self._is_describing, self._describes_again = True, False

        def should_stop() -> bool:
            # A question goes first, because describing would take processor time and disk from it.
            return self._closing.is_set() or self._sessions.turns.is_any_working

        self._worker.do_each(
            lambda services: services.assistant.describe_pending(should_stop),
            self._take_described,
            self._end_describing,
            ignore,
        )

    def _check_claims(self) -> None:
        """Check the claims of complete answers, as far as it is due."""
        self._worker.do_each(
            lambda services: services.claims.check_due(self._closing.is_set),
            self.claims_checked.emit,
            failed=ignore,
        )

    def embed(self) -> None:
        if self._is_embedding:
            return
        ends_at = monotonic() + _EMBED_SLICE_S
        quiet_s = (self._now() - self._typed_at).total_seconds()

        def should_stop() -> bool:
            return self._closing.is_set() or self._is_busy or monotonic() > ends_at

        def settle() -> None:
            self._is_embedding = False

        self._is_embedding = True
        self._worker.do(
            lambda services: services.embed(should_stop, quiet_s),
            self._show_embedded,
            settle,
            ignore,
        )

    def back_up(self) -> None:
        if not self._is_stopped:
            self._worker.do(
                lambda services: services.automatic_backups.write_due(),
                failed=self.backup_failed.emit,
            )

    def look_for_work(self) -> None:
        """Run housekeeping again today: something may have come that needs OCR."""
        self._kept_on = None

    def work_now(self) -> None:
        self.look_for_work()
        self.keep_house(at_once=True)

    def keep_house(self, *, at_once: bool = False) -> None:
        """Run the daily tasks that were not finished today, while the user is idle.

        `at_once`: the user has just asked for it, so that only an answer goes first.
        """

        def should_stop() -> bool:
            is_answering = self._sessions.turns.is_any_running
            return self._closing.is_set() or (is_answering if at_once else not self.is_idle())

        def settle() -> None:
            self._is_housekeeping = False
            if not should_stop():
                self._kept_on = self._day
                self.house_kept.emit()

        if self._is_housekeeping or self._kept_on == self._day or should_stop():
            return
        self._is_housekeeping = True
        self._worker.do_each(
            lambda services: services.housekeeping.run(
                should_stop, has_consent=self._may_archive, only_due=True
            ),
            self.housekept.emit,
            settle,
            ignore,
        )

    def is_idle(self) -> bool:
        """Whether nobody types and nothing is being answered; any thread may ask."""
        return self._is_quiet and not self._is_busy

    @property
    def _is_quiet(self) -> bool:
        return self._now() - self._typed_at >= timedelta(seconds=_QUIET_S)

    @property
    def _is_busy(self) -> bool:
        return self._sessions.turns.is_any_working or self._is_describing

    def apply(self, settings: Settings) -> None:
        model = settings.roles.get(ModelRole.EMBEDDING), settings.embeds_elsewhere
        if settings.searches_by_meaning and (model, True) != self._meaning:
            self._embed.start()
        self._may_describe_more |= settings.import_tokens > self._import_tokens
        self._meaning = model, settings.searches_by_meaning
        self._import_tokens = settings.import_tokens
        if settings.housekeeping is Consent.ON and not self._may_archive:
            self._kept_on = None
        self._may_archive = settings.housekeeping is Consent.ON

    def use_budget(self) -> None:
        """Describe imported sessions if the settings in force allow more of it than before."""
        if self._may_describe_more and self._worker.is_ready:
            self.describe()
        self._may_describe_more = False

    def _start(self) -> None:
        if self._is_stopped:
            return
        for timer in (self._minute, self._describe, self._house):
            timer.start()
        QTimer.singleShot(_FIRST_DESCRIBING_MS, self, self.describe)
        QTimer.singleShot(_BACKUP_MS, self, self.back_up)
        self.day_changed.connect(self.back_up)

    def _note_typing(self) -> None:
        self._typed_at = self._now()
        self._draft.start()

    def _note_active(self, session: Session | None) -> None:
        session_id, before = session.id if session else None, self._kept_for
        if session_id == before:
            return
        if before is not None and (
            self._last_draft.text or self._last_draft.attachments or self._last_draft.files
        ):
            # The composer keeps its text, so the old session must not keep it, too.
            self._worker.do_in_turn(lambda services: services.sessions.clear_draft(before))
        self._kept_for = session_id
        self._last_draft = Draft()
        # If there was no session, the old draft is still stored without one.
        self._is_kept = False
        self._draft.start()

    def _keep_draft(self) -> None:
        if self._sessions.is_temporary or not self.has_kept_draft:
            # The stored draft was not restored yet and would be overwritten.
            return
        if self._sessions.asking.is_held:
            self._draft.start()  # nobody knows yet to which session it belongs
            return
        draft = self.draft()
        if self._is_kept and draft == self._last_draft:
            return
        self._last_draft, self._is_kept = draft, True

        self._worker.do_in_turn(
            lambda services: services.assistant.drafts.keep(draft),
            lambda _: setattr(self, "_has_draft_failed", False),
            failed=self._note_draft_failed,
        )

    def _note_draft_failed(self, error: AppError) -> None:
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
        if done.preferences:
            self.preferred.emit(done.preferences)

    def _end_describing(self) -> None:
        self._is_describing = False
        self._embed.start()
        self.describing_ended.emit()
        if self._describes_again:
            self.describe()

    def _show_embedded(self, progress: EmbeddingProgress) -> None:
        self.embedding_progressed.emit(progress)
        if progress.made and not progress.is_complete:
            QTimer.singleShot(_EMBED_PAUSE_MS, self, self.embed)

    def _look_at_clock(self) -> None:
        today = date.today()  # noqa: DTZ011 (the user's local day)
        if today != self._day:
            self._day = today
            self.day_changed.emit()
        if self._sessions.turns.is_any_running or self._is_writing():
            self.clock_seen.emit()
            return
        now = self._now()
        self._worker.do(
            lambda services: services.assistant.idle_end(now),
            lambda session: self._sessions.take_end(session, EndReason.IDLE),
            self.clock_seen.emit,
        )
        self._worker.do(lambda services: services.insight.keep_figures(), failed=ignore)

    def _is_writing(self) -> bool:
        """Whether the user typed recently, which keeps the session from ending."""
        idle = timedelta(minutes=self._worker.services.settings().idle_minutes)
        return bool(self._composer.text) and self._now() - self._typed_at < idle

    def _save(self) -> None:
        self._worker.do(
            lambda services: services.assistant.save_pending(),
            lambda _: self._sessions.saved.emit(),
            failed=lambda _: None if self._is_stopped else self._again.start(),
        )
