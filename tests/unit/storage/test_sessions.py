"""Sessions on the disk: appended, described, renamed, deleted, with every version of a message."""

from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.domain.errors import SessionUnknownError, StorageError
from desktop.domain.ids import SessionId
from desktop.domain.messages import MessageState
from desktop.domain.projects import EVERYTHING, ProjectId, Wall
from desktop.domain.sessions import DescribedBy, Description, Draft, EndReason, SessionStatus
from desktop.domain.times import parse_utc, utc_text
from desktop.storage.archive import Archive
from desktop.storage.repositories.sessions import (
    _BRANCHED,
    NEW_SESSION,
    DraftStore,
    StoredMessage,
)
from tests.archives import NOON, SettableClock, an_active_session, finished, stored

WORDS = "Şafak olayı sabahın erken saatlerinde kan şekerinin yükselmesidir. " * 8
BY_MODEL = Description(
    "Şafak olayı", "Ne olduğu.", ("şafak", "insülin", "glukoz"), DescribedBy.MODEL
)


def test_a_message_costs_the_disk_the_same_at_number_10_and_at_number_10_000(
    archive: Archive, tmp_path: Path
) -> None:
    session = an_active_session()
    archive.sessions.save(session, [stored(session.id, n, WORDS) for n in range(1, 10)])
    tenth = _written_by_saving(archive, tmp_path, stored(session.id, 10, WORDS))
    archive.sessions.save(session, [stored(session.id, n, WORDS) for n in range(11, 10_000)])
    ten_thousandth = _written_by_saving(archive, tmp_path, stored(session.id, 10_000, WORDS))
    assert ten_thousandth / tenth < 1.6  # an index of 10,000 rows is a level deeper
    assert ten_thousandth < 40_000


def _written_by_saving(archive: Archive, folder: Path, one: StoredMessage) -> int:
    with archive.database.outside_transactions() as db:
        db.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    archive.sessions.save(an_active_session(), [one])
    return (folder / "bellek.db-wal").stat().st_size


def test_a_saved_session_is_read_back_unchanged(archive: Archive) -> None:
    session = replace(an_active_session(), messages=2, opening="Merhaba")
    said = [
        stored(session.id, 1, "Merhaba"),
        stored(session.id, 2, "Selam", state=MessageState.STOPPED),
    ]
    archive.sessions.save(session, said)
    assert archive.sessions.session(session.id) == session
    assert archive.sessions.active() == session
    assert archive.sessions.messages(session.id) == [one.message for one in said]


def test_two_messages_never_share_a_place_on_a_path(archive: Archive) -> None:
    session = an_active_session()
    archive.sessions.save(session, [stored(session.id, 1, "Soru")])
    with pytest.raises(StorageError):
        archive.sessions.save(session, [stored(session.id, 1, "Başka", message_id=9)])
    assert [one.content for one in archive.sessions.messages(session.id)] == ["Soru"]


def test_only_one_session_can_be_active(archive: Archive) -> None:
    archive.sessions.save(an_active_session("s1"), [])
    archive.sessions.save(an_active_session("s2"), [])
    states = {one.id: one.status for one in archive.sessions.sessions(EVERYTHING)}
    assert states == {"s2": SessionStatus.ACTIVE, "s1": SessionStatus.COMPLETE}


def test_the_active_session_heads_the_list_and_the_newest_follow(archive: Archive) -> None:
    archive.imports.add(
        [finished(str(day), "Soru", at=NOON + timedelta(days=day)) for day in (2, 9, 4)]
    )
    archive.sessions.save(an_active_session("now", at=NOON), [])
    assert [one.id for one in archive.sessions.sessions(EVERYTHING)] == ["now", "9", "4", "2"]
    assert [one.id for one in archive.sessions.sessions(EVERYTHING, limit=2)] == ["now", "9"]


