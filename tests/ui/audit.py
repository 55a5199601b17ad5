"""What a person would see go wrong in what is shown: one walk over the widgets of a state."""

import re
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from functools import cache
from itertools import combinations

from PySide6.QtCore import QLocale, QPoint, QPointF, QRect, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QCalendarWidget,
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QLineEdit,
    QListWidget,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QScrollBar,
    QStyle,
    QStyleOptionButton,
    QStyleOptionComboBox,
    QStyleOptionFrame,
    QTabBar,
    QTableWidget,
    QTextEdit,
    QToolButton,
    QTreeWidget,
    QWidget,
)

from desktop.settings.paths import asset
from desktop.ui.widgets.plain_text import ElidedLabel, Label, MessageBox
from desktop.ui.widgets.search_fields import SearchField
from tests.ui import audit_rooms
from tests.ui.read_aloud import badly_described, nameless

_RAW = re.compile(r"<[a-zA-Z/!]|&(?!&)|%L?n\b")
_SLACK = 2  # Pixels that nobody misses
_LETTER = 6
"""Pixels of two texts over each other that can be seen"""
_MOST_ROWS = 200
_OVER = {"Palette", "MessageBar", "SideTabs", "Sidebar"}
"""Lie over others on purpose, where there is no room beside them."""
_QT_MADE = (QFileDialog, QCalendarWidget, QDialogButtonBox)


def size(width: int, height: int) -> QSize:
    return QSize(width, height)


def windows() -> list[QWidget]:
    found = QApplication.topLevelWidgets()
    return [one for one in found if one.isVisible() and not isinstance(one, QFileDialog)]


def shown_in(window: QWidget) -> list[QWidget]:
    inside = [one for one in window.findChildren(QWidget) if one.window() is window]
    return [window, *(one for one in inside if one.isVisible())]


def path_of(widget: QWidget) -> str:
    names = [type(one).__name__ for one in (widget, *_above(widget))][:4]
    words = text_of(widget) or widget.accessibleName()
    return f"{' < '.join(names)} {words[:50]!r}"


def text_of(widget: QWidget) -> str:
    if isinstance(widget, QAbstractButton):
        return QAbstractButton.text(widget)  # as it is broken into lines
    if isinstance(widget, Label | QLineEdit):
        return widget.text()
    if isinstance(widget, QComboBox):
        option = QStyleOptionComboBox()
        widget.initStyleOption(option)
        return option.currentText  # as it is shortened
    return ""


def faults_of(window: QWidget) -> set[str]:
    """Return what can be seen to be wrong in a window, as it is now."""
    shown = shown_in(window)
    found = {f"raw: {path_of(one)}: {words}" for one in shown for words in _raw(one)}
    found |= {f"language: {path_of(one)}: {words}" for one in shown for words in foreign(one)}
    found |= {f"cut: {path_of(one)}" for one in shown if _is_cut(one)}
    lists = [one for one in shown if isinstance(one, QListWidget | QTableWidget | QTreeWidget)]
    found |= {f"bare: {path_of(one)}" for one in lists if not one.property("role")}
    found |= {f"out of sight: {path_of(one)}" for one in shown if _is_out_of_sight(one, window)}
    found |= {f"order: {path_of(one)}" for one in shown if _is_before_cancel(one, shown)}
    found |= audit_rooms.faults_of(shown)
    seen: dict[QWidget, QRect] = {}
    for one in shown:
        if (text_of(one) or isinstance(one, QTextEdit | QPlainTextEdit)) and (
            (area := _seen(one, window)) is not None
        ):
            seen[one] = area
            if area.isEmpty():
                found.add(f"no area: {path_of(one)}")
    return found | set(_overlaps(seen))


def _seen(widget: QWidget, window: QWidget) -> QRect | None:
    """Return the part that is not cut off; None if it is scrolled away."""
    area = QRect(widget.mapTo(window, QPoint()), widget.size())
    for above in _above(widget):
        scrolls = isinstance(above.parentWidget(), QAbstractScrollArea)
        area &= QRect(above.mapTo(window, QPoint()), above.size())
        if area.isEmpty():
            return None if scrolls and not widget.size().isEmpty() else QRect()
    return area


