"""Sizes that follow the text at every zoom, and the screen there is."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QStyle, QWidget


def width_of(widget: QWidget, characters: int) -> int:
    """So wide that the text has room at every zoom."""
    return characters * widget.fontMetrics().averageCharWidth()


def fit(dialog: QWidget, width: int, height: int) -> None:
    """Give the dialog this size, or as much of it as the screen has."""
    area = dialog.screen().availableGeometry()
    dialog.resize(min(width, area.width()), min(height, area.height()))


def keep_on_screen(window: QWidget) -> None:
    """No larger than the screen, which may be a smaller one than last time."""
    if window.isMaximized() or window.isFullScreen():
        return
    area = window.screen().availableSize()
    title = window.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight)
    window.resize(window.size().boundedTo(QSize(area.width(), area.height() - title)))
