"""What a new fact does to known ones: it strengthens, replaces, or is added."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from desktop.domain.facts import Fact, FactFilter, Origin, ProposedFact, Term
from desktop.domain.ids import FactId
from desktop.domain.projects import EVERYTHING
from desktop.memory.fact_merge import (
    MOST_CONFLICTS,
    Add,
    Replace,
    Strengthen,
    find_conflicts,
    merge,
)
from tests.archives import NOON
from tests.embedding_stand_ins import SubjectEmbedder
from tests.studies import Study

OLD = FactId("old")


def known(content: str, *, about: str = "", name: str = "old") -> Fact:
    return Fact(FactId(name), "Konu", content, 5, Origin.SESSION, Term.SHORT, NOON, about=about)


def proposed(content: str, *, about: str = "", replaces: bool = False) -> ProposedFact:
    return ProposedFact("Konu", content, 5, "", about=about, replaces=OLD if replaces else None)


@pytest.mark.parametrize(
    ("old", "new", "merged"),
    [
        ("Kullanıcının kızının adı Elif.", "Kullanıcının kızının adı ELİF", Strengthen(OLD)),
        ("The user lives in Izmir.", "User lives in Izmir", Strengthen(OLD)),
        ("Kullanıcı vejetaryen.", "Kullanıcı vejetaryendir.", Strengthen(OLD)),
        ("Kullanıcının bütçesi 20.000 TL.", "Kullanıcının bütçesi 20 bin lira.", Strengthen(OLD)),
        ("Sınavı 12 Mayıs 2026'da.", "Sınavı 12.05.2026'da.", Strengthen(OLD)),
        ("Kullanıcının hedef kilosu 70 kg.", "Kullanıcının hedef kilosu 68 kg.", Replace(OLD)),
        ("Kullanıcı 41 yaşında.", "Kullanıcı 42 yaşında.", Replace(OLD)),
        ("Kullanıcının bütçesi 20.000 TL.", "Kullanıcının bütçesi 900 euro.", Replace(OLD)),
        ("Kullanıcının sınavı 12 Mayıs'ta.", "Kullanıcının sınavı 3 Haziran'da.", Replace(OLD)),
        ("The user's dose is 10 mg.", "The user's dose is 12 mg.", Replace(OLD)),
        ("The user has 2 cats.", "The user has 3 cats.", Replace(OLD)),
        ("Kullanıcı Python biliyor.", "Kullanıcı Rust biliyor.", Add()),
        ("Kullanıcı Python 2 biliyor.", "Kullanıcı Python 3 biliyor.", Add()),
        ("Kullanıcı 2019'da Roma'ya gitti.", "Kullanıcı 2023'te Roma'ya gitti.", Add()),
        ("Kullanıcı günde 2 saat yürüyor.", "Kullanıcı günde 3 km yürüyor.", Add()),
        ("Kullanıcının kızı Elif 5 yaşında.", "Kullanıcının oğlu Can 7 yaşında.", Add()),
        ("Kullanıcı sabah kahve içiyor.", "Kullanıcı akşam kahve içmiyor.", Add()),
        ("The user likes tea.", "The user's sister likes tea.", Add()),
        ("Vitamin C 500 mg", "Vitamin D 1000 mg", Add()),
        ("Server 1 uses port 80", "Server 2 uses port 443", Add()),
    ],
)
def test_a_repetition_strengthens_another_number_replaces_and_similar_facts_stay(
    old: str, new: str, merged: Strengthen | Replace | Add
) -> None:
    assert merge(proposed(new), [known(old)]) == merged


def test_a_fact_the_model_names_is_replaced_whatever_its_words() -> None:
    old = known("Kullanıcı doktora için Boğaziçi'ni düşünüyor.")
    assert merge(proposed("Okulu bıraktı.", replaces=True), [old]) == Replace(OLD)


def test_the_newest_fact_about_one_attribute_holds() -> None:
    olds = [
        known("Kullanıcı İzmir'de yaşıyor.", about="yasadigi sehir", name="first"),
        known("Kullanıcının işi İzmir'de.", about="is yeri", name="second"),
        known("Kullanıcı Kars'ta oturuyor.", about="şehir yaşadığı", name="third"),
    ]
    new = proposed("Kullanıcı Ankara'ya taşındı.", about="Yaşadığı şehir")
    assert merge(new, olds) == Replace(FactId("first"), (FactId("third"),))


# Facts that may contradict each other are found for the user to settle


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
