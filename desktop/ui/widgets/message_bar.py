"""The message bar of a window: sentences with buttons, each of which can be closed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import ICON_SIZE, Space
from desktop.ui.widgets.buttons import PushButton
from desktop.ui.widgets.plain_text import Label, tip


@dataclass(frozen=True, slots=True)
class BarAction:
    label: str
    act: Callable[[], None]


@dataclass(frozen=True, slots=True)
class _Message:
    words: Callable[[], str]
    choices: Callable[[], Sequence[BarAction]]
    can_be_closed: bool


class _MessageRow(QFrame):
    def __init__(
        self,
        notice: _Message,
        close: Callable[[], None],
        theme: ThemeController,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.notice = notice
        self._close_strip = close
        self._theme = theme
        self._words = Label(parent=self)
        self._row = QHBoxLayout(self)
        self._build()

    def _build(self) -> None:
        self.setProperty("role", "notice")
        self._words.setWordWrap(True)
        self._words.setText(self.notice.words())
        self.setAccessibleName(self.notice.words())
        self._row.setContentsMargins(Space.MEDIUM, Space.SMALL, Space.SMALL, Space.SMALL)
        self._row.setSpacing(Space.SMALL)
        self._row.addWidget(self._words, 1)
        for choice in self.notice.choices():
            button = PushButton(choice.label, self)
            button.setCursor(Qt.CursorShape.PointingHandCursor)
            button.clicked.connect(lambda _=False, choice=choice: self._choose(choice))
            self._row.addWidget(button)
        if self.notice.can_be_closed:
            close = PushButton(self)
            close.setIcon(self._theme.icon(Glyph.CLOSE, self._theme.tokens.notice_text))
            side = round(ICON_SIZE * self._theme.scale.zoom)
            close.setIconSize(QSize(side, side))
            close.setToolTip(tip(self.tr("Close")))
            close.setAccessibleName(self.tr("Close"))
            close.clicked.connect(self._close_strip)
            self._row.addWidget(close)

    def choose_first(self) -> None:
        for choice in self.notice.choices()[:1]:
            self._choose(choice)

    def _choose(self, choice: BarAction) -> None:
        self._close_strip()
        choice.act()


class MessageBar(QWidget):
    """Messages below each other. A second message with the same key replaces the first."""

    changed = Signal()
    left = Signal()  # the message that had the focus was removed

    def __init__(self, theme: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._strips: dict[str, _MessageRow] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(Space.SMALL)
        theme.theme_changed.connect(self.retranslate)
        self.hide()

    def show_message(
        self,
        key: str,
        words: Callable[[], str],
        choices: Callable[[], Sequence[BarAction]] = tuple,
        *,
        can_be_closed: bool = True,
    ) -> None:
        """Texts come from functions, so that they follow the language."""
        self._show(key, _Message(words, choices, can_be_closed))

    def _show(self, key: str, notice: _Message) -> None:
        old = self._strips.get(key)
        strip = _MessageRow(notice, lambda: self.remove(key), self._theme, self)
        if old is None:
            self._column.addWidget(strip)
        else:
            self._column.replaceWidget(old, strip)
            self._drop(old)
        self._strips[key] = strip
        self.show()
        self._chain()
        self.changed.emit()

    def remove(self, key: str) -> None:
        strip = self._strips.pop(key, None)
        if strip is None:
            return
        focus = QApplication.focusWidget()
        had_keyboard = focus is not None and strip.isAncestorOf(focus)
        self._column.removeWidget(strip)
        self._drop(strip)
        self.setVisible(bool(self._strips))
        self.changed.emit()
        if had_keyboard:
            self.left.emit()

    def choose_first(self, key: str) -> None:
        """Do what its first button does."""
        if strip := self._strips.get(key):
            strip.choose_first()

    def __contains__(self, key: str) -> bool:
        return key in self._strips

    def text(self, key: str) -> str:
        return self._strips[key].accessibleName()

    def retranslate(self) -> None:
        for key, strip in tuple(self._strips.items()):
            self._show(key, strip.notice)

    def _chain(self) -> None:
        """Put the buttons into the tab order at the place of the bar."""
        before: QWidget = self
        # Qt puts nothing behind a widget that takes no focus.
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        for strip in self._strips.values():
            for button in strip.findChildren(QPushButton):
                QWidget.setTabOrder(before, button)
                before = button
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    @staticmethod
    def _drop(strip: _MessageRow) -> None:
        strip.hide()
        strip.deleteLater()
