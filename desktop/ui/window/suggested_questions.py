"""Shows suggested questions on the page of a new session, and below the newest answer.

They are found off the interface thread, in the archive alone. What comes too late is dropped, and
a failure shows nothing: nobody asked for them.
"""

from collections.abc import Sequence

from PySide6.QtCore import QObject

from desktop.domain.events import Outcome, TurnEnded
from desktop.domain.ids import MessageId
from desktop.settings.settings import Settings
from desktop.ui.services import Worker
from desktop.ui.session.controller import SessionController
from desktop.ui.turn_bridge import ignore
from desktop.ui.window.window_presenter import WindowWidgets


class QuestionSuggester(QObject):
    def __init__(self, parts: WindowWidgets, sessions: SessionController, worker: Worker) -> None:
        super().__init__(parts)
        self._parts = parts
        self._sessions = sessions
        self._worker = worker
        self._is_on = True
        sessions.shown_changed.connect(self.refresh)
        sessions.answered.connect(self._follow_up)
        worker.ready.connect(self.refresh)

    def apply(self, settings: Settings) -> None:
        """Follow the switch: turned off, everything is forgotten; turned on, it is looked for."""
        if settings.uses_patterns == self._is_on:
            return
        self._is_on = settings.uses_patterns
        if self._is_on:
            self._worker.do(
                lambda services: services.suggested.look(), lambda _: self.refresh(), failed=ignore
            )
        else:
            self._parts.transcript.show_follow_ups(None, ())
            self._parts.empty_page.show_questions(())
            self._worker.do(lambda services: services.suggested.forget())

    def refresh(self) -> None:
        """Look for questions for the page of a new session, if it is shown."""
        if self._is_on and self._sessions.shown is None and self._worker.is_ready:
            self._worker.do(
                lambda services: services.suggested.worth_asking(services.assistant.wall()),
                self._show_on_page,
                failed=ignore,
            )

    def _show_on_page(self, questions: Sequence[str]) -> None:
        if self._is_on:
            self._parts.empty_page.show_questions(questions)

    def _follow_up(self, end: TurnEnded) -> None:
        session_id, answer = end.session_id, end.message_id
        is_done = (
            self._is_on and end.outcome is Outcome.COMPLETE and not self._sessions.is_temporary
        )
        if session_id is None or answer is None or not is_done:
            return
        self._worker.do(
            lambda services: services.suggested.follow_ups(session_id, services.assistant.wall()),
            lambda questions: self._show(answer, questions),
            failed=ignore,
        )

    def _show(self, answer: MessageId, questions: Sequence[str]) -> None:
        if self._is_on and not self._sessions.asking.is_busy:
            self._parts.transcript.show_follow_ups(answer, questions)
