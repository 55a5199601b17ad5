"""From half a word typed without its letters to the place itself; past sessions taken along."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.domain.ids import SessionId
from desktop.settings.paths import DEFAULT_PROFILE, Paths
from desktop.storage.archive import open_archive
from desktop.ui.transcript.card import MessageCard
from desktop.ui.transcript.entries import MessageEntry
from desktop.ui.window.actions import ActionId
from tests.archives import finished
from tests.e2e.person import Person
from tests.fakes import ScriptedServer

_MANY = 10_000
_NEEDLE, _SECOND = 9_990, 9_998
_FOUND = "Bu bilgi, kütüphanedeki kitabın şömiz kapağında yazıyordu."
_AGAIN = "Şömizdeki kitabın adını da not ettik."
_DRAFT = "Şimdi beta hücre rejenerasyonu için ölçüm araştıralım"
_BETA = "Beta hücre rejenerasyonu farelerde görülmüştür; ölçüm üç ayda bir yapılır."


def _fill(data: Paths) -> None:
    profile = data.profile(DEFAULT_PROFILE)
    archive = open_archive(profile.database, backups=profile.backups)
    said = [f"Gelgit üzerine {number}. söz." for number in range(1, _MANY + 1)]
    said[_NEEDLE - 1], said[_SECOND - 1] = _FOUND, _AGAIN
    archive.imports.add(
        [
            finished("uzun", *said, title="Gelgit üzerine uzun bir konuşma"),
            finished(
                "beta",
                "Beta hücreleri yenilenir mi?",
                _BETA,
                title="Beta hücreleri",
                summary="Beta hücrelerinin yenilenmesi konuşuldu.",
            ),
        ]
    )
    for session_id in archive.index.unindexed():
        archive.index.index_session(session_id)
    archive.close()


def _is_in_sight(person: Person, number: int) -> bool:
    transcript = person.parts.transcript
    card = transcript.live.get(person.messages[number - 1])
    return isinstance(card, MessageCard) and transcript.viewport().rect().intersects(
        card.geometry()
    )


def test_half_a_word_without_its_letters_leads_to_message_9990_and_f3_to_the_next(
    connected: Paths, start: Callable[[Paths], Person]
) -> None:
    _fill(connected)
    person = start(connected)
    for query in ("kitap", "KİTAB", "kutuphane"):
        (row,) = person.searches(query)
        assert row.session_id == "uzun", query
        marked = [row.text[begin:end] for begin, end in row.marks]
        assert marked, query
        assert all(word in _FOUND + _AGAIN for word in marked), query
    rows = person.searches("KITAB somiz")
    assert [(row.session_id, row.hits) for row in rows] == [("uzun", 2)]
    person.opens(rows[0])
    person.waits_until(person.parts.hit_bar.isVisible)
    shown = rows[0].hit
    assert shown is not None
    assert shown.message_number is not None
    assert _is_in_sight(person, shown.message_number)
    card = person.parts.transcript.live[person.messages[shown.message_number - 1]]
    assert isinstance(card, MessageCard)
    assert sum(len(pane.marks) for pane in card.panes()) > 0
    places = [person.parts.hit_bar._place.text()]
    for act in (ActionId.FIND_NEXT, ActionId.FIND_PREVIOUS):
        person.chooses(act)
        places.append(person.parts.hit_bar._place.text())
    assert sorted(set(places)) == ["1 / 2", "2 / 2"]
    assert places[0] == places[2]
    person.parts.find_bar.begin()
    QTest.keyClicks(person.parts.find_bar.field, "SOMIZ")
    assert person.parts.find_bar._place.text().endswith("2")


def test_what_is_taken_along_reaches_the_model_as_data_and_stands_nowhere_else(
    server: ScriptedServer, connected: Paths, start: Callable[[Paths], Person]
) -> None:
    _fill(connected)
    person = start(connected)
    person.types(_DRAFT)
    suggestions = person.parts.suggestions
    person.waits_until(
        lambda: [one.title for one in suggestions.suggestions] == ["Beta hücreleri"]
    )
    person.chooses(ActionId.READ_BESIDE)
    person.waits_until(person.parts.beside.isVisible)
    entries = person.parts.beside.transcript.entries
    read = [one.text for one in entries if isinstance(one, MessageEntry)]
    assert read == ["Beta hücreleri yenilenir mi?", _BETA]
    person.chooses(ActionId.ADD_BESIDE)
    with person.until_answered():
        QTest.keyClick(person.parts.composer.field, Qt.Key.Key_Return)

    *_, question, block = (one["text"] for one in server.asked[-1].messages[-1]["content"])
    assert question == _DRAFT
    assert 'session="Beta hücreleri"' in block
    assert _BETA in block
    assert [message.content for message in person.shown] == [_DRAFT, "Tamam."]

    person.says("Peki ölçüm neden o kadar seyrek yapılır?")
    assert _BETA in server.asked[-1].newest
    person.parts.context_chips._chips[0].click()
    assert tuple(person.program.window.sessions.asking.in_context) == ()
    person.says("Peki bu hücreler için ölçüm nerede yapılır?")
    assert _BETA not in server.asked[-1].body.decode()
    assert SessionId("beta") in {session.id for session in person.sessions}
