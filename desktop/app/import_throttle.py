"""Throttles imports in the background while the window is busy.

A thread that imports holds the interpreter half of the time: opening a session took three times
as long meanwhile. Between two modules it can wait.
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from threading import Event, get_ident
from time import monotonic
from types import ModuleType

_LONGEST_PAUSE_S = 0.06
"""The window may need one of the modules that are half imported."""
_LONGEST_S = 3.0
"""The longest wait in total."""


@contextmanager
def throttled_imports(quiet: Event) -> Iterator[None]:
    """Pause the imports of this thread while `quiet` is not set; other threads go on."""
    finder = _Pause(quiet)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


class _Pause(MetaPathFinder):
    """A finder that only waits: it is asked first for every module, and finds none."""

    def __init__(self, quiet: Event) -> None:
        self._quiet = quiet
        self._thread = get_ident()
        self._left_s = _LONGEST_S

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        del fullname, path, target
        if get_ident() == self._thread and self._left_s > 0 and not self._quiet.is_set():
            began = monotonic()
            self._quiet.wait(min(_LONGEST_PAUSE_S, self._left_s))
            self._left_s -= monotonic() - began
        return None
