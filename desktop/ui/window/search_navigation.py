"""Search in the main window: the results page, stepping from hit to hit, find in session."""

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication, QWidget

from desktop.domain.ids import SessionId
from desktop.ui.search.hit_navigation import FindController, HitNavigation
from desktop.ui.services import NavigationTarget
from desktop.ui.session.controller import SessionController
from desktop.ui.window.window_widgets import WindowWidgets


class SearchNavigation(QObject):
    results_shown = Signal()
    left = Signal()
    """Nothing is searched for any more, and nobody knows where the keyboard was."""

    def __init__(self, parts: WindowWidgets, sessions: SessionController) -> None:
        super().__init__(parts)
        self._parts = parts
        self._sessions = sessions
        self._finding = FindController(parts.find_bar, parts.transcript)
        self._steps = HitNavigation(parts.hit_bar, parts.transcript, sessions.do)
        self._before: QWidget | None = None
        self._finding.ended.connect(self.left)
        self._finding.begun.connect(self._steps.end)
        parts.hit_bar.closed.connect(self.left)
        parts.results.left.connect(self.leave_results)

    def open(self, place: NavigationTarget) -> None:
        """A place is opened; where it was searched for, with the way to the other hits."""
        self._parts.show_results(is_shown=False)
        self._parts.find_bar.end()
        shown = self._sessions.shown
        self._sessions.open(place)
        self._steps.expect(place, shown.id if shown else None)

    def begin_page(self, session_id: SessionId | None) -> None:
        """Another session is shown: what was looked for in the one before is of no interest."""
        self._finding.end()
        self._parts.show_results(is_shown=False)
        self._steps.begin(session_id)

    def show_results(self, query: str = "") -> None:
        """The results view, as it was left, or with what is searched for elsewhere."""
        if not self._parts.are_results_shown:
            self._before = QApplication.focusWidget()
        self._parts.shell.uncover()
        self._parts.show_results(is_shown=True)
        self._parts.results.ask(query)
        self.results_shown.emit()

    def leave_results(self) -> None:
        if self._parts.are_results_shown:
            self._parts.show_results(is_shown=False)
            before, self._before = self._before, None
            if before is not None and before is self._parts.composer.field:
                before.setFocus(Qt.FocusReason.OtherFocusReason)
            else:
                self.left.emit()

    def leave(self) -> None:
        """Escape, where nothing that has the keyboard has a use for it."""
        self.leave_results()
        self._parts.find_bar.end()
        self._parts.hit_bar.end()

    def find(self) -> None:
        self._parts.show_results(is_shown=False)
        self._parts.find_bar.begin()

    def next(self) -> None:
        if self._steps.is_on:
            self._steps.next()
        else:
            self._finding.next()

    def previous(self) -> None:
        if self._steps.is_on:
            self._steps.previous()
        else:
            self._finding.previous()
