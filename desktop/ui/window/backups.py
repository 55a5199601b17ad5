"""Writes and restores backups from the menus."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from desktop.domain.errors import FileUnreadableError
from desktop.ui.dialogs.form import open_dialog, open_folder
from desktop.ui.formatting import clock_time, day
from desktop.ui.services import BackedUp, WindowServices, Worker
from desktop.ui.widgets.message_bar import BarAction, MessageBar
from desktop.ui.widgets.plain_text import MessageBox

if TYPE_CHECKING:
    from desktop.domain.backups import Restored

_WRITING, _RESTORING = "backing_up", "restoring"


class WindowBackups(QObject):
    """An archive that is open cannot be replaced: whoever restores leaves, and comes back."""

    def __init__(
        self,
        window: QWidget,
        strip: MessageBar,
        worker: Worker,
        leave: Callable[[Callable[[], None]], None],
    ) -> None:
        """`leave`: close the window, calling what it is given if nothing holds it back."""
        super().__init__(window)
        self._window = window
        self._strip = strip
        self._worker = worker
        self._leave = leave
        self.wanted: Path | None = None  # The backup that the next start is to restore

    def ask_where_to_write(self) -> None:
        from desktop.sessions.archive_service import suggest_backup_name  # noqa: PLC0415 - behind the painted window
        from desktop.ui.dialogs.files import BackupDialog  # noqa: PLC0415 - rarely wanted

        name = suggest_backup_name(self._worker.services.folders.data.name)
        dialog = BackupDialog(name, self._window)
        dialog.fileSelected.connect(lambda path: self.write(Path(path)))
        open_dialog(dialog)

    def write(self, path: Path) -> None:
        def show(done: BackedUp) -> None:
            self._strip.show_message(
                "backed_up",
                lambda: done.said,
                lambda: (
                    BarAction(self.tr("Open folder"), lambda: open_folder(done.path.parent)),
                ),
            )

        self._strip.show_message(
            _WRITING, lambda: self.tr("The backup is being written…"), can_be_closed=False
        )
        self._worker.do(
            lambda services: services.back_up(path), show, lambda: self._strip.remove(_WRITING)
        )

    def ask_what_to_restore(self) -> None:
        from desktop.ui.dialogs.files import RestoreDialog  # noqa: PLC0415 - rarely wanted

        dialog = RestoreDialog(self._worker.services.folders.backups, self._window)
        dialog.fileSelected.connect(lambda path: self.restore(Path(path)))
        open_dialog(dialog)

    def restore(self, path: Path) -> None:
        """Look whether it can be, and ask once more."""

        def work(services: WindowServices) -> datetime:
            services.refuse_backup(path)
            try:
                written_at = path.stat().st_mtime
            except OSError as exc:
                raise FileUnreadableError(path=str(path), detail=exc.strerror or "") from exc
            return datetime.fromtimestamp(written_at).astimezone()

        self._worker.do(work, lambda written_at: self._ask(path, written_at))

    def show_restoring(self) -> None:
        """Before anything else can be said: the start waits for it."""
        self._strip.show_message(
            _RESTORING, lambda: self.tr("The backup is being restored…"), can_be_closed=False
        )

    def show_restored(self, done: "Restored | None") -> None:
        """None where it failed, which is said elsewhere."""
        self._strip.remove(_RESTORING)
        if done is None:
            return
        texts, contents, kept = self._worker.services.texts, done.contents, done.kept

        def words() -> str:
            return texts().say(
                "backup.restored",
                sessions=texts().number(contents.sessions),
                messages=texts().number(contents.messages),
            )

        def choices() -> tuple[BarAction, ...]:
            if kept is None:
                return ()
            label = self.tr("Show the previous archive")
            return (BarAction(label, lambda: open_folder(kept.parent)),)

        self._strip.show_message(_RESTORING, words, choices)

    def _ask(self, path: Path, written_at: datetime) -> None:
        def want() -> None:
            self.wanted = path.absolute()

        when = f"{day(written_at)} {clock_time(written_at)}"
        box = MessageBox(
            MessageBox.Icon.Question,
            self.tr("Restore “{name}” of {day}?").format(name=path.name, day=when),
            self.tr(
                "Bellek restarts with the backup. Your current archive is kept among the "
                "profile's backups."
            ),
            self._window,
        )
        box.offer((self.tr("Restore"), lambda: self._leave(want)), stay=self.tr("Cancel"))
