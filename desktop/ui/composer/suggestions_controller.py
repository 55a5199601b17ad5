"""Suggests past sessions while the user types, and questions while the field is empty.

Typing never waits: a worker searches once typing pauses, one draft at a time. The result for a
draft that has changed since is dropped. Suggested questions come from the archive alone; late ones
are dropped and a failure shows nothing, as nobody asked for them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, Qt, Signal

from desktop.domain.events import Outcome, TurnEnded
from desktop.domain.ids import AttachedId, MessageId, SessionId
from desktop.domain.search import Suggestion
from desktop.domain.sessions import Session
from desktop.settings.settings import Settings
from desktop.ui.composer.composer import Composer
from desktop.ui.composer.suggestions import ContextChips, Suggestions
from desktop.ui.panels.tabs import SideBySidePanel
from desktop.ui.services import NavigationTarget, Worker
from desktop.ui.session.controller import SessionController
from desktop.ui.session.shown_session import OpenedSession, open_session
from desktop.ui.sidebar.archive_controller import ArchiveController
from desktop.ui.timers import make_timer
from desktop.ui.transcript.view import TranscriptView
from desktop.ui.turn_bridge import ignore

_PAUSE_MS = 500
_AWAKE_MS = 30_000  # The embedding model stays loaded while the user types, and a minute longer


class QuestionSuggester(QObject):
    suggested = Signal(object)  # Questions for the page of a new session; none if it is off

    def __init__(
        self,
        transcript: TranscriptView,
        sessions: SessionController,
        archive: ArchiveController,
        worker: Worker,
    ) -> None:
        super().__init__(transcript)
        self._transcript = transcript
        self._sessions = sessions
        self._worker = worker
        self._is_on = True
        sessions.shown_changed.connect(self.refresh)
        sessions.answered.connect(self._follow_up)
        archive.loaded.connect(self.refresh)
        archive.deleted.connect(self.refresh)
        worker.ready.connect(self.refresh)

    def apply(self, settings: Settings) -> None:
        """Apply the setting: if off, forget all suggested questions; if on, look for them."""
        if settings.uses_patterns == self._is_on:
            return
        self._is_on = settings.uses_patterns
        if self._is_on:
            self._worker.do(
                lambda services: services.suggested.look(), lambda _: self.refresh(), failed=ignore
            )
        else:
            self._transcript.show_follow_ups(None, ())
            self.suggested.emit(())
            self._worker.do(lambda services: services.suggested.forget())

    def refresh(self) -> None:
        """Look for questions for the page of a new session, if it is shown."""
        if self._is_on and self._sessions.shown is None and self._worker.is_ready:
            self._worker.do(
                lambda services: services.suggested.worth_asking(services.assistant.wall()),
                lambda questions: self.suggested.emit(questions) if self._is_on else None,
                failed=ignore,
            )

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
            self._transcript.show_follow_ups(answer, questions)


class SuggestionsController(QObject):
    beside_shown = Signal()  # A past session is in the panel, to be shown

    def __init__(
        self,
        composer: Composer,
        suggestions: Suggestions,
        chips: ContextChips,
        panel: SideBySidePanel,
        sessions: SessionController,
        archive: ArchiveController,
    ) -> None:
        super().__init__(sessions)
        self._composer, self._suggestions = composer, suggestions
        self._chips, self._panel = chips, panel
        self._sessions = sessions
        self._in_context = sessions.asking.in_context
        self._active: SessionId | None = None
        self._is_on = True
        self._is_looking = False
        self._looked_for = ""
        self._wanted_place: NavigationTarget | None = None
        self._pause = make_timer(self, _PAUSE_MS, self._look, is_single=True)
        self._awake = make_timer(self, _AWAKE_MS, is_single=True)
        composer.field.textChanged.connect(self._wait)
        composer.field.textChanged.connect(self._wake)
        suggestions.open_wanted.connect(self.read)
        suggestions.add_wanted.connect(
            lambda suggestion: self.add(suggestion.session_id, suggestion.title)
        )
        suggestions.left.connect(self._focus_composer)
        chips.removed.connect(self.remove)
        panel.add_wanted.connect(self.add)
        sessions.draft_found.connect(lambda draft: self.take_again(draft.attachments))
        sessions.draft_left.connect(self._leave)
        sessions.active_changed.connect(self._note_active)
        sessions.session_removed.connect(self._drop)
        archive.deleted.connect(self._drop)
        archive.parted.connect(self._follow)

    def apply(self, settings: Settings) -> None:
        self._is_on = settings.suggests_sessions
        if not self._is_on:
            self._forget()

    def open_beside(self) -> bool:
        """Show the first suggestion beside the text; called again, show the next one.

        Return whether there is a suggestion.
        """
        offered = self._suggestions.suggestions
        if not offered:
            return False
        shown = self._panel.place if self._panel.isVisible() else None
        ids = [suggestion.session_id for suggestion in offered]
        if shown is not None and shown.session_id in ids:
            self.read(offered[(ids.index(shown.session_id) + 1) % len(offered)])
        elif (current := self._suggestions.current()) is not None:
            self.read(current)
        return True

    def add_current(self) -> bool:
        """Add the session that is shown beside the text, else the first suggestion, if any.

        A session shown there since an earlier draft is ignored: the suggestions show the key, so
        it adds what they show.
        """
        place = self._panel.place if self._panel.isVisible() else None
        offered = {suggestion.session_id for suggestion in self._suggestions.suggestions}
        if place is not None and place.session_id in self._in_context:
            place = None
        if place is not None and (not offered or place.session_id in offered):
            self._panel.add_wanted.emit(place.session_id, self._panel.title)
        elif (current := self._suggestions.current()) is not None:
            self.add(current.session_id, current.title)
        else:
            return False
        return True

    def add(self, attached: AttachedId, title: str) -> None:
        self._in_context[attached] = " ".join(title.split())
        left = [
            suggestion
            for suggestion in self._suggestions.suggestions
            if suggestion.session_id != attached
        ]
        self._suggestions.show_suggestions(left)
        self._change_context()

    def remove(self, attached: AttachedId) -> None:
        self._in_context.pop(attached, None)
        self._change_context()

    def take_again(self, attachments: Sequence[AttachedId]) -> None:
        """Restore what was added before the last shutdown; skip what was deleted."""
        if not attachments:
            return
        for attachment in attachments:
            self._in_context.setdefault(attachment, "")
        self._sessions.do(
            lambda services: services.archive.attached_titles(attachments),
            lambda titles: self._name(attachments, titles),
        )

    def read(self, suggestion: Suggestion) -> None:
        self.read_place(
            NavigationTarget(suggestion.session_id, suggestion.message_id, suggestion.terms)
        )

    def read_place(self, place: NavigationTarget, *, is_new: bool = True) -> None:
        """Show a place in the side panel; if not `is_new`, keep the panel where it is."""
        self._wanted_place = place

        def show(opened: OpenedSession) -> None:
            if self._wanted_place is place:
                self._panel.show_session(opened, place)
                if is_new:
                    self.beside_shown.emit()

        self._sessions.do(lambda services: open_session(services, place.session_id), show)

    def _follow(self, stays: SessionId, goes: SessionId) -> None:
        place = self._panel.place
        if place is not None and place.session_id in {stays, goes}:
            self.read_place(replace(place, session_id=stays), is_new=False)
        if self._in_context.pop(goes, None) is not None and stays != self._active:
            self.take_again((stays,))
            self._composer.draft_changed.emit()

    def _name(self, attachments: Sequence[AttachedId], titles: Mapping[AttachedId, str]) -> None:
        for attachment in attachments:
            if attachment not in titles or attachment == self._active:
                self._in_context.pop(attachment, None)
            elif attachment in self._in_context:
                self._in_context[attachment] = titles[attachment]
        self._show_context()

    def _change_context(self) -> None:
        self._show_context()
        self._composer.draft_changed.emit()
        self._focus_composer()

    def _focus_composer(self) -> None:
        self._composer.setFocus(Qt.FocusReason.OtherFocusReason)

    def _wait(self) -> None:
        if self._composer.field.is_blank:
            self._forget()
        elif self._is_on:
            self._pause.start()

    def _wake(self) -> None:
        """Load the model ahead: a question recalls by meaning only if it answers at once."""
        if not (self._composer.field.is_blank or self._awake.isActive()):
            self._awake.start()
            self._sessions.do(lambda services: services.meanings.wake())

    def _forget(self) -> None:
        self._pause.stop()
        self._looked_for = ""
        self._suggestions.show_suggestions(())

    def _look(self) -> None:
        draft = self._composer.text.strip()
        if not draft or self._is_looking or draft == self._looked_for:
            return
        besides = [*map(SessionId, self._in_context), *([self._active] if self._active else [])]
        self._is_looking, self._looked_for = True, draft
        self._sessions.do(
            lambda services: services.related.suggest(
                draft, services.assistant.wall(), besides=besides
            ),
            lambda suggestions: self._show(draft, suggestions),
            self._looked,
        )

    def _show(self, draft: str, suggestions: Sequence[Suggestion]) -> None:
        if self._is_on and draft == self._composer.text.strip():
            self._suggestions.show_suggestions(
                [
                    suggestion
                    for suggestion in suggestions
                    if suggestion.session_id not in self._in_context
                ]
            )

    def _looked(self) -> None:
        self._is_looking = False
        if self._is_on and self._composer.text.strip() not in {"", self._looked_for}:
            self._pause.start()

    def _note_active(self, session: Session | None) -> None:
        before, self._active = self._active, session.id if session else None
        if before is not None and before != self._active:
            self._in_context.clear()
        elif self._active is not None:
            self._in_context.pop(self._active, None)
        self._show_context()

    def _leave(self) -> None:
        self._in_context.clear()
        self._show_context()

    def _drop(self, session_id: SessionId) -> None:
        if (place := self._panel.place) is not None and place.session_id == session_id:
            self._wanted_place = None
            self._panel.forget()
        if self._in_context.pop(session_id, None) is not None:
            self._show_context()

    def _show_context(self) -> None:
        self._chips.show_attached(
            {attachment: title for attachment, title in self._in_context.items() if title}
        )
