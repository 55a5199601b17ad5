"""Back and Forward through sessions, places in them and sources."""

from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from desktop.domain.ids import SessionId
from desktop.domain.projects import EVERYTHING
from desktop.ui.reader.reader_content import ReaderPlace
from desktop.ui.services import NavigationTarget
from desktop.ui.views import View
from tests.narrowing import instance
from tests.ui.main_window.stage import Stage


def sessions(stage: Stage) -> list[SessionId]:
    return [one.id for one in stage.archive.sessions.sessions(EVERYTHING) if one.messages > 2]


def go(stage: Stage, place: NavigationTarget) -> None:
    stage.window.commands.open(place)
    stage.until(lambda: shown(stage) == place.session_id)


def shown(stage: Stage) -> SessionId | None:
    session = stage.window.sessions.shown
    return session.id if session else None


def press(stage: Stage, act: str) -> None:
    stage.window.actions_by_name[act].trigger()


def test_sessions_are_gone_through_in_both_directions(library: Stage) -> None:
    first, second, *_ = sessions(library)
    actions = library.window.actions_by_name
    assert not actions["back"].isEnabled()
    go(library, NavigationTarget(first))
    go(library, NavigationTarget(second))
    press(library, "back")
    library.until(lambda: shown(library) == first)
    press(library, "back")
    library.until(lambda: shown(library) is None)
    assert not actions["back"].isEnabled()
    press(library, "forward")
    library.until(lambda: shown(library) == first)
    press(library, "forward")
    library.until(lambda: shown(library) == second)
    assert not actions["forward"].isEnabled()


def test_a_new_visit_clears_the_forward_history(library: Stage) -> None:
    first, second, third, *_ = sessions(library)
    go(library, NavigationTarget(first))
    go(library, NavigationTarget(second))
    press(library, "back")
    library.until(lambda: shown(library) == first)
    go(library, NavigationTarget(third))
    assert not library.window.actions_by_name["forward"].isEnabled()
    press(library, "back")
    library.until(lambda: shown(library) == first)


def test_back_leads_to_the_place_in_the_session(library: Stage) -> None:
    library.window.resize(900, 500)
    first, second, *_ = sessions(library)
    messages = library.archive.sessions.messages(first)
    go(library, NavigationTarget(first))
    transcript = library.window.parts.transcript
    transcript.restore_anchor(1, 0)
    library.until(lambda: transcript.anchor()[0] == 1)
    go(library, NavigationTarget(first, messages[-1].id))
    library.until(lambda: transcript.anchor()[0] != 1)
    go(library, NavigationTarget(second))
    press(library, "back")
    library.until(lambda: shown(library) == first and transcript.anchor()[0] != 1)
    press(library, "back")
    library.until(lambda: transcript.anchor()[0] == 1)
    assert shown(library) == first


def test_the_first_message_on_an_empty_page_adds_no_history_step(stage: Stage) -> None:
    stage.ask("Bir soru?")
    assert not stage.window.actions_by_name["back"].isEnabled()


def test_a_source_is_a_step_and_its_window_has_the_keys_too(
    library: Stage, tmp_path: Path
) -> None:
    file = tmp_path / "tides.md"
    file.write_text("# Tides\n\nThe moon pulls the water.", encoding="utf-8")
    library.services.library.add([file])
    source = library.archive.sources.sources(EVERYTHING)[0]
    (first, *_) = sessions(library)
    go(library, NavigationTarget(first))
    library.window.library.read(ReaderPlace(source.id))
    reader = library.window.library.reader
    assert reader is not None
    library.until(reader.isVisible)
    QTest.keyClick(reader, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    library.until(lambda: not reader.isVisible())
    assert shown(library) == first
    press(library, "forward")
    library.until(reader.isVisible)


def test_a_deleted_session_is_no_longer_a_step(library: Stage) -> None:
    first, second, *_ = sessions(library)
    go(library, NavigationTarget(first))
    go(library, NavigationTarget(second))
    with library.qtbot.waitSignal(library.window.archive.deleted):
        library.window.commands.delete(first)
    press(library, "back")
    library.until(lambda: shown(library) is None)


def test_the_mouse_has_buttons_for_it(library: Stage) -> None:
    (first, *_) = sessions(library)
    go(library, NavigationTarget(first))
    handle = library.window.windowHandle()
    QTest.mouseClick(handle, Qt.MouseButton.BackButton, pos=QPoint(600, 300))
    library.until(lambda: shown(library) is None)
    QTest.mouseClick(handle, Qt.MouseButton.ForwardButton, pos=QPoint(600, 300))
    library.until(lambda: shown(library) == first)


def test_pages_are_steps_after_a_source_was_read_and_closed(
    library: Stage, tmp_path: Path
) -> None:
    file = tmp_path / "tides.md"
    file.write_text("The moon pulls the water.", encoding="utf-8")
    library.services.library.add([file])
    press(library, "library")
    source = library.archive.sources.sources(EVERYTHING)[0]
    reader = library.window.library.read(ReaderPlace(source.id))
    library.until(reader.isVisible)
    QTest.keyClick(reader, Qt.Key.Key_Escape)
    for act in ("memory", "diary", "back"):
        press(library, act)
    assert shown_page(library) == "memory"
    press(library, "back")
    assert shown_page(library) == "library"
    press(library, "back")
    library.until(reader.isVisible)
    press(library, "back")
    assert (shown_page(library), reader.isVisible()) == ("library", False)


def shown_page(stage: Stage) -> str:
    return instance(stage.window.parts.view, View).act
