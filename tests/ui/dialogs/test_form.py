from dataclasses import dataclass

import pytest
from PySide6.QtWidgets import QCheckBox, QLineEdit
from pytestqt.qtbot import QtBot

from desktop.ui.dialogs.form import Form, Page
from desktop.ui.theme.theme import ThemeController
from desktop.ui.widgets.labels import HintLabel
from desktop.ui.widgets.plain_text import Label

NARROW, WIDE = 300, 900


@dataclass(frozen=True)
class Shown:
    page: Page
    label: Label
    field: QLineEdit
    check: QCheckBox


@pytest.fixture
def shown(qtbot: QtBot, theme: ThemeController) -> Shown:
    page, form = Page(lambda: None), Form()
    qtbot.addWidget(page)
    label, field, check = Label("Etiket"), QLineEdit(), QCheckBox("Her oturumda hatırla")
    form.add_row(label, field)
    hint = HintLabel()
    hint.setText("Kapatılırsa yeni bir şey öğrenilmez.")
    form.add_check(check, hint)
    page.column.addWidget(form)
    page.resize(WIDE, 400)
    page.show()
    return Shown(page, label, field, check)


def test_labels_stand_beside_their_fields_where_there_is_room(shown: Shown) -> None:
    assert shown.label.geometry().right() < shown.field.x()
    assert shown.check.x() == shown.field.x()


def test_in_a_narrow_page_they_stand_above_and_nothing_is_out_of_sight(
    qtbot: QtBot, shown: Shown
) -> None:
    beside = shown.field.geometry()
    shown.page.resize(NARROW, 400)
    qtbot.waitUntil(lambda: shown.label.geometry().bottom() < shown.field.y())
    assert shown.label.x() == shown.field.x() == shown.check.x()
    assert shown.page.horizontalScrollBar().maximum() == 0
    shown.page.resize(WIDE, 400)
    qtbot.waitUntil(lambda: shown.field.geometry() == beside)
