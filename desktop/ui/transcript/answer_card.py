"""An answer in the transcript, and below it the passages recalled for its question."""

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import partial

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from desktop.domain.claims import Support
from desktop.domain.facts import Fact
from desktop.domain.ids import FactId, MessageId
from desktop.domain.messages import CUT, MessageState
from desktop.domain.search import HitKind, RecalledItem
from desktop.language.sentences import plain_text
from desktop.ui.formatting import day, full_day
from desktop.ui.theme.theme import Glyph, ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.timers import make_timer
from desktop.ui.transcript.card import MARGIN, CardStyle, MessageCard, NoticeRow, headline
from desktop.ui.transcript.entries import MessageAction, MessageEntry, MessageRequest, ReadingState
from desktop.ui.transcript.markdown import with_own_marks
from desktop.ui.transcript.message_body import MessageBody, without_open_line
from desktop.ui.transcript.text_block import TextPane
from desktop.ui.widgets.buttons import Button, PassageButton, PushButton, QuestionChips
from desktop.ui.widgets.layouts import (
    STRETCH,
    at_left,
    clear_layout,
    column,
    frame_with,
    height_at,
    row,
    widget_with,
)
from desktop.ui.widgets.plain_text import HintLabel

_SNIPPET = 180  # Characters
_UNFINISHED = {MessageState.STOPPED, MessageState.INTERRUPTED}
_DOT_SHARE = 0.42  # Of the line's height
_PULSE_MS = 120
_PULSE = (255, 225, 190, 150, 115, 150, 190, 225)


