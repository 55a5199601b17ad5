"""Asks before a temporary session is lost: what was said in it is kept nowhere."""

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMessageBox, QWidget

from desktop.ui.session.controller import SessionController


class Losing(QObject):
    def __init__(self, sessions: SessionController, window: QWidget) -> None:
        super().__init__(window)
        self._sessions = sessions
        self._window = window
        self._box: QMessageBox | None = None
        sessions.leaving.before_losing = self.ask

    @property
    def loses_something(self) -> bool:
        """Whether something was said that would be gone."""
        active = self._sessions.active
        return active is not None and active.is_temporary and active.messages > 0

    def ask(self, go_on: Callable[[], None]) -> None:
        """Go on at once where nothing is lost, or when the user says so."""
        if not self.loses_something:
            go_on()
            return
        if self._box is not None:
            return  # it is asked already
        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setText(self.tr("End the temporary session?"))
        box.setInformativeText(
            self.tr("It was not saved anywhere. Once it ends, you cannot get it back.")
        )
        end = box.addButton(self.tr("End it"), QMessageBox.ButtonRole.DestructiveRole)
        stay = box.addButton(self.tr("Keep it"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(stay)
        box.setEscapeButton(stay)
        end.clicked.connect(go_on)
        box.finished.connect(self._forget)
        self._box = box
        box.open()

    def _forget(self) -> None:
        box, self._box = self._box, None
        if box is not None:
            box.deleteLater()
