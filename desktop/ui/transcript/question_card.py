"""A user's question in the transcript, and the editor that changes it in place."""

from collections.abc import Iterator
from enum import StrEnum
from math import ceil

from PySide6.QtCore import QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen, QTextCursor
from PySide6.QtWidgets import QFrame, QWidget

from desktop.ui.formatting import day_and_time
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import USER_SHARE, Radius, Space
from desktop.ui.transcript.actions import Actions
from desktop.ui.transcript.card import MARGIN, CardStyle, MessageCard
from desktop.ui.transcript.document_writer import TextStyle
from desktop.ui.transcript.entries import (
    LETTERS_AT_ONCE,
    MessageAction,
    MessageEntry,
    MessageRequest,
)
from desktop.ui.transcript.highlight_terms import NO_MARKS, HighlightTerms
from desktop.ui.transcript.inline_spans import InlineSpan, runs_of_plain
from desktop.ui.transcript.markdown import Paragraph
from desktop.ui.transcript.message_body import ProseBlock
from desktop.ui.transcript.text_block import TextPane
from desktop.ui.widgets.buttons import PushButton
from desktop.ui.widgets.paste_chips import PasteChips, PastingField, join_pasted, split_pasted

_PAD = Space.MEDIUM
_MOST_LINES = 12
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class EditBox(QWidget):
    changed = Signal(str)
    sent = Signal(str)
    cancelled = Signal()

    def __init__(
        self, text: str, theme: ThemeController, style: TextStyle, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._is_busy = False
        self._field = _Field(self)
        self._field.setFont(style.font)
        self._pastes = PasteChips(theme, self)
        written, pasted = split_pasted(text)
        self._field.setPlainText(written)
        self._pastes.set_texts(pasted)
        self._field.setAccessibleName(self.tr("Your message"))
        self._send = PushButton(self.tr("Send again"), self)
        self._send.setProperty("kind", "primary")
        self._cancel = PushButton(self.tr("Cancel"), self)
        self._connect()

    def _connect(self) -> None:
        self._field.textChanged.connect(self._tell)
        self._field.long_pasted.connect(self._pastes.add)
        self._pastes.changed.connect(self._tell)
        self._pastes.wanted_in_field.connect(self._field.write_out)
        self._pastes.removed.connect(self._field.setFocus)
        self._field.sent.connect(self._ask)
        self._field.cancelled.connect(self.cancelled)
        self._send.clicked.connect(self._ask)
        self._cancel.clicked.connect(self.cancelled)

    def set_busy(self, is_busy: bool) -> None:  # noqa: FBT001 (a Qt setter)
        """While an answer is on its way, what is written stays."""
        self._is_busy = is_busy
        self._send.setDisabled(is_busy)

    def begin(self) -> None:
        self._field.setFocus(Qt.FocusReason.OtherFocusReason)
        self._field.moveCursor(QTextCursor.MoveOperation.End)

    def fit(self, width: int) -> int:
        line = self._field.fontMetrics().lineSpacing()
        top = int(Space.SMALL)
        if not self._pastes.isHidden():
            high = self._pastes.heightForWidth(width - 2 * _PAD)
            self._pastes.setGeometry(_PAD, top + Space.TIGHT, width - 2 * _PAD, high)
            top += high + Space.SMALL
        self._field.resize(width - 2 * _PAD, self._field.height())
        lines = min(max(round(self._field.document().size().height()), 1), _MOST_LINES)
        height = (lines + 1) * line
        self._field.setGeometry(_PAD, top, width - 2 * _PAD, height)
        y = top + height + Space.SMALL
        send, cancel = self._send.sizeHint(), self._cancel.sizeHint()
        x = width - _PAD - send.width()
        self._send.setGeometry(x, y, send.width(), send.height())
        x -= Space.SMALL + cancel.width()
        self._cancel.setGeometry(x, y, cancel.width(), cancel.height())
        y += send.height() + Space.SMALL
        self.resize(width, y)
        return y

    def tab_stops(self) -> Iterator[QWidget]:
        yield from (*self._pastes.buttons(), self._field, self._cancel, self._send)

    def paintEvent(self, _event: QPaintEvent) -> None:
        tokens = self._theme.tokens
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(tokens.accent), 1))
        painter.setBrush(QColor(tokens.raised))
        edge = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(edge, Radius.COMPOSER, Radius.COMPOSER)

    def _text(self) -> str:
        return join_pasted(self._field.toPlainText(), self._pastes.texts)

    def _tell(self) -> None:
        self.changed.emit(self._text())

    def _ask(self) -> None:
        text = self._text().strip()
        if text and not self._is_busy:
            self.sent.emit(text)


class _Field(PastingField):
    sent = Signal()
    cancelled = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setAutoFillBackground(False)
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.key() in _ENTER and not shifted:
            self.sent.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
        else:
            super().keyPressEvent(event)


_PAD_X = Space.MEDIUM + 2
_PAD_ABOVE, _PAD_BELOW = Space.SMALL - 2, Space.SMALL + 2
"""A line of fixed height has all its spare room above the letters."""
_ABOVE = Space.SMALL


class _Address(StrEnum):
    BEFORE = "before:"
    MORE = "more:"


