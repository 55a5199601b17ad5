"""Filter chips that wrap into as many lines as their width needs."""

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QLayout, QLayoutItem, QWidget

from desktop.ui.sidebar.entries import Filter
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import PushButton


class WrapLayout(QLayout):
    """Items side by side, and in the next line where they do not fit."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self.setSpacing(Space.SMALL)
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._arrange(QRect(0, 0, width, 0), moves=False)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._arrange(rect, moves=True)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def _arrange(self, rect: QRect, *, moves: bool) -> int:
        y = rect.y()
        for line in self._lines(rect.width()):
            x = rect.x()
            high = max(size.height() for _, size in line)
            for item, size in line:
                if moves:
                    middle = y + (high - size.height()) // 2
                    item.setGeometry(QRect(x, middle, size.width(), size.height()))
                x += size.width() + self.spacing()
            y += high + self.spacing()
        return max(y - self.spacing() - rect.y(), 0)

    def _lines(self, width: int) -> list[list[tuple[QLayoutItem, QSize]]]:
        lines: list[list[tuple[QLayoutItem, QSize]]] = []
        taken = 0
        for item in self._items:
            if item.isEmpty():
                continue
            size = item.sizeHint()
            if not lines or taken + size.width() > width:
                lines.append([])
                taken = 0
            lines[-1].append((item, size))
            taken += size.width() + self.spacing()
        return lines


class FilterChips(QWidget):
    chosen = Signal(object)
    """Filter"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._buttons = {each: PushButton(self) for each in Filter}
        self._group = QButtonGroup(self)
        self._message_hits: str | None = None
        self._build()
        self._connect()
        self.retranslate()

    def choose(self, chosen: Filter) -> None:
        self._buttons[chosen].setChecked(True)
        # Tab goes to the chosen one of a group; Qt notes which that is only when it is pressed.
        for each, button in self._buttons.items():
            policy = Qt.FocusPolicy.StrongFocus if each is chosen else Qt.FocusPolicy.ClickFocus
            button.setFocusPolicy(policy)

    def show_searching(self, message_hits: str | None) -> None:
        """How many messages were hit, as written; None outside of a search."""
        self._message_hits = message_hits
        self._buttons[Filter.PINNED].setHidden(message_hits is not None)
        self._buttons[Filter.MESSAGES].setHidden(message_hits is None)
        self.retranslate()
        self.updateGeometry()

    def retranslate(self) -> None:
        self.setAccessibleName(self.tr("Filters"))
        self._buttons[Filter.ALL].setText(self.tr("All"))
        self._buttons[Filter.THIS_WEEK].setText(self.tr("This week"))
        self._buttons[Filter.PINNED].setText(self.tr("Pinned"))
        self._buttons[Filter.MESSAGES].setText(
            self.tr("Messages {count}").format(count=self._message_hits or "")
        )

    def _build(self) -> None:
        layout = WrapLayout(self)
        for button in self._buttons.values():
            button.setProperty("kind", "chip")
            button.setCheckable(True)
            button.setCursor(Qt.CursorShape.PointingHandCursor)
            self._group.addButton(button)
            layout.addWidget(button)
        self._buttons[Filter.ALL].setChecked(True)
        self._buttons[Filter.MESSAGES].hide()

    def _connect(self) -> None:
        for chosen, button in self._buttons.items():
            button.clicked.connect(lambda _=False, chosen=chosen: self.chosen.emit(chosen))
