"""Find in the session that is shown: a field, where one is among the places, and two steps."""

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QToolButton,
    QWidget,
)
from shiboken6 import isValid

from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import ICON_SIZE, Space


class FindBar(QFrame):
    begun = Signal()
    text_changed = Signal(str)
    next_wanted = Signal()
    previous_wanted = Signal()
    closed = Signal()

    def __init__(self, theme: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._before: QWidget | None = None
        self.field = QLineEdit(self)
        self._place = QLabel(self)
        self._previous = QToolButton(self)
        self._next = QToolButton(self)
        self._close = QToolButton(self)
        self._build()
        self._connect()
        self.retranslate()
        self.hide()

    def begin(self) -> None:
        focus = QApplication.focusWidget()
        if focus is not None and not self.isAncestorOf(focus):
            self._before = focus
        self.show()
        self.begun.emit()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()
        if self.field.text():
            self.text_changed.emit(self.field.text())

    def end(self) -> None:
        if not self.isHidden():
            self.hide()
            self.closed.emit()

    def give_focus_back(self) -> bool:
        """To where it was before; False where that is not to be seen any more."""
        before, self._before = self._before, None
        if before is None or not isValid(before) or not before.isVisible():
            return False
        before.setFocus(Qt.FocusReason.OtherFocusReason)
        return True

    def show_place(self, place: int, count: int) -> None:
        """`place` counts from 1."""
        if not self.field.text():
            self._place.setText("")
        elif count == 0:
            self._place.setText(self.tr("Not found"))
        else:
            words = self.tr("{place} of {count}")
            self._place.setText(words.format(place=place, count=count))

    def retranslate(self) -> None:
        self.field.setPlaceholderText(self.tr("Find in this session"))
        self.field.setAccessibleName(self.tr("Find in this session"))
        for button, name in (
            (self._previous, self.tr("Previous place")),
            (self._next, self.tr("Next place")),
            (self._close, self.tr("Close")),
        ):
            button.setToolTip(name)
            button.setAccessibleName(name)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        match event.key():
            case Qt.Key.Key_Escape:
                self.end()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                (self.previous_wanted if is_back else self.next_wanted).emit()
            case _:
                super().keyPressEvent(event)
                return
        event.accept()

    def _build(self) -> None:
        self.setProperty("role", "bar")
        self._place.setProperty("role", "small")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(Space.WIDE, Space.SMALL, Space.LARGE, Space.SMALL)
        layout.setSpacing(Space.SMALL)
        layout.addWidget(self.field, 1)
        layout.addWidget(self._place)
        for button in (self._previous, self._next, self._close):
            layout.addWidget(button)
        self._colour()

    def _connect(self) -> None:
        self._theme.theme_changed.connect(self._colour)
        self.field.textChanged.connect(self.text_changed)
        self._previous.clicked.connect(self.previous_wanted)
        self._next.clicked.connect(self.next_wanted)
        self._close.clicked.connect(self.end)

    def _colour(self) -> None:
        side = round(ICON_SIZE * self._theme.scale.zoom)
        for button in (self._previous, self._next, self._close):
            button.setIconSize(QSize(side, side))
        self._previous.setIcon(self._theme.icon(Glyph.CHEVRON_UP))
        self._next.setIcon(self._theme.icon(Glyph.CHEVRON_DOWN))
        self._close.setIcon(self._theme.icon(Glyph.CLOSE))
