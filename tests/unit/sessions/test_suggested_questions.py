"""Suggested questions: on the page of a new session, and after an answer."""

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from desktop.domain.language import Language
from desktop.domain.projects import COMMON, EVERYTHING
from desktop.domain.usage import Figures
from desktop.memory.patterns import PatternFinder
from desktop.sessions.conversation.assistant_context import AssistantContext
from desktop.sessions.importing.import_process import read_in_process
from desktop.sessions.importing.importer import Importer
from desktop.sessions.keeping.suggested_questions import SuggestedQuestions
from desktop.settings.paths import asset
from tests.archives import SettableClock, finished
from tests.studies import Study, phrases, words_of

MONDAY = datetime(2026, 3, 2, 9, 30).astimezone()
YEAST, FLOUR = "Ekşi maya neden köpürmüyor?", "Ekşi maya için hangi un iyi?"
EXAMPLES = asset("resources", "examples", "library.jsonl")


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Study]:
    study = Study(tmp_path / "alone", clock=SettableClock(MONDAY + timedelta(days=35)))
    yield study
    study.close()


def suggested(study: Study, language: Language = Language.TR) -> SuggestedQuestions:
    around = AssistantContext(
        settings=study.settings_of,
        wording=words_of,
        language=lambda: language,
        phrases=study.heard,
        settings_in=study.settings_in,
        model=study.model_of,
        now=study.clock,
    )
    finder = PatternFinder(study.archive.patterns, phrases, Figures())
    store = study.archive.patterns
    return SuggestedQuestions(store, finder, around, study.archive.projects.every_place)


def add(study: Study, days: range, *said: str, topics: tuple[str, ...] = ()) -> None:
    study.archive.imports.add(
        [
            finished(f"{said[0][:4]}{day}", *said, topics=topics, at=MONDAY + timedelta(days=day))
            for day in days
        ]
    )


def test_a_young_archive_offers_its_last_sessions_and_unanswered_questions(alone: Study) -> None:
    add(alone, range(20, 21), "Un ne kadar?", "500 g.", topics=("gün", "ekşi maya"))
    add(alone, range(25, 26), "Dişli oranı nasıl hesaplanır?")
    assert suggested(alone).worth_asking(COMMON) == [
        "Dişli oranı nasıl hesaplanır?",
        "En son ekşi maya konusunda nerede kalmıştık?",
    ]


@pytest.mark.parametrize(
    "said", ["Tell me slow about bread", "yavaş uzun yaz ikinci soru", "Write a long story"]
)
def test_a_command_or_fragment_and_its_session_are_never_offered(alone: Study, said: str) -> None:
    add(alone, range(20, 21), said, topics=("slow bread", said))
    add(alone, range(25, 26), said, "Peki.", topics=("slow bread", said))
    offers = suggested(alone)
    offers.look()
    assert offers.worth_asking(COMMON) == []
    alone.ask(f"{said} now")
    assert offers.follow_ups(alone.active.id, COMMON) == []


def test_open_questions_come_first_then_what_comes_back(alone: Study) -> None:
    add(alone, range(0, 35, 5), "Un?", "500 g.", topics=("ekşi maya",))
    add(alone, range(1, 31, 10), "Why does my router drop?", "Heat.")
    offers = suggested(alone)
    offers.look()
    left_off = "En son ekşi maya konusunda nerede kalmıştık?"
    assert offers.worth_asking(COMMON) == ["Why does my router drop?", left_off]
    in_english = suggested(alone, Language.EN).worth_asking(COMMON)
    assert in_english[1] == "Where did we leave off on ekşi maya?"


def test_a_subject_of_this_weekday_comes_before_others(alone: Study) -> None:
    add(alone, range(1, 35, 3), "Fiyat?", "5.", topics=("kira sözleşmesi",))
    for day in (0, 7, 14, 21, 28):
        add(alone, range(day, day + 1), "Un?", "500 g.", topics=("ekşi maya",))
    for day in range(35):
        add(alone, range(day, day + 1), "Rapor?", "Hazır.")
    offers = suggested(alone)
    offers.look()
    assert offers.worth_asking(COMMON)[0].startswith("En son ekşi maya")
    alone.clock.pass_by(days=1)
    assert offers.worth_asking(COMMON)[0].startswith("En son kira")


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_the_examples_show_what_can_be_asked_of_them_without_a_model(
    alone: Study, language: Language, place: int
) -> None:
    importer = Importer(alone.archive, phrases, lambda: language, read=read_in_process)
    importer.import_file(EXAMPLES)
    question = suggested(alone, language).worth_asking(COMMON)[place]
    ended = alone.ask(question)
    titles = [json.loads(line)["title"] for line in EXAMPLES.read_text("utf-8").splitlines()]
    assert ended.citations
    assert ended.citations[0].title in titles
    alone.assistant.end()
    # Once there is something else, they are no longer shown.
    assert suggested(alone, language).worth_asking(COMMON) == []


def test_the_usual_next_topic_is_suggested_first_then_questions_on_the_topic(alone: Study) -> None:
    topics = ("ekşi maya", "fırın ısısı")
    for day in (1, 8, 15):
        add(alone, range(day, day + 1), YEAST, "Soğuktan.", "Fırın ısısı kaç derece olmalı?",
            "230.", topics=topics)  # fmt: skip
    add(alone, range(20, 21), FLOUR, "Çavdar.", topics=topics[:1])
    offers = suggested(alone)
    offers.look()
    alone.ask("Ekşi maya neden köpürmüyor acaba?")
    told = offers.follow_ups(alone.active.id, COMMON)
    left_off = "En son ekşi maya konusunda nerede kalmıştık?"
    assert told == ["Fırın ısısı kaç derece olmalı?", left_off]
    alone.ask("Peki ya tuz?")  # names no topic
    assert offers.follow_ups(alone.active.id, COMMON) == []


def test_questions_of_another_subject_are_not_offered_though_they_often_came_next(
    alone: Study,
) -> None:
    for day in (1, 8, 15):
        add(alone, range(day, day + 1), YEAST, "Soğuktan.", topics=("ekşi maya",))
        pen = ("İnsülin kalemi nasıl saklanır?", "Serin.")
        add(alone, range(day + 1, day + 2), *pen, topics=("insülin kalemi", "un"))
    add(alone, range(20, 21), FLOUR, topics=("ekşi maya",))
    offers = suggested(alone)
    offers.look()
    alone.ask("Ekşi maya için un önemli mi?")
    assert offers.follow_ups(alone.active.id, COMMON) == [
        FLOUR,  # had no answer
        "En son ekşi maya konusunda nerede kalmıştık?",
    ]


def test_turned_off_nothing_is_suggested_and_the_daily_task_forgets(alone: Study) -> None:
    add(alone, range(0, 35, 5), YEAST, "Soğuktan.", FLOUR, "Çavdar.", topics=("ekşi maya",))
    offers = suggested(alone)
    assert offers.task().count() == offers.task().run(lambda: False) > 0
    assert offers.worth_asking(COMMON)
    alone.set(uses_patterns=False)
    alone.ask("Ekşi maya nasıl beslenir?")
    assert offers.worth_asking(COMMON) == offers.follow_ups(alone.active.id, COMMON) == []
    assert offers.task().count() == offers.task().run(lambda: False) == 0
    assert alone.archive.patterns.patterns(EVERYTHING) == []
