"""The actions of the window: names, shortcuts and menus."""

from collections.abc import Mapping, Sequence
from enum import StrEnum

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from desktop.domain.tiers import Tier
from desktop.settings.settings import Theme, UiLanguage
from desktop.ui.dialogs.shortcuts import Shortcut, keys_of
from desktop.ui.widgets.menus import PopupMenu, mark_mnemonics


class ActionId(StrEnum):
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


EDITING = (
    ActionId.UNDO,
    ActionId.REDO,
    ActionId.CUT,
    ActionId.COPY,
    ActionId.PASTE,
    ActionId.SELECT_ALL,
)
"""What the field with the focus does itself."""

_KEYS: Mapping[ActionId, str] = {
    ActionId.NEW_SESSION: "Ctrl+N",
    ActionId.TEMPORARY: "Ctrl+Shift+N",
    ActionId.IMPORT: "Ctrl+O",
    ActionId.EXPORT: "Ctrl+Shift+S",
    ActionId.QUIT: "Ctrl+Q",
    ActionId.UNDO: "Ctrl+Z",
    ActionId.REDO: "Ctrl+Shift+Z",
    ActionId.CUT: "Ctrl+X",
    ActionId.COPY: "Ctrl+C",
    ActionId.PASTE: "Ctrl+V",
    ActionId.SELECT_ALL: "Ctrl+A",
    ActionId.FIND: "Ctrl+F",
    ActionId.FIND_NEXT: "F3",
    ActionId.FIND_PREVIOUS: "Shift+F3",
    ActionId.SEARCH: "Ctrl+K",
    ActionId.RESULTS: "Ctrl+Shift+F",
    ActionId.SIDEBAR: "Ctrl+B",
    ActionId.SOURCES: "Ctrl+Shift+B",
    ActionId.CONTEXT: "Ctrl+Shift+I",
    ActionId.TRACE: "Ctrl+Shift+T",
    ActionId.ZOOM_IN: "Ctrl++",
    ActionId.ZOOM_OUT: "Ctrl+-",
    ActionId.ZOOM_RESET: "Ctrl+0",
    ActionId.FULL_SCREEN: "F11",
    ActionId.SEND: "Ctrl+Return",
    ActionId.STOP: "Esc",
    ActionId.WRITE: "Ctrl+L",
    ActionId.READ_BESIDE: "Ctrl+Shift+K",
    ActionId.ADD_BESIDE: "Ctrl+Shift+A",
    ActionId.TIER_QUICK: "Ctrl+1",
    ActionId.TIER_RESEARCH: "Ctrl+2",
    ActionId.TIER_DEEP: "Ctrl+3",
    ActionId.END_SESSION: "Ctrl+E",
    ActionId.NEXT_SESSION: "Ctrl+PgDown",
    ActionId.PREVIOUS_SESSION: "Ctrl+PgUp",
    ActionId.ACTIVE_SESSION: "Ctrl+Home",
    ActionId.PIN: "Ctrl+D",
    ActionId.LIBRARY: "Ctrl+Shift+L",
    ActionId.MEMORY: "Ctrl+Shift+M",
    ActionId.COPY_SESSION: "Ctrl+Shift+C",
    ActionId.SETTINGS: "Ctrl+,",
    ActionId.SHORTCUTS: "F1",
}

TIERS: Mapping[ActionId, Tier] = {
    ActionId.TIER_QUICK: Tier.QUICK,
    ActionId.TIER_RESEARCH: Tier.RESEARCH,
    ActionId.TIER_DEEP: Tier.DEEP,
}
"""How much work a question gets, by the user's own choice."""

