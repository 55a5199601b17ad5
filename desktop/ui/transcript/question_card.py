"""A user's question in the transcript, and the editor that changes it in place."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from math import ceil

from PySide6.QtCore import QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QTextCursor
from PySide6.QtWidgets import QWidget

from desktop.domain.messages import MessageFile
from desktop.ui.theme.tokens import USER_SHARE, Radius, Space
from desktop.ui.transcript.card import MARGIN, CardStyle, MessageCard, message_time
from desktop.ui.transcript.entries import (
    LETTERS_AT_ONCE,
    MessageAction,
    MessageEntry,
    MessageRequest,
    ReadingState,
)
from desktop.ui.transcript.markdown import InlineSpan, Paragraph, runs_of_plain
from desktop.ui.transcript.text_block import ProseBlock, TextPane
from desktop.ui.transcript.text_decorations import HighlightTerms
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.file_chips import FileChips
from desktop.ui.widgets.layouts import STRETCH, column, height_at, row
from desktop.ui.widgets.message_editor import MessageEditor

_MOST_LINES = 12


class EditBox(MessageEditor):
    sent = Signal(str)
    cancelled = Signal()

    def __init__(
        self, text: str, files: Sequence[MessageFile], look: CardStyle, parent: QWidget
    ) -> None:
        super().__init__(look.style.theme, _MOST_LINES, parent)
        self._is_busy = False
        self.files = FileChips(look.style.theme, look.thumbs, self)
        self.files.set_files(files)
        self.files.changed.connect(self.changed)
        self.files.removed.connect(self.field.setFocus)
        again, cancel = self.tr("Send again"), self.tr("Cancel")
        self._send = Button("primary", self, text=again, press=self._ask)
        self._cancel = Button(parent=self, text=cancel, press=self.cancelled.emit)
        self.setProperty("role", "editor")
        self.field.setAccessibleName(self.tr("Your message"))
        buttons = row(STRETCH, self._cancel, self._send)
        self._column = column(self.files, self.pastes, self.field, buttons, margin=Space.MEDIUM)
        self.setLayout(self._column)
        self.field.set_type(look.style.font)
        self.set_text(text)
        self.field.sent.connect(self._ask)
        self.field.left.connect(self.cancelled)

    def set_busy(self, is_busy: bool) -> None:  # noqa: FBT001 (a Qt setter)
        """Keep the text while an answer streams."""
        self._is_busy = is_busy
        self._send.setDisabled(is_busy)

    def fit(self, width: int) -> int:
        self._lay_out(width)  # the height of the field depends on that width
        self.resize(width, self._lay_out(width))
        return self.height()

    def tab_stops(self) -> Iterator[QWidget]:
        yield from (
            *self.files.buttons(),
            *self.pastes.buttons(),
            self.field,
            self._cancel,
            self._send,
        )

    def _lay_out(self, width: int) -> int:
        high = height_at(self._column, width)
        self._column.setGeometry(QRect(0, 0, width, high))
        return high

    def _ask(self) -> None:
        text = self.text.strip()
        if text and not self._is_busy:
            self.sent.emit(text)


_PAD_X = Space.MEDIUM + 2
_PAD_ABOVE, _PAD_BELOW = Space.SMALL - 2, Space.SMALL + 2
"""A line of fixed height has all its spare room above the letters."""
_ABOVE = Space.SMALL


class _Address(StrEnum):
    """Links to parts of a long paste that are not laid out."""

    BEFORE = "before:"
    MORE = "more:"


class QuestionCard(MessageCard):
    def __init__(
        self, entry: MessageEntry, look: CardStyle, state: ReadingState, parent: QWidget
    ) -> None:
        super().__init__(entry, look, state, parent)
        self._pane = ProseBlock(look.style, self)
        self._pane.setAccessibleName(self.tr("Text of your message"))
        self._files: FileChips | None = None
        if entry.message.files:
            self._files = FileChips(look.style.theme, look.thumbs, self, can_remove=False)
            self._files.set_files(entry.message.files)
            self._files.opened.connect(self.file_chosen)
            look.thumbs.came.connect(self._grow)
        self._edit: EditBox | None = None
        self._bubble = QRectF()
        self._shown: str | None = None
        look.selecting.watch(self._pane, self.panes)
        self._pane.link_activated.connect(self._follow)
        self.refresh()

    def refresh(self) -> None:
        if self._shown != self.entry.shown:
            self._shown = self.entry.shown
            self._pane.set_paragraphs(self._paragraphs())
        if self.entry.edit is not None:
            self._open_edit(self.entry.edit)
        time = message_time(self.entry.message)
        self.setAccessibleName(self.tr("Your message, {time}").format(time=time))
        self.setAccessibleDescription(self.entry.shown)
        super().refresh()

    def mark(self, terms: HighlightTerms) -> None:
        super().mark(terms)
        if self.entry.shown_from:  # the link above the text does not belong to the text
            start = self._pane.document().firstBlock().length()
            self._pane.marks = [mark for mark in self._pane.marks if mark[0] >= start]

    def set_state(self, state: ReadingState) -> None:
        super().set_state(state)
        if self._edit is not None:
            self._edit.set_busy(state.is_busy)

    def fit(self, width: int) -> int:
        inner = width - 2 * MARGIN
        if self._edit is not None:
            self._edit.move(MARGIN, _ABOVE)
            self.resize(width, self._edit.fit(inner) + _ABOVE + Space.LARGE)
            return self.height()
        widest = int(inner * USER_SHARE) - 2 * _PAD_X
        self._pane.lay_out(widest)
        text_width = min(ceil(self._pane.document().idealWidth()) + 1, widest)
        high = self._pane.fit(text_width) + _PAD_ABOVE + _PAD_BELOW
        left, top = MARGIN + inner - text_width - 2 * _PAD_X, int(_ABOVE)
        if self._files is not None:
            wide = min(self._files.sizeHint().width(), inner)
            tall = self._files.heightForWidth(wide)
            self._files.setGeometry(MARGIN + inner - wide, top, wide, tall)
            top += tall + Space.SMALL
        self._bubble = QRectF(left, top, text_width + 2 * _PAD_X, high)
        self._pane.move(left + _PAD_X, top + _PAD_ABOVE)
        y = int(self._bubble.bottom()) + 2
        self.place_actions(QPoint(MARGIN, y), inner)
        y += self.look.line_of_actions() + Space.TIGHT
        self.resize(width, y)
        return y

    def _grow(self) -> None:
        self.outgrown.emit(self.entry)

    def panes(self) -> Iterator[TextPane]:
        yield self._pane

    def tab_stops(self) -> Iterator[QWidget]:
        yield self
        if self._edit is not None:
            yield from self._edit.tab_stops()
        else:
            yield from self._files.buttons() if self._files else ()
            if self._pane.has_links():
                yield self._pane
        yield from self._action_stops()

    def offers_actions(self) -> bool:
        return self._edit is None

    def is_in_use(self) -> bool:
        return self._edit is not None or super().is_in_use()

    def begin_edit(self) -> None:
        self.entry.edit, self.entry.edit_files = self.entry.text, self.entry.message.files
        self.refresh()
        self.outgrown.emit(self.entry)
        if self._edit is not None:
            self._edit.field.setFocus(Qt.FocusReason.OtherFocusReason)
            self._edit.field.moveCursor(QTextCursor.MoveOperation.End)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._edit is None:
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self.look.style.theme.tokens.user))
            painter.drawRoundedRect(self._bubble, Radius.CARD, Radius.CARD)
            painter.end()
        super().paintEvent(event)

    def _paragraphs(self) -> list[Paragraph]:
        """Return the text as typed: line breaks are kept, and links can be followed."""
        entry = self.entry
        lines = [Paragraph(runs_of_plain(line), is_tight=True) for line in entry.shown.split("\n")]
        left = max(len(entry.text) - entry.letters_shown, 0)
        if entry.shown_from:
            words = self.tr("Show %Ln earlier character(s)", "", entry.shown_from)
            lines.insert(0, Paragraph((InlineSpan(words, href=_Address.BEFORE),)))
        if left:
            words = self.tr("Show %Ln more character(s)", "", left)
            lines.append(Paragraph((InlineSpan(words, href=_Address.MORE),)))
        if entry.message.is_damaged:
            lines.append(Paragraph((InlineSpan(self.tr("(This message is damaged.)")),)))
        return lines

    def _follow(self, address: str) -> None:
        match address:
            case _Address.BEFORE:
                self.entry.shown_from = max(self.entry.shown_from - LETTERS_AT_ONCE, 0)
            case _Address.MORE:
                self.entry.letters_shown += LETTERS_AT_ONCE
            case _:
                self.follow(address)
                return
        self.refresh()
        self.outgrown.emit(self.entry)

    def _open_edit(self, text: str) -> None:
        if self._edit is not None:
            return
        self._edit = EditBox(text, self.entry.edit_files, self.look, self)
        self._edit.files.opened.connect(self.file_chosen)
        self._edit.set_busy(self.state.is_busy)
        self._edit.changed.connect(self._edit_changed)
        self._edit.sent.connect(self._send)
        self._edit.cancelled.connect(self._close_edit)
        self._edit.show()
        self._show_text(is_shown=False)
        self._show_or_hide_actions()

    def _edit_changed(self) -> None:
        if self._edit is not None:
            self.entry.edit, self.entry.edit_files = self._edit.text, self._edit.files.files
            self.outgrown.emit(self.entry)

    def _send(self, text: str) -> None:
        """Send; the editor stays until the edited question replaces this card."""
        message, files = self.entry.message, self.entry.edit_files
        if text == self.entry.text and tuple(files) == tuple(message.files):
            self._close_edit()
        else:
            request = MessageRequest(MessageAction.EDIT, message.id, text, files=files)
            self.action_chosen.emit(request)

    def _close_edit(self) -> None:
        if self._edit is None:
            return
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self._edit.hide()
        self._edit.deleteLater()
        self._edit = self.entry.edit = None
        self._show_text(is_shown=True)
        self.outgrown.emit(self.entry)

    def _show_text(self, *, is_shown: bool) -> None:
        self._pane.setVisible(is_shown)
        if self._files is not None:
            self._files.setVisible(is_shown)
