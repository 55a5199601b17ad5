"""The memory window: all facts, their sources, and the facts that a question would send."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QStackedWidget, QWidget

from desktop.domain.changes import Change
from desktop.domain.facts import Fact
from desktop.domain.ids import FactId, PreferenceId
from desktop.ui.dialogs.form import open_dialog, open_folder
from desktop.ui.formatting import token_count
from desktop.ui.memory.fact_page import FactForm, FactPage, FormPurpose
from desktop.ui.memory.memory_actions import (
    FactAction,
    FactDetails,
    FactDraft,
    FactLabels,
    FactListModel,
    FactListView,
    KnownFacts,
    MemoryActions,
    MemoryPreview,
)
from desktop.ui.memory.preference_page import PreferencePage
from desktop.ui.searchable_list import SearchableListPage
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button, DangerButton
from desktop.ui.widgets.fields import EnumComboBox, TabBar, TextArea
from desktop.ui.widgets.layouts import (
    STRETCH,
    Columns,
    column,
    growing,
    row,
    set_tab_order,
    widget_with,
)
from desktop.ui.widgets.plain_text import (
    BodyLabel,
    HintLabel,
    MessageBox,
    SectionLabel,
    TitleLabel,
)

if TYPE_CHECKING:
    from desktop.sessions.services import Services


_SENT_LINES = 3


class ActiveMemoryPage(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self._amount = SectionLabel()
        self._text = TextArea(lines=_SENT_LINES, is_read_only=True)
        self._text.setAccessibleName(self.tr("Facts sent with the next question"))
        about = self.tr(
            "This text is added to the end of your next question. It is not saved with the "
            "question and is created again each time."
        )
        self.setLayout(column(self._amount, HintLabel(about), growing(self._text)))

    def show_sent(self, sent: MemoryPreview) -> None:
        self._text.setPlainText(sent.text)
        self._text.setVisible(bool(sent.text))
        if sent.is_temporary:
            self._amount.setText(self.tr("Nothing is sent because the session is temporary."))
        elif not sent.is_on:
            self._amount.setText(
                self.tr("Nothing is sent because memory is turned off in Settings.")
            )
        elif not sent.text:
            self._amount.setText(self.tr("There is nothing to send yet."))
        else:
            facts = self.tr("%n fact(s)", "", sent.facts)
            tokens = self.tr("about {tokens} tokens").format(tokens=token_count(sent.tokens))
            self._amount.setText(f"{facts} · {tokens}")


_LIST_SHARE, _FACT_SHARE = 11, 10
_TWO_COLUMNS = 90  # Letters
_FACTS, _PREFERENCES = 0, 1  # the first tabs
_DELETED, _DELETED_PREFERENCE = "deleted", "deleted_preference"


class FactsPage(SearchableListPage):
    act = "memory"
    model: FactListModel
    list: FactListView

    place_wanted = Signal(object)  # Place of the message that a fact comes from
    proposals_wanted = Signal()  # What another assistant remembers is to be shown

    def __init__(
        self,
        actions: MemoryActions,
        theme: ThemeController,
        draft: Callable[[], str] = str,
        parent: QWidget | None = None,
    ) -> None:
        """`draft` returns the unsent question, for which the sent facts are chosen."""
        model = FactListModel()
        super().__init__(model, FactListView(model, theme), theme, parent)
        self.order = EnumComboBox(tuple(type(model.order)), self)
        self.order.chosen.connect(
            lambda order: self._keep_chosen(lambda: self.model.order_by(order))
        )
        self._actions = actions
        self._draft = draft
        self._words = FactLabels(self)
        self._facts = KnownFacts()
        self._page = FactPage(theme)
        self._choose = BodyLabel(self.tr("Select a fact to see its source."), role="muted")
        self._sent, self._refused = ActiveMemoryPage(), HintLabel()
        self._preferences = PreferencePage(actions, theme)
        self._add_first = Button(
            "primary", text=self.tr("&Write the first fact…"), press=self._add_fact
        )
        self._waiting = [Button("chip", press=self.proposals_wanted.emit) for _ in range(2)]
        self._delete_all = DangerButton(
            text=self.tr("&Delete all facts…"), press=self._ask_to_delete_all
        )
        self._tabs, self._body, self._fact = TabBar(), QStackedWidget(), QStackedWidget()
        self._build()
        self._connect()
        self._show_state()

    def open_at(self, fact_id: FactId | None = None) -> None:
        if fact_id is not None:
            self.search.clear()
        self._tabs.setCurrentIndex(_FACTS)
        self.show_at(fact_id)

    def open_preferences(self) -> None:
        self.open_at()
        self._tabs.setCurrentIndex(_PREFERENCES)

    @property
    def tab(self) -> int:
        return self._tabs.currentIndex()

    def show_tab(self, tab: int) -> None:
        self._tabs.setCurrentIndex(tab)

    def edit_at(self, fact_id: FactId) -> None:
        self.open_at(fact_id)
        self._actions.worker.do(
            lambda services: services.archive.some_facts([fact_id]), self._edit_first
        )

    def load(self) -> None:
        self._actions.load(self._show_known)
        self._preferences.load()
        self._actions.count_proposals(self._show_waiting)
        self._actions.show_sent(self._draft(), self._sent.show_sent)

    def _build(self) -> None:
        self.setWindowTitle(self.tr("Memory"))
        self.list.setAccessibleName(self.tr("Facts"))
        self._tabs.setAccessibleName(self.tr("Memory views"))
        self._tabs.setDrawBase(False)
        self._tabs.setExpanding(False)
        self._tabs.addTab(self.tr("Facts"))
        self._tabs.addTab(self.tr("Preferences"))
        self._tabs.addTab(self.tr("Sent with the next question"))
        self._choose.setContentsMargins(Space.WIDE, Space.SMALL, 0, 0)
        self._choose.setAlignment(Qt.AlignmentFlag.AlignTop)
        for part in (self._page, self._choose):  # The first while its fact is looked up
            self._fact.addWidget(part)
        self.search.set_name(self.tr("Search facts"))
        self.order.set_texts(
            self.tr("By topic"),
            self.tr("Short or long term"),
            self.tr("By importance"),
            self.tr("By age"),
        )
        self.order.setAccessibleName(self.tr("Sort the facts"))
        search = row(growing(self.search), self.order)
        left = widget_with(column(search, self._nothing, growing(self.list)))
        shares = (growing(left, _LIST_SHARE), growing(self._fact, _FACT_SHARE))
        self._body.addWidget(Columns(*shares, letters=_TWO_COLUMNS))
        self._body.addWidget(self._preferences)
        self._body.addWidget(self._sent)
        add = Button(text=self.tr("&Add a fact…"), press=self._add_fact)
        head = self._head(self.tr("Remembered facts"), add)
        over, alone = self._waiting
        full = column(head, over, self._tabs, growing(self._body), spacing=Space.MEDIUM)
        nothing = self.tr(
            "When a session ends, Bellek saves facts that may be useful later, such as your "
            "profession, your projects and how you like your answers. Facts come only from your "
            "own messages. Each fact appears here with its source sentence, and you can edit, pin "
            "or delete it.\n\nYou can also write “remember this” in a message or click “Remember” "
            "below a message."
        )
        empty = (
            TitleLabel(self.tr("No facts yet")),
            BodyLabel(nothing, role="muted"),
            row(self._add_first, alone, STRETCH),
        )
        self._show_waiting(0)
        self._lay_out(full, empty, row(growing(self._refused), self._delete_all))
        set_tab_order(self.search, self.order, self.list)

    def _connect(self) -> None:
        self._actions.changed.connect(self._look_again)
        self._actions.forgotten.connect(self._show_deleted)
        self.list.chosen.connect(self._show_chosen)
        self.list.action_chosen.connect(self._act)
        self._page.action_chosen.connect(self._act)
        self._page.place_wanted.connect(self._go)
        self._preferences.place_wanted.connect(self._go)
        self._preferences.deleted.connect(self._show_deleted_preference)
        self._preferences.filled.connect(self._show_state)
        self._tabs.currentChanged.connect(self._body.setCurrentIndex)
        self._tabs.currentChanged.connect(self._show_state)
        self.add_key(QKeySequence.StandardKey.New, self._add_fact)

    def _go_to_search(self) -> None:
        self._tabs.setCurrentIndex(_FACTS)
        super()._go_to_search()

    def _show_waiting(self, count: int) -> None:
        """Show how many sentences of another assistant wait for the user."""
        for button in self._waiting:
            button.setText(self.tr("%n sentence(s) of another assistant wait…", "", count))
            button.setHidden(not count)

    def _show_known(self, facts: KnownFacts) -> None:
        self._facts = facts
        self._refill(lambda: self.model.show_items(facts.items))
        self._show_chosen()

    def _find(self, query: str) -> None:
        super()._find(query)
        self._show_chosen()

    def _show_chosen(self) -> None:
        fact = self.list.current
        if fact is None:
            self._fact.setCurrentWidget(self._choose)
        else:
            self._actions.look_up(fact, self._show_fact)

    def _show_fact(self, details: FactDetails) -> None:
        current = self.list.current
        if current is None or current.id != details.fact.id:
            return  # another was chosen meanwhile
        self._page.show_fact(details)
        self._fact.setCurrentWidget(self._page)

    @property
    def holds_work(self) -> bool:
        return bool(self.findChildren(QDialog))

    def _is_empty(self) -> bool:
        return super()._is_empty() and self._preferences.is_empty

    def _edit_first(self, facts: Sequence[Fact]) -> None:
        for fact in facts[:1]:
            self._begin(FormPurpose.EDIT, fact)

    def _add_fact(self) -> None:
        self._begin(FormPurpose.ADD, None)

    def _act(self, action: FactAction, fact: Fact) -> None:
        current = self.list.current
        change, is_pinned = self._actions.change, not fact.is_pinned
        match action:
            case FactAction.EDIT:
                self._begin(FormPurpose.EDIT, fact)
            case FactAction.REPLACE:
                self._begin(FormPurpose.REPLACE, fact)
            case FactAction.PIN:
                change(lambda services: services.facts.pin(fact.id, is_pinned=is_pinned))
            case FactAction.SHARE:
                change(lambda services: services.facts.share(fact.id))
            case FactAction.DELETE:
                self._actions.forget([fact.id])
            case FactAction.KEEP_BOTH if current is not None:
                change(lambda services: services.memory.keep_both(current.id, fact.id))
            case FactAction.KEEP_NEWER if current is not None:
                change(
                    lambda services: services.memory.keep_newer(current.id, fact.id), self._want
                )

    def _begin(self, purpose: FormPurpose, fact: Fact | None) -> None:
        topics = sorted({entry.item.topic for entry in self._facts.items})
        form = FactForm(purpose, fact, topics, self)
        form.written.connect(lambda draft: self._save_draft(purpose, fact, draft))
        open_dialog(form)

    def _save_draft(self, purpose: FormPurpose, fact: Fact | None, draft: FactDraft) -> None:
        """Save it, or offer it as a new one if that failed: the fact may be gone meanwhile."""

        def work(services: "Services") -> Fact:
            if fact is None or purpose is FormPurpose.ADD:
                learned = services.memory.remember(**draft)
                return next(iter((*learned.new, *learned.strengthened)))
            if purpose is FormPurpose.REPLACE:
                return services.memory.supersede(fact.id, **draft)
            return services.memory.edit(fact.id, **draft)

        def offer() -> None:
            if fact is not None:
                self._begin(FormPurpose.ADD, replace(fact, **draft))

        self._actions.change(work, self._want, offer)

    def _want(self, fact: Fact) -> None:
        self._pending_key = fact.id

    def _go(self, place: object) -> None:
        self.left.emit()
        self.place_wanted.emit(place)

    def _ask_to_delete_all(self) -> None:
        box = MessageBox(
            MessageBox.Icon.Warning,
            self.tr("Delete all facts?"),
            self.tr(
                "All %n fact(s) and their history will be deleted. Preferences, suggested "
                "questions and your sessions will not change, and Bellek will not learn facts "
                "from the same words again.",
                "",
                self.model.count,
            ),
            self,
        )

        def delete() -> None:
            self._actions.forget([entry.item.id for entry in self._facts.items])

        box.offer((self.tr("Delete all"), delete), stay=self.tr("Cancel"))

    def _show_deleted(self, change: Change[Sequence[Fact]]) -> None:
        def undo() -> None:
            self._pending_key = next((fact.id for fact in change.value), None)
            self._actions.undoes(change)()

        message = self.tr(
            "The facts were deleted. The deletion is permanent once Bellek restarts."
        )
        show = (self.tr("Show backups"), lambda: open_folder(change.backups[0].parent))
        if count := len(change.backups):
            message += " " + self.tr(
                "%n earlier backup(s) may still contain these facts.", "", count
            )
        self.strip.show_message(_DELETED, message, *([show] if count else []), undo=undo)

    def _show_deleted_preference(self, change: Change[PreferenceId]) -> None:
        message = self.tr(
            "The preference was deleted. This becomes permanent when Bellek restarts."
        )
        self.strip.show_message(_DELETED_PREFERENCE, message, undo=self._actions.undoes(change))

    def _count_text(self, count: int) -> str:
        return self.tr("%n fact(s)", "", count)

    def _not_found_text(self, query: str) -> str:
        return self.tr("No fact contains “{query}”.").format(query=query)

    def _show_state(self) -> None:
        super()._show_state()
        is_of_facts = self.tab == _FACTS
        self._delete_all.setVisible(is_of_facts and self.model.count > 0)
        if not is_of_facts:
            self._count.setText("")
        self._refused.setText(self._words.refused(self._facts.refused))
