"""What a new fact does to known ones: it strengthens, replaces, or is added."""

import pytest

from desktop.domain.facts import Fact, Origin, ProposedFact, Term
from desktop.domain.ids import FactId
from desktop.memory.fact_merge import Add, Replace, Strengthen, merge
from tests.archives import NOON

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