def _is_out_of_sight(widget: QWidget, window: QWidget) -> bool:
    """Whether a part of a control lies where nothing scrolls to it."""
    is_control = isinstance(widget, QAbstractButton | QLineEdit | QComboBox | QAbstractSpinBox)
    if not is_control and not (isinstance(widget, Label) and widget.text()):
        return False
    scrolls_across, scrolls_down = False, False
    for above in _above(widget):
        area = QRect(widget.mapTo(above, QPoint()), widget.size())
        scroll = above.parentWidget()
        if isinstance(scroll, QAbstractScrollArea) and scroll.viewport() is above:
            never = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
            scrolls_across |= scroll.horizontalScrollBarPolicy() is not never
            scrolls_down |= scroll.verticalScrollBarPolicy() is not never
        across = max(-area.left(), area.right() - above.rect().right())
        down = max(-area.top(), area.bottom() - above.rect().bottom())
        if (across > _SLACK and not scrolls_across) or (down > _SLACK and not scrolls_down):
            return True
    return False


def _is_before_cancel(widget: QWidget, shown: list[QWidget]) -> bool:
    """Whether the button that accepts stands left of the one that does not."""
    if not isinstance(widget, QPushButton) or not isinstance(widget.window(), QDialog):
        return False
    if isinstance(widget.window(), MessageBox):
        return False  # There the one that changes nothing is the default
    if not (widget.isDefault() or widget.property("kind") == "primary"):
        return False
    return any(
        isinstance(one, QPushButton)
        and one.parentWidget() is widget.parentWidget()
        and one.y() == widget.y()
        and one.x() > widget.x()
        for one in shown
    )


def _layer(widget: QWidget) -> QWidget | None:
    """Return what a widget lies over the others with."""
    above = [one for one in (widget, *_above(widget)) if type(one).__name__ in _OVER]
    return above[-1] if above else None


def _overlaps(seen: dict[QWidget, QRect]) -> Iterator[str]:
    layers = {one: _layer(one) for one in seen}
    for (one, area), (other, beside) in combinations(seen.items(), 2):
        both = area & beside
        is_seen = min(both.width(), both.height()) >= _LETTER and layers[one] is layers[other]
        if is_seen and not (one.isAncestorOf(other) or other.isAncestorOf(one)):
            yield f"overlap: {path_of(one)} and {path_of(other)}"


def _raw(widget: QWidget) -> Iterator[str]:
    texts = [widget.accessibleName(), widget.accessibleDescription(), *_texts(widget)]
    if widget.isWindow():
        texts.append(widget.windowTitle())
    yield from (one[:80] for one in texts if _RAW.search(one))


def foreign(widget: QWidget) -> Iterator[str]:
    """Yield what is shown in the language that the window does not speak."""
    is_turkish = QLocale().language() is QLocale.Language.Turkish
    english, turkish = _texts_by_language()
    others = english - turkish if is_turkish else turkish - english
    texts = [widget.accessibleName(), *_texts(widget)]
    yield from (words for words in texts if words.replace("&", "") in others)


@cache
def _texts_by_language() -> tuple[frozenset[str], frozenset[str]]:
    """Return the texts of the program without slots, in English and in Turkish."""
    english, turkish = set[str](), set[str]()
    catalog = ET.parse(asset("i18n", "bellek_tr.ts"))  # noqa: S314 (our own file)
    for message in catalog.iter("message"):
        english.add(message.findtext("source") or "")
        turkish.add(message.findtext("translation") or "")
    for language, texts in (("en", english), ("tr", turkish)):
        for name in (f"{language}.toml", f"settings_{language}.toml"):
            sections = tomllib.loads(asset("resources", "texts", name).read_text("utf-8"))
            for section in sections.values():
                texts.update(words for words in section.values() if isinstance(words, str))
    return _plain(english), _plain(turkish)


