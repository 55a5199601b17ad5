"""A key for the quick question while another program is in front.

X11 grabs it, the portal of Wayland is asked for it, Windows registers it (untested). On macOS the
system's shortcuts can call `bellek quick`.
"""

import ctypes
import sys
from collections.abc import Callable
from ctypes import POINTER, Structure, c_char_p, c_int, c_uint8, c_uint16, c_uint32, c_void_p
from typing import Any, Self

from PySide6.QtCore import (
    QAbstractNativeEventFilter,
    QByteArray,
    QCoreApplication,
    QObject,
    QSocketNotifier,
    QTimer,
    Signal,
)
from PySide6.QtGui import QGuiApplication

from desktop.settings.settings import Settings
from desktop.ui.session_bus import Results, SessionBus, portal

_MASKS = {"Shift": 1, "Ctrl": 4, "Alt": 8, "Meta": 64}
_LOCKS = (0, 2, 16, 18)  # Caps Lock, Num Lock or both must not block the key
_KEY_PRESS, _ASYNCHRONOUS = 2, 1
_WINDOWS_BITS, _NO_REPEAT = {"Alt": 1, "Ctrl": 2, "Shift": 4, "Meta": 8}, 0x4000
_SHORTCUTS = "GlobalShortcuts"
_OF_PORTAL = {"Shift": "SHIFT", "Ctrl": "CTRL", "Alt": "ALT", "Meta": "LOGO"}
_NUMBER, _HOTKEY_PRESSED = 1, 0x0312


class _Cookie(Structure):
    _fields_ = (("sequence", c_uint32),)


class _Screens(Structure):
    _fields_ = (("data", POINTER(c_uint32)), ("rem", c_int), ("index", c_int))


class _Xcb:
    """The few functions of libxcb; Qt's own plugin needs both libraries, too."""

    def __init__(self) -> None:
        """Raises OSError if a library is missing."""
        xcb, symbols = ctypes.CDLL("libxcb.so.1"), ctypes.CDLL("libxcb-keysyms.so.1")
        self.free = ctypes.CDLL(None).free
        self.free.argtypes = [c_void_p]
        self.connect = _typed(xcb.xcb_connect, c_void_p, c_char_p, c_void_p)
        self.has_error = _typed(xcb.xcb_connection_has_error, c_int, c_void_p)
        self.disconnect = _typed(xcb.xcb_disconnect, None, c_void_p)
        self.descriptor = _typed(xcb.xcb_get_file_descriptor, c_int, c_void_p)
        self.poll = _typed(xcb.xcb_poll_for_event, POINTER(c_uint8), c_void_p)
        self.setup = _typed(xcb.xcb_get_setup, c_void_p, c_void_p)
        self.screens = _typed(xcb.xcb_setup_roots_iterator, _Screens, c_void_p)
        kinds = (c_uint8, c_uint32, c_uint16, c_uint8, c_uint8, c_uint8)
        self.grab = _typed(xcb.xcb_grab_key_checked, _Cookie, c_void_p, *kinds)
        self.check = _typed(xcb.xcb_request_check, c_void_p, c_void_p, _Cookie)
        self.symbols = _typed(symbols.xcb_key_symbols_alloc, c_void_p, c_void_p)
        self.free_symbols = _typed(symbols.xcb_key_symbols_free, None, c_void_p)
        self.codes = _typed(
            symbols.xcb_key_symbols_get_keycode, POINTER(c_uint8), c_void_p, c_uint32
        )

    @classmethod
    def load(cls) -> Self | None:
        try:
            return cls()
        except OSError:
            return None


def _typed(function: Any, result: Any, *arguments: Any) -> Any:  # as ctypes has them
    function.restype, function.argtypes = result, list(arguments)
    return function


class _WindowsKey(QAbstractNativeEventFilter):
    """A thread that registers a key without a window gets the presses in its own queue."""

    def __init__(self, pressed: Callable[[], object]) -> None:
        super().__init__()
        self._pressed = pressed

    def hold(self, keys: str) -> bool:
        *modifiers, name = keys.split("+")
        bits = sum(_WINDOWS_BITS[modifier] for modifier in modifiers) | _NO_REPEAT
        code = ord(name.replace("Space", " "))
        if sys.platform == "win32" and (application := QCoreApplication.instance()):
            application.installNativeEventFilter(self)
            return bool(ctypes.windll.user32.RegisterHotKey(None, _NUMBER, bits, code))
        return False

    def release(self) -> None:
        if sys.platform == "win32":
            ctypes.windll.user32.UnregisterHotKey(None, _NUMBER)

    def nativeEventFilter(
        self, _kind: QByteArray | bytes | bytearray | memoryview, message: int
    ) -> tuple[bool, int]:
        if sys.platform == "win32":
            from ctypes.wintypes import MSG  # noqa: PLC0415 - not everywhere

            if MSG.from_address(int(message)).message == _HOTKEY_PRESSED:
                self._pressed()
        return False, 0


