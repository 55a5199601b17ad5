"""The library window: adding pages and documents."""

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from http.client import HTTPConnection
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QInputDialog, QMenu
from pytestqt.modeltest import ModelTester

from desktop.domain.facts import NewFact
from desktop.domain.ids import SessionId
from desktop.domain.projects import EVERYTHING, Wall
from desktop.research.library import Library, LibraryReport
from desktop.settings.settings import Settings, UiLanguage
from desktop.ui.dialogs.form import TagMenu
from desktop.ui.dialogs.importing import ImportSessionsDialog
from desktop.ui.library.add_page_dialog import AddWebPageDialog
from desktop.ui.library.library_page import LibraryPage
from desktop.ui.library.table_model import COLUMNS, Column
from desktop.ui.search.results_list import ResultKind
from desktop.ui.searchable_list import SearchableListPage
from desktop.ui.sidebar.entries import Entry
from desktop.ui.sidebar.model import SessionRole
from desktop.ui.widgets.plain_text import MessageBox
from tests.archives import finished
from tests.narrowing import present
from tests.ui.dialogs.stand_ins import button, texts
from tests.ui.library.conftest import listed, opened
from tests.ui.main_window.stage import WAIT_MS, Stage
from tests.ui.memory.conftest import a_fact
from tests.ui.memory.conftest import opened as opened_memory
from tests.web import Web, page, silent


def possible(window: LibraryPage) -> dict[str, bool]:
    return {act.words: act.is_possible for act in window.acts()}


def cells(window: LibraryPage, column: Column) -> list[str]:
    model, place = window.model, COLUMNS.index(column)
    return [str(model.index(row, place).data()) for row in range(model.rowCount())]


def test_an_empty_library_says_what_it_is_for(empty: Stage) -> None:
    window = opened(empty)
    assert window._pages.currentIndex() == 1
    assert any("PDF" in words for words in texts(window))


def test_letters_find_titles_and_addresses_in_either_spelling(stage: Stage) -> None:
    window = opened(stage)
    window.search.setText("aricilik")
    assert listed(window) == ["Arıcılık notları"]
    window.search.setText("example")
    assert listed(window) == ["Olive water use"]
    window.search.setText("yok böyle")
    assert listed(window) == []
    assert not window._nothing.isHidden()


def test_a_removed_source_comes_back_with_undo(stage: Stage) -> None:
    window = opened(stage)
    window.list.choose(stage.archive.sources.sources(EVERYTHING)[1].id)
    QTest.keyClick(window.list, Qt.Key.Key_Delete)
    stage.until(lambda: "Arıcılık notları" not in listed(window) and window.strip.can_undo)
    QTest.keyClick(window.list, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    stage.until(lambda: "Arıcılık notları" in listed(window))
    assert window.list.current is not None
    assert window.list.current.source.title == "Arıcılık notları"


def test_another_language_keeps_the_offer_to_undo(stage: Stage) -> None:
    window = opened(stage)
    before = listed(window)
    window.list.choose(stage.archive.sources.sources(EVERYTHING)[1].id)
    QTest.keyClick(window.list, Qt.Key.Key_Delete)
    stage.until(lambda: window.strip.can_undo)
    changes = stage.window.changes
    changes.apply(replace(changes.settings, language=UiLanguage.TR))
    stage.until(lambda: stage.window.library.page is not window)
    again = present(stage.window.library.page)
    assert again.windowTitle() == "Kitaplık"
    button(again.strip, "Geri al").click()
    stage.until(lambda: sorted(listed(again)) == sorted(before))


def test_the_list_says_that_a_file_is_gone_and_does_not_open_it(empty: Stage, files: Path) -> None:
    file = next(iter(sorted(files.glob("*.txt"))))
    empty.services.library.add([file])
    window = opened(empty)
    row = present(window.model.row(window.model.index(0, 0)))
    assert window.model.words.trouble(row) == ""
    assert possible(window)["&Open file"]
    window.list.setCurrentIndex(window.model.index(0, 0))
    file.unlink()
    window.load()
    empty.until(lambda: window.model._items[0].item.size is None)
    row = present(window.model.row(window.model.index(0, 0)))
    assert window.model.words.trouble(row) == "file not found"
    assert not possible(window)["&Open file"]
    assert possible(window)["&Read"]


def test_documents_dropped_with_a_conversation_are_added_after_it(
    empty: Stage, files: Path, tmp_path: Path
) -> None:
    chat = tmp_path / "sohbet.jsonl"
    chat.write_text('{"id":"a","created_at":"2026-01-01T10:00:00.000Z","messages":[]}\n')
    empty.window.library.take_dropped([chat, files / "zeytin.txt"])
    importing = empty.opened(ImportSessionsDialog)
    assert empty.archive.sources.sources(EVERYTHING) == []
    importing.reject()
    empty.until(lambda: len(empty.archive.sources.sources(EVERYTHING)) == 1)


def test_the_first_added_document_is_listed_while_the_others_are_read(
    empty: Stage, files: Path
) -> None:
    library, go = empty.window.library, Event()
    library.open()
    empty.until(lambda: present(library.page)._is_empty())
    add = Library.add

    def waiting(self: Library, *args: Any, **keywords: Any) -> LibraryReport:  # Any: as of `add`
        report = add(self, *args, **keywords)
        go.wait(WAIT_MS / 1_000)
        return report

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Library, "add", waiting)
        library.add([files / "zeytin.txt"])
        empty.until(lambda: listed(present(library.page)) == ["zeytin"])
        assert not go.is_set()
        go.set()


