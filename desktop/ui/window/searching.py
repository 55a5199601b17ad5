"""Finding text in the shown session, and the hits of a search in all sessions."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication, QWidget

from desktop.domain.ids import MessageId, SessionId
from desktop.ui.actions import QT_TR_NOOP, Action, possible, when_open, when_shown
from desktop.ui.search.results_list import ResultKind
from desktop.ui.services import NavigationTarget
from desktop.ui.session.controller import SessionController
from desktop.ui.transcript.entries import MessageEntry
from desktop.ui.views import View
from desktop.ui.window.window_presenter import WindowWidgets


class SearchController(QObject):
    """Finds text in the shown session, and steps through the hits of the search that led there."""

    results_shown = Signal()
    left = Signal()  # the search has ended, and the focus has to be set

    def __init__(self, parts: WindowWidgets, sessions: SessionController) -> None:
        super().__init__(parts)
        self._parts, self._sessions = parts, sessions
        self._bar, self._transcript = parts.find_bar, parts.transcript
        self._before: QWidget | None = None
        self._led: NavigationTarget | None = None  # what was opened, while its hits are shown
        self._hits: Sequence[MessageId] = ()
        self._at = self._count = 0
        self._bar.text_changed.connect(self._find)
        self._bar.stepped.connect(self.step)
        self._bar.closed.connect(self._stop)
        parts.results.left.connect(self.leave_results)
        parts.sidebar.query.changed.connect(self._end_cleared)
        sessions.session_opened.connect(self._begin_page)
        sessions.turns.running_changed.connect(self._end_hits)
        sessions.active_changed.connect(self._end_hits)

    def records(self) -> Sequence[Action]:
        title = QT_TR_NOOP("All results, with filters")
        return [
            *possible(
                when_shown,
                ("find", QT_TR_NOOP("Find in this session"), "Ctrl+F", self.find),
                ("find_next", QT_TR_NOOP("Find next"), "F3", lambda: self.step(1)),
                ("find_previous", QT_TR_NOOP("Find previous"), "Shift+F3", lambda: self.step(-1)),
            ),
            Action("results", title, "Ctrl+Shift+F", self._show_typed, when_open),
        ]

    def open(self, place: NavigationTarget) -> None:
        """Open a place; if it is a search hit, show the way to the other hits."""
        self._parts.show_view(None)
        self._forget()
        self._led = place if place.query else None
        shown = self._sessions.shown
        self._sessions.open(place)
        if shown is not None and shown.id == place.session_id:
            self._find_hits()

    def _begin_page(self, session_id: SessionId | None) -> None:
        led = self._led
        self._parts.show_view(None)
        self._forget()
        if led is not None and led.session_id == session_id:
            self._led = led
            self._find_hits()

    def show_results(self, query: str = "") -> None:
        """Show the results view, as it was left, or with a query from elsewhere."""
        if not self._parts.are_results_shown:
            self._before = QApplication.focusWidget()
        self._parts.shell.uncover()
        self._parts.show_view(self._parts.results)
        self._parts.results.ask(query)
        self.results_shown.emit()

    def show_in_sources(self, query: str) -> None:
        """Show what the library's documents have of a query, and nothing else."""
        kind = self._parts.results.filters.kind
        kind.show_value(ResultKind.SOURCES)
        kind.chosen.emit(ResultKind.SOURCES)
        self.show_results(query)

    def _show_typed(self) -> None:
        self.show_results(self._parts.sidebar.query.text)

    def leave_results(self) -> None:
        if self._parts.are_results_shown:
            self._parts.show_view(None)
            before, self._before = self._before, None
            if before is not None and before is self._parts.composer.field:
                before.setFocus(Qt.FocusReason.OtherFocusReason)
            else:
                self.left.emit()

    def leave(self) -> None:
        self.leave_results()
        self._bar.end()

    def find(self) -> None:
        """Search what is shown: the page, or the session."""
        if isinstance(view := self._parts.view, View):
            view.begin_search()
            return
        self._parts.show_view(None)
        self._bar.begin()

    def step(self, by: int) -> None:
        """Go to the next match (1) or the previous one (-1)."""
        if isinstance(self._parts.view, View):
            return
        if self._bar.isHidden():
            self._bar.begin()
        elif self._led is not None and self._hits:
            self._at = (self._at + by) % len(self._hits)
            self._transcript.scroll_to(self._hits[self._at], self._led.terms)
            self._bar.show_hit(self._led.query, self._at + 1, len(self._hits))
        else:
            self._bar.show_place(self._transcript.marking.step(by), self._count)

    def _find(self, text: str) -> None:
        self._led, self._hits = None, ()
        self._count = self._transcript.marking.find(text) if text else 0
        if not text:
            self._transcript.marking.clear()
        self._bar.show_place(self._transcript.marking.place, self._count)

    def _find_hits(self) -> None:
        if (led := self._led) is None:
            return
        from desktop.recall.fts_query import find_in_session  # noqa: PLC0415 - not for the start

        entries = [entry for entry in self._transcript.entries if isinstance(entry, MessageEntry)]
        ids, texts = [entry.message.id for entry in entries], [entry.text for entry in entries]

        def show(places: list[int]) -> None:
            # A message that was found by its meaning may have none of the words.
            hits = [
                message_id
                for at, message_id in enumerate(ids)
                if at in places or message_id == led.message_id
            ]
            if self._led is not led or not hits:
                return  # another place was opened meanwhile
            self._hits = hits
            self._at = hits.index(led.message_id) if led.message_id in hits else 0
            if led.message_id in hits:  # the transcript is shown already
                self._bar.show_hit(led.query, self._at + 1, len(hits))
            else:
                self._bar.show()
                self.step(0)

        self._sessions.do(lambda _: find_in_session(led.query, texts), show)

    def _end_cleared(self) -> None:
        if not self._parts.sidebar.query.text:
            self._end_hits()

    def _end_hits(self) -> None:
        """Hide the hits of a search that has ended, unless the user went on to find text."""
        if self._hits:
            self._transcript.marking.clear()
            self._forget()

    def _forget(self) -> None:
        self._bar.hide()
        self._led, self._hits = None, ()

    def _stop(self) -> None:
        self._transcript.marking.clear()
        self._forget()
        if not self._bar.give_focus_back():
            self.left.emit()
