"""In the composer's place while a past session is read: going on with it.

Where its words and its buttons do not fit beside each other, the words stand above.
"""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QWidget

from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import PushButton
from desktop.ui.widgets.plain_text import Label

_MOST_LINES = 2


class ReadingBar(QFrame):
    continue_wanted = Signal()
    back_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = Label(parent=self)
        self._back = PushButton(self)
        self._continue = PushButton(self)
        self._has_active = False
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._buttons = QHBoxLayout()
        self._build()
        self.retranslate()

    def show_has_active(self, has_active: bool) -> None:  # noqa: FBT001 (a Qt setter)
        self._has_active = has_active
        self.retranslate()

    def retranslate(self) -> None:
        self._words.setText(self.tr("You are reading a past session."))
        self._continue.setText(self.tr("Continue this session"))
        active, new = self.tr("Go to the active session"), self.tr("New session")
        self._back.setText(active if self._has_active else new)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        words = self._words.fontMetrics().horizontalAdvance(self._words.text()) // _MOST_LINES
        around = self._row.contentsMargins()
        taken = self._buttons.sizeHint().width() + around.left() + around.right() + Space.LARGE
        fits = taken + words <= self.width()
        side = QBoxLayout.Direction.LeftToRight if fits else QBoxLayout.Direction.TopToBottom
        self._row.setDirection(side)

    def _build(self) -> None:
        self.setProperty("role", "composer")
        self.setFocusProxy(self._continue)
        self._words.setProperty("role", "muted")
        self._words.setWordWrap(True)
        self._continue.setProperty("kind", "primary")
        self._row.setContentsMargins(Space.LARGE, Space.MEDIUM, Space.MEDIUM, Space.MEDIUM)
        self._row.setSpacing(Space.SMALL)
        self._row.addWidget(self._words, 1)
        self._row.addLayout(self._buttons)
        self._buttons.setSpacing(Space.SMALL)
        for button, wanted in (
            (self._back, self.back_wanted),
            (self._continue, self.continue_wanted),
        ):
            button.setCursor(Qt.CursorShape.PointingHandCursor)
            button.clicked.connect(wanted)
            self._buttons.addWidget(button)
