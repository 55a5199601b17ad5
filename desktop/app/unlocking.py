"""Asks for the passphrase of an encrypted profile, before anything of it is opened."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.domain.errors import AppError
from desktop.settings.messages import Texts
from desktop.settings.paths import DEFAULT_PROFILE, ProfilePaths
from desktop.ui.theme.theme import ThemeController
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.widgets.layouts import keep_on_screen
from desktop.ui.window.unlock import UnlockWindow

if TYPE_CHECKING:
    from desktop.settings.encryption import ProfileKey


class Unlocking(QObject):
    unlocked = Signal(object)  # ProfileKey
    left = Signal()  # the user does not want to

    def __init__(
        self, profile: ProfilePaths, theme: ThemeController, bridge: TurnBridge, texts: Texts
    ) -> None:
        super().__init__(bridge)
        name = profile.folder.name
        self.window = UnlockWindow(theme, "" if name == DEFAULT_PROFILE else name)
        self._folder, self._bridge, self._texts = profile.folder, bridge, texts
        self.window.given.connect(self._try)
        self.window.left.connect(self.left)

    def begin(self, *, asks: bool) -> None:
        """`asks`: in any case, even if the keyring holds the key."""
        if asks:
            self.ask()
        else:
            self._bridge.run(self._kept, self._take, lambda _: self.ask())

    def ask(self) -> None:
        """Show the window, or bring it to the front."""
        keep_on_screen(self.window)
        self.window.show()
        self.window.raise_()
        self.window.activateWindow()

    def _kept(self) -> "ProfileKey | None":  # worker thread
        from desktop.settings.encryption import KeyFile  # noqa: PLC0415 - for these profiles alone
        from desktop.settings.keys import KeyringKeys  # noqa: PLC0415 - the same

        return KeyFile.of_profile(self._folder).kept(KeyringKeys(profile=self._folder.name))

    def _take(self, key: "ProfileKey | None") -> None:
        if key is None:
            self.ask()
        else:
            self._end(key)

    def _try(self, passphrase: str) -> None:
        def work() -> "ProfileKey":
            from desktop.settings.encryption import KeyFile  # noqa: PLC0415 - as above

            return KeyFile.of_profile(self._folder).unlock(passphrase)

        self._bridge.run(work, self._end, self._show)

    def _show(self, error: AppError) -> None:
        self.window.show_problem(self._texts.error(error))

    def _end(self, key: "ProfileKey") -> None:
        self.window.dismiss()
        self.unlocked.emit(key)
