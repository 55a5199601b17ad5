"""The model of the next answers, chosen in the composer."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from desktop.domain.endpoints import ConnectionStatus, Endpoint, EndpointId, ModelChoice, ModelInfo
from desktop.domain.errors import AppError
from desktop.domain.ids import SessionId
from desktop.domain.sessions import Session
from desktop.ui.services import Worker
from desktop.ui.session.controller import SessionController
from desktop.ui.widgets.buttons import Button, PopupMenu
from desktop.ui.widgets.plain_text import set_tip

_LONGEST = 22


class ModelChooser(QObject):
    """A choice holds for its session, for as long as the program runs."""

    changed = Signal(object)  # ConnectionStatus of the chosen model
    shown = Signal()  # `status` is that of the next answer

    def __init__(self, button: Button, sessions: SessionController, worker: Worker) -> None:
        super().__init__(button)
        self._button = button
        self._worker = worker
        self._menu = PopupMenu(button)
        self._lists: dict[EndpointId, QMenu] = {}
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
        name = (status.model or "").rpartition("/")[2] or status.endpoint
        self._button.setText(f"{name[: _LONGEST - 1]}…" if len(name) > _LONGEST else name)
        self._button.setVisible(status.model is not None)
        named = self.tr("Model of the next answer: {model}").format(
            model=status.model or status.endpoint
        )
        self._button.setAccessibleName(named)
        set_tip(self._button, named)

    def _offer(self) -> None:
        self._menu.clear()
        for submenu in self._lists.values():
            submenu.deleteLater()
        self._lists.clear()
        usual = self._menu.addAction(
            self.tr("Same as in the settings"), partial(self._choose, None)
        )
        usual.setCheckable(True)
        usual.setChecked(self.choice is None)
        self._menu.addSeparator()
        for endpoint in self._worker.services.settings().endpoints:
            submenu = QMenu(endpoint.name.replace("&", "&&"), self._menu)
            submenu.aboutToShow.connect(partial(self._load, endpoint))
            self._lists[endpoint.id] = submenu
            self._menu.addMenu(submenu)
        self._menu.popup(self._button.mapToGlobal(QPoint(0, -self._menu.sizeHint().height())))

    def _load(self, endpoint: Endpoint) -> None:
        """Ask the endpoint for its models, since the user opened its menu."""
        submenu = self._lists[endpoint.id]
        if submenu.actions():
            return
        submenu.addAction(self.tr("Loading the list…")).setEnabled(False)
        self._worker.do(
            lambda services: services.models.list_models(endpoint),
            partial(self._show_list, endpoint, submenu),
            failed=partial(self._show_problem, endpoint, submenu),
        )

    def _show_list(self, endpoint: Endpoint, submenu: QMenu, models: Sequence[ModelInfo]) -> None:
        if self._lists.get(endpoint.id) is not submenu:
            return
        actions = [self._action(submenu, ModelChoice(endpoint.id, model.id)) for model in models]
        self._fill(submenu, actions or [QAction(self.tr("No models"), submenu)])

    def _show_problem(self, endpoint: Endpoint, submenu: QMenu, error: AppError) -> None:
        if self._lists.get(endpoint.id) is submenu:
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
        action.setChecked(choice == self.choice)
        action.triggered.connect(lambda _=False: self._choose(choice))
        return action

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
