"""The reader: shows a source at a passage, with highlighted words and a search."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from desktop.domain.sources import Source, SourceKind, SourcePassage
from desktop.ui.reader.reader_content import (
    MatchPosition,
    PassageSearch,
    ReaderActions,
    ReaderContent,
    ReaderPlace,
    Spans,
)
from desktop.ui.reader.reader_view import ReaderText
from desktop.ui.source_labels import SourceLabels, is_excerpt
from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.widgets.bars import FindBar
from desktop.ui.widgets.buttons import Button, IconButton
from desktop.ui.widgets.labels import BodyLabel, ElidedLabel, HintLabel
from desktop.ui.widgets.layouts import resize_within_screen, text_width
from desktop.ui.widgets.plain_text import tip


class SourceFinder(QObject):
    found = Signal(object)
    """Mapping of passages to the spans that were found in them"""
    moved = Signal(object)
    """MatchPosition that is current"""

    def __init__(self, bridge: TurnBridge, parent: QObject) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._finding = PassageSearch(())
        self._places: Sequence[MatchPosition] = ()
        self._at = 0
        self._text = ""

    @property
    def count(self) -> int:
        return len(self._places)

    @property
    def place(self) -> int:
        """From 1; 0 where there is none."""
        return self._at + 1 if self._places else 0

    def look_in(self, passages: Sequence[SourcePassage]) -> None:
        self._finding = PassageSearch(passages)
        self.end()

    def end(self) -> None:
        self._text, self._places = "", ()
        self.found.emit({})

    def find(self, text: str) -> None:
        self._text = text
        finding = self._finding

        def told(places: list[MatchPosition]) -> None:
            if (finding, text) == (self._finding, self._text):
                self._set_places(places)

        if text.strip():
            self._bridge.run(lambda: finding.find(text), told)
        else:
            self.end()

    def step(self, by: int) -> None:
        if self._places:
            self._at = (self._at + by) % len(self._places)
            self.moved.emit(self._places[self._at])

    def _set_places(self, places: Sequence[MatchPosition]) -> None:
        self._places, self._at = places, 0
        spans: dict[int, list[tuple[int, int]]] = {}
        for one in places:
            spans.setdefault(one.passage, []).append((one.start, one.end))
        self.found.emit(spans)
        self.step(0)


_CHARACTERS, _LINES = 124, 48


class ReaderWindow(QDialog):
    shown = Signal()
    """The requested place is shown."""

    def __init__(
        self, actions: ReaderActions, theme: ThemeController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._actions = actions
        self._words = SourceLabels(self)
        self._reading: ReaderContent | None = None
        self._wanted: ReaderPlace | None = None
        self.text = ReaderText(theme, self)
        self.find_bar = FindBar(theme, self)
        self._finder = SourceFinder(actions.bridge, self)
        self._title, self._about = ElidedLabel(self), ElidedLabel(self)
        self._where, self._count = ElidedLabel(self), HintLabel(parent=self)
        self._trouble = BodyLabel(parent=self)
        self._previous = IconButton(theme, Glyph.CHEVRON_UP, self)
        self._next = IconButton(theme, Glyph.CHEVRON_DOWN, self)
        self._look, self._original = Button(), Button()
        self._build()
        self._connect()
        self.retranslate()

    @property
    def source(self) -> Source | None:
        return self._reading.source if self._reading else None

    @property
    def where(self) -> str:
        """Page and heading at the top of the view."""
        return self._where.accessibleName()

    def open_at(self, place: ReaderPlace) -> None:
        self._wanted = place
        self._actions.read(place, self._show)

    def retranslate(self) -> None:
        self._previous.setToolTip(tip(self.tr("Previous passage (Alt+Up)")))
        self._previous.setAccessibleName(self.tr("Previous passage"))
        self._next.setToolTip(tip(self.tr("Next passage (Alt+Down)")))
        self._next.setAccessibleName(self.tr("Next passage"))
        self._look.setText(self.tr("&Find…"))
        self.text.setAccessibleName(self.tr("Text of the source"))
        self.text.set_page_format(self.tr("Page {number}"))
        self.find_bar.field.setPlaceholderText(self.tr("Find in this source"))
        self.find_bar.field.setAccessibleName(self.tr("Find in this source"))
        self._show_texts()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.find_bar.retranslate()
            self.retranslate()
        super().changeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.find_bar.isVisible():
            self.find_bar.end()
            event.accept()
        else:
            super().keyPressEvent(event)

    def _build(self) -> None:
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        self._title.setProperty("role", "title")
        # The buttons beside a short title are no wider than their words.
        self._title.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._about.setProperty("role", "small")
        self._where.setProperty("role", "muted")
        self._trouble.setProperty("role", "badge")
        self._trouble.hide()
        head = QVBoxLayout()
        head.setContentsMargins(Space.WIDE, Space.LARGE, Space.WIDE, Space.SMALL)
        head.setSpacing(Space.TIGHT)
        top = QHBoxLayout()
        top.setSpacing(Space.SMALL)
        top.addWidget(self._title, 1)
        top.addWidget(self._look)
        top.addWidget(self._original)
        for part in (top, self._about, self._trouble):
            if isinstance(part, QHBoxLayout):
                head.addLayout(part)
            else:
                head.addWidget(part)
        foot = QHBoxLayout()
        foot.setContentsMargins(Space.WIDE, Space.SMALL, Space.WIDE, Space.SMALL)
        foot.setSpacing(Space.SMALL)
        foot.addWidget(self._where)
        foot.addStretch(1)
        self._count.setWordWrap(False)
        for widget in (self._count, self._previous, self._next):
            foot.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(_line(self))
        column.addWidget(self.find_bar)
        column.addWidget(self.text, 1)
        column.addWidget(_line(self))
        column.addLayout(foot)
        height = _LINES * self.fontMetrics().lineSpacing()
        resize_within_screen(self, text_width(self, _CHARACTERS), height)

    def _connect(self) -> None:
        self._previous.clicked.connect(lambda: self._step(-1))
        self._next.clicked.connect(lambda: self._step(1))
        self._look.clicked.connect(self.find_bar.begin)
        self._original.clicked.connect(self._open_original)
        self.text.place_changed.connect(self._show_place)
        self.find_bar.text_changed.connect(self._finder.find)
        self.find_bar.next_wanted.connect(lambda: self._finder.step(1))
        self.find_bar.previous_wanted.connect(lambda: self._finder.step(-1))
        self.find_bar.closed.connect(self._end_finding)
        self._finder.found.connect(self._show_found)
        self._finder.moved.connect(self._go_to)
        for keys, act in (
            (QKeySequence("Alt+Up"), lambda: self._step(-1)),
            (QKeySequence("Alt+Down"), lambda: self._step(1)),
            (QKeySequence("F3"), lambda: self._finder.step(1)),
            (QKeySequence("Shift+F3"), lambda: self._finder.step(-1)),
            (QKeySequence(QKeySequence.StandardKey.Find), self.find_bar.begin),
            (QKeySequence(QKeySequence.StandardKey.Close), self.reject),
        ):
            QShortcut(keys, self).activated.connect(act)

    def _show(self, reading: ReaderContent) -> None:
        if reading.place != self._wanted:
            return  # something else was opened meanwhile
        self._reading = reading
        self.find_bar.end()
        self._finder.look_in(reading.passages)
        self._show_texts()
        self.show()
        self.raise_()
        self.activateWindow()
        self.text.show_passages(reading.passages, reading.at, reading.marks, reading.suspicious)
        self._show_place(reading.at)
        self.text.setFocus(Qt.FocusReason.OtherFocusReason)
        self.shown.emit()

    def _step(self, by: int) -> None:
        reading = self._reading
        if reading is not None and 0 <= self.text.current + by < len(reading.passages):
            self.text.go_to(self.text.current + by)
            self._show_place(self.text.current)

    def _go_to(self, place: MatchPosition) -> None:
        self.text.go_to(place.passage, (place.start, place.end))
        self._show_place(place.passage)
        self.find_bar.show_place(self._finder.place, self._finder.count)

    def _show_found(self, found: Mapping[int, Spans]) -> None:
        self.text.show_found(found)
        self.find_bar.show_place(self._finder.place, self._finder.count)

    def _end_finding(self) -> None:
        self._finder.end()
        self.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def _open_original(self) -> None:
        reading = self._reading
        if reading is not None:
            self._actions.open_original(reading.source)

    def _show_texts(self) -> None:
        reading = self._reading
        if reading is None:
            return
        source = reading.source
        is_page = source.kind is SourceKind.WEB
        self.setWindowTitle(self.tr("{title} – Reader").format(title=source.title))
        self._title.set_text(source.title)
        told = (self._words.form(source), self._words.pages(source), self._words.read(source))
        self._about.set_text(" · ".join(filter(None, (*told, source.address))))
        self._original.setText(self.tr("&Open in browser") if is_page else self.tr("&Open file"))
        self._original.setEnabled(is_page or reading.has_original)
        self._original.setToolTip(
            tip(
                ""
                if self._original.isEnabled()
                else self.tr("The file is no longer where it was.")
            )
        )
        self._trouble.setText("\n".join(self._troubles(reading)))
        self._trouble.setVisible(bool(self._trouble.text()))
        self._show_place(self.text.current)

    def _troubles(self, reading: ReaderContent) -> Sequence[str]:
        said = []
        if reading.is_older:
            said.append(
                self.tr(
                    "This source has changed since it was cited. The cited passage is "
                    "shown as it was then."
                )
            )
        if is_excerpt(reading.source):
            said.append(
                self.tr(
                    "The model's server searched the web itself. Only the quoted part of "
                    "this page reached this computer."
                )
            )
        if reading.place.quote and not reading.marks:
            said.append(self.tr("The quoted words were not found in this passage."))
        if reading.title_gives_orders:
            said.append(
                self.tr(
                    "The title of this source contains instructions aimed at a model; "
                    "they were ignored."
                )
            )
        if reading.suspicious:
            said.append(
                self.tr(
                    "The marked words contain instructions aimed at a model; they were ignored."
                )
            )
        return said

    def _show_place(self, at: int) -> None:
        reading = self._reading
        if reading is None or not reading.passages:
            return
        at = min(at, len(reading.passages) - 1)
        place = self._words.place(reading.passages[at])
        self._where.set_text(place[:1].upper() + place[1:])
        current = min(self.text.current, len(reading.passages) - 1)
        self._count.setText(
            self.tr("Passage {number} of {count}").format(
                number=current + 1, count=len(reading.passages)
            )
        )
        self._previous.setEnabled(current > 0)
        self._next.setEnabled(current < len(reading.passages) - 1)


def _line(parent: QWidget) -> QFrame:
    line = QFrame(parent)
    line.setProperty("role", "line")
    return line
