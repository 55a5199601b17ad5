"""What the palette offers: actions, settings, sessions, documents, and what others add to it."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication, QObject
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QWidget

from desktop.domain.projects import EVERYTHING
from desktop.domain.search import EVERYWHERE, HitKind, Query, SearchMode
from desktop.domain.sessions import Session
from desktop.domain.sources import SourceKind
from desktop.ui.dialogs.settings.settings_controller import PageId
from desktop.ui.formatting import day
from desktop.ui.i18n import LanguageController
from desktop.ui.reader.reader_content import ReaderPlace
from desktop.ui.search.hits import one_line
from desktop.ui.services import NavigationTarget, WindowServices, Worker
from desktop.ui.theme.theme import ThemeController
from desktop.ui.window.actions import ActionId, WindowActions, plain
from desktop.ui.window.lifetime import WindowState
from desktop.ui.window.palette import Palette, PaletteItem

_MOST_USED = 30
_MOST_FOUND = 20
_MOST_DOCUMENTS = 2_000

_SETTINGS = """
GeneralPage General
  language &Language
  theme &Theme
  zoom_percent &Zoom
  notifies &Notify me when a long answer ends or waits
  has_tray Show an &icon in the tray
  closes_to_tray &Closing the window keeps Bellek in the tray
  starts_with_system Start with the &system, in the tray
  suggests_sessions S&uggest related sessions as I type
  searches_by_meaning Also search by &meaning
  keeps_searches Remember &recent searches
ModelsPage Models
SessionsPage Sessions
  idle_minutes &Idle for
  detects_thanks End the session when I &say so
  detects_subject_change New session when I change the su&bject
  overflow_share T&hreshold
  overflow Long sessions
  describes_with_model Title, summary and topics
  import_tokens Imp&orted sessions
  diary Diary
  recalls_whole_diary Use whole diary entries in answers
  housekeeping Archi&ve
MemoryPage Memory
  uses_memory &Remember important facts across sessions
  uses_past_sessions Use &past sessions and the facts learned from them
  uses_patterns Suggest &questions
  is_lite &Lite mode
  history_items &Word for word
  recalled_items &Automatic recall
  compact_after &Summarise
InstructionsPage Instructions
  persona &Character
  own_persona Your o&wn description
  checks_answers Chec&k answers before showing them
ResearchPage Research
  uses_web &Search the web and read pages
  uses_endpoint_web Use the endpoint’s own web sea&rch if available
  web_search Search pro&vider
  searxng_address SearXNG &address
  web_only Allo&wed sites
  web_never &Blocked sites
  web_at_home Local networ&k addresses
  deep_tokens Limits for a deep answer
ToolsPage Tools
PrivacyPage Privacy
ShortcutsPage Shortcuts
"""
"""The pages in their order, each with its class and title, and the settings on it.

