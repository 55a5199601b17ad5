"""The palette finds every action, setting, session and document by a few letters."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu, QWidget

from desktop.settings.settings import UiLanguage
from desktop.ui.actions import plain
from desktop.ui.palette.palette import Palette, PaletteItem
from desktop.ui.palette.palette_controller import PaletteItems
from desktop.ui.settings.setting_rows import SettingsPage
from desktop.ui.settings.settings_view import SettingsView
from desktop.ui.settings_controller import PageId
from desktop.ui.widgets.plain_text import Label
from tests.narrowing import instance, present
from tests.ui.dialogs.stand_ins import all_pages
from tests.ui.main_window.stage import Stage


def opened(stage: Stage, typed: str = "") -> Palette:
    stage.window.activateWindow()
    stage.window.actions_by_name["palette"].trigger()
    palette = present(stage.window.command_palette.palette)
    palette.field.insert(typed)
    return palette


def names(palette: Palette) -> list[str]:
    return [str(palette.model.index(row).data()) for row in range(palette.model.rowCount())]


def choose(palette: Palette) -> None:
    QTest.keyClick(palette.field, Qt.Key.Key_Return)


def test_its_keys_open_it_with_every_action_and_escape_gives_the_focus_back(stage: Stage) -> None:
    field = stage.window.parts.composer.field
    stage.window.activateWindow()
    field.setFocus()
    stage.until(field.hasFocus)  # the window may become the active one later
    keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(field, Qt.Key.Key_P, keys)
    palette = present(stage.window.command_palette.palette)
    stage.until(palette.field.hasFocus)
    shown = set(names(palette))
    missing = {one.text for one in stage.window.actions_by_name.shortcuts()} - shown
    assert missing == {"Command palette"}
    QTest.keyClick(palette.field, Qt.Key.Key_Escape)
    assert palette.isHidden()
    stage.until(field.hasFocus)


def test_it_lies_ready_and_hidden_soon_after_the_start(stage: Stage) -> None:
    controller = stage.window.command_palette
    stage.until(
        lambda: controller.palette is not None and bool(controller.palette.field.placeholderText())
    )
    palette = present(controller.palette)
    assert palette.isHidden()
    assert "Zoom in" in names(palette)
    assert opened(stage) is palette


def test_an_action_is_found_in_both_languages_and_done(stage: Stage) -> None:
    for typed in ("zoom in", "zi", "yakinlas", "yakınlaş"):
        before = stage.window.changes.settings.zoom_percent
        palette = opened(stage, typed)
        assert names(palette)[0] == "Zoom in", typed
        choose(palette)
        assert palette.isHidden()
        assert stage.window.changes.settings.zoom_percent > before


def test_a_turkish_window_finds_english_names_too(stage: Stage) -> None:
    changes = stage.window.changes
    changes.apply(replace(changes.settings, language=UiLanguage.TR))
    assert names(opened(stage, "new temp"))[0] == "Yeni geçici oturum"


def test_an_unavailable_action_comes_last_and_does_nothing(stage: Stage) -> None:
    palette = opened(stage, "continue this session")
    assert names(palette)[0] == "Continue this session"
    index = palette.model.index(0)
    assert "unavailable now" in str(index.data(Qt.ItemDataRole.AccessibleTextRole))
    choose(palette)
    assert palette.isVisible()


def test_a_setting_opens_its_page_with_the_focus_on_it(stage: Stage) -> None:
    palette = opened(stage, "idle for")
    choose(palette)
    dialog = present(stage.window.findChild(SettingsView))
    field = present(dialog.findChild(QWidget, "idle_minutes"))
    stage.until(field.isVisible)
    focus = stage.window.focusWidget()
    assert focus is field or field.isAncestorOf(focus)


def test_the_search_of_the_settings_leads_to_a_row_by_a_word_of_its_hint(stage: Stage) -> None:
    stage.window.actions_by_name["settings"].trigger()
    view = instance(stage.window.parts.view, SettingsView)
    stage.until(view.search.hasFocus)
    QTest.keyClicks(view.search, "while an answer is being written")
    stage.until(view._hits.isVisible)
    QTest.keyClick(view.search, Qt.Key.Key_Return)
    field = present(view.findChild(QWidget, "idle_minutes"))
    stage.until(field.isVisible)
    assert field.hasFocus() or field.isAncestorOf(stage.window.focusWidget())
    assert view.search.text() == ""


def test_every_setting_with_a_field_of_its_own_is_offered_by_its_label(stage: Stage) -> None:
    items = PaletteItems(stage.window._languages, stage.window)
    offered = {item.key.removeprefix("setting "): item for item in items.settings(lambda *_: None)}
    stage.window.dialogs.show_settings(PageId.GENERAL)
    dialog = present(stage.window.findChild(SettingsView))
    pages = all_pages(dialog).findChildren(SettingsPage)
    on_pages = {
        field.objectName()
        for page in pages
        for field in page.findChildren(QWidget)
        if hasattr(stage.window.changes.settings, field.objectName())
    }
    together = {"deep_cents", "deep_searches", "deep_fetches", "deep_minutes"}
    assert on_pages - set(offered) == together
    assert [one for one in offered if one[0].islower() and one not in on_pages] == []
    labels = {
        " ".join(plain(str(one.property("text"))).split())  # a long one is wrapped
        for page in pages
        for kind in (Label, QAbstractButton)
        for one in page.findChildren(kind)
    }
    unknown = {one.text for name, one in offered.items() if name in on_pages} - labels
    assert unknown == set()


def test_the_last_used_comes_first_also_after_a_restart(
    stage: Stage, opens: Callable[[], Stage]
) -> None:
    choose(opened(stage, "full screen"))
    choose(opened(stage, "zoom out"))
    palette = opened(stage)
    assert names(palette)[:2] == ["Zoom out", "Full screen"]
    palette.close_palette()
    stage.leave()
    again = opens()
    again.attach()
    assert names(opened(again))[:2] == ["Zoom out", "Full screen"]


def test_sessions_are_found_by_title_and_opened(library: Stage) -> None:
    palette = opened(library, "roman conc")
    assert names(palette)[0].startswith("Roman concrete")
    choose(palette)
    library.until(lambda: library.window.sessions.shown is not None)
    shown = present(library.window.sessions.shown)
    assert str(shown.title).startswith("Roman concrete")


def test_a_session_that_the_list_has_not_loaded_is_found_by_the_search(library: Stage) -> None:
    library.window.parts.sidebar.model.show_sessions((), has_more=False)
    palette = opened(library, "roman")
    library.until(lambda: any(name.startswith("Roman concrete") for name in names(palette)))


def test_documents_are_found_and_read(stage: Stage, tmp_path: Path) -> None:
    file = tmp_path / "tides.md"
    file.write_text("# Tides of the Aegean\n\nThe moon pulls the water.", encoding="utf-8")
    stage.services.library.add([file])
    palette = opened(stage, "tides")
    stage.until(lambda: palette.model.rowCount() > 0)
    choose(palette)
    stage.until(lambda: stage.window.library.reader is not None)


def test_other_parts_can_offer_their_items(stage: Stage) -> None:
    done: list[str] = []
    stage.window.command_palette.offer(
        "projects",
        lambda: [PaletteItem("project 1", "Thesis", "Project", lambda: done.append("x"))],
    )
    choose(opened(stage, "thes"))
    assert done == ["x"]


def test_workers_load_nothing_until_the_palette_is_painted(stage: Stage) -> None:
    order: list[str] = []

    class Paints(QObject):
        def eventFilter(self, _: QObject, event: QEvent) -> bool:  # noqa: N802
            if event.type() == QEvent.Type.Paint:
                order.append("painted")
            return False

    palette = opened(stage)
    palette.close_palette()
    palette.list.viewport().installEventFilter(Paints(palette))

    def load(_: object) -> list[PaletteItem]:
        order.append("loaded")
        return []

    stage.window.command_palette.offer_loaded("others", load)
    opened(stage)
    stage.until(lambda: "loaded" in order)
    assert order[0] == "painted"


def test_arrows_move_in_the_list_and_a_click_elsewhere_closes_it(stage: Stage) -> None:
    palette = opened(stage)
    QTest.keyClick(palette.field, Qt.Key.Key_Down)
    assert palette.list.currentIndex().row() == 1
    QTest.keyClick(palette.field, Qt.Key.Key_Up)
    assert palette.list.currentIndex().row() == 0
    assert palette.field.hasFocus() or palette.list.focusPolicy() is Qt.FocusPolicy.NoFocus
    QTest.mouseClick(stage.window.windowHandle(), Qt.MouseButton.LeftButton, pos=QPoint(5, 500))
    QApplication.processEvents()
    assert palette.isHidden()


def test_an_empty_result_is_reported(stage: Stage) -> None:
    palette = opened(stage, "qqqqq")
    assert names(palette) == []
    assert not palette.list.currentIndex().isValid()
    choose(palette)
    assert palette.isVisible()


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("profile", "New profile"),
        ("pdf", "Export"),
        ("dark mode", "Dark"),
        ("gece modu", "Dark"),
        ("dark theme", "Dark"),
        ("password", "Passphrase"),
        ("font size", "Zoom in"),
        ("language", "Türkçe"),
        ("incognito", "New temporary session"),
        ("help", "User’s guide"),
        ("yedek", "Back up the archive"),
        ("ingilizce", "English"),
    ],
)
def test_an_action_is_found_by_what_people_call_it(library: Stage, typed: str, found: str) -> None:
    assert found in names(opened(library, typed))[:6]


def test_every_command_of_the_menus_is_offered(stage: Stage) -> None:
    def commands(menu: QMenu) -> Iterator[str]:
        for action in menu.actions():
            inside = action.menu()
            if isinstance(inside, QMenu):
                inside.aboutToShow.emit()
                yield from commands(inside)
            elif not action.isSeparator() and action.isVisible() and action.isEnabled():
                yield plain(action.text())

    bar = stage.window.menuBar().actions()
    menus = [menu for action in bar if isinstance(menu := action.menu(), QMenu)]
    offered = [name.rpartition(": ")[2] for name in names(opened(stage))]
    assert {name for menu in menus for name in commands(menu)} - {*offered} == {"Command palette"}
