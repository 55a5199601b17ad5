"""What the pages at the window's right are filled with, and when they are shown."""

from collections.abc import Sequence

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from desktop.domain.messages import Citation
from desktop.ui.session.message_actions import MessageDesk
from desktop.ui.window.splitter_layout import Side
from desktop.ui.window.window_widgets import WindowParts


class WindowSide(QObject):
    def __init__(self, parts: WindowParts, desk: MessageDesk) -> None:
        super().__init__(parts)
        self._parts = parts
        self._desk = desk
        self._is_chosen = False
        """Whether the sources are those of an answer that the reader has asked for."""
        parts.side.closed.connect(self._close)
        parts.side.page_chosen.connect(self._fill)
        parts.composer.context_wanted.connect(lambda: self.toggle(parts.context))
        desk.citations_changed.connect(self._follow)

    def toggle(self, page: QWidget) -> None:
        if self._parts.is_panel_shown(page):
            self._close()
            return
        self._is_chosen = False
        self._parts.show_panel(page)
        self._fill(page)

    def show_citations(self, citations: Sequence[Citation], number: int) -> None:
        """Of one answer, at the number that was clicked."""
        self._is_chosen = True
        self._parts.show_panel(self._parts.panel)
        self._parts.panel.show_citations(citations, number=number)

    def begin(self) -> None:
        """Another session is shown; what is known of its answers is told later."""
        self._is_chosen = False
        self._parts.panel.show_citations(())

    def _fill(self, page: QWidget) -> None:
        """With what the newest answer has, unless another was asked for."""
        parts, answer = self._parts, self._parts.transcript.newest_answer()
        if page is parts.panel and not self._is_chosen:
            parts.panel.show_citations(self._desk.newest_citations())
        elif page is parts.trace and not parts.trace.trace.is_anything and answer is not None:
            parts.transcript.trace_requested.emit(answer)

    def _follow(self) -> None:
        newest = self._desk.newest_citations()
        is_shown = self._parts.is_panel_shown(self._parts.panel)
        if is_shown and not self._is_chosen and newest != self._parts.panel.citations:
            self._parts.panel.show_citations(newest)

    def _close(self) -> None:
        self._parts.shell.show_side(Side.RIGHT, False)
