"""Fields for a closed choice: a drop-down list, and radio buttons that explain themselves."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Generic, TypeVar

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QRadioButton,
    QSizePolicy,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.combo_box import DropList
from desktop.ui.widgets.labels import Hint

E = TypeVar("E", bound=StrEnum)


class DropDown(DropList):
    """A closed choice in one line; only the user's own choice emits."""

    chosen = Signal(object)  # the member

    def __init__(self, members: Sequence[StrEnum], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._members = tuple(members)
        # By itself a list keeps the width of its first words, which another language replaces.
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        for member in self._members:
            self.addItem(member.value)
        self.activated.connect(lambda index: self.chosen.emit(self._members[index]))

    def show_member(self, member: StrEnum) -> None:
        self.setCurrentIndex(self._members.index(member))

    def say(self, *texts: str) -> None:
        """The members' names, in their order."""
        for index, text in enumerate(texts):
            self.setItemText(index, text)


class Radios(QWidget, Generic[E]):
    """A closed choice where each possibility deserves a sentence."""

    chosen = Signal(object)  # the member

    def __init__(self, members: Sequence[E], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._members = tuple(members)
        self._group = QButtonGroup(self)
        self._hints: list[Hint] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.TIGHT)
        for place, _ in enumerate(self._members):
            button, hint = QRadioButton(self), Hint(self)
            hint.setProperty("below", "box")
            self._group.addButton(button, place)
            self._hints.append(hint)
            column.addWidget(button)
            column.addWidget(hint)
            column.addSpacing(Space.SMALL)
        self._group.idClicked.connect(lambda place: self.chosen.emit(self._members[place]))

    def show_member(self, member: E) -> None:
        self._group.button(self._members.index(member)).setChecked(True)

    def say(self, *texts: tuple[str, str]) -> None:
        """Name and sentence of each member, in their order."""
        for place, (name, sentence) in enumerate(texts):
            button = self._group.button(place)
            button.setText(name)
            button.setAccessibleDescription(sentence)
            self._hints[place].setText(sentence)


class NumberField(QSpinBox):
    """A number with its unit where the language puts it."""

    def __init__(self, numbers: range, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setRange(numbers.start, numbers.stop - 1)
        self.setSingleStep(numbers.step)
        # WORKAROUND Qt 6.11: a stylesheet's padding does not reach the left of the number.
        self.lineEdit().setTextMargins(Space.SMALL, 0, 0, 0)
        # Each value is applied at once; half-typed ones are not meant.
        self.setKeyboardTracking(False)

    def say(self, form: str) -> None:
        """`form`: the number in braces and its unit, "{percent}%"."""
        before, _, rest = form.partition("{")
        self.setPrefix(before)
        self.setSuffix(rest.partition("}")[2])

    def show_number(self, number: int) -> None:
        """Show it as it is set elsewhere; nothing is emitted."""
        with QSignalBlocker(self):
            self.setValue(number)
