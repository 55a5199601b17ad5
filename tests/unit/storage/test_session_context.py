"""Compacts replace messages of one path, without gaps, whoever adds them and when."""

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import Compact
from desktop.storage.archive import Archive
from tests.archives import an_active_session, stored

SESSION = SessionId("s1")


def fill(archive: Archive, count: int = 6) -> None:
    said = [stored(SESSION, number, f"söz {number}") for number in range(1, count + 1)]
    archive.sessions.save(an_active_session(), said)


def compact(first: int, last: int, message_id: int | None = None) -> Compact:
    return Compact(SESSION, first, last, MessageId(message_id or last), f"özet {first}–{last}")


def test_a_compact_holds_only_while_its_last_message_is_on_the_path(archive: Archive) -> None:
    fill(archive)
    assert archive.compacts.add(compact(1, 2))
    assert archive.compacts.add(compact(3, 4))
    assert archive.compacts.compacts(SESSION) == [compact(1, 2), compact(3, 4)]
    left = [stored(SESSION, number, "", is_current=False) for number in (3, 4, 5, 6)]
    archive.sessions.save(an_active_session(), left)
    assert archive.compacts.compacts(SESSION) == [compact(1, 2)]


def test_a_compact_with_a_gap_or_an_overlap_is_refused(archive: Archive) -> None:
    fill(archive)
    assert not archive.compacts.add(compact(3, 4))
    assert archive.compacts.add(compact(1, 4))
    for first, last in ((1, 2), (4, 6), (6, 6)):
        assert not archive.compacts.add(compact(first, last))
    assert archive.compacts.compacts(SESSION) == [compact(1, 4)]


def test_one_that_was_made_on_a_path_left_meanwhile_is_not_taken(archive: Archive) -> None:
    fill(archive)
    archive.sessions.save(
        an_active_session(),
        [stored(SESSION, 4, "", is_current=False), stored(SESSION, 4, "başka", message_id=40)],
    )
    assert not archive.compacts.add(compact(1, 4))
    assert archive.compacts.add(compact(1, 4, message_id=40))


def test_only_one_of_two_rows_with_a_shared_message_counts(archive: Archive) -> None:
    """Compacts of a path that was left and resumed: [1–4] and [1–3] both end on it."""
    fill(archive)
    archive.compacts.add(compact(1, 4))
    other = [
        *(stored(SESSION, number, "", is_current=False) for number in (4, 5, 6)),
        stored(SESSION, 4, "başka", message_id=40),
    ]
    archive.sessions.save(an_active_session(), other)
    assert archive.compacts.compacts(SESSION) == []
    assert archive.compacts.add(compact(1, 3))
    back = [
        stored(SESSION, 4, "", is_current=False, message_id=40),
        *(stored(SESSION, number, f"söz {number}") for number in (4, 5, 6)),
    ]
    archive.sessions.save(an_active_session(), back)
    assert archive.compacts.compacts(SESSION) == [compact(1, 4)]
    assert archive.compacts.add(compact(5, 6))
    assert archive.compacts.compacts(SESSION) == [compact(1, 4), compact(5, 6)]


def test_the_place_of_a_failure_is_stored_until_there_is_a_compact(archive: Archive) -> None:
    fill(archive)
    assert archive.compacts.failed_at(SESSION, covered=0) == 0
    archive.compacts.note_failure(SESSION, covered=0, messages=6)
    assert archive.compacts.failed_at(SESSION, covered=0) == 6
    assert archive.compacts.failed_at(SESSION, covered=2) == 0
    archive.compacts.add(compact(1, 2))
    assert archive.compacts.failed_at(SESSION, covered=0) == 0
