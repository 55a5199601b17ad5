"""A field that searches while it is typed in, and gives the focus to what is below it."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QFocusEvent, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QToolButton, QWidget

from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space


class SearchField(QLineEdit):
    left_downwards = Signal()
    focused = Signal()
    left = Signal()
    """Escape was pressed with nothing to clear."""

    def __init__(self, theme: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._lens = QLabel(self)
        self._clear = QAction(self)
        self._hint = QLabel(self)
        self._has_hint = True
        self._build()
        self._connect()
        self.retranslate()

    def set_hint(self, shortcut: QKeySequence) -> None:
        """The key that leads here; an empty one: none does."""
        self._has_hint = not shortcut.isEmpty()
        self._hint.setText(shortcut.toString(QKeySequence.SequenceFormat.NativeText))
        self._show_what_fits(self.text())
        self._place_hint()

    def retranslate(self) -> None:
        self.setPlaceholderText(self.tr("Search"))
        self.setAccessibleName(self.tr("Search all sessions"))
        self._clear.setText(self.tr("Clear search"))
        for button in self.findChildren(QToolButton):
            button.setAccessibleName(self._clear.text())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Down | Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.left_downwards.emit()
            case Qt.Key.Key_Escape if self.text():
                self.clear()
            case Qt.Key.Key_Escape:
                self.left.emit()
            case _:
                super().keyPressEvent(event)
                return
        event.accept()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focused.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_hint()

    def _build(self) -> None:
        self._lens.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.addAction(self._clear, QLineEdit.ActionPosition.TrailingPosition)
        self._clear.setVisible(False)
        self._hint.setProperty("role", "key")
        self._hint.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._colour()

    def _connect(self) -> None:
        self._clear.triggered.connect(self.clear)
        self.textChanged.connect(self._show_what_fits)
        self._theme.theme_changed.connect(self._colour)

    def _colour(self) -> None:
        # Not as an action of the field, whose icons know no zoom.
        size = self._theme.icon_size
        lens = self._theme.icon(Glyph.SEARCH).pixmap(size, self.devicePixelRatio())
        self._lens.setPixmap(lens)
        self._lens.resize(size)
        self.setTextMargins(size.width() + Space.SMALL, 0, 0, 0)
        self._place_hint()
        self._clear.setIcon(self._theme.icon(Glyph.CLOSE))

    def _show_what_fits(self, text: str) -> None:
        self._clear.setVisible(bool(text))
        self._hint.setHidden(bool(text) or not self._has_hint)

    def _place_hint(self) -> None:
        self._lens.move(Space.SMALL, (self.height() - self._lens.height()) // 2)
        size: QSize = self._hint.sizeHint()
        left = self.width() - size.width() - Space.SMALL
        self._hint.setGeometry(left, (self.height() - size.height()) // 2, *size.toTuple())
