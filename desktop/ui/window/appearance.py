"""How the window looks, as the user chose it: theme, zoom, language, list, full screen."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from desktop.settings.settings import Settings, Theme, UiLanguage
from desktop.ui.actions import QT_TR_NOOP, Action, everywhere
from desktop.ui.i18n import LanguageController
from desktop.ui.settings_controller import SettingsController
from desktop.ui.theme.theme import MAX_ZOOM, MIN_ZOOM, ZOOM_STEP

_ZOOM = Settings().zoom_percent


class Appearance(QObject):
    def __init__(
        self, changes: SettingsController, languages: LanguageController, window: QWidget
    ) -> None:
        super().__init__(window)
        self._changes, self._languages, self._window = changes, languages, window

    def records(self) -> Sequence[Action]:
        toggle, is_full = self._toggle_full_screen, self._window.isFullScreen
        title, same = QT_TR_NOOP("Full screen"), QT_TR_NOOP("Same as system")
        compact, changes = QT_TR_NOOP("Compact session list"), self._changes
        is_compact = lambda _: changes.settings.is_list_compact  # noqa: E731
        return [
            self._zooming("zoom_in", QT_TR_NOOP("Zoom in"), "Ctrl++", ZOOM_STEP),
            self._zooming("zoom_out", QT_TR_NOOP("Zoom out"), "Ctrl+-", -ZOOM_STEP),
            self._zooming("zoom_reset", QT_TR_NOOP("Actual size"), "Ctrl+0", None),
            Action("compact_list", compact, "", self._toggle_compact, is_checked=is_compact),
            Action("full_screen", title, "F11", toggle, is_checked=lambda _: is_full()),
            self._coloured(Theme.SYSTEM, same),
            self._coloured(Theme.LIGHT, QT_TR_NOOP("Light")),
            self._coloured(Theme.DARK, QT_TR_NOOP("Dark")),
            # A language is named in its own language, so that anyone can find it.
            self._spoken(UiLanguage.SYSTEM, same),
            self._spoken(UiLanguage.TR, "Türkçe"),
            self._spoken(UiLanguage.EN, "English"),
        ]

    def _coloured(self, theme: Theme, title: str) -> Action:
        choose, changes = partial(self._changes.choose_theme, theme), self._changes
        is_chosen = lambda _: changes.settings.theme is theme  # noqa: E731
        return Action(f"theme {theme}", title, "", choose, is_checked=is_chosen)

    def _spoken(self, language: UiLanguage, title: str) -> Action:
        choose, languages = partial(self._changes.choose_language, language), self._languages
        is_chosen = lambda _: languages.shown_choice is language  # noqa: E731
        return Action(f"language {language}", title, "", choose, is_checked=is_chosen)

    def _zooming(self, act: str, title: str, keys: str, step: int | None) -> Action:
        """Return the action that changes the zoom by a step, or to the usual size."""

        def target() -> int:
            zoom = self._changes.settings.zoom_percent
            return _ZOOM if step is None else min(max(zoom + step, MIN_ZOOM), MAX_ZOOM)

        def zoom() -> None:
            self._changes.apply(replace(self._changes.settings, zoom_percent=target()))

        def is_possible(_: object) -> bool:
            return target() != self._changes.settings.zoom_percent

        return everywhere(act, title, keys, zoom, is_possible)

    def _toggle_compact(self) -> None:
        before = self._changes.settings
        self._changes.apply(replace(before, is_list_compact=not before.is_list_compact))

    def _toggle_full_screen(self) -> None:
        if self._window.isFullScreen():
            self._window.showNormal()
        else:
            self._window.showFullScreen()
