"""Applies changes of the settings at once and saves them in the background."""

from collections.abc import Callable
from dataclasses import fields, replace
from enum import IntEnum

from PySide6.QtCore import QObject, Signal

from desktop.domain.language import Language
from desktop.settings.messages import SETTING_WORDS, Texts
from desktop.settings.settings import Settings, Theme, UiLanguage
from desktop.ui.turn_bridge import TurnBridge

PageId = IntEnum(
    "PageId",
    "GENERAL MODELS SESSIONS MEMORY INSTRUCTIONS RESEARCH TOOLS PROGRAMS PRIVACY SHORTCUTS "
    "ENDPOINT PHRASES",
    start=0,
)
"""The pages of the settings in their order. Those after the shortcuts are subpages.

Here, because the window needs it at start, where the dialog would be slow to import.
"""


class SettingsController(QObject):
    """Holds the current settings for the window and emits `changed` when they change.

    One write runs at a time, and the next includes all changes made meanwhile, so two workers
    never race over the last value.
    """

    changed = Signal(object)  # Settings
    language_chosen = Signal(object)
    """UiLanguage, even if it is set already: the command line may have chosen another one"""
    in_force = Signal(object)
    """Settings that the services read from now on, which is later than `changed`"""
    saved = Signal()
    save_failed = Signal(object)  # AppError

    def __init__(
        self,
        settings: Settings,
        save: Callable[..., object],
        bridge: TurnBridge,
        parent: QObject | None = None,
        *,
        language: Callable[[], Language] = lambda: Language.EN,
    ) -> None:
        """`save` is the store's `change`; it takes changed fields by name and runs on a worker.

        `language`: the window's; English, as the code, until it has one.
        """
        super().__init__(parent)
        self._settings = settings
        self._written = settings
        self._save = save
        self._bridge = bridge
        self._language = language
        self._is_saving = False

    @property
    def settings(self) -> Settings:
        return self._settings

    def words(self) -> Texts:
        """Return the words of the settings and their pages in the window's language."""
        return Texts(self._language(), file=SETTING_WORDS)

    def apply(self, settings: Settings) -> None:
        if settings == self._settings:
            return
        self._settings = settings
        self.changed.emit(settings)
        self._write()

    def take(self, settings: Settings) -> None:
        """Show settings that were read from the disk, and save nothing."""
        self._settings = self._written = settings
        self.changed.emit(settings)
        self.in_force.emit(settings)

    def refresh(self) -> None:
        """Take what another process has saved, unless the user changes something meanwhile."""
        before = self._settings

        def take(settings: object) -> None:
            is_settled = self._settings is before is self._written and not self._is_saving
            if is_settled and isinstance(settings, Settings) and settings != before:
                self.take(settings)

        self._bridge.run(self._save, take)

    def choose_language(self, language: UiLanguage) -> None:
        self.language_chosen.emit(language)
        self.apply(replace(self._settings, language=language))

    def choose_theme(self, theme: Theme) -> None:
        self.apply(replace(self._settings, theme=theme))

    def _write(self) -> None:
        if self._is_saving or self._settings == self._written:
            return
        self._is_saving = True
        settings = self._settings
        # Save only the changed fields, so that changes of another window are kept.
        changed = {
            field.name: getattr(settings, field.name)
            for field in fields(Settings)
            if getattr(settings, field.name) != getattr(self._written, field.name)
        }

        def done(_: object) -> None:
            self._written = settings
            self.saved.emit()

        def settle() -> None:
            self._is_saving = False
            self.in_force.emit(settings)  # also if the disk refused them
            if self._settings != settings:
                self._write()

        self._bridge.run(lambda: self._save(**changed), done, self.save_failed.emit, settle)
