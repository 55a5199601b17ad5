"""The example library through the window: imported, put in order, quoted without a model."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from desktop.domain.ids import SessionId
from desktop.domain.sessions import Session
from desktop.settings.paths import Paths
from desktop.settings.settings import Settings, UiLanguage
from desktop.settings.store import SettingsStore
from desktop.ui.window.actions import ActionId
from tests.e2e.person import Person


@pytest.fixture
def modelless(data: Paths) -> Paths:
    SettingsStore(data.settings_file).save(Settings(language=UiLanguage.TR, welcomed=True))
    return data


def test_the_example_library_is_put_in_order_and_taken_out(
    modelless: Paths, start: Callable[[Paths], Person], tmp_path: Path
) -> None:
    person = start(modelless)
    person.presses("Örnek oturumları ekle")
    person.waits_until(lambda: "imported" in person.strips)
    assert "Örnek oturumlar yüklendi: " in person.strips["imported"]
    assert len(person.sessions) >= 12
    person.waits_until(lambda: not person.archive.index.unindexed())

    row = person.searches("somogyı")[0]
    person.opens(row)
    person.parts.sidebar.search.clear()
    one = row.session_id

    def kept() -> Session:
        return person.archive.sessions.session(one)

    person.chooses(ActionId.RENAME)
    field = person.parts.sidebar.list.viewport().findChild(QLineEdit)
    assert field is not None
    field.setText("Sabah şekeri")
    QTest.keyClick(field, Qt.Key.Key_Return)
    person.waits_until(lambda: kept().title == "Sabah şekeri")
    person.waits_until(lambda: person.program.window.windowTitle() == "Sabah şekeri – Bellek")

    person.chooses(ActionId.PIN)
    person.waits_until(lambda: person.rows[0].session_id == one and person.rows[0].is_pinned)
    assert kept().is_pinned

    file = tmp_path / "oturum.md"
    with person.qtbot.waitSignal(person.program.window.archive.exported, timeout=30_000):
        person.program.window.archive.export(one, file)
    written = file.read_text(encoding="utf-8")
    assert written.startswith("# Sabah şekeri\n")
    assert all(message.content in written for message in person.shown)
    assert person.strips["exported"] == "oturum.md dosyasına yazıldı."

    person.chooses(ActionId.DELETE)
    person.waits_until(lambda: "deleted" in person.strips)
    assert person.strips["deleted"] == "“Sabah şekeri” silindi."
    assert one not in [row.session_id for row in person.rows]
    assert one not in [row.session_id for row in person.searches("somogyi")]
    person.parts.sidebar.search.clear()
    person.presses("Geri al")
    person.waits_until(lambda: person.rows[0].session_id == one)
    assert person.rows[0].is_pinned
    assert one in [row.session_id for row in person.searches("somogyi")]


def test_without_a_model_past_sessions_are_quoted_with_links_that_lead_there(
    modelless: Paths, start: Callable[[Paths], Person]
) -> None:
    person = start(modelless)
    person.presses("Örnek oturumları ekle")
    person.waits_until(lambda: "imported" in person.strips)
    person.waits_until(lambda: not person.archive.index.unindexed())
    person.says("Somogyi etkisi nedir?")
    answer = person.words[-1]
    assert "model" in answer
    link = re.search(r"bellek://session/([^?)]+)\?message=(\d+)", answer)
    assert link is not None
    assert person.shown[-1].content == answer
    person.waits_until(lambda: bool(person.messages[-1].facts.citations))
    quoted = person.messages[-1].facts.citations[0]
    source = person.archive.sessions.messages(SessionId(quoted.source_id))
    assert any(quoted.quote in message.content for message in source)

    person.parts.transcript.link_activated.emit(link[0])
    person.waits_until(lambda: person.program.window.sessions.is_past_shown)
    shown = person.program.window.sessions.shown
    assert shown is not None
    assert shown.id == link[1]
    found = next(entry for entry in person.messages if str(entry.message.id) == link[2])
    assert found in person.parts.transcript.live
