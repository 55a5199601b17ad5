"""Everything that belongs to merged or split sessions moves with them, and comes back."""

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from desktop.domain.diary import DiaryItem, DiaryItemKind
from desktop.domain.errors import SessionUnknownError
from desktop.domain.facts import Fact, FactFilter, FactSupport, NewFact, Origin, Refusal, Term
from desktop.domain.ids import FactId, MessageId, SessionId, TurnId
from desktop.domain.messages import Citation, CitationState, Compact, Rating, Thumb
from desktop.domain.projects import EVERYTHING
from desktop.domain.search import HitKind, RecalledItem
from desktop.domain.sessions import DescribedBy, Description, Draft, Session
from desktop.domain.usage import Phase, PhaseRecord, Purpose, Usage
from desktop.domain.web import Contact, ContactOutcome, ContactPurpose
from desktop.storage.archive import Archive
from desktop.storage.repositories.answer_records import AnswerRecord
from tests.archives import NOON, finished

FIRST, SECOND, PART, OTHER = (SessionId(one) for one in ("first", "second", "part", "other"))
HOUR = timedelta(hours=1)


@dataclass
class Merged:
    archive: Archive
    first: Session
    second: Session
    number: int

    def undo(self) -> None:
        self.archive.split_merge.undo_merge(self.first, self.second, self.number)


@pytest.fixture(autouse=True)
def sessions(archive: Archive) -> None:
    archive.imports.add(
        [
            finished("first", "Adım Ayşe.", "Merhaba.", "Ne yesem?", "Çorba.", at=NOON),
            finished("second", "Zürafa besliyorum.", "Güzel.", "Sonra?", "Su.", at=NOON + HOUR),
            finished("other", "Bambaşka.", "Evet.", at=NOON + 2 * HOUR),
        ]
    )


def ids(archive: Archive, session_id: SessionId) -> list[MessageId]:
    return [one.id for one in archive.sessions.messages(session_id)]


def remember(archive: Archive, name: str, content: str, *said: MessageId) -> None:
    fact = Fact(FactId(name), "Ev", content, 5, Origin.SESSION, Term.SHORT, valid_from=NOON)
    archive.facts.add([NewFact(fact, [FactSupport(one, 0, 6) for one in said])])


def merge(archive: Archive) -> Merged:
    first, second = (archive.sessions.session(one) for one in (FIRST, SECOND))
    return Merged(archive, first, second, archive.split_merge.merge(FIRST, SECOND))


def place(archive: Archive, name: str) -> tuple[str | None, int | None]:
    fact = archive.facts.fact(FactId(name))
    (source,) = archive.facts.sources(FactId(name))
    assert (source.session_id, source.message_number) == (fact.session_id, fact.message_number)
    return fact.session_id, fact.message_number


def facts_of(archive: Archive, session_id: SessionId) -> list[str]:
    return [one.id for one in archive.facts.facts(FactFilter(EVERYTHING, session_id=session_id))]


def words_left_in(folder: Path) -> list[str]:
    whole = b"".join(file.read_bytes() for file in sorted(folder.glob("bellek.db*")))
    words = ("Zürafa", "zürafa", "zurafa", "Ayşe", "ayse")
    return [word for word in words if word.encode() in whole]


def test_a_fact_opens_its_message_where_that_went_and_where_it_came_back_to(
    archive: Archive,
) -> None:
    remember(archive, "z", "Zürafası var.", ids(archive, SECOND)[2])
    done = merge(archive)
    assert place(archive, "z") == (FIRST, 7)
    assert (facts_of(archive, FIRST), facts_of(archive, SECOND)) == (["z"], [])
    done.undo()
    assert place(archive, "z") == (SECOND, 3)
    archive.split_merge.split(SECOND, ids(archive, SECOND)[2], PART)
    assert place(archive, "z") == (PART, 1)
    archive.split_merge.undo_split(done.second, PART)
    assert place(archive, "z") == (SECOND, 3)


def test_facts_stay_when_a_merge_is_final_and_go_with_the_session_they_went_to(
    archive: Archive, tmp_path: Path
) -> None:
    remember(archive, "z", "Zürafası var.", ids(archive, SECOND)[0])
    merge(archive)
    archive.purge_deleted()
    assert place(archive, "z") == (FIRST, 5)
    archive.sessions.delete(FIRST)
    assert archive.facts.facts(FactFilter(EVERYTHING)) == []
    archive.sessions.undelete(FIRST)
    assert place(archive, "z") == (FIRST, 5)
    archive.sessions.delete(FIRST)
    archive.purge_deleted()
    assert words_left_in(tmp_path) == []


