"""An answer in the transcript, with the error row of one that is not complete."""

from collections.abc import Iterator

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from desktop.domain.messages import MessageState
from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Radius, Space
from desktop.ui.transcript.card import MARGIN, CardStyle, MessageCard
from desktop.ui.transcript.entries import MessageAction, MessageEntry, MessageRequest
from desktop.ui.transcript.highlight_terms import HighlightTerms
from desktop.ui.transcript.message_body import MessageBody
from desktop.ui.transcript.text_block import TextPane
from desktop.ui.widgets.buttons import PushButton

_WRAP = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft


class ErrorRow(QWidget):
    """A failure stands on the ground of a notice; a stop is only a muted line."""

    retry_chosen = Signal()

    def __init__(
        self, words: str, theme: ThemeController, parent: QWidget, *, is_failure: bool
    ) -> None:
        super().__init__(parent)
        self._words, self._theme, self._is_failure = words, theme, is_failure
        tokens = theme.tokens
        self._colour = tokens.notice_text if is_failure else tokens.muted
        self._font: QFont = theme.font() if is_failure else theme.font(theme.scale.small)
        self._metrics = QFontMetrics(self._font)
        self._area = QRect()
        self._retry = PushButton(self.tr("Retry"), self)
        self._retry.setProperty("kind", "notice" if is_failure else "quiet")
        self._retry.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._retry.setFont(self._font)
        self._retry.setIcon(theme.icon(Glyph.REFRESH, self._colour))
        self._retry.setIconSize(theme.icon_size)
        self._retry.clicked.connect(self.retry_chosen)

    def fit(self, width: int) -> None:
        """Take the height that the words need beside the button."""
        button = self._retry.sizeHint()
        pad = Space.MEDIUM if self._is_failure else 0
        room = width - 2 * pad - button.width() - Space.SMALL
        needed = self._metrics.boundingRect(QRect(0, 0, room, 10_000), int(_WRAP), self._words)
        padding = 2 * Space.SMALL if self._is_failure else 0
        height = max(needed.height() + padding, button.height() + padding // 2)
        self._area = QRect(pad, 0, room, height)
        self.resize(width, height)
        self._place_button(button, pad + min(needed.width(), room) + Space.SMALL)

    def set_busy(self, is_busy: bool) -> None:  # noqa: FBT001 (a Qt setter)
        self._retry.setDisabled(is_busy)

    def set_past(self, is_past: bool) -> None:  # noqa: FBT001 (a Qt setter)
        self._retry.setHidden(is_past)

    def tab_stops(self) -> Iterator[QWidget]:
        if not self._retry.isHidden():
            yield self._retry

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self._is_failure:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self._theme.tokens.notice_ground))
            painter.drawRoundedRect(self.rect(), Radius.CONTROL, Radius.CONTROL)
        painter.setPen(QColor(self._colour))
        painter.setFont(self._font)
        painter.drawText(self._area, int(_WRAP), self._words)

    def _place_button(self, size: QSize, after_words: int) -> None:
        at_edge = self.width() - size.width() - Space.SMALL
        x = at_edge if self._is_failure else after_words
        self._retry.setGeometry(
            x, (self.height() - size.height()) // 2, size.width(), size.height()
        )


_DOT_SHARE = 0.42
"""Of the line's height."""
_PULSE_MS = 120
_PULSE = (255, 225, 190, 150, 115, 150, 190, 225)


