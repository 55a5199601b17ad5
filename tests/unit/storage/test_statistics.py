"""Counts over the whole archive, in the local time zone."""

import time
from collections.abc import Iterator
from datetime import UTC, date, datetime

import pytest
from sqlalchemy import update

from desktop.domain.ids import SessionId
from desktop.domain.messages import Rating, Thumb
from desktop.domain.projects import EVERYTHING
from desktop.domain.usage import Figures, Purpose, Usage
from desktop.sessions.keeping.background_requests import BackgroundRequests
from desktop.sessions.keeping.insight import InsightService, Step
from desktop.settings.settings import Settings
from desktop.storage.archive import Archive
from desktop.storage.schema.tables import ratings
from tests.archives import SettableClock, finished

LATE = datetime(2026, 3, 5, 22, 30, tzinfo=UTC)
"""Already the next day in Istanbul and in Kathmandu."""


@pytest.fixture(params=["Europe/Istanbul", "Asia/Kathmandu"])
def _zone(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[None]:
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def insight_of(archive: Archive, today: date = date(2026, 3, 10)) -> InsightService:
    return InsightService(archive, Figures(), BackgroundRequests(archive, Settings), lambda: today)


@pytest.mark.usefixtures("_zone")
def test_messages_after_midnight_count_for_the_local_day(archive: Archive) -> None:
    archive.imports.add([finished("s", "soru", "yanıt", topics=["gelgit"], at=LATE)])
    assert {day for day, _, _ in archive.statistics.messages(EVERYTHING)} == {date(2026, 3, 6)}
    assert archive.statistics.sessions(EVERYTHING) == [(date(2026, 3, 6), 1)]
    assert archive.statistics.subjects(EVERYTHING, None, 5) == {"gelgit": [(date(2026, 3, 6), 1)]}


@pytest.mark.usefixtures("_zone")
def test_a_period_begins_at_local_midnight(archive: Archive) -> None:
    archive.imports.add([finished("s", "soru", "yanıt", topics=["gelgit"], at=LATE)])
    assert archive.statistics.subjects(EVERYTHING, date(2026, 3, 6), 5)
    assert not archive.statistics.subjects(EVERYTHING, date(2026, 3, 7), 5)


def test_the_most_frequent_subjects_come_first_and_no_others(archive: Archive) -> None:
    archive.imports.add(
        [
            finished("a", "soru", topics=["uyku", "gelgit"]),
            finished("b", "soru", topics=["gelgit"]),
            finished("c", "soru", topics=["vergi"]),
        ]
    )
    assert list(archive.statistics.subjects(EVERYTHING, None, 1)) == ["gelgit"]


def test_a_deleted_session_is_not_counted(archive: Archive) -> None:
    archive.imports.add([finished("s", "soru", "yanıt", topics=["gelgit"])])
    answer = archive.sessions.messages(SessionId("s"))[1]
    archive.answers.rate(Rating(answer.id, Thumb.UP))
    spent = Usage(10, 5, cost_usd=0.01)
    archive.answers.count_usage(SessionId("s"), spent, purpose=Purpose.ANSWER, model="m")
    insight = insight_of(archive).read(EVERYTHING)
    assert (sum(insight.written), sum(insight.good), len(insight.spending)) == (2, 1, 1)
    archive.sessions.delete(SessionId("s"))
    assert insight_of(archive).read(EVERYTHING).is_empty
    assert not insight_of(archive).read(EVERYTHING).spending


def test_tokens_and_cost_add_up_by_month_and_model(archive: Archive, clock: SettableClock) -> None:
    archive.imports.add([finished("s", "soru", "yanıt")])
    for days, model, cost in ((0, "m", 0.5), (1, "m", 0.25), (2, "n", None), (40, "m", 1.0)):
        clock.at = datetime(2026, 3, 5, 12, tzinfo=UTC)
        clock.pass_by(days=days)
        archive.answers.count_usage(
            SessionId("s"), Usage(100, 20, cost_usd=cost), purpose=Purpose.ANSWER, model=model
        )
    told = [
        (one.month, one.model, one.usage.total_tokens, one.usage.cost_usd)
        for one in archive.statistics.usage(EVERYTHING, None)
    ]
    assert told == [
        (date(2026, 3, 1), "m", 240, 0.75),
        (date(2026, 3, 1), "n", 120, None),
        (date(2026, 4, 1), "m", 120, 1.0),
    ]


@pytest.mark.parametrize(
    ("since", "step", "first"),
    [
        (date(2026, 3, 1), Step.DAY, date(2026, 3, 1)),
        (date(2025, 12, 31), Step.WEEK, date(2025, 12, 29)),
        (date(2024, 5, 20), Step.MONTH, date(2024, 5, 1)),
    ],
)
def test_the_longer_the_period_the_wider_its_steps(
    archive: Archive, since: date, step: Step, first: date
) -> None:
    archive.imports.add([finished("old", "bir", at=datetime(2024, 5, 1, 12, tzinfo=UTC))])
    insight = insight_of(archive).read(EVERYTHING, since)
    assert (insight.step, insight.spans[0]) == (step, first)
    assert insight.spans[-1] <= date(2026, 3, 10)
    assert sorted(set(insight.spans)) == insight.spans


def test_a_young_archive_begins_with_its_first_day(archive: Archive) -> None:
    archive.imports.add([finished("s", "bir", at=datetime(2026, 3, 5, 12, tzinfo=UTC))])
    insight = insight_of(archive).read(EVERYTHING, date(2025, 3, 11))
    assert (insight.since, insight.step) == (date(2026, 3, 5), Step.DAY)


def test_a_week_that_begins_before_the_period_counts_only_what_lies_in_it(
    archive: Archive,
) -> None:
    for name, day in (("old", 1), ("before", 19), ("in", 21)):
        at = datetime(2025, 11, day, 12, tzinfo=UTC)
        archive.imports.add([finished(name, "bir", at=at)])
    insight = insight_of(archive).read(EVERYTHING, date(2025, 11, 20))
    assert (insight.step, insight.spans[0]) == (Step.WEEK, date(2025, 11, 17))
    assert (sum(insight.written), sum(insight.began)) == (1, 1)


def test_growth_counts_what_was_there_before_the_period(archive: Archive) -> None:
    archive.imports.add([finished("old", "bir", "iki", at=datetime(2024, 1, 1, 12, tzinfo=UTC))])
    archive.imports.add([finished("new", "üç", at=datetime(2026, 3, 5, 12, tzinfo=UTC))])
    insight = insight_of(archive).read(EVERYTHING, date(2026, 3, 4))
    assert insight.messages == [2, 3, 3, 3, 3, 3, 3]
    assert insight.written == [0, 1, 0, 0, 0, 0, 0]
    assert list(insight.days) == [date(2026, 3, 5)]


def test_a_future_day_is_treated_as_today(archive: Archive) -> None:
    insight = insight_of(archive).read(EVERYTHING, date(2030, 1, 1))
    assert insight.spans == [date(2026, 3, 10)]


def test_a_rating_whose_time_cannot_be_read_is_left_out(archive: Archive) -> None:
    archive.imports.add([finished("s", "Soru", "Cevap")])
    (_, answer) = archive.sessions.messages(SessionId("s"))
    archive.answers.rate(Rating(answer.id, Thumb.UP))
    with archive.database.writing() as db:
        db.execute(update(ratings).values(created_at="??"))
    assert archive.statistics.thumbs(EVERYTHING, Thumb.UP, None) == []
