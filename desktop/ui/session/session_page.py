"""The page at the head of a past session: all that is known of it, to be read and corrected."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLineEdit, QWidget

from desktop.domain.ids import SessionId
from desktop.domain.sessions import Description, Session
from desktop.ui.formatting import day, money, token_count
from desktop.ui.i18n import TranslatedWidget
from desktop.ui.services import NavigationTarget, WindowServices, Worker
from desktop.ui.session.controller import SessionController
from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import COLUMN_WIDTH, Space
from desktop.ui.widgets.bars import MessageBar
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import TextArea
from desktop.ui.widgets.labels import ElidedLabel
from desktop.ui.widgets.layouts import (
    STRETCH,
    VerticalScrollArea,
    clear_layout,
    column,
    growing,
    row,
    widget_with,
)
from desktop.ui.widgets.plain_text import Label

if TYPE_CHECKING:
    from desktop.sessions.session_page import CitedSource, SessionPage

_LINES = 4
"""Of a summary."""
_SHARE = 0.55
"""The part of the window's height that it may take; the rest of it is scrolled."""
_LONGEST = 90
"""Characters of a link."""
_CORRECTED = "corrected"
_PARTS = ("title", "summary", "topics")

Entry = tuple[str, Callable[[], object]]
"""A link, and what it does."""


