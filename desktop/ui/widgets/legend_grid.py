"""Lines of a sign, a name and an amount, each with what else is said of it below its name."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from desktop.ui.theme.tokens import Space


class LineGrid(QWidget):
    def __init__(self, parent: QWidget, *, top: int = 0) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, top, 0, 0)
        self._grid.setHorizontalSpacing(Space.SMALL)
        self._grid.setVerticalSpacing(Space.TIGHT)
        self._grid.setColumnStretch(1, 1)

    def add(self, sign: QWidget, name: QLabel, amount: str, *below: QWidget) -> None:
        top = Qt.AlignmentFlag.AlignTop
        row = self._grid.rowCount()
        spent = QLabel(amount, self)
        spent.setProperty("role", "small")
        # Level with the name, whose letters are larger.
        spent.setContentsMargins(0, Space.TIGHT // 2, 0, 0)
        self._grid.addWidget(sign, row, 0, top)
        self._grid.addWidget(name, row, 1)
        self._grid.addWidget(spent, row, 2, top | Qt.AlignmentFlag.AlignRight)
        for place, widget in enumerate(below, row + 1):
            self._grid.addWidget(widget, place, 1, 1, 2)
