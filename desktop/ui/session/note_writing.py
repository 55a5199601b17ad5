"""Writes answers, sessions and notes into a folder of notes, and says where they are."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QCursor, QDesktopServices

from desktop.domain.ids import NoteId
from desktop.settings.paths import is_encrypted
from desktop.ui.actions import QT_TR_NOOP, Action, when_one
from desktop.ui.services import Worker
from desktop.ui.session.controller import SessionController
from desktop.ui.transcript.entries import MessageAction, MessageRequest
from desktop.ui.transcript.view import TranscriptView
from desktop.ui.widgets.bars import MessageBar
from desktop.ui.widgets.buttons import PopupMenu

if TYPE_CHECKING:
    from desktop.domain.watched_folders import WatchedFolder, WatchedFolderId
    from desktop.sessions.services import Services

_NOTICE = "written_note"


class NoteWriting(QObject):
    folders_wanted = Signal()  # The list of watched folders

    def __init__(
        self,
        *transcripts: TranscriptView,
        sessions: SessionController,
        strip: MessageBar,
        worker: Worker,
    ) -> None:
        super().__init__(strip)
        self._sessions, self._strip, self._worker = sessions, strip, worker
        for transcript in transcripts:
            transcript.action_chosen.connect(partial(self._act, transcript))

    def records(self) -> Sequence[Action]:
        title = QT_TR_NOOP("Write into a notes folder…")
        return (Action("write_note", title, "", self._write_shown, when_one),)

    def write_note(self, note_id: NoteId) -> None:
        self._write(
            lambda services, folder_id: services.notes_folders.write_note(note_id, folder_id)
        )

    def _write_shown(self) -> None:
        if (shown := self._sessions.shown) is not None:
            session_id = shown.id
            self._write(
                lambda services, folder_id: services.notes_folders.write_session(
                    session_id, folder_id
                )
            )

    def _act(self, transcript: TranscriptView, request: MessageRequest) -> None:
        if request.action is not MessageAction.WRITE or request.message is None:
            return
        if (answer := transcript.find_message(request.message)) is not None:
            self._write(
                lambda services, folder_id: services.notes_folders.write_answer(
                    answer.session_id, answer.id, folder_id
                )
            )

    def _write(self, write: "Callable[[Services, WatchedFolderId], Path]") -> None:
        """Write into the folder that takes notes; of several the user chooses one."""

        def show(path: Path) -> None:
            words, plain = self.tr("Written to {path}"), self.tr("The file is not encrypted.")
            words = words.format(path=path)
            if is_encrypted(self._worker.services.profile.folder):
                words = f"{words}. {plain}"
            url = QUrl.fromLocalFile(str(path))
            self._strip.show_message(
                _NOTICE, words, (self.tr("Open"), lambda: QDesktopServices.openUrl(url))
            )

        def write_into(folder: "WatchedFolder") -> None:
            self._worker.do(lambda services: write(services, folder.id), show)

        def choose(folders: "Sequence[WatchedFolder]") -> None:
            if not folders:
                words = self.tr(
                    "No folder takes answers and notes yet. Watch a folder, and allow it there."
                )
                wanted = (self.tr("Watched folders…"), self.folders_wanted.emit)
                self._strip.show_message(_NOTICE, words, wanted)
            elif len(folders) == 1:
                write_into(folders[0])
            else:
                menu = PopupMenu(self._strip)
                for folder in folders:
                    menu.addAction(folder.name.replace("&", "&&"), partial(write_into, folder))
                menu.popup(QCursor.pos())

        self._worker.do(lambda services: services.notes_folders.folders(), choose)
