"""Input fields: combo boxes, radio buttons, numbers, wrapping check boxes, secrets.

Only here and with `WheelGuard` are Qt's widgets used that the wheel changes.
"""

from collections.abc import Sequence
from math import log10

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QLineEdit,
    QPlainTextEdit,
    QRadioButton,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QStyleOptionComboBox,
    QTabBar,
    QWidget,
)

from desktop.settings.settings import DIGITS, Number
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.layouts import column, growing, row, text_width
from desktop.ui.widgets.plain_text import HintLabel

_MOST_LETTERS, _LEAST_LETTERS = 40, 20  # of a drop-down
_LARGE = 100_000  # numbers above are shown with separators


class WheelGuard(QObject):
    """Leaves the wheel to the page around a field until the field has the focus."""

    def __init__(self, field: QWidget) -> None:
        super().__init__(field)
        if field.focusPolicy() is Qt.FocusPolicy.WheelFocus:
            field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        field.installEventFilter(self)

    def eventFilter(self, field: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.Wheel or not isinstance(field, QWidget):
            return False
        if is_passing := not field.hasFocus():
            event.ignore()
        return is_passing


class ComboBox(QComboBox):
    """A long name, such as a project's, widens no page: what is shown of it ends in "…"."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        WheelGuard(self)

    def sizeHint(self) -> QSize:
        return self._bounded(super().sizeHint(), _MOST_LETTERS)

    def minimumSizeHint(self) -> QSize:
        return self._bounded(super().minimumSizeHint(), _LEAST_LETTERS)

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        super().initStyleOption(option)
        field = QStyle.SubControl.SC_ComboBoxEditField
        control = QStyle.ComplexControl.CC_ComboBox
        room = self.style().subControlRect(control, option, field, self).width()
        option.currentText = self.fontMetrics().elidedText(
            option.currentText, Qt.TextElideMode.ElideRight, room
        )

    def _bounded(self, size: QSize, letters: int) -> QSize:
        return size.boundedTo(QSize(text_width(self, letters), size.height()))


class TabBar(QTabBar):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        WheelGuard(self)


class PageTabs(TabBar):
    """Leads between pages that belong together; each of them has one, with its own tab chosen."""

    wanted = Signal(int)  # Another page

    def __init__(self, name: str, pages: Sequence[str], own: int) -> None:
        super().__init__()
        self._own = own
        self.setAccessibleName(name)
        self.setDrawBase(False)
        self.setExpanding(False)
        for page in pages:
            self.addTab(page)
        self.setCurrentIndex(own)
        self.currentChanged.connect(self._lead)

    def _lead(self, page: int) -> None:
        if page != self._own:
            self.setCurrentIndex(self._own)
            self.wanted.emit(page)


class EnumComboBox(ComboBox):
    """A drop-down of the members of an enum, or of names; only the user's own choice emits."""

    chosen = Signal(object)  # the member

    def __init__(
        self, members: Sequence[str], parent: QWidget | None = None, *, names: Sequence[str] = ()
    ) -> None:
        super().__init__(parent)
        self._members = tuple(members)
        # The default keeps the width of the first texts, and another language has longer ones.
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.addItems(names or self._members)
        self.activated.connect(lambda index: self.chosen.emit(self._members[index]))

    @property
    def value(self) -> str:
        return self._members[self.currentIndex()]

    def show_value(self, member: str) -> None:
        if member in self._members:
            self.setCurrentIndex(self._members.index(member))

    def set_texts(self, *texts: str) -> None:
        for index, text in enumerate(texts):
            self.setItemText(index, text)


class RadioGroup(QWidget):
    chosen = Signal(object)  # the value

    def __init__(self, values: Sequence[object], names: Sequence[tuple[str, str]]) -> None:
        """`names`: the name and the sentence of each value."""
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._values = tuple(values)
        self._group = QButtonGroup(self)
        whole = column(spacing=Space.TIGHT)
        for place, (name, sentence) in enumerate(names):
            button, hint = QRadioButton(name), HintLabel(sentence)
            button.setAccessibleDescription(sentence)
            hint.setProperty("below", "box")
            self._group.addButton(button, place)
            whole.addWidget(button)
            whole.addWidget(hint)
            whole.addSpacing(Space.SMALL)
        self.setLayout(whole)
        self._group.idClicked.connect(lambda place: self.chosen.emit(self._values[place]))

    def show_value(self, value: object) -> None:
        self._group.button(self._values.index(value)).setChecked(True)


class NumberField(QDoubleSpinBox):
    """A number with its unit, placed as the language requires.

    A special text stands for 0, or for no number, and may be shown below the least number.
    """

    chosen = Signal(object)  # the number

    def __init__(
        self,
        numbers: Number,
        form: str = "{number}",
        special: str = "",
        *,
        is_optional: bool = False,
    ) -> None:
        """`form` contains the number in braces, such as "{percent}%".

        `is_optional`: whether the special text means None.
        """
        super().__init__()
        WheelGuard(self)
        self._numbers = numbers
        self._is_optional = is_optional
        self._has_special = is_optional or numbers.has_zero
        least = numbers.least - (numbers.step if self._has_special else 0)
        finest = 1 if numbers.is_whole else 10**DIGITS
        self.setDecimals(round(log10(numbers.unit * finest)))
        self.setRange(least / numbers.unit, numbers.most / numbers.unit)
        self.setSingleStep(numbers.step / numbers.unit)
        self.setGroupSeparatorShown(numbers.is_money or numbers.most / numbers.unit > _LARGE)
        before, _, rest = form.partition("{")
        self.setPrefix(before)
        self.setSuffix(rest.partition("}")[2])
        self.setSpecialValueText(special)
        # WORKAROUND Qt 6.11: a stylesheet's padding does not reach the left of the number.
        self.lineEdit().setTextMargins(Space.SMALL, 0, 0, 0)
        # Each value is applied at once, so half-typed numbers must not count.
        self.setKeyboardTracking(False)
        self.valueChanged.connect(lambda _: self.chosen.emit(self.number))

    @property
    def number(self) -> float | None:
        """Return the value of a setting that the shown number stands for."""
        numbers, shown = self._numbers, self.value()
        if self._has_special and shown == self.minimum():
            return None if self._is_optional else 0
        number = max(round(shown * numbers.unit, DIGITS), numbers.least)
        return int(number) if numbers.is_whole else number

    def show_value(self, number: float | None) -> None:
        with QSignalBlocker(self):
            self.setValue(self.minimum() if number is None else number / self._numbers.unit)

    def textFromValue(self, value: float) -> str:
        """Return the number without zeros at its end, unless it is an amount of money."""
        text, point = super().textFromValue(value), self.locale().decimalPoint()
        is_cut = point in text and not self._numbers.is_money
        return text.rstrip("0").removesuffix(point) if is_cut else text


class TextArea(QPlainTextEdit):
    """Several lines of text. Tab leaves it."""

    editingFinished = Signal()

    def __init__(
        self, text: str = "", *, lines: int, is_read_only: bool = False, grows: bool = False
    ) -> None:
        """`lines`: its height, or the least if it grows or cannot be written in."""
        super().__init__(text)
        self.setProperty("role", "field")
        self.setTabChangesFocus(True)
        self.setReadOnly(is_read_only)
        self._lines = lines
        self._grows = grows
        self._fit()

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return QSize(hint.width(), self.minimumHeight()) if self._grows else hint

    def text(self) -> str:
        return self.toPlainText()

    def setText(self, text: str) -> None:
        self.setPlainText(text)
        self.setModified(False)

    def isModified(self) -> bool:
        """Return whether the user has written in it since it was filled or left."""
        return self.document().isModified()

    def setModified(self, is_modified: bool) -> None:  # noqa: FBT001 (as of QLineEdit)
        self.document().setModified(is_modified)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._fit()

    def _fit(self) -> None:
        height = (self._lines + 1) * self.fontMetrics().lineSpacing()
        height = min(height, self.screen().availableSize().height() // 3)
        if self._grows or self.isReadOnly():
            self.setMinimumHeight(height)
        else:
            self.setFixedHeight(height)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self.isModified():
            self.setModified(False)
            self.editingFinished.emit()


_CHARACTERS = 28  # words that are longer need no more room than this
_SPARE = 2  # Qt rounds the width of letters, and large ones would lose their edge


class WrappingCheckBox(QCheckBox):
    def __init__(self, text: str = "") -> None:
        super().__init__()
        self._words = ""
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setText(text)

    def text(self) -> str:
        """Return the text as one line, however many are shown."""
        return self._words

    def setText(self, text: str) -> None:
        self._words = text
        self.setAccessibleName(text.replace("&", ""))
        self._break()
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        return self._size_of(self._words)

    def minimumSizeHint(self) -> QSize:
        whole = self.sizeHint()
        widest = max(map(self.fontMetrics().horizontalAdvance, self._words.split()), default=0)
        least = self._box_width() + max(text_width(self, _CHARACTERS), widest)
        return QSize(min(whole.width(), least), whole.height())

    def heightForWidth(self, width: int) -> int:
        return self._size_of(self._broken(width)).height()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._break()

    def _break(self) -> None:
        broken = self._broken(self.width())
        if broken != super().text():
            super().setText(broken)

    def _broken(self, width: int) -> str:
        """Return the text, broken into as many lines as this width needs."""
        room = width - self._box_width()
        if self._measured(self._words).width() <= room:
            return self._words
        lines: list[str] = []
        for word in self._words.split():
            longer = f"{lines[-1]} {word}" if lines else word
            if lines and self._measured(longer).width() <= room:
                lines[-1] = longer
            else:
                lines.append(word)
        return "\n".join(lines)

    def _size_of(self, text: str) -> QSize:
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = text
        words = self._measured(text) + QSize(_SPARE, 0)
        return self.style().sizeFromContents(QStyle.ContentsType.CT_CheckBox, option, words, self)

    def _box_width(self) -> int:
        """Return the width of the box and of its gap to the text."""
        return self._size_of(self._words).width() - self._measured(self._words).width()

    def _measured(self, text: str) -> QSize:
        return self.fontMetrics().size(Qt.TextFlag.TextShowMnemonic, text)


class SecretField(QWidget):
    """A line whose letters are hidden, with a button that shows them."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.line = QLineEdit()
        self.line.setAccessibleName(name)
        self._look = Button("quiet")
        self._look.setAccessibleDescription(self.tr("Show or hide: {name}").format(name=name))
        self._look.setCheckable(True)
        self._look.setEnabled(False)
        self.setLayout(row(growing(self.line), self._look))
        self.setFocusProxy(self.line)
        self._look.toggled.connect(self._reveal)
        self.line.textChanged.connect(lambda text: self._look.setEnabled(bool(text)))
        self._reveal(is_shown=False)

    @property
    def key(self) -> str:
        return self.line.text().strip()

    def clear(self) -> None:
        self.line.clear()
        self._look.setChecked(False)

    def _reveal(self, is_shown: bool) -> None:  # noqa: FBT001 (a slot)
        mode = QLineEdit.EchoMode.Normal if is_shown else QLineEdit.EchoMode.Password
        self.line.setEchoMode(mode)
        self._look.setText(self.tr("Hide") if is_shown else self.tr("Show"))
