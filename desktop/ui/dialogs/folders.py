"""Folders of the user's, each shown with a button that opens it."""

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.labels import BodyLabel, HintLabel
from desktop.ui.widgets.plain_text import tip


@dataclass(frozen=True, slots=True)
class Folders:
    """What the user may want to look into."""

    data: Path
    """The profile: database, backups."""
    settings: Path
    """The settings file."""
    logs: Path
    backups: Path
    """May not be there yet."""


def open_folder(folder: Path) -> None:
    """In the system's own program for that."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))


class _Elided(HintLabel):
    """A path in one line; what has no room is left out of its middle."""

    def __init__(self, path: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._path = path
        self.setWordWrap(False)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setToolTip(tip(path))
        self.setAccessibleName(path)
        self.setText(path)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        middle = Qt.TextElideMode.ElideMiddle
        self.setText(self.fontMetrics().elidedText(self._path, middle, self.width()))


class FolderRow(QWidget):
    """A file is shown with its name; the button opens the folder that it lies in."""

    def __init__(self, path: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._folder = path if not path.suffix else path.parent
        self._name, self._where, self._open = BodyLabel(), _Elided(str(path)), Button()
        self._open.clicked.connect(lambda: open_folder(self._folder))
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(self._name)
        words.addWidget(self._where)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(Space.LARGE)
        row.addLayout(words, 1)
        row.addWidget(self._open)
        self.set_name("")

    def set_name(self, name: str) -> None:
        self._name.setText(name)
        self._open.setText(self.tr("Open folder"))
        self._open.setAccessibleName(self.tr("Open the folder of: {name}").format(name=name))
