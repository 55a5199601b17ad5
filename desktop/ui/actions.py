"""The actions of the window: names, shortcuts and menus."""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from desktop.domain.routing import Tier
from desktop.settings.settings import Settings, Theme, UiLanguage
from desktop.ui.dialogs.shortcuts import BACK_KEYS, FORWARD_KEYS, Shortcut, keys_of
from desktop.ui.theme.theme import MAX_ZOOM, MIN_ZOOM
from desktop.ui.widgets.buttons import PopupMenu, mark_mnemonics

ActionId = StrEnum(
    "ActionId",
    "NEW_SESSION NEW_PROJECT TEMPORARY QUICK CONTINUE IMPORT EXPORT PRINT EXPORT_ALL BACK_UP "
    "RESTORE REPAIR FREE_SPACE PASSPHRASE LOCK QUIT UNDO REDO CUT COPY PASTE SELECT_ALL FIND "
    "FIND_NEXT FIND_PREVIOUS SEARCH RESULTS PALETTE SIDEBAR SOURCES CONTEXT TRACE ZOOM_IN "
    "ZOOM_OUT ZOOM_RESET FULL_SCREEN SEND STOP WRITE READ_BESIDE ADD_BESIDE TIER_AUTOMATIC "
    "TIER_QUICK TIER_RESEARCH TIER_DEEP END_SESSION BACK FORWARD NEXT_SESSION PREVIOUS_SESSION "
    "ACTIVE_SESSION RENAME PIN COPY_SESSION SUMMARIES SESSION_PAGE MERGE LEARN MOVE TAGS DELETE "
    "LIBRARY MEMORY DIARY INSIGHT PROMPTS MODELS EXAMPLES SETTINGS GUIDE SHORTCUTS WELCOME "
    "ABOUT",
)
"""The names under which keys are kept in the settings."""

EDITING = {
    ActionId.UNDO: "undo",
    ActionId.REDO: "redo",
    ActionId.CUT: "cut",
    ActionId.COPY: "copy",
    ActionId.PASTE: "paste",
    ActionId.SELECT_ALL: "selectAll",
}
"""Actions of the focused field, by the method that all fields have for it."""

TIERS: Mapping[ActionId, Tier | None] = {
    ActionId.TIER_AUTOMATIC: None,
    ActionId.TIER_QUICK: Tier.QUICK,
    ActionId.TIER_RESEARCH: Tier.RESEARCH,
    ActionId.TIER_DEEP: Tier.DEEP,
}
"""How much work a question gets, by the user's own choice."""

_OF_ONE_SESSION = (
    ActionId.RENAME,
    ActionId.PIN,
    None,
    ActionId.COPY_SESSION,
    ActionId.EXPORT,
    ActionId.PRINT,
    None,
    ActionId.SESSION_PAGE,
    ActionId.SUMMARIES,
    None,
    ActionId.MOVE,
    ActionId.TAGS,
    ActionId.LEARN,
    ActionId.MERGE,
    ActionId.DELETE,
)
"""Actions on the shown session, besides ending or resuming it."""
_ROLES = {
    ActionId.QUIT: QAction.MenuRole.QuitRole,
    ActionId.SETTINGS: QAction.MenuRole.PreferencesRole,
    ActionId.ABOUT: QAction.MenuRole.AboutRole,
}
_CHECKABLE = (
    ActionId.SIDEBAR,
    ActionId.SOURCES,
    ActionId.TRACE,
    ActionId.CONTEXT,
    ActionId.FULL_SCREEN,
    ActionId.PIN,
    *TIERS,
)
_VIEW = 2  # Place of the View menu
_EVERYWHERE = (
    ActionId.ZOOM_IN,
    ActionId.ZOOM_OUT,
    ActionId.ZOOM_RESET,
    ActionId.PALETTE,
    ActionId.QUICK,
    ActionId.LOCK,
    ActionId.QUIT,
    ActionId.LIBRARY,
    ActionId.MEMORY,
    ActionId.DIARY,
    ActionId.INSIGHT,
    ActionId.PROMPTS,
    ActionId.MODELS,
    ActionId.SETTINGS,
    ActionId.GUIDE,
    ActionId.SHORTCUTS,
)
"""Actions whose keys work in every window: none acts on what the main one shows"""
Row = tuple[ActionId, str, str] | None  # An action, its label and usual keys; None: a line


