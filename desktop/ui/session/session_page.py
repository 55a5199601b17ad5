"""The page of a past session, which shows and edits its description."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from desktop.domain.changes import Change
from desktop.domain.frozen import dataclass
from desktop.domain.ids import SessionId
from desktop.domain.sessions import Description
from desktop.domain.sharing import ItemKind
from desktop.ui.actions import QT_TR_NOOP, Action, when_past
from desktop.ui.detail_page import DetailPage, Link
from desktop.ui.formatting import day, money, token_count
from desktop.ui.services import NavigationTarget, Worker
from desktop.ui.session.controller import SessionController
from desktop.ui.theme.theme import ThemeController
from desktop.ui.turn_bridge import ignore
from desktop.ui.views import renew
from desktop.ui.widgets.bars import MessageBar

if TYPE_CHECKING:
    from desktop.sessions.conversation.session_description import CitedSource, SessionPage
    from desktop.sessions.services import Services

_CORRECTED = "corrected"


@dataclass(frozen=True, slots=True)
class SessionDetails:
    page: "SessionPage"
    preferences: Sequence[str] = ()
    project: str = ""
    tags: Sequence[str] = ()
    owner: str = ""
    """The member of a shared project that it comes from."""


class SessionPageView(DetailPage):
    act = "session_page"

    place_wanted = Signal(object)  # NavigationTarget
    citation_wanted = Signal(object)  # Citation
    fact_wanted = Signal(object)  # FactId
    memory_wanted = Signal()
    day_wanted = Signal(object)  # date of a diary entry

    def __init__(self, theme: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(theme, self.tr("Conversation"), parent)
        self.details: SessionDetails | None = None
        self.setWindowTitle(self.tr("About this session"))
        self._add_title("title", self.tr("Title"))
        self._add_text("summary", self.tr("Summary"), self.tr("No summary yet"))
        hint = self.tr("Separated by commas")
        self._add_text("topics", self.tr("Topics"), hint, is_line=True)

    def show_details(self, details: SessionDetails) -> None:
        self.details = details
        session = details.page.session
        self._fill((session.title or "", session.summary or "", ", ".join(session.topics)))
        self._about.setText(" · ".join(filter(None, self._words_about(details))))
        self._show_lists([(name, links, ()) for name, links in self._links(details)])

    def _words_about(self, details: SessionDetails) -> Sequence[str]:
        page, session = details.page, details.page.session
        spent, model = page.usage.total_tokens, page.describing_model
        tokens = self.tr("{tokens} tokens").format(tokens=token_count(spent))
        described = self.tr("described by {model}").format(model=model)
        return (
            day(session.created_at),
            self.tr("%n message(s)", "", session.messages),
            details.project,
            self.tr("from {name}").format(name=details.owner) if details.owner else "",
            *(f"#{tag}" for tag in details.tags),
            tokens if spent else "",
            money(page.usage.cost_usd) if page.usage.cost_usd else "",
            described if model else "",
        )

    def _links(self, details: SessionDetails) -> Sequence[tuple[str, Sequence[Link]]]:
        page = details.page
        related: list[Link] = []
        for session in page.related:
            words = self.tr("{title} · {day}").format(title=session.title, day=day(session.at))
            place = NavigationTarget(session.session_id, session.message_id, session.terms)
            related.append((words, partial(self.place_wanted.emit, place)))
        facts = [(fact.content, partial(self.fact_wanted.emit, fact.id)) for fact in page.facts]
        preferences = [(words, self.memory_wanted.emit) for words in details.preferences]
        diary: list[Link] = []
        if page.diary is not None:
            words = self.tr("Entry of {day}").format(day=day(page.session.created_at))
            diary.append((words, partial(self.day_wanted.emit, page.diary)))
        return (
            (self.tr("Cited"), [self._cited(source) for source in page.sources]),
            (self.tr("Facts learned"), facts),
            (self.tr("Preferences"), preferences),
            (self.tr("Related"), related),
            (self.tr("Diary"), diary),
        )

    def _cited(self, source: "CitedSource") -> Link:
        title = " ".join(source.citation.title.split())
        times = self.tr("%n time(s)", "", source.times)
        words = self.tr("{title} · {times}").format(title=title, times=times)
        return words, partial(self.citation_wanted.emit, source.citation)


class SessionPageController(QObject):
    page_made = Signal(object)  # View that needs its place in the window
    changed = Signal(object)  # SessionId of a session that was corrected
    place_wanted = Signal(object)  # These are the page's
    citation_wanted = Signal(object)
    fact_wanted = Signal(object)
    memory_wanted = Signal()
    day_wanted = Signal(object)

    def __init__(
        self,
        theme: ThemeController,
        sessions: SessionController,
        strip: MessageBar,
        worker: Worker,
    ) -> None:
        super().__init__(sessions)
        self._theme = theme
        self._sessions = sessions
        self._strip = strip
        self._worker = worker
        self.page: SessionPageView | None = None
        sessions.shown_changed.connect(self._follow)
        sessions.session_opened.connect(self._follow)

    def records(self) -> Sequence[Action]:
        title = QT_TR_NOOP("About this session")
        return (Action("session_page", title, "Ctrl+I", self.toggle, when_past),)

    def toggle(self) -> None:
        """Show the page of the past session that is shown, or leave it."""
        if self.page is not None and self.page.isVisible():
            self.page.left.emit()
        else:
            self._load(lambda page: page.come())

    def retranslate(self) -> None:
        """Rebuild a shown page in the current language, but not while it holds work."""
        if (old := self.page) is None:
            return

        def open_again() -> SessionPageView:
            page = self._made()
            if old.details is not None:
                page.show_details(old.details)
            page.come()
            return page

        self.page = None
        renew(old, open_again)

    def _made(self) -> SessionPageView:
        if self.page is None:
            self.page = page = SessionPageView(self._theme, self._strip.window())
            self.page_made.emit(page)
            page.written.connect(self._correct)
            page.place_wanted.connect(self.place_wanted)
            page.citation_wanted.connect(self.citation_wanted)
            page.fact_wanted.connect(self.fact_wanted)
            page.memory_wanted.connect(self.memory_wanted)
            page.day_wanted.connect(self.day_wanted)
        return self.page

    def _follow(self) -> None:
        page = self.page
        if page is None or page.details is None or not page.isVisible():
            return
        if self._past() == page.details.page.session.id:
            self._load()
        else:
            page.left.emit()

    def _past(self) -> SessionId | None:
        shown = self._sessions.shown
        is_past = self._sessions.is_past_shown and shown is not None and not shown.is_temporary
        return shown.id if shown is not None and is_past else None

    def _load(self, then: Callable[[SessionPageView], object] = ignore) -> None:
        if (session_id := self._past()) is None:
            return

        def show(details: SessionDetails) -> None:
            if self._past() == session_id:
                page = self._made()
                page.show_details(details)
                then(page)

        self._worker.do_latest("page", partial(_details_of, session_id=session_id), show)

    def _correct(self, part: str, words: str) -> None:
        if self.page is None or self.page.details is None:
            return
        session_id = self.page.details.page.session.id
        value = words.split(",") if part == "topics" else words

        def show(change: Change[Description] | None) -> None:
            if change is not None:
                undo = self._worker.undoes(change, lambda _: self._tell(session_id))
                message = self.tr("Your change is kept when the session is described again.")
                self._strip.show_message(_CORRECTED, message, undo=undo)
                self._tell(session_id)

        self._worker.do_in_turn(
            lambda services: services.pages.correct(session_id, part, value), show
        )

    def _tell(self, session_id: SessionId) -> None:
        self.changed.emit(session_id)
        self._follow()


def _details_of(services: "Services", session_id: SessionId) -> SessionDetails:
    from desktop.memory.active_memory import preference_name  # noqa: PLC0415 - on a worker

    page, texts, archive = services.pages.read(session_id), services.texts(), services.archive
    project = archive.project(page.session.project) if page.session.project else None
    return SessionDetails(
        page,
        [preference_name(preference, texts) for preference in page.preferences],
        project.name if project else "",
        archive.tags_of_session(session_id),
        archive.owners(ItemKind.SESSION).get(session_id, ""),
    )
