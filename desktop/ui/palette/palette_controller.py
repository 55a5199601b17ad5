"""What the palette offers: actions, settings, sessions, documents, projects and tags."""

import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication, QWidget

from desktop.domain.ids import SessionId
from desktop.domain.language import Language
from desktop.domain.projects import COMMON, EVERYTHING, Project, Wall
from desktop.domain.search import HitKind, Query, Scope, SearchMode
from desktop.domain.sessions import Session
from desktop.domain.sources import SourceKind
from desktop.settings.messages import SETTING_WORDS, Texts
from desktop.settings.paths import asset
from desktop.settings.settings import SETTINGS
from desktop.ui.actions import QT_TR_NOOP, Action, WindowActions, everywhere, plain
from desktop.ui.i18n import LanguageController
from desktop.ui.library.library_controller import LibraryController
from desktop.ui.palette.caret_popup import CaretPopup
from desktop.ui.palette.palette import Palette, PaletteFrame, PaletteItem
from desktop.ui.reader.reader_content import ReaderPlace
from desktop.ui.search.hits import one_line
from desktop.ui.services import NavigationTarget, Worker
from desktop.ui.settings_controller import PageId
from desktop.ui.sidebar.project_controller import ProjectsController
from desktop.ui.sidebar.sidebar import Sidebar
from desktop.ui.theme.theme import ThemeController
from desktop.ui.widgets.message_editor import MessageField
from desktop.ui.window_state import PALETTE_USED, WindowState

if TYPE_CHECKING:
    from desktop.sessions.services import Services

Go = Callable[[NavigationTarget], object]
_SESSIONS = frozenset({HitKind.SESSION})
_MOST_USED = 30
_MOST_FOUND = 20
_MOST_DOCUMENTS = 2_000
_MOST_SESSIONS = 1_000  # The newest of those in the sidebar; the search finds the others
_PREPARE_MS = 500  # After the start, and before the jobs that follow it


class PaletteController(QObject):
    """Fills the palette when it is opened, and remembers what was chosen."""

    window_wanted = Signal()  # what is chosen acts on the main one

    def __init__(
        self, theme: ThemeController, worker: Worker, state: WindowState, window: QWidget
    ) -> None:
        super().__init__(window)
        self._window = window
        self.theme = theme
        self._worker = worker
        self._state = state
        self._ready: dict[str, Callable[[], Sequence[PaletteItem]]] = {}
        self._loaded: dict[str, Callable[[Services], Sequence[PaletteItem]]] = {}
        self.search: Callable[[Services, str], Sequence[PaletteItem]] | None = None
        """The search of a worker for the typed words, besides the items of the groups."""
        self._kinds: Sequence[str] = ()
        self._without: Collection[str] = ()
        self._instead: Callable[[PaletteItem], object] | None = None
        self.palette: Palette | None = None
        self.popup: CaretPopup | None = None
        self._frame: PaletteFrame | None = None  # The one that was opened last
        steps = (lambda: self._fill(self._made()), lambda: self._made().draw_hidden())
        worker.ready.connect(lambda: self._prepare(steps))

    def records(self) -> Sequence[Action]:
        title = QT_TR_NOOP("Command palette")
        return (everywhere("palette", title, "Ctrl+Shift+P", self.open),)

    def offer(self, group: str, items: Callable[[], Sequence[PaletteItem]]) -> None:
        """Add a group whose items are requested at each opening; this must not wait."""
        self._ready[group] = items

    def offer_loaded(
        self, group: str, load: "Callable[[Services], Sequence[PaletteItem]]"
    ) -> None:
        """Add a group that a worker loads at each opening."""
        self._loaded[group] = load

    def open(
        self, kinds: Sequence[str] = (), instead: Callable[[PaletteItem], object] | None = None
    ) -> None:
        """Open it; `kinds`: the first words of the keys of the wanted items; empty for all.

        `instead`: called with the chosen item in place of its own action.
        """
        self._kinds, self._instead, self._without = kinds, instead, ()
        self._fill(self._made())
        self._come_to_window()
        self._made().open(kinds)

    def find(self, kinds: Sequence[str], then: Callable[[str], object] | None) -> None:
        """Open it as `open`; `then` gets the id of the chosen item."""
        instead = None if then is None else lambda item: then(item.key.partition(" ")[2])
        self.open(kinds, instead)

    def open_at_caret(
        self,
        field: MessageField,
        headings: Mapping[str, str],
        choose: Callable[[PaletteItem], object],
        *,
        without: Collection[str],
        most_in_group: int,
    ) -> None:
        """Offer items where a sign was typed; `headings`: those of the offered kinds.

        `without`: ids that are not offered.
        """
        if self.popup is None:
            self.popup = CaretPopup(self.theme, self._window, field)
            self.popup.typed.connect(self._find)
            self.popup.chosen.connect(self._run)
        self._kinds, self._instead, self._without = tuple(headings), choose, without
        self._fill(self.popup, headings, most_in_group)
        self.popup.open()
        QTimer.singleShot(0, self, self._load)

    def _come_to_window(self) -> None:
        """Ask for the main window: the quick one has no room for the palette."""
        if QApplication.activeWindow() not in {None, self._window}:
            self.window_wanted.emit()

    def _prepare(self, steps: Sequence[Callable[[], object]]) -> None:
        """Do early what the first opening would wait for, in short steps."""

        def go_on() -> None:
            if self.palette is None or self.palette.isHidden():
                steps[0]()
                self._prepare(steps[1:])

        if steps:
            QTimer.singleShot(_PREPARE_MS, self, go_on)

    def _fill(
        self,
        frame: PaletteFrame,
        headings: Mapping[str, str] = MappingProxyType({}),
        most_in_group: int = 0,
    ) -> None:
        self._frame = frame
        frame.model.begin(self._state.lines(PALETTE_USED), headings, most_in_group)
        for group, items in self._ready.items():
            frame.model.put(group, self._wanted(items()))

    def _made(self) -> Palette:
        if self.palette is None:
            self.palette = Palette(self.theme, self._window)
            self.palette.typed.connect(self._find)
            self.palette.chosen.connect(self._run)
            self.palette.painted.connect(self._load)
        return self.palette

    def _load(self) -> None:
        """Load the remaining groups later: at once, the workers would delay the first paint."""
        for group, load in self._loaded.items():
            self._worker.do_latest(f"palette {group}", load, partial(self._put, group))

    def _find(self, typed: str) -> None:
        search = self.search
        if search is not None and typed.strip():
            self._worker.do_latest(
                "palette search",
                lambda services: search(services, typed),
                partial(self._put, "found"),
            )

    def _run(self, item: PaletteItem) -> None:
        used = dict.fromkeys((item.key, *self._state.lines(PALETTE_USED)))
        if not item.key.startswith(("prompt ", "tag ")):  # its name is the user's own words
            self._state.keep_lines(PALETTE_USED, list(used)[:_MOST_USED])
        self._come_to_window()
        if self._instead is None:
            item.run()
        else:
            self._instead(item)

    def _put(self, group: str, items: Sequence[PaletteItem]) -> None:
        if self._frame is not None:
            self._frame.put(group, self._wanted(items))

    def _wanted(self, items: Sequence[PaletteItem]) -> Sequence[PaletteItem]:
        if not self._kinds:
            return items
        keys = [entry.key.partition(" ") for entry in items]
        return [
            entry
            for entry, (kind, _, key) in zip(items, keys, strict=True)
            if kind in self._kinds and key not in self._without
        ]


