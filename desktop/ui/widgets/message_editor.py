"""The field for writing a message, with its long pastes as chips above it; what is dropped on it.

Long pasted texts are kept beside the field and sent with the message: a field would block the
window while it lays out millions of letters.
"""

from collections.abc import Callable, Sequence
from math import ceil
from pathlib import Path

from PySide6.QtCore import QEvent, QLocale, QMimeData, QObject, QSize, Qt, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDropEvent,
    QFont,
    QFontMetricsF,
    QImage,
    QInputMethodEvent,
    QKeyEvent,
    QResizeEvent,
    QTextCursor,
    QTextDocumentFragment,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QPushButton, QSizePolicy, QWidget

from desktop.ui.i18n import TranslatedWidget
from desktop.ui.theme.theme import Glyph, ThemeController
from desktop.ui.widgets.buttons import IconButton, RemovableChip
from desktop.ui.widgets.layouts import FlowLayout, clear_layout, set_tab_order
from desktop.ui.widgets.plain_text import tip

LONG = 20_000  # letters; shorter texts go into the field
_LONGEST_SHOWN = 300_000
_BEGINNING = 400
_BREAK = "\n\n"
_LONGEST_FIRST = 4_000


def local_files(mime_data: QMimeData) -> list[Path]:
    paths = [Path(url.toLocalFile()) for url in mime_data.urls() if url.isLocalFile()]
    return [path for path in paths if path.exists()]


def dropped_text(given: QMimeData) -> str:
    """Return the text of what is no file; some programs give it as HTML only."""
    if any(url.isLocalFile() for url in given.urls()):
        return ""
    is_html = given.hasHtml() and not given.hasText()
    return QTextDocumentFragment.fromHtml(given.html()).toPlainText() if is_html else given.text()


class PastingField(QPlainTextEdit):
    long_pasted = Signal(str)  # A text that is too long for the field
    files_given = Signal(object)  # paths
    picture_given = Signal(object)  # QImage

    @property
    def is_blank(self) -> bool:
        """Whether it is empty; called at every key, so it never copies the whole text."""
        block = self.document().firstBlock()
        while block.isValid() and not block.text().strip():
            block = block.next()
        return not block.isValid()

    def insertFromMimeData(self, source: QMimeData) -> None:
        text = dropped_text(source)
        if paths := local_files(source):
            self.files_given.emit(paths)
        elif source.hasImage() and not source.text():
            self.picture_given.emit(QImage(source.imageData()))
        else:
            self.take(text)

    def take(self, text: str) -> None:
        """Insert a text at the cursor, or pass it on if it is too long for the field."""
        if len(text) < LONG:
            self.insertPlainText(text)
            self.ensureCursorVisible()
        else:
            self.long_pasted.emit(text)

    def write_out(self, text: str) -> None:
        self.moveCursor(QTextCursor.MoveOperation.End)
        self.insertPlainText(text if self.is_blank else _BREAK + text)


class DropTarget(QObject):
    dropped = Signal(object)  # paths, or what `reads` returns

    def __init__(
        self, target: QWidget, reads: Callable[[QMimeData], Sequence[object]] = local_files
    ) -> None:
        super().__init__(target)
        self._reads = reads
        target.setAcceptDrops(True)
        target.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        match event:
            case QDragEnterEvent() if self._reads(event.mimeData()):
                event.acceptProposedAction()
                return True
            case QDropEvent() if event.type() == QEvent.Type.Drop and (
                data := self._reads(event.mimeData())
            ):
                event.acceptProposedAction()
                self.dropped.emit(data)
                return True
        return super().eventFilter(watched, event)


def join_pasted(written: str, pasted: Sequence[str]) -> str:
    """Return the message as it is sent."""
    return _BREAK.join([*([written] if written else []), *pasted])


def split_pasted(text: str) -> tuple[str, list[str]]:
    """Split a message into what was probably typed and what was pasted."""
    if len(text) < LONG:
        return text, []
    written, separator, pasted = text.partition(_BREAK)
    if not separator or len(written) > _LONGEST_FIRST or not pasted.strip():
        return "", [text]
    return written, [pasted]


class PasteChips(TranslatedWidget, QWidget):
    changed = Signal()
    removed = Signal()  # the user removed one
    wanted_in_field = Signal(str)  # the user wants to edit this text; its chip is gone

    def __init__(self, theme: ThemeController, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._texts: list[str] = []
        self._buttons: list[tuple[RemovableChip, IconButton]] = []
        self._row = FlowLayout(self)
        self.hide()

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(self._texts)

    def add(self, text: str) -> None:
        self.set_texts([*self._texts, text])

    def set_texts(self, texts: list[str]) -> None:
        if not texts and not self._texts:
            return
        self._texts = texts
        self.retranslate()
        self.changed.emit()

    def buttons(self) -> list[QPushButton | IconButton]:
        return [button for pair in self._buttons for button in pair]

    def retranslate(self) -> None:
        clear_layout(self._row)
        self._buttons = [self._add(place, text) for place, text in enumerate(self._texts)]
        self.setVisible(bool(self._texts))
        self.updateGeometry()

    def _add(self, place: int, text: str) -> tuple[RemovableChip, IconButton]:
        chip, cross = RemovableChip("chip", self), IconButton(self._theme, Glyph.CLOSE, self)
        form = QLocale.DataSizeFormat.DataSizeSIFormat
        size = QLocale().formattedDataSize(len(text.encode()), 1, form)
        parts = [" ".join(text[:_BEGINNING].split()) + "…"]
        if len(text) <= _LONGEST_SHOWN:
            hint = self.tr("Click to insert the text into the message field and edit it.")
            parts.append(hint)
            chip.setAccessibleDescription(hint)
            chip.clicked.connect(lambda: self._show(place))
        chip.setText(self.tr("Pasted text, {size}").format(size=size))
        chip.setAccessibleName(chip.text())
        chip.setToolTip(tip("\n\n".join(parts)))
        cross.set_name(self.tr("Remove the pasted text"))
        chip.removed.connect(lambda: self._remove(place))
        cross.clicked.connect(lambda: self._remove(place))
        for button in (chip, cross):
            self._row.addWidget(button)
            button.show()
        return chip, cross

    def _show(self, place: int) -> None:
        text = self._texts[place]
        self._remove(place)
        self.wanted_in_field.emit(text)

    def _remove(self, place: int) -> None:
        self.set_texts([*self._texts[:place], *self._texts[place + 1 :]])
        self.removed.emit()


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
        # What is below it must not be cut off: where there is no room, it scrolls instead.
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
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
        # Qt lays out a paragraph when it is shown, and counts it as one line until then.
        lines, block = 0, self.document().firstBlock()
        while block.isValid() and lines <= self._most_lines:
            self.blockBoundingRect(block)  # Lays it out
            lines += block.lineCount()
            block = block.next()
        return max(1, lines)

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
        if height != self.maximumHeight():
            self.setMaximumHeight(height)
            self.resize(self.width(), height)
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
