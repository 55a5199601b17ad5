"""Passages of sources among the hits of the sidebar and of the results view."""

from desktop.domain.ids import SessionId
from desktop.ui.search.results_filters import ResultKind
from desktop.ui.sidebar.entries import Entry
from desktop.ui.sidebar.model import SessionRole
from desktop.ui.window.actions import ActionId
from tests.archives import finished
from tests.ui.main_window.stage import Stage


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
