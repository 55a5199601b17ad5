"""The transcript: the reading area of a session, its notices, and the answer that streams in."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import QElapsedTimer, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QWidget

from desktop.domain.ids import MessageId
from desktop.domain.messages import Message, Rating
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import FRAME_MS
from desktop.ui.timers import make_timer
from desktop.ui.transcript.actions import TranscriptMenu, holds
from desktop.ui.transcript.answer_card import AnswerCard
from desktop.ui.transcript.card import MARGIN, Card, CardStyle, MessageCard, NoticeCard
from desktop.ui.transcript.column import Estimate, estimates
from desktop.ui.transcript.document_writer import FormulaImages, TextStyle
from desktop.ui.transcript.entries import (
    NO_FACTS,
    Entry,
    MessageAction,
    MessageEntry,
    MessageFacts,
    MessageRequest,
    Notice,
    NoticeEntry,
    ReadingState,
)
from desktop.ui.transcript.highlighting import Highlighter
from desktop.ui.transcript.message_body import TextSelection
from desktop.ui.transcript.question_card import QuestionCard
from desktop.ui.transcript.text_block import TextPane
from desktop.ui.transcript.virtual_list import ScrollToEndButton, VirtualList
from desktop.ui.widgets.file_chips import Thumbnails

_TOO_FAST_MS = 2_000
_REST = 8  # After a slow frame (a table of a hundred rows), wait this many times its duration


class StreamThrottle(QObject):
    def __init__(self, show: Callable[[MessageEntry], None], parent: QObject) -> None:
        """`show` shows an entry whose text has grown."""
        super().__init__(parent)
        self._show = show
        self._arrived: dict[MessageEntry, list[str]] = {}  # Text that has not been shown yet
        self._frame = make_timer(self, 0, self._show_arrived, is_single=True)
        self._frame_cost_ms = 0
        self._since_paint = QElapsedTimer()
        self._since_paint.start()

    def add(self, entry: MessageEntry, text: str) -> None:
        self._arrived.setdefault(entry, []).append(text)
        if not self._frame.isActive():
            pause = max(FRAME_MS, self._frame_cost_ms * _REST)
            self._frame.start(max(pause - self._since_paint.elapsed(), 0))

    def discard(self, entry: MessageEntry) -> None:
        """Drop text that was not shown, because the entry is gone or complete."""
        self._arrived.pop(entry, None)

    def stop(self) -> None:
        self._frame.stop()
        self._arrived.clear()

    def _show_arrived(self) -> None:
        self._since_paint.restart()
        arrived, self._arrived = self._arrived, {}
        for entry, pieces in arrived.items():
            entry.text += "".join(pieces)
            self._show(entry)
        self._frame_cost_ms = self._since_paint.elapsed()


class TranscriptView(VirtualList):
    action_chosen = Signal(object)  # MessageRequest
    file_chosen = Signal(object)  # MessageFile: a click on a picture of a message
    notice_action = Signal(str, str)  # The notice's id, the action's key
    facts_wanted = Signal(object)  # Tuple of ids of visible messages without loaded details

    def __init__(
        self, theme: ThemeController, parent: QWidget | None = None, *, has_actions: bool = True
    ) -> None:
        """`has_actions`: False if messages can only be read."""
        super().__init__(theme, self._made_card, self._guesses, parent)
        self._has_actions = has_actions
        self._selecting = TextSelection(self._panes, self)
        self._selecting.dragged.connect(self.scroll_towards)
        self._by_id: dict[MessageId, MessageEntry] = {}
        self._formulas = FormulaImages(self)
        self._formulas.drawn.connect(self._show_drawn)
        self.thumbs = Thumbnails(self)
        self._look = self._made_look()
        self.marking = Highlighter(self)
        self._growth = StreamThrottle(self._show_growth, self)
        self._state = ReadingState()
        self.is_kept = True  # whether the session is on the disk
        self._pending_ids: list[MessageId] = []
        self._newest = ScrollToEndButton(theme, self.viewport())
        self._ask_soon = make_timer(self, 0, self._ask_for_facts, is_single=True)
        self._show_names()
        self._newest.clicked.connect(self.go_to_end)
        self.theme.theme_changed.connect(self.rebuild)

    # What is shown

    def show_session(
        self, messages: Sequence[Message], *, facts: Mapping[MessageId, MessageFacts] | None = None
    ) -> None:
        self._growth.stop()
        self.marking.forget()
        facts_by_id = facts or {}
        entries = [
            MessageEntry(message, facts_by_id.get(message.id, NO_FACTS)) for message in messages
        ]
        self._by_id = {entry.message.id: entry for entry in entries}
        self.show_entries(list(entries))

    def append(self, message: Message, facts: MessageFacts = NO_FACTS) -> None:
        entry = MessageEntry(message, facts)
        first = self._index_of_number(message.number)
        replaced = self.entries[first:]
        place = self.place_of(replaced[0]) if replaced else 0
        for old in replaced:
            if isinstance(old, MessageEntry):
                self._by_id.pop(old.message.id, None)
                self._growth.discard(old)
        self.remove_entries(first, len(self.entries))
        self.show_follow_ups(None, ())
        self._by_id[message.id] = entry
        if (last := self._newest_answer()) and isinstance(
            card := self.live.get(last), MessageCard
        ):
            card.keep_actions(shown=False)
        self.insert_entry(len(self.entries), entry)
        for old in replaced:
            # The notices belong to the branch that is shown.
            if isinstance(old, NoticeEntry) and (
                old.notice.after is None or self.holds(old.notice.after)
            ):
                self.insert_entry(len(self.entries), NoticeEntry(old.notice))
        if entry.is_user:
            self.go_to_end()
        elif replaced:
            self.scroll_to_entry(entry, place)

    def add_text(self, message_id: MessageId, delta: str) -> None:
        """Add streamed text; it is shown with the next frame."""
        if (entry := self._by_id.get(message_id)) is not None:
            self._growth.add(entry, delta)

    def set_text(self, message_id: MessageId, text: str) -> None:
        """Replace the streamed text."""
        if (entry := self._by_id.get(message_id)) is not None:
            self._growth.discard(entry)
            entry.text = text
            self._refresh(entry)

    def finish(self, message: Message, facts: MessageFacts = NO_FACTS) -> None:
        entry = self._by_id.get(message.id)
        if entry is None:
            self.append(message, facts)
            return
        self._growth.discard(entry)
        entry.message, entry.text = message, message.content
        if facts is not NO_FACTS:
            entry.facts = facts
        self._refresh(entry)
        self._show_beginning(entry)

    def _show_beginning(self, answer: MessageEntry) -> None:
        """Go to the question of an answer that arrived too fast to be read meanwhile."""
        before = self.entries[answer.index - 1] if answer.index else None
        took_ms = answer.message.duration_ms
        is_fast = took_ms is not None and took_ms < _TOO_FAST_MS
        if before is None or not is_fast or not self.is_at_end:
            return
        if self.column.top(before) < self.verticalScrollBar().value():
            is_long = before.height > self.viewport().height() // 2
            self.scroll_to_entry(answer if is_long else before, 0)

    def set_facts(self, message_id: MessageId, facts: MessageFacts) -> None:
        if (entry := self._by_id.get(message_id)) is not None:
            shown, entry.facts = entry.facts, facts
            if shown != facts:
                self._refresh(entry)

    def show_follow_ups(self, message_id: MessageId | None, questions: Sequence[str]) -> None:
        """Show suggested questions below the newest answer, and below no other."""
        newest = self._newest_answer()
        for entry in self._by_id.values():
            follow_ups = (
                tuple(questions) if entry is newest and entry.message.id == message_id else ()
            )
            if entry.follow_ups != follow_ups:
                entry.follow_ups = follow_ups
                self._refresh(entry)

    def holds(self, message_id: MessageId) -> bool:
        return message_id in self._by_id

    def text_of(self, message_id: MessageId) -> str:
        """Return the text of a message; empty if it is not here."""
        entry = self._by_id.get(message_id)
        return entry.text if entry else ""

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        at = self.viewport().mapFromGlobal(event.globalPos())
        # A key asks for the middle of a card, of which only a part may be visible.
        at.setY(max(0, min(at.y(), self.viewport().height() - 1)))
        at = self.viewport().mapToGlobal(at)
        self.menu_at(at).open_at(at)

    def menu_at(self, at: QPoint) -> TranscriptMenu:
        entry, card = next(
            (pair for pair in self.live.items() if holds(pair[1], at)), (None, None)
        )
        panes, selected = list(card.panes()) if card else [], self._selecting.text()
        menu = TranscriptMenu(
            at, entry, panes, selected, self, is_kept=self.is_kept, can_act=self._has_actions
        )
        menu.action_chosen.connect(self.action_chosen)
        return menu

    def find_message(self, message: MessageId) -> Message | None:
        entry = self._by_id.get(message)
        return entry.message if entry else None

    def newest_answer(self) -> MessageId | None:
        for entry in reversed(self.entries):
            if isinstance(entry, MessageEntry) and not entry.is_user and entry.text:
                return entry.message.id
        return None

    def facts_of(self, message_id: MessageId) -> MessageFacts:
        entry = self._by_id.get(message_id)
        return entry.facts if entry else NO_FACTS

    def add_notice(self, notice: Notice) -> None:
        self.remove_notice(notice.id)
        after = self._by_id.get(notice.after) if notice.after is not None else None
        self.insert_entry(after.index + 1 if after else len(self.entries), NoticeEntry(notice))

    def remove_notice(self, notice_id: str) -> None:
        for entry in self.entries:
            if isinstance(entry, NoticeEntry) and entry.notice.id == notice_id:
                self.remove_entries(entry.index, entry.index + 1)
                return

    def set_busy(self, is_busy: bool) -> None:  # noqa: FBT001 (a Qt setter)
        self._set_state(replace(self._state, is_busy=is_busy))

    def set_past(self, is_past: bool) -> None:  # noqa: FBT001 (a Qt setter)
        self._set_state(replace(self._state, is_past=is_past))

    def set_remembers(self, remembers: bool) -> None:  # noqa: FBT001 (a Qt setter)
        self._set_state(replace(self._state, remembers=remembers))

    def _set_state(self, state: ReadingState) -> None:
        self._state = state
        for card in self.live.values():
            if isinstance(card, MessageCard):
                card.set_state(state)

    def version_before(self, message_id: MessageId) -> int | None:
        """Return the version that keeps the later messages if the message is rewritten."""
        entry = self._by_id.get(message_id)
        if entry is None:
            return None
        own = entry.message.number + (1 if entry.is_user else 0)
        if self._index_of_number(own + 1) == len(self.entries):
            return None
        return entry.facts.versions.place if entry.facts.versions else 1

    # Where the reader is

    def anchor_of_version(self, message_id: MessageId) -> tuple[int | None, int]:
        for entry in self.entries:
            if isinstance(entry, MessageEntry) and entry.has_version(message_id):
                return entry.message.number, -self.place_of(entry)
        return self.anchor()

    def anchor(self) -> tuple[int | None, int]:
        """Return the number of the top message and pixels above it; (None, 0) at the end."""
        position = None if self.is_at_end else self.entry_at_top()
        if position is None:
            return None, 0
        entry, above = position
        if isinstance(entry, MessageEntry):
            return entry.message.number, above
        later = self.entries[entry.index :]
        return next(
            (entry.message.number for entry in later if isinstance(entry, MessageEntry)), None
        ), 0

    def restore_anchor(
        self, number: int | None, offset: int = 0, *, takes_focus: bool = False
    ) -> None:
        index = len(self.entries) if number is None else self._index_of_number(number)
        if index < len(self.entries):
            self.scroll_to_entry(self.entries[index], -offset)
            if takes_focus:
                self.live[self.entries[index]].setFocus(Qt.FocusReason.TabFocusReason)
        else:
            self.go_to_end()

    def scroll_to(self, message_id: MessageId, terms: Sequence[str] = ()) -> None:
        if (entry := self._by_id.get(message_id)) is not None:
            self.marking.show_words(entry, terms)

    # How it is done

    def _made_card(self, entry: Entry) -> Card:
        if isinstance(entry, NoticeEntry):
            notice = NoticeCard(entry, self._look, self.viewport())
            notice.action_chosen.connect(self.notice_action)
            return notice
        kind = QuestionCard if entry.is_user else AnswerCard
        card = kind(entry, self._look, self._state, self.viewport())
        card.action_chosen.connect(self._pass_on)
        card.outgrown.connect(self.remeasure)
        card.file_chosen.connect(self.file_chosen)
        self.marking.mark_new(card)
        if entry is self._newest_answer():
            card.keep_actions(shown=True)
        if entry.facts is NO_FACTS:
            self._pending_ids.append(entry.message.id)
            self._ask_soon.start()
        return card

    def _guesses(self) -> Estimate:
        return estimates(self._look, self.column_width)

    def rebuild(self) -> None:
        self._look = self._made_look()
        self._show_names()
        super().rebuild()

    def settled(self) -> None:
        self._newest.setVisible(bool(self.entries) and not self.is_at_end)
        column_end = (self.viewport().width() + self.column_width) // 2 - MARGIN
        self._newest.place(self.viewport().size(), column_end)

    def _show_names(self) -> None:
        self._newest.set_name(self.tr("Go to the newest message"))
        self.setAccessibleName(self.tr("Conversation"))

    def _made_look(self) -> CardStyle:
        return CardStyle(
            TextStyle(self.theme, self._formulas), self._selecting, self.thumbs, self._has_actions
        )

    def _show_drawn(self) -> None:
        for entry, card in list(self.live.items()):
            if isinstance(card, AnswerCard) and card.show_drawn():
                self.remeasure(entry)

    def _panes(self) -> Iterator[TextPane]:
        """Yield the panes of all live messages; cards with a selection stay alive."""
        for entry in sorted(self.live, key=lambda entry: entry.index):
            yield from self.live[entry].panes()

    def _pass_on(self, request: MessageRequest) -> None:
        if request.action is MessageAction.RATE and request.message is not None:
            entry, thumb = self._by_id[request.message], request.thumb
            rating = Rating(request.message, thumb, request.text) if thumb else None
            entry.facts = replace(entry.facts, rating=rating)
            if isinstance(card := self.live.get(entry), MessageCard):
                card.refresh_actions()
        self.action_chosen.emit(request)

    def _newest_answer(self) -> MessageEntry | None:
        """Return None if the newest message is a question."""
        for entry in reversed(self.entries):
            if isinstance(entry, MessageEntry):
                return None if entry.is_user else entry
        return None

    def _index_of_number(self, number: int) -> int:
        """Return the index of the first message with that number or a later one."""
        for entry in self.entries:
            if isinstance(entry, MessageEntry) and entry.message.number >= number:
                return entry.index
        return len(self.entries)

    def _refresh(self, entry: MessageEntry) -> None:
        if isinstance(card := self.live.get(entry), MessageCard):
            card.refresh()
        self.remeasure(entry)

    def _show_growth(self, entry: MessageEntry) -> None:
        if isinstance(card := self.live.get(entry), AnswerCard):
            card.grow()
        self.remeasure(entry)

    def _ask_for_facts(self) -> None:
        message_ids, self._pending_ids = tuple(dict.fromkeys(self._pending_ids)), []
        if message_ids:
            self.facts_wanted.emit(message_ids)
