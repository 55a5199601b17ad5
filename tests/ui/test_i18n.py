"""The language of the window, changed while it is open."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QLocale
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QFileDialog, QLabel, QWidget  # noqa: TID251 - Qt's own
from pytestqt.qtbot import QtBot

from desktop.domain.language import Language
from desktop.settings.settings import UiLanguage
from desktop.ui.i18n import LanguageController, compiled

CATALOGS = Path(__file__).parents[2] / "i18n"


class Listener(QWidget):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.heard = 0

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        self.heard += event.type() == QEvent.Type.LanguageChange
        super().changeEvent(event)


@pytest.fixture
def controller(qapp: QApplication) -> Iterator[LanguageController]:
    made = LanguageController(Language.TR)
    locale = QLocale()
    yield made
    made.apply(UiLanguage.EN)
    made.withdraw()
    QLocale.setDefault(locale)


def close_word() -> str:
    return QCoreApplication.translate("QPlatformTheme", "Close")


def test_every_widget_hears_of_a_change_of_language(
    controller: LanguageController, qtbot: QtBot
) -> None:
    window = Listener()
    child = Listener(window)
    qtbot.addWidget(window)
    controller.apply(UiLanguage.TR)
    qtbot.waitUntil(lambda: window.heard > 0 and child.heard > 0)


def test_our_words_and_those_of_qt_change_together(controller: LanguageController) -> None:
    controller.apply(UiLanguage.TR)
    assert QCoreApplication.translate("SettingsDialog", "Settings") == "Ayarlar"
    assert close_word() == "Kapat"
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
    assert box.button(QDialogButtonBox.StandardButton.Cancel).text().replace("&", "") != "Cancel"
    controller.apply(UiLanguage.EN)
    assert QCoreApplication.translate("SettingsDialog", "Settings") == "Settings"
    assert close_word() == "Close"


def test_counts_are_said_as_each_language_counts(controller: LanguageController) -> None:
    def found(count: int) -> str:
        return QCoreApplication.translate("ServerChoice", "%n server(s) found", "", count)

    controller.apply(UiLanguage.EN)
    assert [found(1), found(2)] == ["1 server found", "2 servers found"]
    controller.apply(UiLanguage.TR)
    assert [found(1), found(2)] == ["1 sunucu bulundu", "2 sunucu bulundu"]


def test_the_choice_of_the_system_is_the_language_of_the_system(
    controller: LanguageController,
) -> None:
    assert controller.apply(UiLanguage.SYSTEM) is Language.TR
    assert QLocale().language() == QLocale.Language.Turkish


def test_every_label_of_a_file_dialog_speaks_the_chosen_language(
    controller: LanguageController, qtbot: QtBot
) -> None:
    controller.apply(UiLanguage.TR)
    dialog = QFileDialog()
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    qtbot.addWidget(dialog)
    said = [label.text().replace("&", "") for label in dialog.findChildren(QLabel)]
    assert said == ["Konum:", "Dosya adı:", "Dosya türü:"]


def test_keys_are_called_what_is_printed_on_them(controller: LanguageController) -> None:
    controller.apply(UiLanguage.TR)
    shown = QKeySequence("Ctrl+Shift+F").toString(QKeySequence.SequenceFormat.NativeText)
    assert shown == "Ctrl+Shift+F"


def test_the_change_is_told_once(controller: LanguageController, qtbot: QtBot) -> None:
    told: list[Language] = []
    controller.language_changed.connect(told.append)
    controller.apply(UiLanguage.TR)
    controller.apply(UiLanguage.SYSTEM)
    assert told == [Language.TR]


def test_a_catalog_without_its_compiled_form_is_compiled_on_the_fly(tmp_path: Path) -> None:
    source = tmp_path / "bellek_tr.ts"
    shutil.copy(CATALOGS / "bellek_tr.ts", source)
    ready = compiled(source)
    assert ready == tmp_path / "bellek_tr.qm"
    assert ready.stat().st_size > 1000


def test_a_frozen_build_needs_no_source(tmp_path: Path) -> None:
    ready = tmp_path / "bellek_tr.qm"
    ready.write_bytes(b"compiled")
    assert compiled(tmp_path / "bellek_tr.ts") == ready
