"""Locks an encrypted profile when the user is idle or the system locks; asks for its passphrase.

Linux reports sleep, a locked session and the screen saver over D-Bus. Windows sends messages,
macOS is polled every few seconds (both untested). A sleep that is not announced shows as a leap of
the clock.
"""

import ctypes
import logging
import sys
from collections.abc import Callable
from ctypes import c_char_p, c_uint32, c_void_p
from ctypes.wintypes import MSG
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractNativeEventFilter,
    QByteArray,
    QEvent,
    QObject,
    QSize,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import QCloseEvent, QIcon, QWindow
from PySide6.QtWidgets import QApplication, QWidget

from desktop.domain.errors import AppError
from desktop.settings.messages import Texts
from desktop.settings.paths import DEFAULT_PROFILE, asset
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import ICON_SIZE, Space
from desktop.ui.timers import make_timer
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import SecretField
from desktop.ui.widgets.layouts import (
    STRETCH,
    GrowthFilter,
    at_left,
    column,
    keep_on_screen,
    row,
    text_width,
)
from desktop.ui.widgets.plain_text import (
    BodyLabel,
    HintLabel,
    Label,
    ProblemLabel,
    TitleLabel,
    announce,
)

if TYPE_CHECKING:
    from desktop.settings.encryption import KeyFile, ProfileKey

_MS_A_MINUTE = 60_000
_CHARACTERS = 52
_PICTURE = 3 * ICON_SIZE
_TYPED = (
    QEvent.Type.KeyPress,
    QEvent.Type.MouseButtonPress,
    QEvent.Type.MouseMove,
    QEvent.Type.Wheel,
    QEvent.Type.InputMethod,
)
_LOOK_S, _LEAP_S = 5, 30
_LOGIN = "org.freedesktop.login1"
_SAVERS = ("org.freedesktop.ScreenSaver", "org.gnome.ScreenSaver")
_SWITCHED: Any = "1switched(bool)"  # the stubs want bytes, Qt a str
_LOCKED: Any = "1locked()"


_WINDOWS_LOCKS = {
    (0x0218, 4),  # WM_POWERBROADCAST, PBT_APMSUSPEND: sent to every window
    (0x02B1, 7),  # WM_WTSSESSION_CHANGE, WTS_SESSION_LOCK: to those that registered
}
_MAC_LIBRARY = "/System/Library/Frameworks/{0}.framework/{0}"
_UTF8 = 0x0800_0100

log = logging.getLogger(__name__)


class WindowsLocks(QAbstractNativeEventFilter):
    """Untested on Windows. Its documentation: WM_WTSSESSION_CHANGE, WM_POWERBROADCAST."""

    def __init__(self, on_lock: Callable[[], None]) -> None:
        super().__init__()
        self._on_lock = on_lock
        self._window = QWindow()  # never shown

    def listen(self, app: QApplication) -> None:
        app.installNativeEventFilter(self)
        if sys.platform == "win32":
            self._window.create()
            register = ctypes.WinDLL("wtsapi32").WTSRegisterSessionNotification
            register.argtypes = [c_void_p, c_uint32]
            if not register(int(self._window.winId()), 0):  # 0: of this session
                raise OSError("WTSRegisterSessionNotification")

    def nativeEventFilter(
        self, _kind: QByteArray | bytes | bytearray | memoryview, message: int
    ) -> tuple[bool, int]:
        sent = MSG.from_address(int(message))
        if (sent.message, sent.wParam) in _WINDOWS_LOCKS:
            QTimer.singleShot(0, self._on_lock)  # Windows waits for this function
        return False, 0


class _MacScreen:
    """Untested on macOS. The session's dictionary has the key only while its screen is locked."""

    def __init__(self) -> None:
        """Raises OSError, AttributeError or ValueError on a macOS without these functions."""
        core = ctypes.CDLL(_MAC_LIBRARY.format("CoreFoundation"))
        graphics = ctypes.CDLL(_MAC_LIBRARY.format("CoreGraphics"))
        self._session = graphics.CGSessionCopyCurrentDictionary
        self._value = core.CFDictionaryGetValue
        self._release, text = core.CFRelease, core.CFStringCreateWithCString
        self._session.restype = self._value.restype = text.restype = c_void_p
        self._session.argtypes, self._value.argtypes = [], [c_void_p, c_void_p]
        self._release.argtypes, self._release.restype = [c_void_p], None
        text.argtypes = [c_void_p, c_char_p, c_uint32]
        self._no = c_void_p.in_dll(core, "kCFBooleanFalse").value
        self._key = text(None, b"CGSSessionScreenIsLocked", _UTF8)

    def is_locked(self) -> bool:
        if not (session := self._session()):  # nobody is logged in at the screen
            return False
        value = self._value(session, self._key)
        self._release(session)
        return value not in (None, self._no)