def test_a_merge_and_its_deletion_made_final_in_one_go_leave_no_word(
    archive: Archive, tmp_path: Path
) -> None:
    remember(archive, "z", "Zürafası var.", ids(archive, SECOND)[0])
    archive.contacts.add(contact(SECOND, "https://zurafa.example/"))
    merge(archive)
    archive.sessions.delete(FIRST)
    archive.purge_deleted()
    assert words_left_in(tmp_path) == []
    assert [one.id for one in archive.sessions.sessions(EVERYTHING)] == [OTHER]


def test_a_forgotten_fact_stays_forgotten_wherever_its_message_moves(archive: Archive) -> None:
    said = ids(archive, SECOND)[0]
    remember(archive, "z", "Zürafası var.", said)
    archive.facts.delete([FactId("z")])
    done = merge(archive)
    assert archive.facts.is_forgotten(FactSupport(said, 2, 3))
    archive.purge_deleted()
    assert archive.facts.is_forgotten(FactSupport(said, 2, 3))
    archive.split_merge.split(FIRST, said, PART)
    assert archive.facts.forgotten([said]) == [FactSupport(said, 0, 6)]
    with pytest.raises(SessionUnknownError):
        done.undo()


def test_compacts_neither_overlap_nor_leave_a_gap(archive: Archive) -> None:
    first, second = ids(archive, FIRST), ids(archive, SECOND)
    assert archive.compacts.add(Compact(FIRST, 1, 2, first[1], "a"))
    assert archive.compacts.add(Compact(SECOND, 1, 2, second[1], "b"))
    done = merge(archive)
    assert [one.summary for one in archive.compacts.compacts(FIRST)] == ["a"]
    assert archive.compacts.add(Compact(FIRST, 3, 6, second[1], "c"))
    done.undo()
    assert [one.summary for one in archive.compacts.compacts(FIRST)] == ["a"]
    assert archive.compacts.compacts(SECOND) == []
    assert archive.compacts.add(Compact(FIRST, 3, 4, first[3], "d"))
    archive.split_merge.split(FIRST, first[2], PART)
    assert [one.summary for one in archive.compacts.compacts(FIRST)] == ["a"]
    assert archive.compacts.compacts(PART) == []
    archive.split_merge.undo_split(done.first, PART)
    assert [one.summary for one in archive.compacts.compacts(FIRST)] == ["a"]
    assert archive.compacts.add(Compact(FIRST, 3, 4, first[3], "e"))


def test_the_records_of_an_answer_move_with_it_and_come_back(archive: Archive) -> None:
    answer = ids(archive, SECOND)[1]
    cited = Citation(1, CitationState.CHECKED, "Merhaba", FIRST, str(ids(archive, FIRST)[1]), "")
    record = AnswerRecord(answer, "m", [cited], Usage(3, 4))
    archive.sessions.keep_records(SECOND, [record])
    archive.answers.rate(Rating(answer, Thumb.UP, ""))
    archive.sent_facts.keep(answer, [])
    done = merge(archive)
    for session_id in (FIRST, SECOND):
        found = archive.answers.citations(session_id)
        assert found == {answer: [cited]}
        assert list(archive.answers.ratings(session_id)) == [answer]
        assert archive.answers.usage(session_id) == {answer: Usage(3, 4)}
        if session_id == FIRST:
            done.undo()
    assert archive.answers.citations(FIRST) == {}


def test_unfinished_research_is_offered_wherever_its_question_is(archive: Archive) -> None:
    question = ids(archive, SECOND)[2]
    answer = ids(archive, SECOND)[3]
    with archive.database.writing() as db:
        db.exec_driver_sql("UPDATE messages SET state = 'failed' WHERE id = ?", (answer,))
    archive.runs.begin(SECOND, question)
    done = merge(archive)
    assert [one.session_id for one in archive.runs.unfinished()] == [FIRST]
    done.undo()
    assert [one.session_id for one in archive.runs.unfinished()] == [SECOND]
    archive.split_merge.split(SECOND, question, PART)
    assert [one.session_id for one in archive.runs.unfinished()] == [PART]


