"""Drop-down lists with the round corners that everything else has."""

from PySide6.QtCore import QEvent, QObject, QRectF
from PySide6.QtGui import QPainterPath, QRegion
from PySide6.QtWidgets import QComboBox, QCompleter, QWidget

from desktop.ui.theme.tokens import Radius


class DropList(QComboBox):
    def showPopup(self) -> None:
        super().showPopup()
        _round(self.view().window())

    def name_line(self) -> None:
        """Where words are typed, the keyboard stands in a line inside of it: named as it is."""
        if (line := self.lineEdit()) is not None:
            line.setAccessibleName(self.accessibleName())

    def setCompleter(self, completer: QCompleter | None) -> None:
        super().setCompleter(completer)  # type: ignore[arg-type]  # Qt takes none
        if completer is not None and (offered := completer.popup()) is not None:
            offered.setProperty("role", "offered")
            offered.installEventFilter(_Corners(offered))


class _Corners(QObject):
    """Keeps them round while the list grows and shrinks with what is typed."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and isinstance(watched, QWidget):
            _round(watched)
        return super().eventFilter(watched, event)


def _round(list_window: QWidget) -> None:
    # The window of a list is square; only a mask cuts its corners on every system.
    shape = QPainterPath()
    shape.addRoundedRect(QRectF(list_window.rect()), Radius.CONTROL, Radius.CONTROL)
    list_window.setMask(QRegion(shape.toFillPolygon().toPolygon()))
