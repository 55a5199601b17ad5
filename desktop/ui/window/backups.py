"""Writes and restores backups from the menus."""

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from desktop.domain.errors import FileUnreadableError
from desktop.ui.dialogs.form import open_folder
from desktop.ui.formatting import clock_time, day
from desktop.ui.services import BackedUp, WindowServices, Worker
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.widgets.message_bar import BarAction, BarMessage, MessageBar
from desktop.ui.widgets.plain_text import MessageBox

if TYPE_CHECKING:
    from desktop.domain.backups import Restored

_WRITING, _WRITTEN, _RESTORING = "backing_up", "backed_up", "restoring"


class WindowBackups(QObject):
    """An archive that is open cannot be replaced: whoever restores leaves, and comes back."""

    failed = Signal(object)
    """AppError"""

    def __init__(
        self,
        window: QWidget,
        strip: MessageBar,
        bridge: TurnBridge,
        leave: Callable[[Callable[[], None]], None],
    ) -> None:
        """`leave`: close the window, calling what it is given if nothing holds it back."""
        super().__init__(window)
        self._window = window
        self._strip = strip
        self._leave = leave
        self._worker = Worker(bridge, self)
        self._worker.failed.connect(self.failed)
        self._services: WindowServices | None = None
        self.wanted: Path | None = None
        """The backup that the next start is to restore."""

    def attach(self, services: WindowServices) -> None:
        self._services = services
        self._worker.attach(services)

    def ask_where_to_write(self) -> None:
        from desktop.sessions.archive_service import suggest_backup_name  # noqa: PLC0415 - behind the painted window
        from desktop.ui.dialogs.files import BackupDialog  # noqa: PLC0415 - rarely wanted

        if self._services is None:
            return
        name = suggest_backup_name(self._services.folders.data.name)
        dialog = BackupDialog(name, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda path: self.write(Path(path)))
        dialog.open()

    def write(self, path: Path) -> None:
        words = lambda: self.tr("The backup is being written…")  # noqa: E731
        self._strip.show_message(_WRITING, BarMessage(words, can_be_closed=False))
        self._worker.do(
            lambda services: services.back_up(path),
            self._say_written,
            settled=lambda: self._strip.remove(_WRITING),
        )

    def ask_what_to_restore(self) -> None:
        from desktop.ui.dialogs.files import RestoreDialog  # noqa: PLC0415 - rarely wanted

        if self._services is None:
            return
        dialog = RestoreDialog(self._services.folders.backups, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda path: self.restore(Path(path)))
        dialog.open()

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

    def say_restoring(self) -> None:
        """Before anything else can be said: the start waits for it."""
        words = lambda: self.tr("The backup is being restored…")  # noqa: E731
        self._strip.show_message(_RESTORING, BarMessage(words, can_be_closed=False))

    def say_restored(self, done: "Restored | None") -> None:
        """None where it failed, which is said elsewhere."""
        self._strip.remove(_RESTORING)
        services = self._services
        if done is None or services is None:
            return
        texts, contents, kept = services.texts, done.contents, done.kept

        def words() -> str:
            return texts().say(
                "backup.restored",
                sessions=texts().number(contents.sessions),
                messages=texts().number(contents.messages),
            )

        def choices() -> Sequence[BarAction]:
            if kept is None:
                return ()
            before = kept.parent
            return (BarAction(self.tr("Show the previous archive"), lambda: open_folder(before)),)

        self._strip.show_message(_RESTORING, BarMessage(words, choices))

    def _say_written(self, done: BackedUp) -> None:
        self._strip.show_message(
            _WRITTEN,
            BarMessage(
                lambda: done.said,
                lambda: (
                    BarAction(self.tr("Open folder"), lambda: open_folder(done.path.parent)),
                ),
            ),
        )

    def _ask(self, path: Path, written_at: datetime) -> None:
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
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        go = box.addButton(self.tr("Restore"), MessageBox.ButtonRole.AcceptRole)
        stay = box.addButton(self.tr("Cancel"), MessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(stay)
        box.setEscapeButton(stay)
        go.clicked.connect(lambda: self._leave(lambda: self._want(path)))
        box.open()

    def _want(self, path: Path) -> None:
        self.wanted = path.absolute()