def test_dropped_csl_json_is_no_conversation(empty: Stage, tmp_path: Path) -> None:
    file = tmp_path / "references.json"
    file.write_text('[{"id": "a", "type": "book", "title": "Zeytin"}]', encoding="utf-8")
    empty.window.library.take_dropped([file])
    empty.until(lambda: len(empty.archive.sources.sources(EVERYTHING)) == 1)


def test_a_text_that_reads_like_a_conversation_is_asked_about(
    empty: Stage, tmp_path: Path
) -> None:
    file = tmp_path / "not.md"
    file.write_text("## Sen\n\nMerhaba\n\n## Asistan\n\nMerhaba!\n", encoding="utf-8")
    empty.window.library.take_dropped([file])
    box = empty.opened(MessageBox)
    assert "not.md" in box.text()
    box.reject()


def test_the_list_model_passes_the_model_tester_of_qt(
    stage: Stage, qtmodeltester: ModelTester
) -> None:
    qtmodeltester.check(opened(stage).model)  # type: ignore[no-untyped-call]


TEXT = "Damla sulama, yağmurlama sulamaya göre yüzde otuz sekiz daha az su kullandı."


@pytest.fixture
def web() -> Iterator[Web]:
    with Web({"/su": page("Sulama", TEXT, language="tr"), "/yavas": silent()}) as made:
        yield made


def let_in(stage: Stage, web: Web, *, is_on: bool) -> None:
    """Allow contact with the loopback web."""
    settings: Settings = stage.changes.settings
    with stage.qtbot.waitSignal(stage.changes.saved):
        stage.changes.apply(replace(settings, uses_web=is_on, web_at_home=web.at_home))


def asking(stage: Stage) -> AddWebPageDialog:
    window = opened(stage)
    window.page_wanted.emit()
    (dialog,) = window.findChildren(AddWebPageDialog)
    return dialog


def add(dialog: AddWebPageDialog, address: str) -> None:
    dialog._address.setText(address)
    button(dialog, "Add").click()


def test_a_page_is_read_and_listed_and_the_same_address_twice_is_one(
    empty: Stage, web: Web
) -> None:
    let_in(empty, web, is_on=True)
    dialog = asking(empty)
    add(dialog, web.url("/su"))
    assert not dialog._bar.isHidden()
    empty.until(lambda: not dialog.is_reading)
    assert dialog._result.text() == "✓ Sulama: added"
    assert dialog._address.text() == ""
    add(dialog, web.url("/su#giris"))
    empty.until(lambda: not dialog.is_reading)
    assert dialog._result.text() == "= Sulama: already in the library"
    window = present(empty.window.library.page)
    empty.until(lambda: listed(window) == ["Sulama"])


