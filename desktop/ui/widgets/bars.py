"""The bar of messages with buttons, the bell that lists the others, and the undo key."""

from collections.abc import Callable, Sequence
from enum import Enum

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QBoxLayout,
    QFrame,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)
from shiboken6 import isValid

from desktop.domain.frozen import dataclass
from desktop.ui.i18n import TranslatedWidget
from desktop.ui.theme.theme import Glyph, ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.timers import make_timer
from desktop.ui.widgets.buttons import IconButton, PushButton
from desktop.ui.widgets.layouts import (
    LayoutItem,
    VerticalScrollArea,
    column,
    flowing,
    growing,
    holds_focus,
    row,
    text_width,
    widget_with,
)
from desktop.ui.widgets.plain_text import Label, announce

Choice = tuple[str, Callable[[], object]]  # The words of a button, and what it does


class Rank(Enum):
    SUCCESS = "success"  # disappears by itself
    QUESTION = "question"  # stays
    FAILURE = "failure"  # stays, in amber


_MOST_SHOWN = 2
_MOST_PAST = 20
_WORDS_CHARACTERS = 36  # The least room that buttons leave beside them for the words of a message
_SHOWN_MS, _WITH_CHOICES_SHOWN_MS = 8_000, 15_000


@dataclass(frozen=True, slots=True)
class _Message:
    key: str
    words: str
    choices: Sequence[Choice]
    rank: Rank
    can_be_closed: bool
    can_undo: bool  # by its first choice

    @property
    def urgency(self) -> int:
        """Return 0 for what must be answered; messages that disappear by themselves come last."""
        if not self.can_be_closed:
            return 0
        return {Rank.QUESTION: 1, Rank.FAILURE: 2, Rank.SUCCESS: 3}[self.rank]


