"""Compacts of old sessions: used only if a session does not fit whole."""

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from desktop.domain import events
from desktop.domain.ids import SessionId
from desktop.domain.messages import Compact
from desktop.domain.usage import Figure
from desktop.sessions.keeping.housekeeping import HousekeepingTask, compacts_task
from desktop.settings.settings import Consent
from tests.archives import NOON
from tests.models import ScriptedModel
from tests.studies import Study

OLD = SessionId("old")
FILLER = "Bu konuda kaynaklar uzun uzun yazıyor ve çoğu aynı şeyi söylüyor. " * 30
QUESTIONS = (
    "Gelgit neden olur?",
    "En yüksek gelgit nerede?",
    "Fundy Körfezi kaç metre yükselir?",
    "12 Mart 2021 tarihinde ne oldu?",
    "Hangi dosyaya yazdım?",
    "Başka nerede görülür?",
)
ANSWERS = (
    "Ayın çekimi suyu kendine çeker.",
    "Kanada kıyısında, Fundy Körfezi ünlüdür.",
    "Su 16,3 metre kadar yükselir.",
    "O gün 14,9 metre ölçüldü.",
    "Notlar gelgit.csv dosyasında duruyor.",
    "Fransa kıyısında da yüksektir.",
)


@pytest.fixture
def study(tmp_path: Path, model: ScriptedModel) -> Iterator[Study]:
    with closing(Study(tmp_path, model)) as made:
        said = [
            one
            for question, answer in zip(QUESTIONS, ANSWERS, strict=True)
            for one in (question, f"{answer} {FILLER}")
        ]
        made.add_past("old", *said, title="Gelgit", at=NOON - timedelta(days=31))
        made.add_past("short", *said[:10], title="Kısa", at=NOON - timedelta(days=31))
        made.add_past("new", *said, title="Yeni", at=NOON - timedelta(days=29))
        yield made


@pytest.fixture
def task(study: Study) -> HousekeepingTask:
    return compacts_task(study.archive, study.assistant._context)


def _reserve(study: Study) -> Compact:
    (compact,) = study.archive.compacts.reserve(OLD)
    return compact


def test_only_long_sessions_get_one_after_30_days_and_only_once(
    study: Study, task: HousekeepingTask
) -> None:
    assert task.count() == 1
    assert task.run(lambda: False) == 1
    assert (task.count(), task.run(lambda: False)) == (0, 0)
    assert (_reserve(study).from_number, _reserve(study).to_number) == (1, 12)
    assert [one.figure for one in study.figures.take()] == [Figure.COMPRESSION]
    assert len(study.archive.sessions.messages(OLD)) == 12


def test_a_session_without_a_shorter_summary_is_not_tried_again(study: Study) -> None:
    dense = [f"{number} Ocak 2020 günü {number * 37} lira ödendi." for number in range(1, 13)]
    study.add_past("dense", *dense, title="Ödemeler", at=NOON - timedelta(days=40))
    task = compacts_task(study.archive, study.assistant._context)
    assert task.count() == 2
    assert task.run(lambda: False) == 1
    assert task.count() == 0
    assert study.archive.compacts.reserve(SessionId("dense")) == []


def test_no_old_session_is_summarised_if_housekeeping_is_off(
    study: Study, task: HousekeepingTask
) -> None:
    study.set(housekeeping=Consent.OFF)
    assert (task.count(), task.run(lambda: False)) == (0, 0)


def test_a_continued_session_that_fits_is_sent_whole(study: Study, task: HousekeepingTask) -> None:
    task.run(lambda: False)
    study.assistant.resume(OLD)
    study.ask("Peki ya Karadeniz?")
    texts = [one.text for one in study.script.requests[-1].messages]
    assert texts[0] == QUESTIONS[0]
    assert len(texts) == 13


def test_one_that_does_not_fit_is_sent_as_its_compact_without_a_further_request(
    study: Study, model: ScriptedModel, task: HousekeepingTask
) -> None:
    task.run(lambda: False)
    compact = _reserve(study)
    model.context = 3_000
    study.assistant.resume(OLD)
    study.ask("Peki ya Karadeniz?")
    assert model.compact_requests == []
    assert model.requests[-1].messages[0].text == compact.summary
    assert [one.compacted for one in study.happened(events.ContextReduced)] == [12]
    assert study.archive.compacts.compacts(OLD) == [compact]