def contact(session_id: SessionId, address: str, at: timedelta = HOUR) -> Contact:
    return Contact(NOON + at, ContactPurpose.PAGE, address, ContactOutcome.OK, session_id)


def phase(turn: str, at: timedelta = HOUR) -> PhaseRecord:
    return PhaseRecord(TurnId(turn), Phase.WRITING, NOON + at, 5)


def logged(archive: Archive, session_id: SessionId) -> tuple[list[str], list[str], int]:
    """Turns, addresses and the session's own tokens."""
    return (
        sorted(one.turn_id for one in archive.phases.phases(session_id)),
        sorted(one.address for one in archive.contacts.contacts(session_id=session_id)),
        archive.answers.usage(session_id).get(None, Usage()).total_tokens,
    )


def log(archive: Archive, session_id: SessionId, name: str, at: timedelta) -> None:
    archive.phases.keep(session_id, [phase(name, at)])
    archive.contacts.add(contact(session_id, name, at))
    archive.answers.count_usage(session_id, Usage(1), purpose=Purpose.DESCRIBE, model="m")
    archive.learning.keep_refused(session_id, [(Refusal.EMPTY, 1)])


def test_the_log_of_a_session_that_was_put_to_another_is_not_lost_when_that_is_final(
    archive: Archive,
) -> None:
    log(archive, FIRST, "a", timedelta())
    log(archive, SECOND, "b", HOUR)
    before = [logged(archive, one) for one in (FIRST, SECOND)]
    done = merge(archive)
    done.undo()
    assert [logged(archive, one) for one in (FIRST, SECOND)] == before
    merge(archive)
    archive.purge_deleted()
    assert logged(archive, FIRST) == (["a", "b"], ["a", "b"], 2)
    assert archive.learning.refused(FIRST) == {Refusal.EMPTY: 2}


def test_the_log_of_two_merges_in_a_row_ends_where_the_messages_are(archive: Archive) -> None:
    log(archive, OTHER, "c", 2 * HOUR)
    archive.split_merge.merge(SECOND, OTHER)
    archive.split_merge.merge(FIRST, SECOND)
    archive.purge_deleted()
    assert logged(archive, FIRST) == (["c"], ["c"], 1)


def test_the_target_of_a_summarys_citation_outlives_the_merge(archive: Archive) -> None:
    answer = ids(archive, OTHER)[1]
    cited = Citation(1, CitationState.CHECKED, "Güzel", SECOND, "", "İkinci")
    archive.sessions.keep_records(OTHER, [AnswerRecord(answer, "m", [cited])])
    merge(archive)
    archive.purge_deleted()
    (kept,) = archive.answers.citations(OTHER)[answer]
    assert (kept.source_id, kept.quote, kept.state) == (FIRST, "Güzel", CitationState.CHECKED)


def test_a_split_moves_the_later_log_entries_and_a_merge_returns_them(archive: Archive) -> None:
    log(archive, SECOND, "b", HOUR)
    log(archive, SECOND, "late", 2 * HOUR)
    before = logged(archive, SECOND)
    whole = archive.sessions.session(SECOND)
    archive.split_merge.split(SECOND, ids(archive, SECOND)[2], PART)
    assert logged(archive, SECOND) == (["b"], ["b"], 2)
    assert logged(archive, PART) == (["late"], ["late"], 0)
    archive.split_merge.undo_split(whole, PART)
    assert logged(archive, SECOND) == before


def due(archive: Archive, *sessions: SessionId) -> list[bool]:
    return [archive.learning.is_due(one) for one in sessions]


def test_an_unread_session_is_read_for_facts_with_its_merge_target(archive: Archive) -> None:
    archive.learning.make_due(SECOND)
    done = merge(archive)
    assert due(archive, FIRST) == [True]
    done.undo()
    assert due(archive, SECOND) == [True]


def test_a_merge_whose_place_is_gone_is_not_taken_back(archive: Archive) -> None:
    done = merge(archive)
    archive.split_merge.split(FIRST, ids(archive, FIRST)[2], PART)
    before = [ids(archive, one) for one in (FIRST, PART)]
    with pytest.raises(SessionUnknownError):
        done.undo()
    assert [ids(archive, one) for one in (FIRST, PART)] == before


