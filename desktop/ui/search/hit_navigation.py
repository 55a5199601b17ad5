"""Steps through the search hits of a session, and through the matches of find in session."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QWidget

from desktop.domain.ids import MessageId, SessionId
from desktop.recall.find_in_session import find_in_session
from desktop.ui.services import NavigationTarget, WindowServices
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.transcript.entries import MessageEntry
from desktop.ui.transcript.view import TranscriptView
from desktop.ui.widgets.bars import FindBar, NavigationBar
from desktop.ui.widgets.labels import ElidedLabel


class HitBar(NavigationBar):
    def __init__(self, theme: ThemeController, parent: QWidget | None = None) -> None:
        self._words = ElidedLabel(role="small")
        super().__init__(theme, self._words, margin=Space.TIGHT, parent=parent)
        self._query = ""
        self._at = (0, 0)
        self._keys = ("", "")
        self.retranslate()

    def show_hit(self, query: str, place: int, count: int) -> None:
        """`place` counts from 1."""
        self._query, self._at = query, (place, count)
        self._show_place()
        self.show()

    def set_hints(self, following: QKeySequence, previous: QKeySequence) -> None:
        form = QKeySequence.SequenceFormat.NativeText
        self._keys = (previous.toString(form), following.toString(form))
        self.retranslate()

    def retranslate(self) -> None:
        super().retranslate()
        self.name_steps(self.tr("Previous match"), self.tr("Next match"), self._keys)
        self._show_place()

    def _show_place(self) -> None:
        place, count = self._at
        self._words.set_text(self.tr("Results for “{query}”").format(query=self._query))
        told = self.tr("Match {place} of {count}").format(place=place, count=count)
        self.set_place_text(f"{place} / {count}", told)
        self.setAccessibleName(told)


Work = Callable[[WindowServices], list[int]]
Do = Callable[[Work, Callable[[list[int]], None]], None]


class HitNavigation(QObject):
    """Steps through messages with hits, which the count in a list of hits counts, too."""

    def __init__(self, bar: HitBar, transcript: TranscriptView, do: Do) -> None:
        """`do` runs work on a worker and passes its result to a callback here."""
        super().__init__(bar)
        self._bar = bar
        self._transcript = transcript
        self._do = do
        self._wanted: NavigationTarget | None = None
        self._shown: NavigationTarget | None = None
        self._hits: Sequence[MessageId] = ()
        self._at = 0
        bar.next_wanted.connect(lambda: self.step(1))
        bar.previous_wanted.connect(lambda: self.step(-1))
        bar.closed.connect(self._forget)

    @property
    def is_on(self) -> bool:
        return not self._bar.isHidden()

    def expect(self, place: NavigationTarget, shown: SessionId | None) -> None:
        """Prepare for opening a place; `shown`: the session shown until then."""
        self._wanted = place if place.query else None
        if self._wanted is None or shown == place.session_id:
            self.begin(shown)

    def begin(self, session_id: SessionId | None) -> None:
        """Find the hits of a session if a hit led to it, else hide the bar."""
        place, self._wanted = self._wanted, None
        if place is None or place.session_id != session_id:
            self.end()
            return
        entries = [one for one in self._transcript.entries if isinstance(one, MessageEntry)]
        ids, texts = [one.message.id for one in entries], [one.text for one in entries]

        def show(found: list[int]) -> None:
            if self._shown is place:  # no other place was opened meanwhile
                # A message that was found by its meaning may have none of the words.
                self._show(
                    place,
                    [one for at, one in enumerate(ids) if at in found or one == place.message_id],
                )

        self._shown = place
        self._do(lambda _: find_in_session(place.query, texts), show)

    def end(self) -> None:
        """Hide the bar without a signal, because another session is shown."""
        self._bar.hide()
        self._shown, self._hits = None, ()

    def step(self, by: int) -> None:
        if self._shown is not None and self._hits:
            self._at = (self._at + by) % len(self._hits)
            self._transcript.scroll_to(self._hits[self._at], self._shown.terms)
            self._bar.show_hit(self._shown.query, self._at + 1, len(self._hits))

    def _show(self, place: NavigationTarget, hits: Sequence[MessageId]) -> None:
        if not hits:
            self.end()
            return
        self._hits = hits
        if place.message_id in hits:  # the transcript is shown already
            self._at = hits.index(place.message_id)
            self._bar.show_hit(place.query, self._at + 1, len(hits))
        else:
            self._at = 0
            self.step(0)

    def _forget(self) -> None:
        self._transcript.marking.clear()
        self._shown, self._hits = None, ()


class FindController(QObject):
    begun = Signal()
    ended = Signal()  # the focus has to be set

    def __init__(self, bar: FindBar, transcript: TranscriptView) -> None:
        super().__init__(bar)
        self._bar = bar
        self._marking = transcript.marking
        self._count = 0
        bar.text_changed.connect(self._find)
        bar.next_wanted.connect(lambda: self.step(1))
        bar.previous_wanted.connect(lambda: self.step(-1))
        bar.closed.connect(self._stop)

    def end(self) -> None:
        """Hide the bar without a signal, because another session took the focus."""
        self._bar.hide()

    def step(self, by: int) -> None:
        if self._bar.isHidden():
            self._bar.begin()
        else:
            self._bar.show_place(self._marking.step(by), self._count)

    def _find(self, text: str) -> None:
        self.begun.emit()
        self._count = self._marking.find(text) if text else 0
        if not text:
            self._marking.clear()
        self._bar.show_place(self._marking.place, self._count)

    def _stop(self) -> None:
        self._marking.clear()
        if not self._bar.give_focus_back():
            self.ended.emit()