class _MessageRow(TranslatedWidget, QFrame):
    """Its buttons stand below its words where they would leave these too little room."""

    def __init__(self, message: _Message, theme: ThemeController) -> None:
        super().__init__()
        self.message, self.is_past = message, False
        self._theme = theme
        self.setProperty("role", "notice")
        self.setProperty("rank", message.rank.value)
        self._text = Label()
        self._text.setWordWrap(True)
        self.set_words(message.words)
        self.buttons = [PushButton(label) for label, _ in message.choices]
        for button in self.buttons:
            button.setCursor(Qt.CursorShape.PointingHandCursor)
        self.close_button = PushButton()
        margin = (Space.MEDIUM, Space.SMALL, Space.SMALL, Space.SMALL)
        self._choices = widget_with(flowing(*self.buttons))
        middle = Qt.AlignmentFlag.AlignVCenter
        self._parts = row(growing(self._text), LayoutItem(self._choices, side=middle))
        self._whole = row(growing(self._parts), self.close_button, margin=margin)
        self.setLayout(self._whole)
        self.close_button.setVisible(message.can_be_closed)
        self.retranslate()
        theme.theme_changed.connect(self._colour)
        self._colour()

    @property
    def is_in_use(self) -> bool:
        return self.underMouse() or holds_focus(self)

    def set_words(self, words: str) -> None:
        self._text.setText(words)
        self.setAccessibleName(words)

    def minimumSizeHint(self) -> QSize:
        """Return the width at which the buttons stand below the words."""
        hint, margins = super().minimumSizeHint(), 2 * self.close_button.sizeHint().width()
        widest = max((button.sizeHint().width() for button in self.buttons), default=0)
        return QSize(min(hint.width(), widest + margins), hint.height())

    def retranslate(self) -> None:
        """Name the button of its own; what it reports was written once, as it was shown."""
        self.close_button.setAccessibleName(self.tr("Close"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # In a full window it would take the space of the text.
        self.setMinimumHeight(self.height_at(self.width()))

    def height_at(self, width: int) -> int:
        """Arrange the parts for a width; return the height that they need."""
        side = QBoxLayout.Direction
        taken = sum(button.sizeHint().width() + Space.SMALL for button in self.buttons)
        is_narrow = taken + text_width(self, _WORDS_CHARACTERS) > width
        self._parts.setDirection(side.TopToBottom if is_narrow else side.LeftToRight)
        # By itself a flow is only as wide as its widest part.
        self._choices.setMinimumWidth(0 if is_narrow else taken)
        self._whole.invalidate()  # It would give the height of the other direction
        return self._whole.totalHeightForWidth(width)

    def _colour(self) -> None:
        tokens = self._theme.tokens
        colour = tokens.notice_text if self.message.rank is Rank.FAILURE else tokens.muted
        self.close_button.setIcon(self._theme.icon(Glyph.CLOSE, colour))
        self.close_button.setIconSize(self._theme.icon_size)


class MessageBar(QWidget):
    """Messages below each other. A second message with the same key replaces the first.

    With a `NoticeBell`, at most two are shown, and a success disappears by itself; the bell
    lists the others until they are closed or removed.
    """

    changed = Signal()
    left = Signal()  # the message that had the focus was removed

    def __init__(self, theme: ThemeController) -> None:
        super().__init__()
        self._theme = theme
        self._strips: dict[str, _MessageRow] = {}
        self._column = column()
        self.setLayout(self._column)
        self.has_bell = False
        self.hide()

    def show_message(
        self,
        key: str,
        words: str,
        *choices: Choice,
        undo: Callable[[], object] | None = None,
        rank: Rank = Rank.SUCCESS,
        can_be_closed: bool = True,
    ) -> None:
        """`choices`: its buttons; each of them removes the message.

        `undo`: takes back what the message reports; `undo_last` calls that of the newest one.
        """
        if undo is not None:
            choices = ((self.tr("Undo"), undo), *choices)
        message = _Message(
            key, words, choices, rank, can_be_closed=can_be_closed, can_undo=undo is not None
        )
        old = self._strips.pop(key, None)
        strip = self._strips[key] = self._row(message)
        if old is None:
            self._column.addWidget(strip)
        else:
            self._column.replaceWidget(old, strip)
            self._drop(old)
        if rank is Rank.SUCCESS and can_be_closed:
            timer = make_timer(strip, _WITH_CHOICES_SHOWN_MS if choices else _SHOWN_MS)
            timer.timeout.connect(lambda: None if strip.is_in_use else self.set_aside(key))
            timer.start()
        self._arrange()
        if old is None or can_be_closed:  # but not for each step of a progress
            announce(self, words, is_urgent=rank is Rank.FAILURE)

    def set_words(self, key: str, words: str) -> None:
        """Change the words of a message, which keeps its buttons and the focus."""
        self._strips[key].set_words(words)

    def remove(self, key: str) -> None:
        strip = self._strips.pop(key, None)
        if strip is None:
            return
        had_focus = holds_focus(strip)
        self._column.removeWidget(strip)
        self._drop(strip)
        self._arrange()
        if had_focus:
            self.left.emit()

    def set_aside(self, key: str) -> None:
        """Move a message to the bell."""
        strip = self._strips.get(key)
        if strip is None or not self.has_bell or strip.is_past:
            return
        had_focus = holds_focus(strip)
        strip.is_past = True
        past = [key for key, strip in self._strips.items() if strip.is_past]
        for oldest in past[:-_MOST_PAST]:
            self.remove(oldest)
        self._arrange()
        if had_focus:
            self.left.emit()

    def take_undo(self, other: "MessageBar") -> None:
        """Offer to undo what another bar does; its words stay in their language."""
        for message in other.undoable:
            (_, undo), *choices = message.choices
            self.show_message(message.key, message.words, *choices, undo=undo, rank=message.rank)

    @property
    def undoable(self) -> Sequence[_Message]:
        """The messages that offer to undo something, the newest last."""
        return [strip.message for strip in self._strips.values() if strip.message.can_undo]

    @property
    def can_undo(self) -> bool:
        return bool(self.undoable)

    def undo_last(self) -> None:
        """Undo the last thing that a message offers to undo, also one at the bell."""
        if offers := self.undoable:
            self._choose(offers[-1].key, 0)

    def __contains__(self, key: str) -> bool:
        return key in self._strips

    def text(self, key: str) -> str:
        return self._strips[key].accessibleName()

    def waiting(self) -> list[_MessageRow]:
        strips = reversed(self._strips.values())
        return [self._row(strip.message) for strip in strips if strip.isHidden()]

    def count_waiting(self) -> int:
        return sum(strip.isHidden() for strip in self._strips.values())

    def _row(self, message: _Message) -> _MessageRow:
        made, key = _MessageRow(message, self._theme), message.key
        made.close_button.clicked.connect(lambda: self.remove(key))
        for place, button in enumerate(made.buttons):
            button.clicked.connect(lambda _=False, place=place: self._choose(key, place))
        return made

    def _arrange(self) -> None:
        """Show the most urgent messages; of equal ones the newest.

        What offers to undo the last action takes precedence, because it is not there for long.
        """
        present = [strip for strip in reversed(self._strips.values()) if not strip.is_past]
        if self.has_bell:
            brief = [s for s in present if s.message.rank is Rank.SUCCESS and s.message.choices]
            undo = brief[0] if brief else None
            present.sort(key=lambda s: (s.message.urgency > 0, s is not undo, s.message.urgency))
            del present[self._most_shown(present) :]
        for strip in self._strips.values():
            strip.setVisible(strip in present)
        self.setVisible(bool(present))
        self._chain()
        self.changed.emit()

    def _most_shown(self, present: Sequence[_MessageRow]) -> int:
        """Return how many leave half of the window to what they report on, or 1."""
        heights = [strip.height_at(self.width()) for strip in present[:_MOST_SHOWN]]
        return _MOST_SHOWN if sum(heights) <= self.window().height() // 2 else 1

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.has_bell and event.size().width() != event.oldSize().width():
            self._arrange()

    def _choose(self, key: str, place: int) -> None:
        _, act = self._strips[key].message.choices[place]
        self.remove(key)
        act()

    def _chain(self) -> None:
        before: QWidget = self
        # Qt cannot put a widget into the tab order after one that takes no focus.
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        for strip in self._strips.values():
            for button in strip.findChildren(PushButton):
                QWidget.setTabOrder(before, button)
                before = button
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    @staticmethod
    def _drop(strip: _MessageRow) -> None:
        strip.hide()
        strip.deleteLater()


Field = QLineEdit | QPlainTextEdit | QTextEdit


class UndoKey(QObject):
    """Decides in a window with a bar what the undo key takes back.

    It is what was typed in the focused field, if anything was, else the newest change.
    """

    def __init__(self, bar: MessageBar, window: QWidget) -> None:
        super().__init__(window)
        self._bar, self._window = bar, window
        self._acts_in_fields = False

    def field(self) -> Field | None:
        focus = QApplication.focusWidget()
        is_here = focus is not None and self._window.isAncestorOf(focus)
        return focus if is_here and isinstance(focus, Field) else None

    def undoes_change(self) -> bool:
        field = self.field()
        return self._bar.can_undo and (field is None or not _has_changes(field))

    def listen(self) -> None:
        """Act in a field, too, when there is nothing in it to undo."""
        self._acts_in_fields = True
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._watch)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        # A field keeps the undo keys for itself, even with nothing to undo.
        is_ours = (
            event.type() in {QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress}
            and isinstance(event, QKeyEvent)
            and event.matches(QKeySequence.StandardKey.Undo)
            and self.undoes_change()
        )
        if is_ours and self._acts_in_fields:
            event.accept()
            if event.type() == QEvent.Type.KeyPress:
                self._bar.undo_last()
        elif is_ours:
            event.ignore()
        return is_ours

    def _watch(self) -> None:
        if isValid(self) and (field := self.field()) is not None:
            field.installEventFilter(self)


def _has_changes(field: Field) -> bool:
    if isinstance(field, QLineEdit):
        return field.isUndoAvailable()
    return field.document().isUndoAvailable()


class NoticeBell(TranslatedWidget, IconButton):
    """Lists the messages that a bar does not show; hidden while there are none."""

    _WIDTH = 440

    def __init__(self, theme: ThemeController, bar: MessageBar) -> None:
        super().__init__(theme, Glyph.BELL)
        self._bar = bar
        bar.has_bell = True
        self.clicked.connect(self.open_list)
        bar.changed.connect(self.retranslate)
        self.retranslate()

    def open_list(self) -> None:
        shown = QFrame(self.window(), Qt.WindowType.Popup)
        shown.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        shown.setProperty("role", "card")
        shown.setAccessibleName(self.tr("Notices"))
        rows = self._bar.waiting()
        for entry in rows:
            for button in (*entry.buttons, entry.close_button):
                button.clicked.connect(shown.close)
        inside = widget_with(column(*rows, spacing=Space.SMALL))
        area = VerticalScrollArea()
        area.setWidget(inside)
        shown.setLayout(column(area, margin=Space.SMALL))
        zoom = self._theme.scale.zoom
        shown.setFixedWidth(min(round(self._WIDTH * zoom), self.window().width()))
        needed = inside.heightForWidth(shown.width() - 4 * Space.SMALL) + 3 * Space.SMALL
        shown.setFixedHeight(min(needed, self.window().height() // 2))
        corner = self.mapToGlobal(QPoint(self.width(), 0))
        shown.move(corner - QPoint(shown.width(), shown.height() + Space.TIGHT))
        shown.show()
        rows[0].close_button.setFocus(Qt.FocusReason.PopupFocusReason)

    def retranslate(self) -> None:
        count = self._bar.count_waiting()
        self.set_name(self.tr("%n notice(s)", "", count))
        self.setVisible(count > 0)
