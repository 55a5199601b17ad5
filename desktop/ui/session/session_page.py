"""The page at the head of a past session, which shows and edits its description."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFormLayout, QLineEdit

from desktop.domain.changes import Change
from desktop.domain.ids import SessionId
from desktop.domain.sessions import Description
from desktop.ui.actions import QT_TR_NOOP, Action, when_past
from desktop.ui.formatting import day, money, token_count
from desktop.ui.i18n import TranslatedWidget
from desktop.ui.services import NavigationTarget, Worker
from desktop.ui.session.controller import SessionController
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.bars import MessageBar
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import TextArea
from desktop.ui.widgets.layouts import STRETCH, VerticalScrollArea, growing, row, widget_with
from desktop.ui.widgets.plain_text import Label

if TYPE_CHECKING:
    from desktop.sessions.conversation.session_description import CitedSource, SessionPage
    from desktop.sessions.services import Services

_LINES = 4  # Of a summary
_SHARE = 0.55  # The part of the window's height that it may take; the rest of it is scrolled
_LONGEST = 60  # Characters of a link
_CORRECTED = "corrected"
_PARTS = ("title", "summary", "topics")

Entry = tuple[str, Callable[[], object]]  # A link, and what it does


class SessionPageCard(TranslatedWidget, VerticalScrollArea):
    written = Signal(str, object)  # The part that the user wrote, and its text or list
    place_wanted = Signal(object)  # NavigationTarget
    citation_wanted = Signal(object)  # Citation
    fact_wanted = Signal(object)  # FactId
    memory_wanted = Signal()
    day_wanted = Signal(object)  # date of a diary entry

    def __init__(self, theme: ThemeController) -> None:
        super().__init__()
        self._theme = theme
        self.page: SessionPage | None = None
        self._preferences: Sequence[str] = ()
        self._topics = QLineEdit()
        fields: list[QLineEdit | TextArea] = [QLineEdit(), TextArea(lines=_LINES), self._topics]
        self.fields = fields
        self._names = [Label(role="small") for _ in self.fields]
        self._form = QFormLayout()  # The fields, and below them the rows of links
        self._whole = widget_with(self._form)
        self._build()
        theme.theme_changed.connect(self._fit)
        for part, field in zip(_PARTS, self.fields, strict=True):
            field.editingFinished.connect(partial(self._tell, part, field))
        self.retranslate()
        self.hide()

    def leave(self) -> None:
        self.hide()  # A field that has the focus first emits its text.
        self.page = None

    def show_page(self, page: "SessionPage", preferences: Sequence[str]) -> None:
        is_new, session = self.page is None, page.session
        self.page, self._preferences = page, preferences
        texts = (session.title or "", session.summary or "", ", ".join(session.topics))
        for field, words in zip(self.fields, texts, strict=True):
            if is_new or not (field.hasFocus() and field.isModified()):
                field.setText(words)
        self._topics.setCursorPosition(0)
        while self._form.rowCount() > len(self.fields):
            self._form.removeRow(len(self.fields))
        self._fill(page)
        self.show()
        self._fit()
        if is_new:
            self.fields[0].setFocus(Qt.FocusReason.OtherFocusReason)

    def retranslate(self) -> None:
        self.setAccessibleName(self.tr("About this session"))
        words = (self.tr("Title"), self.tr("Summary"), self.tr("Topics"))
        for name, field, text in zip(self._names, self.fields, words, strict=True):
            name.setText(text)
            field.setAccessibleName(text)
        self._topics.setPlaceholderText(self.tr("Separated by commas"))
        if self.page is not None:
            self.show_page(self.page, self._preferences)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        else:
            super().keyPressEvent(event)

    def _build(self) -> None:
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self._form.setHorizontalSpacing(Space.LARGE)
        self._form.setVerticalSpacing(Space.SMALL)
        self._form.setContentsMargins(0, 0, Space.LARGE, 0)
        for name, field in zip(self._names, self.fields, strict=True):
            self._form.addRow(name, field)
        # As wide as the text column below it.
        sides = (Space.WIDE, Space.TIGHT, Space.WIDE + Space.MEDIUM, Space.MEDIUM)
        self.setWidget(
            widget_with(row(STRETCH, growing(self._whole, 1000), STRETCH, margin=sides))
        )

    def _tell(self, part: str, field: QLineEdit | TextArea) -> None:
        words = field.text()
        field.setModified(False)
        self.written.emit(part, words.split(",") if field is self._topics else words)

    def _fit(self) -> None:
        """Take the height that it needs, at most a share of the window's."""
        self._whole.setMaximumWidth(self._theme.column_width)
        needed = self._whole.sizeHint().height() + Space.TIGHT + Space.MEDIUM
        self.setFixedHeight(min(needed, round(self.window().height() * _SHARE)))

    def _fill(self, page: "SessionPage") -> None:
        self._list(self.tr("Cited"), [self._cited(source) for source in page.sources])
        self._list(
            self.tr("Facts learned"),
            [(fact.content, partial(self.fact_wanted.emit, fact.id)) for fact in page.facts],
        )
        self._list(
            self.tr("Preferences"),
            [(preference, self.memory_wanted.emit) for preference in self._preferences],
        )
        related: list[Entry] = []
        for session in page.related:
            words = self.tr("{title} · {day}").format(title=session.title, day=day(session.at))
            place = NavigationTarget(session.session_id, session.message_id, session.terms)
            related.append((words, partial(self.place_wanted.emit, place)))
        self._list(self.tr("Related"), related)
        if page.diary is not None:
            words = self.tr("Entry of {day}").format(day=day(page.session.created_at))
            self._list(self.tr("Diary"), [(words, partial(self.day_wanted.emit, page.diary))])
        if model := page.describing_model:
            self._form.addRow(
                Label(self.tr("Described by"), role="small"), Label(model, role="small")
            )
        if spent := page.usage.total_tokens:
            cost = self.tr("{tokens} tokens").format(tokens=token_count(spent))
            if page.usage.cost_usd:
                cost = f"{cost} · {money(page.usage.cost_usd)}"
            self._form.addRow(
                Label(self.tr("Tokens spent"), role="small"), Label(cost, role="small")
            )

    def _cited(self, source: "CitedSource") -> Entry:
        title = " ".join(source.citation.title.split())
        times = self.tr("%n time(s)", "", source.times)
        words = self.tr("{title} · {times}").format(title=title, times=times)
        return words, partial(self.citation_wanted.emit, source.citation)

    def _list(self, name: str, entries: Sequence[Entry]) -> None:
        for place, (words, press) in enumerate(entries):
            link = Button("entry", press=press)
            link.setText(_cut(words))
            link.setAccessibleName(f"{name}: {words}")
            self._form.addRow(Label("" if place else name, role="small"), link)


