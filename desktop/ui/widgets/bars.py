"""Bars: of messages with buttons, and the one for stepping through matches."""

from collections.abc import Callable, Sequence
from enum import Enum

from PySide6.QtCore import QEvent, QObject, QPoint, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QLineEdit, QPlainTextEdit, QTextEdit, QWidget
from shiboken6 import isValid

from desktop.domain.frozen import dataclass
from desktop.ui.i18n import TranslatedWidget
from desktop.ui.theme.theme import Glyph, ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.timers import make_timer
from desktop.ui.widgets.buttons import IconButton, PushButton
from desktop.ui.widgets.layouts import (
    VerticalScrollArea,
    column,
    growing,
    holds_focus,
    row,
    widget_with,
)
from desktop.ui.widgets.plain_text import Label, announce, name_in_field

Choice = tuple[str, Callable[[], object]]  # The words of a button, and what it does
_NATIVE = QKeySequence.SequenceFormat.NativeText


class Rank(Enum):
    SUCCESS = "success"  # disappears by itself
    QUESTION = "question"  # stays
    FAILURE = "failure"  # stays, in amber


_MOST_SHOWN = 2
_MOST_PAST = 20
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
        self.setLayout(row(growing(self._text), *self.buttons, self.close_button, margin=margin))
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

    def retranslate(self) -> None:
        """Name the cross; what a message says was written once, as it was shown."""
        self.close_button.setAccessibleName(self.tr("Close"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # In a full window it would take the space of the text.
        self.setMinimumHeight(self.heightForWidth(self.width()))

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
            del present[_MOST_SHOWN:]
        for strip in self._strips.values():
            strip.setVisible(strip in present)
        self.setVisible(bool(present))
        self._chain()
        self.changed.emit()

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