_BREAK = None
_MENUS: Mapping[Menu, Sequence[ActionId | None]] = {
    Menu.FILE: (
        *(ActionId.NEW_SESSION, ActionId.TEMPORARY, _BREAK),
        *(ActionId.IMPORT, ActionId.EXPORT, ActionId.EXPORT_PAGE, ActionId.EXPORT_ALL, _BREAK),
        *(ActionId.BACK_UP, ActionId.RESTORE, _BREAK, ActionId.QUIT),
    ),
    Menu.EDIT: (
        *(*EDITING[:2], _BREAK, *EDITING[2:], _BREAK),
        *(
            ActionId.FIND,
            ActionId.FIND_NEXT,
            ActionId.FIND_PREVIOUS,
            _BREAK,
            ActionId.SEARCH,
            ActionId.RESULTS,
        ),
    ),
    Menu.VIEW: (
        *(ActionId.SIDEBAR, ActionId.SOURCES, ActionId.TRACE, ActionId.CONTEXT, _BREAK),
        *(ActionId.ZOOM_IN, ActionId.ZOOM_OUT, ActionId.ZOOM_RESET, _BREAK),
        ActionId.FULL_SCREEN,
    ),
    Menu.SESSION: (
        *(ActionId.SEND, ActionId.STOP, ActionId.WRITE, _BREAK),
        *(ActionId.TIER_QUICK, ActionId.TIER_RESEARCH, ActionId.TIER_DEEP, _BREAK),
        *(ActionId.READ_BESIDE, ActionId.ADD_BESIDE, _BREAK),
        *(ActionId.END_SESSION, ActionId.CONTINUE, _BREAK),
        *(ActionId.NEXT_SESSION, ActionId.PREVIOUS_SESSION, ActionId.ACTIVE_SESSION, _BREAK),
        *(ActionId.RENAME, ActionId.PIN, ActionId.COPY_SESSION, ActionId.SUMMARIES, _BREAK),
        *(ActionId.LEARN, ActionId.MERGE, ActionId.DELETE),
    ),
    Menu.TOOLS: (
        ActionId.LIBRARY,
        ActionId.MEMORY,
        _BREAK,
        ActionId.MODELS,
        ActionId.EXAMPLES,
        _BREAK,
        ActionId.SETTINGS,
    ),
    Menu.HELP: (ActionId.SHORTCUTS, ActionId.WELCOME, _BREAK, ActionId.ABOUT),
}
_OF_ONE_SESSION: Sequence[ActionId | None] = (
    *(
        ActionId.RENAME,
        ActionId.PIN,
        _BREAK,
        ActionId.COPY_SESSION,
        ActionId.EXPORT,
        ActionId.EXPORT_PAGE,
        _BREAK,
    ),
    *(ActionId.SUMMARIES, _BREAK, ActionId.LEARN, ActionId.MERGE, ActionId.DELETE),
)
"""What can be done with the session that is shown, besides ending or continuing it."""
_ROLES = {
    ActionId.QUIT: QAction.MenuRole.QuitRole,
    ActionId.SETTINGS: QAction.MenuRole.PreferencesRole,
    ActionId.ABOUT: QAction.MenuRole.AboutRole,
}


