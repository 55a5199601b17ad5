"""Files and folders that are dropped on a window, wherever in it."""

from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QWidget


class FileDrop(QObject):
    dropped = Signal(object)
    """Paths"""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        match event:
            case QDragEnterEvent() if files_in(event.mimeData()):
                event.acceptProposedAction()
                return True
            case QDropEvent() if event.type() == QEvent.Type.Drop and (
                files := files_in(event.mimeData())
            ):
                event.acceptProposedAction()
                self.dropped.emit(files)
                return True
        return super().eventFilter(watched, event)


def files_in(dragged: QMimeData) -> list[Path]:
    paths = [Path(url.toLocalFile()) for url in dragged.urls() if url.isLocalFile()]
    return [path for path in paths if path.exists()]
