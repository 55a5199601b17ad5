"""Buttons that Enter presses while they have the focus, icon buttons, filters, and menus."""

from collections.abc import Callable, Sequence
from functools import lru_cache

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QLayout,
    QMenu,
    QPushButton,
    QSizePolicy,
    QStyleOptionButton,
    QStyleOptionMenuItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop.ui.theme.theme import Glyph, ThemeController
from desktop.ui.theme.tokens import ICON_SIZE, Space
from desktop.ui.widgets.layouts import clear_layout, height_at
from desktop.ui.widgets.plain_text import set_tip, tip

_LINKS = ("chip", "choice", "entry", "link", "named")
_PRESSES = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_MOST_CHARACTERS, _FEWEST_CHARACTERS = 32, 12  # Of the width of a button that elides
_SIDE = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class _KeepsFocus:
    """Mix-in for buttons, before Qt's class: the focus of a disabled button waits for it.

    Qt gives it to the next widget, which the next Space would press, tick or write into.
    """

    _is_awaited = False

    def focusNextPrevChild(self, is_next: bool) -> bool:  # noqa: FBT001 (a Qt method)
        self._is_awaited = not self.isEnabled()  # type: ignore[attr-defined]  # of the widget
        return not self._is_awaited and super().focusNextPrevChild(is_next)  # type: ignore[misc]

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)  # type: ignore[misc]  # of the widget
        is_due = self._is_awaited and event.type() == QEvent.Type.EnabledChange
        if is_due and self.isEnabled():  # type: ignore[attr-defined]  # of the widget
            self._is_awaited = False
            if self.window().focusWidget() is None:  # type: ignore[attr-defined]
                self.setFocus(Qt.FocusReason.OtherFocusReason)  # type: ignore[attr-defined]


class PushButton(_KeepsFocus, QPushButton):
    """Enter presses it. Qt's own needs autoDefault for that, and then looks like the default."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not _press(self, event):
            super().keyPressEvent(event)


class ToolButton(_KeepsFocus, QToolButton):
    """Enter presses it. With Qt's own that depends on the desktop."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not _press(self, event):
            super().keyPressEvent(event)


class Button(PushButton):
    """A dialog's button: Enter presses it while it has the focus, and the primary one always."""

    def __init__(
        self,
        kind: str = "",
        parent: QWidget | None = None,
        *,
        text: str = "",
        name: str = "",
        press: Callable[[], object] | None = None,
    ) -> None:
        """`name`: what a screen reader reads instead of the text."""
        super().__init__(text, parent)
        self.setAutoDefault(False)
        self.setDefault(kind == "primary")
        if kind:
            self.setProperty("kind", kind)
        if name:
            self.setAccessibleName(name)
        if kind in _LINKS:
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._beside_text = 0  # What Qt adds to its width, which no other figure of it has
        self._elides = kind == "choice"
        """Whether a text without room ends in an ellipsis, as it names what the user named."""
        if self._elides:
            self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        if press is not None:
            self.clicked.connect(lambda _: press())

    def initStyleOption(self, option: QStyleOptionButton) -> None:
        super().initStyleOption(option)
        if self._elides:
            form, cut = Qt.TextFlag.TextShowMnemonic, Qt.TextElideMode.ElideRight
            room = self.width() - self._beside_text
            option.text = self.fontMetrics().elidedText(self.text(), cut, room, form)

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        words = self.fontMetrics().size(Qt.TextFlag.TextShowMnemonic, self.text())
        self._beside_text = hint.width() - words.width()
        return self._bounded(hint, _MOST_CHARACTERS)

    def minimumSizeHint(self) -> QSize:
        return self._bounded(super().minimumSizeHint(), _FEWEST_CHARACTERS)

    def _bounded(self, hint: QSize, characters: int) -> QSize:
        width = characters * self.fontMetrics().averageCharWidth()
        return QSize(min(hint.width(), width), hint.height()) if self._elides else hint


