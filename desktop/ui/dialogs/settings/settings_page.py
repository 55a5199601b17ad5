"""A page over the settings that are kept: it shows them, and puts each change in force at once."""

from abc import abstractmethod
from dataclasses import replace

from PySide6.QtWidgets import QWidget

from desktop.settings.settings import Settings
from desktop.ui.dialogs.form import Page
from desktop.ui.dialogs.settings.settings_controller import SettingsController


class SettingsPage(Page):
    def __init__(self, changes: SettingsController, parent: QWidget | None = None) -> None:
        """Whoever inherits from it calls `_begin` once what it is built from is there."""
        super().__init__(self.retranslate, parent)
        self._changes = changes

    @abstractmethod
    def retranslate(self) -> None: ...

    @abstractmethod
    def _build(self) -> None: ...

    def _connect(self) -> None:
        """Nothing, where nothing on the page is pressed."""

    @abstractmethod
    def _show(self, settings: Settings) -> None: ...

    def _begin(self) -> None:
        self._build()
        self._connect()
        self._changes.changed.connect(self._show)
        self.retranslate()
        self._show(self._changes.settings)

    def _put(self, **changes: object) -> None:
        self._changes.apply(replace(self._changes.settings, **changes))  # type: ignore[arg-type]  # by name
