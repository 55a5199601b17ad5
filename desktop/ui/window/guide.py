"""The user's guide as a page of the window."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QLayout, QWidget

from desktop.settings.paths import asset
from desktop.ui.actions import QT_TR_NOOP, Action, everywhere
from desktop.ui.dialogs.form import RebuiltView
from desktop.ui.dialogs.information_dialogs import BodyArea
from desktop.ui.i18n import LanguageController
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.layouts import STRETCH, column, growing, row


class GuidePage(RebuiltView):
    act = "guide"
    shortcuts_wanted = Signal()

    def __init__(
        self, languages: LanguageController, theme: ThemeController, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._languages, self._theme = languages, theme
        self.rebuild()
        theme.theme_changed.connect(self.rebuild)

    def open_at(self) -> None:
        self.come()
        self.area.setFocus(Qt.FocusReason.OtherFocusReason)  # the scroll keys work at once

    def _build(self) -> QLayout:
        self.setWindowTitle(self.tr("User’s guide"))
        guide = asset("resources", "guide", f"{self._languages.language.value}.md")
        self.area = BodyArea(self._theme, guide.read_text("utf-8"), self.windowTitle())
        keys = Button(text=self.tr("Keyboard &shortcuts"), press=self.shortcuts_wanted.emit)
        parts = (growing(self.area), row(keys, STRETCH))
        return column(*parts, spacing=Space.MEDIUM, margin=Space.WIDE)


class GuideController(QObject):
    page_made = Signal(object)  # View that needs its place in the window
    shortcuts_wanted = Signal()

    def __init__(
        self, window: QWidget, theme: ThemeController, languages: LanguageController
    ) -> None:
        super().__init__(window)
        self._window, self._theme, self._languages = window, theme, languages
        self.page: GuidePage | None = None

    def records(self) -> Sequence[Action]:
        return (everywhere("guide", QT_TR_NOOP("User’s guide"), "F1", self.open),)

    def open(self) -> None:
        if self.page is None:
            self.page = GuidePage(self._languages, self._theme, self._window)
            self.page_made.emit(self.page)
            self.page.shortcuts_wanted.connect(self.shortcuts_wanted)
        self.page.open_at()
