"""The field that is written in: it grows with its text, Enter sends and Shift Enter breaks."""

from PySide6.QtCore import QMimeData, QSize, Qt, Signal
from PySide6.QtGui import QFont, QInputMethodEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QSizePolicy, QWidget

from desktop.ui.composer.pastes import LONG

_MOST_LINES = 8
_BREAKING = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.AltModifier


class ComposerField(QPlainTextEdit):
    sent = Signal()
    left = Signal()
    """Escape was pressed."""
    long_pasted = Signal(str)
    """What is too long to be laid out here."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_composing = False
        self._build()
        self._connect()
        self._grow()

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self._height_of(self._lines()))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self._height_of(1))

    @property
    def is_blank(self) -> bool:
        """Asked at every key: the text is not taken out of its document for it."""
        block = self.document().firstBlock()
        while block.isValid() and not block.text().strip():
            block = block.next()
        return not block.isValid()

    def set_type(self, font: QFont) -> None:
        self.setFont(font)
        # The placeholder is painted in the viewport's font, which style sheets cut off from ours.
        self.viewport().setFont(font)
        self._grow()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self._enter(event)
            case Qt.Key.Key_Escape:
                self.left.emit()
                event.accept()
            case _:
                super().keyPressEvent(event)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        # An Enter that chooses a candidate of the input method must not send.
        self._is_composing = bool(event.preeditString())
        super().inputMethodEvent(event)

    def insertFromMimeData(self, source: QMimeData) -> None:
        text = source.text()
        if len(text) < LONG:
            super().insertFromMimeData(source)
        else:
            self.long_pasted.emit(text)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        # Files go to the window; their addresses as text would be of no use here.
        dropped = any(url.isLocalFile() for url in source.urls())
        return not dropped and super().canInsertFromMimeData(source)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._grow()

    def _build(self) -> None:
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(0)
        self.viewport().setAutoFillBackground(False)

    def _connect(self) -> None:
        self.document().documentLayout().documentSizeChanged.connect(self._grow)

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
        return self.fontMetrics().lineSpacing() * min(lines, _MOST_LINES) + 2

    def _grow(self) -> None:
        lines = self._lines()
        needs_bar = lines > _MOST_LINES
        policy = Qt.ScrollBarPolicy
        self.setVerticalScrollBarPolicy(
            policy.ScrollBarAsNeeded if needs_bar else policy.ScrollBarAlwaysOff
        )
        height = self._height_of(lines)
        if height != self.height():
            self.setFixedHeight(height)
            self.updateGeometry()