class PassageButton(PushButton):
    """A button of widgets that wraps its texts; none of them takes the mouse."""

    def __init__(self) -> None:
        super().__init__()
        self._inside = QVBoxLayout(self)
        self._inside.setContentsMargins(0, 0, 0, 0)
        self.setProperty("kind", "passage")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def fill(self, content: QLayout) -> None:
        self._inside.addLayout(content)
        for part in self.findChildren(QWidget):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def heightForWidth(self, width: int) -> int:
        return height_at(self._inside, width)

    def sizeHint(self) -> QSize:
        return self._inside.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self._inside.minimumSize().height())


class DangerButton(Button):
    """Deletes something. Only the user moves the keyboard to it, never the program.

    If the widget with the focus is hidden, Qt passes the focus to the next one. Pressing Space
    twice could then delete something, so this button passes it back.
    """

    def __init__(
        self,
        kind: str = "danger",
        *,
        text: str = "",
        name: str = "",
        press: Callable[[], object] | None = None,
    ) -> None:
        """`kind`: empty if the removal can be undone."""
        super().__init__(kind, text=text, name=name, press=press)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._pass_on)

    def _pass_on(self, old: QWidget | None, new: QWidget | None) -> None:
        if new is not self or old is None or (old.isEnabled() and old.isVisible()):
            return
        for _ in self.window().findChildren(DangerButton):
            self.focusPreviousChild()
            if not isinstance(QApplication.focusWidget(), DangerButton):
                return
        self.clearFocus()


def _press(button: QAbstractButton, event: QKeyEvent) -> bool:
    if event.key() not in _PRESSES:
        return False
    if not event.isAutoRepeat():
        button.click()
    return True


