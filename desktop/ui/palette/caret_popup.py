"""The list at the caret that a sign in the message field opens, filtered by what follows it."""

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QWidget

from desktop.ui.palette.palette import PaletteFrame
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.layouts import column
from desktop.ui.widgets.message_editor import MessageField
from desktop.ui.widgets.row_list import Index

_WIDTH = 440
_LINES = 10
_PARAGRAPH = "\u2029"  # Qt's, in selected text


class CaretPopup(PaletteFrame):
    """Follows a sign until it is deleted, left, or something is chosen.

    While nothing is found it is hidden, and the keys belong to the field.
    """

    def __init__(self, theme: ThemeController, window: QWidget, field: MessageField) -> None:
        super().__init__(theme, window)
        self._field = field
        self._sign: QTextCursor | None = None  # before the sign; None if none is followed
        self._query = ""
        self.setLayout(column(self.list, margin=Space.TIGHT))
        field.installEventFilter(self)
        field.textChanged.connect(self._follow)
        field.cursorPositionChanged.connect(self._follow)

    def open(self) -> None:
        """Follow the sign that the caret stands behind."""
        self.list.setAccessibleName(self.tr("Suggestions"))
        self._sign = self._field.textCursor()
        self._sign.movePosition(QTextCursor.MoveOperation.PreviousCharacter)
        self._query = ""
        self._watch_presses(is_on=True)
        self._find("")

    def close_palette(self) -> None:
        self._sign = None
        super().close_palette()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is not self._field:
            return super().eventFilter(watched, event)
        if event.type() == QEvent.Type.FocusOut:
            self.close_palette()
        is_press = event.type() == QEvent.Type.KeyPress and self.isVisible()
        return is_press and isinstance(event, QKeyEvent) and self._handle_key(event)

    def _handle_key(self, event: QKeyEvent) -> bool:
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        if event.key() == Qt.Key.Key_Tab:
            self._choose(self.list.currentIndex())
            return True
        return super()._handle_key(event)

    def _follow(self) -> None:
        """Search for what stands between the sign and the caret."""
        if self._sign is None:
            return
        typed = self._typed(self._sign)
        text = typed.selectedText()
        is_left = typed.position() <= typed.anchor() or self._field.textCursor().hasSelection()
        if is_left or text[0] not in "@/" or _PARAGRAPH in text:
            self.close_palette()
        elif text[1:] != self._query:
            self._query = text[1:]
            self._find(self._query)
            self.typed.emit(self._query)

    def _typed(self, sign: QTextCursor) -> QTextCursor:
        """Select from the sign to the caret."""
        typed = QTextCursor(sign)
        typed.setPosition(self._field.textCursor().position(), QTextCursor.MoveMode.KeepAnchor)
        return typed

    def _show_found(self, current: Index) -> None:
        super()._show_found(current)
        is_shown = self._sign is not None and current.isValid() and self._query[:1] != " "
        if is_shown:
            self._place()
            self.raise_()
        self.setVisible(is_shown)

    def _place(self) -> None:
        """Lie above the line of the sign, or below it if there is more room."""
        window, field = self._window, self._field
        line = field.cursorRect(self._sign) if self._sign else field.cursorRect()
        corner = field.viewport().mapTo(window, QPoint(line.left(), line.top()))
        above, below = corner.y(), window.height() - corner.y() - line.height()
        frame = 2 * (Space.TIGHT + self.frameWidth())
        heights = (self.list.sizeHintForRow(row) for row in range(self.model.rowCount()))
        room = min(max(above, below) - frame - Space.SMALL, window.height() // 2)
        height = min(sum(heights), _LINES * self._rows.height, room)
        self.list.setFixedHeight(height)
        width = min(round(_WIDTH * self._theme.scale.zoom), window.width() - 2 * Space.WIDE)
        self.setFixedSize(width, height + frame)
        left = min(corner.x(), window.width() - width - Space.WIDE)
        top = corner.y() - self.height() if above >= below else corner.y() + line.height()
        self.move(max(left, Space.WIDE), top + (-Space.TIGHT if above >= below else Space.TIGHT))

    def _choose(self, index: Index) -> None:
        if self._sign is not None and index.isValid():
            typed = self._typed(self._sign)
            self._sign = None  # its removal ends nothing
            typed.removeSelectedText()
        super()._choose(index)