class PaletteItems(QObject):
    """Makes the items, named in the language of the window and found in both."""

    def __init__(self, languages: LanguageController, parent: QObject) -> None:
        super().__init__(parent)
        self._languages = languages
        self._action_names: list[Mapping[str, tuple[str, str]]] = []
        self._action_words: Mapping[str, Mapping[str, str]] = {}  # by language
        self._settings: Mapping[Language, list[PaletteItem]] = {}

    def offer_places(
        self,
        palette: PaletteController,
        sidebar: Sidebar,
        projects: ProjectsController,
        library: LibraryController,
        go: Go,
    ) -> None:
        """Let the palette offer what the archive holds; `go` opens a session."""
        palette.offer(
            "sessions", lambda: self.sessions(sidebar.model.sessions[:_MOST_SESSIONS], go)
        )
        palette.offer_loaded("documents", partial(self.documents, library.read))
        palette.offer("projects", lambda: self.projects(projects.projects, projects.choose))
        palette.offer("tags", lambda: self.tags(projects.tags, projects.choose_tag))
        palette.search = partial(self.found_sessions, go)
        projects.find_wanted.connect(palette.find)

    def actions(self, actions: WindowActions) -> list[PaletteItem]:
        if not self._action_names:
            for translate in (lambda _, text: text, self._languages.in_turkish):
                named = (*actions.shortcuts(translate), *actions.choices(translate))
                self._action_names.append(
                    {shortcut.name: (shortcut.text, shortcut.group) for shortcut in named}
                )
            file = asset("resources", "texts", "action_words.toml")
            self._action_words = tomllib.loads(file.read_text("utf-8"))
        return [
            PaletteItem(
                f"action {shortcut.name}",
                shortcut.text,
                shortcut.group,
                action.trigger,
                shortcut=action.shortcut().toString(QKeySequence.SequenceFormat.NativeText),
                other_names=[names[shortcut.name][0] for names in self._action_names],
                words=self._words_of(shortcut.name),
                is_enabled=action.isEnabled(),
            )
            for shortcut in (*actions.shortcuts(), *actions.choices())
            if (action := actions[shortcut.name]).isVisible() and shortcut.name != "palette"
        ]

    def _words_of(self, name: str) -> list[str]:
        """Return all by which people look for an action, in each language."""
        kind = name.partition(" ")[0]
        both = zip(self._action_names, self._action_words.values(), strict=True)
        return [f"{' '.join(names[name])} {words.get(kind, '')}" for names, words in both]

    def settings(self, show: Callable[[PageId, str], object]) -> list[PaletteItem]:
        language = self._languages.language
        if language not in self._settings:
            self._settings = {language: self._settings_items(show)}
        return self._settings[language]

    def _settings_items(self, show: Callable[[PageId, str], object]) -> list[PaletteItem]:
        group, items = self.tr("Settings"), []
        files = [
            Texts(language, file=SETTING_WORDS)
            for language in (self._languages.language, Language.EN, Language.TR)
        ]

        def add(name: str, detail: str, run: Callable[[], object], *keys: str) -> str:
            """Add an item; its name is the first of the texts that exists. Return the name."""
            names = [plain(next(filter(None, map(each.say_or_empty, keys)))) for each in files]
            hints = [plain(each.say_or_empty(f"{name}.hint")) for each in files]
            words = [" ".join(both) for both in zip(names, hints, strict=True)]
            items.append(
                PaletteItem(
                    f"setting {name}", names[0], detail, run, other_names=names, words=words
                )
            )
            return names[0]

        for page in list(PageId)[: PageId.SHORTCUTS + 1]:  # those after it are subpages
            place = page.name.lower()
            key = f"{page.name.title()}Page"
            detail = f"{group} · {add(key, group, partial(show, page, ''), f'pages.{place}')}"
            for name, about in SETTINGS.items():
                if about.is_listed and about.section.startswith(place):
                    section = about.section.partition(" ")[2]
                    keys = f"{name}.name", f"{name}.title", f"sections.{section}"
                    add(name, detail, partial(show, page, name), *keys)
        return items

    def sessions(self, sessions: Iterable[Session], go: Go) -> list[PaletteItem]:
        return [
            self._session(session.id, session.shown_title, session.updated_at, go)
            for session in sessions
            if session.shown_title and not session.is_temporary
        ]

    def found_sessions(self, go: Go, services: "Services", typed: str) -> list[PaletteItem]:
        """Find sessions by title and description; runs on a worker."""
        scope = Scope(services.assistant.shown)
        query = Query(typed, _SESSIONS, mode=SearchMode.KEYWORD, limit=_MOST_FOUND, scope=scope)
        hits = services.search.find(query)
        items = [self._session(hit.session_id, hit.title, hit.created_at, go) for hit in hits]
        return [replace(item, is_found=True) for item in items]

    def _session(self, session_id: SessionId, title: str, at: datetime, go: Go) -> PaletteItem:
        kind, run = self.tr("Session"), partial(go, NavigationTarget(session_id))
        return PaletteItem(f"session {session_id}", one_line(title), kind, run, at=at)

    def documents(
        self, read: Callable[[ReaderPlace], object], services: "Services"
    ) -> list[PaletteItem]:
        """Load the sources of the library; runs on a worker."""
        kinds = {SourceKind.DOCUMENT: self.tr("Document"), SourceKind.WEB: self.tr("Web page")}
        return [
            PaletteItem(
                f"source {source.id}",
                one_line(source.title),
                kinds[source.kind],
                partial(read, ReaderPlace(source.id)),
            )
            for source in services.archive.sources(services.assistant.shown)[:_MOST_DOCUMENTS]
        ]

    def projects(
        self, projects: Iterable[Project], show: Callable[[Wall], object]
    ) -> list[PaletteItem]:
        kind = self.tr("Project")
        palette_items = [
            PaletteItem(
                f"project {project.id}", project.name, kind, partial(show, Wall(project.id))
            )
            for project in projects
        ]
        outside = (("All projects", EVERYTHING), ("No project", COMMON)) if palette_items else ()
        for text, wall in outside:
            names = self._names("ProjectsController", text)
            run = partial(show, wall)
            palette_items.append(
                PaletteItem(f"wall {text}", names[0], kind, run, other_names=names)
            )
        return palette_items

    def tags(self, tags: Iterable[str], show: Callable[[str], object]) -> list[PaletteItem]:
        kind = self.tr("Tag")
        return [
            PaletteItem(
                f"tag {tag}",
                f"# {tag}",
                kind,
                partial(show, tag),
                other_names=(f"{kind} {tag}",),
            )
            for tag in tags
        ]

    def _names(self, context: str, text: str) -> tuple[str, str, str]:
        """Return a text in the language of the window, in English and in Turkish."""
        shown = QCoreApplication.translate(context, text)
        return plain(shown), plain(text), plain(self._languages.in_turkish(context, text))
