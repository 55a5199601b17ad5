"""The menu of the profiles: which one is open, a switch to another, and a new one."""

from collections.abc import Callable

from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QInputDialog, QMenu, QWidget

from desktop.domain.errors import AppError
from desktop.ui.dialogs.form import open_dialog
from desktop.ui.services import Restart, WindowServices, Worker


class ProfileMenu(QMenu):
    def __init__(
        self,
        worker: Worker,
        start_again: Callable[[Restart], object],
        show_failed: Callable[[AppError], None],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._worker, self._start_again = worker, start_again
        self._show_failed, self._window = show_failed, parent
        self.aboutToShow.connect(self._fill)
        self.retranslate()

    def retranslate(self) -> None:
        self.setTitle(self.tr("Profile"))

    def _fill(self) -> None:
        self.clear()
        if not self._worker.is_ready:
            return
        services = self._worker.services
        group = QActionGroup(self)
        for name in services.profiles.names():
            action = self.addAction(name.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(name == services.folders.data.name)
            action.setEnabled(not action.isChecked())
            action.triggered.connect(lambda _=False, name=name: self._switch(name))
            group.addAction(action)
        self.addSeparator()
        self.addAction(self.tr("New profile…"), self._ask)

    def _switch(self, name: str) -> None:
        remember = self._worker.services.profiles.remember
        self._start_again(Restart(("--profile", name), before=lambda: remember(name)))

    def _ask(self) -> None:
        dialog = QInputDialog(self._window)
        dialog.setWindowTitle(self.tr("New profile"))
        dialog.setLabelText(
            self.tr("Name of the profile. Bellek starts again with it, and it is empty.")
        )
        dialog.textValueSelected.connect(self._create)
        open_dialog(dialog)

    def _create(self, name: str) -> None:
        def work(services: WindowServices) -> None:
            services.profiles.create(name.strip())

        self._worker.do(work, lambda _: self._switch(name.strip()), failed=self._show_failed)
