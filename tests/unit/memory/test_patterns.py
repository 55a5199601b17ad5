"""Patterns of an archive: which are found, on which evidence, and how they end."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.learned_preferences import Pattern, PatternKind
from desktop.domain.messages import NO_MODEL, Rating, Thumb
from desktop.domain.projects import EVERYTHING, NO_PROJECT
from desktop.domain.sessions import DescribedBy
from desktop.domain.times import utc_text
from desktop.domain.usage import Figure, Figures
from desktop.memory.patterns import PatternFinder
from desktop.sessions.conversation.assistant_context import shipped_phrases
from desktop.storage.archive import Archive
from tests.archives import SettableClock, finished

# A Monday; local time decides days and hours, whatever the zone of the machine.
MONDAY = datetime(2026, 3, 2, 9, 30).astimezone()
NOW = MONDAY + timedelta(days=28, hours=9)
_OFTEN = ("Gelgit", "Deprem", "Volkan", "Gelgit", "Rüzgâr", "Gelgit")
YEAST, ROUTER = "Ekşi maya neden köpürmüyor?", "Why does my router drop the connection?"


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock(NOW)


@pytest.fixture
def finder(archive: Archive) -> PatternFinder:
    return PatternFinder(archive.patterns, shipped_phrases, Figures())


def add(archive: Archive, days: Iterable[int], *said: str, topics: tuple[str, ...] = ()) -> None:
    """A session on each of these days after the first Monday."""
    known = len(archive.sessions.sessions(EVERYTHING))
    archive.imports.add(
        [
            finished(f"s{n}", *said, topics=topics, at=MONDAY + timedelta(days=day))
            for n, day in enumerate(days, start=known)
        ]
    )


def of_kind(found: Iterable[Pattern], kind: PatternKind) -> list[Pattern]:
    return [one for one in found if one.kind is kind]


def values(found: Iterable[Pattern], kind: PatternKind) -> list[str]:
    return [one.value for one in of_kind(found, kind)]


def test_days_and_hours_are_patterns_from_seven_active_days_on(
    archive: Archive, finder: PatternFinder
) -> None:
    add(archive, (0, 3, 7, 10, 14, 17), "Gelgit neden olur?", "Ay yüzünden.")
    assert not finder.find(NOW, EVERYTHING)
    add(archive, (21, 24), "Rüzgâr nasıl ölçülür?", "Anemometreyle.")
    days, hours = finder.find(NOW, EVERYTHING)
    assert (days.kind, days.value, days.count) == (PatternKind.DAYS, "1,4", 8)
    assert (hours.kind, hours.value) == (PatternKind.HOURS, "9")
    assert days.confidence == pytest.approx(8 / 30)
    assert [one.session_id for one in days.evidence] == [f"s{n}" for n in range(8)]


def test_a_subject_comes_back_on_three_days(archive: Archive, finder: PatternFinder) -> None:
    add(archive, (1, 1, 5, 9, 20, 26), "Kaç gram un?", "500 g.", topics=("ekşi maya",))
    add(archive, (2, 2, 2, 13), "Tarak seçimi?", "Geniş.", topics=("zeytin hasadı",))
    (subject,) = of_kind(finder.find(NOW, EVERYTHING), PatternKind.SUBJECT)
    assert (subject.value, subject.count, subject.confidence) == ("ekşi maya", 5, 0.5)
    assert subject.is_used
    assert {one.session_id for one in subject.evidence} == {f"s{n}" for n in range(6)}


def test_the_words_of_an_answer_are_not_a_subject(archive: Archive, finder: PatternFinder) -> None:
    """Extracted topics count if the user named them; so do the user's own pairs of words."""
    for n, question in enumerate(
        ("Kira sözleşmesi biter mi?", "Kira sözleşmesinde kefil?", "Kira sözleşmesini kim yazar?")
    ):
        at = MONDAY + timedelta(days=2 * n)
        topics = ("genel kural", "kira")
        one = finished(f"k{n}", question, "Kural böyle.", topics=topics, at=at)
        described = replace(one.session, described_by=DescribedBy.EXTRACTION)
        archive.imports.add([replace(one, session=described)])
    assert values(finder.find(NOW, EVERYTHING), PatternKind.SUBJECT) == ["Kira sözleşmesi"]