def test_what_was_wrong_with_an_address_goes_when_it_is_edited(empty: Stage, web: Web) -> None:
    let_in(empty, web, is_on=True)
    dialog = asking(empty)
    add(dialog, web.url("/yok"))
    empty.until(lambda: not dialog.is_reading)
    assert dialog._trouble.text()
    QTest.keyClicks(dialog._address, "s")
    assert dialog._trouble.isHidden()


def test_with_the_web_off_it_is_offered_first_and_nothing_is_contacted(
    empty: Stage, web: Web
) -> None:
    let_in(empty, web, is_on=False)
    dialog = asking(empty)
    assert dialog.focusWidget() is dialog._address
    dialog._address.setText(web.url("/su"))
    assert not dialog._offer.isHidden()
    assert not button(dialog, "Add").isEnabled()
    dialog._turn_on.click()
    empty.until(button(dialog, "Add").isEnabled)
    assert dialog._offer.isHidden()
    assert empty.changes.settings.uses_web
    assert web.asked == []
    button(dialog, "Add").click()
    empty.until(lambda: dialog._result.text() == "✓ Sulama: added")


def test_a_failure_is_explained_and_the_address_stays(empty: Stage, web: Web) -> None:
    let_in(empty, web, is_on=True)
    dialog = asking(empty)
    add(dialog, web.url("/yok"))
    empty.until(lambda: not dialog.is_reading)
    assert dialog._trouble.text().endswith(".")
    assert dialog._address.text() == web.url("/yok")
    assert empty.archive.sources.sources(EVERYTHING) == []


def test_cancel_frees_the_dialog_at_once(empty: Stage, web: Web) -> None:
    let_in(empty, web, is_on=True)
    dialog = asking(empty)
    add(dialog, web.url("/yavas"))
    empty.until(lambda: "/yavas" in web.paths())
    button(dialog, "Cancel").click()
    assert not dialog.is_reading
    assert dialog.isVisible()
    assert dialog._result.text().startswith("Stopped")
    QApplication.processEvents()
    button(dialog, "Close").click()
    assert not dialog.isVisible()


def rows(stage: Stage) -> list[Entry]:
    model = stage.window.parts.sidebar.model
    found = [model.index(place).data(SessionRole.ROW) for place in range(model.rowCount())]
    return [row for row in found if isinstance(row, Entry)]


def searched(stage: Stage, words: str) -> list[Entry]:
    stage.window.parts.sidebar.search.setText(words)
    stage.until(lambda: not stage.is_finding())
    return rows(stage)


def test_a_source_is_found_beside_the_sessions_and_opens_at_its_passage(stage: Stage) -> None:
    stage.archive.imports.add([finished("su", "Damla sulama nasıl?", "İyidir.", title="Su")])
    found = searched(stage, "damla")
    titles = {row.title: row.is_source for row in found}
    assert titles == {"Su": False, "Zeytinlikte sulama": True}
    source = next(row for row in found if row.is_source)
    model = stage.window.parts.sidebar.model
    assert model.index_of(source.session_id).data(SessionRole.WHEN) == "source, p. 1"
    stage.window.parts.sidebar._open(source)
    stage.until(lambda: stage.window.library.reader is not None)
    reader = present(stage.window.library.reader)
    stage.until(lambda: reader.text.marked == ["Damla"])


def test_a_found_source_can_only_be_opened_from_the_list(stage: Stage) -> None:
    (source,) = searched(stage, "kovanlar")
    menu = stage.window.parts.sidebar.menu_of(source)
    assert [action.text() for action in menu.actions()] == ["Open"]
    stage.window.parts.sidebar._delete(source)
    assert len(stage.archive.sources.sources(EVERYTHING)) == 3


