"""Long texts that were pasted: kept beside the field as chips, they go with the message whole.

Millions of letters hold the window up for as long as a field lays them out, and nobody reads them
through eight lines.
"""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QLocale, QMimeData, Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QPushButton, QWidget

from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.widgets.buttons import PushButton
from desktop.ui.widgets.icon_button import IconButton
from desktop.ui.widgets.tooltip import tip
from desktop.ui.widgets.wrap_layout import WrapLayout

LONG = 20_000
"""Letters; shorter ones are written into the field."""
_LONGEST_SHOWN = 300_000
_BEGINNING = 400
_BREAK = "\n\n"
_LONGEST_FIRST = 4_000
_REMOVING = {Qt.Key.Key_Delete, Qt.Key.Key_Backspace}


class PastingField(QPlainTextEdit):
    long_pasted = Signal(str)
    """What is too long to be laid out here."""

    @property
    def is_blank(self) -> bool:
        """Asked at every key: the text is not taken out of its document for it."""
        block = self.document().firstBlock()
        while block.isValid() and not block.text().strip():
            block = block.next()
        return not block.isValid()

    def insertFromMimeData(self, source: QMimeData) -> None:
        text = source.text()
        if len(text) < LONG:
            super().insertFromMimeData(source)
        else:
            self.long_pasted.emit(text)

    def write_out(self, text: str) -> None:
        """Where it would go with the message: behind what is written."""
        self.moveCursor(QTextCursor.MoveOperation.End)
        self.insertPlainText(text if self.is_blank else _BREAK + text)


def whole(written: str, pasted: Sequence[str]) -> str:
    """The message as it goes."""
    return _BREAK.join([*([written] if written else []), *pasted])


def parted(text: str) -> tuple[str, list[str]]:
    """What of a message stood in its field, as far as that can be told, and what was pasted."""
    if len(text) < LONG:
        return text, []
    written, found, pasted = text.partition(_BREAK)
    if not found or len(written) > _LONGEST_FIRST or not pasted.strip():
        return "", [text]
    return written, [pasted]


class _Chip(PushButton):
    removed = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _REMOVING:
            self.removed.emit()
            event.accept()
        else:
            super().keyPressEvent(event)


class Pastes(QWidget):
    changed = Signal()
    removed = Signal()
    """By whoever writes"""
    wanted_in_field = Signal(str)
    """One that is to be read and edited; it is no chip any more."""

    def __init__(self, theme: ThemeController, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._texts: list[str] = []
        self._buttons: list[tuple[_Chip, IconButton]] = []
        self._row = WrapLayout(self)
        self.hide()

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(self._texts)

    def add(self, text: str) -> None:
        self.put([*self._texts, text])

    def put(self, texts: list[str]) -> None:
        """These, in the place of those that are there."""
        if not texts and not self._texts:
            return
        self._texts = texts
        self._fill()
        self.changed.emit()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._say()
        super().changeEvent(event)

    def buttons(self) -> list[QPushButton | IconButton]:
        return [button for pair in self._buttons for button in pair]

    def _fill(self) -> None:
        for old in self.buttons():
            self._row.removeWidget(old)
            old.hide()
            old.deleteLater()
        self._buttons = []
        for place, text in enumerate(self._texts):
            self._add(place, text)
        self._say()
        self.setVisible(bool(self._texts))
        self.updateGeometry()

    def _add(self, place: int, text: str) -> None:
        chip, cross = _Chip(self), IconButton(self._theme, Glyph.CLOSE, self)
        chip.setProperty("kind", "chip")
        if len(text) <= _LONGEST_SHOWN:
            chip.setCursor(Qt.CursorShape.PointingHandCursor)
            chip.clicked.connect(lambda: self._show(place))
        chip.removed.connect(lambda: self._remove(place))
        cross.clicked.connect(lambda: self._remove(place))
        for button in (chip, cross):
            self._row.addWidget(button)
            button.show()
        self._buttons.append((chip, cross))

    def _show(self, place: int) -> None:
        text = self._texts[place]
        self._remove(place)
        self.wanted_in_field.emit(text)

    def _remove(self, place: int) -> None:
        self.put([*self._texts[:place], *self._texts[place + 1 :]])
        self.removed.emit()

    def _say(self) -> None:
        for text, (chip, cross) in zip(self._texts, self._buttons, strict=True):
            form = QLocale.DataSizeFormat.DataSizeSIFormat
            size = QLocale().formattedDataSize(len(text.encode()), 1, form)
            told = self.tr("Pasted text, {size}").format(size=size)
            is_shown = len(text) <= _LONGEST_SHOWN
            hint = self.tr("Click to insert it into the message field and edit it.")
            beginning = " ".join(text[:_BEGINNING].split()) + "…"
            chip.setText(told)
            chip.setToolTip(tip("\n\n".join([beginning, *([hint] if is_shown else [])])))
            chip.setAccessibleName(told)
            chip.setAccessibleDescription(hint if is_shown else "")
            cross.say(self.tr("Remove the pasted text"))
