"""The reader beside the conversation: a source as pages or as text, with marks and a search."""

from collections.abc import Iterator
from functools import partial

from PySide6.QtCore import QPoint, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QFrame, QMenu, QSizePolicy, QStackedWidget, QWidget

from desktop.domain.errors import AppError
from desktop.domain.notes import Note
from desktop.domain.sources import SourceKind
from desktop.language.links import is_web_address
from desktop.ui.dialogs.shortcuts import BACK_KEYS, FORWARD_KEYS
from desktop.ui.formatting import SourceLabels, is_excerpt
from desktop.ui.i18n import core_texts
from desktop.ui.reader.page_view import PageView
from desktop.ui.reader.reader_content import (
    ReaderContent,
    ReaderPlace,
    SourceWarnings,
    follow,
    open_original,
    read_content,
    read_warnings,
)
from desktop.ui.reader.reader_view import ReaderText
from desktop.ui.reader.source_notes import (
    HIGHLIGHT_KEYS,
    NOTE_KEYS,
    Selection,
    ShownNotes,
    SourceNotes,
    show_keys,
)
from desktop.ui.reader.source_search import ReaderSearch
from desktop.ui.services import Worker
from desktop.ui.theme.theme import Glyph, ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.views import Acts, OwnKeys
from desktop.ui.widgets.buttons import IconButton, PopupMenu, place_of_menu
from desktop.ui.widgets.layouts import column, frame_with, growing, row
from desktop.ui.widgets.plain_text import BodyLabel, ElidedLabel, HintLabel, name_in_field
from desktop.ui.widgets.search_fields import FindBar

_MOST_CONTENTS = 60  # Entries of the contents in a menu
_INDENT = "    "
_QUOTE_KEYS = "Ctrl+Shift+J"
_LINK = "link"