def test_answers_of_a_dead_process_become_interrupted_and_others_stay(archive: Archive) -> None:
    session = an_active_session()
    archive.sessions.save(
        session,
        [
            stored(session.id, 1, "Soru"),
            stored(session.id, 2, "Yarım", state=MessageState.STREAMING),
        ],
    )
    assert archive.sessions.interrupt_streaming() == 1
    states = [one.state for one in archive.sessions.messages(session.id)]
    assert states == [MessageState.COMPLETE, MessageState.INTERRUPTED]
    assert archive.sessions.interrupt_streaming() == 0


def test_a_title_that_the_user_gave_stays_through_a_later_description(archive: Archive) -> None:
    session_id = _complete(archive)
    archive.sessions.rename(session_id, "Benim başlığım")
    archive.descriptions.keep(session_id, BY_MODEL)
    session = archive.sessions.session(session_id)
    assert session.title == "Benim başlığım"
    assert session.described_by is DescribedBy.USER
    assert session.summary == "Ne olduğu."
    assert session.topics == ("şafak", "insülin", "glukoz")


def test_a_session_that_ends_is_due_for_description_until_it_has_one(archive: Archive) -> None:
    session_id = _complete(archive)
    assert [one.id for one in archive.descriptions.due()] == [session_id]
    archive.descriptions.keep(session_id, BY_MODEL, is_due_again=True)
    assert [one.id for one in archive.descriptions.due()] == [session_id]
    archive.descriptions.keep(session_id, BY_MODEL)
    assert archive.descriptions.due() == []


def test_extracted_descriptions_can_be_made_due_for_a_model(archive: Archive) -> None:
    archive.imports.add([finished("modelled", "a"), finished("extracted", "b")])
    archive.descriptions.keep(SessionId("modelled"), BY_MODEL)
    archive.descriptions.keep(SessionId("extracted"), replace(BY_MODEL, by=DescribedBy.EXTRACTION))
    assert archive.descriptions.count_extracted() == 1
    assert archive.descriptions.due() == []
    archive.descriptions.make_extracted_due()
    assert [one.id for one in archive.descriptions.due()] == ["extracted"]


def test_topics_that_differ_in_casing_or_marks_alone_are_one_topic(archive: Archive) -> None:
    first, second = finished("a", "x", topics=["İnsülin"]), finished("b", "y", topics=["insulin"])
    archive.imports.add([first, second])
    with archive.database.reading() as db:
        assert db.exec_driver_sql("SELECT count(*) FROM topics").scalar_one() == 1
    assert archive.sessions.session(SessionId("b")).topics == ("İnsülin",)


def test_a_deleted_session_is_hidden_until_the_deletion_is_undone(archive: Archive) -> None:
    session_id = _complete(archive)
    archive.sessions.delete(session_id)
    assert archive.sessions.sessions(EVERYTHING) == []
    assert archive.descriptions.due() == []
    with pytest.raises(SessionUnknownError):
        archive.sessions.session(session_id)
    archive.sessions.undelete(session_id)
    assert [one.id for one in archive.sessions.sessions(EVERYTHING)] == [session_id]


def test_an_action_on_a_missing_session_reports_it(archive: Archive) -> None:
    nowhere = SessionId("nowhere")
    for act in (
        partial(archive.sessions.rename, nowhere, "x"),
        partial(archive.sessions.pin, nowhere, True),
        partial(archive.sessions.delete, nowhere),
    ):
        with pytest.raises(SessionUnknownError):
            act()


def test_each_session_keeps_its_own_draft_and_place(archive: Archive) -> None:
    session_id = _complete(archive)
    archive.drafts.keep(session_id, Draft("yarım soru", 7, 12))
    archive.drafts.keep(NEW_SESSION, Draft("başka"))
    archive.drafts.keep(session_id, Draft("yarım kalan soru", 8, -3))
    assert archive.drafts.draft(session_id) == Draft("yarım kalan soru", 8, -3)
    assert archive.drafts.draft(NEW_SESSION) == Draft("başka")
    assert archive.drafts.draft(SessionId("none")) == Draft()


