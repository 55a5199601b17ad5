"""What watches found is found by its words, behind its wall, and reaches no request unasked."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.domain.diary import Interval, Watch, WatchedItem, WatchId, WatchKind, local_day
from desktop.domain.language import Language
from desktop.domain.projects import COMMON, EVERYTHING, ProjectId, Wall
from desktop.domain.search import EVERYWHERE, Hit, HitKind, Query, Scope, SearchOrder
from desktop.research import automatic_recall
from tests.models import ScriptedModel
from tests.studies import Study

BREAD = WatchedItem(
    "Ekmeğin kabuğu", "https://firin.example/1", "Kitapçıkta tuzun etkisi anlatılıyor."
)
SLEEP = WatchedItem("Sleep in adults", "https://doi.org/10.1/x", says="Kaya (2026)")


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Study]:
    study = Study(tmp_path, ScriptedModel(), language=Language.EN)
    yield study
    study.close()


def found(study: Study, *items: WatchedItem, project: str = "") -> None:
    watches = study.archive.watches
    watch_id = WatchId(f"w{len(watches.watches(EVERYTHING))}")
    now = study.clock()
    watches.add(
        Watch(watch_id, WatchKind.QUESTION, "bread", Interval.DAY, ProjectId(project), now)
    )
    watches.keep_look(watch_id, items=items)


def search(study: Study, text: str, wall: Wall = EVERYTHING) -> list[Hit]:
    return study.search.find(Query(text, frozenset(HitKind), scope=Scope(wall)))


@pytest.mark.parametrize("text", ["ekmek kabuk", "kitapçık", '"tuzun etkisi"', "EKMEĞİN"])
def test_a_finding_is_found_by_its_words_in_any_form(study: Study, text: str) -> None:
    found(study, SLEEP, BREAD)
    (hit,) = search(study, text)
    assert (hit.kind, hit.day, hit.heading) == (
        HitKind.FINDING,
        local_day(study.clock()),
        "bread",
    )
    assert "Ekmeğin kabuğu" in hit.snippet
    assert hit.marks


@pytest.mark.parametrize("text", ["ekmek -tuz", '"etkisi tuzun"', "peynir", "watch", "firin"])
def test_what_does_not_stand_in_it_finds_nothing(study: Study, text: str) -> None:
    found(study, SLEEP, BREAD)
    assert search(study, text) == []


def test_a_finding_of_a_project_stays_behind_its_wall(study: Study) -> None:
    found(study, BREAD, project="klinik")
    assert search(study, "ekmek", COMMON) == []
    assert len(search(study, "ekmek", Wall(ProjectId("klinik")))) == 1


def test_while_typing_the_newest_comes_first(study: Study) -> None:
    found(study, SLEEP)
    study.clock.pass_by(days=2)
    found(study, SLEEP)
    query = Query("sleep", frozenset(HitKind), order=SearchOrder.NEWEST, scope=EVERYWHERE)
    first, second = study.search.find(query)
    assert first.created_at > second.created_at


def test_no_request_gets_a_finding_unasked(study: Study) -> None:
    assert isinstance(study.model, ScriptedModel)
    found(study, BREAD)
    assert HitKind.FINDING not in automatic_recall._KINDS
    study.ask("What do you know about ekmek kabuk and the bread of the fırın?")
    assert "Kitapçıkta" not in str(study.model.requests)