class SessionPageController(QObject):
    changed = Signal(object)  # SessionId of a session that was corrected

    def __init__(
        self, card: SessionPageCard, sessions: SessionController, strip: MessageBar, worker: Worker
    ) -> None:
        super().__init__(card)
        self._card = card
        self._sessions = sessions
        self._strip = strip
        self._worker = worker
        sessions.shown_changed.connect(self._follow)
        sessions.session_opened.connect(self._follow)
        card.written.connect(self._correct)

    def records(self) -> Sequence[Action]:
        title = QT_TR_NOOP("About this session")
        return (Action("session_page", title, "Ctrl+I", self.toggle, when_past),)

    def toggle(self) -> None:
        if self._card.isHidden():
            self._load()
        else:
            self._card.leave()

    def _follow(self) -> None:
        page, shown = self._card.page, self._past()
        if page is not None and shown == page.session.id:
            self._load()
        elif page is not None:
            self._card.leave()

    def _past(self) -> SessionId | None:
        shown = self._sessions.shown
        is_past = self._sessions.is_past_shown and shown is not None and not shown.is_temporary
        return shown.id if shown is not None and is_past else None

    def _load(self) -> None:
        if (session_id := self._past()) is None:
            return

        def work(services: "Services") -> "tuple[SessionPage, Sequence[str]]":
            from desktop.memory.active_memory import preference_name  # noqa: PLC0415 - on a worker

            page, texts = services.pages.read(session_id), services.texts()
            return page, [preference_name(preference, texts) for preference in page.preferences]

        def show(result: "tuple[SessionPage, Sequence[str]]") -> None:
            if self._past() == session_id:
                self._card.show_page(*result)

        self._worker.do_latest("page", work, show)

    def _correct(self, part: str, words: str | Sequence[str]) -> None:
        page = self._card.page
        if page is None:
            return
        session_id = page.session.id

        def show(change: Change[Description] | None) -> None:
            if change is not None:
                undo = self._worker.undoes(change, lambda _: self._tell(session_id))
                message = self.tr("Your change is kept when the session is described again.")
                self._strip.show_message(_CORRECTED, message, undo=undo)
                self._tell(session_id)

        self._worker.do_in_turn(
            lambda services: services.pages.correct(session_id, part, words), show
        )

    def _tell(self, session_id: SessionId) -> None:
        self.changed.emit(session_id)
        self._follow()


def _cut(words: str) -> str:
    one_line = " ".join(words.split())
    cut = one_line if len(one_line) <= _LONGEST else f"{one_line[:_LONGEST].rstrip()}…"
    return cut.replace("&", "&&")
