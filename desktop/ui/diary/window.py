"""The diary window: a calendar, the entry of the chosen day, and all thoughts that are open."""

from collections.abc import Callable, Sequence
from datetime import date

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QStackedWidget, QWidget

from desktop.domain.diary import DiaryAuthor, DiaryEntry, DiaryItem
from desktop.settings.settings import DiaryMode
from desktop.ui.diary.day_calendar import DayCalendar
from desktop.ui.diary.entry_page import EntryPage
from desktop.ui.formatting import full_day
from desktop.ui.services import WindowServices, Worker
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import WrappingCheckBox
from desktop.ui.widgets.labels import BodyLabel, HintLabel, SectionLabel, TitleLabel
from desktop.ui.widgets.layouts import (
    STRETCH,
    Part,
    VerticalScrollArea,
    column,
    growing,
    resize_to_text,
    row,
    widget_with,
)

_CHARACTERS, _LINES = 132, 42
_MOST_LISTED = 60
_LEFT_SHARE, _PAGE_SHARE = 2, 3


class DiaryWindow(QDialog):
    """Sets its texts once: a change of language opens a new window in its place."""

    place_wanted = Signal(object)  # NavigationTarget of a line's message

    def __init__(
        self, worker: Worker, theme: ThemeController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._worker = worker
        self._entries: dict[date, DiaryEntry] = {}
        self._wanted: date | None = None
        self._has_tried = self._is_model_writing = False
        self._left: tuple[QWidget, str] | None = None  # where the keyboard was before a change
        self.is_loaded = False
        self.calendar, self.page = DayCalendar(theme), EntryPage(theme)
        self._count = HintLabel()
        self._list = VerticalScrollArea()
        self._pages = QStackedWidget(self)
        self._first = Button("primary", text=self.tr("&Write now"), press=self._write_all)
        self._nothing = BodyLabel(role="muted")
        self._build()
        self._connect()

    def open_at(self, day: date | None = None) -> None:
        """Show the window, at a day if one is given."""
        self._wanted = day
        self.show()
        self.raise_()
        self.activateWindow()
        self.load()
        self.calendar.setFocus(Qt.FocusReason.OtherFocusReason)

    def load(self) -> None:
        self._worker.do(lambda services: services.archive.diary.entries(), self._show)

    def reject(self) -> None:
        self.page.leave()
        super().reject()

    @property
    def holds_work(self) -> bool:
        """Whether an entry is being written."""
        return self.page.is_writing

    def _build(self) -> None:
        self.setWindowTitle(self.tr("Diary"))
        self._list.setAccessibleName(self.tr("Items"))
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        title = TitleLabel(self.tr("Diary"))
        title.setWordWrap(False)
        left = column(self.calendar, growing(self._list), spacing=Space.MEDIUM)
        full = column(
            row(title, growing(self._count)),
            Part(row(growing(left, _LEFT_SHARE), growing(self.page, _PAGE_SHARE)), 1),
            spacing=Space.MEDIUM,
        )
        empty = column(
            STRETCH,
            TitleLabel(self.tr("The diary is empty")),
            self._nothing,
            row(self._first, STRETCH),
            Part(None, 2),
            spacing=Space.LARGE,
            margin=2 * Space.WIDE,
        )
        for layout in (full, empty):
            self._pages.addWidget(widget_with(layout))
        close = Button(text=self.tr("C&lose"), press=self.reject)
        whole = (growing(self._pages), row(STRETCH, close))
        self.setLayout(column(*whole, spacing=Space.MEDIUM, margin=Space.WIDE))
        resize_to_text(self, _CHARACTERS, _LINES)

    def _connect(self) -> None:
        self.calendar.chosen.connect(self._show_day)
        self.page.place_wanted.connect(self._go)
        self.page.ticked.connect(self._tick)
        self.page.edited.connect(
            lambda day, text: self._change(lambda services: services.diary.edit(day, text))
        )
        self.page.write_wanted.connect(self._write)
        close = QShortcut(QKeySequence(QKeySequence.StandardKey.Close), self)
        close.activated.connect(self.reject)

    def _show(self, entries: Sequence[DiaryEntry]) -> None:
        is_first, self.is_loaded = not self.is_loaded, True
        left, self._left = self._left or self._focused(), None
        self._entries = {one.day: one for one in entries}
        self._pages.setCurrentIndex(0 if entries else 1)
        is_on = self._worker.services.settings().diary is not DiaryMode.OFF
        self._first.setVisible(is_on)
        self._nothing.setText(self._nothing_text(is_on=is_on))
        thoughts = sum(one.done_at is None for entry in entries for one in entry.thoughts)
        counted = self.tr("%Ln entry(ies)", "", len(entries))
        still_open = self.tr("%Ln open item(s)", "", thoughts)
        self._count.setText(f"{counted} · {still_open}")
        if self._is_model_writing:
            self._tell_of_writing()
        self.calendar.mark(self._entries.keys())
        wanted, self._wanted = self._wanted, None
        if wanted is None and is_first and entries and self.calendar.day not in self._entries:
            wanted = entries[0].day
        if wanted is not None:
            self.calendar.choose(wanted)
        self._show_thoughts()
        if not self.page.is_writing:
            self._show_day(self.calendar.day)
        self._focus(left)

    def _focused(self) -> tuple[QWidget, str] | None:
        """Return the part with the keyboard's focus, and the name of the box that has it."""
        focused = self.focusWidget()
        parts = (self.calendar, self.page, self._list)
        found = [one for one in parts if one.isAncestorOf(focused)]
        return (found[0], focused.objectName()) if found else None

    def _focus(self, left: tuple[QWidget, str] | None) -> None:
        part, thought = left or (None, "")
        boxes = self._list.findChildren(WrappingCheckBox)
        if part is self.page and not self.page.is_writing:
            self.page.focus_at(thought)
        elif part is self._list and boxes:
            named = (one for one in boxes if one.objectName() == thought)
            next(named, boxes[0]).setFocus(Qt.FocusReason.OtherFocusReason)
        elif part is self._list or (part is self.calendar and self.focusWidget() is None):
            self.calendar.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_day(self, day: date) -> None:
        self.page.leave()
        is_on = self._worker.services.settings().diary is not DiaryMode.OFF
        today = self._worker.services.diary.today()
        entry = self._entries.get(day)
        is_own = entry is not None and entry.author is DiaryAuthor.USER
        self.page.show_day(day, entry, can_write=is_on and day <= today and not is_own)

    def _show_thoughts(self) -> None:
        parts = column(SectionLabel(self.tr("Open items")), margin=(0, 0, Space.SMALL, 0))
        shown = [
            (entry.day, one)
            for entry in self._entries.values()
            for one in entry.thoughts
            if one.done_at is None
        ]
        if not shown:
            parts.addWidget(HintLabel(self.tr("There are no open questions or next steps.")))
        for day, item in shown[:_MOST_LISTED]:
            parts.addLayout(self.page.line(item, full_day(day)))
        parts.addStretch()
        self._list.setWidget(widget_with(parts))

    def _write(self, day: date) -> None:
        self._ask_model(lambda services: services.diary.write(day))

    def _write_all(self) -> None:
        """Write the first entries: of the days that are over, and of today."""

        def write(services: WindowServices) -> None:
            services.diary.write_due(self._worker.bridge.closing.is_set)
            services.diary.write(services.diary.today())

        self._has_tried = True
        self._ask_model(write)

    def _ask_model(self, work: Callable[[WindowServices], object]) -> None:
        """Let the model write; other changes do not wait for it, it may take a minute."""
        if self._is_model_writing:
            return

        def settle() -> None:
            self._is_model_writing = False
            self._first.setEnabled(True)
            self.load()

        self._is_model_writing = True
        self._first.setEnabled(False)
        self._tell_of_writing()
        self._worker.do(work, settled=settle)

    def _tell_of_writing(self) -> None:
        for label in (self._count, self._nothing):
            label.setText(self.tr("Writing…"))

    def _tick(self, item: DiaryItem, is_done: bool) -> None:  # noqa: FBT001 (from a signal)
        self._change(lambda services: services.diary.tick(item.id, is_done=is_done), waits=False)

    def _go(self, place: object) -> None:
        self.page.leave()
        self.hide()
        self.place_wanted.emit(place)

    def _nothing_text(self, *, is_on: bool) -> str:
        if not is_on:
            return self.tr("The diary is turned off. To turn it on, open Settings > Sessions.")
        if self._has_tried:
            return self.tr("There is no session to write about yet.")
        return self.tr(
            "For each day with a session, Bellek writes down what you asked, found and decided, "
            "and what is still open. The entry is written when the day is over. Every line links "
            "to its message."
        )

    def _change(self, work: Callable[[WindowServices], object], *, waits: bool = True) -> None:
        """Do it on a worker, and show the entries as they are then."""
        if waits:
            self._left = self._focused()
            self._pages.setEnabled(False)

        def settle() -> None:
            self._pages.setEnabled(True)
            self.load()

        self._worker.do_in_turn(work, settled=settle)
