"""`bellek stats`, and the figures of the memory in `bellek doctor`."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from desktop.domain.usage import DailyFigure, Figure, Purpose, Usage
from desktop.settings.paths import Paths
from desktop.storage.archive import open_archive
from tests.archives import finished
from tests.commands import bellek

TODAY = datetime.now(UTC).replace(hour=12)


@pytest.fixture
def _filled(tmp_path: Path) -> None:
    database = Paths.under(tmp_path / "bellek").profile().database
    archive = open_archive(database, backups=tmp_path / "backups")
    archive.imports.add(
        [
            finished("s1", "Gelgit nedir?", "Sudur.", topics=["gelgit"], at=TODAY),
            finished("s2", "Dün?", "Evet.", topics=["gelgit"], at=TODAY - timedelta(days=900)),
        ]
    )
    day = date.today()  # noqa: DTZ011 (the local day, as figures have it)
    archive.daily_figures.add(
        [
            DailyFigure(day - timedelta(days=1), Figure.SIZE_BYTES, 1, 1_000_000.0),
            DailyFigure(day, Figure.SIZE_BYTES, 2, 5_000_000.0),
            DailyFigure(day - timedelta(days=1), Figure.SEARCH_MS, 1, 10.0),
            DailyFigure(day, Figure.SEARCH_MS, 3, 50.0),
            DailyFigure(day, Figure.CACHE_HITS, 4, 3.0),
        ]
    )
    archive.background.add(Purpose.DESCRIBE, "m", Usage(50, 10, cost_usd=0.01))
    archive.close()


@pytest.mark.usefixtures("_filled")
def test_it_counts_from_the_first_session_or_from_a_day() -> None:
    whole = bellek("stats", "--json").json
    assert (sum(whole["written"]), whole["step"]) == (4, "month")
    part = bellek("stats", "--json", "--since", str(TODAY.date())).json
    assert (sum(part["written"]), part["step"]) == (2, "day")
    assert part["days"] == {str(TODAY.astimezone().date()): 2}


@pytest.mark.usefixtures("_filled")
@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("tr", ["gelgit", "%75", "2,5 MB", "15,0 ms"]),
        ("en", ["gelgit", "75%", "2.5 MB", "15.0 ms"]),
    ],
)
def test_it_says_so_in_the_language_of_the_reader(language: str, words: list[str]) -> None:
    told = bellek("--lang", language, "stats").out
    assert all(one in told for one in words), told


@pytest.mark.usefixtures("_filled")
def test_it_shows_what_nobody_asked_for_by_hand_and_the_cap() -> None:
    bellek("config", "set", "background_tokens", "60")
    shown = bellek("--lang", "en", "stats", "--background").out
    assert "60 of 60 tokens today. The limit is reached" in shown
    assert "Titles, summaries and facts" in shown
    report = bellek("stats", "--background", "--json").json
    assert (report["is_reached"], report["cap_tokens"]) == (True, 60)
    (use,) = report["uses"]["month"]
    assert (use["purpose"], use["requests"], use["usage"]["cost_usd"]) == ("describe", 1, 0.01)


def test_an_empty_archive_is_said_to_be_empty() -> None:
    done = bellek("--lang", "en", "stats")
    assert (done.code, done.out) == (0, "")
    assert "Nothing to show yet" in done.err


@pytest.mark.usefixtures("_filled")
def test_the_doctor_prints_the_figures_of_the_memory() -> None:
    told = bellek("--lang", "en", "doctor").out
    assert "Time to search: 15.0 ms" in told
    figures = bellek("doctor", "--json").json["figures"]
    assert figures["search_ms"] == pytest.approx(15)
    assert figures["size_bytes"] == pytest.approx(2_500_000)