class SessionPageCard(TranslatedWidget, QFrame):
    written = Signal(str, object)  # The part that the user wrote, and its text or list
    place_wanted = Signal(object)  # NavigationTarget
    citation_wanted = Signal(object)  # Citation
    fact_wanted = Signal(object)  # FactId
    memory_wanted = Signal()
    day_wanted = Signal(object)  # date of a diary entry

    def __init__(self, theme: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.page: SessionPage | None = None
        self._preferences: Sequence[str] = ()
        self._toggle = Button("link", press=self.flip)
        self._digest = ElidedLabel(self, role="small")
        self._topics = QLineEdit()
        fields: list[QLineEdit | TextArea] = [QLineEdit(), TextArea(lines=_LINES), self._topics]
        self.fields = fields
        self._names = [Label(role="small") for _ in self.fields]
        self._rest = QGridLayout()
        self._labels: list[Label] = []
        self._area = VerticalScrollArea()
        self._build()
        theme.theme_changed.connect(self._colour)
        for part, field in zip(_PARTS, self.fields, strict=True):
            field.editingFinished.connect(partial(self._tell, part, field))
        self.retranslate()
        self.hide()

    @property
    def is_open(self) -> bool:
        return not self._area.isHidden()

    def flip(self) -> None:
        """Unfold it, or fold it again."""
        self._area.setVisible(not self.is_open)
        self._show_state()
        if self.is_open:
            self._toggle.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self._fit()

    def offer(self, session: Session | None) -> None:
        """Show the head of a session's page; None: there is none here."""
        self._area.hide()  # A field that had the keyboard tells first what was written in it.
        self.page = None
        self.setHidden(session is None)
        self._show_state()
        self._digest.set_text("")

    def show_page(self, page: "SessionPage", preferences: Sequence[str]) -> None:
        """Fill the page; fields in which something is being written stay as they are."""
        is_new, session = self.page is None, page.session
        self.page, self._preferences = page, preferences
        texts = (session.title or "", session.summary or "", ", ".join(session.topics))
        for field, words in zip(self.fields, texts, strict=True):
            if is_new or not (field.hasFocus() and field.isModified()):
                field.setText(words)
        self._topics.setCursorPosition(0)
        self._fill()
        self._digest.set_text(self._told(page))
        self._fit()

    def retranslate(self) -> None:
        self._toggle.setText(self.tr("About this session"))
        self._area.setAccessibleName(self._toggle.text())
        words = (self.tr("Title"), self.tr("Summary"), self.tr("Topics"))
        for name, field, text in zip(self._names, self.fields, words, strict=True):
            name.setText(text)
            field.setAccessibleName(text)
        self._topics.setPlaceholderText(self.tr("Separated by commas"))
        self._show_state()
        if self.page is not None:
            self.show_page(self.page, self._preferences)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _build(self) -> None:
        self.setProperty("role", "bar")
        fields = self._written = QGridLayout()
        fields.setHorizontalSpacing(Space.LARGE)
        fields.setVerticalSpacing(Space.SMALL)
        for place, field in enumerate(self.fields):
            self._names[place].setContentsMargins(0, Space.TIGHT, 0, 0)
            fields.addWidget(self._names[place], place, 0, Qt.AlignmentFlag.AlignTop)
            fields.addWidget(field, place, 1)
        self._rest.setHorizontalSpacing(Space.LARGE)
        self._rest.setVerticalSpacing(Space.TIGHT)
        self._rest.setColumnStretch(1, 1)
        margin = (Space.TIGHT, Space.TIGHT, Space.LARGE, Space.MEDIUM)
        inside = widget_with(column(fields, self._rest, spacing=Space.MEDIUM, margin=margin))
        self._area.setWidget(inside)
        self._area.hide()
        head = row(self._toggle, STRETCH, self._digest, spacing=Space.SMALL)
        whole = widget_with(column(head, self._area, spacing=Space.TIGHT))
        self._whole = whole
        # As wide as the text column below it.
        sides = (Space.WIDE, Space.TIGHT, Space.WIDE + Space.MEDIUM, Space.TIGHT)
        self.setLayout(row(STRETCH, growing(whole, 1000), STRETCH, margin=sides))
        self._colour()

    def _tell(self, part: str, field: QLineEdit | TextArea) -> None:
        words = field.text()
        field.setModified(False)
        self.written.emit(part, words.split(",") if field is self._topics else words)

    def _colour(self) -> None:
        self._toggle.setIconSize(self._theme.icon_size)
        self._whole.setMaximumWidth(round(COLUMN_WIDTH * max(self._theme.scale.zoom, 1.0)))
        self._show_state()

    def _show_state(self) -> None:
        glyph = Glyph.CHEVRON_DOWN if self.is_open else Glyph.CHEVRON_RIGHT
        self._toggle.setIcon(self._theme.icon(glyph))
        state = self.tr("shown") if self.is_open else self.tr("hidden")
        self._toggle.setAccessibleName(f"{self._toggle.text()}, {state}")

    def _fit(self) -> None:
        """Take the height that it needs, and no more than a share of the window's."""
        if self.is_open and (inside := self._area.widget()) is not None:
            width = max(self._area.viewport().width(), 1)
            layout = inside.layout()
            needed = layout.totalHeightForWidth(width) if layout else 0
            most = round(self.window().height() * _SHARE)
            self._area.setFixedHeight(min(max(needed, inside.sizeHint().height()), most))

    def _told(self, page: "SessionPage") -> str:
        """Return the page in one line."""
        topics, sources = len(page.session.topics), len(page.sources)
        facts, preferences = len(page.facts), len(page.preferences)
        counted = (
            self.tr("%n topic(s)", "", topics) if topics else "",
            self.tr("%n source(s)", "", sources) if sources else "",
            self.tr("%n fact(s)", "", facts) if facts else "",
            self.tr("%n preference(s)", "", preferences) if preferences else "",
        )
        return " · ".join(filter(None, (*counted, *self._cost(page))))

    def _cost(self, page: "SessionPage") -> list[str]:
        spent = page.usage
        if not spent.total_tokens:
            return []
        tokens = self.tr("{tokens} tokens").format(tokens=token_count(spent.total_tokens))
        return [tokens, *([money(spent.cost_usd)] if spent.cost_usd else [])]

    def _fill(self) -> None:
        clear_layout(self._rest)
        page = self.page
        if page is None:
            return
        self._labels = [*self._names]
        self._list(self.tr("Cited"), [self._cited(one) for one in page.sources])
        self._list(
            self.tr("Remembered"),
            [(one.content, partial(self.fact_wanted.emit, one.id)) for one in page.facts],
        )
        self._list(
            self.tr("Preferences"), [(one, self.memory_wanted.emit) for one in self._preferences]
        )
        related = [
            (
                self.tr("{title} · {day}").format(title=one.title, day=day(one.at)),
                partial(
                    self.place_wanted.emit,
                    NavigationTarget(one.session_id, one.message_id, one.terms),
                ),
            )
            for one in page.related
        ]
        self._list(self.tr("Related"), related)
        if page.diary is not None:
            words = self.tr("Entry of {day}").format(day=day(page.session.created_at))
            self._list(self.tr("Diary"), [(words, partial(self.day_wanted.emit, page.diary))])
        if cost := self._cost(page):
            spent = Label(" · ".join(cost), role="small")
            spent.setContentsMargins(Space.TIGHT, Space.TIGHT // 2, 0, 0)
            self._add(self.tr("Spent"), spent)
        widest = max(label.sizeHint().width() for label in self._labels)
        for grid in (self._written, self._rest):
            grid.setColumnMinimumWidth(0, widest)

    def _cited(self, one: "CitedSource") -> Entry:
        title = " ".join(one.citation.title.split())
        times = self.tr("%n time(s)", "", one.times)
        words = self.tr("{title} · {times}").format(title=title, times=times)
        return words, partial(self.citation_wanted.emit, one.citation)

    def _list(self, name: str, entries: Sequence[Entry]) -> None:
        for place, (words, press) in enumerate(entries):
            link = Button("entry", press=press)
            link.setText(_cut(words))
            link.setAccessibleName(f"{name}: {words}")
            self._add("" if place else name, link)

    def _add(self, name: str, shown: QWidget) -> None:
        place = self._rest.rowCount()
        label = Label(name, role="small")
        label.setContentsMargins(0, Space.TIGHT // 2, 0, 0)
        self._labels.append(label)
        self._rest.addWidget(label, place, 0, Qt.AlignmentFlag.AlignTop)
        self._rest.addWidget(shown, place, 1, Qt.AlignmentFlag.AlignLeft)


class SessionPageController(QObject):
    changed = Signal(object)  # SessionId of a session that was corrected

    def __init__(
        self,
        card: SessionPageCard,
        sessions: SessionController,
        strip: MessageBar,
        worker: Worker,
    ) -> None:
        super().__init__(card)
        self._card = card
        self._sessions = sessions
        self._strip = strip
        self._worker = worker
        self._offered: SessionId | None = None
        sessions.shown_changed.connect(self._offer)
        sessions.session_opened.connect(lambda _: self._offer(is_new=True))
        card.written.connect(self._correct)

    def toggle(self) -> None:
        """Unfold the page of the past session that is shown, or fold it again."""
        if not self._card.isHidden():
            self._card.flip()

    def _offer(self, *, is_new: bool = False) -> None:
        shown = self._sessions.shown
        is_past = self._sessions.is_past_shown and shown is not None and not shown.is_temporary
        offered = shown.id if shown is not None and is_past else None
        if offered != self._offered or is_new:
            self._offered = offered
            self._card.offer(shown if offered else None)
        if offered is not None:
            self._load(offered)

    def _load(self, session_id: SessionId) -> None:
        def work(services: WindowServices) -> "tuple[SessionPage, Sequence[str]]":
            from desktop.memory.active_memory import preference_name  # noqa: PLC0415 - on a worker

            page, texts = services.pages.read(session_id), services.texts()
            return page, [preference_name(one, texts) for one in page.preferences]

        def show(found: "tuple[SessionPage, Sequence[str]]") -> None:
            if self._offered == session_id:
                self._card.show_page(*found)

        self._worker.do_latest("page", work, show)

    def _correct(self, part: str, words: str | Sequence[str]) -> None:
        page = self._card.page
        if page is None:
            return
        session_id = page.session.id

        def show(before: Description | None) -> None:
            if before is not None:
                undo = partial(self._undo, session_id, before)
                said = self.tr("Your change is kept when the session is described again.")
                self._strip.show_message(_CORRECTED, said, (self.tr("Undo"), undo))
                self._tell(session_id)

        self._worker.do_in_turn(
            lambda services: services.pages.correct(session_id, part, words), show
        )

    def _undo(self, session_id: SessionId, before: Description) -> None:
        self._worker.do_in_turn(
            lambda services: services.pages.restore(session_id, before),
            lambda _: self._tell(session_id),
        )

    def _tell(self, session_id: SessionId) -> None:
        self.changed.emit(session_id)
        if self._offered == session_id:
            self._load(session_id)


def _cut(words: str) -> str:
    one_line = " ".join(words.split())
    cut = one_line if len(one_line) <= _LONGEST else f"{one_line[:_LONGEST].rstrip()}…"
    return cut.replace("&", "&&")
