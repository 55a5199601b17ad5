"""What the stylesheet alone cannot promise: that nothing is cut and all can be read."""

from typing import TypeVar

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QLineEdit,
    QPlainTextEdit,
    QRadioButton,
    QStyle,
    QStyleOptionButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from desktop.settings.settings import Theme
from desktop.ui.theme.theme import ThemeController
from desktop.ui.widgets.buttons import Button, DangerButton
from desktop.ui.widgets.labels import HintLabel

B = TypeVar("B", bound=QWidget)


def at_its_size(qtbot: QtBot, box: B) -> B:
    qtbot.addWidget(box)
    box.resize(box.sizeHint())
    box.show()
    return box


@pytest.mark.parametrize("percent", [100, 150, 200, 300])
@pytest.mark.parametrize("kind", [QCheckBox, QRadioButton])
def test_a_box_grows_with_the_words_beside_it(
    qtbot: QtBot, theme: ThemeController, kind: type[QCheckBox | QRadioButton], percent: int
) -> None:
    theme.apply(Theme.LIGHT, zoom_percent=percent)
    box = at_its_size(qtbot, kind("Yazdığımla ilgili olanları göster"))
    assert _indicator(box).height() == pytest.approx(14 * percent / 100, abs=3)


@pytest.mark.parametrize("percent", [80, 100, 150, 200])
def test_what_explains_a_box_begins_where_its_words_do(
    qtbot: QtBot, theme: ThemeController, percent: int
) -> None:
    theme.apply(Theme.LIGHT, zoom_percent=percent)
    box, hint = QCheckBox("Yazdığımla ilgili olanları göster"), HintLabel()
    hint.setProperty("below", "box")
    for widget in (box, hint):
        qtbot.addWidget(widget)
        widget.resize(600, 60)
        widget.show()
    option = QStyleOptionButton()
    option.initFrom(box)
    words = box.style().subElementRect(QStyle.SubElement.SE_CheckBoxContents, option, box)
    assert hint.contentsRect().left() + hint.indent() == words.left()


def _indicator(box: QAbstractButton) -> QRect:
    option = QStyleOptionButton()
    option.initFrom(box)
    element = QStyle.SubElement
    which = (
        element.SE_CheckBoxIndicator
        if isinstance(box, QCheckBox)
        else element.SE_RadioButtonIndicator
    )
    return box.style().subElementRect(which, option, box)


def test_a_button_that_would_delete_looks_shut_while_it_is(
    qtbot: QtBot, theme: ThemeController
) -> None:
    theme.apply(Theme.LIGHT)
    pictures = []
    for button in (DangerButton(), Button()):
        qtbot.addWidget(button)
        button.setText("Kaldır")
        button.setEnabled(False)
        button.resize(120, 40)
        pictures.append(button.grab().toImage())
    assert pictures[0] == pictures[1]


@pytest.mark.parametrize("kind", [QLineEdit, QPlainTextEdit])
@pytest.mark.parametrize("choice", [Theme.LIGHT, Theme.DARK])
def test_what_an_empty_field_asks_for_can_be_read(
    qtbot: QtBot,
    theme: ThemeController,
    choice: Theme,
    kind: type[QLineEdit | QPlainTextEdit],
) -> None:
    theme.apply(choice)
    field = kind()
    field.setProperty("role", "field")
    field.setPlaceholderText("Ara")
    qtbot.addWidget(field)
    field.ensurePolished()
    asked = field.palette().color(QPalette.ColorRole.PlaceholderText)
    assert asked.name(QColor.NameFormat.HexArgb) == f"#ff{theme.tokens.muted[1:]}"
