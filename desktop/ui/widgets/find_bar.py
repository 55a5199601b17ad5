"""Find in the session that is shown: a field, where one is among the places, and two steps."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from shiboken6 import isValid

from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.navigation_bar import StepBar


class FindBar(StepBar):
    begun = Signal()
    text_changed = Signal(str)

    def __init__(self, theme: ThemeController, parent: QWidget | None = None) -> None:
        field = QLineEdit()
        super().__init__(theme, field, margin=Space.SMALL, parent=parent)
        self.field = field
        self._before: QWidget | None = None
        self.field.textChanged.connect(self.text_changed)
        self.retranslate()

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
            self.say_place("")
        elif count == 0:
            self.say_place(self.tr("Not found"))
        else:
            words = self.tr("{place} of {count}")
            self.say_place(words.format(place=place, count=count))

    def retranslate(self) -> None:
        super().retranslate()
        self.field.setPlaceholderText(self.tr("Find in this session"))
        self.field.setAccessibleName(self.tr("Find in this session"))
        self.say_steps(self.tr("Previous match"), self.tr("Next match"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            (self.previous_wanted if is_back else self.next_wanted).emit()
            event.accept()
        else:
            super().keyPressEvent(event)
