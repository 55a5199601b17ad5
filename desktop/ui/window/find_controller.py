"""Connects the find bar with the transcript."""

from PySide6.QtCore import QObject, Signal

from desktop.ui.transcript.view import TranscriptView
from desktop.ui.widgets.bars import FindBar


class Finding(QObject):
    begun = Signal()
    ended = Signal()
    """And nobody knows where the keyboard was."""

    def __init__(self, bar: FindBar, transcript: TranscriptView) -> None:
        super().__init__(bar)
        self._bar = bar
        self._marking = transcript.marking
        self._count = 0
        bar.begun.connect(transcript.marking.prepare_to_find)
        bar.text_changed.connect(self._find)
        bar.next_wanted.connect(self.next)
        bar.previous_wanted.connect(self.previous)
        bar.closed.connect(self._stop)

    def next(self) -> None:
        if self._bar.isHidden():
            self._bar.begin()
        else:
            self._bar.show_place(self._marking.go_to_next(), self._count)

    def end(self) -> None:
        """Without a word: another session is shown, and the focus has gone with it."""
        self._bar.hide()

    def previous(self) -> None:
        if self._bar.isHidden():
            self._bar.begin()
        else:
            self._bar.show_place(self._marking.go_to_previous(), self._count)

    def _find(self, text: str) -> None:
        self.begun.emit()
        if text:
            self._count = self._marking.find(text)
        else:
            self._count = 0
            self._marking.clear()
        self._bar.show_place(self._marking.place, self._count)

    def _stop(self) -> None:
        self._marking.clear()
        if not self._bar.give_focus_back():
            self.ended.emit()
