"""Labels, tool tips and message boxes that never read their text as markup.

Titles, addresses and file names come from imports, web pages and models. Qt takes a text with a
known tag for rich text and loads the pictures that it names from the disk, on the interface
thread. So `QLabel`, `QMessageBox` and `QToolTip` are used nowhere else (a lint rule), and every
tool tip passes `tip` or `set_tip` (a test).
"""

from collections.abc import Callable
from functools import lru_cache
from textwrap import fill
from typing import ClassVar

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QMessageBox,
    QPlainTextEdit,
    QSizePolicy,
    QToolTip,
    QWidget,
)

from desktop.ui.theme.tokens import Space

_LONGEST_LINE = 60  # letters; Qt wraps only rich text
_SMALL_SCREEN, _AROUND_BOX, _WIDEST_BOX = 1_024, 480, 1_000  # Pixels, as of QMessageBox
_JOINER = "\u2060"  # has no width; text after it is never a tag


class Label(QLabel):
    """Shows its text as it is."""

    def __init__(self, text: str = "", parent: QWidget | None = None, *, role: str = "") -> None:
        """`role`: by which the stylesheet finds it."""
        super().__init__(parent)
        if role:
            self.setProperty("role", role)
        # Before the text: Qt inspects a text as soon as it is set.
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)


class MessageBox(QMessageBox):
    """Shows its text as it is."""

    def __init__(
        self,
        icon: QMessageBox.Icon,
        text: str,
        informative: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setIcon(icon)
        self.setText(text)
        self.setInformativeText(informative)

    def offer(self, *choices: tuple[str, Callable[[], object]], stay: str) -> None:
        """Open it with a button for each choice, and one that only closes it."""
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for label, act in choices:
            button = self.addButton(label, QMessageBox.ButtonRole.AcceptRole)
            button.clicked.connect(lambda _=False, act=act: act())
        close = self.addButton(stay, QMessageBox.ButtonRole.RejectRole)
        self.setDefaultButton(close)
        self.setEscapeButton(close)
        self._stack_wide_buttons()
        self.open()

    def _stack_wide_buttons(self) -> None:
        """Qt never makes a box wider than this, and cuts the words of buttons for which it is."""
        screen = self.screen().size().width()
        room = screen if screen <= _SMALL_SCREEN else min(screen - _AROUND_BOX, _WIDEST_BOX)
        taken = sum(button.sizeHint().width() + Space.WIDE for button in self.buttons())
        if taken + 2 * Space.WIDE > room:
            self.findChildren(QDialogButtonBox)[0].setOrientation(Qt.Orientation.Vertical)


@lru_cache(maxsize=512)
def tip(text: str) -> str:
    """Return a tool tip that shows the text as it is and wraps long lines."""
    wrapped = "\n".join(fill(line, _LONGEST_LINE) for line in text.split("\n"))
    return wrapped.replace("<", f"<{_JOINER}").replace("&lt;", f"&{_JOINER}lt;")


def show_tip(widget: QWidget, at: QPoint, text: str) -> None:
    """Show a tool tip at a point of the widget for keyboard users, and have it read."""
    QToolTip.showText(widget.mapToGlobal(at), tip(text), widget)
    announce(widget, text)


def show_tip_at(widget: QWidget, at: QPoint, text: str) -> None:
    """Show a tool tip below the mouse at a point of the screen; without a text, none."""
    QToolTip.showText(at, tip(text), widget)


def set_tip(widget: QWidget, text: str, *, described: str = "") -> None:
    """Set a tool tip that repeats the name of the widget.

    Qt reads the tool tip of a widget without a description as its description.
    """
    widget.setToolTip(tip(text))
    widget.setAccessibleDescription(described or " ")


def name_in_field(field: QLineEdit, words: str) -> None:
    """Show the name of a field while it is empty; it is not read a second time."""
    field.setPlaceholderText(words)
    field.setAccessibleName(words)
    field.setAccessibleDescription(" ")


def announce(widget: QWidget, words: str, *, is_urgent: bool = False) -> None:
    """Have a screen reader say something; urgent words interrupt it."""
    event = QAccessibleAnnouncementEvent(widget, words)
    politeness = QAccessible.AnnouncementPoliteness
    event.setPoliteness(politeness.Assertive if is_urgent else politeness.Polite)
    QAccessible.updateAccessibility(event)


class BodyLabel(Label):
    role: ClassVar[str] = "body"

    def __init__(self, text: str = "", parent: QWidget | None = None, *, role: str = "") -> None:
        super().__init__(text, parent, role=role or self.role)
        self.setWordWrap(True)
        # Otherwise Qt adds an indent of its own to the theme's.
        self.setIndent(0)

    def set_text(self, words: str) -> None:
        """Set the text; without one it is hidden."""
        self.setText(words)
        self.setVisible(bool(words))


class TitleLabel(BodyLabel):
    role = "title"


class SectionLabel(BodyLabel):
    role = "heading"


class HintLabel(BodyLabel):
    role = "small"

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        # In small type a label would cut off the dot of an İ.
        self.setContentsMargins(0, 1, 0, 0)


class ProblemLabel(BodyLabel):
    """An error beside the field that it is about; hidden while empty."""

    role = "problem"

    def __init__(self) -> None:
        super().__init__()
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.hide()

    def follow(self, *fields: QLineEdit | QPlainTextEdit) -> None:
        """Disappear as soon as one of the fields is edited."""
        for field in fields:
            if isinstance(field, QLineEdit):
                field.textEdited.connect(self.dismiss)
            else:
                field.textChanged.connect(self.dismiss)

    def dismiss(self) -> None:
        self.set_text("")


class ElidedLabel(Label):
    """One line, elided if it does not fit; the tool tip has the full text.

    Of several parts it shows those that fit whole.
    """

    def __init__(
        self,
        parent: QWidget | None = None,
        *,
        role: str = "",
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        between: str = "",
    ) -> None:
        """`between`: what separates parts, if the text has any."""
        super().__init__(parent=parent, role=role)
        self._whole, self._mode, self._between = "", mode, between
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)

    def set_text(self, text: str) -> None:
        self._whole = " ".join(text.split())
        self.setAccessibleName(self._whole)
        self.updateGeometry()
        self._cut()

    def sizeHint(self) -> QSize:
        width = self.fontMetrics().horizontalAdvance(self._whole) + 2
        return QSize(width, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._cut()

    def _cut(self) -> None:
        metrics, shown = QFontMetrics(self.font()), self._whole
        if not self._between:
            shown = metrics.elidedText(shown, self._mode, self.width())
        while self._between and metrics.horizontalAdvance(shown) > self.width():
            shown = shown.rpartition(self._between)[0]
        self.setText(shown)
        set_tip(self, "" if shown == self._whole else self._whole)