class UsedPassages(QWidget):
    action_chosen = Signal(object)  # MessageRequest
    resized = Signal()

    def __init__(
        self, entry: MessageEntry, theme: ThemeController, parent: QWidget, *, can_act: bool
    ) -> None:
        super().__init__(parent)
        self._entry, self._theme = entry, theme
        self._can_act = can_act
        self._leaving: list[Button] = []
        self._titles: list[Button] = []
        self._head = Button("link", press=self._unfold)
        self._head.setIconSize(theme.icon_size)
        self._list = frame_with("rule", column(spacing=Space.SMALL, margin=(Space.SMALL, 0, 0, 0)))
        self._column = column(at_left(self._head), self._list, spacing=Space.TIGHT)
        self.setLayout(self._column)
        self._shown: tuple[Sequence[RecalledItem], Sequence[Fact]] = ((), ())
        self._state = ReadingState()
        self.refresh()

    def refresh(self) -> None:
        entry = self._entry
        items, facts = entry.facts.recalled, entry.facts.remembered
        # A failed answer used nothing.
        is_failure = entry.message.state is MessageState.FAILED
        self.setVisible(bool(items or facts) and not is_failure)
        words = self._words(items, facts)
        self._head.setText(words)
        self._head.setProperty("whole", words)
        state = self.tr("shown") if entry.shows_used else self.tr("hidden")
        self._head.setAccessibleName(f"{words}, {state}")
        glyph = Glyph.CHEVRON_DOWN if entry.shows_used else Glyph.CHEVRON_RIGHT
        self._head.setIcon(self._theme.icon(glyph))
        if entry.shows_used and self._shown != (items, facts):
            self._shown = (items, facts)
            self._build(items, facts)
        self._list.setVisible(entry.shows_used)

    def set_state(self, state: ReadingState) -> None:
        self._state = state
        for button in self._leaving:
            button.setHidden(state.is_past or not self._can_act)
            button.setDisabled(state.is_busy)

    def fit(self, width: int) -> int:
        if self.isHidden():
            return 0
        button_width = max((button.sizeHint().width() for button in self._leaving), default=0)
        room = width - button_width - 3 * Space.LARGE
        beside_icon = width - self._head.iconSize().width() - Space.LARGE
        rooms = [(self._head, beside_icon), *((title, room) for title in self._titles)]
        for button, space in rooms:
            words = button.fontMetrics().elidedText(
                str(button.property("whole")), Qt.TextElideMode.ElideRight, space
            )
            button.setText(words.replace("&", "&&"))
        height = height_at(self._column, width)
        self.resize(width, height)
        return height

    def tab_stops(self) -> Iterator[QWidget]:
        if self.isHidden():
            return
        yield self._head
        if self._entry.shows_used:
            buttons = self._list.findChildren(PushButton)
            yield from (
                button for button in buttons if not button.isHidden() and button.isEnabled()
            )

    def _words(self, items: Sequence[RecalledItem], facts: Sequence[Fact]) -> str:
        sessions = {item.session_id for item in items if item.kind is not HitKind.FACT}
        sessions -= {"", self._entry.message.session_id}
        documents = {item.title for item in items if item.kind is HitKind.SOURCE}
        counts = len(sessions), len(documents), len(_known(items, facts))
        # Which of them the model used, it does not say.
        words = (
            self.tr("Passages from %n past session(s) sent", "", counts[0]),
            self.tr("Passages from %n document(s) sent", "", counts[1]),
            self.tr("%n fact(s) sent", "", counts[2]),
        )
        earlier = self.tr("Earlier messages in this session were sent")
        shown = [text for text, count in zip(words, counts, strict=True) if count]
        return " · ".join(shown) or earlier

    def _build(self, items: Sequence[RecalledItem], facts: Sequence[Fact]) -> None:
        self._leaving, self._titles = [], []
        layout = self._list.layout()
        assert layout is not None  # noqa: S101 - set when it is built
        clear_layout(layout)
        of_places: dict[str, list[RecalledItem]] = {}
        for item in items:
            is_day = item.kind is HitKind.DIARY
            place = item.title if is_day or not item.session_id else item.session_id
            if item.kind is not HitKind.FACT:
                of_places.setdefault(place, []).append(item)
        for several in of_places.values():
            layout.addWidget(self._place(several))
        for fact_id, content in _known(items, facts).items():
            words = self.tr("Remembered: {fact}").format(fact=content)
            request = MessageRequest(MessageAction.SHOW_MEMORY, fact=fact_id)
            layout.addWidget(_passage(words, words, self._sends(request)))
        self.set_state(self._state)

    def _place(self, items: Sequence[RecalledItem]) -> QWidget:
        own, message, first = self._entry.message.session_id, self._entry.message.id, items[0]
        name = " ".join(first.title.split())
        words = self.tr("{title} · {day}").format(title=name, day=day(first.said_at))
        if first.kind is HitKind.DIARY:
            name = words = self.tr("Diary · {day}").format(day=full_day(date.fromisoformat(name)))
        elif first.session_id == own:
            name = self.tr("Earlier in this session")
            words = self.tr("{title} · {day}").format(title=name, day=day(first.said_at))
        title = Button("named", name=words, press=self._sends(_opening(message, first)))
        title.setProperty("whole", words)
        self._titles.append(title)
        head = row(title, STRETCH, spacing=Space.SMALL)
        if first.session_id and first.session_id != own:
            request = MessageRequest(MessageAction.LEAVE_OUT, message, item=first)
            label = self.tr("Leave out “{title}” and ask again").format(title=name)
            leave = Button("link", name=label, press=self._sends(request))
            leave.setText(self.tr("Leave out and ask again"))
            self._leaving.append(leave)
            head.addWidget(leave)
        passages = [
            _passage(shown, f"{name}: {shown}", self._sends(_opening(message, item)))
            for item in items
            if (shown := _shown(item.snippet))
        ]
        return widget_with(column(head, *passages, spacing=0))

    def _sends(self, request: MessageRequest) -> Callable[[], object]:
        return partial(self.action_chosen.emit, request)

    def _unfold(self) -> None:
        self._entry.shows_used = not self._entry.shows_used
        self.refresh()
        self.resized.emit()


def _passage(words: str, name: str, press: Callable[[], object]) -> PassageButton:
    made = PassageButton()
    made.fill(column(HintLabel(words), margin=(Space.TIGHT, 1, Space.TIGHT, 2)))
    made.setAccessibleName(name)
    made.clicked.connect(lambda _: press())
    return made


def _known(items: Sequence[RecalledItem], facts: Sequence[Fact]) -> dict[FactId, str]:
    """Return the facts sent with the question, always or by recall."""
    recalled = {FactId(item.target): item.snippet for item in items if item.kind is HitKind.FACT}
    return recalled | {fact.id: fact.content for fact in facts}


def _opening(message: MessageId, item: RecalledItem) -> MessageRequest:
    return MessageRequest(MessageAction.OPEN_USED, message, item=item)


def _shown(snippet: str) -> str:
    """Return the beginning of a passage as one line of plain text, without a table's lines."""
    cells = (cell.strip() for cell in plain_text(snippet).split("|"))
    words = " · ".join(cell for cell in cells if cell.strip("-: "))
    return words if len(words) <= _SNIPPET else f"{words[:_SNIPPET].rsplit(' ', 1)[0]} …"


