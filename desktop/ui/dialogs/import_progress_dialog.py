"""A dialog that takes files in while it is waited for: begun, stopped half way, reported on."""

from collections.abc import Callable
from threading import Event

from PySide6.QtCore import QEvent
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLayout,
    QPlainTextEdit,
    QProgressBar,
    QVBoxLayout,
    QWidget,
)

from desktop.domain.errors import AppError
from desktop.settings.messages import Texts
from desktop.ui.dialogs.dialog_tasks import Errands
from desktop.ui.theme.tokens import Space
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.labels import BodyLabel, ProblemLabel, TitleLabel
from desktop.ui.widgets.layouts import text_width

_CHARACTERS = 72


class TakingInDialog(QDialog):
    def __init__(
        self, texts: Callable[[], Texts], bridge: TurnBridge, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._texts = texts
        self._errands = Errands(bridge, self)
        self._closing = bridge.closing
        self._stopped = Event()
        self._is_running = False
        self._is_done = False
        self._title, self._words, self._trouble = TitleLabel(), BodyLabel(), ProblemLabel()
        self._details = QPlainTextEdit()
        self._bar = QProgressBar()
        self._copy, self._leave, self._begin = Button("quiet"), Button(), Button("primary")
        self._begin.clicked.connect(self._take_in)
        self._leave.clicked.connect(self.reject)
        self._copy.clicked.connect(
            lambda: QGuiApplication.clipboard().setText(self._details.toPlainText())
        )

    def reject(self) -> None:
        """While it runs, leaving stops it: the report says what was kept."""
        self._stopped.set()
        if self._is_running:
            self._show()
        else:
            super().reject()

    def retranslate(self) -> None:
        self._details.setAccessibleName(self.tr("Details"))
        self._bar.setAccessibleName(self.tr("Progress"))
        self._copy.setText(self.tr("Co&py report"))
        self._show()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _take_in(self) -> None:
        """What the user has begun, on a worker."""
        raise NotImplementedError

    def _put_together(
        self, *, lines: int, options: QLayout | None = None, below: QWidget | None = None
    ) -> None:
        """`lines`: of the details; `options`: above them; `below`: the bar."""
        self._details.setReadOnly(True)
        self._details.setTabChangesFocus(True)
        self._details.setProperty("role", "field")
        self._details.setMinimumHeight(lines * self._details.fontMetrics().lineSpacing())
        self._bar.setTextVisible(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(*(Space.WIDE,) * 4)
        column.setSpacing(Space.LARGE)
        for told in (self._title, self._words, self._trouble):
            column.addWidget(told)
        if options is not None:
            column.addLayout(options)
        column.addWidget(self._details, 1)
        column.addWidget(self._bar)
        if below is not None:
            column.addWidget(below)
        foot = QHBoxLayout()
        foot.setSpacing(Space.SMALL)
        foot.addWidget(self._copy)
        foot.addStretch()
        foot.addWidget(self._leave)
        foot.addWidget(self._begin)
        column.addLayout(foot)
        self.setMinimumWidth(text_width(self, _CHARACTERS))

    def _start(self) -> None:
        self._is_running = True
        self._stopped.clear()
        self._show()
        self._leave.setFocus()

    def _finish(self) -> None:
        self._is_running, self._is_done = False, True
        self._show()
        self._leave.setFocus()

    def _should_stop(self) -> bool:
        return self._stopped.is_set() or self._closing.is_set()

    def _trouble_with(self, error: AppError) -> None:
        self._trouble.set_text(self._texts().error(error))

    def _show(self) -> None:
        self._bar.setVisible(self._is_running)
        self._copy.setVisible(self._is_done)
        self._begin.setVisible(not self._is_done and not self._is_running)
        self._leave.setText(self.tr("&Close") if self._is_done else self.tr("&Cancel"))
        self._leave.setEnabled(not (self._is_running and self._stopped.is_set()))
