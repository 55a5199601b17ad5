"""Postpones full garbage collections while the program starts.

A full collection holds the interpreter, and with it the window, until every object was looked at:
90 to 210 ms were measured while the core and the SDK are imported, when hardly any is garbage. A
command, which imports the core and is done, takes a seventh less time without them.
"""

import builtins
import gc

import PySide6.QtCore  # noqa: F401 - it is what puts the hook there

_NEVER = 1_000_000_000


class FullCollections:
    """Held from the first import on; young objects are collected as usual."""

    def __init__(self) -> None:
        self._usual = gc.get_threshold()
        self._is_held = False

    def hold(self) -> None:
        young, middle, _ = self._usual
        gc.set_threshold(young, middle, _NEVER)
        self._is_held = True

    def release(self) -> None:
        """Freeze what is loaded, so that no collection visits it again. Any thread may call."""
        if self._is_held:
            self._is_held = False
            gc.freeze()
            gc.set_threshold(*self._usual)


def import_plainly() -> None:
    """Call before anything large is imported; without a hook nothing happens."""
    plain = vars(builtins).get("__orig_import__")
    if plain is not None:
        vars(builtins)["__import__"] = plain
