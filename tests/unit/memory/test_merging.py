"""What a new fact is to the known ones: the same, what takes their place, or another one."""

from dataclasses import replace

import pytest

from desktop.domain.facts import Fact, Origin, ProposedFact, Term
from desktop.domain.ids import FactId
from desktop.memory.merging import Add, Replace, Strengthen, merge
from desktop.sessions.wording import shipped_phrases
from tests.archives import NOON

STOP_WORDS = shipped_phrases().stop_words


def known(content: str, about: str = "") -> Fact:
    return Fact(FactId("old"), "Konu", content, 5, Origin.SESSION, Term.SHORT, NOON, about=about)


def proposed(content: str, about: str = "", *, replaces: bool = False) -> ProposedFact:
    return ProposedFact(
        "Konu", content, 5, "", about=about, replaces=FactId("old") if replaces else None
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Kullanıcının kızının adı Elif.", "Kullanıcının kızının adı Elif"),
        ("Kullanıcının tip 1 diyabeti var.", "Kullanıcıda tip 1 diyabet var."),
        ("The user lives in Izmir.", "User lives in Izmir"),
        ("Kullanıcı vejetaryen.", "Kullanıcı vejetaryendir."),
        ("Kullanıcı kahve içiyor.", "Kullanıcı artık kahve içiyor."),
    ],
)
def test_the_same_in_other_words_strengthens(old: str, new: str) -> None:
    assert merge(proposed(new), [known(old)], STOP_WORDS) == Strengthen(FactId("old"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Kullanıcının hedef kilosu 70 kg.", "Kullanıcının hedef kilosu 68 kg."),
        ("Kullanıcı kahve içiyor.", "Kullanıcı artık kahve içmiyor."),
        ("Kullanıcı sigara içmiyor.", "Kullanıcı sigara içiyor."),
        ("The user eats meat.", "The user does not eat meat."),
        ("The user eats meat.", "The user doesn't eat meat."),
        ("The user can’t swim.", "The user can swim."),
        ("The user's dose is 10 mg.", "The user's dose is 12 mg."),
    ],
)
def test_another_number_or_a_negation_takes_the_older_ones_place(old: str, new: str) -> None:
    assert merge(proposed(new), [known(old)], STOP_WORDS) == Replace(FactId("old"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Kullanıcı Python biliyor.", "Kullanıcı Rust biliyor."),
        ("Kullanıcının kızı Elif 5 yaşında.", "Kullanıcının oğlu Can 7 yaşında."),
        ("Kullanıcı sabah kahve içiyor.", "Kullanıcı akşam kahve içmiyor."),
        ("HbA1c değeri 2024 yılında 7,1 idi.", "HbA1c değeri 2025 yılında 6,5 idi."),
        ("The user likes tea.", "The user's sister likes tea."),
        ("Kullanıcı sabahları kahve içiyor.", "Kullanıcı artık Konya'da çay içiyor."),
    ],
)
def test_what_only_looks_alike_stands_beside_it(old: str, new: str) -> None:
    assert merge(proposed(new), [known(old)], STOP_WORDS) == Add()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Ankara'da yaşıyorum", "Artık İzmir'de yaşıyorum"),
        ("Kullanıcı Ankara'da yaşıyor.", "Artık İzmir'de yaşıyorum"),
        ("Ankara'da yaşıyorum", "Ben artık Ankara'da yaşamıyorum"),
        ("Bir bankada çalışıyorum", "Artık bir hastanede çalışıyorum"),
        ("Et yiyorum", "Artık et yemiyorum"),
        ("Kahve içiyorum", "artık kahve içmiyorum"),
        ("Arabam dizel", "Arabam artık elektrikli"),
        ("Vejetaryenim", "Artık vejetaryen değilim"),
        ("I live in Ankara", "I now live in Izmir"),
        ("I live in Ankara", "I no longer live in Ankara"),
        ("I live in Ankara", "I don't live in Ankara anymore"),
    ],
)
def test_what_is_said_to_have_changed_takes_the_older_ones_place(old: str, new: str) -> None:
    assert merge(proposed(new), [known(old)], STOP_WORDS) == Replace(FactId("old"))


def test_the_quote_tells_of_a_change_as_well() -> None:
    new = replace(proposed("Kullanıcı İzmir'de yaşıyor."), quote="Artık İzmir'de yaşıyorum")
    old = known("Kullanıcı Ankara'da yaşıyor.")
    assert merge(new, [old], STOP_WORDS) == Replace(FactId("old"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Ankara'da yaşıyorum", "İzmir'de yaşıyorum"),
        ("Annem Ankara'da yaşıyor", "Artık İzmir'de yaşıyorum"),
        ("Bir kedim var", "Artık bir köpeğim var"),
        ("Sabahları koşuyorum", "Artık akşamları yüzüyorum"),
        ("I have a cat", "Now I have a dog"),
    ],
)
def test_a_change_ends_only_what_differs_in_one_word(old: str, new: str) -> None:
    assert merge(proposed(new), [known(old)], STOP_WORDS) == Add()


def test_of_one_thing_one_answer_holds() -> None:
    old = known("Kullanıcı İzmir'de yaşıyor.", about="yasadigi sehir")
    new = proposed("Kullanıcı Ankara'ya taşındı.", about="yaşadığı şehir")
    assert merge(new, [old], STOP_WORDS) == Replace(FactId("old"))


def test_what_the_model_names_is_replaced_where_they_share_a_word() -> None:
    old = known("Kullanıcı doktora için Boğaziçi'ni düşünüyor.")
    new = proposed("Kullanıcı doktorayı bıraktı.", replaces=True)
    assert merge(new, [old], STOP_WORDS) == Replace(FactId("old"))


def test_a_model_that_names_a_fact_of_something_else_is_not_believed() -> None:
    old = known("Kullanıcının fıstık alerjisi var.")
    new = proposed("Toplantı salı günü.", replaces=True)
    assert merge(new, [old], STOP_WORDS) == Add()