class GlobalKey(QObject):
    """Holds the key on its own connection, whose end releases it."""

    pressed = Signal()
    refused = Signal()  # another program has it, or the display gives none

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._keys = ""
        self._xcb: _Xcb | None = None
        self._connection: int | None = None
        self._notifier: QSocketNotifier | None = None
        self._bus: SessionBus | None = None
        self._windows = _WindowsKey(self.pressed.emit)

    def apply(self, settings: Settings) -> None:
        if settings.quick_key != self._keys:
            self._keys = settings.quick_key
            self.release()
            # The window is painted first.
            QTimer.singleShot(0, self, self._hold)

    def release(self) -> None:
        if self._notifier is not None:
            self._notifier.setEnabled(False)
            self._notifier.deleteLater()
        if self._xcb is not None and self._connection is not None:
            self._xcb.disconnect(self._connection)
        if self._bus is not None:
            self._bus.deleteLater()
        self._notifier = self._connection = self._bus = None
        self._windows.release()

    def _hold(self) -> None:
        if not self._keys or self._connection is not None:
            return
        is_x11 = QGuiApplication.platformName() == "xcb"
        self._xcb = xcb = _Xcb.load() if is_x11 else None
        if xcb is not None:
            self._hold_on_x11(xcb)
        elif bus := SessionBus.open(self):
            self._bus = bus
            self._ask_portal(bus)
        elif not self._windows.hold(self._keys):
            self.refused.emit()

    def _ask_portal(self, bus: SessionBus) -> None:
        """The desktop may ask the user, who may choose another key there."""

        def heard(results: Results | None) -> None:
            if results is None:
                self.refused.emit()

        def bind(results: Results | None) -> None:
            heard(results)
            if not results:
                return
            *modifiers, name = self._keys.split("+")
            keys = "+".join((*(_OF_PORTAL[modifier] for modifier in modifiers), name.lower()))
            shortcut = {
                "description": ("s", self.tr("Quick question")),
                "preferred_trigger": ("s", keys),
            }
            session = results["session_handle"][1]
            arguments: tuple[Any, ...] = (session, [("quick", shortcut)], "", {})
            bus.ask_portal(_SHORTCUTS, "BindShortcuts", "oa(sa{sv})sa{sv}", arguments, heard)

        bus.signalled.connect(self._hear)
        bus.follow(portal(f"portal.{_SHORTCUTS}"))
        options = {"session_handle_token": ("s", "bellek")}
        bus.ask_portal(_SHORTCUTS, "CreateSession", "a{sv}", (options,), bind)

    def _hear(self, member: str) -> None:
        if member == "Activated":
            self.pressed.emit()

    def _hold_on_x11(self, xcb: _Xcb) -> None:
        self._connection = xcb.connect(None, None)
        if xcb.has_error(self._connection) or not self._grab(xcb):
            self.release()
            self.refused.emit()
            return
        kind = QSocketNotifier.Type.Read
        self._notifier = QSocketNotifier(xcb.descriptor(self._connection), kind, self)
        self._notifier.activated.connect(self._read)

    def _grab(self, xcb: _Xcb) -> bool:
        """Grab the key with its modifiers and any lock; return whether that worked."""
        connection = self._connection
        *modifiers, name = self._keys.split("+")
        mask = sum(_MASKS.get(modifier, 0) for modifier in modifiers)
        letter = name.replace("Space", " ").lower()
        root = xcb.screens(xcb.setup(connection)).data[0]
        symbols = xcb.symbols(connection)
        codes = xcb.codes(symbols, ord(letter) if len(letter) == 1 else 0)
        code = codes[0] if codes else 0
        xcb.free(codes)
        xcb.free_symbols(symbols)
        way = (code, _ASYNCHRONOUS, _ASYNCHRONOUS)
        cookies = [xcb.grab(connection, 1, root, mask | lock, *way) for lock in _LOCKS]
        errors = [xcb.check(connection, cookie) for cookie in cookies]
        for error in errors:
            xcb.free(error)
        return bool(code) and not any(errors)

    def _read(self) -> None:
        xcb = self._xcb
        while xcb is not None and self._connection is not None:
            event = xcb.poll(self._connection)
            if not event:
                if xcb.has_error(self._connection):
                    self.release()
                return
            is_press = event[0] & 0x7F == _KEY_PRESS
            xcb.free(event)
            if is_press:
                self.pressed.emit()