class AnswerCard(MessageCard):
    def __init__(
        self, entry: MessageEntry, look: CardStyle, state: ReadingState, parent: QWidget
    ) -> None:
        super().__init__(entry, look, state, parent)
        self._body = MessageBody(look.style, self, look.selecting)
        self._trouble: NoticeRow | None = None
        self._doubts: NoticeRow | None = None
        self._used: UsedPassages | None = None
        self._ways_on: list[PushButton] = []
        self._rewrites: list[PushButton] = []
        self._follow_ups: QuestionChips | None = None
        self._pulse_at = 0
        self._pulse = make_timer(self, _PULSE_MS, self._beat)
        self._body.link_activated.connect(self.follow)
        self.refresh()

    def refresh(self) -> None:
        entry = self.entry
        review = None if entry.is_streaming else entry.facts.review
        claims = review.claims if review else ()
        self._body.set_source(*with_own_marks(self._text(), entry.facts.citations, claims))
        self._show_doubts()
        self._show_trouble()
        self._show_follow_ups()
        self._show_used()
        if entry.is_streaming and not self.look.style.theme.reduces_motion:
            self._pulse.start()
        else:
            self._pulse.stop()
            self._pulse_at = 0
        head = headline(entry.message)
        self.setAccessibleName(self.tr("Answer, {head}").format(head=head))
        words = (self._doubt_words(), entry.text, self._state_words(), entry.facts.error)
        self.setAccessibleDescription("\n".join(filter(None, words)))
        self._show_or_hide_actions()
        super().refresh()
        self.update()

    def set_state(self, state: ReadingState) -> None:
        super().set_state(state)
        for button in (*self._ways_on, *self._rewrites):
            button.setDisabled(state.is_busy)
            button.setHidden(state.is_past)
        if self._used is not None:
            self._used.set_state(state)

    def _text(self) -> str:
        entry = self.entry
        is_open = entry.is_streaming or entry.message.state in _UNFINISHED
        return without_open_line(entry.text) if is_open else entry.text

    def grow(self) -> None:
        """Append what has arrived, without changing what is shown."""
        self._body.grow(self._text())
        self.mark_again()
        self.update()

    def show_drawn(self) -> bool:
        """Show the formulas that were drawn since; return whether there were any."""
        is_changed = self._body.show_drawn()
        if is_changed:
            self.mark_again()
        return is_changed

    def fit(self, width: int) -> int:
        inner = width - 2 * MARGIN
        y = self._head_height()
        if self._doubts is not None:
            self._doubts.move(MARGIN, y)
            y += self._doubts.fit(inner) + Space.SMALL
        self._body.move(MARGIN, y)
        y += self._body.fit(inner) + Space.SMALL
        if self._trouble is not None:
            self._trouble.move(MARGIN, y)
            y += self._trouble.fit(inner) + Space.SMALL
        if self._used is not None and not self._used.isHidden():
            self._used.move(MARGIN - Space.TIGHT, y)
            y += self._used.fit(inner) + Space.SMALL
        self.place_actions(QPoint(MARGIN - Space.SMALL, y - Space.TIGHT), inner + Space.SMALL)
        y += self.look.line_of_actions() + Space.MEDIUM
        if self._follow_ups is not None:
            height = self._follow_ups.fit(inner)
            self._follow_ups.setGeometry(MARGIN, y, inner, height)
            y += height + Space.MEDIUM
        self.resize(width, y)
        return y

    def panes(self) -> Iterator[TextPane]:
        return self._body.panes()

    def tab_stops(self) -> Iterator[QWidget]:
        yield self
        yield from (button for button in self._rewrites if not button.isHidden())
        yield from (pane for pane in self._body.panes() if pane.has_links())
        yield from self._body.copy_buttons()
        yield from (button for button in self._ways_on if not button.isHidden())
        if self._used is not None:
            yield from self._used.tab_stops()
        yield from self._action_stops()
        if self._follow_ups is not None:
            yield from self._follow_ups.chips

    def offers_actions(self) -> bool:
        return not self.entry.is_streaming

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        tokens = self.look.style.theme.tokens
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
        head = painter.fontMetrics().elidedText(
            self._head_words(), Qt.TextElideMode.ElideRight, line.width()
        )
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, head)

    def _head_height(self) -> int:
        return Space.TIGHT + self.look.line_of_small() + Space.SMALL

    def _head_words(self) -> str:
        head = headline(self.entry.message, self.entry.facts.usage)
        if self.entry.is_streaming:
            head += " · " + self.tr("answering…")
        return head

    def _state_words(self) -> str:
        if self._is_cut:
            return self.tr("The answer reached the model’s length limit.")
        words = {
            MessageState.STOPPED: self.tr("You stopped this answer here."),
            MessageState.INTERRUPTED: self.tr(
                "This answer was cut off when Bellek closed unexpectedly."
            ),
        }
        return words.get(self.entry.message.state, "")

    @property
    def _is_cut(self) -> bool:
        message = self.entry.message
        return message.state is MessageState.COMPLETE and message.error == CUT

    def _doubt_words(self) -> str:
        review = self.entry.facts.review
        supports = [claim.support for claim in review.not_said] if review else []
        contradicted = supports.count(Support.CONTRADICTED)
        absent = len(supports) - contradicted
        words = (
            self.tr("%n statement(s) contradicted by the source", "", contradicted),
            self.tr("%n statement(s) not in the source", "", absent),
        )
        counts = (contradicted, absent)
        return " · ".join(text for text, count in zip(words, counts, strict=True) if count)

    def _show_doubts(self) -> None:
        """Show above the answer how many claims its sources do not say."""
        if self._doubts is not None:
            self._doubts.hide()
            self._doubts.deleteLater()
            self._doubts, self._rewrites = None, []
        if not (words := self._doubt_words()):
            return
        way = (self.tr("Write it again without these"), Glyph.PENCIL)
        if self.look.has_actions:
            self._rewrites = [self._way_on(*way, MessageAction.REWRITE_WITHOUT, is_failure=False)]
        self._doubts = NoticeRow(f"! {words}", self._rewrites, self, is_quiet=True)
        self._doubts.show()
        self.set_state(self.state)

    def _show_trouble(self) -> None:
        if self._trouble is not None:
            self._trouble.hide()
            self._trouble.deleteLater()
            self._trouble, self._ways_on = None, []
        is_failure = self.entry.message.state is MessageState.FAILED
        words = self._state_words()
        if is_failure:
            words = self.entry.facts.error or self.tr("The answer could not be finished.")
        if not words:
            return
        ways = [(self.tr("Retry"), Glyph.REFRESH, MessageAction.REWRITE)]
        if self._is_cut or not self.look.has_actions:
            ways = []
        if self.entry.text.strip() and self.look.has_actions:
            ways.append((self.tr("Continue writing"), Glyph.PENCIL, MessageAction.GO_ON))
        self._ways_on = [self._way_on(*way, is_failure=is_failure) for way in ways]
        self._trouble = NoticeRow(words, self._ways_on, self, is_quiet=not is_failure)
        self._trouble.show()
        self.set_state(self.state)

    def _way_on(
        self, words: str, glyph: Glyph, action: MessageAction, *, is_failure: bool
    ) -> PushButton:
        theme = self.look.style.theme
        made = PushButton(words, self)
        made.setIcon(theme.icon(glyph, theme.tokens.notice_text if is_failure else None))
        made.setIconSize(theme.icon_size)
        if not is_failure:
            made.setFont(self.look.style.small)
        request = MessageRequest(action, self.entry.message.id)
        made.clicked.connect(lambda: self.action_chosen.emit(request))
        return made

    def _show_follow_ups(self) -> None:
        questions = self.entry.follow_ups if self.look.has_actions else ()
        if self._follow_ups is None and questions:
            self._follow_ups = QuestionChips(self, side=Qt.AlignmentFlag.AlignLeft)
            self._follow_ups.setAccessibleName(self.tr("Suggested questions"))
            self._follow_ups.chosen.connect(self._ask)
            self._follow_ups.show()
        if self._follow_ups is not None:
            self._follow_ups.show_questions(questions)
            self._follow_ups.setVisible(bool(questions))

    def _ask(self, question: str) -> None:
        self.action_chosen.emit(MessageRequest(MessageAction.ASK, self.entry.message.id, question))

    def _show_used(self) -> None:
        facts = self.entry.facts
        if (facts.recalled or facts.remembered) and self._used is None:
            theme, can_act = self.look.style.theme, self.look.has_actions
            self._used = UsedPassages(self.entry, theme, self, can_act=can_act)
            self._used.action_chosen.connect(self.action_chosen)
            self._used.resized.connect(lambda: self.outgrown.emit(self.entry))
        elif self._used is not None:
            self._used.refresh()
        if self._used is not None:
            self._used.set_state(self.state)

    def _beat(self) -> None:
        self._pulse_at = (self._pulse_at + 1) % len(_PULSE)
        self.update(0, 0, MARGIN + self.look.line_of_small(), self._head_height())
