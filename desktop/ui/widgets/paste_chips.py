"""Chips for long pasted texts: they are kept beside the field and sent with the message.

A field would block the window while it lays out millions of letters.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QLocale, QMimeData, QObject, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDropEvent,
    QImage,
    QTextCursor,
    QTextDocumentFragment,
)
from PySide6.QtWidgets import QPlainTextEdit, QPushButton, QWidget

from desktop.ui.i18n import TranslatedWidget
from desktop.ui.theme.theme import Glyph, ThemeController
from desktop.ui.widgets.buttons import IconButton, RemovableChip
from desktop.ui.widgets.layouts import FlowLayout, clear_layout
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