def test_reading_the_same_words_again_adds_no_weight(archive: Archive) -> None:
    said = ids(archive, SECOND)[0]
    remember(archive, "z", "Zürafası var.", said)
    merge(archive)
    remember(archive, "y", "Zürafası var.", said)
    assert archive.facts.fact(FactId("z")).weight == 1
    remember(archive, "x", "Zürafası var.", ids(archive, OTHER)[0])
    assert archive.facts.fact(FactId("z")).weight == 2


def test_topics_of_both_belong_to_the_whole_and_are_split_with_it(archive: Archive) -> None:
    for one, topics in ((FIRST, ("ev", "yemek")), (SECOND, ("Yemek", "zürafa"))):
        told = Description(f"Başlık {one}", f"Özet {one}.", topics, DescribedBy.MODEL)
        archive.descriptions.keep(one, told)
    merged = merge(archive)
    whole = archive.sessions.session(FIRST)
    assert (whole.summary, whole.topics) == ("Özet first. Özet second.", ("ev", "yemek", "zürafa"))
    merged.undo()
    assert [archive.sessions.session(one).summary for one in (FIRST, SECOND)] == [
        "Özet first.",
        "Özet second.",
    ]
    assert archive.sessions.session(FIRST).topics == ("ev", "yemek")


def test_the_attachments_of_a_draft_are_found_after_a_merge(archive: Archive) -> None:
    archive.drafts.keep(OTHER, Draft("Peki?", attachments=(SECOND, FIRST, PART)))
    merged = merge(archive)
    assert archive.drafts.draft(OTHER).attachments == (FIRST, PART)
    archive.split_merge.merge(OTHER, FIRST)
    assert archive.sessions.now_in([SECOND]) == [OTHER]
    archive.split_merge.undo_merge(archive.sessions.session(OTHER), merged.first, 3)
    merged.undo()
    assert archive.drafts.draft(OTHER).attachments == (SECOND, FIRST, PART)


def recall(archive: Archive, answer: MessageId, said: MessageId, session_id: SessionId) -> None:
    item = RecalledItem(1, HitKind.MESSAGE, str(said), "", "", NOON, session_id)
    archive.recalled.keep(answer, [item])


def recalled(archive: Archive) -> list[tuple[str, str]]:
    found = archive.recalled.by_answer(OTHER, lambda text, _: text)
    return [(one.session_id, one.snippet) for several in found.values() for one in several]


def test_a_recalled_fact_and_a_diary_day_are_shown_in_their_own_words(archive: Archive) -> None:
    said = ids(archive, SECOND)[0]
    remember(archive, "zoo", "Zürafası var.", said)
    line = DiaryItem(DiaryItemKind.FOUND, "Zürafa ot yer.", SECOND, said)
    other = DiaryItem(DiaryItemKind.FOUND, "Ayşe çorba yer.", FIRST, ids(archive, FIRST)[0])
    archive.diary.write(NOON.date(), (line, other), (), NOON)
    kinds = ((HitKind.FACT, "zoo"), (HitKind.DIARY, NOON.date().isoformat()))
    items = [
        RecalledItem(place, kind, target, "", "", NOON, SECOND)
        for place, (kind, target) in enumerate(kinds, start=1)
    ]
    answer = ids(archive, OTHER)[1]
    archive.recalled.keep(answer, items)
    found = archive.recalled.by_answer(OTHER, lambda text, _: text)[answer]
    assert [(one.title, one.snippet) for one in found] == [
        ("Ev", "Zürafası var."),
        (NOON.date().isoformat(), "Zürafa ot yer."),
    ]
    archive.facts.delete([FactId("zoo")])
    assert recalled(archive) == [(SECOND, "Zürafa ot yer.")]


def test_recalled_passages_are_read_from_where_they_moved(
    archive: Archive, tmp_path: Path
) -> None:
    recall(archive, ids(archive, OTHER)[1], ids(archive, SECOND)[0], SECOND)
    assert recalled(archive) == [(SECOND, "Zürafa besliyorum.")]
    merge(archive)
    archive.purge_deleted()
    assert recalled(archive) == [(FIRST, "Zürafa besliyorum.")]
    archive.sessions.delete(FIRST)
    assert recalled(archive) == []
    archive.sessions.undelete(FIRST)
    assert recalled(archive) == [(FIRST, "Zürafa besliyorum.")]
    archive.sessions.delete(FIRST)
    archive.purge_deleted()
    with archive.database.reading() as db:
        assert db.exec_driver_sql("SELECT count(*) FROM recalled_items").scalar_one() == 0
