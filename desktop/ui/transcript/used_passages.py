"""Below an answer: what of the past went with its question unasked, and what can be left out."""

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from desktop.domain.facts import Fact
from desktop.domain.ids import FactId, MessageId
from desktop.domain.search import HitKind, RecalledItem
from desktop.language.sentences import plain_text
from desktop.ui.formatting import day, full_day
from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.transcript.entries import MessageAction, MessageEntry, MessageRequest, ReadingState
from desktop.ui.widgets.buttons import Button, PassageButton, PushButton
from desktop.ui.widgets.labels import HintLabel
from desktop.ui.widgets.layouts import (
    STRETCH,
    at_left,
    clear_layout,
    column,
    frame_with,
    row,
    widget_with,
)

_SNIPPET = 180
"""Characters."""


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
        self.refresh()

    def refresh(self) -> None:
        entry = self._entry
        items, facts = entry.facts.recalled, entry.facts.remembered
        self.setVisible(bool(items or facts))
        words = self._words(items, facts)
        self._head.setText(words)
        state = self.tr("shown") if entry.shows_used else self.tr("hidden")
        self._head.setAccessibleName(f"{words}, {state}")
        glyph = Glyph.CHEVRON_DOWN if entry.shows_used else Glyph.CHEVRON_RIGHT
        self._head.setIcon(self._theme.icon(glyph))
        if entry.shows_used and self._shown != (items, facts):
            self._shown = (items, facts)
            self._build(items, facts)
        self._list.setVisible(entry.shows_used)

    def set_state(self, state: ReadingState) -> None:
        for button in self._leaving:
            button.setHidden(state.is_past or not self._can_act)
            button.setDisabled(state.is_busy)

    def fit(self, width: int) -> int:
        if self.isHidden():
            return 0
        beside = max((one.sizeHint().width() for one in self._leaving), default=0)
        room = width - beside - 3 * Space.LARGE
        for title in self._titles:
            words = title.fontMetrics().elidedText(
                str(title.property("whole")), Qt.TextElideMode.ElideRight, room
            )
            title.setText(words.replace("&", "&&"))
        height = self._column.totalHeightForWidth(width)
        self.resize(width, height)
        return height

    def tab_stops(self) -> Iterator[QWidget]:
        if self.isHidden():
            return
        yield self._head
        if self._entry.shows_used:
            buttons = self._list.findChildren(PushButton)
            yield from (one for one in buttons if not one.isHidden() and one.isEnabled())

    def _words(self, items: Sequence[RecalledItem], facts: Sequence[Fact]) -> str:
        own = self._entry.message.session_id
        told = [one for one in items if one.kind is not HitKind.FACT]
        sessions = {one.session_id for one in told if one.session_id} - {own}
        documents = {one.title for one in items if one.kind is HitKind.SOURCE}
        known = len(_known(items, facts))
        words = (
            self.tr("%n past session(s) were used", "", len(sessions)) if sessions else "",
            self.tr("%n document(s) were used", "", len(documents)) if documents else "",
            self.tr("%n fact(s) from memory were used", "", known) if known else "",
        )
        earlier = self.tr("An earlier part of this session was used")
        return " · ".join(filter(None, words)) or earlier

    def _build(self, items: Sequence[RecalledItem], facts: Sequence[Fact]) -> None:
        self._leaving, self._titles = [], []
        layout = self._list.layout()
        assert layout is not None  # noqa: S101 - set when it is built
        clear_layout(layout)
        of_places: dict[str, list[RecalledItem]] = {}
        for item in (one for one in items if one.kind is not HitKind.FACT):
            is_day = item.kind is HitKind.DIARY
            place = item.title if is_day or not item.session_id else item.session_id
            of_places.setdefault(place, []).append(item)
        for several in of_places.values():
            layout.addWidget(self._place(several))
        for fact_id, content in _known(items, facts).items():
            words = self.tr("From memory: {fact}").format(fact=content)
            request = MessageRequest(MessageAction.SHOW_MEMORY, fact=fact_id)
            layout.addWidget(_passage(words, words, self._sends(request)))

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
            told = self.tr("Leave out “{title}” and ask again").format(title=name)
            leave = Button("link", name=told, press=self._sends(request))
            leave.setText(self.tr("Leave out and ask again"))
            self._leaving.append(leave)
            head.addWidget(leave)
        passages = [
            _passage(shown, f"{name}: {shown}", self._sends(_opening(message, one)))
            for one in items
            if (shown := _shown(one.snippet))
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
    """Return the facts that went with the question, whether sent always or recalled."""
    recalled = {FactId(one.target): one.snippet for one in items if one.kind is HitKind.FACT}
    return recalled | {fact.id: fact.content for fact in facts}


def _opening(message: MessageId, item: RecalledItem) -> MessageRequest:
    return MessageRequest(MessageAction.OPEN_USED, message, item=item)


def _shown(snippet: str) -> str:
    """Return the beginning of a passage as one line of plain text, without a table's lines."""
    cells = (cell.strip() for cell in plain_text(snippet).split("|"))
    words = " · ".join(cell for cell in cells if cell.strip("-: "))
    return words if len(words) <= _SNIPPET else f"{words[:_SNIPPET].rsplit(' ', 1)[0]} …"
