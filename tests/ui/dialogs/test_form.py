"""The small dialogs, the welcome, and results for a dialog that is gone."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QDir, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QDialog, QLineEdit
from pytestqt.qtbot import QtBot

from desktop.domain.endpoints import ModelChoice, ModelRole
from desktop.domain.errors import ConnectionLostError, KeyRejectedError
from desktop.llm.endpoints import ANTHROPIC, LM_STUDIO
from desktop.settings.file_writing import file_name
from desktop.settings.keys import MemoryKeys, with_environment
from desktop.settings.paths import Paths
from desktop.settings.settings import Theme, UiLanguage
from desktop.settings.store import SettingsStore
from desktop.ui.dialogs.files import ImportDialog
from desktop.ui.dialogs.form import FormGrid, Page, open_dialog
from desktop.ui.dialogs.information_dialogs import AboutDialog, ErrorReportDialog
from desktop.ui.dialogs.shortcuts import clash
from desktop.ui.services import ModelServices
from desktop.ui.settings.shortcuts_page import ShortcutsPage
from desktop.ui.settings.welcome import NoModelChoice, WelcomeDialog
from desktop.ui.settings_controller import SettingsController
from desktop.ui.theme.theme import ThemeController
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import TextArea
from desktop.ui.widgets.layouts import column
from desktop.ui.widgets.plain_text import BodyLabel, HintLabel, Label
from tests.narrowing import present
from tests.ui.dialogs.stand_ins import (
    LastingKeys,
    ScriptedModels,
    button,
    model_services,
    shortcuts,
    shown,
)

NARROW, WIDE = 300, 900


def test_labels_are_beside_their_fields_or_above_them_without_room(
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


def test_what_has_no_label_begins_at_the_left_once_labels_take_a_third(qtbot: QtBot) -> None:
    page, form = Page(), FormGrid()
    qtbot.addWidget(page)
    label, field = Label("Bir etiket, alanının yanında"), QLineEdit()
    check = QCheckBox("Hatırla")
    form.add_row(label, field)
    form.add_field(check)
    page.column.addWidget(form)
    page.resize(WIDE, 400)
    page.show()
    assert check.x() == field.x()
    page.resize(3 * label.width(), 400)
    qtbot.waitUntil(lambda: check.x() == label.x())
    assert label.geometry().right() < field.x()


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


def test_the_about_dialog_shows_the_data_folder(qtbot: QtBot) -> None:
    dialog = AboutDialog(Path("somewhere"))
    qtbot.addWidget(dialog)
    dialog.show()
    assert "somewhere" in [each.accessibleName() for each in dialog.findChildren(Label)]


def test_a_file_dialog_starts_in_the_documents_folder_not_in_the_working_folder(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    dialog = ImportDialog()
    qtbot.addWidget(dialog)
    assert dialog.directory() != QDir(str(tmp_path))


@pytest.fixture
def page(qtbot: QtBot, changes: SettingsController) -> ShortcutsPage:
    return shown(qtbot, ShortcutsPage(changes, shortcuts))


def pick(page: ShortcutsPage, name: str) -> None:
    for row in range(page._table.topLevelItemCount()):
        item = present(page._table.topLevelItem(row))
        page._table.setCurrentItem(item)
        if page._table.current_name == name:
            return
    pytest.fail(name)


def press(page: ShortcutsPage, keys: str) -> None:
    page._keys.setKeySequence(QKeySequence(keys))
    page._keys.editingFinished.emit()


def test_new_keys_are_in_force_at_once_and_the_shipped_ones_are_not_written_down(
    page: ShortcutsPage, changes: SettingsController
) -> None:
    pick(page, "search")
    press(page, "Ctrl+J")
    assert changes.settings.shortcuts == {"search": "Ctrl+J"}
    press(page, "Ctrl+K")
    assert changes.settings.shortcuts == {}


def test_keys_of_another_action_are_taken_only_on_request(
    page: ShortcutsPage, changes: SettingsController
) -> None:
    pick(page, "search")
    press(page, "Ctrl+N")
    assert changes.settings.shortcuts == {}
    assert "New session" in page._problem.text()
    page._use_here.click()
    assert changes.settings.shortcuts == {"new_session": "", "search": "Ctrl+N"}


def test_an_action_can_go_without_keys(page: ShortcutsPage, changes: SettingsController) -> None:
    pick(page, "find")
    press(page, "")
    assert changes.settings.shortcuts == {"find": ""}


def test_resetting_one_and_all(page: ShortcutsPage, changes: SettingsController) -> None:
    changes.apply(replace(changes.settings, shortcuts={"search": "Ctrl+J", "find": "Ctrl+G"}))
    pick(page, "search")
    page._reset.click()
    assert changes.settings.shortcuts == {"find": "Ctrl+G"}
    page._reset_all.click()
    assert changes.settings.shortcuts == {}


def test_resetting_to_taken_keys_asks_first(
    page: ShortcutsPage, changes: SettingsController
) -> None:
    changes.apply(replace(changes.settings, shortcuts={"search": "Ctrl+J", "find": "Ctrl+K"}))
    pick(page, "search")
    page._reset.click()
    assert changes.settings.shortcuts == {"search": "Ctrl+J", "find": "Ctrl+K"}
    assert "Find in session" in page._problem.text()


def test_keys_that_begin_alike_clash(qapp: QApplication) -> None:
    chosen = {"find": "Ctrl+K, Ctrl+F"}
    assert clash("Ctrl+K", "find_other", shortcuts(), chosen) is not None
    assert clash("Ctrl+K, Ctrl+F", "find", shortcuts(), {}) is not None
    assert clash("", "about", shortcuts(), {}) is None


CLOUD = ANTHROPIC.endpoint()


@pytest.fixture
def dialog(qtbot: QtBot, changes: SettingsController, services: ModelServices) -> WelcomeDialog:
    return welcome(qtbot, changes, services)


def welcome(
    qtbot: QtBot,
    changes: SettingsController,
    services: ModelServices,
    *,
    offers_examples: bool = True,
) -> WelcomeDialog:
    return shown(qtbot, WelcomeDialog(changes, services, offers_examples=offers_examples))


def begin_with_key(dialog: WelcomeDialog, key: str) -> None:
    dialog._key.button.setChecked(True)
    dialog._key.key.line.setText(key)
    button(dialog, "Start").click()


def test_beginning_without_a_model_connects_nothing_and_marks_the_welcome_as_seen(
    dialog: WelcomeDialog, changes: SettingsController, models: ScriptedModels
) -> None:
    button(dialog, "Start").click()
    assert not dialog.isVisible()
    assert changes.settings.welcomed
    assert changes.settings.endpoints == ()
    assert (models.asked, models.times_looked) == ([], 0)


def test_escape_and_skip_mark_it_as_seen(
    dialog: WelcomeDialog, changes: SettingsController, qtbot: QtBot
) -> None:
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert changes.settings.welcomed
    assert not dialog.isVisible()


def test_a_key_connects_anthropic_with_its_middle_model(
    dialog: WelcomeDialog, changes: SettingsController, keys: LastingKeys
) -> None:
    begin_with_key(dialog, "secret")
    assert keys.get(CLOUD.id) == "secret"
    assert changes.settings.endpoints == (CLOUD,)
    expected = ModelChoice(CLOUD.id, "claude-sonnet-5-5")
    assert changes.settings.roles == {ModelRole.ANSWERING: expected}
    assert not dialog.isVisible()


def test_a_refused_key_is_not_kept_and_the_page_stays(
    dialog: WelcomeDialog, changes: SettingsController, models: ScriptedModels, keys: LastingKeys
) -> None:
    models.error = KeyRejectedError(where="Anthropic")
    begin_with_key(dialog, "wrong")
    assert dialog.isVisible()
    assert dialog._key.problem.text()
    assert keys.get(CLOUD.id) is None
    assert changes.settings.endpoints == ()


def test_a_refusal_goes_when_another_key_is_typed(
    dialog: WelcomeDialog, models: ScriptedModels
) -> None:
    models.error = KeyRejectedError(where="Anthropic")
    begin_with_key(dialog, "wrong")
    QTest.keyClicks(dialog._key.key.line, "r")
    assert dialog._key.problem.isHidden()


def test_offline_the_key_can_be_kept_all_the_same(
    dialog: WelcomeDialog, changes: SettingsController, models: ScriptedModels, keys: LastingKeys
) -> None:
    models.error = ConnectionLostError(where="Anthropic")
    begin_with_key(dialog, "secret")
    assert dialog.isVisible()
    button(dialog, "Continue anyway").click()
    assert not dialog.isVisible()
    assert keys.get(CLOUD.id) == "secret"
    assert changes.settings.roles == {ModelRole.ANSWERING: ModelChoice(CLOUD.id, "")}


def test_servers_are_looked_for_only_on_request(
    dialog: WelcomeDialog, changes: SettingsController, models: ScriptedModels
) -> None:
    chosen = dialog._server
    chosen.button.setChecked(True)
    button(dialog, "Start").click()
    assert chosen.problem.text()
    assert models.times_looked == 0
    chosen._look.click()
    assert models.times_looked == 1
    button(dialog, "Start").click()
    assert changes.settings.endpoints == (LM_STUDIO.endpoint(),)


def test_a_model_file_is_named_and_answers(
    dialog: WelcomeDialog, changes: SettingsController
) -> None:
    dialog._file.button.setChecked(True)
    dialog._file._use(Path("/models/qwen.gguf"))
    button(dialog, "Start").click()
    assert changes.settings.endpoints[0].gguf_path == "/models/qwen.gguf"
    assert ModelRole.ANSWERING in changes.settings.roles


@pytest.mark.parametrize(
    ("keys", "words"),
    [(LastingKeys(), "system keyring"), (MemoryKeys(), "only while Bellek is open")],
)
def test_the_place_of_the_key_is_shown(
    qtbot: QtBot, bridge: TurnBridge, changes: SettingsController, keys: MemoryKeys, words: str
) -> None:
    dialog = welcome(qtbot, changes, model_services(bridge, keys=keys))
    dialog._key.button.setChecked(True)
    assert words in dialog._key._where.text()


def test_the_example_library_is_loaded_only_when_it_is_ticked(
    dialog: WelcomeDialog, qtbot: QtBot
) -> None:
    dialog._examples.setChecked(True)
    with qtbot.waitSignal(dialog.examples_asked):
        button(dialog, "Start").click()


def test_the_example_library_is_offered_only_to_an_empty_archive(
    qtbot: QtBot, bridge: TurnBridge, changes: SettingsController
) -> None:
    dialog = welcome(qtbot, changes, model_services(bridge), offers_examples=False)
    assert not dialog._examples.isVisible()


def test_a_connection_from_the_environment_is_named_and_selected(
    qtbot: QtBot, bridge: TurnBridge, changes: SettingsController
) -> None:
    environ = {"ANTHROPIC_BASE_URL": "http://127.0.0.1:8123", "BELLEK_MODEL": "claude-sonnet-5-5"}
    desk = replace(
        model_services(bridge), in_force=lambda settings: with_environment(settings, environ)
    )
    dialog = welcome(qtbot, changes, desk)
    chosen = dialog._choices[dialog._group.checkedId()]
    assert chosen.button.text() == "&Continue with 127.0.0.1:8123 · claude-sonnet-5-5"
    assert not any(isinstance(choice, NoModelChoice) for choice in dialog._choices)
    button(dialog, "Start").click()
    assert changes.settings.welcomed
    assert changes.settings.endpoints == ()


def test_what_the_command_line_connected_before_or_meanwhile_is_named_and_selected(
    qtbot: QtBot, bridge: TurnBridge, tmp_path: Path
) -> None:
    paths = Paths.under(tmp_path)
    here, other = SettingsStore(paths), SettingsStore(paths)
    changes = SettingsController(here.load(), here.change, bridge)
    dialog = welcome(qtbot, changes, model_services(bridge))
    assert isinstance(dialog._choices[dialog._group.checkedId()], NoModelChoice)
    endpoint = LM_STUDIO.endpoint()
    choice = ModelChoice(endpoint.id, "qwen")
    other.change(endpoints=(endpoint,), roles={ModelRole.ANSWERING: choice})
    changes.refresh()
    for each in (dialog, welcome(qtbot, changes, model_services(bridge))):
        chosen = each._choices[each._group.checkedId()]
        assert chosen.button.text() == f"&Continue with {endpoint.name} · qwen"
        assert not any(isinstance(one, NoModelChoice) for one in each._choices)
        assert "environment" not in " ".join(one.text() for one in chosen.findChildren(HintLabel))
    button(dialog, "Start").click()
    assert other.load().welcomed
    assert other.current.roles[ModelRole.ANSWERING] == choice


def test_language_and_theme_change_at_once(
    dialog: WelcomeDialog, changes: SettingsController
) -> None:
    dialog._language.activated.emit(1)
    dialog._theme.activated.emit(2)
    assert (changes.settings.language, changes.settings.theme) == (UiLanguage.TR, Theme.DARK)


def test_no_choice_at_its_foot_is_cut_at_any_font_size(dialog: WelcomeDialog) -> None:
    font = dialog.font()
    font.setPointSize(font.pointSize() * 2)
    dialog.setFont(font)
    dialog._language.setFont(font)
    dialog._theme.setFont(font)
    dialog._fit()
    dialog.grab()
    for drop_down in (dialog._language, dialog._theme):
        assert drop_down.width() >= drop_down.sizeHint().width()


def test_a_dialog_is_as_high_as_its_content_needs_not_two_thirds_of_the_screen(
    qtbot: QtBot,
) -> None:
    dialog, field, button = QDialog(), TextArea(lines=16), Button(text="Tamam")
    dialog.setLayout(column(BodyLabel("söz " * 500), field, button))
    qtbot.addWidget(dialog)
    open_dialog(dialog)
    assert dialog.height() > dialog.screen().availableSize().height() * 2 / 3
    assert field.geometry().bottom() < button.y()


def test_nothing_scrolls_where_the_page_has_room_without_a_bar(
    dialog: WelcomeDialog, qtbot: QtBot
) -> None:
    area, page = dialog._area, dialog._column.totalHeightForWidth
    bar = area.verticalScrollBar()
    beside = bar.sizeHint().width()
    # Beside the bar, a text takes a line more.
    wide = next(one for one in range(dialog.width(), 2_000) if page(one) < page(one - beside))
    dialog.resize(wide, dialog.height() // 2)
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    dialog._fit()
    qtbot.waitUntil(lambda: area.viewport().width() == wide)
    assert bar.maximum() == 0
