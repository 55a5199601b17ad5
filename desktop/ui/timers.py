"""Timers that can be made in every locale."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer


def make_timer(
    parent: QObject,
    interval_ms: int,
    on_timeout: Callable[[], object] | None = None,
    *,
    is_single: bool = False,
) -> QTimer:
    """Return a timer that is not running yet.

    WORKAROUND PySide6 6.11: for a property given as a keyword it builds the setter's name with the
    C library's toupper, which turns an i into İ in a Turkish locale, and raises AttributeError:
    no property that begins with an i may be given so. A test looks for such keywords; delete this
    when it passes without this in tr_TR.UTF-8.
    """
    timer = QTimer(parent)
    timer.setInterval(interval_ms)
    timer.setSingleShot(is_single)
    if on_timeout is not None:
        timer.timeout.connect(on_timeout)
    return timer
