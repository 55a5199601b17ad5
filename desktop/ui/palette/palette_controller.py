"""What the palette offers: actions, settings, sessions, documents, prompts with their dialogs."""

import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QLayout, QLineEdit, QWidget

from desktop.domain.changes import Change
from desktop.domain.ids import SessionId, SourceId
from desktop.domain.language import Language
from desktop.domain.projects import COMMON, EVERYTHING, Project, ProjectId, Wall
from desktop.domain.prompts import Prompt, read_prompts, write_prompts
from desktop.domain.search import HitKind, Query, Scope, SearchMode
from desktop.domain.sessions import Session
from desktop.domain.sources import SourceKind
from desktop.settings.messages import SETTING_WORDS, Texts
from desktop.settings.paths import asset
from desktop.settings.settings import SETTINGS
from desktop.ui.actions import QT_TR_NOOP, Action, WindowActions, plain, possible, when_open
from desktop.ui.composer.suggestions_controller import SuggestionsController
from desktop.ui.dialogs.form import CloseButtons, FormGrid, RebuiltDialog, open_dialog
from desktop.ui.dialogs.settings.settings_controller import PageId
from desktop.ui.i18n import LanguageController
from desktop.ui.palette.palette import Palette, PaletteItem
from desktop.ui.reader.reader_content import ReaderPlace
from desktop.ui.search.hits import one_line
from desktop.ui.services import NavigationTarget, Worker
from desktop.ui.session.controller import SessionController
from desktop.ui.theme.theme import ThemeController
from desktop.ui.widgets.bars import MessageBar
from desktop.ui.widgets.fields import TextArea
from desktop.ui.widgets.layouts import growing, text_width
from desktop.ui.widgets.message_editor import MessageField
from desktop.ui.widgets.plain_text import HintLabel, Label
from desktop.ui.window_state import PALETTE_USED, WindowState

if TYPE_CHECKING:
    from desktop.sessions.services import Services

Go = Callable[[NavigationTarget], object]
_SESSIONS = frozenset({HitKind.SESSION})
_MOST_USED = 30
_MOST_FOUND = 20
_MOST_DOCUMENTS = 2_000
_PREPARE_MS = 500  # After the start, and before the jobs that follow it


