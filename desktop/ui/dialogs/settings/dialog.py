"""The settings dialog: a list of pages; every change applies at once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QFrame, QLayout, QListWidget, QStackedWidget, QWidget

from desktop.domain.endpoints import Endpoint
from desktop.domain.errors import AppError
from desktop.research.tools.tool import Tool
from desktop.settings.paths import ProfilePaths
from desktop.settings.settings import Settings
from desktop.ui.dialogs.form import Page, RebuiltDialog
from desktop.ui.dialogs.settings.endpoint_page import EndpointPage
from desktop.ui.dialogs.settings.general_pages import (
    GeneralPage,
    ResearchPage,
    SessionsPage,
    ToolsPage,
)
from desktop.ui.dialogs.settings.models_page import ModelsPage
from desktop.ui.dialogs.settings.privacy_page import PrivacyPage
from desktop.ui.dialogs.settings.settings_controller import PageId, SettingsController
from desktop.ui.dialogs.settings.shortcuts_page import ShortcutsPage
from desktop.ui.dialogs.settings.text_pages import InstructionsPage, MemoryPage, PhrasesPage
from desktop.ui.dialogs.shortcuts import Shortcuts
from desktop.ui.services import ModelServices, ShippedPhrases
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.layouts import column, frame_with, growing, resize_to_text, row, text_width
from desktop.ui.widgets.plain_text import Label, ProblemLabel, announce

_NAVIGATION_CHARACTERS = 22
_NAVIGATION_SHARE = 4
_PAGE_CHARACTERS = 96
_LINES = 44
_LISTS = (
    "endpoints",
    "variables",
    "instructions",
    "retention",
    "shortcuts",
    "own_end_phrases",
    "own_new_topic_phrases",
)


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


class SettingsDialog(RebuiltDialog):
    memory_asked = Signal()
    contacts_asked = Signal()

    def __init__(
        self, changes: SettingsController, parts: SettingsServices, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._changes = changes
        self._parts = parts
        self._before = changes.settings
        self._changed: dict[str, Any] = {}  # by name, as they were before
        self._section = PageId.GENERAL
        self.rebuild()
        resize_to_text(self, _NAVIGATION_CHARACTERS + _PAGE_CHARACTERS, _LINES)
        changes.save_failed.connect(self._show_not_saved)
        changes.saved.connect(self._clear_problem)
        changes.changed.connect(self._offer_undo)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Close), self, self.reject)

    def _build(self) -> QLayout:
        self.setWindowTitle(self.tr("Settings"))
        self._navigation = QListWidget()
        self._navigation.setProperty("role", "navigation")
        self._navigation.setFrameShape(QFrame.Shape.NoFrame)
        self._navigation.setAccessibleName(self.tr("Settings pages"))
        self._pages = QStackedWidget(self._content)
        for page in self._made_pages():
            self._pages.addWidget(page)
            if self._pages.count() <= PageId.SHORTCUTS + 1:
                self._navigation.addItem(page.title.text())
        self._navigation.setCurrentRow(self._section)
        self._pages.setCurrentIndex(self._section)
        self._navigation.currentRowChanged.connect(lambda row: self.show_page(PageId(row)))
        # A click on the section of a subpage leads back to it.
        self._navigation.itemClicked.connect(lambda: self.show_page(self._section))
        self._fit_navigation()
        self._problem = ProblemLabel()
        self._problem.setContentsMargins(Space.WIDE, Space.SMALL, Space.WIDE, Space.SMALL)
        self._removed, undo = Label(), Button(text=self.tr("Undo"), press=self._undo)
        self._removed.setWordWrap(True)
        margin = (Space.MEDIUM, Space.SMALL, Space.SMALL, Space.SMALL)
        self._undo_row = frame_with("notice", row(growing(self._removed), undo, margin=margin))
        self._undo_row.setProperty("rank", "success")
        self._undo_row.hide()
        return row(
            self._navigation,
            growing(column(self._problem, growing(self._pages), self._undo_row, spacing=0)),
            spacing=0,
        )

    def _made_pages(self) -> tuple[Page, ...]:
        """Return the pages in the order of their ids."""
        changes, parts = self._changes, self._parts
        models = ModelsPage(changes, parts.services)
        sessions = SessionsPage(changes, parts.services.bridge, parts.spent_on_imports)
        memory, research = MemoryPage(changes), ResearchPage(changes)
        phrases = PhrasesPage(changes, parts.phrases)
        models.endpoint_asked.connect(self._show_endpoint)
        memory.memory_asked.connect(self.memory_asked)
        research.contacts_asked.connect(self.contacts_asked)
        sessions.phrases_asked.connect(lambda: self._pages.setCurrentIndex(PageId.PHRASES))
        phrases.left.connect(lambda: self.show_page(PageId.SESSIONS))
        return (
            GeneralPage(changes),
            models,
            sessions,
            memory,
            InstructionsPage(changes, parts.personas),
            research,
            ToolsPage(changes, parts.tools),
            PrivacyPage(changes, parts.services, parts.profile, parts.settings_file),
            ShortcutsPage(changes, parts.shortcuts),
            Page(),  # until an endpoint is shown
            phrases,
        )

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:  # the zoom makes the names wider
            self._fit_navigation()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_navigation()

    def _fit_navigation(self) -> None:
        names = self._navigation.sizeHintForColumn(0) + 2 * Space.MEDIUM
        share = max(names, self.width() // _NAVIGATION_SHARE)
        self._navigation.setFixedWidth(min(text_width(self, _NAVIGATION_CHARACTERS), share))

    def show_page(self, page: PageId) -> None:
        self._section = page
        self._navigation.setCurrentRow(page)
        self._pages.setCurrentIndex(page)

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

    def reject(self) -> None:
        if self._pages.currentIndex() in (PageId.ENDPOINT, PageId.PHRASES):
            self.show_page(self._section)
        else:
            super().reject()

    def _show_endpoint(self, endpoint: Endpoint) -> None:
        page = EndpointPage(self._changes, self._parts.services, endpoint)
        page.left.connect(lambda: self.show_page(PageId.MODELS))
        if (old := self._pages.widget(PageId.ENDPOINT)) is not None:
            self._pages.removeWidget(old)
            old.deleteLater()
        self._pages.insertWidget(PageId.ENDPOINT, page)
        self._pages.setCurrentIndex(PageId.ENDPOINT)
        page.setFocus(Qt.FocusReason.TabFocusReason)

    def _offer_undo(self, settings: Settings) -> None:
        before, self._before = self._before, settings
        changes = {
            field.name: getattr(before, field.name)
            for field in fields(Settings)
            if getattr(before, field.name) != getattr(settings, field.name)
        }
        removes = any(
            len(getattr(settings, name)) < len(changes[name]) for name in _LISTS if name in changes
        )
        self._undo_row.setVisible(removes)
        if not removes:
            return
        self._changed = changes
        message = self.tr("Removed.")
        if "endpoints" in changes:
            message = self.tr(
                "The connection and its key were removed. Undo does not restore the key."
            )
        self._removed.setText(message)
        announce(self, message)

    def _undo(self) -> None:
        self._changes.apply(replace(self._changes.settings, **self._changed))

    def _clear_problem(self) -> None:
        self._problem.set_text("")

    def _show_not_saved(self, error: AppError) -> None:
        self._problem.set_text(self._parts.services.texts().error(error))
