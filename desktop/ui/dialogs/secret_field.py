"""A line for a secret: masked, with a look at it on request."""

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QWidget

from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button


class KeyLine(QWidget):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.line = QLineEdit()
        self.line.setEchoMode(QLineEdit.EchoMode.Password)
        self._look = Button()
        self._look.setCheckable(True)
        self._look.setProperty("kind", "quiet")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(Space.SMALL)
        row.addWidget(self.line, 1)
        row.addWidget(self._look)
        self.setFocusProxy(self.line)
        self._look.toggled.connect(self._reveal)
        self.line.textChanged.connect(lambda text: self._look.setEnabled(bool(text)))
        self._look.setEnabled(False)
        self.retranslate()

    @property
    def key(self) -> str:
        return self.line.text().strip()

    def clear(self) -> None:
        self.line.clear()
        self._look.setChecked(False)

    def retranslate(self) -> None:
        self.line.setAccessibleName(self.tr("Key"))
        self._look.setText(self.tr("Hide") if self._look.isChecked() else self.tr("Show"))
        self._look.setAccessibleDescription(self.tr("Show or hide the key"))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _reveal(self, is_shown: bool) -> None:  # noqa: FBT001 (a slot)
        mode = QLineEdit.EchoMode.Normal if is_shown else QLineEdit.EchoMode.Password
        self.line.setEchoMode(mode)
        self.retranslate()