def test_the_results_view_shows_passages_and_can_keep_to_them(stage: Stage) -> None:
    stage.archive.imports.add([finished("su", "Damla sulama nasıl?", "İyidir.", title="Su")])
    stage.window.actions_by_name["results"].trigger()
    page = stage.window.parts.results
    page.field.setText("sulama")
    stage.until(lambda: {one.title for one in page.model.sessions} == {"Su", "Zeytinlikte sulama"})
    page.filters.kind.show_value(ResultKind.SOURCES)
    page.filters.kind.chosen.emit(ResultKind.SOURCES)
    stage.until(lambda: [one.title for one in page.model.sessions] == ["Zeytinlikte sulama"])
    (found,) = page.model.sessions
    assert found.is_source
    assert found.session_id != SessionId("")
    page._open(found.hits[0])
    stage.until(lambda: stage.window.library.reader is not None)


def leads(window: SearchableListPage) -> list[str]:
    """The names of the widgets that Tab reaches, from the search on."""
    window.search.setFocus()
    names: list[str] = []
    for _ in range(40):
        window.focusNextChild()
        widget = QApplication.focusWidget()
        if widget is None or widget is window.search:
            break
        names.append(
            widget.text() if isinstance(widget, QAbstractButton) else type(widget).__name__
        )
    return names


def test_tab_moves_through_the_library_in_visual_order(stage: Stage) -> None:
    window = opened(stage)
    stage.until(lambda: window.model.count == 3)
    window._remove_selected()
    stage.until(lambda: window.model.count == 2)
    names = leads(window)
    assert names[:2] == ["All sources", "WorkTable"]
    assert names.index("Undo") < names.index("&Read") < names.index("⋯")
    assert names[-2:] == ["PageTabs", "&Add"]


def test_tab_moves_through_the_memory_in_visual_order(stage: Stage) -> None:
    stage.archive.facts.add([NewFact(a_fact("ev", "Ankara'da yaşıyor."))])
    window = opened_memory(stage)
    stage.until(lambda: window.model.count == 1)
    names = leads(window)
    assert names[:2] == ["EnumComboBox", "FactListView"]
    assert names.index("FactListView") < names.index("&Delete all facts…")
    assert names[-2:] == ["&Add a fact…", "TabBar"]


def test_documents_are_tagged_and_the_tag_filters_the_list(stage: Stage) -> None:
    window = opened(stage)
    stage.until(lambda: window.model.count == 3)
    window.list.setCurrentIndex(window.model.index(0, 0))
    (source,) = (one.source.id for one in window.list.selected)
    (menu,) = window.menu_of_selected().findChildren(TagMenu)
    menu.actions()[-1].trigger()
    (dialog,) = stage.window.findChildren(QInputDialog)
    assert dialog.parent() is stage.window, "else it goes with the menu"
    dialog.setTextValue("Toprak")
    dialog.accept()
    stage.until(lambda: window.tags == {"Toprak": {source}})
    (choices,) = window.filter_button.findChildren(QMenu)
    choices.aboutToShow.emit()
    next(one for one in choices.actions() if one.text() == "# Toprak").trigger()
    stage.until(lambda: window.model.match_count == 1)
    assert window.filter_button.text() == "# Toprak"
    assert cells(window, Column.PLACE) == ["# Toprak"]
    (undo,) = (one for one in window.strip.findChildren(QAbstractButton) if one.text() == "Undo")
    undo.click()
    stage.until(lambda: window.model.match_count == 3)
    assert window.filter_button.text() == "All sources"
    assert stage.archive.source_tags.of(source) == []


def test_a_document_moves_to_a_project_and_back_by_undo(stage: Stage) -> None:
    project = stage.archive.projects.create("Bahçe")
    window = opened(stage)
    stage.until(lambda: window.model.count == 3)
    window.list.setCurrentIndex(window.model.index(0, 0))
    (source,) = (one.source.id for one in window.list.selected)

    def menus() -> list[QMenu]:
        found = [one.menu() for one in window.menu_of_selected().actions()]
        return [one for one in found if isinstance(one, QMenu)]

    stage.until(lambda: len(menus()) == 2)  # once the project is known
    menus()[-1].actions()[-1].trigger()
    stage.until(lambda: stage.archive.sources.source(source).project == project.id)
    stage.until(lambda: window.strip.can_undo)
    (undo,) = (one for one in window.strip.findChildren(QAbstractButton) if one.text() == "Undo")
    undo.click()
    stage.until(lambda: stage.archive.sources.source(source).project == "")