class WindowActions(QObject):
    """Actions by name; the window connects them and says which of them make sense."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._actions = {act: QAction(window) for act in ActionId}
        self._menus: Mapping[Menu, QMenu] = {menu: PopupMenu(window) for menu in Menu}
        self._themes = QMenu(window)
        self._languages = QMenu(window)
        self.themes = {each: QAction(window) for each in Theme}
        self.languages = {each: QAction(window) for each in UiLanguage}
        self._build()
        self.apply_keys({})
        self.retranslate()

    def __getitem__(self, act: ActionId) -> QAction:
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
        is_past = self._actions[ActionId.CONTINUE].isEnabled()
        acts = (ActionId.CONTINUE if is_past else ActionId.END_SESSION, _BREAK, *_OF_ONE_SESSION)
        _fill(menu, acts, self._actions)

    def allow(self, acts: Mapping[ActionId, bool]) -> None:
        for act, is_allowed in acts.items():
            self._actions[act].setEnabled(is_allowed)

    def keys(self, act: ActionId) -> QKeySequence:
        return self._actions[act].shortcut()

    def owns(self, keys: QKeySequence) -> bool:
        """Whether an action would take these keys; a field must not swallow them then."""
        return any(
            action.isEnabled() and keys in action.shortcuts()
            for act, action in self._actions.items()
            if act not in EDITING and act is not ActionId.STOP
        )

    def apply_keys(self, chosen: Mapping[str, str]) -> None:
        """`chosen`: what the user has set, by name."""
        for shortcut in self.shortcuts():
            act = ActionId(shortcut.name)
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
        for act in (
            ActionId.SIDEBAR,
            ActionId.SOURCES,
            ActionId.TRACE,
            ActionId.CONTEXT,
            ActionId.FULL_SCREEN,
            ActionId.PIN,
        ):
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

    def _labels(self) -> Mapping[ActionId, str]:
        return {
            ActionId.NEW_SESSION: self.tr("New session"),
            ActionId.TEMPORARY: self.tr("New temporary session"),
            ActionId.CONTINUE: self.tr("Continue this session"),
            ActionId.IMPORT: self.tr("Import sessions…"),
            ActionId.EXPORT: self.tr("Export as Markdown…"),
            ActionId.EXPORT_PAGE: self.tr("Export as a web page…"),
            ActionId.EXPORT_ALL: self.tr("Export everything in Bellek's format…"),
            ActionId.BACK_UP: self.tr("Back up the archive…"),
            ActionId.RESTORE: self.tr("Restore a backup…"),
            ActionId.QUIT: self.tr("Quit"),
            ActionId.UNDO: self.tr("Undo"),
            ActionId.REDO: self.tr("Redo"),
            ActionId.CUT: self.tr("Cut"),
            ActionId.COPY: self.tr("Copy"),
            ActionId.PASTE: self.tr("Paste"),
            ActionId.SELECT_ALL: self.tr("Select all"),
            ActionId.FIND: self.tr("Find in this session"),
            ActionId.FIND_NEXT: self.tr("Find next"),
            ActionId.FIND_PREVIOUS: self.tr("Find previous"),
            ActionId.SEARCH: self.tr("Search all sessions"),
            ActionId.RESULTS: self.tr("All results, with filters"),
            ActionId.SIDEBAR: self.tr("Sidebar"),
            ActionId.SOURCES: self.tr("Sources"),
            ActionId.CONTEXT: self.tr("Last request"),
            ActionId.TRACE: self.tr("Trace"),
            ActionId.ZOOM_IN: self.tr("Zoom in"),
            ActionId.ZOOM_OUT: self.tr("Zoom out"),
            ActionId.ZOOM_RESET: self.tr("Actual size"),
            ActionId.FULL_SCREEN: self.tr("Full screen"),
            ActionId.SEND: self.tr("Send"),
            ActionId.STOP: self.tr("Stop the answer"),
            ActionId.WRITE: self.tr("Go to the message field"),
            ActionId.READ_BESIDE: self.tr("Read a past session side by side"),
            ActionId.ADD_BESIDE: self.tr("Add a past session to the context"),
            ActionId.TIER_QUICK: self.tr("Answer quickly"),
            ActionId.TIER_RESEARCH: self.tr("Research the question"),
            ActionId.TIER_DEEP: self.tr("Deep research, once"),
            ActionId.END_SESSION: self.tr("End session"),
            ActionId.NEXT_SESSION: self.tr("Next session"),
            ActionId.PREVIOUS_SESSION: self.tr("Previous session"),
            ActionId.ACTIVE_SESSION: self.tr("Go to the active session"),
            ActionId.RENAME: self.tr("Rename session"),
            ActionId.PIN: self.tr("Pin session"),
            ActionId.COPY_SESSION: self.tr("Copy session"),
            ActionId.SUMMARIES: self.tr("Summaries of older messages…"),
            ActionId.LEARN: self.tr("Learn facts from it"),
            ActionId.MERGE: self.tr("Merge with the previous session"),
            ActionId.DELETE: self.tr("Delete session"),
            ActionId.LIBRARY: self.tr("Library…"),
            ActionId.MEMORY: self.tr("Memory…"),
            ActionId.MODELS: self.tr("Models…"),
            ActionId.EXAMPLES: self.tr("Add the sample sessions"),
            ActionId.SETTINGS: self.tr("Settings…"),
            ActionId.SHORTCUTS: self.tr("Keyboard shortcuts"),
            ActionId.WELCOME: self.tr("Welcome…"),
            ActionId.ABOUT: self.tr("About Bellek"),
        }


def _fill(
    menu: QMenu, acts: Sequence[ActionId | None], actions: Mapping[ActionId, QAction]
) -> None:
    for act in acts:
        if act is _BREAK:
            menu.addSeparator()
        else:
            menu.addAction(actions[act])


def _plain(label: str) -> str:
    return label.replace("&", "").rstrip("…")
