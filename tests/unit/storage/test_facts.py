"""Facts on the disk: visible while a message supports them, replaced and never overwritten."""

from datetime import timedelta
from pathlib import Path

import pytest

from desktop.domain.errors import FactUnknownError
from desktop.domain.facts import Fact, FactFilter, FactSupport, NewFact, Origin, Term
from desktop.domain.ids import FactId, MessageId, SessionId
from desktop.domain.projects import EVERYTHING
from desktop.storage.archive import Archive
from tests.archives import NOON, SettableClock, archive_in, finished


def fact(name: str, content: str, *, importance: int = 5, topic: str = "Sağlık") -> Fact:
    return Fact(
        FactId(name), topic, content, importance, Origin.SESSION, Term.SHORT, valid_from=NOON
    )


def a_session(archive: Archive, session_id: str, *said: str) -> list[MessageId]:
    archive.imports.add([finished(session_id, *said)])
    return [message.id for message in archive.sessions.messages(SessionId(session_id))]


def learned(archive: Archive, new: Fact, message: MessageId, words: str = "Soru") -> None:
    archive.facts.add([NewFact(new, [FactSupport(message, 0, len(words))])])


def contents(facts: list[Fact]) -> list[str]:
    return [one.content for one in facts]


def test_a_repeated_fact_weighs_more_and_is_stored_once(archive: Archive) -> None:
    first, _ = a_session(archive, "s", "Soru", "Yanıt")
    again, _ = a_session(archive, "t", "Soru", "Yanıt")
    learned(archive, fact("a", "Kullanıcı İzmir'de yaşıyor.", importance=4), first)
    learned(archive, fact("b", "kullanıcı izmir'de yaşıyor", importance=7), again)
    (kept,) = archive.facts.facts(FactFilter(EVERYTHING))
    assert (kept.id, kept.weight, kept.importance) == ("a", 2, 7)
    assert len(archive.facts.sources(FactId("a"))) == 2


def test_a_replaced_fact_keeps_its_period(archive: Archive) -> None:
    first, _ = a_session(archive, "s", "Soru", "Yanıt")
    learned(archive, fact("a", "İzmir'de yaşıyor"), first)
    later = NOON + timedelta(days=30)
    newer = Fact(
        FactId("b"), "Ev", "Ankara'da yaşıyor", 5, Origin.SESSION, Term.SHORT, valid_from=later
    )
    archive.facts.replace(FactId("a"), NewFact(newer, [FactSupport(first, 0, 4)]))
    assert contents(archive.facts.facts(FactFilter(EVERYTHING))) == ["Ankara'da yaşıyor"]
    (older,) = archive.facts.history(FactId("b"))
    assert (older.content, older.valid_to, older.replaced_by) == ("İzmir'de yaşıyor", later, "b")


def test_a_fact_that_was_replaced_cannot_be_replaced_again(archive: Archive) -> None:
    learned(archive, fact("a", "Bir"), a_session(archive, "s", "Soru", "Yanıt")[0])
    archive.facts.replace(FactId("a"), NewFact(fact("b", "İki")))
    with pytest.raises(FactUnknownError):
        archive.facts.replace(FactId("a"), NewFact(fact("c", "Üç")))
    assert contents(archive.facts.facts(FactFilter(EVERYTHING))) == ["İki"]


def test_an_undone_replacement_is_not_learned_again_and_the_older_fact_holds(
    tmp_path: Path,
) -> None:
    archive = archive_in(tmp_path)
    first, _ = a_session(archive, "s", "Soru", "Yanıt")
    learned(archive, fact("a", "Bir"), first)
    newer = NewFact(fact("b", "Yanlisanlasilan sözcük"), [FactSupport(first, 0, 4)])
    archive.facts.replace(FactId("a"), newer)
    archive.facts.undo_replace(FactId("b"))
    assert archive.facts.matching("sözcük", FactFilter(EVERYTHING)) == []
    archive.purge_deleted()
    assert contents(archive.facts.facts(FactFilter(EVERYTHING))) == ["Bir"]
    assert archive.facts.is_forgotten(FactSupport(first, 0, 4))
    archive.close()
    assert b"yanlisanlasilan" not in (tmp_path / "bellek.db").read_bytes().lower()