def test_a_question_asked_in_three_sessions_is_open(
    archive: Archive, finder: PatternFinder
) -> None:
    add(archive, (1, 8), YEAST, "Soğuktan.")
    add(archive, (15,), "Ekşi maya niye köpürmüyor?", "Soğuktan.")
    add(archive, (2, 9), "Ekşi maya nedir?", "Bir kültür.")  # another question
    add(archive, (3, 10), ROUTER, "Because of heat.")  # only twice
    add(archive, (4,), "Selam", "Merhaba", *(["Su kaç derecede kaynar?", "100"] * 3))
    add(archive, (5, 12, 19), "Teşekkürler, çok işime yaradı!", "Rica ederim.")
    found = of_kind(finder.find(NOW, EVERYTHING), PatternKind.OPEN_QUESTION)
    assert [one.value for one in found] == ["Ekşi maya niye köpürmüyor?"]
    assert (found[0].count, found[0].confidence, len(found[0].evidence)) == (3, 0.5, 3)


def test_a_question_without_findings_is_open_when_asked_again(
    archive: Archive, finder: PatternFinder
) -> None:
    at = MONDAY + timedelta(days=4)
    add(archive, (1,), ROUTER, "Because of heat.")
    archive.imports.add(
        [finished("x", ROUTER, "Nothing was found.", models=("", NO_MODEL), at=at)]
    )
    assert values(finder.find(NOW, EVERYTHING), PatternKind.OPEN_QUESTION) == [ROUTER]
    answer = archive.sessions.messages(SessionId("x"))[1]
    archive.answers.rate(Rating(answer.id, Thumb.UP))
    assert not values(finder.find(NOW, EVERYTHING), PatternKind.OPEN_QUESTION)


def test_a_usual_next_topic_is_a_sequence(archive: Archive, finder: PatternFinder) -> None:
    rate, gold = "Döviz kuru ne kadar?", "Altın fiyatı ne kadar?"
    topics = ("döviz kuru", "altın fiyatı")
    add(archive, (1, 2, 3), rate, "47.", gold, "5.000.", topics=topics)
    # The tides follow as often, but not usually.
    for day, topic in enumerate(_OFTEN, start=15):
        said = ("Saat neden şaşar?", "Isıdan.", f"{topic} ne?", "Olay.")
        add(archive, (day,), *said, topics=("saat şaşması", topic))
    (found,) = of_kind(finder.find(NOW, EVERYTHING), PatternKind.SEQUENCE)
    assert (found.value, found.next_value, found.count) == (*topics, 3)
    assert found.is_used
    assert {one.text for one in found.evidence} == {rate, gold}


def test_the_next_session_counts_as_following(archive: Archive, finder: PatternFinder) -> None:
    for day in (1, 8, 15):
        add(archive, (day,), "Toplantı özeti?", "Kısa.", topics=("toplantı özeti",))
        add(archive, (day + 1,), "İş listesi?", "Uzun.", topics=("iş listesi",))
    found = of_kind(finder.find(NOW, EVERYTHING), PatternKind.SEQUENCE)
    assert ("toplantı özeti", "iş listesi") in [(one.value, one.next_value) for one in found]


