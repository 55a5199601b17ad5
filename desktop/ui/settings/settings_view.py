"""The settings: a list of pages, and a search of all rows; every change applies at once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QLayout,
    QListWidget,
    QStackedWidget,
    QWidget,
)

from desktop.domain.endpoints import Endpoint
from desktop.research.tools.tool import Tool
from desktop.sessions.tool_servers import ToolServers
from desktop.settings.paths import ProfilePaths
from desktop.settings.programs import ProgramCalls
from desktop.settings.settings import Settings
from desktop.ui.dialogs.form import Page, RebuiltView
from desktop.ui.dialogs.shortcuts import Shortcuts
from desktop.ui.palette.palette import PaletteDelegate, PaletteItem, PaletteModel
from desktop.ui.services import ModelServices, ShippedPhrases
from desktop.ui.settings.endpoint_page import EndpointPage
from desktop.ui.settings.models_page import ModelsPage
from desktop.ui.settings.privacy_page import PrivacyPage
from desktop.ui.settings.programs_page import ProgramsPage
from desktop.ui.settings.shortcuts_page import ShortcutsPage
from desktop.ui.settings.text_pages import (
    GeneralPage,
    InstructionsPage,
    MemoryPage,
    PhrasesPage,
    ResearchPage,
    SessionsPage,
    ToolsPage,
)
from desktop.ui.settings_controller import PageId, SettingsController
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.bars import MessageBar
from desktop.ui.widgets.fields import ComboBox
from desktop.ui.widgets.layouts import column, frame_with, growing, row, text_width, widget_with
from desktop.ui.widgets.plain_text import BodyLabel
from desktop.ui.widgets.row_list import Index, RowList
from desktop.ui.widgets.search_fields import SearchField

_NAVIGATION_CHARACTERS = 32
_TWO_COLUMNS = 110  # Letters
_REMOVED = "removed_setting"
_LISTS = (
    "endpoints",
    "variables",
    "instructions",
    "retention",
    "shortcuts",
    "own_end_phrases",
    "own_new_topic_phrases",
)

if TYPE_CHECKING:
    from desktop.sessions.browser_button import BrowserPort


@dataclass(frozen=True, slots=True)
class SettingsServices:
    services: ModelServices
    profile: ProfilePaths
    settings_file: Path
    shortcuts: Shortcuts
    phrases: ShippedPhrases
    spent_on_imports: Callable[[], int] = lambda: 0  # tokens; waits for the disk
    personas: Callable[[], Mapping[str, str]] = dict
    """The personas by name, in the language of the window; never waits."""
    tools: Callable[[], Sequence[Tool]] = tuple
    """The tools of the model; never waits."""
    tool_servers: ToolServers | None = None
    program_calls: ProgramCalls | None = None
    items: Callable[[], Sequence[PaletteItem]] = tuple
    """What the search finds: each page and row, which it shows."""
    browser: "Callable[[], BrowserPort] | None" = None
    """The port for browsers; the call may import it."""


class SettingsView(RebuiltView):
    act = "settings"
    memory_asked = Signal()
    contacts_asked = Signal()

    def __init__(
        self,
        changes: SettingsController,
        parts: SettingsServices,
        theme: ThemeController,
        strip: MessageBar,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._changes = changes
        self._parts = parts
        self._theme, self._strip = theme, strip
        self._before = changes.settings
        self._section = PageId.GENERAL
        self._query = ""
        self.rebuild()
        changes.changed.connect(self._offer_undo)
        self.add_key(QKeySequence.StandardKey.Find, self._go_to_search)

    def _build(self) -> QLayout:
        self.setWindowTitle(self.tr("Settings"))
        self.search = SearchField(self._theme)
        self.search.set_name(self.tr("Search settings"))
        self.search.set_hint(QKeySequence())
        self._navigation, self._chooser = QListWidget(), ComboBox()
        self._navigation.setProperty("role", "navigation")
        self._navigation.setFrameShape(QFrame.Shape.NoFrame)
        self._pages = QStackedWidget()
        self._unmade = dict(self._makers())
        words = self._changes.words()
        for page in PageId:
            self._pages.addWidget(Page())  # until it is shown
            if page <= PageId.SHORTCUTS:
                name = words.say(f"pages.{page.name.lower()}")
                self._navigation.addItem(name)
                self._chooser.addItem(name)
        for names in (self._navigation, self._chooser):
            names.setAccessibleName(self.tr("Settings pages"))
        self._found = PaletteModel(self)
        self._hits = RowList(self._found, PaletteDelegate(self._theme))
        self._hits.setAccessibleName(self.tr("Settings found"))
        self._none = BodyLabel(self.tr("No setting was found."), role="muted")
        hits = column(self._none, growing(self._hits), margin=Space.WIDE)
        self._middle = QStackedWidget()
        for part in (self._pages, widget_with(hits)):
            self._middle.addWidget(part)
        self._head = row(growing(self.search), self._chooser)
        self._side = frame_with("side", column(self._head, growing(self._navigation)))
        self._whole = row(self._side, growing(self._middle), spacing=0)
        self._fit()
        self._show_section()
        self._connect()
        self.search.setText(self._query)
        return self._whole

    def _connect(self) -> None:
        self._pages.currentChanged.connect(self._make)
        self._navigation.currentRowChanged.connect(lambda row: self.show_page(PageId(row)))
        # A click on the section of a subpage, or during a search, leads back to it.
        self._navigation.itemClicked.connect(lambda: self.show_page(self._section))
        self._chooser.activated.connect(lambda row: self.show_page(PageId(row)))
        self.search.textChanged.connect(self._find)
        self.search.entered.connect(lambda: self._open_hit(self._hits.currentIndex()))
        self.search.left_downwards.connect(self._leave_search)
        self.search.left.connect(self.step_back)
        self._hits.clicked.connect(self._open_hit)
        self._hits.activated.connect(self._open_hit)
        self._hits.left_upwards.connect(self._go_to_search)

    def _makers(self) -> Mapping[PageId, Callable[[], Page]]:
        changes, parts = self._changes, self._parts
        privacy = (changes, parts.services, parts.profile, parts.settings_file)
        return {
            PageId.GENERAL: partial(GeneralPage, changes),
            PageId.MODELS: self._made_models,
            PageId.SESSIONS: self._made_sessions,
            PageId.MEMORY: self._made_memory,
            PageId.INSTRUCTIONS: partial(InstructionsPage, changes, parts.personas),
            PageId.RESEARCH: self._made_research,
            PageId.TOOLS: partial(ToolsPage, changes, parts.tools),
            PageId.PROGRAMS: self._made_programs,
            PageId.PRIVACY: partial(PrivacyPage, *privacy),
            PageId.SHORTCUTS: partial(ShortcutsPage, changes, parts.shortcuts),
            PageId.PHRASES: self._made_phrases,
        }

    def _made_models(self) -> Page:
        page = ModelsPage(self._changes, self._parts.services)
        page.endpoint_asked.connect(self._show_endpoint)
        return page

    def _made_sessions(self) -> Page:
        parts = self._parts
        page = SessionsPage(self._changes, parts.services.bridge, parts.spent_on_imports)
        page.phrases_asked.connect(lambda: self._pages.setCurrentIndex(PageId.PHRASES))
        return page

    def _made_memory(self) -> Page:
        page = MemoryPage(self._changes)
        page.memory_asked.connect(self.memory_asked)
        return page

    def _made_research(self) -> Page:
        page = ResearchPage(self._changes)
        page.contacts_asked.connect(self.contacts_asked)
        return page

    def _made_programs(self) -> Page:
        parts = self._parts
        return ProgramsPage(
            self._changes,
            parts.services.bridge,
            parts.profile,
            parts.settings_file,
            browser=parts.browser,
            servers=parts.tool_servers,
            calls=parts.program_calls,
        )

    def _made_phrases(self) -> Page:
        page = PhrasesPage(self._changes, self._parts.phrases)
        page.left.connect(lambda: self.show_page(PageId.SESSIONS))
        return page

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:  # the zoom makes the names wider
            self._fit()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Show the pages as a list at the left, or as a choice above where there is no room."""
        is_wide = self.width() >= text_width(self, _TWO_COLUMNS)
        direction = QBoxLayout.Direction
        self._whole.setDirection(direction.LeftToRight if is_wide else direction.TopToBottom)
        self._navigation.setVisible(is_wide)
        self._chooser.setHidden(is_wide)
        names = self._navigation.sizeHintForColumn(0) + 2 * Space.MEDIUM
        width = max(names, text_width(self, _NAVIGATION_CHARACTERS))
        self._side.setFixedWidth(width) if is_wide else self._side.setFixedWidth(self.width())
        below = 0 if is_wide else Space.SMALL
        self._head.setContentsMargins(Space.MEDIUM, Space.LARGE, Space.MEDIUM, below)

    def come_to(self, page: PageId, setting: str = "") -> None:
        self.search.clear()
        self.show_page(page)
        self.come()
        self._go_to_search()
        if setting:
            self.show_setting(setting)

    def show_page(self, page: PageId) -> None:
        self._section = page
        self.search.clear()
        self._show_section()

    def _show_section(self) -> None:
        self._navigation.setCurrentRow(self._section)
        self._chooser.setCurrentIndex(self._section)
        self._pages.setCurrentIndex(self._section)
        self._make(self._section)

    def _make(self, place: int) -> None:
        """Make a page when it is first shown: all of them would stop the window."""
        if (make := self._unmade.pop(PageId(place), None)) is not None:
            self._put(PageId(place), make())

    def _put(self, place: PageId, page: Page) -> None:
        """Show a page in the place of another."""
        with QSignalBlocker(self._pages):
            if (old := self._pages.widget(place)) is not None:
                self._pages.removeWidget(old)
                old.deleteLater()
            self._pages.insertWidget(place, page)
            self._pages.setCurrentIndex(place)

    def _find(self, query: str) -> None:
        self._query = query
        places = [(item, item.kind.rpartition(" · ")[2]) for item in self._parts.items()]
        self._found.put("settings", [replace(item, kind=place) for item, place in places])
        self._found.find(query)
        self._hits.setCurrentIndex(self._found.index(0))
        self._none.setHidden(self._found.rowCount() > 0)
        self._middle.setCurrentIndex(int(bool(query.strip())))

    def _open_hit(self, index: Index) -> None:
        if row := self._found.row(index):
            row.item.run()

    def _go_to_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.OtherFocusReason)

    def _leave_search(self) -> None:
        successor = self._navigation if self._navigation.isVisible() else self._pages
        (self._hits if self._query else successor).setFocus(Qt.FocusReason.TabFocusReason)

    def show_setting(self, setting: str) -> None:
        """Focus the field of a setting on the shown page, by the setting's name."""
        page = self._pages.currentWidget()
        field = page.findChild(QWidget, setting) if isinstance(page, Page) else None
        if isinstance(page, Page) and isinstance(field, QWidget):
            inside = [field, *field.findChildren(QWidget)]
            takes = [widget for widget in inside if widget.focusPolicy() & Qt.FocusPolicy.TabFocus]
            for widget in takes[:1]:
                widget.setFocus(Qt.FocusReason.TabFocusReason)
            page.ensureWidgetVisible(field)

    def step_back(self) -> None:
        """End the search, leave a subpage, or else leave."""
        if self._query:
            self.search.clear()
            self._go_to_search()
        elif self._pages.currentIndex() in (PageId.ENDPOINT, PageId.PHRASES):
            self.show_page(self._section)
        else:
            super().step_back()

    def _show_endpoint(self, endpoint: Endpoint) -> None:
        page = EndpointPage(self._changes, self._parts.services, endpoint)
        page.left.connect(lambda: self.show_page(PageId.MODELS))
        self._put(PageId.ENDPOINT, page)
        page.setFocus(Qt.FocusReason.TabFocusReason)

    def _offer_undo(self, settings: Settings) -> None:
        before, self._before = self._before, settings
        changes: dict[str, Any] = {
            field.name: getattr(before, field.name)
            for field in fields(Settings)
            if getattr(before, field.name) != getattr(settings, field.name)
        }
        lists = [name for name in _LISTS if name in changes]
        if not any(len(getattr(settings, name)) < len(changes[name]) for name in lists):
            self._strip.remove(_REMOVED)
            return
        message = self.tr("Removed.")
        if "endpoints" in changes:
            message = self.tr(
                "The connection and its key were removed. Undo does not restore the key."
            )

        def undo() -> None:
            self._changes.apply(replace(self._changes.settings, **changes))

        self._strip.show_message(_REMOVED, message, undo=undo)