def test_the_library_lists_the_chosen_project_and_can_choose_another(stage: Stage) -> None:
    project = stage.archive.projects.create("Bahçe")
    moved = stage.archive.sources.sources(EVERYTHING)[0]
    stage.archive.projects.move(project.id, moved_sources=[moved.id])
    stage.window.projects.choose(Wall(project.id))
    window = opened(stage)
    assert listed(window) == [moved.title]
    assert window.filter_button.text() == "Bahçe"
    (choices,) = window.filter_button.findChildren(QMenu)
    choices.aboutToShow.emit()
    labels = [one.text() for one in choices.actions() if one.text()]
    assert labels[1:4] == ["All projects", "No project", "Bahçe"]
    next(one for one in choices.actions() if one.text() == "All projects").trigger()
    stage.until(lambda: window.model.count == 3)
    assert stage.window.parts.sidebar.model.wall == EVERYTHING
    stage.window.projects.choose(Wall(stage.archive.projects.create("Boş").id))
    stage.until(lambda: window.model.count == 0)
    assert window._nothing.text() == "This project has no sources."
    assert window.list.isVisible()


@pytest.mark.parametrize("place", ["sidebar", "library"])
def test_documents_are_dragged_to_a_project(stage: Stage, place: str) -> None:
    project = stage.archive.projects.create("Bahçe")
    window = opened(stage)
    window.load()
    stage.until(lambda: bool(window.filter_button.walls()))
    assert window.list.dragEnabled()
    index = window.model.index(0, 0)
    assert window.model.flags(index) & Qt.ItemFlag.ItemIsDragEnabled
    targets = {"sidebar": stage.window.parts.sidebar.projects, "library": window.filter_button}
    menu = stage.drop(window.model.mimeData([index]), targets[place])
    menu.actions()[-1].trigger()
    menu.close()
    stage.until(lambda: stage.archive.projects.contents(project.id).sources == 1)


def test_enter_and_escape_in_its_search_need_no_way_over_the_list(stage: Stage) -> None:
    window = opened(stage)
    window.search.setText("aricilik")
    window.list.setFocus()
    QTest.keyClick(window.list, Qt.Key.Key_Escape)
    assert window.search.hasFocus()
    assert window.search.text() == ""
    QTest.keyClick(window.search, Qt.Key.Key_Escape)
    assert not window.isVisible()
    window = opened(stage)
    window.search.setText("aricilik")
    QTest.keyClick(window.search, Qt.Key.Key_Return)
    stage.until(lambda: stage.window.library.reader is not None)


_SEEN = f"<title>Barley</title><article><p>{'Barley was grown on the field. ' * 9}</p></article>"


def test_a_page_from_the_browser_is_listed_and_taken_back(stage: Stage) -> None:
    window, browser, origin = opened(stage), stage.services.browser, "chrome-extension://x"
    stage.changes.apply(replace(stage.changes.settings, takes_pages=True))
    stage.until(lambda: browser.port is not None)
    code = json.dumps({"code": browser.new_code()}).encode()
    token = present(browser.answer("/pair", origin, "", code).fields)["token"]
    sent = {"address": "https://example.org/barley", "html": _SEEN, "selection": False}
    headers = {"Origin": origin, "Authorization": f"Bearer {token}"}
    with closing(HTTPConnection("127.0.0.1", browser.port or 0)) as connection:
        connection.request("POST", "/pages", json.dumps(sent), headers)
        assert connection.getresponse().status == 200
    stage.until(lambda: "Barley" in listed(window))
    assert "Added from the browser: Barley" in texts(stage.window)
    stage.window.parts.strip.undo_last()
    stage.until(lambda: "Barley" not in listed(window))
    stage.changes.apply(replace(stage.changes.settings, takes_pages=False))
    stage.until(lambda: browser.port is None)
