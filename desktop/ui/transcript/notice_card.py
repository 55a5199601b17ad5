"""A notice between the messages: a sentence and links for what can be done about it."""

from collections.abc import Iterator

from PySide6.QtCore import QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QWidget

from desktop.ui.theme.tokens import Radius, Space
from desktop.ui.transcript.answer_card import AnswerCard
from desktop.ui.transcript.card import MARGIN, Card, CardStyle
from desktop.ui.transcript.entries import NoticeAction, NoticeEntry
from desktop.ui.transcript.question_card import QuestionCard
from desktop.ui.widgets.buttons import PushButton

_PAD = Space.MEDIUM
_WRAP = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_LEAST_TEXT_SHARE = 0.45


class NoticeCard(Card):
    action_chosen = Signal(str, str)
    """The notice's id and the action's key."""

    def __init__(self, entry: NoticeEntry, look: CardStyle, parent: QWidget) -> None:
        super().__init__(look, parent)
        self.entry = entry
        self._buttons = [self._button(action) for action in entry.notice.actions]
        self._metrics = QFontMetrics(look.theme.font())
        self._text = QRect()
        self._ground = QRectF()
        self.setAccessibleName(self.tr("Notice"))
        self.setAccessibleDescription(entry.notice.text)

    def fit(self, width: int) -> int:
        """Lay out for a width, margins included; returns the height."""
        inner = width - 2 * MARGIN
        hints = [button.sizeHint() for button in self._buttons]
        taken = sum(hint.width() + Space.TIGHT for hint in hints)
        high = max((hint.height() for hint in hints), default=0)
        beside = inner - 2 * _PAD - taken
        is_beside = beside >= inner * _LEAST_TEXT_SHARE
        room = beside if is_beside else inner - 2 * _PAD
        needed = self._metrics.boundingRect(
            QRect(0, 0, room, 10_000), int(_WRAP), self.entry.notice.text
        ).height()
        height = max(needed, high if is_beside else 0) + 2 * Space.SMALL
        if is_beside:
            height = max(needed + 2 * Space.SMALL, high + Space.SMALL)
        self._text = QRect(MARGIN + _PAD, Space.TIGHT, room, height)
        total = height if is_beside else height + high + Space.TIGHT
        y = Space.TIGHT + ((height - high) // 2 if is_beside else height)
        x = width - MARGIN - Space.TIGHT - taken
        for button, hint in zip(self._buttons, hints, strict=True):
            button.setGeometry(x, y, hint.width(), hint.height())
            x += hint.width() + Space.TIGHT
        self._ground = QRectF(MARGIN, Space.TIGHT, inner, total)
        self.resize(width, total + Space.LARGE)
        return self.height()

    def tab_stops(self) -> Iterator[QWidget]:
        yield self
        yield from self._buttons

    def paintEvent(self, event: QPaintEvent) -> None:
        tokens = self.look.theme.tokens
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(tokens.notice_ground))
        painter.drawRoundedRect(self._ground, Radius.CONTROL, Radius.CONTROL)
        painter.setPen(QColor(tokens.notice_text))
        painter.setFont(self.look.theme.font())
        painter.drawText(self._text, int(_WRAP), self.entry.notice.text)
        painter.end()
        super().paintEvent(event)

    def _button(self, action: NoticeAction) -> QPushButton:
        made = PushButton(action.label, self)
        made.setProperty("kind", "notice")
        made.setCursor(Qt.CursorShape.PointingHandCursor)
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        notice = self.entry.notice.id
        made.clicked.connect(lambda: self.action_chosen.emit(notice, action.key))
        return made


SaidCard = QuestionCard | AnswerCard
"""Has words that can be marked."""
LiveCard = SaidCard | NoticeCard
