"""What is chosen below the message field: the tier, the model, and what is attached."""

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QMenu,
    QRadioButton,
    QSizePolicy,
    QWidget,
)

from desktop.domain.endpoints import ConnectionStatus, Endpoint, EndpointId, ModelChoice, ModelInfo
from desktop.domain.errors import AppError
from desktop.domain.ids import SessionId
from desktop.domain.routing import Tier
from desktop.domain.sessions import Session
from desktop.ui.actions import QT_TR_NOOP, Action
from desktop.ui.i18n import TranslatedWidget
from desktop.ui.services import Worker
from desktop.ui.session.controller import SessionController
from desktop.ui.theme.theme import Glyph, ThemeController
from desktop.ui.widgets.buttons import Button, PopupMenu
from desktop.ui.widgets.layouts import frame_with, row
from desktop.ui.widgets.plain_text import set_tip, tip

Choice = Tier | None
TIERS: Mapping[str, Choice] = {
    "tier_automatic": None,
    "tier_quick": Tier.QUICK,
    "tier_research": Tier.RESEARCH,
    "tier_deep": Tier.DEEP,
}
"""How much work a question gets, by the action that chooses it."""
_BY_TAB = Qt.FocusPolicy.TabFocus  # A click leaves the focus where the user writes


class TierChoice(TranslatedWidget, QWidget):
    """Shows all choices side by side, or the current one with a menu if there is no room.

    Deep holds for one question: it takes minutes and money, so it never stays on by mistake.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tier: Choice = None
        self._is_marked = False  # The menu marks a depth from the first choice on
        self._row = frame_with("segments")
        self._buttons = {choice: QRadioButton(self._row) for choice in TIERS.values()}
        self._drop_down = Button("choice", self)
        self._actions = {choice: QAction(self) for choice in TIERS.values()}
        self._keys: Mapping[Choice, QKeySequence] = {}
        self._build()
        self.retranslate()

    @property
    def stops(self) -> Sequence[QAbstractButton]:
        """Return what Tab may reach; in the row, Qt stops at the checked button only."""
        return (*self._buttons.values(), self._drop_down)

    def records(self) -> Sequence[Action]:
        def of(act: str, title: str, keys: str) -> Action:
            tier = TIERS[act]
            is_checked = lambda _: self._is_marked and tier is self.tier  # noqa: E731
            return Action(act, title, keys, partial(self.choose, tier), is_checked=is_checked)

        return (
            of("tier_automatic", QT_TR_NOOP("Automatic depth"), "Ctrl+4"),
            of("tier_quick", QT_TR_NOOP("Quick answer"), "Ctrl+1"),
            of("tier_research", QT_TR_NOOP("Research"), "Ctrl+2"),
            of("tier_deep", QT_TR_NOOP("Deep research (next question only)"), "Ctrl+3"),
        )

    def choose(self, tier: Choice) -> None:
        """Choose a tier; choosing the current one again clears the choice."""
        self._set(None if tier is self.tier else tier)

    def take(self) -> Choice:
        """Return the tier for the question being sent, and reset Deep."""
        taken = self.tier
        if taken is Tier.DEEP:
            self._set(None)
        return taken

    def fit(self, room: int) -> None:
        """Show the row of buttons if it fits into `room` pixels, else the menu."""
        has_room = self._row.sizeHint().width() <= room
        if has_room is self._row.isVisibleTo(self):
            return
        had_focus = any(button.hasFocus() for button in self.stops)
        self._row.setVisible(has_room)
        self._drop_down.setVisible(not has_room)
        if had_focus:
            shown = self._buttons[self.tier] if has_room else self._drop_down
            shown.setFocus(Qt.FocusReason.OtherFocusReason)

    def minimumSizeHint(self) -> QSize:
        """Return the size of the menu, so that the window can become narrow."""
        return self._drop_down.minimumSizeHint()

    def set_hints(self, keys: Mapping[Choice, QKeySequence]) -> None:
        self._keys = keys
        self.retranslate()

    def retranslate(self) -> None:
        effort = self.tr("Depth: {tier}")
        self._row.setAccessibleName(self.tr("Depth"))
        for choice, (name, hint) in self._words().items():
            keys = self._keys.get(choice, QKeySequence())
            shown = keys.toString(QKeySequence.SequenceFormat.NativeText)
            button, action = self._buttons[choice], self._actions[choice]
            action.setText(f"{name}\t{shown}" if shown else name)
            action.setToolTip(tip(hint))
            button.setText(name)
            button.setToolTip(tip(f"{hint} ({shown})" if shown else hint))
            button.setAccessibleName(effort.format(tier=name))
            is_chosen = choice is self.tier
            button.setFocusPolicy(_BY_TAB if is_chosen else Qt.FocusPolicy.NoFocus)
            if is_chosen:
                button.setChecked(True)
                action.setChecked(True)
                self._drop_down.setText(name)
                self._drop_down.setToolTip(tip(hint))
                self._drop_down.setAccessibleName(button.accessibleName())

    def _build(self) -> None:
        menu, one_button, one_action = QMenu(self), QButtonGroup(self), QActionGroup(self)
        menu.setToolTipsVisible(True)
        for choice, button in self._buttons.items():
            button.setProperty("kind", "segment")
            button.setCursor(Qt.CursorShape.PointingHandCursor)
            button.clicked.connect(lambda _=False, choice=choice: self._set(choice))
            one_button.addButton(button)
            action = self._actions[choice]
            action.setCheckable(True)
            action.triggered.connect(lambda _=False, choice=choice: self._set(choice))
            one_action.addAction(action)
            menu.addAction(action)
        self._row.setLayout(row(*self._buttons.values(), spacing=0))
        self._drop_down.setMenu(menu)
        self._drop_down.hide()
        self.setLayout(row(self._row, self._drop_down))

    def _set(self, tier: Choice) -> None:
        self.tier, self._is_marked = tier, True
        self.retranslate()
        self.changed.emit()

    def _words(self) -> Mapping[Choice, tuple[str, str]]:
        return {
            None: (
                self.tr("Automatic"),
                self.tr("Bellek chooses the depth for each question and explains the choice."),
            ),
            Tier.QUICK: (
                self.tr("Quick"),
                self.tr("Searches the library and past sessions once, and the web at most twice."),
            ),
            Tier.RESEARCH: (
                self.tr("Research"),
                self.tr(
                    "Splits the question into a few sub-questions, reads some pages and checks "
                    "for gaps once."
                ),
            ),
            Tier.DEEP: (
                self.tr("Deep"),
                self.tr(
                    "Makes a plan that you can change, checks the evidence word for word and "
                    "writes a report. Applies only to the next question."
                ),
            ),
        }


class AttachButton(TranslatedWidget, Button):
    pictures_wanted = Signal()
    screenshot_wanted = Signal()
    files_wanted = Signal()
    folder_wanted = Signal()
    page_wanted = Signal()

    def __init__(self, theme: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__("link", parent)
        self._theme = theme
        self._worded, self._bare = QSize(), QSize()
        self._menu = PopupMenu(self)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self._offer)
        theme.theme_changed.connect(self._colour)
        self._colour()
        self.retranslate()

    def sizeHint(self) -> QSize:
        return self._worded

    def minimumSizeHint(self) -> QSize:
        return self._bare

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_word()

    def retranslate(self) -> None:
        self._measure()
        self.setAccessibleName(self.tr("Add pictures and documents"))
        set_tip(self, self.accessibleName())
        self._menu.clear()
        self._menu.addAction(self.tr("Picture or document…"), self.pictures_wanted.emit)
        self._menu.addAction(self.tr("Screenshot"), self.screenshot_wanted.emit)
        self._menu.addSeparator()
        self._menu.addAction(self.tr("Documents for the library…"), self.files_wanted.emit)
        self._menu.addAction(self.tr("Folder…"), self.folder_wanted.emit)
        self._menu.addAction(self.tr("Web page…"), self.page_wanted.emit)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._measure()

    def _measure(self) -> None:
        self.setText("")
        self._bare = super().sizeHint()
        self.setText(self.tr("Add"))
        self._worded = super().sizeHint()
        self.updateGeometry()
        self._show_word()

    def _show_word(self) -> None:
        self.setText(self.tr("Add") if self.width() >= self._worded.width() else "")

    def _offer(self) -> None:
        self._menu.popup(self.mapToGlobal(QPoint(0, -self._menu.sizeHint().height())))

    def _colour(self) -> None:
        self.setIcon(self._theme.icon(Glyph.PLUS))
        self.setIconSize(self._theme.icon_size * 0.8)
        self._measure()


_LONGEST = 22


def short_model(name: str) -> str:
    """Return the name of a model without its owner, cut to a length that buttons have room for."""
    own = name.rpartition("/")[2]
    return f"{own[: _LONGEST - 1]}…" if len(own) > _LONGEST else own


class ModelMenus(QObject):
    """A menu of endpoints, with the models of each, which are asked for when it is opened."""

    chosen = Signal(object)  # ModelChoice

    def __init__(self, menu: PopupMenu, worker: Worker) -> None:
        super().__init__(menu)
        self._menu, self._worker = menu, worker
        self.lists: dict[EndpointId, QMenu] = {}
        self._current: ModelChoice | None = None

    def fill(self, current: ModelChoice | None) -> None:
        """Add the endpoints to the menu; `current`: the choice that is marked."""
        self._current = current
        for submenu in self.lists.values():
            submenu.deleteLater()
        self.lists.clear()
        for endpoint in self._worker.services.settings().endpoints:
            submenu = QMenu(endpoint.name.replace("&", "&&"), self._menu)
            submenu.aboutToShow.connect(partial(self._load, endpoint))
            self.lists[endpoint.id] = submenu
            self._menu.addMenu(submenu)

    def _load(self, endpoint: Endpoint) -> None:
        """Ask the endpoint for its models, since the user opened its menu."""
        submenu = self.lists[endpoint.id]
        if submenu.actions():
            return
        submenu.addAction(self.tr("Loading the list…")).setEnabled(False)
        self._worker.do(
            lambda services: services.models.list_models(endpoint),
            partial(self._show_list, endpoint, submenu),
            failed=partial(self._show_problem, endpoint, submenu),
        )

    def _show_list(self, endpoint: Endpoint, submenu: QMenu, models: Sequence[ModelInfo]) -> None:
        if self.lists.get(endpoint.id) is not submenu:
            return
        actions = [self._action(submenu, ModelChoice(endpoint.id, model.id)) for model in models]
        self._fill(submenu, actions or [QAction(self.tr("No models"), submenu)])

    def _show_problem(self, endpoint: Endpoint, submenu: QMenu, error: AppError) -> None:
        if self.lists.get(endpoint.id) is submenu:
            words = self._worker.services.texts().error(error)
            problem = QAction(words.replace("&", "&&"), submenu)
            problem.setEnabled(False)
            self._fill(submenu, [problem])

    def _fill(self, submenu: QMenu, actions: Sequence[QAction]) -> None:
        submenu.clear()
        submenu.addActions(actions)

    def _action(self, submenu: QMenu, choice: ModelChoice) -> QAction:
        action = QAction(choice.model.replace("&", "&&"), submenu)
        action.setCheckable(True)
        action.setChecked(choice == self._current)
        action.triggered.connect(lambda _=False: self.chosen.emit(choice))
        return action


class ModelChooser(QObject):
    """A choice holds for its session, for as long as the program runs."""

    changed = Signal(object)  # ConnectionStatus of the chosen model
    shown = Signal()  # `status` is that of the next answer

    def __init__(self, button: Button, sessions: SessionController, worker: Worker) -> None:
        super().__init__(button)
        self._button = button
        self._worker = worker
        self._menu = PopupMenu(button)
        self._models = ModelMenus(self._menu, worker)
        self._models.chosen.connect(self._choose)
        self._session: SessionId | None = None
        self._chosen: dict[SessionId | None, ModelChoice] = {}
        """By session; None: the one that the next question begins."""
        self.status = ConnectionStatus()
        button.clicked.connect(self._offer)
        sessions.active_changed.connect(self._note_active)
        self.retranslate()

    @property
    def choice(self) -> ModelChoice | None:
        return self._chosen.get(self._session)

    def show_status(self, status: ConnectionStatus) -> None:
        self.status = status
        self.retranslate()
        self.shown.emit()

    def retranslate(self) -> None:
        status = self.status
        self._button.setText(short_model(status.model or "") or short_model(status.endpoint))
        self._button.setVisible(status.model is not None)
        named = self.tr("Model of the next answer: {model}").format(
            model=status.model or status.endpoint
        )
        self._button.setAccessibleName(named)
        set_tip(self._button, named)

    def _offer(self) -> None:
        self._menu.clear()
        usual = self._menu.addAction(
            self.tr("Same as in the settings"), partial(self._choose, None)
        )
        usual.setCheckable(True)
        usual.setChecked(self.choice is None)
        self._menu.addSeparator()
        self._models.fill(self.choice)
        self._menu.popup(self._button.mapToGlobal(QPoint(0, -self._menu.sizeHint().height())))

    def _choose(self, choice: ModelChoice | None) -> None:
        if choice is None:
            self._chosen.pop(self._session, None)
        else:
            self._chosen[self._session] = choice
        self._apply()

    def _note_active(self, session: Session | None) -> None:
        before, self._session = self._session, session.id if session else None
        if before is None and self._session is not None and None in self._chosen:
            # The question that began this session was asked of the model chosen for it.
            self._chosen.setdefault(self._session, self._chosen.pop(None))
        if before != self._session and self._worker.is_ready:
            self._apply()

    def _apply(self) -> None:
        self._worker.services.models.choose(self.choice)
        self._worker.do_latest("model", lambda services: services.connection(), self.changed.emit)
