"""Opens the dialogs; each is imported when it is first opened."""

# ruff: noqa: PLC0415 (see above)

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from desktop.ui.dialogs.form import open_dialog
from desktop.ui.dialogs.settings.settings_controller import PageId, SettingsController
from desktop.ui.dialogs.shortcuts import Shortcuts
from desktop.ui.services import Worker
from desktop.ui.window.keyboard_input import TypeToFocus

if TYPE_CHECKING:
    from desktop.ui.dialogs.files import FileDialog
    from desktop.ui.dialogs.settings.dialog import SettingsDialog


class WindowDialogs(QObject):
    examples_wanted = Signal()
    memory_wanted = Signal()
    imported = Signal(object)  # An ImportReport for each file

    def __init__(
        self, window: QWidget, changes: SettingsController, shortcuts: Shortcuts, worker: Worker
    ) -> None:
        super().__init__(window)
        self._window = window
        self._changes = changes
        self._shortcuts = shortcuts
        self._worker = worker
        self._settings: SettingsDialog | None = None

    def show_settings(self, page: PageId = PageId.GENERAL) -> None:
        from desktop.ui.dialogs.settings.dialog import SettingsDialog, SettingsServices

        if self._settings is None:
            services = self._worker.services
            parts = SettingsServices(
                services.desk,
                services.folders,
                self._shortcuts,
                services.phrases,
                services.spent_on_imports,
                services.personas,
                lambda: services.assistant.tools.listed(services.texts()),
            )
            self._settings = SettingsDialog(self._changes, parts, self._window)
            self._settings.finished.connect(self._forget_settings)
            self._settings.memory_asked.connect(self._open_memory)
            self._settings.contacts_asked.connect(self.show_contacts)
            open_dialog(self._settings)
        self._settings.show_page(page)
        self._settings.activateWindow()

    def show_models(self) -> None:
        self.show_settings(PageId.MODELS)

    def show_contacts(self) -> None:
        """Beside the settings, where they are open."""
        from desktop.ui.dialogs.web_log_dialog import WebLogDialog

        services, owner = self._worker.services, self._settings or self._window
        contacts = services.archive.contacts
        open_dialog(WebLogDialog(contacts, self._worker.bridge, services.texts, owner))

    def show_welcome(
        self, *, offers_examples: bool, typed: Callable[[QKeyEvent], object] | None = None
    ) -> None:
        """`typed`: opened by itself, it lets what is being typed go on to there."""
        from desktop.ui.dialogs.welcome import WelcomeDialog

        welcome = WelcomeDialog(
            self._changes,
            self._worker.services.desk,
            offers_examples=offers_examples,
            parent=self._window,
        )
        welcome.examples_asked.connect(self.examples_wanted)
        if typed is not None:
            TypeToFocus(welcome, typed)
        open_dialog(welcome)

    def show_about(self) -> None:
        from desktop.ui.dialogs.about import AboutDialog

        open_dialog(AboutDialog(self._worker.services.folders.data, self._window))

    def show_shortcuts(self) -> None:
        from desktop.ui.dialogs.shortcuts import ShortcutsOverview

        chosen = self._changes.settings.shortcuts
        open_dialog(ShortcutsOverview(self._shortcuts, chosen, self._window))

    def ask_where_to_export(
        self, title: str, chosen: Callable[[Path], None], *, as_page: bool = False
    ) -> None:
        from desktop.ui.dialogs.files import MARKDOWN, PAGE, ExportDialog

        _ask(ExportDialog(title, self._window, suffix=PAGE if as_page else MARKDOWN), chosen)

    def ask_where_to_export_answer(self, title: str, chosen: Callable[[Path], None]) -> None:
        from desktop.ui.dialogs.files import ExportAnswerDialog

        _ask(ExportAnswerDialog(title, self._window), chosen)

    def ask_where_to_export_all(self, chosen: Callable[[Path], None]) -> None:
        from desktop.ui.dialogs.files import ExportAllDialog

        _ask(ExportAllDialog(self._window), chosen)

    def ask_what_to_import(self) -> None:
        from desktop.ui.dialogs.files import ImportDialog

        dialog = ImportDialog(self._window)
        dialog.filesSelected.connect(
            lambda names: self.show_importing([Path(name) for name in names])
        )
        open_dialog(dialog)

    def show_importing(
        self, paths: Sequence[Path], then: Callable[[], None] = lambda: None
    ) -> None:
        """`then`: called when the dialog is gone."""
        from desktop.ui.dialogs.importing import ImportSessionsDialog

        services = self._worker.services
        dialog = ImportSessionsDialog(
            paths, services.importer, services.texts, self._worker.bridge, self._window
        )
        dialog.imported.connect(self.imported)
        dialog.finished.connect(lambda _: then())
        open_dialog(dialog)

    def _open_memory(self) -> None:
        """The settings would hold the keyboard."""
        if self._settings is not None:
            self._settings.accept()
        self.memory_wanted.emit()

    def _forget_settings(self) -> None:
        self._settings = None


def _ask(dialog: "FileDialog", chosen: Callable[[Path], None]) -> None:
    dialog.fileSelected.connect(lambda name: chosen(Path(name)))
    open_dialog(dialog)