class WindowActions(QObject):
    """Actions by name; the window names them, connects them and sets their keys."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._actions = {act: QAction(window) for act in ActionId}
        self._translate: Callable[[str], str] | None = None
        self._menus: list[QMenu] = []
        self._themes = QMenu(window)
        self._languages = QMenu(window)
        self.themes = {each: QAction(window) for each in Theme}
        self.languages = {each: QAction(window) for each in UiLanguage}
        for act in _EVERYWHERE:
            self._actions[act].setShortcutContext(Qt.ShortcutContext.ApplicationShortcut)
        self._build()

    def __getitem__(self, act: ActionId) -> QAction:
        return self._actions[act]

    def fill(self, bar: QMenuBar) -> None:
        for menu in self._menus:
            bar.addMenu(menu)

    def add_to_first_menu(self, menu: QMenu) -> None:
        self._menus[0].insertMenu(self._actions[ActionId.PASSPHRASE], menu)

    def menu_of_session(self) -> QMenu:
        menu = PopupMenu(self._window)

        def fill() -> None:
            menu.clear()
            is_past = self._actions[ActionId.CONTINUE].isEnabled()
            first = ActionId.CONTINUE if is_past else ActionId.END_SESSION
            self._fill(menu, (first, None, *_OF_ONE_SESSION))

        menu.aboutToShow.connect(fill)
        fill()
        return menu

    def allow(self, is_allowed: bool, *acts: ActionId) -> None:  # noqa: FBT001 (a Qt setter)
        for act in acts:
            self._actions[act].setEnabled(is_allowed)

    def allow_zooms(self, percent: int) -> None:
        self.allow(percent < MAX_ZOOM, ActionId.ZOOM_IN)
        self.allow(percent > MIN_ZOOM, ActionId.ZOOM_OUT)
        self.allow(percent != Settings().zoom_percent, ActionId.ZOOM_RESET)

    def keys(self, act: ActionId) -> QKeySequence:
        return self._actions[act].shortcut()

    def owns(self, keys: QKeySequence) -> bool:
        """Whether an action has these keys; a field must not handle them then."""
        return any(
            action.isEnabled() and keys in action.shortcuts()
            for act, action in self._actions.items()
            if act not in EDITING and act is not ActionId.STOP
        )

    def apply_keys(self, chosen: Mapping[str, str]) -> None:
        """Set the shortcuts; `chosen`: the user's keys, by name."""
        plus = QKeySequence("Ctrl++")
        for shortcut in self.shortcuts():
            keys = [QKeySequence(keys_of(shortcut, chosen))]
            # A key that types plus without Shift means the same to the user. So does the keypad's
            # Enter, but X11 sends Return for both: the field handles that one.
            if keys[0] == plus:
                keys.append(QKeySequence("Ctrl+="))
            action = self._actions[ActionId(shortcut.name)]
            action.setShortcuts([each for each in keys if not each.isEmpty()])

    def shortcuts(self) -> Sequence[Shortcut]:
        """Return every action in the order of the menus, named in the window's language."""
        return [
            Shortcut(row[0].value, plain(row[1]), plain(title), row[2])
            for title, rows in self._menu_rows()
            for row in rows
            if row is not None
        ]

    def tr(self, text: str, *_: object) -> str:
        return self._translate(text) if self._translate else super().tr(text)

    def names(self, translate: Callable[[str], str]) -> Mapping[str, tuple[str, str]]:
        """Return the label of each action, and its menu, in another language."""
        self._translate = translate
        try:
            named = (*self.shortcuts(), *self.choices())
            return {one.name: (one.text, one.group) for one in named}
        finally:
            self._translate = None

    def choices(self) -> Sequence[Shortcut]:
        """Return the themes and languages, by the names of `action_of`."""
        theme, language = self.tr("Theme"), self.tr("Language")
        system = self.tr("Same as system")
        themes = {Theme.SYSTEM: system, Theme.LIGHT: self.tr("Light"), Theme.DARK: self.tr("Dark")}
        # A language is named in its own language, so that anyone can find it.
        languages = {UiLanguage.SYSTEM: system, UiLanguage.TR: "Türkçe", UiLanguage.EN: "English"}
        return [
            *(Shortcut(f"theme {one}", name, theme, "") for one, name in themes.items()),
            *(Shortcut(f"language {one}", name, language, "") for one, name in languages.items()),
        ]

    def action_of(self, name: str) -> QAction:
        """Return the action of a shortcut or of a choice."""
        kind, _, choice = name.partition(" ")
        if kind == "theme":
            return self.themes[Theme(choice)]
        return self.languages[UiLanguage(choice)] if choice else self._actions[ActionId(name)]

    def retranslate(self) -> None:
        for menu, (title, rows) in zip(self._menus, self._menu_rows(), strict=True):
            menu.setTitle(title)
            for row in rows:
                if row is not None:
                    self._actions[row[0]].setText(row[1])
        self._themes.setTitle(self.tr("Theme"))
        self._languages.setTitle(self.tr("Language"))
        for choice in self.choices():
            self.action_of(choice.name).setText(choice.text)
        for shown in (*self._menus, self._themes, self._languages):
            mark_mnemonics(shown)

    def _build(self) -> None:
        for _, rows in self._menu_rows():
            menu = PopupMenu(self._window)
            self._fill(menu, [row[0] if row else None for row in rows])
            self._menus.append(menu)
        for choices, submenu in ((self.themes, self._themes), (self.languages, self._languages)):
            group = QActionGroup(self)
            for action in choices.values():
                action.setCheckable(True)
                group.addAction(action)
                submenu.addAction(action)
            self._menus[_VIEW].addMenu(submenu)
        for act, role in _ROLES.items():
            self._actions[act].setMenuRole(role)
        for act in _CHECKABLE:
            self._actions[act].setCheckable(True)

    def _fill(self, menu: QMenu, acts: Sequence[ActionId | None]) -> None:
        for act in acts:
            if act is None:
                menu.addSeparator()
            else:
                menu.addAction(self._actions[act])

    def _menu_rows(self) -> Sequence[tuple[str, Sequence[Row]]]:
        return (
            (self.tr("&File"), self._file_rows()),
            (self.tr("&Edit"), self._edit_rows()),
            (self.tr("&View"), self._view_rows()),
            (self.tr("&Session"), self._session_rows()),
            (self.tr("&Tools"), self._tools_rows()),
            (self.tr("&Help"), self._help_rows()),
        )

    def _file_rows(self) -> Sequence[Row]:
        return (
            (ActionId.NEW_SESSION, self.tr("New session"), "Ctrl+N"),
            (ActionId.TEMPORARY, self.tr("New temporary session"), "Ctrl+Shift+N"),
            (ActionId.QUICK, self.tr("Quick question"), ""),
            (ActionId.NEW_PROJECT, self.tr("New project…"), ""),
            None,
            (ActionId.IMPORT, self.tr("Import sessions…"), "Ctrl+O"),
            (ActionId.EXPORT, self.tr("Export…"), "Ctrl+Shift+S"),
            (ActionId.PRINT, self.tr("Print…"), "Ctrl+P"),
            (ActionId.EXPORT_ALL, self.tr("Export everything in Bellek’s format…"), ""),
            None,
            (ActionId.BACK_UP, self.tr("Back up the archive…"), ""),
            (ActionId.RESTORE, self.tr("Restore a backup…"), ""),
            (ActionId.REPAIR, self.tr("Check and repair…"), ""),
            (ActionId.FREE_SPACE, self.tr("Free space…"), ""),
            None,
            (ActionId.PASSPHRASE, self.tr("Passphrase…"), ""),
            (ActionId.LOCK, self.tr("Lock the profile"), "Ctrl+Alt+L"),
            (ActionId.QUIT, self.tr("Quit"), "Ctrl+Q"),
        )

    def _edit_rows(self) -> Sequence[Row]:
        return (
            (ActionId.UNDO, self.tr("Undo"), "Ctrl+Z"),
            (ActionId.REDO, self.tr("Redo"), "Ctrl+Shift+Z"),
            None,
            (ActionId.CUT, self.tr("Cut"), "Ctrl+X"),
            (ActionId.COPY, self.tr("Copy"), "Ctrl+C"),
            (ActionId.PASTE, self.tr("Paste"), "Ctrl+V"),
            (ActionId.SELECT_ALL, self.tr("Select all"), "Ctrl+A"),
            None,
            (ActionId.FIND, self.tr("Find in this session"), "Ctrl+F"),
            (ActionId.FIND_NEXT, self.tr("Find next"), "F3"),
            (ActionId.FIND_PREVIOUS, self.tr("Find previous"), "Shift+F3"),
            None,
            (ActionId.SEARCH, self.tr("Search all sessions"), "Ctrl+K"),
            (ActionId.RESULTS, self.tr("All results, with filters"), "Ctrl+Shift+F"),
            (ActionId.PALETTE, self.tr("Command palette"), "Ctrl+Shift+P"),
        )

    def _view_rows(self) -> Sequence[Row]:
        return (
            (ActionId.SIDEBAR, self.tr("Sidebar"), "Ctrl+B"),
            (ActionId.SOURCES, self.tr("Sources"), "Ctrl+Shift+B"),
            (ActionId.TRACE, self.tr("Trace"), "Ctrl+Shift+T"),
            (ActionId.CONTEXT, self.tr("Last request"), "Ctrl+Shift+I"),
            None,
            (ActionId.BACK, self.tr("Back"), BACK_KEYS),
            (ActionId.FORWARD, self.tr("Forward"), FORWARD_KEYS),
            None,
            (ActionId.ZOOM_IN, self.tr("Zoom in"), "Ctrl++"),
            (ActionId.ZOOM_OUT, self.tr("Zoom out"), "Ctrl+-"),
            (ActionId.ZOOM_RESET, self.tr("Actual size"), "Ctrl+0"),
            None,
            (ActionId.FULL_SCREEN, self.tr("Full screen"), "F11"),
        )

    def _session_rows(self) -> Sequence[Row]:
        return (
            (ActionId.SEND, self.tr("Send"), "Ctrl+Return"),
            (ActionId.STOP, self.tr("Stop the answer"), "Esc"),
            (ActionId.WRITE, self.tr("Go to the message field"), "Ctrl+L"),
            None,
            (ActionId.TIER_AUTOMATIC, self.tr("Automatic depth"), "Ctrl+4"),
            (ActionId.TIER_QUICK, self.tr("Quick answer"), "Ctrl+1"),
            (ActionId.TIER_RESEARCH, self.tr("Research"), "Ctrl+2"),
            (ActionId.TIER_DEEP, self.tr("Deep research (next question only)"), "Ctrl+3"),
            None,
            (ActionId.READ_BESIDE, self.tr("Open a past session in a side panel"), "Ctrl+Shift+K"),
            (
                ActionId.ADD_BESIDE,
                self.tr("Attach a past session to the question"),
                "Ctrl+Shift+A",
            ),
            None,
            (ActionId.END_SESSION, self.tr("End session"), "Ctrl+E"),
            (ActionId.CONTINUE, self.tr("Continue this session"), ""),
            None,
            (ActionId.NEXT_SESSION, self.tr("Next session"), "Ctrl+PgDown"),
            (ActionId.PREVIOUS_SESSION, self.tr("Previous session"), "Ctrl+PgUp"),
            (ActionId.ACTIVE_SESSION, self.tr("Go to the active session"), "Ctrl+Home"),
            None,
            (ActionId.RENAME, self.tr("Rename session"), ""),
            (ActionId.PIN, self.tr("Pin session"), "Ctrl+D"),
            (ActionId.COPY_SESSION, self.tr("Copy session"), "Ctrl+Shift+C"),
            (ActionId.SESSION_PAGE, self.tr("About this session"), "Ctrl+I"),
            (ActionId.SUMMARIES, self.tr("Summaries of older messages…"), ""),
            None,
            (ActionId.LEARN, self.tr("Learn facts from session"), ""),
            (ActionId.MERGE, self.tr("Merge with the previous session…"), ""),
            (ActionId.MOVE, self.tr("Move to project…"), "Ctrl+M"),
            (ActionId.TAGS, self.tr("Tags…"), ""),
            (ActionId.DELETE, self.tr("Delete session"), ""),
        )

    def _tools_rows(self) -> Sequence[Row]:
        return (
            (ActionId.LIBRARY, self.tr("Library…"), "Ctrl+Shift+L"),
            (ActionId.MEMORY, self.tr("Memory…"), "Ctrl+Shift+M"),
            (ActionId.DIARY, self.tr("Diary…"), "Ctrl+Shift+D"),
            (ActionId.INSIGHT, self.tr("Overview…"), "Ctrl+Shift+G"),
            None,
            (ActionId.PROMPTS, self.tr("Prompts…"), ""),
            (ActionId.MODELS, self.tr("Models…"), ""),
            (ActionId.EXAMPLES, self.tr("Add the sample sessions"), ""),
            None,
            (ActionId.SETTINGS, self.tr("Settings…"), "Ctrl+,"),
        )

    def _help_rows(self) -> Sequence[Row]:
        return (
            (ActionId.GUIDE, self.tr("User’s guide"), "F1"),
            (ActionId.SHORTCUTS, self.tr("Keyboard shortcuts"), "Ctrl+F1"),
            (ActionId.WELCOME, self.tr("Welcome…"), ""),
            None,
            (ActionId.ABOUT, self.tr("About Bellek"), ""),
        )


def plain(label: str) -> str:
    """Return the text of a menu entry or a field's label without its marks."""
    return label.replace("&", "").rstrip("…")
