"""Back and Forward through what was read: sessions, places in them, sources, and pages."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QWidget

from desktop.domain.frozen import dataclass
from desktop.domain.ids import SessionId
from desktop.ui.actions import QT_TR_NOOP, Action
from desktop.ui.dialogs.shortcuts import BACK_KEYS, FORWARD_KEYS
from desktop.ui.library.library_controller import LibraryController
from desktop.ui.reader.reader_content import ReaderPlace
from desktop.ui.services import NavigationTarget
from desktop.ui.session.controller import SessionController
from desktop.ui.sidebar.archive_controller import ArchiveController
from desktop.ui.transcript.view import TranscriptView
from desktop.ui.views import View
from desktop.ui.window.window_presenter import WindowWidgets

_MOST = 100


@dataclass(frozen=True, slots=True)
class Visit:
    session_id: SessionId | None = None  # None for a page without a session, or for a source
    anchor: tuple[int | None, int] = (None, 0)  # The value of `TranscriptView.anchor`
    source: ReaderPlace | None = None
    page: str = ""  # The action that opens a page of the window


class NavigationHistory(QObject):
    changed = Signal()  # Whether there is a way back or forward
    page_wanted = Signal(str)  # The action that opens a page

    def __init__(
        self,
        parts: WindowWidgets,
        sessions: SessionController,
        archive: ArchiveController,
        library: LibraryController,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._parts = parts
        self._transcript: TranscriptView = parts.transcript
        self._sessions = sessions
        self._library = library
        self._window = window
        self._past: list[Visit] = []
        self._future: list[Visit] = []
        self._here = Visit()
        self._pending_visit: Visit | None = None
        sessions.leaving.connect(self._note_place)
        sessions.jumped.connect(lambda: self._go_on(replace(self._here, source=None)))
        sessions.session_opened.connect(self._note_session)
        sessions.session_removed.connect(self._forget)
        archive.deleted.connect(self._forget)
        parts.view_changed.connect(self._note_page)
        library.reading.connect(self._note_source)
        library.reader_closed.connect(self._note_closed)
        library.back_wanted.connect(self.back)
        library.forward_wanted.connect(self.forward)
        window.installEventFilter(self)

    def records(self) -> Sequence[Action]:
        back, forward = QT_TR_NOOP("Back"), QT_TR_NOOP("Forward")
        return (
            Action("back", back, BACK_KEYS, self.back, lambda _: bool(self._past)),
            Action("forward", forward, FORWARD_KEYS, self.forward, lambda _: bool(self._future)),
        )

    def back(self) -> None:
        self._move(self._past, self._future)

    def forward(self) -> None:
        self._move(self._future, self._past)

    def _forget(self, session_id: SessionId) -> None:
        for visits in (self._past, self._future):
            visits[:] = [visit for visit in visits if visit.session_id != session_id]
        self.changed.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle the mouse's back and forward buttons, wherever in the window the pointer is."""
        if watched is self._window:
            handle = self._window.windowHandle() if event.type() == QEvent.Type.Show else None
            if handle is not None:
                handle.installEventFilter(self)
        elif event.type() == QEvent.Type.MouseButtonPress and isinstance(event, QMouseEvent):
            go = {
                Qt.MouseButton.BackButton: self.back,
                Qt.MouseButton.ForwardButton: self.forward,
            }.get(event.button())
            if go is not None:
                go()
                return True
        return False

    def _note_place(self) -> None:
        """Record the reader's place before something else is shown."""
        if self._here.source is None and not self._here.page:
            self._here = replace(self._here, anchor=self._transcript.anchor())

    def _note_session(self, session_id: SessionId | None) -> None:
        visit, self._pending_visit = self._pending_visit, None
        if visit is not None and visit.session_id in (session_id, None):
            self._here = replace(visit, session_id=session_id)
            return
        active = self._sessions.active
        is_begun = active is not None and active.id == session_id
        here = self._here
        if here.source is None and here.session_id is None and is_begun:
            self._here = Visit(session_id)  # the empty page has become a session
        elif here.source is not None or session_id != here.session_id:
            self._go_on(Visit(session_id))

    def _note_source(self, place: ReaderPlace) -> None:
        visit, self._pending_visit = self._pending_visit, None
        if visit is None or visit.source != place:
            self._note_place()
            self._go_on(Visit(source=place))

    def _note_page(self) -> None:
        """Make a page a step; leaving it for the session that it covered is one, too."""
        here = self._here
        if self._pending_visit is None and self._page() != here.page and here.source is None:
            self._note_place()
            self._go_on(replace(here, page=self._page()))

    def _note_closed(self) -> None:
        """Make what a source covered, or stood beside, a step."""
        if self._pending_visit is None and self._here.source is not None:
            shown = self._sessions.shown
            self._go_on(Visit(shown.id if shown else None, page=self._page()))

    def _page(self) -> str:
        view = self._parts.view
        return view.act if isinstance(view, View) else ""

    def _go_on(self, to: Visit) -> None:
        self._past = [*self._past, self._here][-_MOST:]
        self._future.clear()
        self._here = to
        self.changed.emit()

    def _move(self, source: list[Visit], target: list[Visit]) -> None:
        if not source:
            return
        self._note_place()
        target.append(self._here)
        left, self._here = self._here, source.pop()
        self.changed.emit()
        self._open(self._here, left)

    def _open(self, visit: Visit, left: Visit) -> None:
        shown = self._sessions.shown
        self._pending_visit = visit
        self._parts.show_view(None)
        self._parts.shell.uncover()
        if visit.source is not None:
            self._library.read(visit.source)
            return
        if left.source is not None:
            self._library.close_reader()
            self._window.activateWindow()
        if visit.page:
            self.page_wanted.emit(visit.page)
            self._pending_visit = None
            return
        if (shown.id if shown else None) == visit.session_id:
            self._pending_visit = None
            self._transcript.restore_anchor(*visit.anchor)
        elif visit.session_id is None:
            self._sessions.show_active()
        else:
            self._sessions.open(
                NavigationTarget(visit.session_id),
                lambda: self._transcript.restore_anchor(*visit.anchor),
            )
