"""Removes the import hook that PySide installs.

With it PySide reads the source of every module that is imported from then on, to see whether it
uses snake_case names for Qt's, which none here does. That took a sixth of the start, and a third
of the SDK's import, which competes with the interface thread.
"""

import builtins

import PySide6.QtCore  # noqa: F401 - it is what puts the hook there


def import_plainly() -> None:
    """Call before anything large is imported; without a hook nothing happens."""
    plain = vars(builtins).get("__orig_import__")
    if plain is not None:
        vars(builtins)["__import__"] = plain
