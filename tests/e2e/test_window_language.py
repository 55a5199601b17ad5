"""The window's language and theme, changed while it is open."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QDialogButtonBox

from desktop.settings.paths import Paths
from desktop.settings.settings import UiLanguage
from desktop.settings.store import SettingsStore
from desktop.ui.window.actions import ActionId
from tests.e2e.person import Person
from tests.fakes import Fails, Request, Says, ScriptedServer, Step


def _menus(person: Person) -> list[str]:
    return [action.text().replace("&", "") for action in person.program.window.menuBar().actions()]


def _words_of_qt() -> str:
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
    words = box.button(QDialogButtonBox.StandardButton.Cancel).text().replace("&", "")
    box.deleteLater()
    return words


def _chooses(person: Person, language: UiLanguage) -> None:
    person.program.window.actions_by_name.languages[language].trigger()
    person.waits_until(lambda: person.program.changes.settings.language is language)
    QCoreApplication.processEvents()


def _describes(request: Request) -> bool:
    return request.newest.startswith("user: ")


def _answer(request: Request) -> Step:
    return Fails(529) if _describes(request) else Says("Ay yüzünden.")


def _asked(server: ScriptedServer) -> Request:
    return [request for request in server.asked if not _describes(request)][-1]


def _heading(person: Person) -> str:
    return str(person.parts.sidebar.model.index(0).data())


def test_everything_speaks_the_other_language_at_once(
    server: ScriptedServer, connected: Paths, start: Callable[[Paths], Person]
) -> None:
    person = start(connected)
    server.default = Fails(529)
    person.says("Gelgit neden olur?")
    person.waits_until(lambda: "Model şu an çok yoğun." in person.messages[-1].facts.error)
    person.chooses(ActionId.END_SESSION)
    person.waits_until(lambda: bool(person.notices))
    assert _menus(person)[0] == "Dosya"
    person.waits_until(lambda: _heading(person) == "Bugün")
    assert _words_of_qt() == "İptal"
    assert "Oturum bitti." in person.notices[-1]
    assert "Tümü" in person.buttons

    _chooses(person, UiLanguage.EN)
    assert _menus(person)[0] == "File"
    assert _heading(person) == "Today"
    assert _words_of_qt() == "Cancel"
    assert person.notices[-1].startswith("The session has ended.")
    assert "All" in person.buttons
    assert "Tümü" not in person.buttons
    person.waits_until(lambda: "very busy" in person.messages[-1].facts.error)
    assert SettingsStore(connected.settings_file).load().language is UiLanguage.EN

    server.default = _answer
    person.says("Why are there tides?")
    assert _asked(server).system.startswith("You are Bellek")

    _chooses(person, UiLanguage.TR)
    person.says("Peki ya sonra?")
    assert _asked(server).system.startswith("Türkçe konuşan")
    assert _menus(person)[0] == "Dosya"
    assert "Tümü" in person.buttons
