from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from threading import Thread

import pytest

from desktop.domain.errors import StorageError
from desktop.domain.usage import DailyFigure, Figure, Figures
from desktop.storage.archive import Archive, open_for_reading
from tests.studies import Study

TODAY = date(2026, 11, 28)


def test_figures_of_a_day_add_up_across_several_saves(archive: Archive) -> None:
    figures = Figures(lambda: TODAY)
    for hit in (1, 0, 1):
        figures.record(Figure.CACHE_HITS, hit)
    archive.keep_figures(figures)
    figures.record(Figure.CACHE_HITS, 1)
    archive.keep_figures(figures)
    (hits,) = [one for one in archive.daily_figures.figures() if one.figure is Figure.CACHE_HITS]
    assert hits == DailyFigure(TODAY, Figure.CACHE_HITS, 4, 3.0)
    assert hits.value == pytest.approx(0.75)


def test_figures_before_the_given_day_are_left_out(archive: Archive) -> None:
    days = [TODAY - timedelta(days=gone) for gone in (2, 1, 0)]
    archive.daily_figures.add([DailyFigure(day, Figure.SEARCH_MS, 1, 5.0) for day in days])
    kept = archive.daily_figures.figures(since=days[1])
    assert [one.day for one in kept] == days[1:]


def test_nothing_is_written_if_nothing_was_recorded(archive: Archive) -> None:
    archive.keep_figures(Figures(lambda: TODAY))
    assert archive.daily_figures.figures() == []


def test_figures_that_the_disk_refuses_are_stored_at_the_next_attempt(
    archive: Archive, tmp_path: Path
) -> None:
    figures = Figures(lambda: TODAY)
    figures.record(Figure.PATTERNS_FOUND, 3)
    reader = open_for_reading(tmp_path / "bellek.db")
    with pytest.raises(StorageError):
        reader.keep_figures(figures)
    reader.close()
    archive.keep_figures(figures)
    stored = {one.figure: one.value for one in archive.daily_figures.figures()}
    assert stored[Figure.PATTERNS_FOUND] == pytest.approx(3)


def test_no_record_is_lost_between_threads() -> None:
    figures = Figures(lambda: TODAY)

    def record() -> None:
        for _ in range(500):
            figures.record(Figure.PREFERENCES_UPDATED)

    threads = [Thread(target=record) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert [one.total for one in figures.take()] == [2000]


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Study]:
    made = Study(tmp_path / "study")
    yield made
    made.close()


def test_a_turn_records_how_long_its_messages_took_to_store(study: Study) -> None:
    study.ask("Gelgit nedir?")
    kinds = {one.figure for one in study.figures.take()}
    assert Figure.STORE_MS in kinds


def test_a_temporary_session_records_no_store(study: Study) -> None:
    study.assistant.begin_temporary()
    study.ask("Gelgit nedir?")
    assert Figure.STORE_MS not in {one.figure for one in study.figures.take()}
