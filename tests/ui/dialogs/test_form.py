"""The small dialogs, and work that comes home to a dialog that is gone."""

from pathlib import Path

import pytest
from PySide6.QtCore import QDir, QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QCheckBox, QLineEdit, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from desktop.ui.dialogs.files import ImportDialog, file_name
from desktop.ui.dialogs.form import DialogTasks, FormGrid, Page
from desktop.ui.dialogs.information_dialogs import AboutDialog, ErrorReportDialog
from desktop.ui.theme.theme import ThemeController
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.widgets.labels import HintLabel
from desktop.ui.widgets.plain_text import Label
from tests.ui.dialogs.stand_ins import Later

NARROW, WIDE = 300, 900


def test_labels_stand_beside_their_fields_or_above_them_where_there_is_no_room(
    qtbot: QtBot, theme: ThemeController
) -> None:
    page, form = Page(), FormGrid()
    qtbot.addWidget(page)
    label, field, check = Label("Etiket"), QLineEdit(), QCheckBox("Her oturumda hatırla")
    form.add_row(label, field)
    form.add_field(check, HintLabel("Kapatılırsa yeni bir şey öğrenilmez."))
    page.column.addWidget(form)
    page.resize(WIDE, 400)
    page.show()
    beside = field.geometry()
    assert label.geometry().right() < field.x() == check.x()
    page.resize(NARROW, 400)
    qtbot.waitUntil(lambda: label.geometry().bottom() < field.y())
    assert label.x() == field.x() == check.x()
    assert page.horizontalScrollBar().maximum() == 0
    page.resize(WIDE, 400)
    qtbot.waitUntil(lambda: field.geometry() == beside)


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Dawn ve Somogyi farkı", "Dawn ve Somogyi farkı"),
        ("a/b: c?", "a b c"),
        ("  ...  ", ""),
        ("x" * 200, "x" * 80),
    ],
)
def test_a_title_becomes_a_name_that_every_system_takes(title: str, name: str) -> None:
    assert file_name(title) == name


def test_a_report_can_be_copied_whole(qtbot: QtBot) -> None:
    dialog = ErrorReportDialog("ValueError: no", Path("logs"))
    qtbot.addWidget(dialog)
    dialog._copy.click()
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("Bellek")
    assert "ValueError: no" in copied


def test_about_names_where_the_data_lies(qtbot: QtBot) -> None:
    dialog = AboutDialog(Path("somewhere"))
    qtbot.addWidget(dialog)
    dialog.show()
    assert "somewhere" in [each.accessibleName() for each in dialog.findChildren(Label)]


def test_what_comes_home_to_a_dialog_that_is_gone_is_dropped(qapp: QApplication) -> None:
    pool, told = Later(), []
    owner: QObject = QWidget()
    DialogTasks(TurnBridge(pool), owner).run(
        lambda: 1, told.append, settled=lambda: told.append(2)
    )
    delete(owner)
    pool.do_all()
    assert told == []


def test_a_file_is_looked_for_where_documents_are_and_not_where_the_program_was_started(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    dialog = ImportDialog()
    qtbot.addWidget(dialog)
    assert dialog.directory() != QDir(str(tmp_path))
