"""Publishes the chosen sessions to the members of their project, or takes them back."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop.domain.ids import SessionId
from desktop.ui.actions import QT_TR_NOOP, Action, possible, when_chosen
from desktop.ui.devices.devices_controller import DevicesController
from desktop.ui.session.controller import SessionController
from desktop.ui.sidebar.sidebar import Sidebar
from desktop.ui.widgets.bars import MessageBar

if TYPE_CHECKING:
    from desktop.domain.sharing import SharingReport

_NOTICE = "publishing"


class Publishing(QObject):
    def __init__(
        self,
        sidebar: Sidebar,
        sessions: SessionController,
        strip: MessageBar,
        devices: DevicesController,
    ) -> None:
        super().__init__(sessions)
        self._sidebar, self._sessions = sidebar, sessions
        self._strip, self._devices = strip, devices

    def records(self) -> Sequence[Action]:
        return possible(
            when_chosen,
            ("publish", QT_TR_NOOP("Publish to project"), "", self._publish),
            ("take_back", QT_TR_NOOP("Take back from project"), "", self._take_back),
        )

    def _chosen(self) -> Sequence[SessionId]:
        """Return the sessions that are selected in the list, else the shown one."""
        shown = self._sessions.shown
        return self._sidebar.chosen() or ([shown.id] if shown else [])

    def _publish(self) -> None:
        sessions = self._chosen()

        def show(_: "SharingReport") -> None:
            words = self.tr(
                "%n session(s) published: the members of the project receive what is there now.",
                "",
                len(sessions),
            )
            self._strip.show_message(_NOTICE, words, undo=lambda: self._remove(sessions))

        self._devices.sharing.publish(sessions, show)

    def _take_back(self) -> None:
        self._remove(self._chosen())

    def _remove(self, sessions: Sequence[SessionId]) -> None:
        def show(_: "SharingReport") -> None:
            words = self.tr("Taken back: the other members remove it with their next update.")
            self._strip.show_message(_NOTICE, words)

        self._devices.sharing.take_back(sessions, show)
