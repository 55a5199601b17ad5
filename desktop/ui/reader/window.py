"""The reader: shows a source at a passage, with highlighted words and a search."""

from collections import defaultdict
from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QSizePolicy, QWidget

from desktop.domain.sources import SourceKind
from desktop.language.links import is_web_address
from desktop.ui.dialogs.shortcuts import BACK_KEYS, FORWARD_KEYS
from desktop.ui.reader.reader_content import (
    PassageHit,
    PassageSearch,
    ReaderContent,
    ReaderPlace,
    open_original,
    read_content,
)
from desktop.ui.reader.reader_view import ReaderText
from desktop.ui.services import Worker
from desktop.ui.source_labels import SourceLabels, is_excerpt
from desktop.ui.theme.theme import Glyph, ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.bars import FindBar
from desktop.ui.widgets.buttons import Button, IconButton
from desktop.ui.widgets.layouts import STRETCH, column, frame_with, growing, resize_to_text, row
from desktop.ui.widgets.plain_text import BodyLabel, ElidedLabel, HintLabel, name_in_field, tip

_CHARACTERS, _LINES = 124, 48


class ReaderWindow(QDialog):
    shown = Signal()  # the requested place is shown
    back_wanted = Signal()
    forward_wanted = Signal()

    def __init__(
        self, worker: Worker, theme: ThemeController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._worker = worker
        self._words = SourceLabels(self)
        self._reading: ReaderContent | None = None
        self.place: ReaderPlace | None = None
        self._search = PassageSearch(())
        self.matches: Sequence[PassageHit] = ()
        self._match = 0  # index of the current match
        self.text = ReaderText(theme, self)
        self.find_bar = FindBar(theme, self)
        name_in_field(self.find_bar.field, self.tr("Find in this source"))
        roles = ("title", "small", "muted")
        self._title, self._about, self._where = (ElidedLabel(role=role) for role in roles)
        self._count, self._trouble = HintLabel(), BodyLabel(role="badge")
        native = QKeySequence.SequenceFormat.NativeText
        up, down = (QKeySequence(keys).toString(native) for keys in ("Alt+Up", "Alt+Down"))
        self._previous = IconButton(theme, Glyph.CHEVRON_UP)
        self._previous.set_name(self.tr("Previous passage"), up)
        self._next = IconButton(theme, Glyph.CHEVRON_DOWN)
        self._next.set_name(self.tr("Next passage"), down)
        self._original = Button(press=self._open_original)
        self._build()
        self._connect()

    @property
    def where(self) -> str:
        return self._where.accessibleName()

    def open_at(self, place: ReaderPlace) -> None:
        self.place = place
        self._worker.do(lambda services: read_content(services, place), self._show)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.find_bar.isVisible():
            self.find_bar.end()
        else:
            super().keyPressEvent(event)

    def _build(self) -> None:
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        # The buttons beside a short title are no wider than their texts.
        self._title.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._trouble.hide()
        self._count.setWordWrap(False)
        look = Button(text=self.tr("&Find…"), press=self.find_bar.begin)
        top = row(growing(self._title), look, self._original)
        margin = (Space.WIDE, Space.LARGE, Space.WIDE, Space.SMALL)
        head = column(top, self._about, self._trouble, spacing=Space.TIGHT, margin=margin)
        margin = (Space.WIDE, Space.SMALL, Space.WIDE, Space.SMALL)
        foot = row(self._where, STRETCH, self._count, self._previous, self._next, margin=margin)
        lines = (frame_with("line"), frame_with("line"))
        parts = (head, lines[0], self.find_bar, growing(self.text), lines[1], foot)
        self.setLayout(column(*parts, spacing=0))
        resize_to_text(self, _CHARACTERS, _LINES)

    def _connect(self) -> None:
        back, forth = partial(self._step, -1), partial(self._step, 1)
        to_last, to_next = partial(self._step_match, -1), partial(self._step_match, 1)
        self._previous.clicked.connect(back)
        self._next.clicked.connect(forth)
        self.text.place_changed.connect(self._show_place)
        self.find_bar.text_changed.connect(self._find)
        self.find_bar.stepped.connect(self._step_match)
        self.find_bar.closed.connect(self._end_finding)
        for keys, act in (
            (QKeySequence("Alt+Up"), back),
            (QKeySequence("Alt+Down"), forth),
            (QKeySequence(BACK_KEYS), self.back_wanted.emit),
            (QKeySequence(FORWARD_KEYS), self.forward_wanted.emit),
            (QKeySequence("F3"), to_next),
            (QKeySequence("Shift+F3"), to_last),
            (QKeySequence(QKeySequence.StandardKey.Find), self.find_bar.begin),
            (QKeySequence(QKeySequence.StandardKey.Close), self.reject),
        ):
            QShortcut(keys, self).activated.connect(act)

    def _show(self, reading: ReaderContent) -> None:
        if reading.place != self.place:
            return  # something else was opened meanwhile
        self._reading = reading
        self.find_bar.end()
        self._search, self.matches = PassageSearch(reading.passages), ()
        self._show_texts(reading)
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

    def _find(self, text: str) -> None:
        search = self._search
        self._worker.do_latest(
            "find in source", lambda _: search.find(text), partial(self._show_matches, search)
        )

    def _show_matches(self, search: PassageSearch, matches: Sequence[PassageHit]) -> None:
        if search is not self._search:
            return  # another source was opened meanwhile
        self.matches, self._match = matches, 0
        spans: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        for passage, start, end in matches:
            spans[passage].append((start, end))
        self.text.show_found(spans)
        self._step_match(0)

    def _step_match(self, by: int) -> None:
        if self.matches:
            self._match = (self._match + by) % len(self.matches)
            passage, *span = self.matches[self._match]
            self.text.go_to(passage, (span[0], span[1]))
            self._show_place(passage)
        self.find_bar.show_place(self._match + 1 if self.matches else 0, len(self.matches))

    def _end_finding(self) -> None:
        self._find("")
        self.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def _open_original(self) -> None:
        if self._reading is not None:
            open_original(self._worker, self._reading.source)

    def _show_texts(self, reading: ReaderContent) -> None:
        source = reading.source
        is_page = source.kind is SourceKind.WEB
        self.setWindowTitle(self.tr("{title} – Reader").format(title=source.title))
        self._title.set_text(source.title)
        details = (self._words.form(source), self._words.pages(source), self._words.read(source))
        self._about.set_text(" · ".join(filter(None, (*details, source.address))))
        self._original.setText(self.tr("&Open in browser") if is_page else self.tr("&Open file"))
        self._original.setEnabled(
            is_web_address(source.address) if is_page else reading.has_original
        )
        gone = self.tr("The file was moved or deleted.")
        if is_page:
            gone = self.tr("Only addresses that begin with http or https can be opened.")
        self._original.setToolTip(tip("" if self._original.isEnabled() else gone))
        self._trouble.set_text("\n".join(self._troubles(reading)))
        self._show_place(self.text.current)

    def _troubles(self, reading: ReaderContent) -> Sequence[str]:
        older = self.tr(
            "This source has changed since it was cited. The passage is shown as it was when "
            "cited."
        )
        excerpt = self.tr(
            "The model’s server searched the web itself. Only the quoted part of this page "
            "reached this computer."
        )
        title = self.tr(
            "The title of this source contains instructions aimed at a model; they were ignored."
        )
        marked = self.tr(
            "The marked words contain instructions aimed at a model; they were ignored."
        )
        conditions = (
            (reading.is_older, older),
            (is_excerpt(reading.source), excerpt),
            (
                bool(reading.place.quote) and not reading.marks,
                self.tr("The quoted words were not found in this passage."),
            ),
            (reading.title_gives_orders, title),
            (reading.text_gives_orders, marked),
        )
        return [words for is_so, words in conditions if is_so]

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
