"""The bases of the cards of the transcript, the head line above an answer, and notices."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QEnterEvent,
    QFocusEvent,
    QFontMetrics,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QBoxLayout, QFrame, QGroupBox, QHBoxLayout, QPushButton, QWidget

from desktop.domain.frozen import dataclass
from desktop.domain.messages import Message
from desktop.domain.usage import Usage
from desktop.ui.formatting import day_and_time, duration, money, token_count
from desktop.ui.theme.tokens import Radius, Space
from desktop.ui.transcript.actions import Actions
from desktop.ui.transcript.document_writer import TextStyle
from desktop.ui.transcript.entries import (
    MessageAction,
    MessageEntry,
    MessageRequest,
    NoticeAction,
    NoticeEntry,
    ReadingState,
)
from desktop.ui.transcript.message_body import TextSelection
from desktop.ui.transcript.text_block import TextPane, show_notes
from desktop.ui.transcript.text_decorations import NO_MARKS, HighlightTerms
from desktop.ui.widgets.buttons import PushButton
from desktop.ui.widgets.file_chips import Thumbnails
from desktop.ui.widgets.layouts import height_at
from desktop.ui.widgets.plain_text import Label


def message_time(message: Message) -> str:
    """Return when it was written, and whether part of it could not be read."""
    when = day_and_time(message.created_at)
    damaged = QCoreApplication.translate("Headline", "damaged")
    return f"{when} · {damaged}" if message.is_damaged else when


def headline(message: Message, usage: Usage | None = None) -> str:
    parts = [message_time(message)]
    if message.model is not None:
        parts.insert(0, message.model or QCoreApplication.translate("Headline", "Bellek"))
    if message.duration_ms is not None and message.model:
        parts.append(duration(message.duration_ms))
    if usage is not None and usage.cost_usd is not None and usage.total_tokens:
        parts.append(money(usage.cost_usd))
    elif usage is not None and usage.total_tokens:
        form = QCoreApplication.translate("Headline", "{count} tokens")
        parts.append(form.format(count=token_count(usage.total_tokens)))
    return " · ".join(parts)


MARGIN = Space.SMALL  # Between a card's edge and its content; contains the focus ring
_KEYBOARD = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)


@dataclass(frozen=True, slots=True)
class CardStyle:
    """The style of every card; rebuilt when theme, zoom or language change."""

    style: TextStyle
    selecting: TextSelection
    thumbs: Thumbnails
    has_actions: bool = True  # whether a message has actions, or can only be read

    def line_of_small(self) -> int:
        return QFontMetrics(self.style.small).height()

    def line_of_actions(self) -> int:
        return self.line_of_small() + Space.SMALL + Space.TIGHT


class Card(QGroupBox):  # which a screen reader calls a group
    def __init__(self, look: CardStyle, parent: QWidget) -> None:
        super().__init__(parent)
        self.look = look
        self._shows_focus = False
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def fit(self, width: int) -> int:
        """Lay out for a width with margins; return the height."""
        raise NotImplementedError

    def tab_stops(self) -> Iterator[QWidget]:
        yield self

    def is_in_use(self) -> bool:
        """Whether it must stay alive although it is not visible."""
        focus: QWidget | None = self.window().focusWidget()
        return focus is not None and (focus is self or self.isAncestorOf(focus))

    def panes(self) -> Iterator[TextPane]:
        return iter(())

    def is_selected(self) -> bool:
        """Whether some text is selected: the card must stay alive to be copied."""
        return any(pane.textCursor().hasSelection() for pane in self.panes())

    def focus_moved(self) -> None:
        """React to a focus change, into the card or out of it."""

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._shows_focus = event.reason() in _KEYBOARD
        self.update()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._shows_focus = False
        self.update()
        super().focusOutEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self._shows_focus:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(self.look.style.theme.tokens.accent), 1.5))
        edge = QRectF(self.rect()).adjusted(1, 1, -1, -1 - Space.TIGHT)
        painter.drawRoundedRect(edge, Radius.CONTROL, Radius.CONTROL)


class MessageCard(Card):
    """The base of questions and answers: their actions, and the marks of a search."""

    action_chosen = Signal(object)  # MessageRequest
    outgrown = Signal(object)  # The entry whose card needs a new layout
    file_chosen = Signal(object)  # MessageFile

    def __init__(
        self, entry: MessageEntry, look: CardStyle, state: ReadingState, parent: QWidget
    ) -> None:
        super().__init__(look, parent)
        self.entry, self.state = entry, state
        self._marks = NO_MARKS
        self._actions: Actions | None = None
        """Created when they are first shown, because most messages are only scrolled past."""
        self._actions_at = QPoint()
        self._actions_width = 0
        self._always_shows_actions = False

    def follow(self, link: str) -> None:
        self.action_chosen.emit(MessageRequest(MessageAction.FOLLOW, self.entry.message.id, link))

    def refresh(self) -> None:
        self.refresh_actions()
        self.mark_again()

    def refresh_actions(self) -> None:
        if self._actions is not None:
            self._actions.refresh(self.state)

    def set_state(self, state: ReadingState) -> None:
        self.state = state
        self.refresh_actions()

    def mark(self, terms: HighlightTerms) -> None:
        self._marks = terms
        for pane in self.panes():
            pane.mark(terms)

    def mark_again(self) -> None:
        if self.entry.facts.notes or any(pane.notes for pane in self.panes()):
            show_notes(self.entry.facts.notes, list(self.panes()))
        if self._marks:
            self.mark(self._marks)

    def lead_to(self, mark: int | None) -> None:
        for pane in self.panes():
            pane.lead_to(mark)
            mark = None if mark is None else mark - len(pane.marks)

    def y_of_mark(self, mark: int) -> int | None:
        for pane in self.panes():
            if mark < len(pane.marks):
                return pane.mapTo(self, QPoint(0, pane.y_of_mark(mark))).y()
            mark -= len(pane.marks)
        return None

    def keep_actions(self, *, shown: bool) -> None:
        """Always show the actions, not only under the pointer, as the newest answer does."""
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

    def begin_edit(self) -> None:
        """Edit the question in place."""

    def place_actions(self, at: QPoint, width: int) -> None:
        self._actions_at, self._actions_width = at, width
        if self._actions is not None:
            self._actions.setGeometry(at.x(), at.y(), width, self.look.line_of_actions())

    def _show_or_hide_actions(self) -> None:
        is_offered = self.look.has_actions and self.offers_actions()
        is_visible = is_offered and (
            self._always_shows_actions or self.underMouse() or self.is_in_use()
        )
        if is_visible and self._actions is None:
            self._actions = Actions(self.entry, self.state, self.look.style.theme, self)
            self._actions.action_chosen.connect(self.action_chosen)
            self._actions.edit_chosen.connect(self.begin_edit)
            self.place_actions(self._actions_at, self._actions_width)
        if self._actions is not None:
            self._actions.setVisible(is_visible)

    def _action_stops(self) -> list[QWidget]:
        if self._actions is None or self._actions.isHidden():
            return []
        return self._actions.tab_stops()


_LEAST_TEXT_SHARE = 0.45


class NoticeRow(QFrame):
    """A notice; its buttons are beside the text, or below it if there is no room."""

    def __init__(
        self,
        words: str,
        buttons: Sequence[QPushButton],
        parent: QWidget,
        *,
        is_quiet: bool = False,
    ) -> None:
        """`is_quiet`: only a muted line, with its buttons right behind the words."""
        super().__init__(parent)
        self._is_quiet = is_quiet
        self._words = Label(words, self)
        self._buttons = QHBoxLayout()
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self.setProperty("role", "" if is_quiet else "notice")
        self._words.setProperty("role", "small" if is_quiet else "body")
        self._words.setWordWrap(True)
        self._words.setIndent(0)
        self._words.ensurePolished()
        self._buttons.setSpacing(Space.TIGHT)
        for button in buttons:
            button.setProperty("kind", "quiet" if is_quiet else "notice")
            button.setCursor(Qt.CursorShape.PointingHandCursor)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            self._buttons.addWidget(button)
        if not is_quiet:
            self._words.setContentsMargins(0, Space.TIGHT, 0, Space.TIGHT)
        side, edge = (0, 0) if is_quiet else (Space.MEDIUM, Space.TIGHT)
        self._row.setContentsMargins(side, edge, edge, edge)
        self._row.setSpacing(Space.TIGHT)
        self._row.addWidget(self._words, 0 if is_quiet else 1)
        self._row.addLayout(self._buttons)
        self._row.setAlignment(self._buttons, Qt.AlignmentFlag.AlignRight)
        if is_quiet:
            self._row.addStretch(1)

    def fit(self, width: int) -> int:
        taken = self._width_of_buttons() + Space.LARGE
        is_beside = width - taken >= width * _LEAST_TEXT_SHARE
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._row.setDirection(across if is_beside else down)
        self._buttons.setDirection(across if self._width_of_buttons() <= width else down)
        if self._is_quiet:
            whole = self._words.fontMetrics().horizontalAdvance(self._words.text()) + 1
            self._words.setMinimumWidth(min(whole, width - taken))
        height = height_at(self._row, width)  # with the frame's border
        self.resize(width, height)
        return height

    def _width_of_buttons(self) -> int:
        """Return the width of all beside each other, and of the margins."""
        items = [self._buttons.itemAt(place) for place in range(self._buttons.count())]
        widths = [item.sizeHint().width() + Space.TIGHT for item in items if item is not None]
        margins = self._row.contentsMargins()
        return sum(widths) + margins.left() + margins.right()


class NoticeCard(Card):
    action_chosen = Signal(str, str)  # The notice's id and the action's key

    def __init__(self, entry: NoticeEntry, look: CardStyle, parent: QWidget) -> None:
        super().__init__(look, parent)
        self.entry = entry
        self._buttons = [self._button(action) for action in entry.notice.actions]
        self._row = NoticeRow(entry.notice.text, self._buttons, self)
        self._row.move(MARGIN, Space.TIGHT)
        self.setAccessibleName(self.tr("Notice"))
        self.setAccessibleDescription(entry.notice.text)

    def fit(self, width: int) -> int:
        self.resize(width, self._row.fit(width - 2 * MARGIN) + Space.LARGE)
        return self.height()

    def tab_stops(self) -> Iterator[QWidget]:
        yield self
        yield from self._buttons

    def _button(self, action: NoticeAction) -> QPushButton:
        made = PushButton(action.label, self)
        notice = self.entry.notice.id
        made.clicked.connect(lambda: self.action_chosen.emit(notice, action.key))
        return made