class QuestionCard(MessageCard):
    def __init__(self, entry: MessageEntry, look: CardStyle, parent: QWidget) -> None:
        super().__init__(entry, look, parent)
        self._pane = ProseBlock(look.style, self)
        self._before = ProseBlock(look.style, self)
        """Leads to what stands before the part of a long paste that is laid out."""
        self._pane.link_activated.connect(self._follow)
        self._pane.dragged.connect(self.dragged)
        look.selecting.watch(self._pane, self.panes)
        self._before.link_activated.connect(self._follow)
        self._edit: EditBox | None = None
        self._bubble = QRectF()
        self._shown: str | None = None
        self._marks = NO_MARKS
        self.refresh()

    def refresh(self) -> None:
        super().refresh()
        if self._shown != self.entry.shown:
            self._shown = self.entry.shown
            self._pane.keep(0)
            self._pane.write([*_paragraphs(self._shown), *self._more()])
            self._pane.mark(self._marks)
            self._write_before()
        if self.entry.edit is not None:
            self._open_edit(self.entry.edit)
        self.setAccessibleName(
            self.tr("Your message, {time}").format(
                time=day_and_time(self.entry.message.created_at)
            )
        )
        self.setAccessibleDescription(self.entry.shown)

    def fit(self, width: int) -> int:
        """Lay out for a width, margins included; returns the height."""
        inner = width - 2 * MARGIN
        if self._edit is not None:
            height = self._edit.fit(inner)
            self._edit.move(MARGIN, _ABOVE)
            self.resize(width, height + _ABOVE + Space.LARGE)
            return self.height()
        widest = int(inner * USER_SHARE) - 2 * _PAD_X
        self._pane.lay_out(widest)
        text_width = min(ceil(self._pane.document().idealWidth()) + 1, widest)
        head = self._before.fit(text_width) if self.entry.shown_from else 0
        text_height = self._pane.fit(text_width) + head
        high = text_height + _PAD_ABOVE + _PAD_BELOW
        left = MARGIN + inner - text_width - 2 * _PAD_X
        self._bubble = QRectF(left, _ABOVE, text_width + 2 * _PAD_X, high)
        self._before.move(left + _PAD_X, _ABOVE + _PAD_ABOVE)
        self._pane.move(left + _PAD_X, _ABOVE + _PAD_ABOVE + head)
        y = int(self._bubble.bottom()) + 2
        self.place_actions(QPoint(MARGIN, y), inner)
        y += self.look.line_of_actions() + Space.TIGHT
        self.resize(width, y)
        return y

    def panes(self) -> Iterator[TextPane]:
        return self._pane.panes()

    def mark(self, marks: HighlightTerms) -> int:
        self._marks = marks
        return self._pane.mark(marks)

    def tab_stops(self) -> Iterator[QWidget]:
        yield self
        if self._edit is not None:
            yield from self._edit.tab_stops()
            return
        for pane in (self._before, self._pane):
            if not pane.isHidden() and pane.has_links():
                yield pane
        yield from self._action_stops()

    def offers_actions(self) -> bool:
        return self._edit is None

    def set_busy(self, is_busy: bool) -> None:  # noqa: FBT001 (a Qt setter)
        super().set_busy(is_busy)
        if self._edit is not None:
            self._edit.set_busy(is_busy)

    def is_in_use(self) -> bool:
        return self._edit is not None or super().is_in_use()

    def _made_actions(self) -> Actions:
        made = super()._made_actions()
        made.edit_chosen.connect(self.begin_edit)
        return made

    def begin_edit(self) -> None:
        self.entry.edit = self.entry.text
        self._open_edit(self.entry.text)
        self.outgrown.emit(self.entry)
        if self._edit is not None:
            self._edit.begin()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._edit is None:
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self.look.theme.tokens.user))
            painter.drawRoundedRect(self._bubble, Radius.CARD, Radius.CARD)
            painter.end()
        super().paintEvent(event)

    def _more(self) -> list[Paragraph]:
        left = max(len(self.entry.text) - self.entry.letters_shown, 0)
        words = self.tr("Show more: %Ln more letter(s)", "", left)
        return [Paragraph((InlineSpan(words, href=_Address.MORE),))] if left else []

    def _write_before(self) -> None:
        left = self.entry.shown_from
        words = self.tr("Show more: %Ln letter(s) before this", "", left)
        self._before.keep(0)
        self._before.write([Paragraph((InlineSpan(words, href=_Address.BEFORE),))])
        self._before.setVisible(bool(left) and self._edit is None)

    def _follow(self, address: str) -> None:
        match address:
            case _Address.BEFORE:
                self.entry.shown_from = max(self.entry.shown_from - LETTERS_AT_ONCE, 0)
            case _Address.MORE:
                self.entry.letters_shown += LETTERS_AT_ONCE
            case _:
                self.link_activated.emit(address)
                return
        self.refresh()
        self.outgrown.emit(self.entry)

    def _open_edit(self, text: str) -> None:
        if self._edit is not None:
            return
        self._edit = EditBox(text, self.look.theme, self.look.style, self)
        self._edit.set_busy(self.is_busy)
        self._edit.changed.connect(self._edit_changed)
        self._edit.sent.connect(self._send)
        self._edit.cancelled.connect(self._close_edit)
        self._edit.show()
        self._pane.hide()
        self._before.hide()
        self._show_or_hide_actions()

    def _edit_changed(self, text: str) -> None:
        self.entry.edit = text
        self.outgrown.emit(self.entry)

    def _send(self, text: str) -> None:
        """The editor stays until the changed question takes this card's place."""
        if text == self.entry.text:
            self._close_edit()
        else:
            request = MessageRequest(MessageAction.EDIT, self.entry.message.id, text)
            self.action_chosen.emit(request)

    def _close_edit(self) -> None:
        if self._edit is None:
            return
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self._edit.hide()
        self._edit.deleteLater()
        self._edit = None
        self.entry.edit = None
        self._pane.show()
        self._before.setVisible(bool(self.entry.shown_from))
        self.outgrown.emit(self.entry)


def _paragraphs(text: str) -> list[Paragraph]:
    """The words as they were typed: each line break is one, and links can be followed."""
    return [Paragraph(runs_of_plain(line), is_tight=True) for line in text.split("\n")]
