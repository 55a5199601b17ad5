"""The base of all cards of the transcript, and the head line above an answer."""

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QLocale, QObject, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QEnterEvent,
    QFocusEvent,
    QFontMetrics,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QWidget

from desktop.domain.messages import Message
from desktop.domain.usage import Usage
from desktop.ui.formatting import day_and_time
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Radius, Space
from desktop.ui.transcript.actions import Actions
from desktop.ui.transcript.document_writer import TextStyle
from desktop.ui.transcript.entries import MessageEntry
from desktop.ui.transcript.selection import TextSelection
from desktop.ui.transcript.text_block import TextPane

_MINUTE_S = 60
_LEAST_COST = 0.01


class Headline(QObject):
    """Words of the head line in the interface's language."""

    def __init__(self, locale: QLocale, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._locale = locale

    def of(self, message: Message, usage: Usage | None) -> str:
        parts = [day_and_time(message.created_at)]
        if message.model is not None:
            parts.insert(0, message.model or self.tr("Bellek"))
        if message.duration_ms is not None and message.model:
            parts.append(self._duration(message.duration_ms))
        if usage is not None and usage.total_tokens:
            parts.append(self._price(usage))
        return " · ".join(parts)

    def _duration(self, milliseconds: int) -> str:
        seconds = milliseconds / 1000
        if seconds < _MINUTE_S:
            digits = 0 if seconds >= 1 else 1
            return self.tr("{seconds} s").format(
                seconds=self._locale.toString(seconds, "f", digits)
            )
        minutes, rest = divmod(round(seconds), _MINUTE_S)
        return self.tr("{minutes} min {seconds} s").format(minutes=minutes, seconds=rest)

    def _price(self, usage: Usage) -> str:
        if usage.cost_usd is None:
            tokens = self._locale.toString(usage.total_tokens)
            return self.tr("{count} tokens").format(count=tokens)
        if 0 < usage.cost_usd < _LEAST_COST:
            return self.tr("< ${cost}").format(cost=self._locale.toString(0.01, "f", 2))
        return self.tr("${cost}").format(cost=self._locale.toString(usage.cost_usd, "f", 2))


MARGIN = Space.SMALL
"""Between a card's edge and what it shows; the ring of the focus stands there."""
_KEYBOARD = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)


@dataclass(frozen=True, slots=True)
class CardStyle:
    """What every card is drawn with; made anew when theme, zoom or language change."""

    theme: ThemeController
    style: TextStyle
    headline: Headline
    selecting: TextSelection
    has_actions: bool = True
    """Whether anything can be done with a message but read it."""

    def line_of_small(self) -> int:
        return QFontMetrics(self.style.small).height()

    def line_of_actions(self) -> int:
        return self.line_of_small() + Space.SMALL + Space.TIGHT


class Card(QWidget):
    step_asked = Signal(int)
    """To the next (1) or previous (-1) message, by keyboard."""

    def __init__(self, look: CardStyle, parent: QWidget) -> None:
        super().__init__(parent)
        self.look = look
        self._shows_focus = False
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def tab_stops(self) -> Iterator[QWidget]:
        yield self

    def is_in_use(self) -> bool:
        """Whether it must stay although it is out of sight."""
        focus: QWidget | None = self.window().focusWidget()
        return focus is not None and (focus is self or self.isAncestorOf(focus))

    def panes(self) -> Iterator[TextPane]:
        """What of it can be selected, from above."""
        return iter(())

    def is_selected(self) -> bool:
        """Whether some of it is selected: it must stay then as well, to be copied."""
        return any(pane.textCursor().hasSelection() for pane in self.panes())

    def focus_moved(self) -> None:
        """The keyboard went somewhere, perhaps into the card or out of it."""

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._shows_focus = event.reason() in _KEYBOARD
        self.update()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._shows_focus = False
        self.update()
        super().focusOutEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        if self.hasFocus() and (step := steps.get(Qt.Key(event.key()))):
            self.step_asked.emit(step)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self._shows_focus:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(self.look.theme.tokens.accent), 1.5))
        edge = QRectF(self.rect()).adjusted(1, 1, -1, -1 - Space.TIGHT)
        painter.drawRoundedRect(edge, Radius.CONTROL, Radius.CONTROL)


class MessageCard(Card):
    """What questions and answers share: their actions."""

    action_chosen = Signal(object)
    """MessageRequest"""
    link_activated = Signal(str)
    citation_activated = Signal(object, int)
    dragged = Signal(object)
    """QPoint on the screen that a selection is drawn to"""
    outgrown = Signal(object)
    """The entry whose card has to be laid out again."""

    def __init__(self, entry: MessageEntry, look: CardStyle, parent: QWidget) -> None:
        super().__init__(look, parent)
        self.entry = entry
        self._actions: Actions | None = None
        self._actions_at = QPoint()
        self._actions_width = 0
        self._always_shows_actions = False
        self.is_busy = False
        self.is_past = False
        self._remembers = True

    def refresh(self) -> None:
        """Show the entry as it is now."""
        if self._actions is not None:
            self._actions.show_entry(self.entry)

    def show_rating(self) -> None:
        """Only the rating has changed; the words about it may just be typed."""
        if self._actions is not None:
            self._actions.show_rating(self.entry.facts.rating)

    def set_busy(self, is_busy: bool) -> None:  # noqa: FBT001 (a Qt setter)
        """An answer is on its way: nothing can be asked again until it has ended."""
        self.is_busy = is_busy
        if self._actions is not None:
            self._actions.set_busy(is_busy)

    def set_past(self, is_past: bool) -> None:  # noqa: FBT001 (a Qt setter)
        """In a past session nothing can be asked again."""
        self.is_past = is_past
        if self._actions is not None:
            self._actions.set_past(is_past)

    def set_remembers(self, remembers: bool) -> None:  # noqa: FBT001 (a Qt setter)
        """Whether a message can be remembered here."""
        self._remembers = remembers
        if self._actions is not None:
            self._actions.set_remembers(remembers)

    def keep_actions(self, *, shown: bool) -> None:
        """Show the actions without being pointed at: the newest answer does."""
        self._always_shows_actions = shown
        self._show_or_hide_actions()

    def enterEvent(self, event: QEnterEvent) -> None:
        self._show_or_hide_actions()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._show_or_hide_actions()
        super().leaveEvent(event)

    def focus_moved(self) -> None:
        self._show_or_hide_actions()

    def offers_actions(self) -> bool:
        return True

    def place_actions(self, at: QPoint, width: int) -> None:
        self._actions_at, self._actions_width = at, width
        if self._actions is not None:
            self._actions.setGeometry(at.x(), at.y(), width, self.look.line_of_actions())

    def _show_or_hide_actions(self) -> None:
        is_offered = self.look.has_actions and self.offers_actions()
        wanted = is_offered and (
            self._always_shows_actions or self.underMouse() or self.is_in_use()
        )
        if wanted and self._actions is None:
            self._actions = self._made_actions()
            self.place_actions(self._actions_at, self._actions_width)
        if self._actions is not None:
            self._actions.setVisible(wanted)

    def _made_actions(self) -> Actions:
        made = Actions(self.look.theme, self)
        made.show_entry(self.entry)
        made.set_busy(self.is_busy)
        made.set_past(self.is_past)
        made.set_remembers(self._remembers)
        made.action_chosen.connect(self.action_chosen)
        return made

    def _action_stops(self) -> list[QWidget]:
        if self._actions is None or self._actions.isHidden():
            return []
        return self._actions.tab_stops()
