"""The actions of the window: each is one record of the part that owns it; menus name its id."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from desktop.domain.frozen import dataclass
from desktop.domain.sessions import Session
from desktop.ui.dialogs.shortcuts import Shortcut, keys_of
from desktop.ui.widgets.buttons import PopupMenu, mark_mnemonics

Translate = Callable[[str, str], str]  # Of a context and an English text


@dataclass(frozen=True, slots=True)
class Situation:
    """What decides which actions are possible."""

    is_open: bool = False  # Whether the profile is open
    shown: Session | None = None
    active: Session | None = None
    is_past: bool = False  # Whether the shown session is a past one
    are_several: bool = False  # Whether several sessions are selected in the list

    @property
    def is_kept(self) -> bool:
        return self.shown is not None and not self.shown.is_temporary


When = Callable[[Situation], bool]


def always(_: Situation) -> bool:
    return True


def when_open(now: Situation) -> bool:
    return now.is_open


def when_shown(now: Situation) -> bool:
    return now.shown is not None


def when_one(now: Situation) -> bool:
    return now.is_kept and not now.are_several


def when_chosen(now: Situation) -> bool:
    """Whether there are sessions for an action that takes one or several."""
    return now.is_kept or now.are_several


def when_past(now: Situation) -> bool:
    return now.is_kept and now.is_past


@dataclass(frozen=True, slots=True)
class Action:
    id: str  # The settings keep its keys under this name
    title: str  # English, marked by QT_TR_NOOP
    keys: str  # Usual keys as portable text; empty if none
    run: Callable[[], object]
    when: When = always
    is_checked: Callable[[Situation], bool] | None = None  # None: it cannot be checked
    is_everywhere: bool = False
    """Whether its keys work in every window, because it acts on nothing in the main one"""


everywhere = partial(Action, is_everywhere=True)


def possible(when: When, *rows: tuple[str, str, str, Callable[[], object]]) -> list[Action]:
    """Return actions that are possible at the same times; a row: id, title, keys, function."""
    return [Action(*row, when) for row in rows]


def QT_TR_NOOP(text: str) -> str:
    return text


_MENUS = {
    QT_TR_NOOP(
        "&File"
    ): "new_session temporary quick new_project project_page | import import_folder "
    "export write_note print export_all | back_up restore repair free_space | "
    "devices publish take_back | passphrase lock quit",
    QT_TR_NOOP("&Edit"): "undo redo | cut copy paste select_all | find find_next find_previous | "
    "search results palette",
    QT_TR_NOOP("&View"): "sidebar sources trace context | back forward | zoom_in zoom_out "
    "zoom_reset | compact_list full_screen",
    QT_TR_NOOP("&Session"): "send stop write | tier_automatic tier_quick tier_research tier_deep "
    "| read_beside add_beside compare | end_session continue | next_session previous_session "
    "active_session | rename pin copy_session session_page summaries | learn merge move tags "
    "| delete",
    QT_TR_NOOP(
        "&Tools"
    ): "library literature notes watched_folders | memory proposals diary insight | "
    "prompts models examples | settings",
    QT_TR_NOOP("&Help"): "guide shortcuts welcome | about",
}
_OF_ONE_SESSION = (
    "rename pin | copy_session export write_note print | session_page summaries | move tags learn "
    "merge | publish take_back | delete"
)
"""Actions on the shown session, besides ending or resuming it."""
_CHOICES = {"theme": QT_TR_NOOP("Theme"), "language": QT_TR_NOOP("Language")}
"""Submenus of the View menu: actions of which one is chosen, by the first word of their ids."""
_VIEW, _LINE = 2, "|"
_ROLES = {
    "quit": QAction.MenuRole.QuitRole,
    "settings": QAction.MenuRole.PreferencesRole,
    "about": QAction.MenuRole.AboutRole,
}


class WindowActions(QObject):
    """Makes Qt's actions of the records, fills the menus, and keeps both up to date."""

    refreshed = Signal()  # What is possible now is known

    def __init__(self, situation: Callable[[], Situation], window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._situation = situation
        self._records: dict[str, Action] = {}
        self._actions: dict[str, QAction] = {}
        self._menus: list[QMenu] = []
        self._submenus: list[QMenu] = []

    def __getitem__(self, act: str) -> QAction:
        return self._actions[act]

    def __iter__(self) -> Iterator[str]:
        """Return the ids in the order of the menus."""
        return (act for ids in _MENUS.values() for act in ids.split() if act != _LINE)

    def add(self, *records: Action) -> None:
        for record in records:
            action = QAction(self._window)
            action.setCheckable(record.is_checked is not None)
            action.setMenuRole(_ROLES.get(record.id, QAction.MenuRole.TextHeuristicRole))
            if record.is_everywhere:
                action.setShortcutContext(Qt.ShortcutContext.ApplicationShortcut)
            action.triggered.connect(lambda _=False, run=record.run: run())
            self._records[record.id], self._actions[record.id] = record, action

    def fill(self, bar: QMenuBar) -> None:
        """Fill the menus when all records are here."""
        for ids in _MENUS.values():
            menu = PopupMenu(self._window)
            self._fill(menu, ids)
            self._menus.append(menu)
            bar.addMenu(menu)
        for kind in _CHOICES:
            submenu, group = QMenu(self._window), QActionGroup(self)
            for act, action in self._actions.items():
                if act.startswith(f"{kind} "):
                    submenu.addAction(group.addAction(action))
            self._submenus.append(submenu)
            self._menus[_VIEW].addMenu(submenu)

    def add_to_first_menu(self, menu: QMenu) -> None:
        self._menus[0].insertMenu(self._actions["passphrase"], menu)

    def menu_of_session(self) -> QMenu:
        menu = PopupMenu(self._window)

        def fill() -> None:
            menu.clear()
            first = "continue" if self._actions["continue"].isEnabled() else "end_session"
            self._fill(menu, f"{first} | {_OF_ONE_SESSION}")

        menu.aboutToShow.connect(fill)
        fill()
        return menu

    def refresh(self) -> None:
        """Show what is possible now, and what is chosen."""
        now = self._situation()
        for act, record in self._records.items():
            action = self._actions[act]
            action.setEnabled(record.when(now))
            if record.is_checked is not None:
                action.setChecked(record.is_checked(now))
        self.refreshed.emit()

    def trigger(self, act: str) -> None:
        self._actions[act].trigger()

    def keys(self, act: str) -> QKeySequence:
        return self._actions[act].shortcut()

    def owns(self, keys: QKeySequence, *, without: Sequence[str]) -> bool:
        """Whether an action has these keys; a field must not handle them then."""
        return any(
            action.isEnabled() and keys in action.shortcuts()
            for act, action in self._actions.items()
            if act not in without
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
            self._actions[shortcut.name].setShortcuts(
                [each for each in keys if not each.isEmpty()]
            )

    def shortcuts(self, translate: Translate = QCoreApplication.translate) -> Sequence[Shortcut]:
        """Return every action in the order of the menus, in the window's or another language."""
        return [
            self._named(act, plain(translate("", menu)), translate)
            for menu, ids in _MENUS.items()
            for act in ids.split()
            if act != _LINE
        ]

    def choices(self, translate: Translate = QCoreApplication.translate) -> Sequence[Shortcut]:
        """Return the themes and languages, named as `shortcuts` names the other actions."""
        return [
            self._named(act, translate("", _CHOICES[kind]), translate)
            for act in self._records
            for kind in (act.partition(" ")[0],)
            if kind in _CHOICES
        ]

    def retranslate(self) -> None:
        titles = (*_MENUS, *_CHOICES.values())
        for menu, title in zip((*self._menus, *self._submenus), titles, strict=True):
            menu.setTitle(QCoreApplication.translate("", title))
        for act, record in self._records.items():
            self._actions[act].setText(QCoreApplication.translate("", record.title))
        for menu in (*self._menus, *self._submenus):
            mark_mnemonics(menu)

    def _named(self, act: str, group: str, translate: Translate) -> Shortcut:
        record = self._records[act]
        return Shortcut(act, plain(translate("", record.title)), group, record.keys)

    def _fill(self, menu: QMenu, ids: str) -> None:
        for act in ids.split():
            if act == _LINE:
                menu.addSeparator()
            else:
                menu.addAction(self._actions[act])


def plain(label: str) -> str:
    """Return the text of a menu entry or a field's label without its marks."""
    return label.replace("&", "").rstrip("…")