def test_a_pattern_ends_when_it_is_no_longer_true_and_can_begin_again(
    archive: Archive, finder: PatternFinder, clock: SettableClock
) -> None:
    add(archive, (1, 8, 15), "Kaç gram un?", "500 g.", topics=("ekşi maya",))
    assert finder.refresh(NOW, NO_PROJECT) == len(archive.patterns.patterns(EVERYTHING))
    clock.pass_by(days=80)
    finder.refresh(clock(), NO_PROJECT)
    assert "ekşi maya" not in values(archive.patterns.patterns(EVERYTHING), PatternKind.SUBJECT)
    add(archive, (99, 101, 103), "Kaç gram tuz?", "10 g.", topics=("ekşi maya",))
    finder.refresh(clock(), NO_PROJECT)
    assert values(archive.patterns.patterns(EVERYTHING), PatternKind.SUBJECT) == ["ekşi maya"]


def test_only_past_sessions_count_archived_ones_as_well(
    archive: Archive, finder: PatternFinder
) -> None:
    add(archive, (1, 8, 15), YEAST, "Soğuktan.", topics=("ekşi maya",))
    with archive.database.writing() as db:
        db.exec_driver_sql("UPDATE sessions SET archived_at = ?", (utc_text(NOW),))
    assert YEAST in values(finder.find(NOW, EVERYTHING), PatternKind.OPEN_QUESTION)
    archive.sessions.delete(SessionId("s0"))
    assert not finder.find(NOW, EVERYTHING)


def test_real_deletion_takes_the_words_and_the_evidence(
    archive: Archive, finder: PatternFinder
) -> None:
    add(archive, (1, 8), YEAST, "Soğuktan.", topics=("ekşi maya",))
    add(archive, (15,), "Ekşi maya niye köpürmüyor?", "Soğuktan.", topics=("ekşi maya",))
    finder.refresh(NOW, NO_PROJECT)
    archive.housekeeping.finish("patterns")
    archive.sessions.delete(SessionId("s2"))
    # Undo can still restore it: nothing is deleted, and nothing of it is shown.
    (asked,) = of_kind(archive.patterns.patterns(EVERYTHING), PatternKind.OPEN_QUESTION)
    assert {one.session_id for one in asked.evidence} == {"s0", "s1"}
    archive.purge_deleted()
    assert archive.patterns.patterns(EVERYTHING) == []
    assert archive.housekeeping.done_on("patterns") is None
    finder.refresh(NOW, NO_PROJECT)  # on two days only
    assert archive.patterns.patterns(EVERYTHING) == []


def test_one_refresh_is_counted_and_forgetting_leaves_no_row(
    archive: Archive, finder: PatternFinder
) -> None:
    add(archive, (1, 8, 15), YEAST, "Soğuktan.", topics=("ekşi maya",))
    found = finder.refresh(NOW, NO_PROJECT)
    assert [(one.figure, one.total) for one in finder.figures.take()] == [
        (Figure.PATTERNS_FOUND, found)
    ]
    archive.patterns.forget()
    with archive.database.reading() as db:
        for table in ("patterns", "pattern_evidence"):
            assert db.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar() == 0  # noqa: S608


def test_a_message_with_forgotten_words_is_not_read(
    archive: Archive, finder: PatternFinder
) -> None:
    add(archive, (1, 8, 15), YEAST, "Soğuktan.")
    first = archive.sessions.messages(SessionId("s0"))[0]
    with archive.database.writing() as db:
        row = (MessageId(first.id), 0, 4)
        db.exec_driver_sql("INSERT INTO forgotten_words VALUES (?, ?, ?)", row)
    assert not values(finder.find(NOW, EVERYTHING), PatternKind.OPEN_QUESTION)


def test_an_open_question_is_not_shown_in_the_words_of_a_deleted_session(
    archive: Archive, finder: PatternFinder
) -> None:
    add(archive, (0, 3, 7), ROUTER)
    add(archive, (10,), f"Mehmet, {ROUTER}")
    finder.refresh(NOW, NO_PROJECT)
    archive.sessions.delete(SessionId("s3"))
    shown = values(archive.patterns.patterns(EVERYTHING), PatternKind.OPEN_QUESTION)
    assert shown == [ROUTER]
