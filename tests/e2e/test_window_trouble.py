"""What the window shows about damaged files and invalid addresses."""

from collections.abc import Callable
from contextlib import closing

import sqlcipher3.dbapi2
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.app.window import Program
from desktop.domain.language import Language
from desktop.settings.paths import DEFAULT_PROFILE, Paths
from desktop.storage.archive import open_archive
from desktop.ui.widgets.plain_text import MessageBox
from tests.archives import finished
from tests.e2e.person import PATIENCE_MS, Person

_QUESTION = "Gelgit neden olur?"


def test_a_damaged_database_is_reported_with_the_place_of_the_old_file(
    connected: Paths, start: Callable[[Paths], Person]
) -> None:
    database = connected.profile(DEFAULT_PROFILE).database
    database.parent.mkdir(parents=True, exist_ok=True)
    database.write_bytes(b"\xa5" * 16_384)
    person = start(connected)
    files = [one for one in database.parent.rglob("*") if one.is_file() and one != database]
    (kept,) = [one for one in files if one.read_bytes()[:2] == b"\xa5\xa5"]
    told = person.strips["failed"]
    assert "Veritabanı bozulmuş." in told
    assert kept.name in told
    person.says(_QUESTION)
    assert person.words == [_QUESTION, "Tamam."]


def test_a_repair_on_request_says_by_session_what_was_saved(
    connected: Paths, start: Callable[..., Person]
) -> None:
    profile = connected.profile(DEFAULT_PROFILE)
    archive = open_archive(profile.database, backups=profile.backups)
    archive.imports.add([finished("s1", _QUESTION, "Ay çeker."), finished("s2", "Uyku", "Gece")])
    archive.close()
    person = start(connected, is_repair=True)
    assert person.strips["repairing"] == "Bozuk bir şey yok."
    person.closes()
    with closing(sqlcipher3.dbapi2.connect(str(profile.database))) as later:
        later.execute(
            "UPDATE messages SET content = CAST(x'41ff' AS TEXT) WHERE content = 'Ay çeker.'"
        )
        later.execute("DELETE FROM messages WHERE content = 'Gece'")
        later.commit()
    told = start(connected, is_repair=True).strips
    assert "repairing" not in told
    assert "Kurtarılan mesajlar: 3/4. Eksiği olan oturumlar: “Uyku” 1/2." in told["failed"]


def test_unreadable_settings_are_reported_with_the_place(
    connected: Paths, start: Callable[[Paths], Person]
) -> None:
    connected.settings_file.write_text("welcomed = true\n= bozuk", encoding="utf-8")
    person = start(connected)
    (kept,) = connected.settings_file.parent.glob("settings.toml.broken-*")
    told = person.strips["failed"]
    assert "Ayar dosyası okunamadı" in told
    assert kept.name in told


def test_a_database_newer_than_the_program_is_refused_in_a_box_and_left_alone(
    connected: Paths, qtbot: QtBot, qapp: QApplication
) -> None:
    profile = connected.profile(DEFAULT_PROFILE)
    open_archive(profile.database, backups=profile.backups).close()
    with closing(sqlcipher3.dbapi2.connect(str(profile.database))) as later:
        later.execute("PRAGMA user_version = 999")
    before = profile.database.read_bytes()
    program = Program(qapp, connected, profile, Language.TR)
    program.show()

    def boxes() -> list[MessageBox]:
        return [one for one in program.window.findChildren(MessageBox) if one.isVisible()]

    try:
        qtbot.waitUntil(lambda: bool(boxes()), timeout=PATIENCE_MS)
        assert "daha yeni bir sürümü" in boxes()[0].text()
        assert "999" in boxes()[0].text()
        assert program.has_failed
    finally:
        with qtbot.waitSignal(program.finished, timeout=PATIENCE_MS):
            for box in boxes():
                box.accept()
            program.window.close()
    assert not program.window.isVisible()
    assert profile.database.read_bytes() == before
    program.window.deleteLater()
    program.deleteLater()