def _plain(texts: set[str]) -> frozenset[str]:
    return frozenset(words.replace("&", "") for words in texts if words and "{" not in words)


def _texts(widget: QWidget) -> list[str]:
    """Return what a widget shows, without the marks that Qt takes out."""
    match widget:
        case QLineEdit():
            return [widget.placeholderText()]
        case QTabBar():
            return [widget.tabText(at) for at in range(widget.count())]
        case QMenu():
            return [re.sub("&(?=[^&])", "", one.text(), count=1) for one in widget.actions()]
        case QComboBox():
            return [widget.itemText(at) for at in range(widget.count())]
        case QAbstractItemView() if (model := widget.model()) is not None:
            rows = [model.index(at, 0) for at in range(min(model.rowCount(), _MOST_ROWS))]
            roles = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole)
            return [str(row.data(role) or "") for row in rows for role in roles]
        case _:
            pass
    words = text_of(widget)
    if isinstance(widget, QAbstractButton) or (
        isinstance(widget, Label) and widget.buddy() is not None
    ):
        words = re.sub(r"&(?=[^&\s])", "", words, count=1)
    return [words.replace("&&", "")]


def _is_cut(widget: QWidget) -> bool:
    words = text_of(widget)
    if isinstance(widget, QLineEdit) and not words:
        return _is_placeholder_cut(widget)
    if not words.strip() or "…" in words:
        return False
    if isinstance(widget, Label):
        needed, room = widget.sizeHint(), widget.size()
        if isinstance(widget, ElidedLabel):  # Its hint is of all that it could show
            needed = QFontMetrics(widget.font()).size(0, words)
        elif widget.wordWrap():
            needed = QSize(0, widget.heightForWidth(widget.width()))
    else:
        plain = words.replace("&&", "\0").replace("&", "").replace("\0", "&")
        needed, room = QFontMetrics(widget.font()).size(0, plain), _room(widget)
    return needed.width() > room.width() + _SLACK or needed.height() > room.height() + 2 * _SLACK


def _is_placeholder_cut(field: QLineEdit) -> bool:
    option = QStyleOptionFrame()
    field.initStyleOption(option)
    area = field.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, field)
    buttons = [one for one in field.findChildren(QToolButton) if one.isVisible()]
    margins = field.textMargins().left() + field.textMargins().right()
    taken = margins + sum(one.width() for one in buttons)
    needed = QFontMetrics(field.font()).horizontalAdvance(field.placeholderText())
    return needed + taken > area.width()


def _room(widget: QWidget) -> QSize:
    """Return the room for the text of a control."""
    if isinstance(widget, QPushButton | QCheckBox | QRadioButton):
        elements = QStyle.SubElement
        element = elements.SE_PushButtonContents
        if not isinstance(widget, QPushButton):
            is_box = isinstance(widget, QCheckBox)
            element = elements.SE_CheckBoxContents if is_box else elements.SE_RadioButtonContents
        button = QStyleOptionButton()
        widget.initStyleOption(button)
        return widget.style().subElementRect(element, button, widget).size()
    if isinstance(widget, QComboBox):
        option = QStyleOptionComboBox()
        widget.initStyleOption(option)
        kinds, parts = QStyle.ComplexControl, QStyle.SubControl
        part = parts.SC_ComboBoxEditField
        return widget.style().subControlRect(kinds.CC_ComboBox, option, part, widget).size()
    if isinstance(widget, QLineEdit):
        return QSize(10_000, 10_000)  # it scrolls
    return widget.contentsRect().size()


def faults_of_use(window: QWidget) -> set[str]:
    """Return what is wrong for the wheel, Enter, a disabled button and a screen reader."""
    shown = [one for one in shown_in(window) if one.isEnabled()]
    return {
        *(f"no name: {one}" for one in nameless(window)),
        *(f"description: {one}" for one in badly_described(window)),
        *_wheel_faults(shown),
        *_enter_faults(window, shown),
        *_focus_faults(window, shown),
    }