class AnswerCard(MessageCard):
    def __init__(self, entry: MessageEntry, look: CardStyle, parent: QWidget) -> None:
        super().__init__(entry, look, parent)
        self._body = MessageBody(look.theme, look.style, self, look.selecting)
        self._trouble: ErrorRow | None = None
        self._pulse_at = 0
        self._pulse = QTimer(self, interval=_PULSE_MS)
        self._pulse.timeout.connect(self._beat)
        self._body.link_activated.connect(self.link_activated)
        self._body.dragged.connect(self.dragged)
        self._body.citation_activated.connect(
            lambda number: self.citation_activated.emit(entry.message.id, number)
        )
        self.refresh()

    def refresh(self) -> None:
        super().refresh()
        entry = self.entry
        self._body.set_source(entry.text, {c.number: c for c in entry.facts.citations})
        self._show_trouble()
        self._pulse_or_rest()
        self._name()
        self._show_or_hide_actions()
        self.update()

    def set_busy(self, is_busy: bool) -> None:  # noqa: FBT001 (a Qt setter)
        super().set_busy(is_busy)
        if self._trouble is not None:
            self._trouble.set_busy(is_busy)

    def set_past(self, is_past: bool) -> None:  # noqa: FBT001 (a Qt setter)
        super().set_past(is_past)
        if self._trouble is not None:
            self._trouble.set_past(is_past)

    def grow(self) -> None:
        """Show what has arrived since, leaving alone what stands already."""
        self._body.grow(self.entry.text)
        self.update()

    def fit(self, width: int) -> int:
        """Lay out for a width, margins included; returns the height."""
        inner = width - 2 * MARGIN
        y = self._head_height()
        height = self._body.fit(inner)
        self._body.move(MARGIN, y)
        y += height + Space.SMALL
        if self._trouble is not None:
            self._trouble.fit(inner)
            self._trouble.move(MARGIN, y)
            y += self._trouble.height() + Space.SMALL
        self.place_actions(QPoint(MARGIN - Space.SMALL, y - Space.TIGHT), inner + Space.SMALL)
        y += self.look.line_of_actions() + Space.MEDIUM
        self.resize(width, y)
        return y

    def panes(self) -> Iterator[TextPane]:
        return self._body.panes()

    def mark(self, marks: HighlightTerms) -> int:
        return self._body.mark(marks)

    def tab_stops(self) -> Iterator[QWidget]:
        yield self
        for pane in self._body.panes():
            if pane.has_links():
                yield pane
        yield from self._body.tab_stops()
        if self._trouble is not None:
            yield from self._trouble.tab_stops()
        yield from self._action_stops()

    def offers_actions(self) -> bool:
        return not self.entry.is_streaming

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._name()
        super().changeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        tokens = self.look.theme.tokens
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        line = QRect(MARGIN, Space.TIGHT, self.width() - 2 * MARGIN, self.look.line_of_small())
        dot = QColor(tokens.accent if self.entry.message.model else tokens.faint)
        dot.setAlpha(_PULSE[self._pulse_at])
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(dot)
        side = round(line.height() * _DOT_SHARE)
        painter.drawEllipse(line.x(), line.y() + (line.height() - side + 1) // 2, side, side)
        painter.setPen(QColor(tokens.muted))
        painter.setFont(self.look.style.small)
        line.setLeft(line.x() + side + Space.SMALL)
        _draw_elided(painter, line, self._head_words())

    def _head_height(self) -> int:
        return Space.TIGHT + self.look.line_of_small() + Space.SMALL

    def _head_words(self) -> str:
        head = self.look.headline.of(self.entry.message, self.entry.facts.usage)
        if self.entry.is_streaming:
            head += " · " + self.tr("answering…")
        return head

    def _state_words(self) -> str:
        match self.entry.message.state:
            case MessageState.STOPPED:
                return self.tr("You stopped this answer here.")
            case MessageState.INTERRUPTED:
                return self.tr("This answer was cut off when Bellek closed unexpectedly.")
            case MessageState.FAILED | MessageState.STREAMING | MessageState.COMPLETE:
                return ""

    def _show_trouble(self) -> None:
        state = self.entry.message.state
        if self._trouble is not None:
            self._trouble.hide()
            self._trouble.deleteLater()
            self._trouble = None
        if state is MessageState.FAILED:
            words = self.entry.facts.error or self.tr("The answer could not be finished.")
            self._trouble = ErrorRow(words, self.look.theme, self, is_failure=True)
        elif words := self._state_words():
            self._trouble = ErrorRow(words, self.look.theme, self, is_failure=False)
        if self._trouble is not None:
            request = MessageRequest(MessageAction.REWRITE, self.entry.message.id)
            self._trouble.retry_chosen.connect(lambda: self.action_chosen.emit(request))
            self._trouble.set_busy(self.is_busy)
            self._trouble.set_past(self.is_past)
            self._trouble.show()

    def _pulse_or_rest(self) -> None:
        if self.entry.is_streaming and not self.look.theme.reduces_motion:
            self._pulse.start()
        else:
            self._pulse.stop()
            self._pulse_at = 0

    def _beat(self) -> None:
        self._pulse_at = (self._pulse_at + 1) % len(_PULSE)
        self.update(0, 0, MARGIN + self.look.line_of_small(), self._head_height())

    def _name(self) -> None:
        head = self.look.headline.of(self.entry.message, None)
        self.setAccessibleName(self.tr("Answer, {head}").format(head=head))
        words = [self.entry.text, self._state_words(), self.entry.facts.error]
        self.setAccessibleDescription("\n".join(part for part in words if part))


def _draw_elided(painter: QPainter, area: QRect, words: str) -> None:
    shown = QFontMetrics(painter.font()).elidedText(
        words, Qt.TextElideMode.ElideRight, area.width()
    )
    painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
