"""Questions changed, answers written again, versions leafed through, answers judged."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit

from desktop.domain.messages import Thumb
from desktop.settings.paths import Paths
from tests.e2e.person import Person
from tests.fakes import Says, ScriptedServer


def test_versions_are_kept_reached_and_gone_on_from(
    server: ScriptedServer, connected: Paths, start: Callable[[Paths], Person]
) -> None:
    person = start(connected)
    server.then(Says("Birinci."), Says("İkinci."), Says("Üçüncü."))
    person.says("Gelgit neden olur?")
    with person.until_answered():
        person.presses("Yeniden")
    assert person.words == ["Gelgit neden olur?", "İkinci."]
    assert [one.content for one in person.shown] == person.words
    assert server.asked[-1].said[0] == server.asked[-2].said[0]

    person.presses("Önceki sürüm")
    person.waits_until(lambda: person.words == ["Gelgit neden olur?", "Birinci."])
    assert [one.content for one in person.shown] == person.words

    card = person.presses_on(1, "Düzenle")
    field = card.findChild(QPlainTextEdit)
    assert field is not None
    field.setPlainText("Gelgit ne zaman olur?")
    with person.until_answered():
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert person.words == ["Gelgit ne zaman olur?", "Üçüncü."]
    assert server.asked[-1].messages[0]["content"][0]["text"] == "Gelgit ne zaman olur?"
    assert len(server.asked[-1].messages) == 1

    person.presses_on(1, "Önceki sürüm")
    person.waits_until(lambda: person.words == ["Gelgit neden olur?", "Birinci."])
    person.says("Peki ya sonra?")
    said = [message["content"][0]["text"] for message in server.asked[-1].messages]
    assert said == ["Gelgit neden olur?", "Birinci.", "Peki ya sonra?"]
    session = person.sessions[0]
    stored = person.archive.sessions.all_versions(session.id)
    assert {one.message.content for one in stored} == {
        *said,
        *("İkinci.", "Üçüncü.", "Gelgit ne zaman olur?", "Tamam."),
    }


def test_a_thumb_with_words_is_stored_and_shown_when_the_session_is_opened_again(
    server: ScriptedServer, connected: Paths, start: Callable[[Paths], Person]
) -> None:
    person = start(connected)
    person.says("Gelgit neden olur?")
    answer = person.shown[-1].id
    person.presses("Kötü yanıt")
    card = person.points_at(person.messages[-1])
    field = card.findChild(QLineEdit)
    assert field is not None
    QTest.keyClicks(field, "kaynak yok")
    QTest.keyClick(field, Qt.Key.Key_Return)
    session = person.sessions[0]

    def kept() -> tuple[Thumb, str] | None:
        rating = person.archive.answers.ratings(session.id).get(answer)
        return (rating.thumb, rating.words) if rating else None

    person.waits_until(lambda: kept() == (Thumb.DOWN, "kaynak yok"))
    person.closes()

    later = start(connected)
    later.opens(later.rows[0])
    later.waits_until(lambda: later.messages[-1].facts.rating is not None)
    rating = later.messages[-1].facts.rating
    assert rating is not None
    assert (rating.thumb, rating.words) == (Thumb.DOWN, "kaynak yok")
