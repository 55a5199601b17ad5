"""Logs exceptions that nobody caught, and tells the user."""

import logging
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType

log = logging.getLogger(__name__)


@contextmanager
def bugs_told(tell: Callable[[str], object]) -> Iterator[None]:
    """Any thread may meet one; `tell` hears the name of the exception, on that thread."""

    def hear(kind: type[BaseException], bug: BaseException, way: TracebackType | None) -> None:
        if issubclass(kind, Exception):
            log.error("something broke", exc_info=(kind, bug, way))
            tell(kind.__name__)
        sys.__excepthook__(kind, bug, way)

    def hear_in_thread(met: threading.ExceptHookArgs) -> None:
        if met.exc_value is not None:
            hear(met.exc_type, met.exc_value, met.exc_traceback)

    before, before_in_threads = sys.excepthook, threading.excepthook
    sys.excepthook, threading.excepthook = hear, hear_in_thread
    try:
        yield
    finally:
        sys.excepthook, threading.excepthook = before, before_in_threads
