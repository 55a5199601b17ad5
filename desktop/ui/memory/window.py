"""The memory window: everything that is remembered, where it comes from, and what is sent of it.

It stays beside the main window; nothing in it waits for the disk.
"""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QEvent, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QMessageBox,
    QStackedWidget,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from desktop.domain.facts import Fact
from desktop.domain.ids import FactId
from desktop.ui.dialogs.choices import DropDown
from desktop.ui.dialogs.form import Button, Hint, Title, Words, fit, width_of
from desktop.ui.memory.desk import Forgotten, MemoryDesk, Sent, Shelf, Told, Writing
from desktop.ui.memory.fact_form import FactForm, Purpose
from desktop.ui.memory.fact_page import FactPage
from desktop.ui.memory.known import Grouping
from desktop.ui.memory.model import FactListModel
from desktop.ui.memory.sent_page import SentPage
from desktop.ui.memory.telling import FactWords
from desktop.ui.memory.view import FactListView
from desktop.ui.notice_strip import Choice, Notice, NoticeStrip
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.search_field import SearchField

_CHARACTERS, _LINES = 144, 44
_LIST_SHARE, _FACT_SHARE = 11, 10
_FACTS, _SENT = 0, 1
_DELETED = "deleted"


class MemoryWindow(QDialog):
    place_wanted = Signal(object)
    """Place where a fact was said"""

    def __init__(
        self,
        desk: MemoryDesk,
        theme: ThemeController,
        draft: Callable[[], str] = str,
        parent: QWidget | None = None,
    ) -> None:
        """`draft`: what is being written; what would be sent goes with it."""
        super().__init__(parent)
        self._desk = desk
        self._draft = draft
        self._words = FactWords(self)
        self._shelf = Shelf()
        self._wanted: FactId | None = None
        self._is_loaded = False
        self.model = FactListModel(parent=self)
        self.search = SearchField(theme, self)
        self._grouping = DropDown(tuple(Grouping), self)
        self.list = FactListView(self.model, theme, self)
        self._page = FactPage(theme, self)
        self._form = FactForm(self)
        self._choose = Words(self)
        self._sent = SentPage(self)
        self._tabs = QTabBar(self)
        self._title, self._count = Title(self), Hint(self)
        self._nothing, self._refused = Words(self), Hint(self)
        self._empty_title, self._empty = Title(self), Words(self)
        self._add, self._add_first = Button(), Button("primary")
        self._delete_all, self._close = Button("danger"), Button()
        self.strip = NoticeStrip(theme, self)
        self._pages = QStackedWidget(self)
        self._fact = QStackedWidget(self)
        self._build(theme)
        self._connect()
        self.retranslate()

    def open_at(self, fact_id: FactId | None = None) -> None:
        """Show it, at a fact where one is meant."""
        self._wanted = fact_id
        if fact_id is not None:
            self.search.clear()
        self._tabs.setCurrentIndex(_FACTS)
        self.show()
        self.raise_()
        self.activateWindow()
        self.load()
        if self._fact.currentWidget() is not self._form:
            self.search.setFocus(Qt.FocusReason.OtherFocusReason)

    def edit_at(self, fact_id: FactId) -> None:
        """Show it with a fact that is to be changed."""
        self.open_at(fact_id)
        self._desk.some([fact_id], self._edit_first)

    def load(self) -> None:
        self._desk.load(self._show_shelf)
        self._desk.show_sent(self._draft(), self._show_sent)

    def retranslate(self) -> None:
        self.setWindowTitle(self.tr("Memory"))
        self._title.setText(self.tr("What is remembered"))
        self.search.retranslate()
        self.search.setPlaceholderText(self.tr("Search what is remembered"))
        self.search.setAccessibleName(self.tr("Search what is remembered"))
        self._grouping.say(
            self.tr("By topic"), self.tr("By term"), self.tr("By importance"), self.tr("By age")
        )
        self._grouping.setAccessibleName(self.tr("Group the facts"))
        self.list.setAccessibleName(self.tr("Facts"))
        self._tabs.setTabText(_FACTS, self.tr("Facts"))
        self._tabs.setTabText(_SENT, self.tr("What would be sent now"))
        self._tabs.setAccessibleName(self.tr("Parts of the memory"))
        self._add.setText(self.tr("&Add a fact…"))
        self._add_first.setText(self.tr("&Write a first fact…"))
        self._delete_all.setText(self.tr("&Delete everything…"))
        self._close.setText(self.tr("C&lose"))
        self._choose.setText(self.tr("Choose a fact to see where it comes from."))
        self._empty_title.setText(self.tr("Nothing is remembered yet"))
        self._empty.setText(
            self.tr(
                "When a session ends, what will matter later is picked out of it: who you are, "
                "what you work on, how you like to be answered. Only what you said yourself is "
                "kept, and it stands here with the sentence it comes from, for you to correct, "
                "pin or delete.\n\n"
                "You can also write “remember this” in a message, or press “Remember” below it."
            )
        )
        self.model.say_again()
        self._say()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
            self.strip.retranslate()
        super().changeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # The list goes back to the search before the window closes.
        if event.key() == Qt.Key.Key_Escape and self.list.hasFocus():
            self.search.setFocus(Qt.FocusReason.OtherFocusReason)
            event.accept()
        else:
            super().keyPressEvent(event)

    def _build(self, theme: ThemeController) -> None:
        self._title.setWordWrap(False)
        # No key leads here from elsewhere.
        self.search.set_hint(QKeySequence())
        self._tabs.setDrawBase(False)
        self._tabs.setExpanding(False)
        self._tabs.addTab("")
        self._tabs.addTab("")
        for label in (self._nothing, self._choose, self._empty):
            label.setProperty("role", "muted")
        head = QHBoxLayout()
        head.setSpacing(Space.SMALL)
        head.addWidget(self._title)
        head.addWidget(self._count, 1)
        head.addWidget(self._add)
        self._body = QStackedWidget(self)
        self._body.addWidget(self._facts())
        self._body.addWidget(self._sent)
        full = QWidget(self)
        inside = QVBoxLayout(full)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(Space.MEDIUM)
        inside.addLayout(head)
        inside.addWidget(self._tabs)
        inside.addWidget(self._body, 1)
        self._pages.addWidget(full)
        self._pages.addWidget(self._first())
        foot = QHBoxLayout()
        foot.setSpacing(Space.SMALL)
        foot.addWidget(self._refused, 1)
        foot.addWidget(self._delete_all)
        foot.addWidget(self._close)
        column = QVBoxLayout(self)
        column.setContentsMargins(*(Space.WIDE,) * 4)
        column.setSpacing(Space.MEDIUM)
        column.addWidget(self._pages, 1)
        column.addWidget(self.strip)
        column.addLayout(foot)
        theme.theme_changed.connect(self.list.doItemsLayout)
        height = _LINES * self.fontMetrics().lineSpacing()
        fit(self, width_of(self, _CHARACTERS), height)

    def _facts(self) -> QWidget:
        search = QHBoxLayout()
        search.setSpacing(Space.SMALL)
        search.addWidget(self.search, 1)
        search.addWidget(self._grouping)
        left = QVBoxLayout()
        left.setSpacing(Space.SMALL)
        left.addLayout(search)
        left.addWidget(self._nothing)
        left.addWidget(self.list, 1)
        self._choose.setContentsMargins(Space.WIDE, Space.SMALL, 0, 0)
        self._choose.setAlignment(Qt.AlignmentFlag.AlignTop)
        for part in (self._choose, self._page, self._form):
            self._fact.addWidget(part)
        facts = QWidget(self)
        row = QHBoxLayout(facts)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addLayout(left, _LIST_SHARE)
        row.addWidget(self._fact, _FACT_SHARE)
        return facts

    def _first(self) -> QWidget:
        """While there is nothing."""
        page = QWidget(self)
        column = QVBoxLayout(page)
        column.setContentsMargins(*(2 * Space.WIDE,) * 4)
        column.setSpacing(Space.LARGE)
        column.addStretch(1)
        column.addWidget(self._empty_title)
        column.addWidget(self._empty)
        column.addWidget(self._add_first, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(2)
        return page

    def _connect(self) -> None:
        self._desk.changed.connect(self._look_again)
        self._desk.forgotten.connect(self._say_deleted)
        self.search.textChanged.connect(self._find)
        self.search.left_downwards.connect(self.list.enter)
        self.search.left.connect(self.reject)
        self._grouping.chosen.connect(self._group)
        self.list.chosen.connect(self._show_chosen)
        self.list.left_upwards.connect(
            lambda: self.search.setFocus(Qt.FocusReason.OtherFocusReason)
        )
        self.list.edit_wanted.connect(lambda: self._write(Purpose.EDIT))
        self.list.delete_wanted.connect(self._delete)
        self._page.edit_wanted.connect(lambda: self._write(Purpose.EDIT))
        self._page.replace_wanted.connect(lambda: self._write(Purpose.REPLACE))
        self._page.pin_wanted.connect(self._pin)
        self._page.delete_wanted.connect(self._delete)
        self._page.place_wanted.connect(self._go)
        self._form.written.connect(self._take)
        self._form.cancelled.connect(self._stop_writing)
        self._tabs.currentChanged.connect(self._body.setCurrentIndex)
        self._add.clicked.connect(lambda: self._write(Purpose.ADD))
        self._add_first.clicked.connect(lambda: self._write(Purpose.ADD))
        self._delete_all.clicked.connect(self._ask_to_delete_all)
        self._close.clicked.connect(self.reject)
        for keys, act in (
            (QKeySequence.StandardKey.Find, self._go_to_search),
            (QKeySequence.StandardKey.New, partial(self._write, Purpose.ADD)),
            (QKeySequence.StandardKey.Close, self.reject),
        ):
            QShortcut(QKeySequence(keys), self).activated.connect(act)

    def _go_to_search(self) -> None:
        self._tabs.setCurrentIndex(_FACTS)
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def _look_again(self) -> None:
        if self.isVisible():
            self.load()

    def _show_shelf(self, shelf: Shelf) -> None:
        self._shelf, self._is_loaded = shelf, True
        current, place = self.list.current, self.list.currentIndex().row()
        wanted = self._wanted or (current.id if current else None)
        self._wanted = None
        at = self.list.verticalScrollBar().value()
        self.model.show_facts(shelf.known)
        self.list.verticalScrollBar().setValue(at)
        if not self.list.choose(wanted):
            nearest = self.model.nearest(max(place, 0))
            self.list.setCurrentIndex(nearest)
        self._show_chosen()
        self._say()

    def _show_sent(self, sent: Sent) -> None:
        self._sent.show_sent(sent)

    def _find(self, query: str) -> None:
        chosen = self.list.current
        self.model.find(query)
        if not self.list.choose(chosen.id if chosen else None):
            self.list.setCurrentIndex(self.model.nearest(0))
        self._show_chosen()
        self._say()

    def _group(self, grouping: Grouping) -> None:
        chosen = self.list.current
        self.model.group(grouping)
        self.list.choose(chosen.id if chosen else None)

    def _show_chosen(self) -> None:
        if self._fact.currentWidget() is self._form:
            return
        fact = self.list.current
        if fact is None:
            self._fact.setCurrentWidget(self._choose)
        else:
            self._desk.look_up(fact, self._show_fact)

    def _show_fact(self, told: Told) -> None:
        current = self.list.current
        if current is None or current.id != told.fact.id:
            return  # another was chosen meanwhile
        self._page.show_fact(told)
        if self._fact.currentWidget() is not self._form:
            self._fact.setCurrentWidget(self._page)

    def _edit_first(self, facts: Sequence[Fact]) -> None:
        for fact in facts[:1]:
            self._begin(Purpose.EDIT, fact)

    def _write(self, purpose: Purpose) -> None:
        if purpose is Purpose.ADD:
            self._begin(purpose, None)
        elif (fact := self.list.current) is not None:
            self._begin(purpose, fact)

    def _begin(self, purpose: Purpose, fact: Fact | None) -> None:
        self._tabs.setCurrentIndex(_FACTS)
        self._pages.setCurrentIndex(_FACTS)
        self._written = fact.id if fact else None
        topics = sorted({one.fact.topic for one in self._shelf.known})
        self._fact.setCurrentWidget(self._form)
        self._form.begin(purpose, fact, topics)

    def _take(self, writing: Writing) -> None:
        purpose, fact_id = self._form.purpose, self._written
        self._stop_writing()
        if fact_id is None:
            self._desk.add(writing, self._want)
        elif purpose is Purpose.REPLACE:
            self._desk.replace(fact_id, writing, self._want)
        else:
            self._desk.edit(fact_id, writing, self._want)

    def _want(self, fact: Fact) -> None:
        """To be chosen once the list has it."""
        self._wanted = fact.id

    def _stop_writing(self) -> None:
        self._fact.setCurrentWidget(self._page if self.list.current else self._choose)
        self._show_chosen()
        self._say()
        (self.list if self.model.count else self._add_first).setFocus()

    def _pin(self, is_pinned: bool) -> None:  # noqa: FBT001 (a slot)
        if (fact := self.list.current) is not None:
            self._desk.pin(fact.id, is_pinned=is_pinned)

    def _delete(self) -> None:
        if (fact := self.list.current) is not None:
            self._desk.forget([fact.id])

    def _go(self, place: object) -> None:
        self.hide()
        self.place_wanted.emit(place)

    def _ask_to_delete_all(self) -> None:
        box = QMessageBox(self)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setText(self.tr("Delete everything that is remembered?"))
        box.setInformativeText(
            self.tr(
                "All %n fact(s) go, with their history. Your sessions stay as they are, and "
                "nothing is learned again from the same words.",
                "",
                self.model.count,
            )
        )
        go = box.addButton(self.tr("Delete everything"), QMessageBox.ButtonRole.DestructiveRole)
        stay = box.addButton(self.tr("Cancel"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(stay)
        box.setEscapeButton(stay)
        go.clicked.connect(self._desk.forget_all)
        box.open()

    def _say_deleted(self, forgotten: Forgotten) -> None:
        def words() -> str:
            said = self.tr("Deleted. For good once Bellek is started again.")
            if count := len(forgotten.backups):
                said += " " + self.tr("%n backup(s) made before may still hold it.", "", count)
            return said

        def choices() -> Sequence[Choice]:
            undo = Choice(self.tr("Undo"), lambda: self._bring_back(forgotten.facts))
            if not forgotten.backups:
                return (undo,)
            folder = QUrl.fromLocalFile(str(forgotten.backups[0].parent))
            show = Choice(self.tr("Show backups"), lambda: _open(folder))
            return (undo, show)

        self.strip.put(_DELETED, Notice(words, choices))

    def _bring_back(self, facts: Sequence[FactId]) -> None:
        self._wanted = next(iter(facts), None)
        self._desk.unforget(facts)

    def _say(self) -> None:
        count, found = self.model.count, self.model.found
        is_writing = self._fact.currentWidget() is self._form
        is_empty = self._is_loaded and not count and not is_writing
        self._pages.setCurrentIndex(1 if is_empty else 0)
        self._delete_all.setVisible(count > 0)
        self._count.setText(self.tr("%n fact(s)", "", count) if count else "")
        query = " ".join(self.search.text().split())
        self._nothing.setVisible(bool(query) and not found)
        self._nothing.setText(self.tr("Nothing remembered has “{query}”.").format(query=query))
        self._refused.setText(self._words.refused(self._shelf.refused))


def _open(folder: QUrl) -> None:
    QDesktopServices.openUrl(folder)
