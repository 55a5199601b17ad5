"""Opens the places that lists, pages and the library name, and takes what is dropped."""

from datetime import date
from functools import partial

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QWidget

from desktop.ui.diary.diary_controller import DiaryController
from desktop.ui.library.library_controller import LibraryController
from desktop.ui.library.table import dragged_sources
from desktop.ui.memory.memory_controller import MemoryController
from desktop.ui.reader.reader_content import ReaderPlace
from desktop.ui.services import NavigationTarget
from desktop.ui.session.session_page import SessionPageController
from desktop.ui.sidebar.project_controller import ProjectsController
from desktop.ui.sidebar.project_page import ProjectPageController
from desktop.ui.widgets.message_editor import DropTarget, dropped_text
from desktop.ui.widgets.splitter_layout import Side
from desktop.ui.window.commands import WindowCommands
from desktop.ui.window.window_presenter import WindowWidgets


class Places(QObject):
    def __init__(  # noqa: PLR0913 (by name)
        self,
        parts: WindowWidgets,
        commands: WindowCommands,
        library: LibraryController,
        *,
        diary: DiaryController,
        memory: MemoryController,
        projects: ProjectsController,
        about: SessionPageController,
        project_page: ProjectPageController,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._commands, self._library, self._diary = commands, library, diary
        for chosen in (parts.sidebar.place_chosen, parts.results.place_chosen):
            chosen.connect(self._open)
        project_page.place_wanted.connect(self._open)
        project_page.fact_wanted.connect(memory.open)
        project_page.sessions_wanted.connect(partial(self._show_list, parts))
        about.place_wanted.connect(commands.open)
        about.citation_wanted.connect(library.open_citation)
        about.fact_wanted.connect(memory.open)
        about.memory_wanted.connect(memory.open_preferences)
        about.day_wanted.connect(diary.open)
        memory.place_wanted.connect(commands.search.open)
        diary.place_wanted.connect(commands.open)
        library.session_wanted.connect(commands.open_citation)
        library.note_place_wanted.connect(self._open)
        library.wall_wanted.connect(projects.choose)
        library.quote_wanted.connect(commands.quote)
        library.inside_wanted.connect(commands.search.show_in_sources)
        DropTarget(window, dropped_text).dropped.connect(commands.write_dropped)
        DropTarget(window).dropped.connect(library.take_dropped)
        dropped = DropTarget(parts.sidebar.projects, dragged_sources).dropped
        dropped.connect(library.ask_where_to_move, Qt.ConnectionType.QueuedConnection)

    def _show_list(self, parts: WindowWidgets) -> None:
        parts.show_view(None)
        parts.shell.show_side(Side.LEFT, True)

    def _open(self, place: NavigationTarget | ReaderPlace | date) -> None:
        match place:
            case NavigationTarget():
                self._commands.open(place)
            case ReaderPlace():
                self._library.read(place)
            case date():
                self._diary.open(place)