A setting has the name of its field and the label that its page shows, in English.
"""


class PaletteController(QObject):
    """Fills the palette when it is opened, and remembers what was chosen."""

    def __init__(
        self, theme: ThemeController, worker: Worker, state: WindowState, window: QWidget
    ) -> None:
        super().__init__(window)
        self._window = window
        self._theme = theme
        self._worker = worker
        self._state = state
        self._ready: dict[str, Callable[[], Sequence[PaletteItem]]] = {}
        self._loaded: dict[str, Callable[[WindowServices], Sequence[PaletteItem]]] = {}
        self._search: Callable[[WindowServices, str], Sequence[PaletteItem]] | None = None
        self.palette: Palette | None = None

    def offer(self, group: str, items: Callable[[], Sequence[PaletteItem]]) -> None:
        """Add a group whose items are asked for at each opening; they must not wait."""
        self._ready[group] = items

    def offer_loaded(
        self, group: str, load: Callable[[WindowServices], Sequence[PaletteItem]]
    ) -> None:
        """Add a group that a worker loads at each opening."""
        self._loaded[group] = load

    def search_with(self, search: Callable[[WindowServices, str], Sequence[PaletteItem]]) -> None:
        """Set what a worker finds for the typed words, besides the items of the groups."""
        self._search = search

    def open(self) -> None:
        palette = self._made()
        palette.model.begin(self._state.palette_used())
        for group, items in self._ready.items():
            palette.model.put(group, items())
        palette.open()
        for group, load in self._loaded.items():
            self._worker.do_latest(f"palette {group}", load, partial(palette.put, group))

    def _made(self) -> Palette:
        if self.palette is None:
            self.palette = Palette(self._theme, self._window)
            self.palette.typed.connect(self._find)
            self.palette.chosen.connect(self._run)
        return self.palette

    def _find(self, typed: str) -> None:
        search, palette = self._search, self._made()
        if search is not None and typed.strip():
            self._worker.do_latest(
                "palette search",
                lambda services: search(services, typed),
                lambda found: palette.put("found", found),
            )

    def _run(self, item: PaletteItem) -> None:
        used = [item.key, *(key for key in self._state.palette_used() if key != item.key)]
        self._state.keep_palette_used(used[:_MOST_USED])
        item.run()


class PaletteItems(QObject):
    """Makes the items, named in the language of the window and found in both."""

    def __init__(self, languages: LanguageController, parent: QObject) -> None:
        super().__init__(parent)
        self._languages = languages

    def actions(self, actions: WindowActions) -> list[PaletteItem]:
        turkish = partial(self._languages.in_turkish, "WindowActions")
        names = [
            actions.names(lambda text: text),
            actions.names(turkish),
        ]
        items = [
            PaletteItem(
                f"action {one.name}",
                one.text,
                one.group,
                action.trigger,
                action.shortcut().toString(QKeySequence.SequenceFormat.NativeText),
                [named[one.name] for named in names],
                action.isEnabled(),
            )
            for one in actions.shortcuts()
            if (action := actions[ActionId(one.name)]) is not actions[ActionId.PALETTE]
        ]
        choices = actions.choices()
        return items + [
            PaletteItem(f"action {key}", action.text(), group, action.trigger)
            for key, group, action in choices
        ]

    def settings(self, show: Callable[[PageId, str], object]) -> list[PaletteItem]:
        group = self.tr("Settings")
        items = []
        context, page, detail = "", -1, ""
        for line in _SETTINGS.strip().splitlines():
            name, _, label = line.strip().partition(" ")
            is_page = not line.startswith(" ")
            if is_page:
                context, page, detail = name, page + 1, group
            names = self._names(context, label)
            run = partial(show, PageId(page), "" if is_page else name)
            items.append(PaletteItem(f"setting {name}", names[0], detail, run, "", names))
            if is_page:
                detail = f"{group} · {names[0]}"
        return items

    def sessions(
        self,
        sessions: Iterable[Session],
        open_place: Callable[[NavigationTarget], object],
    ) -> list[PaletteItem]:
        kind = self.tr("Session")
        return [
            PaletteItem(
                f"session {one.id}",
                one_line(one.shown_title),
                f"{kind} · {day(one.updated_at)}",
                partial(open_place, NavigationTarget(one.id)),
            )
            for one in sessions
            if one.shown_title and not one.is_temporary
        ]

    def found_sessions(
        self,
        open_place: Callable[[NavigationTarget], object],
        services: WindowServices,
        typed: str,
    ) -> list[PaletteItem]:
        """Find sessions by title and description; runs on a worker."""
        query = Query(
            typed,
            frozenset({HitKind.SESSION}),
            mode=SearchMode.KEYWORD,
            limit=_MOST_FOUND,
            scope=EVERYWHERE,
        )
        kind = self.tr("Session")
        return [
            PaletteItem(
                f"session {hit.session_id}",
                one_line(hit.title),
                f"{kind} · {day(hit.created_at)}",
                partial(open_place, NavigationTarget(hit.session_id)),
                is_found=True,
            )
            for hit in services.find(query)
        ]

    def documents(
        self, read: Callable[[ReaderPlace], object], services: WindowServices
    ) -> list[PaletteItem]:
        """Load the sources of the library; runs on a worker."""
        kinds = {SourceKind.DOCUMENT: self.tr("Document"), SourceKind.WEB: self.tr("Web page")}
        return [
            PaletteItem(
                f"source {one.id}",
                one_line(one.title),
                kinds[one.kind],
                partial(read, ReaderPlace(one.id)),
            )
            for one in services.archive.sources.sources(EVERYTHING)[:_MOST_DOCUMENTS]
        ]

    def _names(self, context: str, text: str) -> tuple[str, str, str]:
        """Return a text in the language of the window, in English and in Turkish."""
        shown = QCoreApplication.translate(context, text)
        return plain(shown), plain(text), plain(self._languages.in_turkish(context, text))
