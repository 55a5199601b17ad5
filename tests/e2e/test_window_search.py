"""From half a word typed without its letters to the place itself."""

from collections.abc import Callable

from PySide6.QtTest import QTest

from desktop.settings.paths import DEFAULT_PROFILE, Paths
from desktop.storage.archive import open_archive
from desktop.ui.transcript.card import MessageCard
from tests.archives import finished
from tests.e2e.person import Person

_MANY = 10_000
_NEEDLE, _SECOND = 9_990, 9_998
_FOUND = "Bu bilgi, kütüphanedeki kitabın şömiz kapağında yazıyordu."
_AGAIN = "Şömizdeki kitabın adını da not ettik."


def _fill(data: Paths) -> None:
    profile = data.profile(DEFAULT_PROFILE)
    archive = open_archive(profile.database, backups=profile.backups)
    said = [f"Gelgit üzerine {number}. söz." for number in range(1, _MANY + 1)]
    said[_NEEDLE - 1], said[_SECOND - 1] = _FOUND, _AGAIN
    archive.imports.add([finished("uzun", *said, title="Gelgit üzerine uzun bir konuşma")])
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
    person.waits_until(person.parts.find_bar.isVisible)
    shown = rows[0].hit
    assert shown is not None
    assert shown.message_number is not None
    assert _is_in_sight(person, shown.message_number)
    card = person.parts.transcript.live[person.messages[shown.message_number - 1]]
    assert isinstance(card, MessageCard)
    assert sum(len(pane.marks) for pane in card.panes()) > 0
    places = [person.parts.find_bar._place.text()]
    for act in ("find_next", "find_previous"):
        person.chooses(act)
        places.append(person.parts.find_bar._place.text())
    assert sorted(set(places)) == ["1/2", "2/2"]
    assert places[0] == places[2]
    person.parts.find_bar.begin()
    QTest.keyClicks(person.parts.find_bar.field, "SOMIZ")
    assert person.parts.find_bar._place.text().endswith("2")