def _state_of(widget: QWidget) -> object:
    if isinstance(widget, QCalendarWidget):
        return widget.selectedDate(), widget.monthShown(), widget.yearShown()
    if isinstance(widget, QAbstractSpinBox):
        return widget.text()
    if isinstance(widget, QComboBox | QTabBar):
        return widget.currentIndex(), isinstance(widget, QComboBox) and widget.currentText()
    return widget.value() if isinstance(widget, QAbstractSlider) else None


def _wheel_faults(shown: list[QWidget]) -> Iterator[str]:
    kinds = QAbstractSpinBox | QComboBox | QTabBar | QAbstractSlider | QCalendarWidget
    for one in shown:
        if not isinstance(one, kinds) or isinstance(one, QScrollBar):
            continue
        if (focus := QApplication.focusWidget()) is not None:
            focus.clearFocus()
        before = _state_of(one)
        areas = one.findChildren(QAbstractScrollArea) if isinstance(one, QCalendarWidget) else ()
        with QSignalBlocker(one):  # else a fault would change the settings
            for part in (one, *(area.viewport() for area in areas)):
                for step in (120, -120, -120):
                    _roll(part, step)
                    if _state_of(one) != before:
                        yield f"wheel: {path_of(one)}"
                        break
        if one.focusPolicy() is Qt.FocusPolicy.WheelFocus:
            yield f"wheel: {path_of(one)} takes the focus by it"


def _roll(widget: QWidget, step: int) -> None:
    at = QPointF(widget.rect().center())
    wheel = QWheelEvent(
        at,
        widget.mapToGlobal(at),
        QPoint(),
        QPoint(0, step),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, wheel)


def _enter_faults(window: QWidget, shown: list[QWidget]) -> Iterator[str]:
    """Press Enter in each field; the button counts it, and does nothing."""
    green = [
        one
        for one in shown
        if isinstance(one, QPushButton) and (one.isDefault() or one.property("kind") == "primary")
    ]
    if not isinstance(window, QDialog) or not green:
        return
    fields = [
        one
        for one in shown
        if isinstance(one, QLineEdit | QCheckBox | QRadioButton | QComboBox | QAbstractSpinBox)
        and not isinstance(one, SearchField)
        and not isinstance(one.parentWidget(), QAbstractSpinBox | QComboBox | QCalendarWidget)
    ]
    button = green[0]
    button.blockSignals(True)
    button.setCheckable(True)
    for field in (window, *fields):
        before = button.isChecked()
        key = QKeyEvent.Type.KeyPress
        QApplication.sendEvent(
            field, QKeyEvent(key, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, "\r")
        )
        if button.isChecked() is before:
            yield f"enter: {path_of(field)} does not press {path_of(button)}"
    button.setCheckable(False)
    button.blockSignals(False)


def _focus_faults(window: QWidget, shown: list[QWidget]) -> Iterator[str]:
    for one in shown:
        is_button = isinstance(one, QPushButton | QToolButton)
        if not is_button or not one.focusPolicy() & Qt.FocusPolicy.TabFocus:
            continue
        if any(isinstance(above, _QT_MADE) for above in _above(one)):
            continue
        one.setFocus()
        if not _has_focus(one, window):
            continue
        one.setDisabled(True)
        taken: QWidget | None = window.focusWidget()
        one.setDisabled(False)
        # An action that is possible makes its button possible again.
        if taken not in {None, one}:
            yield f"focus: {path_of(one)} hands it to {path_of(taken)}"
        elif not _has_focus(one, window):
            yield f"focus: {path_of(one)} does not get it back"


def _has_focus(widget: QWidget, window: QWidget) -> bool:
    return window.focusWidget() is widget


def _above(widget: QWidget) -> Iterator[QWidget]:
    at = widget.parentWidget()
    while at is not None:
        yield at
        at = None if at.isWindow() else at.parentWidget()
