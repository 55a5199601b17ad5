"""Runs what the window does with shared projects, and remembers what came of it."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Signal

from desktop.domain.errors import AppError
from desktop.domain.frozen import dataclass
from desktop.domain.ids import SessionId
from desktop.domain.projects import Project, ProjectId
from desktop.domain.sharing import MemberShare, SharedProject, SharingReport
from desktop.domain.sync import SyncError
from desktop.ui.services import Worker
from desktop.ui.turn_bridge import ignore

if TYPE_CHECKING:
    from desktop.sessions.services import Services

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ListedProject:
    project: Project
    shared: SharedProject
    members: Sequence[MemberShare]


@dataclass(frozen=True, slots=True)
class SharingListing:
    """What this computer knows without the folders and servers."""

    shared: Sequence[ListedProject] = ()
    others: Sequence[Project] = ()
    """Projects that are not shared."""


class SharingRunner(QObject):
    changed = Signal()  # What is shown of the shared projects
    listed = Signal()  # The shared projects were read, perhaps because one has changed
    received = Signal()  # Something of other members came, or went

    def __init__(self, worker: Worker, parent: QObject) -> None:
        super().__init__(parent)
        self._worker = worker
        self.listing = SharingListing()
        self.codes: dict[ProjectId, str] = {}
        """Of the projects whose code the user asked for."""
        self.reports: dict[ProjectId, SharingReport] = {}
        self.is_running = False
        self.error: AppError | None = None
        """Why the last run did not end."""

    def load(self) -> None:
        def show(listing: SharingListing) -> None:
            self.listing = listing
            self.changed.emit()
            self.listed.emit()

        self._worker.do_latest("shared_projects", list_shared, show)

    def share(
        self, project: Project, place: str, name: str, failed: Callable[[AppError], None]
    ) -> None:
        def work(services: "Services") -> str:
            return services.sharing.share(project, place, name=name)

        self._run(work, partial(self._show_code, project), failed)

    def join(self, code: str, place: str, name: str, failed: Callable[[AppError], None]) -> None:
        def work(services: "Services") -> Project:
            return services.sharing.join(code, place, name=name)

        self._run(work, lambda _: self.received.emit(), failed)

    def update(self, project: Project) -> None:
        """Receive what the others share, then send."""
        self._run(
            lambda services: services.sharing.run(project),
            partial(self._take_report, project.id),
        )

    def update_all(self) -> None:
        """Do so for all shared projects; why one could not be is shown on the page."""

        def work(services: "Services") -> Mapping[ProjectId, SharingReport | SyncError]:
            return services.sharing.run_all()

        def show(outcomes: Mapping[ProjectId, SharingReport | SyncError]) -> None:
            for project, outcome in outcomes.items():
                if isinstance(outcome, SharingReport):
                    self._take_report(project, outcome)
                else:
                    self.error = outcome
            if outcomes:
                self.load()

        if not self.is_running:
            self._worker.do(work, show)

    def show_code(self, project: Project) -> None:
        self._run(
            lambda services: services.sharing.code(project), partial(self._show_code, project)
        )

    def remove(self, project: Project, member: MemberShare) -> None:
        self._run(
            lambda services: services.sharing.remove(project, member.id),
            partial(self._show_code, project),
        )

    def leave(
        self, project: Project, *, takes_back: bool = False, is_forced: bool = False
    ) -> None:
        """`is_forced`: without the folder or server, which may be gone."""

        def work(services: "Services") -> None:
            if is_forced:
                services.sharing.forget(project)
            else:
                services.sharing.leave(project, takes_back=takes_back)

        self._run(work)

    def publish(
        self, sessions: Sequence[SessionId], done: Callable[[SharingReport], None] = ignore
    ) -> None:
        self._worker.do_in_turn(lambda services: services.sharing.publish(sessions), done)

    def take_back(
        self, sessions: Sequence[SessionId], done: Callable[[SharingReport], None] = ignore
    ) -> None:
        self._worker.do_in_turn(lambda services: services.sharing.unpublish(sessions), done)

    def _take_report(self, project: ProjectId, report: SharingReport) -> None:
        self.reports[project] = report
        if report.code:
            self.codes.pop(project, None)
        if report.received or report.removed:
            self.received.emit()

    def _show_code(self, project: Project, code: str) -> None:
        self.codes[project.id] = code

    def _run(
        self,
        work: "Callable[[Services], T]",
        done: Callable[[T], object] = ignore,
        failed: Callable[[AppError], None] | None = None,
    ) -> None:
        """Do one thing at a time; `failed`: where the error is shown, if not on the page."""

        def end(result: T) -> None:
            self.is_running = False
            done(result)

        def fail(error: AppError) -> None:
            self.is_running = False
            if failed is None:
                self.error = error
            else:
                failed(error)

        if not self.is_running:
            self.is_running, self.error = True, None
            self.changed.emit()
            self._worker.do(work, end, self.load, fail)


def list_shared(services: "Services") -> SharingListing:  # worker thread
    sharing = services.sharing
    places = {shared.project: shared for shared in sharing.projects()}
    projects = services.archive.projects()
    listed = [
        ListedProject(project, places[project.id], sharing.members(project))
        for project in projects
        if project.id in places
    ]
    return SharingListing(listed, [each for each in projects if each.id not in places])