class IconButton(ToolButton):
    """Shows only an icon, in the colour of the theme; its name is in a tool tip."""

    def __init__(
        self,
        theme: ThemeController,
        glyph: Glyph,
        parent: QWidget | None = None,
        press: Callable[[], object] | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme, self._glyph = theme, glyph
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        if press is not None:
            self.clicked.connect(lambda _: press())
        theme.theme_changed.connect(self._colour)
        self._colour()

    def set_name(self, name: str, keys: str = "") -> None:
        set_tip(self, f"{name} ({keys})" if keys else name, described=keys)
        self.setAccessibleName(name)

    def _colour(self) -> None:
        self.setIconSize(self._theme.icon_size)
        self.setIcon(self._theme.icon(self._glyph))


class QuestionChip(Button):
    """A question, elided to its room; a screen reader reads all of it."""

    def __init__(self, question: str, parent: QWidget) -> None:
        super().__init__("chip", parent)
        self.question = question
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(self.tr("Ask: {question}").format(question=question))
        self.ensurePolished()

    def fit(self, width: int) -> None:
        self._show(self.question)
        over = self.sizeHint().width() - width
        if over > 0:
            metrics = self.fontMetrics()
            room = metrics.horizontalAdvance(self.question) - over
            self._show(metrics.elidedText(self.question, Qt.TextElideMode.ElideRight, room))
        self.setToolTip(tip(self.question if over > 0 else ""))

    def _show(self, words: str) -> None:
        self.setText(words.replace("&", "&&"))


class QuestionChips(QWidget):
    chosen = Signal(str)  # The question

    def __init__(self, parent: QWidget, *, side: Qt.AlignmentFlag) -> None:
        super().__init__(parent)
        self._side = side
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(Space.SMALL)
        self.chips: list[QuestionChip] = []

    def show_questions(self, questions: Sequence[str]) -> None:
        if list(questions) == [chip.question for chip in self.chips]:
            return
        clear_layout(self._column)
        self.chips = [QuestionChip(question, self) for question in questions]
        for chip in self.chips:
            chip.clicked.connect(lambda _=False, chip=chip: self.chosen.emit(chip.question))
            self._column.addWidget(chip, 0, self._side)
            chip.show()  # a hidden widget has no height
        self.fit(self.width())

    def fit(self, width: int) -> int:
        """Lay out for a width; return the height."""
        for chip in self.chips:
            chip.fit(width)
        return self._column.sizeHint().height() if self.chips else 0

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit(self.width())


_CROSS = 0.75
_REMOVING = {Qt.Key.Key_Delete, Qt.Key.Key_Backspace}


class RemovableChip(Button):
    removed = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _REMOVING:
            self.removed.emit()
        else:
            super().keyPressEvent(event)


class FilterChip(PushButton):
    """A filter in force. A click or Delete asks to remove it."""

    def __init__(self, theme: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setProperty("kind", "filter")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        # Puts the cross after the words.
        self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        theme.theme_changed.connect(self._colour)
        self._colour()

    def set_text(self, words: str, description: str) -> None:
        """Set the text; `description`: the full text of the filter."""
        self.setText(words.replace("&", "&&"))
        set_tip(self, description)
        self.setAccessibleName(
            self.tr("Remove filter: {filter}").format(filter=description or words)
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _REMOVING:
            self.click()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.StyleChange:
            self._colour()
        super().changeEvent(event)

    def _colour(self) -> None:
        side = round(ICON_SIZE * _CROSS * self._theme.scale.zoom)
        self.setIconSize(QSize(side, side))
        self.setIcon(self._theme.icon(Glyph.CLOSE, self._theme.tokens.accent))


class PopupMenu(QMenu):
    """Paints the shortcuts at the right edge; a stylesheet can only left-align them."""

    def initStyleOption(self, option: QStyleOptionMenuItem, action: QAction) -> None:
        super().initStyleOption(option, action)
        option.text = option.text.partition("\t")[0]

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        for action in self.actions():
            keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            if not keys or not action.isVisible():
                continue
            group = QPalette.ColorGroup.Active
            if not action.isEnabled():
                group = QPalette.ColorGroup.Disabled
            painter.setPen(self.palette().color(group, QPalette.ColorRole.PlaceholderText))
            place = self.actionGeometry(action).adjusted(0, 0, -Space.MEDIUM, 0)
            painter.drawText(place, int(_SIDE), keys)
        painter.end()


def clear_menu(menu: QMenu) -> None:
    """Remove the actions, and the menus below, which Qt would keep."""
    for below in menu.findChildren(QMenu):
        below.deleteLater()
    menu.clear()


def place_of_menu(widget: QWidget) -> QPoint:
    """Return where a menu opens by key: below the focused widget, or below its current row."""
    focused: QWidget | None = widget.focusWidget()
    focus = focused or widget
    area = focus.rect()
    if isinstance(focus, QAbstractItemView) and focus.currentIndex().isValid():
        area = focus.visualRect(focus.currentIndex()) & focus.viewport().rect()
        focus = focus.viewport()
    return focus.mapToGlobal(area.bottomLeft())


def mark_mnemonics(menu: QMenu) -> None:
    """Give each entry a unique mnemonic, so that translators need not choose them."""
    taken: dict[str, QAction] = {}
    words = {action: action.text().replace("&", "") for action in menu.actions()}

    def give(action: QAction, tried: set[str]) -> bool:
        letters = [letter for letter in _letters(words[action]) if letter not in tried]
        free = next((letter for letter in letters if letter not in taken), None)
        tried.update(letters)
        # If none is free, an entry that has other letters gives up its own.
        mnemonic = free or next((letter for letter in letters if give(taken[letter], tried)), None)
        if mnemonic is not None:
            taken[mnemonic] = action
        return mnemonic is not None

    # Entries with few letters to choose from come first.
    for action in sorted(words, key=lambda action: len(set(words[action].lower()))):
        give(action, set())
    marked = {action: _letters(words[action])[letter] for letter, action in taken.items()}
    for action, text in words.items():
        at = marked.get(action)
        action.setText(text if at is None else f"{text[:at]}&{text[at:]}")


@lru_cache(maxsize=512)
def _letters(words: str) -> dict[str, int]:
    """Return the letters that every keyboard has, with their positions; initials first."""
    usable = [at for at, letter in enumerate(words) if letter.isascii() and letter.isalpha()]
    usable.sort(key=lambda at: at > 0 and words[at - 1].isalpha())
    places: dict[str, int] = {}
    for at in usable:
        places.setdefault(words[at].lower(), at)
    return places
