"""Where Tab leads in the windows that search what is kept."""

from PySide6.QtWidgets import QAbstractButton, QApplication

from desktop.domain.facts import NewFact
from desktop.ui.searchable_list import SearchableListWindow
from tests.ui.library.conftest import opened
from tests.ui.main_window.stage import Stage
from tests.ui.memory.conftest import a_fact
from tests.ui.memory.conftest import opened as opened_memory


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