class LockWatch(QObject):
    lock_wanted = Signal()  # the profile should be locked

    def __init__(
        self, app: QApplication, parent: QObject, now: Callable[[], float] = time
    ) -> None:
        """`now`: the wall clock, in seconds; it runs on while the system sleeps."""
        super().__init__(parent)
        self._app = app
        self._minutes = self._left = 0
        self._tick = make_timer(self, _MS_A_MINUTE, self.count_minute)
        self._now, self._looked_at = now, now()
        self._mac: _MacScreen | None = None
        make_timer(self, _LOOK_S * 1000, self.look).start()
        try:
            self._listen()
        except (OSError, AttributeError, ValueError) as exc:
            log.warning("the locks of the system are not heard: %s", type(exc).__name__)

    def _listen(self) -> None:
        if sys.platform == "win32":
            self._windows = WindowsLocks(self.locked)
            self._windows.listen(self._app)
        if sys.platform == "darwin":
            self._mac = _MacScreen()
        if sys.platform == "linux":
            from PySide6.QtDBus import QDBusConnection  # noqa: PLC0415 - only Linux has it

            system, session = QDBusConnection.systemBus(), QDBusConnection.sessionBus()
            system.connect("", "", f"{_LOGIN}.Manager", "PrepareForSleep", self, _SWITCHED)
            system.connect("", "", f"{_LOGIN}.Session", "Lock", self, _LOCKED)
            for saver in _SAVERS:
                session.connect("", "", saver, "ActiveChanged", self, _SWITCHED)

    def look(self) -> None:
        """Lock if the system slept since the last look, or its screen is locked."""
        passed = self._now() - self._looked_at
        self._looked_at += passed
        if passed > _LOOK_S + _LEAP_S or (self._mac is not None and self._mac.is_locked()):
            self.lock_wanted.emit()

    def apply(self, minutes: int) -> None:
        """Lock after that many minutes without input; 0 means never."""
        self._minutes = self._left = minutes
        if minutes:
            self._tick.start()
        else:
            self._tick.stop()

    def count_minute(self) -> None:
        self._left -= 1
        if self._left < 0:
            self._tick.stop()
            self.lock_wanted.emit()
        # Only until the next input, as a filter in Python sees every event of the program.
        self._app.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _TYPED:
            self._app.removeEventFilter(self)
            self._left = self._minutes
        return super().eventFilter(watched, event)

    @Slot(bool)
    def switched(self, is_on: bool) -> None:  # noqa: FBT001 (comes from D-Bus)
        if is_on:
            self.lock_wanted.emit()

    @Slot()
    def locked(self) -> None:
        self.lock_wanted.emit()


class UnlockWindow(QWidget):
    """Sets its texts once: no language can be chosen while it is open."""

    secret_entered = Signal(str)  # The passphrase, or the recovery key
    left = Signal()  # The user does not want to unlock it

    def __init__(self, theme: ThemeController, name: str, *, is_backup: bool = False) -> None:
        """`name`: of the backup, or of the profile if there are several."""
        super().__init__()
        self._is_done = False
        self.setWindowTitle(f"{name} – Bellek" if name else "Bellek")
        self.field = SecretField(self.tr("Passphrase"))
        self.unlock = Button("primary", text=self.tr("&Unlock"), press=self._give)
        self._quit = Button(text=self.tr("&Quit"), press=self.close)
        self._problem, self._state = ProblemLabel(), HintLabel()
        self._build(name, is_backup=is_backup)
        self.field.line.returnPressed.connect(self._give)
        self.field.line.textChanged.connect(self._allow)
        self._problem.follow(self.field.line)
        theme.theme_changed.connect(self.update)
        self._allow()

    def show_problem(self, words: str) -> None:
        self.setEnabled(True)
        self._state.setText("")
        self._problem.set_text(words)
        announce(self, words, is_urgent=True)
        self.field.clear()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def dismiss(self) -> None:
        """Close it because the profile is open."""
        self._is_done = True
        self.field.clear()
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        event.accept()
        if not self._is_done:
            self._is_done = True
            self.left.emit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _build(self, name: str, *, is_backup: bool) -> None:
        picture = Label()
        picture.setAccessibleName("Bellek")
        icon = QIcon(str(asset("resources", "icons", "bellek.svg")))
        picture.setPixmap(icon.pixmap(QSize(_PICTURE, _PICTURE), self.devicePixelRatio()))
        title = self.tr("Bellek is locked")
        words = self.tr("Enter your passphrase to open your sessions.")
        if is_backup:
            title = self.tr("The backup “{name}” is locked").format(name=name)
            words = self.tr(
                "Enter the passphrase that its profile had when the backup was written."
            )
        elif name:
            title = self.tr("The profile “{name}” is locked").format(name=name)
        whole = (
            at_left(picture),
            TitleLabel(title),
            BodyLabel(words),
            self.field,
            self._problem,
            HintLabel(self.tr("If you have forgotten it, enter your recovery key.")),
            self._state,
            STRETCH,
            row(STRETCH, self._quit, self.unlock),
        )
        self.setLayout(column(*whole, spacing=Space.MEDIUM, margin=Space.LARGE))
        self.setMinimumWidth(text_width(self, _CHARACTERS))
        GrowthFilter(self)

    def _allow(self) -> None:
        self.unlock.setEnabled(bool(self.field.line.text()))

    def _give(self) -> None:
        if passphrase := self.field.line.text():
            self._problem.set_text("")
            self._state.setText(self.tr("Opening…"))
            self.setEnabled(False)
            self.secret_entered.emit(passphrase)


class Unlocking(QObject):
    """Asks for the passphrase before anything of a profile or backup is opened."""

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
        self.window.secret_entered.connect(self._try)
        self.window.left.connect(self.left)

    def begin(self, *, asks: bool) -> None:
        """`asks`: always ask, even if the keyring holds the key."""
        if asks:
            self.ask()
        else:
            self._bridge.run(self._key_from_keyring, self._take, lambda _: self.ask())

    def ask(self) -> None:
        """Show the window, or bring it to the front."""
        keep_on_screen(self.window)
        self.window.show()
        self.window.raise_()
        self.window.activateWindow()

    def _file(self) -> "KeyFile":
        from desktop.settings.encryption import KeyFile  # noqa: PLC0415 - for these profiles alone

        return (KeyFile.of_backup if self._is_backup else KeyFile.of_profile)(self._locked)

    def _key_from_keyring(self) -> "ProfileKey | None":  # worker thread
        from desktop.settings.keys import KeyringKeys  # noqa: PLC0415 - as above

        return self._file().key_from_keyring(KeyringKeys(profile=self._locked.name))

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
