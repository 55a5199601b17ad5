"""Asks before a temporary session is lost: what was said in it is kept nowhere."""

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from desktop.ui.session.controller import SessionController
from desktop.ui.widgets.plain_text import MessageBox


class Losing(QObject):
    def __init__(self, sessions: SessionController, window: QWidget) -> None:
        super().__init__(window)
        self._sessions = sessions
        self._window = window
        self._box: MessageBox | None = None
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
        box = MessageBox(
            MessageBox.Icon.Warning,
            self.tr("End the temporary session?"),
            self.tr("It was not saved anywhere. Once it ends, you cannot get it back."),
            self._window,
        )
        end = box.addButton(self.tr("End it"), MessageBox.ButtonRole.DestructiveRole)
        stay = box.addButton(self.tr("Keep it"), MessageBox.ButtonRole.RejectRole)
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
