"""Projects in the window: which one the sidebar shows; moving, editing and deleting."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDialog, QFormLayout, QLineEdit, QMenu, QWidget
from shiboken6 import isValid

from desktop.domain.changes import Change
from desktop.domain.errors import AppError
from desktop.domain.ids import SessionId
from desktop.domain.projects import (
    EVERYTHING,
    NO_PROJECT,
    Project,
    ProjectContents,
    ProjectId,
    ProjectVariableInvalidError,
    Wall,
)
from desktop.domain.sessions import Session
from desktop.domain.sharing import ItemKind
from desktop.domain.times import utc_now
from desktop.settings.messages import Texts
from desktop.ui.actions import QT_TR_NOOP, Action, possible, when_chosen
from desktop.ui.dialogs.form import MOST_IN_MENU, TagMenu, open_dialog
from desktop.ui.services import Worker
from desktop.ui.session.controller import SessionController
from desktop.ui.sidebar.archive_controller import ArchiveController
from desktop.ui.sidebar.model import dragged_sessions
from desktop.ui.sidebar.project_deletion import DeletedProject, ProjectDeletion
from desktop.ui.sidebar.sidebar import Sidebar
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.bars import MessageBar
from desktop.ui.widgets.buttons import Button, place_of_menu
from desktop.ui.widgets.fields import TextArea, WrappingCheckBox
from desktop.ui.widgets.layouts import STRETCH, column, holds_focus, row, text_width
from desktop.ui.widgets.message_editor import DropTarget
from desktop.ui.widgets.plain_text import HintLabel, ProblemLabel, TitleLabel

if TYPE_CHECKING:
    from desktop.sessions.services import Services

_CHARACTERS, _LINES, _FEW_LINES = 60, 5, 3
PROJECT_NOTICE = "projects"
_Known = tuple[
    Sequence[Project],
    Mapping[str, frozenset[SessionId]],
    frozenset[SessionId],
    Mapping[str, str],
]


def variable_lines(project: Project) -> str:
    return "\n".join(f"{name} = {value}" for name, value in project.variables.items())


def read_variables(text: str) -> Mapping[str, str]:
    """Return the variables of lines such as "name = value".

    Raises ProjectVariableInvalidError for any other line.
    """
    variables = dict[str, str]()
    for line in filter(str.strip, text.splitlines()):
        name, equals, value = line.partition("=")
        if not (name.strip() and equals):
            raise ProjectVariableInvalidError(line=line.strip())
        variables[name.strip()] = value.strip()
    return variables


class ProjectForm(QDialog):
    written = Signal(object)  # Project; the form stays until it is stored

    def __init__(self, project: Project, about: str, texts: Texts, parent: QWidget) -> None:
        """`about`: a sentence about its contents."""
        super().__init__(parent)
        self._project, self._texts = project, texts
        self._problem = ProblemLabel()
        title = self.tr("Edit project") if project.id else self.tr("New project")
        self.setWindowTitle(title)
        self._name = QLineEdit(project.name)
        self._instructions = TextArea(project.instructions, lines=_LINES)
        self._variables = TextArea(variable_lines(project), lines=_FEW_LINES)
        self._variables.setPlaceholderText(self.tr("name = value"))
        self._is_local_only = WrappingCheckBox(
            self.tr("&On this computer only: no cloud model, no web, no literature")
        )
        self._is_local_only.setChecked(project.is_local_only)
        form = QFormLayout()
        form.addRow(self.tr("&Name"), self._name)
        form.addRow(self.tr("&Instructions"), self._instructions)
        form.addRow(self.tr("&Variables"), self._variables)
        save = Button("primary", text=self.tr("&Save"), press=self.save)
        save.setEnabled(bool(project.name))
        self._name.textChanged.connect(lambda text: save.setEnabled(bool(text.strip())))
        foot = row(STRETCH, Button(text=self.tr("&Cancel"), press=self.reject), save)
        hint = self.tr(
            "In a project, Bellek learns, recalls and suggests only from the project itself and"
            " from shared facts."
        )
        about_it = HintLabel(about or hint)
        self._problem.follow(self._name, self._variables)
        parts = (TitleLabel(title), about_it, form, self._is_local_only, self._problem, foot)
        self.setLayout(column(*parts, spacing=Space.MEDIUM, margin=Space.WIDE))
        self.setMinimumWidth(text_width(self, _CHARACTERS))
        self._name.setFocus(Qt.FocusReason.OtherFocusReason)

    def save(self) -> None:
        try:
            variables = read_variables(self._variables.text())
        except AppError as error:
            self.show_problem(error)
            return
        name, instructions = " ".join(self._name.text().split()), self._instructions.text()
        self.written.emit(
            replace(
                self._project,
                name=name,
                instructions=instructions.strip(),
                variables=variables,
                is_local_only=self._is_local_only.isChecked(),
            )
        )

    def show_problem(self, error: AppError) -> None:
        self._problem.set_text(self._texts.error(error))


class ProjectsController(QObject):
    chosen = Signal()  # Another project is shown in the sidebar
    listed = Signal()  # The projects were read, perhaps because one has changed
    reach_changed = Signal()  # What is asked may leave the computer now, or no longer
    page_wanted = Signal(object)  # Project
    find_wanted = Signal(object, object)
    """Kinds of names to search, and what gets the id of the chosen one; None: it is shown"""

    def __init__(
        self,
        sidebar: Sidebar,
        strip: MessageBar,
        sessions: SessionController,
        archive: ArchiveController,
        worker: Worker,
    ) -> None:
        super().__init__(archive)
        self._sidebar, self._strip = sidebar, strip
        self._sessions, self._archive, self._worker = sessions, archive, worker
        self.projects: Sequence[Project] = ()
        self.tags: Mapping[str, frozenset[SessionId]] = {}
        self._is_kept_here = False
        self._deletion = ProjectDeletion(self.contents_words, worker, sidebar.window())
        self._deletion.deleted.connect(self._show_deleted)
        menu = QMenu(sidebar.projects)
        menu.aboutToShow.connect(lambda: self._fill(menu))
        sidebar.projects.setMenu(menu)
        sidebar.submenus = self._submenus
        dropped = DropTarget(sidebar.projects, dragged_sessions).dropped
        dropped.connect(self.ask_where_to_move, Qt.ConnectionType.QueuedConnection)
        for what, ask in (("move", self.ask_where_to_move), ("tags", self.ask_for_tags)):
            sidebar.selection.buttons[what].clicked.connect(partial(self._ask, ask))
        archive.loaded.connect(lambda _: self.load())
        sessions.turns.ended.connect(lambda _: self.load())
        for changed in (self.chosen, self.listed, sessions.active_changed):
            changed.connect(self._look_at_reach)

    def records(self) -> Sequence[Action]:
        move = partial(self._ask, self.ask_where_to_move)
        tag = partial(self._ask, self.ask_for_tags)
        return [
            Action("new_project", QT_TR_NOOP("New project…"), "", self.create),
            *possible(
                when_chosen,
                ("move", QT_TR_NOOP("Move to project…"), "Ctrl+M", move),
                ("tags", QT_TR_NOOP("Tags…"), "", tag),
            ),
        ]

    def _ask(self, ask: Callable[[Sequence[SessionId]], None], _is_checked: bool = False) -> None:  # noqa: FBT001, FBT002 (a slot)
        """Ask about the sessions that are selected in the list, else the shown one."""
        shown = self._sessions.shown
        if sessions := self._sidebar.chosen() or ([shown.id] if shown else []):
            ask(sessions)

    @property
    def shown(self) -> Project | None:
        return next(
            (project for project in self.projects if project.id == self._wall.project), None
        )

    @property
    def _wall(self) -> Wall:
        return self._sidebar.model.wall

    def _look_at_reach(self) -> None:
        """Note whether the active session, or else the next one, stays on this computer."""
        active = self._sessions.active
        place = active.project if active else self._wall.project
        is_kept = any(project.is_local_only for project in self.projects if project.id == place)
        if is_kept is not self._is_kept_here:
            self._is_kept_here = is_kept
            self.reach_changed.emit()

    def choose(self, wall: Wall) -> None:
        """Show the contents of one project; new sessions begin there."""

        def work(services: "Services") -> None:
            services.assistant.project, services.assistant.shown = wall.project, wall

        self._sidebar.model.wall = wall
        self._worker.do_in_turn(work, lambda _: self.chosen.emit())
        self._archive.load()
        self._sidebar.search_again()
        self.show()

    def create(self, moved: Sequence[SessionId] = ()) -> None:
        """Ask for the name of a new project; move sessions into it."""

        def made(project: Project) -> None:
            _close(form)
            self.projects = [*self.projects, project]
            if moved:
                self.move(moved, project.id)
            else:
                self.choose(Wall(project.id))

        form = self._form(Project(NO_PROJECT, "", utc_now()), "")
        form.written.connect(
            lambda draft: self._worker.do_in_turn(
                lambda services: services.projects.create(draft), made, failed=form.show_problem
            )
        )

    def _form(self, project: Project, about: str) -> ProjectForm:
        """Open the form; whoever stores what it has closes it."""
        form = ProjectForm(project, about, self._worker.services.texts(), self._sidebar.window())
        open_dialog(form)
        return form

    def edit(self, project: Project) -> None:
        def ask(held: ProjectContents) -> None:
            form = self._form(project, self.contents_words(held))

            def saved(_: object) -> None:
                _close(form)
                self.load()

            form.written.connect(
                lambda changed: self._worker.do_in_turn(
                    lambda services: services.projects.edit(changed),
                    saved,
                    failed=form.show_problem,
                )
            )

        self._worker.do(lambda services: services.archive.project_contents(project.id), ask)

    def move(self, sessions: Sequence[SessionId], project: ProjectId) -> None:
        """Move sessions into a project, or out of all; it can be undone."""

        def work(services: "Services") -> tuple[Change[Sequence[Session]], str]:
            change = services.projects.move(project, sessions)
            projects = services.archive.projects()  # The list here may not have a new one yet
            return change, next((other.name for other in projects if other.id == project), "")

        def show(done: tuple[Change[Sequence[Session]], str]) -> None:
            change, name = done
            moved = change.value
            self._reload(moved)
            inside = self.tr("%n session(s) moved to “{name}”.", "", len(moved)).format(name=name)
            outside = self.tr("%n session(s) moved out of the project.", "", len(moved))
            undo = self._worker.undoes(change, self._reload)
            self._strip.show_message(PROJECT_NOTICE, inside if project else outside, undo=undo)

        self._worker.do_in_turn(work, show)

    def _submenus(self, sessions: Sequence[SessionId], parent: QWidget) -> list[QMenu]:
        moves = [self.move_menu(sessions, parent)] if self.projects else []
        return [*moves, self._tag_menu(sessions, parent)]

    def move_menu(self, sessions: Sequence[SessionId], parent: QWidget) -> QMenu:
        """Return the menu of the projects into which sessions can be moved.

        The project that they are all in is shown, but cannot be chosen.
        """
        menu = QMenu(self.tr("Move to project"), parent)
        places = {
            session.project for session in self._sidebar.model.sessions if session.id in sessions
        }
        listed = self.projects[:MOST_IN_MENU]
        targets = [(_plain(project.name), project.id) for project in listed]
        outside = [(self.tr("No project"), NO_PROJECT)] if targets else []
        for name, project in (*outside, *targets):
            action = menu.addAction(name, partial(self.move, sessions, project))
            action.setEnabled(places != {project})

        def move_to(found: str) -> None:
            self.move(sessions, ProjectId(found))

        if len(self.projects) > len(listed):
            find = partial(self.find_wanted.emit, ("project",), move_to)
            menu.addAction(self.tr("Find…"), find)
        menu.addSeparator()
        menu.addAction(self.tr("New project…"), lambda: self.create(sessions))
        return menu

    def _tag(self, sessions: Sequence[SessionId], name: str, is_on: bool) -> None:  # noqa: FBT001 (a slot)
        def show(change: Change[Sequence[SessionId]]) -> None:
            self._archive.load()
            added = self.tr("%n session(s) tagged “{name}”.", "", len(change.value))
            removed = self.tr("Tag “{name}” removed from %n session(s).", "", len(change.value))
            message = (added if is_on else removed).format(name=name)
            undo = self._worker.undoes(change, lambda _: self._archive.load())
            self._strip.show_message(PROJECT_NOTICE, message, undo=undo)

        self._worker.do_in_turn(
            lambda services: services.tags.set(name, sessions, is_on=is_on), show
        )

    def choose_tag(self, name: str) -> None:
        model = self._sidebar.model
        model.tag = "" if model.tag == name else name
        self.choose(self._wall)

    def ask_where_to_move(self, sessions: Sequence[SessionId]) -> None:
        """Open the same menu, by a key or at a drop."""
        self._pop_up(self.move_menu(sessions, self._sidebar.window()))

    def ask_for_tags(self, sessions: Sequence[SessionId]) -> None:
        self._pop_up(self._tag_menu(sessions, self._sidebar.window()))

    def _tag_menu(self, sessions: Sequence[SessionId], parent: QWidget) -> QMenu:
        return TagMenu(self.tags, sessions, partial(self._tag, sessions), parent)

    def _pop_up(self, menu: QMenu) -> None:
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        selection, button = self._sidebar.selection, self._sidebar.projects
        is_asked_there = selection.isVisible() and holds_focus(selection)
        place = button if button.isVisible() and not is_asked_there else button.window()
        menu.popup(place_of_menu(place))

    def _reload(self, moved: Sequence[Session]) -> None:
        for session_id in moved:
            self._archive.changed.emit(session_id)
        self._archive.load()

    def _show_deleted(self, deleted: DeletedProject) -> None:
        shown, project = self._sessions.shown, deleted.change.value
        if deleted.with_contents and shown is not None and shown.project == project.id:
            self._archive.deleted.emit(shown.id)
        self.choose(EVERYTHING)
        message = self.tr("The project “{name}” was deleted.")
        if deleted.was_shared:
            message = self.tr("The project “{name}” was deleted, and its group was left.")
        undo = self._worker.undoes(deleted.change, lambda _: self.choose(Wall(project.id)))
        self._strip.show_message(PROJECT_NOTICE, message.format(name=project.name), undo=undo)

    def load(self) -> None:
        wall = self._wall

        def work(services: "Services") -> _Known:
            archive = services.archive
            owners = archive.owners(ItemKind.SESSION)
            return archive.projects(), archive.tags(), archive.branched_sessions(wall), owners

        def show(result: _Known) -> None:
            self.projects, self.tags, branched, owners = result
            self._sidebar.model.set_labels(self.projects, self.tags, branched, owners)
            tag = self._sidebar.model.tag
            if tag and tag not in self.tags:
                self.choose_tag(tag)
            self.show()
            self.listed.emit()

        self._worker.do_latest("projects", work, show)

    def show(self) -> None:
        button, asking = self._sidebar.projects, self._sessions.asking
        named = self.shown.name if self.shown else self.tr("No project")
        name = self._name_of_all() if self._wall.is_open else named
        if asking.sees_all and not self._wall.is_open:
            name = self.tr("{name} · next question in all projects").format(name=name)
        tag = self._sidebar.model.tag
        button.setText(_plain(f"{name} · {tag}" if tag else name))
        button.setVisible(bool(self.projects or self.tags))

    def _name_of_all(self) -> str:
        return self.tr("All projects") if self.projects else self.tr("All sessions")

    def _fill(self, menu: QMenu) -> None:
        menu.clear()
        choices = [(self._name_of_all(), EVERYTHING)]
        if self.projects:
            choices.append((self.tr("No project"), Wall(NO_PROJECT)))
        listed, tags = self.projects[:MOST_IN_MENU], [*self.tags][:MOST_IN_MENU]
        choices += [(project.name, Wall(project.id)) for project in listed]
        for name, wall in choices:
            action = menu.addAction(_plain(name), partial(self.choose, wall))
            action.setCheckable(True)
            action.setChecked(wall == self._wall)
        menu.addSeparator()
        for name in tags:
            action = menu.addAction(_plain(f"# {name}"), partial(self.choose_tag, name))
            action.setCheckable(True)
            action.setChecked(name == self._sidebar.model.tag)
        if len(listed) + len(tags) < len(self.projects) + len(self.tags):
            find = partial(self.find_wanted.emit, ("project", "tag"), None)
            menu.addAction(self.tr("Find…"), find)
        menu.addSeparator()
        if self.projects:
            everywhere = menu.addAction(self.tr("Ask the next question in all projects"))
            everywhere.setCheckable(True)
            everywhere.setChecked(self._sessions.asking.sees_all)
            everywhere.toggled.connect(self._open_for_next)
            menu.addSeparator()
        menu.addAction(self.tr("New project…"), self.create)
        if project := self.shown:
            menu.addAction(self.tr("Project page"), partial(self.page_wanted.emit, project))
            menu.addAction(self.tr("Edit project…"), partial(self.edit, project))
            menu.addAction(self.tr("Delete project…"), partial(self._deletion.ask, project))

    def _open_for_next(self, is_open: bool) -> None:  # noqa: FBT001 (from a signal)
        self._sessions.asking.sees_all = is_open
        self.show()

    def contents_words(self, held: ProjectContents) -> str:
        """Return the number of each kind of contents, in words; empty if there are none."""
        return ", ".join(self._worker.services.texts().contents(held.counts))


def _close(form: ProjectForm) -> None:
    if isValid(form):  # it may have been cancelled meanwhile
        form.accept()


def _plain(name: str) -> str:
    return name.replace("&", "&&")
