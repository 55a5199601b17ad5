"""What is shown when a past session is split or merged, or when that is taken back."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.domain.ids import MessageId, SessionId
from desktop.ui.navigation_target import Place
from desktop.ui.session.controller import SessionController
from desktop.ui.transcript.view import TranscriptView
from desktop.ui.window.sidebar_controller import ArchiveController

if TYPE_CHECKING:
    from desktop.sessions.split_merge import Merged, Split


class PartingDesk(QObject):
    led = Signal(object, object)
    """SessionIds: of the session that stays, and of the one whose messages are now in it"""

    def __init__(
        self, archive: ArchiveController, sessions: SessionController, shown: TranscriptView
    ) -> None:
        super().__init__(sessions)
        self._archive = archive
        self._sessions = sessions
        shown.split_requested.connect(self._split)
        archive.parted.connect(self._follow)
        archive.part_undone.connect(self._follow)

    def _split(self, at: MessageId) -> None:
        shown = self._sessions.shown
        if shown is not None and self._sessions.is_past_shown:
            self._archive.split(shown.id, at)

    def _follow(self, done: "Split | Merged") -> None:
        """The session that stays is read again; who read the one that went is led to it."""
        # Behind the painted window: it brings the database with it.
        from desktop.sessions.split_merge import Split  # noqa: PLC0415

        stays, goes = (
            (done.whole.id, done.part)
            if isinstance(done, Split)
            else (done.first.id, done.second.id)
        )
        self._show(stays, goes)
        self.led.emit(stays, goes)
        self._sessions.description_due.emit()

    def _show(self, stays: SessionId, goes: SessionId) -> None:
        shown = self._sessions.shown
        if shown is None:
            return
        if shown.id == stays:
            self._sessions.read_again()
        elif shown.id == goes:
            self._sessions.open(Place(stays))