def test_a_deleted_fact_disappears_at_once_and_can_be_restored(archive: Archive) -> None:
    learned(archive, fact("a", "Bir"), a_session(archive, "s", "Soru", "Yanıt")[0])
    archive.facts.delete([FactId("a")])
    assert archive.facts.facts(FactFilter(EVERYTHING)) == []
    assert archive.facts.matching("bir", FactFilter(EVERYTHING)) == []
    archive.facts.undelete([FactId("a")])
    assert contents(archive.facts.facts(FactFilter(EVERYTHING))) == ["Bir"]


def test_the_words_of_a_forgotten_fact_are_marked_without_being_kept(tmp_path: Path) -> None:
    archive = archive_in(tmp_path)
    first, _ = a_session(archive, "s", "Soru", "Yanıt")
    archive.facts.add([NewFact(fact("a", "Gizlikelime unutulsun"), [FactSupport(first, 0, 4)])])
    archive.facts.delete([FactId("a")])
    assert archive.facts.is_forgotten(FactSupport(first, 2, 8))
    archive.purge_deleted()
    assert archive.facts.is_forgotten(FactSupport(first, 2, 8))
    assert not archive.facts.is_forgotten(FactSupport(first, 4, 8))
    archive.close()
    raw = (tmp_path / "bellek.db").read_bytes().lower()
    assert b"gizlikelime" not in raw


def test_a_fact_goes_with_the_only_session_that_supports_it(tmp_path: Path) -> None:
    clock = SettableClock()
    archive = archive_in(tmp_path, clock)
    first, _ = a_session(archive, "s", "Tekbasina", "Yanıt")
    other, _ = a_session(archive, "t", "Soru", "Yanıt")
    learned(archive, fact("a", "Yalnizburada geçer"), first)
    learned(archive, fact("b", "İki yerde geçer"), first)
    learned(archive, fact("c", "İki yerde geçer"), other)
    archive.facts.add([NewFact(fact("d", "Elle yazıldı"))])
    archive.sessions.delete(SessionId("s"))
    assert sorted(contents(archive.facts.facts(FactFilter(EVERYTHING)))) == [
        "Elle yazıldı",
        "İki yerde geçer",
    ]
    archive.sessions.undelete(SessionId("s"))
    assert len(archive.facts.facts(FactFilter(EVERYTHING))) == 3
    archive.sessions.delete(SessionId("s"))
    archive.purge_deleted()
    (kept,) = archive.facts.matching("iki AND yerde", FactFilter(EVERYTHING))
    assert (kept[0].message_id, kept[0].session_id) == (other, "t")
    archive.close()
    assert b"yalnizburada" not in (tmp_path / "bellek.db").read_bytes().lower()


def test_facts_are_found_by_term_topic_importance_and_session(archive: Archive) -> None:
    first, _ = a_session(archive, "s", "Soru", "Yanıt")
    learned(archive, fact("a", "Bir", importance=2), first)
    archive.facts.add([NewFact(fact("b", "İki", importance=9, topic="İş"))])
    archive.facts.move([FactId("b")], Term.LONG)

    def found(wanted: FactFilter) -> list[str]:
        return contents(archive.facts.facts(wanted))

    assert found(FactFilter(EVERYTHING, term=Term.LONG)) == ["İki"]
    assert found(FactFilter(EVERYTHING, topic="sağlık")) == ["Bir"]
    assert found(FactFilter(EVERYTHING, least_importance=3)) == ["İki"]
    assert found(FactFilter(EVERYTHING, session_id=SessionId("s"))) == ["Bir"]
    assert archive.facts.topics() == [("Sağlık", 1), ("İş", 1)]


def test_a_pinned_fact_is_short_term_again_and_comes_first(archive: Archive) -> None:
    archive.facts.add(
        [NewFact(fact("a", "Bir", importance=9)), NewFact(fact("b", "İki", importance=1))]
    )
    archive.facts.move([FactId("b")], Term.LONG)
    archive.facts.pin(FactId("b"), is_pinned=True)
    assert contents(archive.facts.facts(FactFilter(EVERYTHING, term=Term.SHORT))) == ["İki", "Bir"]


def test_the_facts_of_an_answer_are_known_after_it(archive: Archive) -> None:
    _, answer = a_session(archive, "s", "Soru", "Yanıt")
    archive.facts.add([NewFact(fact("a", "Bir")), NewFact(fact("b", "İki"))])
    archive.sent_facts.keep(answer, [FactId("b"), FactId("a"), FactId("gone")])
    assert archive.sent_facts.by_answer(SessionId("s")) == {answer: ["b", "a"]}
