"""The field for writing a message, with its long pastes as chips above it."""

from math import ceil

from PySide6.QtCore import QMimeData, QSize, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QInputMethodEvent,
    QKeyEvent,
    QResizeEvent,
    QTextCursor,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from desktop.ui.theme.theme import ThemeController
from desktop.ui.widgets.layouts import set_tab_order
from desktop.ui.widgets.paste_chips import PasteChips, PastingField, join_pasted, split_pasted

_BREAKING = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.AltModifier


class MessageField(PastingField):
    sent = Signal()
    left = Signal()  # Escape was pressed
    marked = Signal(str)  # A slash in the empty field, or @ at the beginning of a word

    def __init__(self, most_lines: int, parent: QWidget) -> None:
        """Create a field that grows with its text, up to `most_lines`."""
        super().__init__(parent)
        self._most_lines = most_lines
        self._is_composing = False
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(0)
        self.viewport().setAutoFillBackground(False)
        self.document().documentLayout().documentSizeChanged.connect(self._grow)
        self._grow()

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self._height_of(self._lines()))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self._height_of(1))

    def ask(self, words: str) -> None:
        self.setPlaceholderText(words)
        # WORKAROUND: Qt 6.11 repaints a changed placeholder only when something else changes.
        # Delete when test_other_words_in_the_empty_field_are_seen_at_once passes without it.
        self.viewport().update()

    def set_type(self, font: QFont) -> None:
        self.setFont(font)
        # The placeholder uses the viewport's font, which style sheets cut off from ours.
        self.viewport().setFont(font)
        self._grow()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self._enter(event)
            case Qt.Key.Key_Escape:
                self.left.emit()
            case _:
                super().keyPressEvent(event)
                before = self.textCursor().block().text()[: self.textCursor().positionInBlock()]
                is_slash = event.text() == "/" and self.toPlainText() == "/"
                if is_slash or (event.text() == "@" and not before[:-1][-1:].strip()):
                    self.marked.emit(event.text())

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        # An Enter that chooses a candidate of the input method must not send.
        self._is_composing = bool(event.preeditString())
        super().inputMethodEvent(event)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        # The window handles dropped files; the field would insert their addresses as text.
        dropped = any(url.isLocalFile() for url in source.urls())
        can_be_added = (source.hasImage() or source.hasHtml()) and not dropped
        return can_be_added or (not dropped and super().canInsertFromMimeData(source))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._grow()

    def _enter(self, event: QKeyEvent) -> None:
        if self._is_composing:
            super().keyPressEvent(event)
        elif event.modifiers() & _BREAKING:
            self.insertPlainText("\n")
            self.ensureCursorVisible()
        else:
            self.sent.emit()
        event.accept()

    def _lines(self) -> int:
        # A plain text document measures its height in lines.
        return max(1, round(self.document().size().height()))

    def _height_of(self, lines: int) -> int:
        # Each line is laid out at its height rounded up; rounding down hid the first of three.
        return ceil(QFontMetricsF(self.font()).lineSpacing()) * min(lines, self._most_lines) + 2

    def _grow(self) -> None:
        lines = self._lines()
        policy = Qt.ScrollBarPolicy
        self.setVerticalScrollBarPolicy(
            policy.ScrollBarAsNeeded if lines > self._most_lines else policy.ScrollBarAlwaysOff
        )
        height = self._height_of(lines)
        if height != self.height():
            self.setFixedHeight(height)
            self.updateGeometry()


class MessageEditor(QFrame):
    changed = Signal()

    def __init__(
        self, theme: ThemeController, most_lines: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.field = MessageField(most_lines, self)
        self.pastes = PasteChips(theme, self)
        self.field.textChanged.connect(self.changed)
        self.field.long_pasted.connect(self.pastes.add)
        self.pastes.changed.connect(self._pastes_changed)
        self.pastes.wanted_in_field.connect(self.field.write_out)
        self.pastes.removed.connect(self.field.setFocus)

    @property
    def text(self) -> str:
        return join_pasted(self.field.toPlainText(), self.pastes.texts)

    @property
    def is_blank(self) -> bool:
        return self.field.is_blank and not self.pastes.texts

    def set_text(self, text: str) -> None:
        written, pasted = split_pasted(text)
        self.pastes.set_texts(pasted)
        self.field.setPlainText(written)
        self.field.moveCursor(QTextCursor.MoveOperation.End)

    def _pastes_changed(self) -> None:
        set_tab_order(self.field, *self.pastes.buttons())
        self.changed.emit()
