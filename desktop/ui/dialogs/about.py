"""About Bellek: its version, its licence and where its data lies."""

from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from desktop.settings.paths import asset
from desktop.ui.dialogs.folders import FolderRow
from desktop.ui.dialogs.form import CloseButtons
from desktop.ui.theme.tokens import ICON_SIZE, Space
from desktop.ui.widgets.labels import BodyLabel, HintLabel, TitleLabel
from desktop.ui.widgets.layouts import text_width
from desktop.ui.widgets.plain_text import Label

_ICON_SIZE = 4 * ICON_SIZE
_CHARACTERS = 64


def program_version() -> str:
    try:
        return version("bellek")
    except PackageNotFoundError:  # a checkout that was never installed
        return ""


class AboutDialog(QDialog):
    def __init__(self, data: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._build(data)
        self.retranslate()

    def _build(self, data: Path) -> None:
        picture = Label()
        picture.setAccessibleName("Bellek")
        icon = QIcon(str(asset("resources", "icons", "bellek.svg")))
        picture.setPixmap(icon.pixmap(QSize(_ICON_SIZE, _ICON_SIZE), self.devicePixelRatio()))
        name, self._version = TitleLabel(), HintLabel()
        name.setText("Bellek")
        self._what, self._licence = BodyLabel(), HintLabel()
        self._data = FolderRow(data)
        self._buttons = CloseButtons()
        self._buttons.rejected.connect(self.reject)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(name)
        words.addWidget(self._version)
        head = QHBoxLayout()
        head.setSpacing(Space.LARGE)
        head.addWidget(picture, 0, Qt.AlignmentFlag.AlignTop)
        head.addLayout(words, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(*(Space.WIDE,) * 4)
        column.setSpacing(Space.LARGE)
        column.addLayout(head)
        for widget in (self._what, self._data, self._licence):
            column.addWidget(widget)
        column.addStretch()
        column.addWidget(self._buttons)
        self.setMinimumWidth(text_width(self, _CHARACTERS))

    def retranslate(self) -> None:
        self.setWindowTitle(self.tr("About Bellek"))
        self._version.setText(self.tr("Version {version}").format(version=program_version()))
        self._version.setVisible(bool(program_version()))
        self._what.setText(
            self.tr(
                "A research assistant that remembers. “Bellek” is Turkish for memory. "
                "Your questions and answers stay on your own disk."
            )
        )
        self._licence.setText(
            self.tr("Free software under the MIT licence, without any warranty.")
        )
        self._data.set_name(self.tr("Your data"))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)
