"""Everything the window can do, as actions with keys, and the menus they stand in."""

from collections.abc import Mapping, Sequence
from enum import StrEnum

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from desktop.domain.tiers import Tier
from desktop.settings.settings import Theme, UiLanguage
from desktop.ui.dialogs.shortcuts import Shortcut, keys_of
from desktop.ui.widgets.menus import PopupMenu, mark_mnemonics


class Act(StrEnum):
    """The names under which keys are kept in the settings."""

    NEW_SESSION = "new_session"
    TEMPORARY = "temporary"
    CONTINUE = "continue"
    IMPORT = "import"
    EXPORT = "export"
    EXPORT_PAGE = "export_page"
    EXPORT_ALL = "export_all"
    BACK_UP = "back_up"
    RESTORE = "restore"
    QUIT = "quit"
    UNDO = "undo"
    REDO = "redo"
    CUT = "cut"
    COPY = "copy"
    PASTE = "paste"
    SELECT_ALL = "select_all"
    FIND = "find"
    FIND_NEXT = "find_next"
    FIND_PREVIOUS = "find_previous"
    SEARCH = "search"
    RESULTS = "results"
    SIDEBAR = "sidebar"
    SOURCES = "sources"
    CONTEXT = "context"
    TRACE = "trace"
    ZOOM_IN = "zoom_in"
    ZOOM_OUT = "zoom_out"
    ZOOM_RESET = "zoom_reset"
    FULL_SCREEN = "full_screen"
    SEND = "send"
    STOP = "stop"
    WRITE = "write"
    READ_BESIDE = "read_beside"
    ADD_BESIDE = "add_beside"
    TIER_QUICK = "tier_quick"
    TIER_RESEARCH = "tier_research"
    TIER_DEEP = "tier_deep"
    END_SESSION = "end_session"
    NEXT_SESSION = "next_session"
    PREVIOUS_SESSION = "previous_session"
    ACTIVE_SESSION = "active_session"
    RENAME = "rename"
    PIN = "pin"
    COPY_SESSION = "copy_session"
    SUMMARIES = "summaries"
    MERGE = "merge"
    LEARN = "learn"
    DELETE = "delete"
    LIBRARY = "library"
    MEMORY = "memory"
    MODELS = "models"
    EXAMPLES = "examples"
    SETTINGS = "settings"
    SHORTCUTS = "shortcuts"
    WELCOME = "welcome"
    ABOUT = "about"


class Menu(StrEnum):
    FILE = "file"
    EDIT = "edit"
    VIEW = "view"
    SESSION = "session"
    TOOLS = "tools"
    HELP = "help"


EDITING = (Act.UNDO, Act.REDO, Act.CUT, Act.COPY, Act.PASTE, Act.SELECT_ALL)
"""What the field with the focus does itself."""

_KEYS: Mapping[Act, str] = {
    Act.NEW_SESSION: "Ctrl+N",
    Act.TEMPORARY: "Ctrl+Shift+N",
    Act.IMPORT: "Ctrl+O",
    Act.EXPORT: "Ctrl+Shift+S",
    Act.QUIT: "Ctrl+Q",
    Act.UNDO: "Ctrl+Z",
    Act.REDO: "Ctrl+Shift+Z",
    Act.CUT: "Ctrl+X",
    Act.COPY: "Ctrl+C",
    Act.PASTE: "Ctrl+V",
    Act.SELECT_ALL: "Ctrl+A",
    Act.FIND: "Ctrl+F",
    Act.FIND_NEXT: "F3",
    Act.FIND_PREVIOUS: "Shift+F3",
    Act.SEARCH: "Ctrl+K",
    Act.RESULTS: "Ctrl+Shift+F",
    Act.SIDEBAR: "Ctrl+B",
    Act.SOURCES: "Ctrl+Shift+B",
    Act.CONTEXT: "Ctrl+Shift+I",
    Act.TRACE: "Ctrl+Shift+T",
    Act.ZOOM_IN: "Ctrl++",
    Act.ZOOM_OUT: "Ctrl+-",
    Act.ZOOM_RESET: "Ctrl+0",
    Act.FULL_SCREEN: "F11",
    Act.SEND: "Ctrl+Return",
    Act.STOP: "Esc",
    Act.WRITE: "Ctrl+L",
    Act.READ_BESIDE: "Ctrl+Shift+K",
    Act.ADD_BESIDE: "Ctrl+Shift+A",
    Act.TIER_QUICK: "Ctrl+1",
    Act.TIER_RESEARCH: "Ctrl+2",
    Act.TIER_DEEP: "Ctrl+3",
    Act.END_SESSION: "Ctrl+E",
    Act.NEXT_SESSION: "Ctrl+PgDown",
    Act.PREVIOUS_SESSION: "Ctrl+PgUp",
    Act.ACTIVE_SESSION: "Ctrl+Home",
    Act.PIN: "Ctrl+D",
    Act.LIBRARY: "Ctrl+Shift+L",
    Act.MEMORY: "Ctrl+Shift+M",
    Act.COPY_SESSION: "Ctrl+Shift+C",
    Act.SETTINGS: "Ctrl+,",
    Act.SHORTCUTS: "F1",
}