@pytest.mark.parametrize("place", ["", "session"])
def test_a_draft_is_gone_once_its_text_is_saved_as_a_question(
    archive: Archive, place: str
) -> None:
    session = an_active_session()
    where = session.id if place else NEW_SESSION
    question = stored(session.id, 1, "Şafak nedir?")
    drafts = DraftStore(archive.database, now=SettableClock(NOON - timedelta(minutes=1)))
    drafts.keep(where, Draft(" Şafak nedir?\n", attachments=(SessionId("roma"),)))
    archive.sessions.save(session, [question])
    assert archive.drafts.draft(where) == Draft("", attachments=(SessionId("roma"),))


@pytest.mark.parametrize(
    ("written", "since"),
    [("Şafak nedir? Peki ya", timedelta(minutes=-1)), ("Şafak nedir?", timedelta(minutes=1))],
)
def test_another_draft_and_the_same_words_typed_later_are_kept(
    archive: Archive, written: str, since: timedelta
) -> None:
    session = an_active_session()
    question = stored(session.id, 1, "Şafak nedir?")
    clock = SettableClock(question.message.created_at + since)
    DraftStore(archive.database, now=clock).keep(session.id, Draft(written))
    archive.sessions.save(session, [question])
    assert archive.drafts.draft(session.id) == Draft(written)


def _complete(archive: Archive) -> SessionId:
    session = replace(
        an_active_session(),
        status=SessionStatus.COMPLETE,
        ended_at=NOON,
        end_reason=EndReason.USER,
    )
    archive.sessions.save(session, [stored(session.id, 1, "Şafak olayı nedir?")])
    return session.id


@given(st.datetimes(datetime(2, 1, 3), datetime(9998, 12, 29), timezones=st.timezones()))  # noqa: DTZ001 - the zone is drawn
def test_every_moment_comes_back_to_the_millisecond_in_which_it_was_stored(
    moment: datetime,
) -> None:
    text = utc_text(moment)
    assert len(text) == len("2026-03-05T12:00:00.000Z")
    assert abs(parse_utc(text) - moment) < timedelta(milliseconds=1)


@given(st.text(max_size=30) | st.just("0001-01-01T00:00:00+14:00") | st.datetimes().map(str))
def test_an_invalid_moment_raises_only_value_error(text: str) -> None:
    try:
        parse_utc(text)
    except ValueError:
        return


def test_no_message_is_ever_written_over_one_of_another_session(archive: Archive) -> None:
    first = an_active_session()
    archive.sessions.save(first, [stored(first.id, 1, "Merhaba", message_id=7)])
    ended = replace(first, status=SessionStatus.COMPLETE)
    archive.sessions.save(ended, [])
    second = replace(an_active_session(), id=SessionId("second"))
    with pytest.raises(StorageError):
        archive.sessions.save(second, [stored(second.id, 1, "Başka söz", message_id=7)])
    assert [one.content for one in archive.sessions.messages(first.id)] == ["Merhaba"]
    with pytest.raises(SessionUnknownError):
        archive.sessions.session(second.id)


def test_a_session_with_versions_beside_its_path_is_branched(archive: Archive) -> None:
    for name, base in (("plain", 0), ("edited", 10)):
        session, ids = an_active_session(name), range(base + 1, base + 4)
        path = [stored(session.id, at, "", message_id=each) for at, each in enumerate(ids, 1)]
        archive.sessions.save(session, path)
    left = stored(SessionId("edited"), 3, "", is_current=False, message_id=13)
    archive.sessions.save(an_active_session("edited"), [left])
    assert archive.sessions.branched(EVERYTHING) == {"edited"}
    assert not archive.sessions.branched(Wall(ProjectId("another")))
    with archive.database.reading() as db:  # a list of all messages would be read at each change
        query = _BRANCHED.compile(db, compile_kwargs={"literal_binds": True})
        plan = db.exec_driver_sql(f"EXPLAIN QUERY PLAN {query}").all()
    counts = [row.detail for row in plan if "messages" in row.detail]
    assert len(counts) == 3
    assert all("COVERING INDEX" in count for count in counts)
