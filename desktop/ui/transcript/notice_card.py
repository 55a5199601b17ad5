"""Sentences on the ground of a notice with their buttons, and the card of one between messages."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QPushButton, QWidget

from desktop.ui.theme.tokens import Space
from desktop.ui.transcript.card import MARGIN, Card, CardStyle
from desktop.ui.transcript.entries import NoticeAction, NoticeEntry
from desktop.ui.widgets.buttons import PushButton
from desktop.ui.widgets.plain_text import Label

_LEAST_TEXT_SHARE = 0.45


class NoticeRow(QFrame):
    """The buttons stand beside the words, or below them where there is no room."""

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
        taken = self._buttons.sizeHint().width() + Space.LARGE
        is_beside = width - taken >= width * _LEAST_TEXT_SHARE
        directions = QBoxLayout.Direction
        self._row.setDirection(directions.LeftToRight if is_beside else directions.TopToBottom)
        if self._is_quiet:
            whole = self._words.fontMetrics().horizontalAdvance(self._words.text()) + 1
            self._words.setMinimumWidth(min(whole, width - taken))
        height = self._row.heightForWidth(width)
        self.resize(width, height)
        return height


class NoticeCard(Card):
    action_chosen = Signal(str, str)
    """The notice's id and the action's key."""

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
