"""Facts that may contradict each other are found for the user to settle."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from desktop.domain.facts import Fact, FactFilter, Origin
from desktop.domain.ids import FactId
from desktop.domain.projects import EVERYTHING
from desktop.memory.fact_merge import MOST_CONFLICTS, find_conflicts
from tests.embedding_stand_ins import SubjectEmbedder
from tests.studies import Study
from tests.unit.memory.test_fact_merge import known


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Study]:
    study = Study(tmp_path)
    yield study
    study.close()


def remember(study: Study, content: str, topic: str = "Ev") -> Fact:
    (kept,) = study.assistant.memory.remember(content, topic=topic).new
    study.clock.pass_by(hours=1)
    return kept


def conflicts(study: Study, fact: Fact) -> list[str]:
    return [one.content for one in study.assistant.memory.possible_conflicts(fact.id)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Kullanıcı İzmir'de yaşıyor.", "Kullanıcı Ankara'da yaşıyor."),
        ("Kullanıcı kahve içiyor.", "Kullanıcı artık kahve içmiyor."),
        ("The user works at a bank.", "The user works at a hospital."),
        ("I have two cats", "I have two cats named Luna and Max"),
        ("İki kedim var", "Artık bir kedim var"),
    ],
)
def test_similar_facts_of_one_topic_may_conflict(study: Study, one: str, other: str) -> None:
    older, newer = remember(study, one), remember(study, other)
    assert conflicts(study, newer) == [one]
    assert conflicts(study, older) == [other]


def test_other_words_or_another_topic_are_no_conflict(study: Study) -> None:
    fact = remember(study, "Kullanıcı İzmir'de yaşıyor.")
    remember(study, "Kullanıcının iki kedisi var.")
    remember(study, "Kullanıcının annesi İzmir'de yaşıyor.", topic="Aile")
    assert conflicts(study, fact) == []


def test_facts_with_near_vectors_may_conflict_in_other_words(study: Study) -> None:
    meanings = study.use_meanings(SubjectEmbedder())
    fact = remember(study, "Kırmızı bir otomobil aldım")
    remember(study, "Araç artık mavi")
    remember(study, "Toplantılar salı günü")
    meanings.embed_due(lambda: False)
    assert conflicts(study, fact) == ["Araç artık mavi"]


def test_a_settled_pair_is_not_shown_again(study: Study) -> None:
    older = remember(study, "Kullanıcı kahve içiyor.")
    newer = remember(study, "Kullanıcı artık kahve içmiyor.")
    study.assistant.memory.keep_both(newer.id, older.id)
    later = study.after_a_crash()
    assert conflicts(later, older) == conflicts(later, newer) == []


def test_the_newer_of_two_replaces_the_older_whichever_was_shown(study: Study) -> None:
    older = remember(study, "Kullanıcı kahve içiyor.")
    newer = remember(study, "Kullanıcı artık kahve içmiyor.")
    assert study.assistant.memory.keep_newer(older.id, newer.id).id == newer.id
    assert [one.id for one in study.archive.facts.facts(FactFilter(EVERYTHING))] == [newer.id]
    (ended,) = study.archive.facts.history(newer.id)
    assert (ended.id, ended.valid_to) == (older.id, newer.valid_from)


def test_preferences_never_conflict_and_few_are_shown() -> None:
    fact = known("Kullanıcı her sabah kahve içiyor.", name="this")
    many = [known(f"Kullanıcı her sabah kahve {n} içiyor.", name=str(n)) for n in range(9)]
    assert len(find_conflicts(fact, many, [])) == MOST_CONFLICTS
    wishes = [replace(one, origin=Origin.DIRECTIVE) for one in many]
    assert find_conflicts(fact, wishes, wishes) == []
    assert find_conflicts(replace(fact, id=FactId("0")), many[:1], []) == []
