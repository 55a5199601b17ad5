"""The page of scholarly literature: a search in the services that are on, and what it found."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QPoint, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QKeySequence
from PySide6.QtWidgets import QLayout, QMenu, QStackedWidget, QWidget

from desktop.domain.errors import AppError
from desktop.domain.literature import AddedWork, FoundWork, LiteratureQuery, LiteratureResults
from desktop.domain.references import Reference
from desktop.language.links import is_web_address
from desktop.research.literature.result_merging import count_matching
from desktop.ui.dialogs.form import RebuiltView
from desktop.ui.i18n import core_texts
from desktop.ui.library.literature_actions import LiteratureAccess, LiteratureActions
from desktop.ui.library.literature_form import LiteratureForm
from desktop.ui.library.literature_rows import LiteratureDelegate, LiteratureModel, address_of
from desktop.ui.library.table import WorkAct
from desktop.ui.settings_controller import SettingsController
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button, PopupMenu, clear_menu
from desktop.ui.widgets.fields import PageTabs, TextArea
from desktop.ui.widgets.layouts import (
    STRETCH,
    Columns,
    at_left,
    column,
    flowing,
    growing,
    row,
    scrolling,
    widget_with,
)
from desktop.ui.widgets.plain_text import BodyLabel, HintLabel, ProblemLabel, TitleLabel
from desktop.ui.widgets.row_list import RowList

_OFF, _ON = 1, 2  # Pages of the stack; the first is empty
_SIDE_BY_SIDE = 110  # Letters
_SHOWN = 3  # Acts that have a button of their own


class LiteraturePage(RebuiltView):
    act = "literature"
    library_wanted = Signal()
    ask_wanted = Signal(object, str)  # SourceId and title of what a question is about

    def __init__(
        self,
        actions: LiteratureActions,
        theme: ThemeController,
        changes: SettingsController,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._actions, self._theme, self._changes = actions, theme, changes
        self._access: LiteratureAccess | None = None
        self._query = LiteratureQuery("")
        self._results: LiteratureResults | None = None
        self._searched: LiteratureResults | None = None  # Those that "cited by" has replaced
        self._subject = ""  # The title of the work that the shown ones cite, or are cited by
        self._is_citing, self._related_to = False, FoundWork(Reference(), {})
        self._wanted: tuple[FoundWork, bool] | None = None
        """What is looked for once literature is on, as `_find_related` takes it."""
        self.model = LiteratureModel(self)
        self._make()
        actions.setParent(self)
        actions.arrived.connect(self._show_results)
        actions.ended.connect(self._show_state)
        actions.failed.connect(self._show_error)
        changes.in_force.connect(lambda _: self.look_again())
        self.add_key(QKeySequence.StandardKey.Find, self._go_to_search)
        self.add_key(QKeySequence.StandardKey.Copy, self._copy_by_key)

    def open_at(self) -> None:
        self.come()
        self._actions.load(self._show_access)
        self._go_to_search()

    def look_again(self) -> None:
        if self.isVisible():
            self._actions.load(self._show_access)

    def rebuild(self) -> None:
        """Build the page in the language of the window; what is typed and found stays."""
        self._query, chosen = self.form.query, self.chosen
        self._make()
        self.list.setCurrentIndex(self.model.index_like(chosen))

    def _make(self) -> None:
        super().rebuild()
        self.model.retranslate_rows()
        self._show_access(self._access)
        self._show_state()

    def step_back(self) -> None:
        """Stop the search, or leave the works of "cited by", or else the page."""
        if self._actions.is_searching:
            self._actions.stop()
        elif self._subject:
            self._show_searched()
        else:
            super().step_back()

    def _build(self) -> QLayout:
        self.setWindowTitle(self.tr("Literature"))
        names = (self.tr("My library"), self.tr("Literature"))
        self._tabs = tabs = PageTabs(self.tr("Library and literature"), names, 1)
        tabs.wanted.connect(lambda _: self.library_wanted.emit())
        self._count = HintLabel()
        self._stack = QStackedWidget()
        for page in (QWidget(), self._off_page(), widget_with(self._on_page())):
            self._stack.addWidget(page)
        head = row(tabs, growing(self._count), spacing=Space.LARGE)
        return column(head, growing(self._stack), spacing=Space.MEDIUM, margin=Space.WIDE)

    def _off_page(self) -> QWidget:
        self._off_title, self._off_text = TitleLabel(), BodyLabel(role="muted")
        self._turn_on = Button(
            "primary", text=self.tr("&Turn on literature search"), press=self._turn_literature_on
        )
        parts = (self._off_title, self._off_text, at_left(self._turn_on), STRETCH)
        return scrolling(column(*parts, spacing=Space.LARGE, margin=Space.WIDE))

    def _on_page(self) -> QLayout:
        self.form = LiteratureForm(self._theme, self._query)
        self.search = self.form.search
        self._back = Button(text=self.tr("‹ &Back to the search"), press=self._show_searched)
        self._subject_label = BodyLabel()
        self._trouble, self._nothing = ProblemLabel(), BodyLabel(role="muted")
        self._failures = HintLabel()
        self._more_results = Button(text=self.tr("&More results"), press=self._search_more)
        self.list = RowList(self.model, LiteratureDelegate(self._theme))
        self.list.setAccessibleName(self.tr("Works found"))
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._details = TextArea(lines=4, is_read_only=True)
        self._details.setAccessibleName(self.tr("Details and abstract"))
        self._buttons = [Button(press=partial(self._press, place)) for place in range(_SHOWN)]
        self._buttons[0].setProperty("kind", "primary")
        self._more = Button(text="⋯", name=self.tr("More"))
        menu = PopupMenu(self._more)
        menu.aboutToShow.connect(lambda: self._fill_menu(menu, self.acts()[_SHOWN:]))
        self._more.setMenu(menu)
        self._connect()
        results = Columns(growing(self.list, 3), growing(self._details, 2), letters=_SIDE_BY_SIDE)
        page = column(
            self.form,
            row(self._back, growing(self._subject_label)),
            self._trouble,
            self._nothing,
            growing(results),
            self._failures,
        )
        buttons = flowing(*self._buttons, self._more, self._more_results)
        # Scrolls as a whole where the list and the details would be squeezed.
        return column(growing(scrolling(page)), buttons)

    def _connect(self) -> None:
        self.form.begun.connect(self.begin)
        self.form.stopped.connect(self._actions.stop)
        self.search.left.connect(self.step_back)
        self.search.left_downwards.connect(self.list.enter)
        self._trouble.follow(self.search)
        self.list.left_upwards.connect(self._go_to_search)
        self.list.activated.connect(lambda _: self._details.setFocus())
        self.list.customContextMenuRequested.connect(self._show_menu)
        self.list.selectionModel().currentChanged.connect(lambda *_: self._show_chosen())

    def begin(self) -> None:
        """Search for what is typed, instead of what is being searched for."""
        self._query = self.form.query
        self._searched, self._subject = None, ""
        self._clear()
        self._actions.search(self._query)
        self._show_state()

    def _search_more(self) -> None:
        if (results := self._results) is None:
            return
        self._trouble.dismiss()
        if self._subject:
            self._actions.find_related(self._related_to, results, is_citing=self._is_citing)
        else:
            self._actions.search(results.query, results)
        self._show_state()

    def _clear(self) -> None:
        """Show nothing of what was searched for before, nor why it failed."""
        self._results = None
        self._trouble.dismiss()
        self.model.show(())

    def show_related(self, work: FoundWork, *, is_citing: bool) -> None:
        """Show the works that cite a work, or those that it cites, once literature is on."""
        self._wanted = work, is_citing
        if self._access is not None and self._access.is_on:
            self._show_wanted()

    def _show_wanted(self) -> None:
        wanted, self._wanted = self._wanted, None
        if wanted is not None:
            self._find_related(wanted[0], is_citing=wanted[1])

    def _find_related(self, work: FoundWork, *, is_citing: bool) -> None:
        self._searched = self._searched or self._results
        self._subject, self._is_citing = work.reference.title, is_citing
        self._related_to = work
        self._clear()
        self._actions.find_related(work, is_citing=is_citing)
        self._show_state()

    def _show_searched(self) -> None:
        """Show the results of the search again."""
        self._actions.stop()
        results, self._searched, self._subject = self._searched, None, ""
        self._clear()
        if results is not None:
            self._show_results(results)
        self._show_state()
        self._go_to_search()

    def _turn_literature_on(self) -> None:
        self._turn_on.setEnabled(False)
        self._changes.apply(replace(self._changes.settings, uses_literature=True))

    def _show_access(self, access: LiteratureAccess | None) -> None:
        self._access = access
        if access is None:
            return
        words = self._changes.words()
        self.model.words.titles = {state.name: state.title for state in access.services}
        self.model.show_known(access.known)
        self._turn_on.setVisible(not access.is_local_only)
        self._turn_on.setEnabled(not access.is_on)
        self._off_title.setText(self.tr("Literature search is off"))
        sent = [
            f"{state.title}: {words.say(f'uses_{state.name}.hint')}"
            for state in access.services
            if state.searches
        ]
        about = self.tr(
            "Bellek can search the services of scholarly literature below, and merges what they "
            "find. Nothing is sent until you turn this on. Then these get the words that you "
            "search for, never your questions or documents:"
        )
        self._off_text.setText("\n\n".join([about, *sent]))
        if access.is_local_only:
            self._off_title.setText(self.tr("On this computer only"))
            self._off_text.setText(
                self.tr(
                    "This project, or all of Bellek, stays on this computer. So no service of "
                    "literature is contacted here, whatever is switched on in the settings."
                )
            )
        if not access.is_on:
            self._actions.stop()
        if self._stack.currentIndex() != (page := _ON if access.is_on else _OFF):
            self._stack.setCurrentIndex(page)
            off = self._tabs if access.is_local_only else self._turn_on
            first = self.search if access.is_on else off
            first.setFocus(Qt.FocusReason.OtherFocusReason)
        if access.is_on:
            self._show_wanted()
        self._show_state()

    def _show_results(self, results: LiteratureResults) -> None:
        chosen = self.model.row(self.list.currentIndex())
        at = self.list.verticalScrollBar().value()
        self._results = results
        self.model.show(results.works)
        self.list.setCurrentIndex(self.model.index_like(chosen))
        self.list.verticalScrollBar().setValue(at)
        self._show_state()

    def _show_error(self, error: AppError) -> None:
        self._trouble.set_text(core_texts().error(error))

    def _show_state(self) -> None:
        is_searching, results = self._actions.is_searching, self._results
        self.form.show_searching(is_searching=is_searching)
        self._back.setVisible(bool(self._subject))
        self._subject_label.setVisible(bool(self._subject))
        citing = self.tr("Works that cite “{title}”")
        cited = self.tr("Works cited by “{title}”")
        form = citing if self._is_citing else cited
        self._subject_label.setText(form.format(title=self._subject))
        self._count.setText(self._counts(results))
        self._failures.setText(self._failed(results))
        self._failures.setVisible(bool(self._failures.text()))
        self._more_results.setVisible(bool(results and results.has_more) and not is_searching)
        self._nothing.setText(self._nothing_text(results))
        self._nothing.setVisible(bool(self._nothing.text()))
        self._show_chosen()

    def _counts(self, results: LiteratureResults | None) -> str:
        """Return how many works each service has, and which have not answered yet."""
        texts, titles = core_texts(), self.model.words.titles
        parts: list[str] = []
        pages = results.pages if results else {}
        shown = {
            name: count_matching(page, results.query) if results else 0
            for name, page in pages.items()
        }
        empty = [titles.get(name, name) for name in pages if not shown[name]]
        for name, page in pages.items():
            if not shown[name]:
                continue
            values = {"service": titles.get(name, name), "shown": texts.number(shown[name])}
            if page.total is None:
                parts.append(texts.say("literature.shown", **values))
            else:
                total = texts.number(page.total)
                parts.append(texts.say("literature.shown_of", total=total, **values))
        if empty:
            parts.append(self.tr("nothing in {services}").format(services=", ".join(empty)))
        if self._actions.is_searching:
            pending = (
                [titles.get(name, name) for name in sorted(results.pending)] if results else []
            )
            waiting = self.tr("Waiting for {services}…").format(services=", ".join(pending))
            parts.append(waiting if pending else self.tr("Searching…"))
        return " · ".join(parts)

    def _failed(self, results: LiteratureResults | None) -> str:
        texts, titles = core_texts(), self.model.words.titles
        return "\n".join(
            texts.say(
                "literature.failed",
                service=titles.get(failure.service, failure.service),
                why=texts.error(failure.error),
            )
            for failure in (results.failures if results else ())
        )

    def _nothing_text(self, results: LiteratureResults | None) -> str:
        if self._actions.is_searching or self.model.rowCount() or self._trouble.text():
            return ""
        if results is None and not self._subject:
            titles = ", ".join(
                state.title
                for state in (self._access.services if self._access else ())
                if state.is_on and state.searches
            )
            return self.tr(
                "Searches {services}. Only what you type here is sent, never your questions or "
                "documents."
            ).format(services=titles)
        if results is None or not results.pages:
            return self.tr("No service answered.")
        return self.tr("No service that is on knows such a work.")

    @property
    def chosen(self) -> FoundWork | None:
        return self.model.row(self.list.currentIndex())

    def _show_chosen(self) -> None:
        work, words = self.chosen, self.model.words
        details = words.details(work, is_known=self.model.is_known(work)) if work else ""
        if self._details.text() != details:
            self._details.setText(details)
        self._details.setVisible(work is not None)
        self.list.setVisible(bool(self.model.rowCount()))
        acts = self.acts()
        for button, act in zip(self._buttons, acts, strict=False):
            button.setText(act.words)
            button.setEnabled(act.is_possible)
        self._more.setEnabled(work is not None)

    def acts(self) -> Sequence[WorkAct]:
        """Return what can be done with the chosen work, the most used first."""
        work = self.chosen
        is_there = work is not None

        def on_work(act: Callable[[FoundWork], object]) -> Callable[[], object]:
            return lambda: act(work) if work is not None else None

        has_address = work is not None and is_web_address(address_of(work))
        return (
            WorkAct(self.tr("&Add to the library"), on_work(self._actions.add), is_there),
            WorkAct(self.tr("A&sk about this"), on_work(self._ask), is_there),
            WorkAct(self.tr("&Open in browser"), on_work(_open_address), has_address),
            WorkAct(self.tr("&Copy reference"), on_work(self._actions.copy), is_there),
            WorkAct(
                self.tr("Copy as &BibTeX"),
                on_work(partial(self._actions.copy, as_bibtex=True)),
                is_there,
            ),
            WorkAct(
                self.tr("Works that c&ite it"),
                on_work(partial(self._find_related, is_citing=True)),
                is_there,
                begins_group=True,
            ),
            WorkAct(
                self.tr("Works that it ci&tes"),
                on_work(partial(self._find_related, is_citing=False)),
                is_there,
            ),
        )

    def _press(self, place: int) -> None:
        act = self.acts()[place]
        if act.is_possible:
            act.act()

    def _show_menu(self, at: QPoint) -> None:
        if self.chosen is None:
            return
        menu = PopupMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._fill_menu(menu, self.acts())
        menu.popup(self.list.viewport().mapToGlobal(at))

    def _fill_menu(self, menu: QMenu, acts: Sequence[WorkAct]) -> None:
        clear_menu(menu)
        for act in acts:
            if act.begins_group:
                menu.addSeparator()
            menu.addAction(act.words, act.act).setEnabled(act.is_possible)

    def _ask(self, work: FoundWork) -> None:
        def ask(added: AddedWork) -> None:
            self.left.emit()
            self.ask_wanted.emit(added.work.source.id, added.work.source.title)

        self._actions.add(work, ask)

    def _copy_by_key(self) -> None:
        if self._details.hasFocus() and self._details.textCursor().hasSelection():
            self._details.copy()
        elif (work := self.chosen) is not None:
            self._actions.copy(work)

    def _go_to_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.OtherFocusReason)
        self.search.selectAll()


def _open_address(work: FoundWork) -> None:
    # A service can return any address.
    if is_web_address(address_of(work)):
        QDesktopServices.openUrl(QUrl(address_of(work)))
