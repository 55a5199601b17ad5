"""Walks through a window as a screen reader does."""

from collections.abc import Iterator

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QWidget

_MOST = 60
"""Of the rows of one list: the others are as these are."""
_HOLDS = {
    QAccessible.Role.Window,
    QAccessible.Role.Pane,
    QAccessible.Role.LayeredPane,
    QAccessible.Role.Client,
    QAccessible.Role.Border,
    QAccessible.Role.Grouping,
    QAccessible.Role.Separator,
    QAccessible.Role.ScrollBar,
    QAccessible.Role.Splitter,
    QAccessible.Role.Grip,
}
"""Hold, part or move others and say nothing by themselves, where the keyboard cannot stand."""
_SHOWS = {QAccessible.Role.StaticText, QAccessible.Role.Graphic, QAccessible.Role.TreeItem}
"""Are what they say: those without words, such as a lens, are there for the eye alone."""


def nameless(window: QWidget) -> set[str]:
    """Visible or focusable widgets without a name."""
    return {
        _told(each)
        for each in _walked(QAccessible.queryAccessibleInterface(window))
        if _lacks(each)
    }


def badly_described(window: QWidget) -> set[str]:
    """Widgets described with markup, or by their name a second time."""
    return {
        f"{_told(each)}: {described}"
        for each in _walked(QAccessible.queryAccessibleInterface(window))
        if (described := each.text(QAccessible.Text.Description).strip())
        and ("<qt>" in described or described == each.text(QAccessible.Text.Name).strip())
    }


def _walked(each: QAccessibleInterface) -> Iterator[QAccessibleInterface]:
    if each.state().invisible:
        return
    yield each
    for child in _children(each):
        if child is not None and child.isValid():
            yield from _walked(child)


def _children(each: QAccessibleInterface) -> list[QAccessibleInterface | None]:
    return [each.child(place) for place in range(min(each.childCount(), _MOST))]


def _lacks(each: QAccessibleInterface) -> bool:
    if each.text(QAccessible.Text.Name).strip():
        return False
    if each.role() in _SHOWS:
        return bool(each.text(QAccessible.Text.Value).strip())
    is_reached = isinstance(each.object(), QWidget) and bool(each.state().focusable)
    return is_reached or each.role() not in _HOLDS


def _told(each: QAccessibleInterface) -> str:
    names: list[str] = []
    thing: QObject | None = each.object()
    while thing is not None:
        names.append(type(thing).__name__)
        thing = thing.parent()
    return f"{each.role().name}: {' in '.join(names[:3])}"