class PromptsDialog(RebuiltDialog):
    """Edits all prompts in one text; closing it saves them."""

    def __init__(self, prompts: Sequence[Prompt], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = TextArea(write_prompts(prompts), lines=16)
        self.rebuild()
        self.setMinimumWidth(text_width(self, 80))

    def _build(self) -> QLayout:
        self.text = TextArea(self.text.text(), lines=16)
        self.text.setAccessibleName(self.tr("Prompts"))
        hint = self.tr(
            "Each prompt begins with its name on a line of its own, as in “# Explain”. With “@” "
            "and a project after the name, as in “# Explain @ Thesis”, it is offered only in "
            "that project. Bellek asks for the words in braces, as in “Explain [topic]”, when "
            "you use the prompt."
        )
        hint = hint.replace("[", "{").replace("]", "}")
        parts = (HintLabel(hint), growing(self.text), CloseButtons(self.accept))
        return self._titled(self.tr("Prompts"), *parts)


class VariablesDialog(RebuiltDialog):
    def __init__(self, prompt: Prompt, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._prompt = prompt
        self.fields = {name: QLineEdit() for name in prompt.variables}
        self.rebuild()
        self.setMinimumWidth(text_width(self, 80))

    @property
    def filled(self) -> str:
        return self._prompt.filled({name: one.text() for name, one in self.fields.items()})

    def _build(self) -> QLayout:
        form, choices = FormGrid(), QDialogButtonBox.StandardButton
        self.fields = {name: QLineEdit(one.text()) for name, one in self.fields.items()}
        for name, field in self.fields.items():
            form.add_row(Label(name.replace("&", "&&")), field)
        form.fit(text_width(self, 80))
        buttons = QDialogButtonBox(choices.Ok | choices.Cancel)
        buttons.button(choices.Ok).setText(self.tr("Insert"))
        buttons.button(choices.Cancel).setText(self.tr("Cancel"))
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        return self._titled(self._prompt.name, form, buttons)


class PaletteController(QObject):
    """Fills the palette when it is opened, and remembers what was chosen."""

    window_wanted = Signal()  # what was chosen over another window acts on the main one

    def __init__(
        self, theme: ThemeController, worker: Worker, state: WindowState, window: QWidget
    ) -> None:
        super().__init__(window)
        self._window = window
        self._theme = theme
        self._worker = worker
        self._state = state
        self._ready: dict[str, Callable[[], Sequence[PaletteItem]]] = {}
        self._loaded: dict[str, Callable[[Services], Sequence[PaletteItem]]] = {}
        self._search: Callable[[Services, str], Sequence[PaletteItem]] | None = None
        self._kinds: Sequence[str] = ()
        self._without: Collection[str] = ()
        self._instead: Callable[[PaletteItem], object] | None = None
        self.palette: Palette | None = None
        worker.ready.connect(partial(self._prepare, (self._fill, self._draw)))

    def records(self) -> Sequence[Action]:
        title = QT_TR_NOOP("Command palette")
        return (Action("palette", title, "Ctrl+Shift+P", self.open, is_everywhere=True),)

    def offer(self, group: str, items: Callable[[], Sequence[PaletteItem]]) -> None:
        """Add a group whose items are requested at each opening; this must not wait."""
        self._ready[group] = items

    def offer_loaded(
        self, group: str, load: "Callable[[Services], Sequence[PaletteItem]]"
    ) -> None:
        """Add a group that a worker loads at each opening."""
        self._loaded[group] = load

    def search_with(self, search: "Callable[[Services, str], Sequence[PaletteItem]]") -> None:
        """Set the search of a worker for the typed words, besides the items of the groups."""
        self._search = search

    def open(
        self,
        kinds: Sequence[str] = (),
        instead: Callable[[PaletteItem], object] | None = None,
        without: Collection[str] = (),
    ) -> None:
        """Open it; `kinds`: the first words of the keys of the wanted items; empty for all.

        `instead`: called with the chosen item in place of its own action. `without`: ids that are
        not offered.
        """
        self._kinds, self._instead, self._without = kinds, instead, without
        self._fill()
        self._made().open(self._below(), kinds)

    def _below(self) -> QWidget:
        """Return the active window: those beside the main one always lie above it."""
        active = QApplication.activeWindow()
        if active is not None and active.parentWidget() is self._window:
            return active
        if active is not None and active is not self._window:
            self.window_wanted.emit()  # the quick window has no room for the palette
        return self._window

    def _prepare(self, steps: Sequence[Callable[[], object]]) -> None:
        """Do early what the first opening would wait for, in short steps."""

        def go_on() -> None:
            if self.palette is None or self.palette.isHidden():
                steps[0]()
                self._prepare(steps[1:])

        if steps:
            QTimer.singleShot(_PREPARE_MS, self, go_on)

    def _fill(self) -> None:
        palette = self._made()
        palette.model.begin(self._state.lines(PALETTE_USED))
        for group, items in self._ready.items():
            palette.model.put(group, self._wanted(items()))

    def _draw(self) -> None:
        self._made().draw_hidden()

    def _made(self) -> Palette:
        if self.palette is None:
            self.palette = Palette(self._theme, self._window)
            self.palette.typed.connect(self._find)
            self.palette.chosen.connect(self._run)
            self.palette.painted.connect(self._load)
        return self.palette

    def _load(self) -> None:
        """Load the remaining groups later: at once, the workers would delay the first paint."""
        for group, load in self._loaded.items():
            self._worker.do_latest(f"palette {group}", load, partial(self._put, group))

    def _find(self, typed: str) -> None:
        search = self._search
        if search is not None and typed.strip():
            self._worker.do_latest(
                "palette search",
                lambda services: search(services, typed),
                partial(self._put, "found"),
            )

    def _run(self, item: PaletteItem) -> None:
        used = dict.fromkeys((item.key, *self._state.lines(PALETTE_USED)))
        if not item.key.startswith(("prompt ", "tag ")):  # its name is the user's own words
            self._state.keep_lines(PALETTE_USED, list(used)[:_MOST_USED])
        if QApplication.activeWindow() is not self._window:
            self.window_wanted.emit()
        if self._instead is None:
            item.run()
        else:
            self._instead(item)

    def _put(self, group: str, items: Sequence[PaletteItem]) -> None:
        self._made().put(group, self._wanted(items))

    def _wanted(self, items: Sequence[PaletteItem]) -> Sequence[PaletteItem]:
        if not self._kinds:
            return items
        keys = [one.key.partition(" ") for one in items]
        return [
            one
            for one, (kind, _, key) in zip(items, keys, strict=True)
            if kind in self._kinds and key not in self._without
        ]


class PromptsController(QObject):
    """The library of prompts, and the lists that a mark in the message field opens.

    A slash offers the prompts, @ attaches a session, document or project to the question.
    """

    draft_wanted = Signal()  # the message being written, instead of a past session

    def __init__(
        self,
        field: MessageField,
        strip: MessageBar,
        palette: PaletteController,
        recall: SuggestionsController,
        sessions: SessionController,
        worker: Worker,
    ) -> None:
        super().__init__(palette)
        self._field, self._strip = field, strip
        self._palette = palette
        self._recall = recall
        self._sessions = sessions
        self._worker = worker
        self._field.marked.connect(self._open_marked)
        palette.offer_loaded("prompts", self._items)

    def records(self) -> Sequence[Action]:
        read = QT_TR_NOOP("Open a past session in a side panel")
        add = QT_TR_NOOP("Attach a past session to the question")
        return [
            Action("prompts", QT_TR_NOOP("Prompts…"), "", self.open, is_everywhere=True),
            *possible(
                when_open,
                ("read_beside", read, "Ctrl+Shift+K", self._read_beside),
                ("add_beside", add, "Ctrl+Shift+A", self._add_beside),
            ),
        ]

    def _read_beside(self) -> None:
        """Show a past session beside the message: the one that is read, suggested, or chosen."""
        past = self._past()

        def read(item: PaletteItem) -> None:
            place = NavigationTarget(SessionId(item.key.partition(" ")[2]))
            self._recall.read_place(place)

        if past is not None:
            self._recall.read_place(NavigationTarget(past.id))
            self.draft_wanted.emit()
        elif not self._recall.open_beside():
            self._palette.open(("session",), read)

    def _add_beside(self) -> None:
        """Add a past session to the context: the one that is read, suggested, or chosen."""
        past = self._past()
        if past is not None:
            self.draft_wanted.emit()
            self._recall.add(past.id, past.shown_title)
        elif not self._recall.add_current():
            self._palette.open(("session",), self.attach)

    def _past(self) -> Session | None:
        return self._sessions.shown if self._sessions.is_past_shown else None

    def open(self) -> None:
        def load(services: "Services") -> tuple[Sequence[Prompt], Sequence[str]]:
            names = [one.name for one in services.archive.projects()]
            return services.archive.prompts(EVERYTHING), names

        self._worker.do(load, lambda found: self._edit(*found))

    def use(self, prompt: Prompt) -> None:
        """Insert the prompt at the cursor; ask for its variables first."""
        self._worker.do(lambda services: services.prompts.note_use(prompt))
        if not prompt.variables:
            self._write(prompt.text)
            return
        dialog = VariablesDialog(prompt, self._field.window())
        dialog.accepted.connect(lambda: self._write(dialog.filled))
        open_dialog(dialog)

    def _edit(self, before: Sequence[Prompt], projects: Sequence[str]) -> None:
        dialog = PromptsDialog(before, self._field.window())

        def show(change: Change[Sequence[Prompt]]) -> None:
            undo = self._worker.undoes(change)
            self._strip.show_message("prompts", self.tr("Prompts saved."), undo=undo)

        def end() -> None:
            after = read_prompts(dialog.text.text(), projects)
            if after != before:
                self._worker.do_in_turn(
                    lambda services: services.prompts.replace(before, after), show
                )

        dialog.finished.connect(end)
        open_dialog(dialog)

    def _items(self, services: "Services") -> list[PaletteItem]:
        kind = self.tr("Prompt")
        none_yet = PaletteItem(
            "prompt ", self.tr("No prompts yet: write the first…"), kind, self.open
        )
        return [
            PaletteItem(
                f"prompt {one.name} {one.project}",
                one.name,
                f"{kind} · {one.project}" if one.project else kind,
                partial(self.use, one),
            )
            for one in services.archive.prompts(services.assistant.wall())
        ] or [none_yet]

    def _open_marked(self, mark: str) -> None:
        kinds = ("prompt",) if mark == "/" else ("session", "source", "project")
        # What goes with the question anyway: its own session, and what is attached already.
        active = self._sessions.active
        taken = {*self._sessions.asking.in_context, *((active.id,) if active else ())}
        self._palette.open(kinds, self._take, taken)

    def _take(self, item: PaletteItem) -> None:
        self._field.textCursor().deletePreviousChar()  # the mark
        if item.key.startswith("prompt "):
            item.run()
        else:
            self.attach(item)

    def attach(self, item: PaletteItem) -> None:
        """Attach the session, document or project of an item to the question."""
        kind, _, key = item.key.partition(" ")
        match kind:
            case "session":
                self._recall.add(SessionId(key), item.text)
            case "source":
                self._recall.add(SourceId(key), item.text)
            case _:
                self._recall.add(ProjectId(key), item.text)

    def _write(self, text: str) -> None:
        self._field.insertPlainText(text)
        self._field.setFocus(Qt.FocusReason.OtherFocusReason)


class PaletteItems(QObject):
    """Makes the items, named in the language of the window and found in both."""

    def __init__(self, languages: LanguageController, parent: QObject) -> None:
        super().__init__(parent)
        self._languages = languages
        self._action_names: list[Mapping[str, tuple[str, str]]] = []
        self._action_words: Mapping[str, Mapping[str, str]] = {}  # by language
        self._settings: Mapping[Language, list[PaletteItem]] = {}

    def actions(self, actions: WindowActions) -> list[PaletteItem]:
        if not self._action_names:
            for translate in (lambda _, text: text, self._languages.in_turkish):
                named = (*actions.shortcuts(translate), *actions.choices(translate))
                self._action_names.append({one.name: (one.text, one.group) for one in named})
            file = asset("resources", "texts", "action_words.toml")
            self._action_words = tomllib.loads(file.read_text("utf-8"))
        return [
            PaletteItem(
                f"action {one.name}",
                one.text,
                one.group,
                action.trigger,
                action.shortcut().toString(QKeySequence.SequenceFormat.NativeText),
                [names[one.name][0] for names in self._action_names],
                self._words_of(one.name),
                action.isEnabled(),
            )
            for one in (*actions.shortcuts(), *actions.choices())
            if (action := actions[one.name]).isVisible() and one.name != "palette"
        ]

    def _words_of(self, name: str) -> list[str]:
        """Return all by which people look for an action, in each language."""
        kind = name.partition(" ")[0]
        both = zip(self._action_names, self._action_words.values(), strict=True)
        return [f"{' '.join(names[name])} {words.get(kind, '')}" for names, words in both]

    def settings(self, show: Callable[[PageId, str], object]) -> list[PaletteItem]:
        language = self._languages.language
        if language not in self._settings:
            self._settings = {language: self._settings_items(show)}
        return self._settings[language]

    def _settings_items(self, show: Callable[[PageId, str], object]) -> list[PaletteItem]:
        group, items = self.tr("Settings"), []
        files = [
            Texts(one, file=SETTING_WORDS)
            for one in (self._languages.language, Language.EN, Language.TR)
        ]

        def add(name: str, detail: str, run: Callable[[], object], *keys: str) -> str:
            """Add an item; its name is the first of the texts that exists. Return the name."""
            names = [plain(next(filter(None, map(each.say_or_empty, keys)))) for each in files]
            items.append(PaletteItem(f"setting {name}", names[0], detail, run, "", names))
            return names[0]

        for page in list(PageId)[: PageId.SHORTCUTS + 1]:  # those after it are subpages
            place = page.name.lower()
            key = f"{page.name.title()}Page"
            detail = f"{group} · {add(key, group, partial(show, page, ''), f'pages.{place}')}"
            for name, about in SETTINGS.items():
                if about.is_listed and about.section.startswith(place):
                    section = about.section.partition(" ")[2]
                    keys = f"{name}.name", f"{name}.title", f"sections.{section}"
                    add(name, detail, partial(show, page, name), *keys)
        return items

    def sessions(self, sessions: Iterable[Session], go: Go) -> list[PaletteItem]:
        return [
            self._session(one.id, one.shown_title, one.updated_at, go)
            for one in sessions
            if one.shown_title and not one.is_temporary
        ]

    def found_sessions(self, go: Go, services: "Services", typed: str) -> list[PaletteItem]:
        """Find sessions by title and description; runs on a worker."""
        scope = Scope(services.assistant.shown)
        query = Query(typed, _SESSIONS, mode=SearchMode.KEYWORD, limit=_MOST_FOUND, scope=scope)
        found = services.search.find(query)
        items = [self._session(one.session_id, one.title, one.created_at, go) for one in found]
        return [replace(item, is_found=True) for item in items]

    def _session(self, session_id: SessionId, title: str, at: datetime, go: Go) -> PaletteItem:
        kind, run = self.tr("Session"), partial(go, NavigationTarget(session_id))
        return PaletteItem(f"session {session_id}", one_line(title), kind, run, at=at)

    def documents(
        self, read: Callable[[ReaderPlace], object], services: "Services"
    ) -> list[PaletteItem]:
        """Load the sources of the library; runs on a worker."""
        kinds = {SourceKind.DOCUMENT: self.tr("Document"), SourceKind.WEB: self.tr("Web page")}
        return [
            PaletteItem(
                f"source {one.id}",
                one_line(one.title),
                kinds[one.kind],
                partial(read, ReaderPlace(one.id)),
            )
            for one in services.archive.sources(services.assistant.shown)[:_MOST_DOCUMENTS]
        ]

    def projects(
        self, projects: Iterable[Project], show: Callable[[Wall], object]
    ) -> list[PaletteItem]:
        kind = self.tr("Project")
        found = [
            PaletteItem(f"project {one.id}", one.name, kind, partial(show, Wall(one.id)))
            for one in projects
        ]
        outside = (("All projects", EVERYTHING), ("No project", COMMON)) if found else ()
        for text, wall in outside:
            names = self._names("ProjectsController", text)
            run = partial(show, wall)
            found.append(PaletteItem(f"wall {text}", names[0], kind, run, "", names))
        return found

    def tags(self, tags: Iterable[str], show: Callable[[str], object]) -> list[PaletteItem]:
        kind = self.tr("Tag")
        return [
            PaletteItem(f"tag {one}", f"# {one}", kind, partial(show, one), "", (f"{kind} {one}",))
            for one in tags
        ]

    def _names(self, context: str, text: str) -> tuple[str, str, str]:
        """Return a text in the language of the window, in English and in Turkish."""
        shown = QCoreApplication.translate(context, text)
        return plain(shown), plain(text), plain(self._languages.in_turkish(context, text))
