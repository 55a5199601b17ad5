"""The settings dialog: a list of pages; every change applies at once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QListWidget,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop.domain.endpoints import Endpoint
from desktop.domain.errors import AppError
from desktop.ui.dialogs.endpoint_setup import ModelServices
from desktop.ui.dialogs.form import Folders
from desktop.ui.dialogs.settings.endpoint_page import EndpointPage
from desktop.ui.dialogs.settings.general_pages import GeneralPage, ResearchPage, SessionsPage
from desktop.ui.dialogs.settings.instructions_page import InstructionsPage
from desktop.ui.dialogs.settings.memory_page import MemoryPage
from desktop.ui.dialogs.settings.models_page import ModelsPage
from desktop.ui.dialogs.settings.phrases_page import PhrasesPage, ShippedPhrases
from desktop.ui.dialogs.settings.privacy_page import PrivacyPage
from desktop.ui.dialogs.settings.settings_controller import PageId, SettingsController
from desktop.ui.dialogs.settings.shortcuts_page import ShortcutsPage
from desktop.ui.dialogs.settings.tools_page import Listed, ToolsPage
from desktop.ui.dialogs.shortcuts import Shortcuts
from desktop.ui.i18n import TranslatedWidget
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.labels import ProblemLabel
from desktop.ui.widgets.layouts import resize_within_screen, text_width

_NAVIGATION_CHARACTERS = 22
_NAVIGATION_SHARE = 4
_PAGE_CHARACTERS = 96
_LINES = 44


@dataclass(frozen=True, slots=True)
class SettingsServices:
    """What the pages need besides the settings."""

    services: ModelServices
    folders: Folders
    shortcuts: Shortcuts
    phrases: ShippedPhrases
    spent_on_imports: Callable[[], int] = lambda: 0
    """Tokens; waits for the disk."""
    personas: Callable[[], Mapping[str, str]] = dict
    """The personas by name, in the language of the window; never waits."""
    tools: Callable[[], Listed] = tuple
    """The tools of the model, in the language of the window; never waits."""


class SettingsDialog(TranslatedWidget, QDialog):
    memory_asked = Signal()
    contacts_asked = Signal()

    def __init__(
        self, changes: SettingsController, parts: SettingsServices, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._changes = changes
        self._build(parts)
        self._connect()
        self.retranslate()
        self.show_page(PageId.GENERAL)

    def _build(self, parts: SettingsServices) -> None:
        self._navigation = QListWidget()
        self._navigation.setProperty("role", "navigation")
        self._navigation.setFrameShape(QFrame.Shape.NoFrame)
        self._navigation.addItems([""] * (PageId.SHORTCUTS + 1))
        self._general = GeneralPage(self._changes)
        self._models = ModelsPage(self._changes, parts.services)
        self._sessions = SessionsPage(self._changes, parts.services.bridge, parts.spent_on_imports)
        self._memory = MemoryPage(self._changes)
        self._research = ResearchPage(self._changes)
        self._endpoint = EndpointPage(self._changes, parts.services)
        self._phrases = PhrasesPage(self._changes, parts.phrases)
        self._pages = QStackedWidget()
        for page in (
            self._general,
            self._models,
            self._sessions,
            self._memory,
            InstructionsPage(self._changes, parts.personas),
            self._research,
            ToolsPage(self._changes, parts.tools),
            PrivacyPage(self._changes, parts.services, parts.folders),
            ShortcutsPage(self._changes, parts.shortcuts),
            self._endpoint,
            self._phrases,
        ):
            self._pages.addWidget(page)
        self._problem = ProblemLabel()
        self._problem.setContentsMargins(Space.WIDE, Space.SMALL, Space.WIDE, Space.SMALL)
        self._texts = parts.services.texts
        content = QVBoxLayout()
        content.setSpacing(0)
        content.addWidget(self._problem)
        content.addWidget(self._pages, 1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._navigation)
        row.addLayout(content, 1)
        resize_within_screen(
            self,
            text_width(self, _NAVIGATION_CHARACTERS + _PAGE_CHARACTERS),
            _LINES * self.fontMetrics().lineSpacing(),
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_navigation()

    def _fit_navigation(self) -> None:
        """In a narrow dialog the list is no wider than its texts."""
        names = self._navigation.sizeHintForColumn(0) + 2 * Space.MEDIUM
        share = max(names, self.width() // _NAVIGATION_SHARE)
        self._navigation.setFixedWidth(min(text_width(self, _NAVIGATION_CHARACTERS), share))

    def _connect(self) -> None:
        self._navigation.currentRowChanged.connect(self._pages.setCurrentIndex)
        self._navigation.itemClicked.connect(lambda: self.show_page(self._section()))
        self._models.endpoint_asked.connect(self._show_endpoint)
        self._memory.memory_asked.connect(self.memory_asked)
        self._research.contacts_asked.connect(self.contacts_asked)
        self._endpoint.left.connect(lambda: self.show_page(PageId.MODELS))
        self._sessions.phrases_asked.connect(lambda: self._pages.setCurrentIndex(PageId.PHRASES))
        self._phrases.left.connect(lambda: self.show_page(PageId.SESSIONS))
        self._changes.save_failed.connect(self._show_not_saved)
        self._changes.saved.connect(self._clear_problem)
        close = QShortcut(QKeySequence.StandardKey.Close, self)
        close.activated.connect(self.reject)

    def retranslate(self) -> None:
        self.setWindowTitle(self.tr("Settings"))
        self._navigation.setAccessibleName(self.tr("Pages of the settings"))
        names = (
            self.tr("General"),
            self.tr("Models"),
            self.tr("Sessions"),
            self.tr("Memory"),
            self.tr("Instructions"),
            self.tr("Research"),
            self.tr("Tools"),
            self.tr("Privacy"),
            self.tr("Shortcuts"),
        )
        for row, name in enumerate(names):
            self._navigation.item(row).setText(name)
        self._fit_navigation()

    def show_page(self, page: PageId) -> None:
        self._navigation.setCurrentRow(page)
        self._pages.setCurrentIndex(page)

    def reject(self) -> None:
        """Esc leads back from a subpage before it closes the dialog."""
        match self._pages.currentIndex():
            case PageId.ENDPOINT | PageId.PHRASES:
                self.show_page(self._section())
            case _:
                super().reject()

    def _section(self) -> PageId:
        return PageId(self._navigation.currentRow())

    def _show_endpoint(self, endpoint: Endpoint) -> None:
        self._endpoint.show_endpoint(endpoint)
        self._pages.setCurrentIndex(PageId.ENDPOINT)
        self._endpoint.setFocus(Qt.FocusReason.TabFocusReason)

    def _clear_problem(self) -> None:
        self._problem.set_text("")

    def _show_not_saved(self, error: AppError) -> None:
        self._problem.set_text(self._texts().error(error))
