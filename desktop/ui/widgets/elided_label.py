"""Labels of one line that give up what there is no room for."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from desktop.ui.widgets.tooltip import tip

_SEPARATOR = " · "


class ElidedLabel(QLabel):
    """A line that is cut where it does not fit; the whole of it is in the tool tip."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._whole = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)

    def say(self, text: str) -> None:
        self._whole = " ".join(text.split())
        self.setAccessibleName(self._whole)
        self.updateGeometry()
        self._cut()

    def sizeHint(self) -> QSize:
        width = self.fontMetrics().horizontalAdvance(self._whole) + 2
        return QSize(width, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._cut()

    def _cut(self) -> None:
        metrics = QFontMetrics(self.font())
        shown = metrics.elidedText(self._whole, Qt.TextElideMode.ElideRight, self.width())
        self.setText(shown)
        self.setToolTip("" if shown == self._whole else tip(self._whole))


class PartsLabel(ElidedLabel):
    """Of several parts as many as there is room for, the first ones first, and each whole."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts: Sequence[str] = ()

    def say_parts(self, parts: Sequence[str]) -> None:
        self._parts = parts
        self.say(_SEPARATOR.join(parts))

    def _cut(self) -> None:
        metrics = QFontMetrics(self.font())
        counts = range(len(self._parts), -1, -1)
        offered = (_SEPARATOR.join(self._parts[:count]) for count in counts)
        room = self.width()
        fitting = (words for words in offered if metrics.horizontalAdvance(words) <= room)
        self.setText(next(fitting, ""))
