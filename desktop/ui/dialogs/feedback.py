"""Words to go with a thumb: a small popover by the button, filled in or left."""

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from desktop.domain.ids import MessageId
from desktop.domain.messages import Rating, Thumb
from desktop.ui.dialogs.form import Button, Hint, Section
from desktop.ui.theme.tokens import COLUMN_WIDTH, Space

_WIDTH = COLUMN_WIDTH // 2
_LINES = 4


class FeedbackPopover(QFrame):
    """The thumb counts already; this asks for words besides. Clicking elsewhere leaves it."""

    words_given = Signal(object)  # Rating

    def __init__(self, message_id: MessageId, thumb: Thumb, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)  # for its round corners
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setProperty("role", "card")
        self._message_id = message_id
        self._thumb = thumb
        self._build()
        self._connect()
        self.retranslate()

    def _build(self) -> None:
        self._question, self._where = Section(), Hint()
        self._words = QPlainTextEdit()
        self._words.setTabChangesFocus(True)
        self._words.setProperty("role", "field")
        self._words.setFixedHeight(
            _LINES * self._words.fontMetrics().lineSpacing() + 2 * Space.MEDIUM
        )
        self._send, self._skip = Button(), Button()
        self._send.setProperty("kind", "primary")
        self._skip.setProperty("kind", "quiet")
        buttons = QHBoxLayout()
        buttons.addStretch()
        buttons.addWidget(self._skip)
        buttons.addWidget(self._send)
        column = QVBoxLayout(self)
        column.setContentsMargins(*(Space.LARGE,) * 4)
        column.setSpacing(Space.SMALL)
        for widget in (self._question, self._words, self._where):
            column.addWidget(widget)
        column.addLayout(buttons)
        self.setFixedWidth(_WIDTH)
        self.setFocusProxy(self._words)

    def _connect(self) -> None:
        self._skip.clicked.connect(self.close)
        self._send.clicked.connect(self._give)
        self._words.textChanged.connect(
            lambda: self._send.setEnabled(bool(self._words.toPlainText().strip()))
        )
        self._send.setEnabled(False)

    def retranslate(self) -> None:
        self._question.setText(
            self.tr("What was good about it?")
            if self._thumb is Thumb.UP
            else self.tr("What was wrong with it?")
        )
        self._words.setAccessibleName(self._question.text())
        self._words.setPlaceholderText(self.tr("In your own words, if you like"))
        self._where.setText(self.tr("Stays on this computer, with the answer."))
        self._send.setText(self.tr("&Keep"))
        self._skip.setText(self.tr("&Leave it"))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def open_at(self, point: QPoint) -> None:
        """Above or below the point, in global coordinates, within its screen."""
        self.adjustSize()
        screen = QGuiApplication.screenAt(point) or QGuiApplication.primaryScreen()
        area = screen.availableGeometry()
        left = min(max(point.x(), area.left()), area.right() - self.width())
        is_below = point.y() + self.height() <= area.bottom()
        top = point.y() if is_below else max(point.y() - self.height(), area.top())
        self.move(left, top)
        self.show()
        self._words.setFocus(Qt.FocusReason.PopupFocusReason)

    def _give(self) -> None:
        words = self._words.toPlainText().strip()
        self.words_given.emit(Rating(self._message_id, self._thumb, words))
        self.close()
