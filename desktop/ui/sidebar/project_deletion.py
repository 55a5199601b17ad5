"""Deletes a project, after what happens to its group and to its contents was chosen."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from desktop.domain.changes import Change
from desktop.domain.errors import AppError
from desktop.domain.frozen import dataclass
from desktop.domain.projects import Project, ProjectContents
from desktop.domain.sharing import Leaving
from desktop.domain.sync import SyncError
from desktop.ui.i18n import core_texts
from desktop.ui.services import Worker
from desktop.ui.widgets.plain_text import MessageBox

if TYPE_CHECKING:
    from desktop.sessions.services import Services


@dataclass(frozen=True, slots=True)
class DeletedProject:
    change: Change[Project]
    with_contents: bool
    was_shared: bool


class ProjectDeletion(QObject):
    deleted = Signal(object)  # DeletedProject

    def __init__(
        self, words_of: Callable[[ProjectContents], str], worker: Worker, window: QWidget
    ) -> None:
        """`words_of`: the contents of a project in words; empty if there are none."""
        super().__init__(window)
        self._words_of, self._worker, self._window = words_of, worker, window

    def ask(self, project: Project) -> None:
        """Ask what happens to its group, if it is shared, then to its contents, if it has any."""

        def read(services: "Services") -> tuple[ProjectContents, bool]:
            is_shared = services.is_sharing and services.sharing.is_shared(project.id)
            return services.archive.project_contents(project.id), is_shared

        def show(result: tuple[ProjectContents, bool]) -> None:
            held, is_shared = result
            contents = self._words_of(held)
            if is_shared:
                self._ask_of_group(project, contents)
            else:
                self._ask_of_contents(project, contents, None)

        self._worker.do(read, show)

    def _ask_of_group(self, project: Project, contents: str) -> None:
        about = self.tr(
            "It is shared with a group, which you leave. The other members keep what came from "
            "you, unless you take it back: then it is removed there. This cannot be undone."
        )
        go_on = partial(self._ask_of_contents, project, contents)
        self._box(project, about).offer(
            (self.tr("Leave the group"), partial(go_on, Leaving.KEEP)),
            (self.tr("Leave and take back"), partial(go_on, Leaving.TAKE_BACK)),
            stay=self.tr("Cancel"),
        )

    def _ask_of_contents(self, project: Project, contents: str, leaving: Leaving | None) -> None:
        delete = partial(self._delete, project, leaving)
        if not contents:
            delete(False)
            return
        about = self.tr("{contents}. What should happen to them?").format(contents=contents)
        self._box(project, about).offer(
            (self.tr("Keep without a project"), partial(delete, False)),
            (self.tr("Delete all"), partial(delete, True)),
            stay=self.tr("Cancel"),
        )

    def _ask_to_delete_untold(self, project: Project, error: AppError, *, with_all: bool) -> None:
        """The group could not be left: its folder or server may be away, or gone for good."""
        delete = partial(self._delete, project, Leaving.UNTOLD, with_all)
        self._box(project, core_texts().error(error)).offer(
            (self.tr("Delete without telling the others"), delete), stay=self.tr("Cancel")
        )

    def _box(self, project: Project, about: str) -> MessageBox:
        question = self.tr("Delete the project “{name}”?").format(name=project.name)
        return MessageBox(MessageBox.Icon.Warning, question, about, self._window)

    def _delete(self, project: Project, leaving: Leaving | None, with_contents: bool) -> None:  # noqa: FBT001 (bound)
        def show(change: Change[Project]) -> None:
            self.deleted.emit(DeletedProject(change, with_contents, leaving is not None))

        def fail(error: AppError) -> None:
            if leaving and isinstance(error, SyncError):
                self._ask_to_delete_untold(project, error, with_all=with_contents)
            else:
                self._worker.failed.emit(error)

        self._worker.do(
            lambda services: services.projects.delete(
                project, with_contents=with_contents, leaving=leaving or Leaving.KEEP
            ),
            show,
            failed=fail,
        )
