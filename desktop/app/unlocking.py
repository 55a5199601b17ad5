"""Asks for the passphrase of an encrypted profile or backup, before anything of it is opened."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.domain.errors import AppError
from desktop.settings.messages import Texts
from desktop.settings.paths import DEFAULT_PROFILE
from desktop.ui.theme.theme import ThemeController
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.widgets.layouts import keep_on_screen
from desktop.ui.window.unlock import UnlockWindow

if TYPE_CHECKING:
    from desktop.settings.encryption import KeyFile, ProfileKey


class Unlocking(QObject):
    unlocked = Signal(object)  # ProfileKey
    left = Signal()  # the user does not want to

    def __init__(
        self,
        locked: Path,
        theme: ThemeController,
        bridge: TurnBridge,
        texts: Texts,
        *,
        is_backup: bool = False,
    ) -> None:
        """`locked`: the folder of a profile, or a backup."""
        super().__init__(bridge)
        name = "" if locked.name == DEFAULT_PROFILE else locked.name
        self.window = UnlockWindow(theme, name, is_backup=is_backup)
        self._locked, self._is_backup = locked, is_backup
        self._bridge, self._texts = bridge, texts
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

    def _file(self) -> "KeyFile":
        from desktop.settings.encryption import KeyFile  # noqa: PLC0415 - for these profiles alone

        return (KeyFile.beside if self._is_backup else KeyFile.of_profile)(self._locked)

    def _kept(self) -> "ProfileKey | None":  # worker thread
        from desktop.settings.keys import KeyringKeys  # noqa: PLC0415 - as above

        return self._file().kept(KeyringKeys(profile=self._locked.name))

    def _take(self, key: "ProfileKey | None") -> None:
        if key is None:
            self.ask()
        else:
            self._end(key)

    def _try(self, passphrase: str) -> None:
        self._bridge.run(lambda: self._file().unlock(passphrase), self._end, self._show)

    def _show(self, error: AppError) -> None:
        self.window.show_problem(self._texts.error(error))

    def _end(self, key: "ProfileKey") -> None:
        self.window.dismiss()
        self.unlocked.emit(key)
