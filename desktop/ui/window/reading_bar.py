"""In the composer's place while a past session is read: going on with it."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QWidget

from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import PushButton


class ReadingBar(QFrame):
    continue_wanted = Signal()
    back_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = QLabel(self)
        self._back = PushButton(self)
        self._continue = PushButton(self)
        self._has_active = False
        self._build()
        self.retranslate()

    def show_has_active(self, has_active: bool) -> None:  # noqa: FBT001 (a Qt setter)
        self._has_active = has_active
        self.retranslate()

    def retranslate(self) -> None:
        self._words.setText(self.tr("You are reading a past session."))
        self._continue.setText(self.tr("Continue this session"))
        active, new = self.tr("To the active session"), self.tr("New session")
        self._back.setText(active if self._has_active else new)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _build(self) -> None:
        self.setProperty("role", "composer")
        self.setFocusProxy(self._continue)
        self._words.setProperty("role", "muted")
        self._words.setWordWrap(True)
        self._continue.setProperty("kind", "primary")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(Space.LARGE, Space.MEDIUM, Space.MEDIUM, Space.MEDIUM)
        layout.setSpacing(Space.SMALL)
        layout.addWidget(self._words, 1)
        for button, wanted in (
            (self._back, self.back_wanted),
            (self._continue, self.continue_wanted),
        ):
            button.setCursor(Qt.CursorShape.PointingHandCursor)
            button.clicked.connect(wanted)
            layout.addWidget(button)
