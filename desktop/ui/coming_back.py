"""Coming back: the draft that was being written, and the session that a crash left open."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from desktop.domain.ids import SessionId
from desktop.domain.sessions import Draft, Session
from desktop.ui.amounts import day_and_time
from desktop.ui.chores import Chores
from desktop.ui.notice_strip import Choice, Notice, NoticeStrip
from desktop.ui.opening import Opened, open_active
from desktop.ui.services import WindowServices
from desktop.ui.session_controller import SessionController
from desktop.ui.sidebar.sidebar import Place
from desktop.ui.transcript.view import TranscriptView

_KEY = "unfinished"
_TITLE_LENGTH = 80


class ComingBack(QObject):
    settled = Signal()
    """Whatever was left open is answered for."""

    def __init__(
        self,
        sessions: SessionController,
        chores: Chores,
        strip: NoticeStrip,
        transcript: TranscriptView,
    ) -> None:
        super().__init__(sessions)
        self._sessions = sessions
        self._chores = chores
        self._strip = strip
        self._transcript = transcript
        self._left: Session | None = None
        self._draft = Draft()

    def look(self) -> None:
        self._sessions.do(lambda services: services.assistant.unfinished(), self._ask)

    def accept(self) -> None:
        """Yes: it is the active session again."""

        def work(services: WindowServices) -> tuple[Opened | None, Draft]:
            services.assistant.continue_unfinished()
            return open_active(services), services.assistant.draft()

        self._settle()
        self._sessions.do(work, lambda found: self._restore(*found))

    def decline(self, then: Callable[[], None] = lambda: None) -> None:
        """No, or a question of another kind: it is completed."""
        left = self._left
        if left is None:
            then()
            return
        self._settle()

        def done(_: object) -> None:
            self._sessions.session_changed.emit(left.id)
            self._sessions.description_due.emit()

        self._sessions.do(
            lambda services: services.assistant.decline_unfinished(), done, settled=then
        )

    def answer_for(self, session_id: SessionId | None, go_on: Callable[[], None]) -> None:
        """Before a session becomes the active one (None: a new one), there must be no other."""
        if self._left is not None and self._left.id == session_id:
            self._settle()
        self.decline(go_on)

    def _ask(self, left: Session | None) -> None:
        if left is None or not left.messages:
            self._sessions.do(lambda services: services.assistant.draft(), self._chores.take_draft)
            self.settled.emit()
            return
        self._left = left
        self._strip.put(
            _KEY,
            Notice(
                words=lambda: self._words(left),
                choices=lambda: (
                    Choice(self.tr("Yes"), self.accept),
                    Choice(self.tr("No"), self.decline),
                ),
                can_be_closed=False,
            ),
        )

    def _words(self, left: Session) -> str:
        title = " ".join((left.title or left.opening).split())[:_TITLE_LENGTH]
        when = day_and_time(left.updated_at)
        length = self.tr("%n message(s)", "", left.messages)
        question = self.tr("You have unfinished research. Would you like to continue it?")
        return f"{question}\n“{title}” · {when} · {length}"

    def _settle(self) -> None:
        self._left = None
        self._strip.take(_KEY)
        self.settled.emit()

    def _restore(self, opened: Opened | None, draft: Draft) -> None:
        if opened is None:
            return
        self._sessions.take_active(opened.session)
        self._draft = draft
        self._sessions.session_opened.connect(self._stand_where_it_was)
        self._sessions.open(Place(opened.session.id))

    def _stand_where_it_was(self) -> None:
        self._sessions.session_opened.disconnect(self._stand_where_it_was)
        self._chores.take_draft(self._draft)
        self._transcript.restore_anchor(self._draft.anchor_number, self._draft.anchor_offset)
