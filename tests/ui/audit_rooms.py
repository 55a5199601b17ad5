"""What a person would see in the rooms of a state: empty or crowded."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QLocale, QPoint, QRect
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QCalendarWidget,
    QLabel,  # noqa: TID251
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QTableWidget,
    QTreeWidget,
    QWidget,
)

from desktop.ui.settings.setting_rows import SettingsPage
from desktop.ui.widgets.plain_text import SectionLabel, TitleLabel
from tests.narrowing import present

_CODE = ('{\n  "', "Traceback (most recent call last)")
_APART = 20
"""Pixels that a section needs above it, to be more than the next row"""


def faults_of(shown: Sequence[QWidget]) -> set[str]:
    """Return what is wrong with the room of widgets, and with the language of their numbers."""
    return {
        *(f"locale: {_name(one)}" for one in shown if _is_of_another_country(one)),
        *(f"blank list: {_name(one)}" for one in shown if _is_blank(one)),
        *(f"code: {_name(one)}" for one in shown if _is_ragged_code(one)),
        *(
            f"crowded: {one.text()}"
            for page in shown
            if isinstance(page, SettingsPage)
            for one in _crowded(page)
        ),
    }


def _name(widget: QWidget) -> str:
    return f"{type(widget).__name__} {widget.accessibleName() or widget.windowTitle()!r}"


def _is_of_another_country(widget: QWidget) -> bool:
    """Whether it writes numbers and days in a language that the window does not speak."""
    is_writing = isinstance(widget, QAbstractSpinBox | QCalendarWidget)
    return is_writing and widget.locale().language() is not QLocale().language()


def _is_blank(widget: QWidget) -> bool:
    """Whether it is a frame around nothing, where a sentence should say what will be there."""
    match widget:
        case QListWidget():
            return not widget.count()
        case QTableWidget():
            return not widget.rowCount()
        case QTreeWidget():
            return not widget.topLevelItemCount()
        case _:
            return False


def _is_ragged_code(widget: QWidget) -> bool:
    if not isinstance(widget, QPlainTextEdit) or not widget.toPlainText().startswith(_CODE):
        return False
    fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    return widget.document().defaultFont().family() != fixed.family()


def _crowded(page: SettingsPage) -> Iterator[SectionLabel]:
    """Yield the sections that stand as close to what is above as a row does."""
    content = present(page.widget())
    kinds = (QLabel, QAbstractButton, QLineEdit, QPlainTextEdit)
    leaves = [one for one in content.findChildren(QWidget) if isinstance(one, kinds)]
    areas = {
        one: QRect(one.mapTo(content, QPoint()), one.size())
        for one in leaves
        if one.isVisibleTo(content) and not one.size().isEmpty()
    }
    for one, area in areas.items():
        above = [
            (area.top() - each.bottom(), other)
            for other, each in areas.items()
            if other is not one and each.bottom() < area.top()
        ]
        if not isinstance(one, SectionLabel) or not above:
            continue
        gap, nearest = min(above, key=lambda pair: pair[0])
        if gap < _APART and not isinstance(nearest, TitleLabel):
            yield one
