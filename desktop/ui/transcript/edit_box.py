"""Where a question is changed in its place: Enter asks it again, Escape leaves it as it was."""

from collections.abc import Iterator

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen, QTextCursor
from PySide6.QtWidgets import QFrame, QWidget

from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Radius, Space
from desktop.ui.transcript.document_writer import TextStyle
from desktop.ui.widgets.buttons import PushButton
from desktop.ui.widgets.paste_chips import PasteChips, PastingField, join_pasted, split_pasted

_PAD = Space.MEDIUM
_MOST_LINES = 12
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class EditBox(QWidget):
    changed = Signal(str)
    sent = Signal(str)
    cancelled = Signal()

    def __init__(
        self, text: str, theme: ThemeController, style: TextStyle, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._is_busy = False
        self._field = _Field(self)
        self._field.setFont(style.font)
        self._pastes = PasteChips(theme, self)
        written, pasted = split_pasted(text)
        self._field.setPlainText(written)
        self._pastes.set_texts(pasted)
        self._field.setAccessibleName(self.tr("Your message"))
        self._send = PushButton(self.tr("Send again"), self)
        self._send.setProperty("kind", "primary")
        self._cancel = PushButton(self.tr("Cancel"), self)
        self._connect()

    def _connect(self) -> None:
        self._field.textChanged.connect(self._tell)
        self._field.long_pasted.connect(self._pastes.add)
        self._pastes.changed.connect(self._tell)
        self._pastes.wanted_in_field.connect(self._field.write_out)
        self._pastes.removed.connect(self._field.setFocus)
        self._field.sent.connect(self._ask)
        self._field.cancelled.connect(self.cancelled)
        self._send.clicked.connect(self._ask)
        self._cancel.clicked.connect(self.cancelled)

    def set_busy(self, is_busy: bool) -> None:  # noqa: FBT001 (a Qt setter)
        """While an answer is on its way, what is written stays."""
        self._is_busy = is_busy
        self._send.setDisabled(is_busy)

    def begin(self) -> None:
        self._field.setFocus(Qt.FocusReason.OtherFocusReason)
        self._field.moveCursor(QTextCursor.MoveOperation.End)

    def fit(self, width: int) -> int:
        line = self._field.fontMetrics().lineSpacing()
        top = int(Space.SMALL)
        if not self._pastes.isHidden():
            high = self._pastes.heightForWidth(width - 2 * _PAD)
            self._pastes.setGeometry(_PAD, top + Space.TIGHT, width - 2 * _PAD, high)
            top += high + Space.SMALL
        self._field.resize(width - 2 * _PAD, self._field.height())
        lines = min(max(round(self._field.document().size().height()), 1), _MOST_LINES)
        height = (lines + 1) * line
        self._field.setGeometry(_PAD, top, width - 2 * _PAD, height)
        y = top + height + Space.SMALL
        send, cancel = self._send.sizeHint(), self._cancel.sizeHint()
        x = width - _PAD - send.width()
        self._send.setGeometry(x, y, send.width(), send.height())
        x -= Space.SMALL + cancel.width()
        self._cancel.setGeometry(x, y, cancel.width(), cancel.height())
        y += send.height() + Space.SMALL
        self.resize(width, y)
        return y

    def tab_stops(self) -> Iterator[QWidget]:
        yield from (*self._pastes.buttons(), self._field, self._cancel, self._send)

    def paintEvent(self, _event: QPaintEvent) -> None:
        tokens = self._theme.tokens
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(tokens.accent), 1))
        painter.setBrush(QColor(tokens.raised))
        edge = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(edge, Radius.COMPOSER, Radius.COMPOSER)

    def _text(self) -> str:
        return join_pasted(self._field.toPlainText(), self._pastes.texts)

    def _tell(self) -> None:
        self.changed.emit(self._text())

    def _ask(self) -> None:
        text = self._text().strip()
        if text and not self._is_busy:
            self.sent.emit(text)


class _Field(PastingField):
    sent = Signal()
    cancelled = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setAutoFillBackground(False)
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.key() in _ENTER and not shifted:
            self.sent.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
        else:
            super().keyPressEvent(event)
