"""What a person does with the mouse that Qt's test module has no function for."""

from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QWidget


def files_in(*paths: Path) -> QMimeData:
    given = QMimeData()
    given.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return given


def drop(target: QWidget, given: QMimeData) -> None:
    """Drop something on a widget, which has to accept it."""
    at, nothing = QPoint(5, 5), Qt.KeyboardModifier.NoModifier
    how = (Qt.DropAction.CopyAction, given, Qt.MouseButton.LeftButton, nothing)
    enter = QDragEnterEvent(at, *how)
    QApplication.sendEvent(target, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(target, QDropEvent(at.toPointF(), *how))
