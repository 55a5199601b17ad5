"""The filters of the sidebar, as chips."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QWidget

from desktop.ui.sidebar.entries import Filter
from desktop.ui.widgets.buttons import PushButton
from desktop.ui.widgets.layouts import FlowLayout


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
        layout = FlowLayout(self)
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
