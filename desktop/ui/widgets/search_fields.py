"""The field of a search, and the bar for stepping through matches."""

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QLineEdit, QWidget
from shiboken6 import isValid

from desktop.ui.i18n import TranslatedWidget
from desktop.ui.theme.theme import Glyph, ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import IconButton
from desktop.ui.widgets.layouts import growing, row, text_width
from desktop.ui.widgets.plain_text import Label, name_in_field

_NATIVE = QKeySequence.SequenceFormat.NativeText
_BESIDE_NAME = 5  # letters that a field is wider than its name


class FindBar(TranslatedWidget, QFrame):
    """Steps through matches: of the text in its field, or of a search that led here."""

    text_changed = Signal(str)
    stepped = Signal(int)  # 1: to the next match, -1: to the previous one
    closed = Signal()

    def __init__(self, theme: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = QLineEdit(self)
        self._before: QWidget | None = None
        self._keys = (QKeySequence(), QKeySequence())
        self._place = Label(parent=self, role="small")
        self._previous = IconButton(theme, Glyph.CHEVRON_UP, press=lambda: self.stepped.emit(-1))
        self._next = IconButton(theme, Glyph.CHEVRON_DOWN, press=lambda: self.stepped.emit(1))
        self._close = IconButton(theme, Glyph.CLOSE, press=self.end)
        self.setProperty("role", "bar")
        margins = (Space.WIDE, Space.SMALL, Space.LARGE, Space.SMALL)
        buttons = (self._previous, self._next, self._close)
        self.setLayout(row(growing(self.field), self._place, *buttons, margin=margins))
        self.field.textChanged.connect(self.text_changed)
        self.retranslate()
        self.hide()

    def begin(self) -> None:
        focus = QApplication.focusWidget()
        if focus is not None and not self.isAncestorOf(focus):
            self._before = focus
        self.show()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()
        if self.field.text():
            self.text_changed.emit(self.field.text())

    def end(self) -> None:
        if not self.isHidden():
            self.hide()
            self.closed.emit()

    def give_focus_back(self) -> bool:
        before, self._before = self._before, None
        if before is None or not isValid(before) or not before.isVisible():
            return False
        before.setFocus(Qt.FocusReason.OtherFocusReason)
        return True

    def show_hit(self, query: str, place: int, count: int) -> None:
        """Show a hit of a search that was made elsewhere, without taking the focus."""
        with QSignalBlocker(self.field):
            self.field.setText(query)
        self.show_place(place, count)
        self.show()

    def show_place(self, place: int, count: int) -> None:
        """`place` counts from 1."""
        words = self.tr("{place} of {count}") if count else self.tr("Not found")
        self._place.setText(words.format(place=place, count=count) if self.field.text() else "")

    def set_hints(self, following: QKeySequence, previous: QKeySequence) -> None:
        self._keys = (previous, following)
        self.retranslate()

    def retranslate(self) -> None:
        previous, following = (key.toString(_NATIVE) for key in self._keys)
        name_in_field(self.field, self.tr("Find in this session"))
        self._previous.set_name(self.tr("Previous match"), previous)
        self._next.set_name(self.tr("Next match"), following)
        self._close.set_name(self.tr("Close"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.stepped.emit(-1 if is_back else 1)
            case Qt.Key.Key_Escape:
                self.end()
            case _:
                super().keyPressEvent(event)


def width_with_name(field: QLineEdit) -> int:
    """Return the least width at which the whole name is shown in the empty field."""
    margins, letters = field.textMargins(), field.fontMetrics()
    name = letters.horizontalAdvance(field.placeholderText())
    return margins.left() + name + margins.right() + text_width(field, _BESIDE_NAME)


class SearchField(TranslatedWidget, QLineEdit):
    left_downwards = Signal()
    entered = Signal()  # Enter was pressed after a query
    focused = Signal()
    left = Signal()  # Escape was pressed with nothing to clear
    keeps_text = False  # Whether Escape leaves at once, and the text stays

    def __init__(self, theme: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._lens = Label(parent=self)
        self._clear = IconButton(theme, Glyph.CLOSE, self, self.clear)
        self._hint = Label(parent=self, role="key")
        self._has_hint = True
        self._is_named = False
        self._lens.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._clear.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._clear.hide()
        self._hint.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._colour()
        self.textChanged.connect(self._show_what_fits)
        self._theme.theme_changed.connect(self._colour)
        self.retranslate()

    def set_hint(self, shortcut: QKeySequence) -> None:
        """Set the key that focuses the field; empty if there is none."""
        self._has_hint = not shortcut.isEmpty()
        self._hint.setText(shortcut.toString(_NATIVE))
        self._place_parts()

    def set_name(self, words: str) -> None:
        """Name what it searches, if not all sessions; a change of language keeps the name."""
        self._is_named = True
        name_in_field(self, words)

    def retranslate(self) -> None:
        if not self._is_named:
            self.setPlaceholderText(self.tr("Search"))
            self.setAccessibleName(self.tr("Search all sessions"))
        self._clear.set_name(self.tr("Clear search"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter if self.text().strip():
                self.entered.emit()
            case Qt.Key.Key_Down | Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.left_downwards.emit()
            case Qt.Key.Key_Escape if self.text() and not self.keeps_text:
                self.clear()
            case Qt.Key.Key_Escape:
                self.left.emit()
            case _:
                super().keyPressEvent(event)

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        return hint.expandedTo(QSize(width_with_name(self), 0))

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focused.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_parts()

    def _colour(self) -> None:
        # Neither lens nor cross is an action of the field, because its icons ignore the zoom.
        size = self._theme.icon_size
        self._lens.setPixmap(self._theme.icon(Glyph.SEARCH).pixmap(size, self.devicePixelRatio()))
        self._lens.resize(size)
        self._clear.setIconSize(size)
        self.setTextMargins(size.width() + Space.SMALL, 0, size.width() + Space.MEDIUM, 0)
        self._place_parts()

    def _show_what_fits(self, text: str) -> None:
        self._clear.setVisible(bool(text))
        words = self.fontMetrics().horizontalAdvance(self.placeholderText())
        room = self.width() - self.textMargins().left() - words - 2 * Space.MEDIUM
        is_shown = not text and self._has_hint and self._hint.sizeHint().width() <= room
        self._hint.setVisible(is_shown)

    def _place_parts(self) -> None:
        self._show_what_fits(self.text())
        self._lens.move(Space.SMALL, (self.height() - self._lens.height()) // 2)
        for part in (self._hint, self._clear):
            size: QSize = part.sizeHint().boundedTo(self.size())
            left = self.width() - size.width() - Space.TIGHT
            part.setGeometry(left, (self.height() - size.height()) // 2, *size.toTuple())
