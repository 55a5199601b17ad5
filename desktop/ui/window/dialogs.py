"""Opens the dialogs; each is imported when it is first opened."""

# ruff: noqa: PLC0415 (see above)

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QWidget

from desktop.ui.dialogs.settings.settings_controller import PageId, SettingsController
from desktop.ui.dialogs.shortcuts import Shortcuts
from desktop.ui.services import WindowServices
from desktop.ui.window.keyboard_input import TypeToFocus

if TYPE_CHECKING:
    from desktop.ui.dialogs.settings.dialog import SettingsDialog


class WindowDialogs(QObject):
    examples_wanted = Signal()
    memory_wanted = Signal()
    imported = Signal(object)
    """An ImportReport for each file"""

    def __init__(self, window: QWidget, changes: SettingsController, shortcuts: Shortcuts) -> None:
        super().__init__(window)
        self._window = window
        self._changes = changes
        self._shortcuts = shortcuts
        self._services: WindowServices | None = None
        self._settings: SettingsDialog | None = None

    def attach(self, services: WindowServices) -> None:
        self._services = services

    def show_settings(self, page: PageId = PageId.GENERAL) -> None:
        from desktop.ui.dialogs.settings.dialog import SettingsDialog, SettingsServices

        services = self._services
        if services is None:
            return
        if self._settings is None:
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
            self._open(self._settings)
        self._settings.show_page(page)
        self._settings.activateWindow()

    def show_contacts(self) -> None:
        """Beside the settings, where they are open."""
        from desktop.ui.dialogs.web_log_dialog import WebLogDialog

        if (services := self._services) is not None:
            self._open(
                WebLogDialog(
                    services.archive.contacts,
                    services.desk.bridge,
                    services.texts,
                    self._settings or self._window,
                )
            )

    def show_welcome(
        self, *, offers_examples: bool, typed: Callable[[QKeyEvent], object] | None = None
    ) -> None:
        """`typed`: opened by itself, it lets what is being typed go on to there."""
        from desktop.ui.dialogs.welcome import WelcomeDialog

        if self._services is None:
            return
        welcome = WelcomeDialog(
            self._changes,
            self._services.desk,
            offers_examples=offers_examples,
            parent=self._window,
        )
        welcome.examples_asked.connect(self.examples_wanted)
        if typed is not None:
            TypeToFocus(welcome, typed)
        self._open(welcome)

    def show_about(self) -> None:
        from desktop.ui.dialogs.about import AboutDialog

        if self._services is not None:
            self._open(AboutDialog(self._services.folders.data, self._window))

    def show_shortcuts(self) -> None:
        from desktop.ui.dialogs.shortcuts import ShortcutsOverview

        chosen = self._changes.settings.shortcuts
        self._open(ShortcutsOverview(self._shortcuts, chosen, self._window))

    def ask_where_to_export(
        self, title: str, chosen: Callable[[Path], None], *, as_page: bool = False
    ) -> None:
        from desktop.ui.dialogs.files import MARKDOWN, PAGE, ExportDialog

        dialog = ExportDialog(title, self._window, suffix=PAGE if as_page else MARKDOWN)
        dialog.fileSelected.connect(lambda name: chosen(Path(name)))
        self._open(dialog)

    def ask_where_to_export_answer(self, title: str, chosen: Callable[[Path], None]) -> None:
        from desktop.ui.dialogs.files import ExportAnswerDialog

        dialog = ExportAnswerDialog(title, self._window)
        dialog.fileSelected.connect(lambda name: chosen(Path(name)))
        self._open(dialog)

    def ask_where_to_export_all(self, chosen: Callable[[Path], None]) -> None:
        from desktop.ui.dialogs.files import ExportAllDialog

        dialog = ExportAllDialog(self._window)
        dialog.fileSelected.connect(lambda name: chosen(Path(name)))
        self._open(dialog)

    def ask_what_to_import(self) -> None:
        from desktop.ui.dialogs.files import ImportDialog

        dialog = ImportDialog(self._window)
        dialog.filesSelected.connect(
            lambda names: self.show_importing([Path(name) for name in names])
        )
        self._open(dialog)

    def show_importing(
        self, paths: Sequence[Path], then: Callable[[], None] | None = None
    ) -> None:
        """`then`: called when the dialog is gone."""
        from desktop.ui.dialogs.importing import ImportSessionsDialog

        services = self._services
        if services is None:
            return
        dialog = ImportSessionsDialog(
            paths, services.importer, services.texts, services.desk.bridge, self._window
        )
        dialog.imported.connect(self.imported)
        if then is not None:
            dialog.finished.connect(lambda _: then())
        self._open(dialog)

    def _open_memory(self) -> None:
        """The settings would hold the keyboard."""
        if self._settings is not None:
            self._settings.accept()
        self.memory_wanted.emit()

    def _forget_settings(self) -> None:
        self._settings = None

    @staticmethod
    def _open(dialog: QDialog) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()