TIERS: Mapping[Act, Tier] = {
    Act.TIER_QUICK: Tier.QUICK,
    Act.TIER_RESEARCH: Tier.RESEARCH,
    Act.TIER_DEEP: Tier.DEEP,
}
"""How much work a question gets, by the user's own choice."""

_BREAK = None
_MENUS: Mapping[Menu, Sequence[Act | None]] = {
    Menu.FILE: (
        *(Act.NEW_SESSION, Act.TEMPORARY, _BREAK),
        *(Act.IMPORT, Act.EXPORT, Act.EXPORT_PAGE, Act.EXPORT_ALL, _BREAK),
        *(Act.BACK_UP, Act.RESTORE, _BREAK, Act.QUIT),
    ),
    Menu.EDIT: (
        *(*EDITING[:2], _BREAK, *EDITING[2:], _BREAK),
        *(Act.FIND, Act.FIND_NEXT, Act.FIND_PREVIOUS, _BREAK, Act.SEARCH, Act.RESULTS),
    ),
    Menu.VIEW: (
        *(Act.SIDEBAR, Act.SOURCES, Act.TRACE, Act.CONTEXT, _BREAK),
        *(Act.ZOOM_IN, Act.ZOOM_OUT, Act.ZOOM_RESET, _BREAK),
        Act.FULL_SCREEN,
    ),
    Menu.SESSION: (
        *(Act.SEND, Act.STOP, Act.WRITE, _BREAK),
        *(Act.TIER_QUICK, Act.TIER_RESEARCH, Act.TIER_DEEP, _BREAK),
        *(Act.READ_BESIDE, Act.ADD_BESIDE, _BREAK),
        *(Act.END_SESSION, Act.CONTINUE, _BREAK),
        *(Act.NEXT_SESSION, Act.PREVIOUS_SESSION, Act.ACTIVE_SESSION, _BREAK),
        *(Act.RENAME, Act.PIN, Act.COPY_SESSION, Act.SUMMARIES, _BREAK),
        *(Act.LEARN, Act.MERGE, Act.DELETE),
    ),
    Menu.TOOLS: (Act.LIBRARY, Act.MEMORY, _BREAK, Act.MODELS, Act.EXAMPLES, _BREAK, Act.SETTINGS),
    Menu.HELP: (Act.SHORTCUTS, Act.WELCOME, _BREAK, Act.ABOUT),
}
_OF_ONE_SESSION: Sequence[Act | None] = (
    *(Act.RENAME, Act.PIN, _BREAK, Act.COPY_SESSION, Act.EXPORT, Act.EXPORT_PAGE, _BREAK),
    *(Act.SUMMARIES, _BREAK, Act.LEARN, Act.MERGE, Act.DELETE),
)
"""What can be done with the session that is shown, besides ending or continuing it."""
_ROLES = {
    Act.QUIT: QAction.MenuRole.QuitRole,
    Act.SETTINGS: QAction.MenuRole.PreferencesRole,
    Act.ABOUT: QAction.MenuRole.AboutRole,
}


