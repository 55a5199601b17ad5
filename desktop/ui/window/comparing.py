"""Compares two versions of an answer: opens the page, and asks for another version."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from desktop.domain import events
from desktop.domain.endpoints import ModelChoice
from desktop.domain.frozen import dataclass
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import Message
from desktop.domain.routing import Tier
from desktop.ui.actions import QT_TR_NOOP, Action, Situation
from desktop.ui.composer.controls import ModelMenus
from desktop.ui.services import Worker
from desktop.ui.session.controller import SessionController
from desktop.ui.session.shown_session import facts_of
from desktop.ui.theme.theme import ThemeController
from desktop.ui.transcript.entries import NO_FACTS, MessageAction, MessageEntry, MessageRequest
from desktop.ui.views import renew
from desktop.ui.window.window_presenter import WindowWidgets

if TYPE_CHECKING:
    from desktop.sessions.services import Services
    from desktop.ui.window.compare_page import ComparePage, ShownVersion


@dataclass(frozen=True, slots=True)
class Compared:
    """The versions of an answer, the oldest first."""

    session_id: SessionId
    question: Message | None
    versions: "Sequence[ShownVersion]"
    current: MessageId | None  # The one with which the session goes on now


class AnswerComparison(QObject):
    page_made = Signal(object)  # View that needs its place in the window
    link_chosen = Signal(object, str)  # Citations of a version, and a link in it

    def __init__(
        self,
        window: QWidget,
        theme: ThemeController,
        parts: WindowWidgets,
        sessions: SessionController,
        worker: Worker,
    ) -> None:
        super().__init__(window)
        self._owner, self._theme, self._transcript = window, theme, parts.transcript
        self._strip, self._sessions, self._worker = parts.strip, sessions, worker
        self.page: ComparePage | None = None
        self._menus: ModelMenus | None = None
        self._compared: Compared | None = None
        self._has_more = False  # Whether the session has a version that the transcript lacks
        parts.transcript.action_chosen.connect(self._act)
        worker.bridge.arrived.connect(self._take)
        sessions.turns.beside_ended.connect(self._take_end)
        sessions.leaving.connect(self._leave)
        sessions.asking.busy_changed.connect(self._show_busy)
        sessions.asking.begun.connect(self._show_busy)
        sessions.asking.kept.connect(self._look_again)
        sessions.turns.running_changed.connect(self._show_busy)
        sessions.turns.sessions_changed.connect(self._show_busy)

    def records(self) -> Sequence[Action]:
        title = QT_TR_NOOP("Compare answers…")
        return (Action("compare", title, "", self.open_newest, self._has_answer),)

    def open_newest(self) -> None:
        """Compare the newest answer of the shown session, which may still be written."""
        if (answer := self._newest()) is not None:
            self.open(answer)

    def _newest(self) -> MessageId | None:
        entries = reversed(self._transcript.entries)
        messages = (entry for entry in entries if isinstance(entry, MessageEntry))
        return next((entry.message.id for entry in messages if not entry.is_user), None)

    def open(self, answer: MessageId) -> None:
        shown = self._sessions.shown
        if shown is None:
            return

        def show(compared: Compared) -> None:
            self._show(compared)
            self._made().come()

        self._worker.do_latest("compare", partial(_read, shown.id, answer), show)

    def retranslate(self) -> None:
        if (old := self.page) is not None:
            self.page = None

            def open_again() -> "ComparePage":
                page = self._made()
                if self._compared is not None:
                    self._show(self._compared)
                page.come()
                return page

            renew(old, open_again)

    def _has_answer(self, now: Situation) -> bool:
        return now.shown is not None and self._newest() is not None

    def _act(self, request: MessageRequest) -> None:
        if request.action is MessageAction.COMPARE and request.message is not None:
            self.open(request.message)

    def _made(self) -> "ComparePage":
        from desktop.ui.window.compare_page import ComparePage  # noqa: PLC0415 - not at the start

        if self.page is None:
            self.page = page = ComparePage(self._theme, self._owner)
            self._menus = ModelMenus(page.menu, self._worker)
            self.page_made.emit(page)
            page.menu.aboutToShow.connect(self._offer)
            page.tier_wanted.connect(lambda tier: self._ask(tier=tier))
            page.left.connect(self._show_versions)
            page.go_on_wanted.connect(self._go_on)
            page.stop_wanted.connect(self._sessions.asking.stop_shown)
            page.link_chosen.connect(self.link_chosen)
            self._menus.chosen.connect(lambda model: self._ask(model=model))
        return self.page

    def _offer(self) -> None:
        if self.page is not None and self._menus is not None:
            self.page.offer_tiers()
            self._menus.fill(None)

    def _ask(self, *, tier: Tier | None = None, model: ModelChoice | None = None) -> None:
        """Ask for another version; the plan of a deep run begins at once, as it is not shown."""
        if self._compared is not None and self._compared.versions:
            last = self._compared.versions[-1].message.id
            self._sessions.answer_beside(self._compared.current or last, tier, model)
            self._show_busy()

    def _go_on(self, message_id: MessageId) -> None:
        before = self._compared.current if self._compared else None
        if before is not None and before != message_id:
            self._sessions.show_version(message_id)
            words = self.tr("The session goes on with the chosen answer.")
            undo = partial(self._sessions.show_version, before)
            self._strip.show_message("version", words, undo=undo)
        self._leave()

    def _leave(self) -> None:
        if self.page is not None and self.page.isVisible():
            self.page.left.emit()

    def _show(self, compared: Compared) -> None:
        self._compared = compared
        page = self._made()
        if compared.versions:
            turns, asked = self._sessions.turns, compared.question
            versions = [
                replace(version, message=turns.with_its_text(version.message))
                for version in compared.versions
            ]
            page.show_versions(asked.content if asked else "", versions)
        self._show_busy()

    def _show_busy(self) -> None:
        if self.page is not None:
            asking, turns = self._sessions.asking, self._sessions.turns
            is_past = self._sessions.is_past_shown
            can_ask = not (asking.has_waiting or (is_past and (asking.is_busy or turns.can_stop)))
            is_busy = asking.is_busy or turns.can_stop
            can_stop = turns.can_stop or turns.has_beside
            self.page.set_busy(is_busy=is_busy, can_ask=can_ask, can_stop=can_stop)

    def _take(self, event: events.TurnEvent) -> None:
        """Show another version of the compared answer as it arrives."""
        page, compared = self.page, self._compared
        if page is None or compared is None or not page.isVisible():
            return
        match event:
            case events.TextArrived(message_id=message_id, text=text):
                page.add_text(message_id, text, is_instead=event.is_instead)
            case events.MessageAdded(message=message) if self._is_version(message):
                self._look_again()
            case events.TurnEnded(session_id=session_id) if session_id == compared.session_id:
                self._look_again()
            case _:
                pass

    def _take_end(self, event: events.TurnEnded) -> None:
        """Take the end of a version that was written beside the answer in the transcript."""
        question = self._compared.question if self._compared else None
        has_answer = question is None or event.message_id != question.id
        if event.bug:
            self._worker.bridge.broke.emit(event.bug)
        elif event.error is not None and not has_answer:
            self._worker.failed.emit(event.error)
        self._has_more = self._has_more or has_answer
        if self.page is None or not self.page.isVisible():
            self._show_versions()

    def _show_versions(self) -> None:
        """Read the session again, which would close the page that compares them."""
        if self._has_more and (shown := self._sessions.shown) is not None:
            self._has_more = False
            self._sessions.follow(shown.id, shown.id)

    def _is_version(self, message: Message) -> bool:
        compared = self._compared
        asked = compared.question if compared else None
        return asked is not None and message.parent_id == asked.id

    def _look_again(self) -> None:
        """Read all versions of the answer that is compared."""
        compared = self._compared
        if compared is not None and compared.versions:
            read = partial(_read, compared.session_id, compared.versions[-1].message.id)
            self._worker.do_latest("compare", read, self._show_again)

    def _show_again(self, compared: Compared) -> None:
        if self._compared is not None and compared.versions:
            self._show(compared)


def _read(session_id: SessionId, answer: MessageId, services: "Services") -> Compared:
    from desktop.ui.window.compare_page import ShownVersion  # noqa: PLC0415 - on a worker

    active = services.assistant.in_memory(session_id)
    stored = active.all_versions if active else services.archive.all_versions(session_id)
    by_id = {version.message.id: version for version in stored}
    place = by_id[answer].message if answer in by_id else None
    if place is None:
        return Compared(session_id, None, (), None)
    alike = [
        version
        for version in stored
        if (version.message.parent_id, version.message.number) == (place.parent_id, place.number)
    ]
    facts = facts_of(services, session_id).of
    asked = by_id.get(place.parent_id) if place.parent_id is not None else None
    return Compared(
        session_id,
        asked.message if asked else None,
        [
            ShownVersion(version.message, facts.get(version.message.id, NO_FACTS))
            for version in sorted(alike, key=lambda version: version.message.id)
        ],
        next((version.message.id for version in alike if version.is_current), None),
    )
