"""Publishes the chosen sessions to the members of their project, or takes them back."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.domain.frozen import dataclass
from desktop.domain.ids import SessionId
from desktop.domain.projects import ProjectId
from desktop.domain.sessions import Session, SessionStatus
from desktop.domain.sharing import ItemKind
from desktop.ui.actions import QT_TR_NOOP, Action, Situation, when_chosen
from desktop.ui.devices.devices_controller import DevicesController
from desktop.ui.services import Worker
from desktop.ui.session.controller import SessionController
from desktop.ui.sidebar.sidebar import Sidebar
from desktop.ui.widgets.bars import MessageBar

if TYPE_CHECKING:
    from desktop.domain.sharing import SharingReport
    from desktop.sessions.services import Services

_NOTICE = "publishing"


@dataclass(frozen=True, slots=True)
class SharedSessions:
    """What can be published, and what is."""

    projects: frozenset[ProjectId] = frozenset()
    """Those that are shared."""
    published: frozenset[str] = frozenset()
    of_others: frozenset[str] = frozenset()


class Publishing(QObject):
    changed = Signal()  # What can be published, or taken back

    def __init__(
        self,
        sidebar: Sidebar,
        sessions: SessionController,
        strip: MessageBar,
        devices: DevicesController,
        worker: Worker,
    ) -> None:
        super().__init__(sessions)
        self._sidebar, self._sessions = sidebar, sessions
        self._strip, self._devices, self._worker = strip, devices, worker
        self._shared = SharedSessions()
        devices.shared_changed.connect(self.load)

    def records(self) -> Sequence[Action]:
        publish, take_back = QT_TR_NOOP("Publish to project"), QT_TR_NOOP("Take back from project")
        return (
            Action("publish", publish, "", self._publish, self._can_publish),
            Action("take_back", take_back, "", self._take_back, self._can_take_back),
        )

    def load(self) -> None:
        """Read which projects are shared, and what is published; a worker does, if there are."""

        def show(shared: SharedSessions) -> None:
            if shared != self._shared:
                self._shared = shared
                self.changed.emit()

        if self._worker.is_ready and self._worker.services.is_sharing:
            self._worker.do_latest("shared_sessions", _read_shared, show)
        else:
            show(SharedSessions())

    def _can_publish(self, now: Situation) -> bool:
        sessions = self._chosen_sessions() if when_chosen(now) else []
        return bool(sessions) and all(map(self._is_publishable, sessions))

    def _is_publishable(self, session: Session) -> bool:
        is_own = session.id not in self._shared.of_others
        is_complete = session.status is SessionStatus.COMPLETE and session.messages > 0
        return session.project in self._shared.projects and is_own and is_complete

    def _can_take_back(self, now: Situation) -> bool:
        return when_chosen(now) and not self._shared.published.isdisjoint(self._chosen())

    def _chosen_sessions(self) -> list[Session]:
        shown = self._sessions.shown
        listed = {session.id: session for session in self._sidebar.model.sessions}
        listed |= {shown.id: shown} if shown else {}
        return [listed[session_id] for session_id in self._chosen() if session_id in listed]

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
            self.load()

        self._devices.sharing.publish(sessions, show)

    def _take_back(self) -> None:
        self._remove(self._chosen())

    def _remove(self, sessions: Sequence[SessionId]) -> None:
        def show(_: "SharingReport") -> None:
            words = self.tr("Taken back: the other members remove it with their next update.")
            self._strip.show_message(_NOTICE, words)
            self.load()

        self._devices.sharing.take_back(sessions, show)


def _read_shared(services: "Services") -> SharedSessions:  # worker thread
    return SharedSessions(
        frozenset(shared.project for shared in services.sharing.projects()),
        services.sharing.all_published(),
        frozenset(services.archive.owners(ItemKind.SESSION)),
    )