class WindowActions(QObject):
    """Actions by name; the window connects them and says which of them make sense."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._actions = {act: QAction(window) for act in Act}
        self._menus: Mapping[Menu, QMenu] = {menu: PopupMenu(window) for menu in Menu}
        self._themes = QMenu(window)
        self._languages = QMenu(window)
        self.themes = {each: QAction(window) for each in Theme}
        self.languages = {each: QAction(window) for each in UiLanguage}
        self._build()
        self.apply_keys({})
        self.retranslate()

    def __getitem__(self, act: Act) -> QAction:
        return self._actions[act]

    def fill(self, bar: QMenuBar) -> None:
        for menu in self._menus.values():
            bar.addMenu(menu)

    def menu_of_session(self) -> QMenu:
        """What concerns the session that is shown, and no other."""
        menu = PopupMenu(self._window)
        menu.aboutToShow.connect(lambda: self._fill_session_menu(menu))
        self._fill_session_menu(menu)
        return menu

    def _fill_session_menu(self, menu: QMenu) -> None:
        menu.clear()
        is_past = self._actions[Act.CONTINUE].isEnabled()
        acts = (Act.CONTINUE if is_past else Act.END_SESSION, _BREAK, *_OF_ONE_SESSION)
        _fill(menu, acts, self._actions)

    def allow(self, acts: Mapping[Act, bool]) -> None:
        for act, is_allowed in acts.items():
            self._actions[act].setEnabled(is_allowed)

    def keys(self, act: Act) -> QKeySequence:
        return self._actions[act].shortcut()

    def owns(self, keys: QKeySequence) -> bool:
        """Whether an action would take these keys; a field must not swallow them then."""
        return any(
            action.isEnabled() and keys in action.shortcuts()
            for act, action in self._actions.items()
            if act not in EDITING and act is not Act.STOP
        )

    def apply_keys(self, chosen: Mapping[str, str]) -> None:
        """`chosen`: what the user has set, by name."""
        for shortcut in self.shortcuts():
            act = Act(shortcut.name)
            keys = [QKeySequence(keys_of(shortcut, chosen))]
            # The key that holds plus without Shift is the same to whoever presses it. So is the
            # digit block's Enter, but X11 takes Return for both: the field itself hears that one.
            if keys[0] == QKeySequence("Ctrl++"):
                keys.append(QKeySequence("Ctrl+="))
            self._actions[act].setShortcuts([each for each in keys if not each.isEmpty()])

    def shortcuts(self) -> Sequence[Shortcut]:
        """Every action in the order of the menus, named in the window's language."""
        return [
            Shortcut(
                act.value,
                _plain(self._actions[act].text()),
                _plain(self._menus[menu].title()),
                _KEYS.get(act, ""),
            )
            for menu, acts in _MENUS.items()
            for act in acts
            if act is not _BREAK
        ]

    def retranslate(self) -> None:
        for act, text in self._labels().items():
            self._actions[act].setText(text)
        for menu, title in self._titles().items():
            self._menus[menu].setTitle(title)
        self._themes.setTitle(self.tr("Theme"))
        self._languages.setTitle(self.tr("Language"))
        self.themes[Theme.SYSTEM].setText(self.tr("Same as system"))
        self.themes[Theme.LIGHT].setText(self.tr("Light"))
        self.themes[Theme.DARK].setText(self.tr("Dark"))
        self.languages[UiLanguage.SYSTEM].setText(self.tr("Same as system"))
        # A language is named in itself, so that whoever is lost finds the way back.
        self.languages[UiLanguage.TR].setText("Türkçe")
        self.languages[UiLanguage.EN].setText("English")
        for shown in (*self._menus.values(), self._themes, self._languages):
            mark_mnemonics(shown)

    def _build(self) -> None:
        for menu, acts in _MENUS.items():
            _fill(self._menus[menu], acts, self._actions)
        for act, role in _ROLES.items():
            self._actions[act].setMenuRole(role)
        for choices, submenu in ((self.themes, self._themes), (self.languages, self._languages)):
            group = QActionGroup(self)
            for action in choices.values():
                action.setCheckable(True)
                group.addAction(action)
                submenu.addAction(action)
            self._menus[Menu.VIEW].addMenu(submenu)
        for act in (Act.SIDEBAR, Act.SOURCES, Act.TRACE, Act.CONTEXT, Act.FULL_SCREEN, Act.PIN):
            self._actions[act].setCheckable(True)
        for act in TIERS:
            self._actions[act].setCheckable(True)

    def _titles(self) -> Mapping[Menu, str]:
        return {
            Menu.FILE: self.tr("&File"),
            Menu.EDIT: self.tr("&Edit"),
            Menu.VIEW: self.tr("&View"),
            Menu.SESSION: self.tr("&Session"),
            Menu.TOOLS: self.tr("&Tools"),
            Menu.HELP: self.tr("&Help"),
        }

    def _labels(self) -> Mapping[Act, str]:
        return {
            Act.NEW_SESSION: self.tr("New session"),
            Act.TEMPORARY: self.tr("New temporary session"),
            Act.CONTINUE: self.tr("Continue this session"),
            Act.IMPORT: self.tr("Import sessions…"),
            Act.EXPORT: self.tr("Export as Markdown…"),
            Act.EXPORT_PAGE: self.tr("Export as a web page…"),
            Act.EXPORT_ALL: self.tr("Export everything in Bellek's format…"),
            Act.BACK_UP: self.tr("Back up the archive…"),
            Act.RESTORE: self.tr("Restore a backup…"),
            Act.QUIT: self.tr("Quit"),
            Act.UNDO: self.tr("Undo"),
            Act.REDO: self.tr("Redo"),
            Act.CUT: self.tr("Cut"),
            Act.COPY: self.tr("Copy"),
            Act.PASTE: self.tr("Paste"),
            Act.SELECT_ALL: self.tr("Select all"),
            Act.FIND: self.tr("Find in this session"),
            Act.FIND_NEXT: self.tr("Find next"),
            Act.FIND_PREVIOUS: self.tr("Find previous"),
            Act.SEARCH: self.tr("Search all sessions"),
            Act.RESULTS: self.tr("All results, with filters"),
            Act.SIDEBAR: self.tr("Sidebar"),
            Act.SOURCES: self.tr("Sources"),
            Act.CONTEXT: self.tr("Last request"),
            Act.TRACE: self.tr("Trace"),
            Act.ZOOM_IN: self.tr("Zoom in"),
            Act.ZOOM_OUT: self.tr("Zoom out"),
            Act.ZOOM_RESET: self.tr("Actual size"),
            Act.FULL_SCREEN: self.tr("Full screen"),
            Act.SEND: self.tr("Send"),
            Act.STOP: self.tr("Stop the answer"),
            Act.WRITE: self.tr("Go to the message field"),
            Act.READ_BESIDE: self.tr("Read a past session side by side"),
            Act.ADD_BESIDE: self.tr("Add a past session to the context"),
            Act.TIER_QUICK: self.tr("Answer quickly"),
            Act.TIER_RESEARCH: self.tr("Research the question"),
            Act.TIER_DEEP: self.tr("Deep research, once"),
            Act.END_SESSION: self.tr("End session"),
            Act.NEXT_SESSION: self.tr("Next session"),
            Act.PREVIOUS_SESSION: self.tr("Previous session"),
            Act.ACTIVE_SESSION: self.tr("Go to the active session"),
            Act.RENAME: self.tr("Rename session"),
            Act.PIN: self.tr("Pin session"),
            Act.COPY_SESSION: self.tr("Copy session"),
            Act.SUMMARIES: self.tr("Summaries of older messages…"),
            Act.LEARN: self.tr("Learn facts from it"),
            Act.MERGE: self.tr("Merge with the previous session"),
            Act.DELETE: self.tr("Delete session"),
            Act.LIBRARY: self.tr("Library…"),
            Act.MEMORY: self.tr("Memory…"),
            Act.MODELS: self.tr("Models…"),
            Act.EXAMPLES: self.tr("Add the sample sessions"),
            Act.SETTINGS: self.tr("Settings…"),
            Act.SHORTCUTS: self.tr("Keyboard shortcuts"),
            Act.WELCOME: self.tr("Welcome…"),
            Act.ABOUT: self.tr("About Bellek"),
        }


def _fill(menu: QMenu, acts: Sequence[Act | None], actions: Mapping[Act, QAction]) -> None:
    for act in acts:
        if act is _BREAK:
            menu.addSeparator()
        else:
            menu.addAction(actions[act])


def _plain(label: str) -> str:
    return label.replace("&", "").rstrip("…")