class ReaderPanel(OwnKeys, QFrame):
    opening = Signal()  # a source has been read: now it needs its place in the window
    shown = Signal()  # the requested place is shown
    closed = Signal()
    back_wanted = Signal()
    forward_wanted = Signal()
    quote_wanted = Signal(str)  # selected words for the message
    ask_wanted = Signal(object, str)  # SourceId and title of what a question is about
    followed = Signal(object)  # ReaderPlace to which a link leads

    def __init__(
        self, worker: Worker, theme: ThemeController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._worker = worker
        self._words = SourceLabels(self)
        self._reading: ReaderContent | None = None
        self.warnings = SourceWarnings()
        self.place: ReaderPlace | None = None
        self.shows_text = False  # The user prefers it to the pages
        self._opened_at: tuple[int, int] | None = None  # Page and passage; None until shown
        self.text = ReaderText(theme, self)
        self.pages = PageView(worker, theme, self)
        self.notes = SourceNotes(worker, theme, self)
        self._stack = QStackedWidget(self)
        self.find_bar = FindBar(theme, self)
        self.search = ReaderSearch(
            worker, self.find_bar, self.text, self.pages, lambda: self.are_pages_shown
        )
        roles = ("heading", "small", "muted")
        self._title, self._about, self._where = (ElidedLabel(role=role) for role in roles)
        self._count, self._trouble = HintLabel(), BodyLabel(role="badge")
        glyphs = (Glyph.PLUS, Glyph.SEARCH, Glyph.MORE, Glyph.CLOSE)
        self._ask, self._look, self._more, self._close = (
            IconButton(theme, glyph, self) for glyph in glyphs
        )
        glyphs = (Glyph.MINUS, Glyph.PLUS, Glyph.CHEVRON_UP, Glyph.CHEVRON_DOWN)
        self._smaller, self._larger, self._previous, self._next = (
            IconButton(theme, glyph, self) for glyph in glyphs
        )
        self._original, self._as_text = QAction(self), QAction(self)
        self._build()
        self._connect()
        self._keys: Acts = (
            (QKeySequence("Alt+Up"), partial(self._step, -1)),
            (QKeySequence("Alt+Down"), partial(self._step, 1)),
            (QKeySequence(BACK_KEYS), self.back_wanted.emit),
            (QKeySequence(FORWARD_KEYS), self.forward_wanted.emit),
            (QKeySequence("F3"), partial(self.search.step, 1)),
            (QKeySequence("Shift+F3"), partial(self.search.step, -1)),
            (QKeySequence(HIGHLIGHT_KEYS), lambda: self.notes.highlight(self.selection)),
            (QKeySequence(NOTE_KEYS), lambda: self.notes.write(self.selection)),
            (QKeySequence(_QUOTE_KEYS), self._quote),
            (QKeySequence(QKeySequence.StandardKey.Undo), self.notes.strip.undo_last),
            (QKeySequence(QKeySequence.StandardKey.Find), self.find_bar.begin),
            (QKeySequence(QKeySequence.StandardKey.Close), self.closed.emit),
            (QKeySequence("Esc"), self._escape),
        )

    @property
    def where(self) -> str:
        return self._where.accessibleName()

    @property
    def are_pages_shown(self) -> bool:
        return self._stack.currentWidget() is self.pages

    @property
    def selection(self) -> Selection | None:
        return self.pages.selection if self.are_pages_shown else self.text.selection

    def open_at(self, place: ReaderPlace) -> None:
        self.place = place
        self._worker.do(lambda services: read_content(services, place), self._show)

    def go_where(self, other: "ReaderPanel") -> None:
        """Go to the page or passage of another panel once the source is shown."""
        self.shows_text = other.shows_text
        with QSignalBlocker(self._as_text):
            self._as_text.setChecked(self.shows_text)
        page, passage = other.pages.current, other.text.current

        def go() -> None:
            self.shown.disconnect(go)
            self.pages.go_to(page)
            self.text.go_to(passage)
            self._choose_view()

        self.shown.connect(go)

    def own_keys(self) -> Acts:
        return self._keys

    def _escape(self) -> None:
        if self.find_bar.isVisible():
            self.find_bar.end()
        else:
            self.closed.emit()

    def _build(self) -> None:
        self.setProperty("role", "panel")
        self._trouble.hide()
        self._count.setWordWrap(False)
        name_in_field(self.find_bar.field, self.tr("Find in this source"))
        native = QKeySequence.SequenceFormat.NativeText
        up, down = (QKeySequence(keys).toString(native) for keys in ("Alt+Up", "Alt+Down"))
        find = QKeySequence(QKeySequence.StandardKey.Find).toString(native)
        self._ask.set_name(self.tr("Ask about this source"))
        self._look.set_name(self.tr("Find in this source"), find)
        self._more.set_name(self.tr("More"))
        self._close.set_name(self.tr("Close"))
        self._smaller.set_name(self.tr("Smaller"))
        self._larger.set_name(self.tr("Larger"))
        self._previous.set_name("", up)
        self._next.set_name("", down)
        self._as_text.setText(self.tr("Show as text"))
        for view in (self.text, self.pages):
            self._stack.addWidget(view)
        buttons = (self._ask, self._look, self._more, self._close)
        for label in (self._title, self._where):
            label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        top = row(growing(self._title), *buttons, spacing=Space.TIGHT)
        margin = (Space.LARGE, Space.SMALL, Space.SMALL, Space.SMALL)
        head = column(top, self._about, self._trouble, spacing=Space.TIGHT, margin=margin)
        margin = (Space.LARGE, Space.TIGHT, Space.SMALL, Space.TIGHT)
        steps = (self._smaller, self._larger, self._previous, self._next)
        place = row(growing(self._where), self._count, spacing=Space.SMALL)
        foot = row(growing(place), row(*steps, spacing=0), spacing=Space.MEDIUM, margin=margin)
        parts = (frame_with("bar", head), self.find_bar, growing(self._stack), frame_with("line"))
        self.setLayout(column(*parts, self.notes.strip, foot, spacing=0))

    def _connect(self) -> None:
        self._previous.clicked.connect(partial(self._step, -1))
        self._next.clicked.connect(partial(self._step, 1))
        self._smaller.clicked.connect(lambda: self.pages.zoom(-1))
        self._larger.clicked.connect(lambda: self.pages.zoom(1))
        self._look.clicked.connect(self.find_bar.begin)
        self._close.clicked.connect(self.closed)
        self._ask.clicked.connect(self._want_question)
        self._original.triggered.connect(self._open_original)
        self._as_text.setCheckable(True)
        self._as_text.toggled.connect(self._choose_text)
        self._more.clicked.connect(self._open_menu)
        self.text.place_changed.connect(self._show_place)
        self.text.customContextMenuRequested.connect(
            lambda at: self._offer(
                self.text.mapToGlobal(at), self.text.selection, self.text.note_at(at)
            )
        )
        self.notes.changed.connect(self._show_notes)
        self.text.link_wanted.connect(self._follow)
        for view in (self.text, self.pages):
            view.note_pressed.connect(self.notes.editor.edit)
        self.pages.place_changed.connect(self._show_page)
        self.pages.menu_wanted.connect(self._offer)
        self.pages.failed.connect(self._show_failure)
        self.search.place_shown.connect(self._show_place)
        self.find_bar.closed.connect(self._end_finding)

    def _show(self, reading: ReaderContent) -> None:
        if reading.place != self.place:
            return  # something else was opened meanwhile
        self._reading, self.warnings = reading, SourceWarnings()
        self._opened_at = None
        self.find_bar.end()
        self.search.search_in(reading)
        self.opening.emit()
        self.text.show_passages(reading.passages, reading.at, reading.marks)
        if reading.pdf is not None and reading.description is not None:
            self.pages.show_document(reading.pdf, reading.description)
        self._show_texts(reading)
        self._choose_view()
        self.notes.show(reading)
        if reading.mark is not None:
            self.pages.show_mark(reading.mark)
        else:
            self.pages.go_to(reading.page)
        self._opened_at = (self.pages.current, self.text.current)
        self.shown.emit()
        self._worker.do(
            lambda services: read_warnings(services, reading),
            partial(self._show_warnings, reading),
        )

    def _show_warnings(self, reading: ReaderContent, warnings: SourceWarnings) -> None:
        if reading is self._reading:
            self.warnings = warnings
            self.text.show_warned(warnings.spans, warnings.uncertain)
            self._show_texts(reading)

    def _choose_view(self) -> None:
        """Show the pages of a PDF, unless the user wants its text."""
        reading = self._reading
        has_pages = reading is not None and reading.pdf is not None
        view = self.pages if has_pages and not self.shows_text else self.text
        self._stack.setCurrentWidget(view)
        self.setFocusProxy(view)
        self._as_text.setVisible(has_pages)
        for button in (self._smaller, self._larger):
            button.setVisible(view is self.pages)
        is_paged = view is self.pages
        last = self.tr("Previous page") if is_paged else self.tr("Previous passage")
        following = self.tr("Next page") if is_paged else self.tr("Next passage")
        native = QKeySequence.SequenceFormat.NativeText
        for button, name, keys in (
            (self._previous, last, "Alt+Up"),
            (self._next, following, "Alt+Down"),
        ):
            button.set_name(name, QKeySequence(keys).toString(native))
        if is_paged:
            self._show_page(self.pages.current)
        else:
            self._show_place(self.text.current)

    def _choose_text(self, is_text: bool) -> None:  # noqa: FBT001 (a Qt slot)
        self.shows_text = is_text
        reading = self._reading
        if reading is not None and reading.passages:
            if is_text:
                self.text.go_to(self._passage_of_page(self.pages.current))
            else:
                page = reading.passages[min(self.text.current, len(reading.passages) - 1)].page
                self.pages.go_to((page or 1) - 1)
        self._choose_view()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _passage_of_page(self, index: int) -> int:
        passages = self._reading.passages if self._reading else ()
        return next((at for at, passage in enumerate(passages) if (passage.page or 0) > index), 0)

    def _step(self, by: int) -> None:
        reading = self._reading
        if self.are_pages_shown:
            self.pages.go_to(self.pages.current + by)
        elif reading is not None and 0 <= self.text.current + by < len(reading.passages):
            self.text.go_to(self.text.current + by)
            self._show_place(self.text.current)

    def _end_finding(self) -> None:
        self.search.find("")
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _want_question(self) -> None:
        if self._reading is not None:
            self.ask_wanted.emit(self._reading.source.id, self._reading.source.title)

    def _open_menu(self) -> None:
        menu = PopupMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._add_contents(menu)
        if not self.are_pages_shown:
            self.text.offer_links(menu)
        menu.addAction(self._as_text)
        menu.addAction(self._original)
        self.notes.offer_copy(menu)
        menu.popup(place_of_menu(self._more))

    def _add_contents(self, menu: QMenu) -> None:
        reading = self._reading
        outline = reading.description.outline if reading and reading.description else ()
        if not outline or not self.are_pages_shown:
            return
        contents = PopupMenu(menu)
        contents.setTitle(self.tr("Contents"))
        least = min(level for level, _, _ in outline)
        for level, title, index in outline[:_MOST_CONTENTS]:
            words = f"{_INDENT * (level - least)}{title}".replace("&", "&&")
            contents.addAction(words, partial(self.pages.go_to, index))
        menu.addMenu(contents)

    def _follow(self, target: str) -> None:
        """Open the note to which a link leads, if the library has it."""

        def show(place: ReaderPlace | None) -> None:
            if place is None:
                words = self.tr("“{note}” is not in the library.").format(note=target)
                self.notes.strip.show_message(_LINK, words)
            else:
                self.followed.emit(place)

        if (reading := self._reading) is not None:
            follow(self._worker, reading.source, target, self.window(), show)

    def _show_notes(self, notes: ShownNotes) -> None:
        self.text.show_notes(notes.in_text)
        self.pages.show_notes(notes.on_pages)

    def _offer(self, at: QPoint, selection: Selection | None, note: Note | None) -> None:
        selected = selection.words if selection else ""
        menu = PopupMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copy = self.pages.copy if self.are_pages_shown else self.text.copy
        for words, act, keys in (
            (self.tr("Copy"), copy, QKeySequence.StandardKey.Copy),
            (self.tr("Put into the message"), partial(self._quote, selected), _QUOTE_KEYS),
        ):
            action = menu.addAction(words, act)
            action.setEnabled(bool(selected))
            show_keys(action, keys)
        self.notes.offer(menu, selection, note)
        menu.addAction(self.tr("Ask about this source"), self._want_question)
        menu.popup(at)

    def _quote(self, words: str = "") -> None:
        """Put words into the message: those selected, unless others are given."""
        if words or (self.selection is not None and (words := self.selection.words)):
            self.quote_wanted.emit(words)

    def _open_original(self) -> None:
        if self._reading is not None:
            open_original(self._worker, self._reading.source)

    def _show_texts(self, reading: ReaderContent) -> None:
        source = reading.source
        is_page = source.kind is SourceKind.WEB
        self.setAccessibleName(self.tr("{title} – Reader").format(title=source.title))
        self._title.set_text(source.title)
        details = (self._words.form(source), self._words.pages(source), self._words.read(source))
        address = source.address if is_page else ""
        self._about.set_text(" · ".join(filter(None, (*details, address))))
        self._original.setText(self.tr("&Open in browser") if is_page else self.tr("&Open file"))
        self._original.setEnabled(
            is_web_address(source.address) if is_page else reading.has_original
        )
        self._show_troubles()

    def _show_troubles(self) -> None:
        if self._reading is not None:
            self._trouble.set_text("\n".join(self._troubles(self._reading)))

    def _is_at_place(self) -> bool:
        """Whether the page or passage that is shown is the one that was opened."""
        here = (self.pages.current, self.text.current)
        is_text = not self.are_pages_shown
        return self._opened_at is None or here[is_text] == self._opened_at[is_text]

    def _show_failure(self, error: AppError) -> None:
        self._trouble.set_text(core_texts().error(error))

    def _troubles(self, reading: ReaderContent) -> Iterator[str]:
        is_page = reading.source.kind is SourceKind.WEB
        gone = self.tr("The file was moved or deleted.")
        if is_page:
            gone = self.tr("Only addresses that begin with http or https can be opened.")
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
        unmarked = self.tr("The quoted words could not be marked on the page.")
        mark = reading.mark
        quote = reading.place.quote if self._is_at_place() else ""
        is_elsewhere = mark is not None and (mark.goes_on or reading.place.note) is not None
        conditions = (
            (not self._original.isEnabled(), gone),
            (reading.is_older, older),
            (is_excerpt(reading.source), excerpt),
            (
                bool(quote) and not reading.marks and not is_elsewhere,
                self.tr("The quoted words were not found in this passage."),
            ),
            (bool(quote and reading.marks and reading.pdf) and reading.mark is None, unmarked),
            (self.warnings.are_in_title, title),
            (self.warnings.are_in_text, marked),
        )
        yield from (words for is_so, words in conditions if is_so)

    def _show_page(self, index: int) -> None:
        reading = self._reading
        if reading is None or reading.description is None or not self.are_pages_shown:
            return
        count = len(reading.description.sizes)
        label = reading.description.labels[index]
        is_printed = bool(label) and label != str(index + 1)
        printed = self.tr("printed as {label}").format(label=label) if is_printed else ""
        self._where.set_text(printed)
        self._count.setText(
            self.tr("Page {number} of {count}").format(number=index + 1, count=count)
        )
        self._previous.setEnabled(index > 0)
        self._next.setEnabled(index < count - 1)
        if reading.place.quote:
            self._show_troubles()

    def _show_place(self, at: int) -> None:
        reading = self._reading
        if reading is None or not reading.passages or self.are_pages_shown:
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
        if reading.place.quote:
            self._show_troubles()
