"""Adding web pages, sources that were found, and where Tab leads in the library."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QAbstractButton, QApplication

from desktop.domain.facts import NewFact
from desktop.domain.ids import SessionId
from desktop.settings.settings import Settings
from desktop.ui.library.add_web_page_dialog import AddWebPageDialog
from desktop.ui.search.results_filters import ResultKind
from desktop.ui.searchable_list import SearchableListWindow
from desktop.ui.sidebar.entries import Entry
from desktop.ui.sidebar.model import SessionRole
from desktop.ui.window.actions import ActionId
from tests.archives import finished
from tests.ui.library.conftest import listed, opened
from tests.ui.main_window.stage import Stage
from tests.ui.memory.conftest import a_fact
from tests.ui.memory.conftest import opened as opened_memory
from tests.web import Web, page, silent

TEXT = "Damla sulama, yağmurlama sulamaya göre yüzde otuz sekiz daha az su kullandı."


@pytest.fixture
def web() -> Iterator[Web]:
    with Web({"/su": page("Sulama", TEXT, language="tr"), "/yavas": silent()}) as made:
        yield made


def let_in(stage: Stage, web: Web, *, is_on: bool) -> None:
    """The loopback web may be contacted."""
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
    dialog._begin.click()


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
    window = empty.window.library.window
    assert window is not None
    empty.until(lambda: listed(window) == ["Sulama"])


def test_with_the_web_off_it_is_offered_first_and_nobody_is_contacted(
    empty: Stage, web: Web
) -> None:
    let_in(empty, web, is_on=False)
    dialog = asking(empty)
    dialog._address.setText(web.url("/su"))
    assert not dialog._offer.isHidden()
    assert not dialog._begin.isEnabled()
    dialog._turn_on.click()
    empty.until(dialog._begin.isEnabled)
    assert dialog._offer.isHidden()
    assert empty.changes.settings.uses_web
    assert web.asked == []
    dialog._begin.click()
    empty.until(lambda: dialog._result.text() == "✓ Sulama: added")


def test_what_fails_is_a_sentence_and_the_address_stays(empty: Stage, web: Web) -> None:
    let_in(empty, web, is_on=True)
    dialog = asking(empty)
    add(dialog, web.url("/yok"))
    empty.until(lambda: not dialog.is_reading)
    assert dialog._trouble.text().endswith(".")
    assert dialog._address.text() == web.url("/yok")
    assert empty.archive.sources.sources() == []


def test_cancel_frees_the_dialog_at_once(empty: Stage, web: Web) -> None:
    let_in(empty, web, is_on=True)
    dialog = asking(empty)
    add(dialog, web.url("/yavas"))
    empty.until(lambda: "/yavas" in web.paths())
    dialog._leave.click()
    assert not dialog.is_reading
    assert dialog.isVisible()
    assert dialog._result.text().startswith("Stopped")
    QApplication.processEvents()
    dialog._leave.click()
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
    reader = stage.window.library.reader
    assert reader is not None
    stage.until(lambda: reader.text.marked == ["Damla"])


def test_a_found_source_can_only_be_opened_from_the_list(stage: Stage) -> None:
    (source,) = searched(stage, "kovanlar")
    menu = stage.window.parts.sidebar.menu_of(source)
    assert [action.text() for action in menu.actions()] == ["Open"]
    stage.window.parts.sidebar._delete(source)
    assert len(stage.archive.sources.sources()) == 3


def test_the_results_view_shows_passages_and_can_keep_to_them(stage: Stage) -> None:
    stage.archive.imports.add([finished("su", "Damla sulama nasıl?", "İyidir.", title="Su")])
    stage.window.actions_by_name[ActionId.RESULTS].trigger()
    page = stage.window.parts.results
    page.field.setText("sulama")
    stage.until(lambda: {one.title for one in page.model.found} == {"Su", "Zeytinlikte sulama"})
    page.filters.kind.show_value(ResultKind.SOURCES)
    page.filters.kind.chosen.emit(ResultKind.SOURCES)
    stage.until(lambda: [one.title for one in page.model.found] == ["Zeytinlikte sulama"])
    (found,) = page.model.found
    assert found.is_source
    assert found.session_id != SessionId("")
    page._open(found.hits[0])
    stage.until(lambda: stage.window.library.reader is not None)


def leads(window: SearchableListWindow) -> list[str]:
    """The names of what Tab comes to, from the search on."""
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


def test_tab_leads_through_the_library_as_it_lies(stage: Stage) -> None:
    window = opened(stage)
    stage.until(lambda: window.model.count == 3)
    window._remove_selected()
    stage.until(lambda: window.model.count == 2)
    names = leads(window)
    assert names[:2] == ["EnumComboBox", "SourceListView"]
    assert names.index("Undo") < names.index("&Read") < names.index("C&lose")
    assert names[-1] == "Add &files…"


def test_tab_leads_through_the_memory_as_it_lies(stage: Stage) -> None:
    stage.archive.facts.add([NewFact(a_fact("ev", "Ankara'da yaşıyor."))])
    window = opened_memory(stage)
    stage.until(lambda: window.model.count == 1)
    names = leads(window)
    assert names[:2] == ["EnumComboBox", "FactListView"]
    assert names[names.index("C&lose") + 1 :] == ["&Add a fact…", "QTabBar"]
