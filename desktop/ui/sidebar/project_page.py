"""The page of a project: its instructions and variables, and links to all that belongs to it."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from desktop.domain.changes import Change, with_received
from desktop.domain.errors import AppError
from desktop.domain.facts import Fact, FactFilter
from desktop.domain.frozen import dataclass
from desktop.domain.notes import Note
from desktop.domain.projects import Project, ProjectContents, ProjectId, Wall
from desktop.domain.sessions import Session
from desktop.domain.sources import Source
from desktop.ui.actions import QT_TR_NOOP, Action
from desktop.ui.detail_page import DetailPage, Link
from desktop.ui.formatting import day, short_title
from desktop.ui.reader.reader_content import ReaderPlace, place_of_note
from desktop.ui.services import NavigationTarget, Worker
from desktop.ui.session.controller import SessionController
from desktop.ui.sidebar.project_controller import (
    PROJECT_NOTICE,
    ProjectsController,
    read_variables,
    variable_lines,
)
from desktop.ui.theme.theme import ThemeController
from desktop.ui.views import renew
from desktop.ui.widgets.bars import MessageBar

if TYPE_CHECKING:
    from desktop.sessions.services import Services

_SHOWN = 6  # Links of a kind; the others are where the last one leads


@dataclass(frozen=True, slots=True)
class ProjectDetails:
    """A project and the first of each kind of contents."""

    project: Project
    contents: ProjectContents = ProjectContents()
    sessions: Sequence[Session] = ()
    sources: Sequence[Source] = ()
    facts: Sequence[Fact] = ()
    notes: Sequence[Note] = ()


class ProjectPage(DetailPage):
    act = "project_page"

    place_wanted = Signal(object)  # NavigationTarget or ReaderPlace
    fact_wanted = Signal(object)  # FactId
    sessions_wanted = Signal()  # Its sessions in the list
    all_wanted = Signal(str)  # The action that opens the list of all that the project has

    def __init__(self, theme: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(theme, self.tr("Conversation"), parent)
        self.details: ProjectDetails | None = None
        self.setWindowTitle(self.tr("Project page"))
        self._add_title("name", self.tr("Name"))
        about = self.tr("What Bellek should observe in every answer of this project")
        self._add_text("instructions", self.tr("Instructions"), about)
        self._add_text("variables", self.tr("Variables"), self.tr("name = value"))

    def show_details(self, details: ProjectDetails, counts: str) -> None:
        """`counts`: how much of each kind it has, in words."""
        self.details, project = details, details.project
        self._fill((project.name, project.instructions, variable_lines(project)))
        local = self.tr("on this computer only") if project.is_local_only else ""
        words = counts
        if not words and details.contents == ProjectContents():
            words = self.tr("Nothing belongs to this project yet.")
        self._about.setText(" · ".join(filter(None, (words, local))))
        self._show_lists(
            [
                (self.tr("Sessions"), *self._sessions(details)),
                (self.tr("Documents"), *self._sources(details)),
                (self.tr("Memory"), *self._facts(details)),
                (self.tr("Notes"), [self._note(note) for note in details.notes], ()),
            ]
        )

    def _sessions(self, details: ProjectDetails) -> tuple[Sequence[Link], Sequence[Link]]:
        links = [
            (
                self.tr("{title} · {day}").format(
                    title=short_title(session), day=day(session.updated_at)
                ),
                partial(self.place_wanted.emit, NavigationTarget(session.id)),
            )
            for session in details.sessions
        ]
        return links, [(self.tr("Show its sessions in the list"), self.sessions_wanted.emit)]

    def _sources(self, details: ProjectDetails) -> tuple[Sequence[Link], Sequence[Link]]:
        links = [
            (source.title, partial(self.place_wanted.emit, ReaderPlace(source.id)))
            for source in details.sources
        ]
        return links, [(self.tr("Open the library with its documents"), self._want_all("library"))]

    def _facts(self, details: ProjectDetails) -> tuple[Sequence[Link], Sequence[Link]]:
        links = [(fact.content, partial(self.fact_wanted.emit, fact.id)) for fact in details.facts]
        return links, [(self.tr("Open the memory with its facts"), self._want_all("memory"))]

    def _note(self, note: Note) -> Link:
        words = self.tr("{note} · {title}").format(note=note.text or note.quote, title=note.title)
        return words, partial(self.place_wanted.emit, place_of_note(note))

    def _want_all(self, act: str) -> Callable[[], object]:
        return partial(self.all_wanted.emit, act)


class ProjectPageController(QObject):
    page_made = Signal(object)  # View that needs its place in the window
    place_wanted = Signal(object)  # As of the page
    fact_wanted = Signal(object)
    sessions_wanted = Signal()
    all_wanted = Signal(str)

    def __init__(
        self,
        theme: ThemeController,
        projects: ProjectsController,
        sessions: SessionController,
        strip: MessageBar,
        worker: Worker,
    ) -> None:
        super().__init__(projects)
        self._theme, self._projects = theme, projects
        self._sessions, self._strip, self._worker = sessions, strip, worker
        self.page: ProjectPage | None = None
        projects.page_wanted.connect(self.open)
        projects.listed.connect(self._look_again)

    def records(self) -> Sequence[Action]:
        title = QT_TR_NOOP("Project page")
        return (
            Action("project_page", title, "", self.open_current, lambda _: bool(self._of_now())),
        )

    def open_current(self) -> None:
        """Open the page of the listed project, else of the one that the shown session is in."""
        if project := self._of_now():
            self.open(project)

    def open(self, project: Project) -> None:
        """Show the page at once, and what belongs to the project as soon as it is read."""
        page = self._made()
        if page.details is None or page.details.project.id != project.id:
            page.show_details(ProjectDetails(project), "")
        page.come()
        self._load(project.id)

    def retranslate(self) -> None:
        """Rebuild a shown page in the current language, but not while it holds work."""
        if (old := self.page) is None:
            return

        def open_again() -> ProjectPage:
            page = self._made()
            if old.details is not None:
                self._show(old.details)
            page.come()
            return page

        self.page = None
        renew(old, open_again)

    def _of_now(self) -> Project | None:
        shown = self._sessions.shown
        known = {project.id: project for project in self._projects.projects}
        return self._projects.shown or (known.get(shown.project) if shown else None)

    def _made(self) -> ProjectPage:
        if self.page is None:
            self.page = page = ProjectPage(self._theme, self._strip.window())
            self.page_made.emit(page)
            page.written.connect(self._edit)
            page.place_wanted.connect(self.place_wanted)
            page.fact_wanted.connect(self.fact_wanted)
            page.all_wanted.connect(self._choose)
            page.all_wanted.connect(self.all_wanted)
            page.sessions_wanted.connect(self._choose)
            page.sessions_wanted.connect(self.sessions_wanted)
        return self.page

    def _choose(self) -> None:
        """Show only this project in the lists."""
        if self.page is not None and self.page.details is not None:
            self._projects.choose(Wall(self.page.details.project.id))

    def _look_again(self) -> None:
        """Read again what is shown, unless the project is gone."""
        page = self.page
        if page is None or page.details is None or not page.isVisible():
            return
        project_id = page.details.project.id
        if any(project.id == project_id for project in self._projects.projects):
            self._load(project_id)
        else:
            page.left.emit()

    def _load(self, project_id: ProjectId) -> None:
        def show(details: ProjectDetails | None) -> None:
            if details is not None:
                self._show(details)

        work = partial(_details_of, project_id=project_id)
        self._worker.do_latest("project page", work, show)

    def _show(self, details: ProjectDetails) -> None:
        self._made().show_details(details, self._projects.contents_words(details.contents))

    def _edit(self, part: str, text: str) -> None:
        if self.page is None or self.page.details is None:
            return
        project_id, begun = self.page.details.project.id, self.page.fields[part].before

        def work(services: "Services") -> Change[Project] | None:
            # Another part may have been written since the page was filled.
            project = services.archive.project(project_id)
            changed = _changed(project, part, text, begun) if project else None
            return services.projects.edit(changed) if changed and changed != project else None

        def show(change: Change[Project] | None) -> None:
            self._projects.load()
            if change is None:
                return
            undo = self._worker.undoes(change, lambda _: self._projects.load())
            message = self.tr("The project “{name}” was changed.").format(name=change.value.name)
            self._strip.show_message(PROJECT_NOTICE, message, undo=undo)

        def fail(error: AppError) -> None:
            self._worker.failed.emit(error)
            if part == "name":
                self._projects.load()

        self._worker.do_in_turn(work, show, failed=fail)


def _changed(project: Project, part: str, text: str, begun: str) -> Project:
    match part:
        case "name":
            return replace(project, name=" ".join(text.split()))
        case "instructions":
            instructions = with_received(text, begun=begun, stored=project.instructions)
            return replace(project, instructions=instructions.strip())
        case _:
            return replace(project, variables=read_variables(text))


def _details_of(services: "Services", project_id: ProjectId) -> ProjectDetails | None:
    archive, wall = services.archive, Wall(project_id)
    if (project := archive.project(project_id)) is None:
        return None
    facts = [fact for fact in archive.facts(FactFilter(wall)) if fact.project == project_id]
    notes = sorted(archive.notes(wall), key=lambda note: note.changed_at, reverse=True)
    return ProjectDetails(
        project,
        contents=archive.project_contents(project_id),
        sessions=archive.sessions(wall, limit=_SHOWN),
        sources=archive.sources(wall)[:_SHOWN],
        facts=facts[:_SHOWN],
        notes=notes[:_SHOWN],
    )
