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


TWO_THINGS = [
    ("Vitamin C 500 mg", "Vitamin D 1000 mg"),
    ("Proje A teslimi 3 Mayıs", "Proje B teslimi 5 Mayıs"),
    ("I prefer Python over Java", "I prefer Java over Python"),
    ("Kan grubum A", "Kan grubum B"),
    ("Ankara'dan İzmir'e taşındı", "İzmir'den Ankara'ya taşındı"),
    ("C dilini biliyorum", "R dilini biliyorum"),
    ("The user lives in Bonn", "The user lived in Bonn"),
    ("Server 1 uses port 80", "Server 2 uses port 443"),
    ("Oda 12", "Oda 14"),
    ("Kullanıcı oda 12'de kalıyor", "Kullanıcı oda 14'te kalıyor"),
    ("10. sınıfa gidiyor", "11. sınıfa gidiyor"),
    ("Kızım 10. sınıfa gidiyor", "Kızım 11. sınıfa gidiyor"),
    ("Tip 1 diyabetim var", "Tip 2 diyabetim var"),
    ("He moved from Ankara to Izmir", "He moved to Ankara from Izmir"),
    ("Kullanıcının kızı Elif bu yıl okula başladı", "Kullanıcının oğlu Elif bu yıl okula başladı"),
    ("Almancayı seviyorum", "Almanya'yı seviyorum"),
    ("İki kedim var", "Üç kedim var"),
    ("Ankara'ya taşındı", "Ankara'ya taşınacak"),
    ("Ali Veli'yi seviyor", "Veli Ali'yi seviyor"),
    ("The user has vitamin D deficiency", "The user has vitamin C deficiency"),
    (
        "Kullanıcının annesi Ankara'da bir okulda çalışıyor",
        "Kullanıcı Ankara'da bir okulda çalışıyor",
    ),
    ("I run before breakfast", "I run after breakfast"),
    ("Sigara içiyordum", "Sigara içmiyorum"),
    ("My Python 3 project", "My Python 2 project"),
    ("HbA1c değeri 2024 yılında 7,1 idi.", "HbA1c değeri 2025 yılında 6,5 idi."),
    ("I'm allergic to peanuts", "My sister is allergic to peanuts"),
    ("Annem kahve sever", "Annem kahve içer"),
]
TURNED_ROUND = [
    ("Kahve severim", "Kahve sevmem"),
    ("Kahve seviyorum", "Kahve sevmiyorum"),
    ("Sigara içmem", "Sigara içerim"),
    ("The user likes tea", "The user doesn't like tea"),
    ("Et yemez", "Et yer"),
    ("Kullanıcı et yemiyor", "Kullanıcı et yiyor"),
    ("Kullanıcı Almanca bilmiyor", "Kullanıcı Almanca biliyor"),
    ("The user is vegetarian", "The user is no longer vegetarian"),
    ("Vitamin D 500 mg", "Vitamin D 1000 mg"),
    ("HbA1c değeri 7,1", "HbA1c değeri 6,5"),
    ("Proje A teslimi 3 Mayıs", "Proje A teslimi 5 Mayıs"),
    ("Kullanıcı 40 yaşında", "Kullanıcı 41 yaşında"),
    ("Kilom 80", "Kilom 78"),
    ("My weight is 70", "My weight is 72"),
    ("Sabah 10 mg, akşam 20 mg alıyorum", "Sabah 15 mg, akşam 20 mg alıyorum"),
    ("Alkol kullanmıyorum", "Alkol kullanıyorum"),
    ("I smoke", "I don't smoke"),
    ("Kullanıcı araba kullanır", "Kullanıcı araba kullanmaz"),
    ("Yüzmeyi bilmem", "Yüzmeyi bilirim"),
    ("Balık yemeyiz", "Balık yeriz"),
    ("Gitar çalarım", "Gitar çalmam"),
    ("Ankara'da yaşamıyorum", "Ankara'da yaşıyorum"),
    ("I work at night", "I do not work at night"),
    ("Kedim yok", "Kedim var"),
]
SAID_AGAIN = [
    ("Kahveyi sütsüz içerim", "Kahvemi sütsüz içiyorum"),
    ("Çay içerim", "Çay içiyorum"),
    ("Kullanıcı kahve sever", "Kullanıcı kahve seviyor"),
    ("Kullanıcı İzmir'de yaşıyor", "İzmir'de yaşıyorum"),
    ("The user likes tea", "I like tea"),
    ("Et yemem", "Et yemiyorum"),
    ("İki kedim var", "2 kedim var"),
    ("Ankara'dan İzmir'e taşındı", "İzmir'e Ankara'dan taşındı"),
    ("Kan grubum A", "Kullanıcının kan grubu A"),
    ("I'm vegetarian", "I am vegetarian"),
    ("The user works as a nurse", "I work as a nurse"),
    (
        "Kullanıcı her sabah erkenden parkta koşuyor",
        "Kullanıcı her sabah erkenden sahilde parkta koşuyor",
    ),
    ("Gitmem gerek", "Gitmem gerek."),
    ("Fıstığa alerjim var", "Kullanıcının fıstık alerjisi var"),
]


@pytest.mark.parametrize(("old", "new"), TWO_THINGS)
def test_nothing_is_lost_where_only_a_letter_the_order_a_time_or_a_name_differs(
    old: str, new: str
) -> None:
    assert merge(proposed(new), [known(old)], STOP_WORDS) == Add()
    assert merge(proposed(old), [known(new)], STOP_WORDS) == Add()


@pytest.mark.parametrize(("old", "new"), TURNED_ROUND)
def test_two_that_cannot_both_be_so_are_not_both_kept(old: str, new: str) -> None:
    assert merge(proposed(new), [known(old)], STOP_WORDS) == Replace(FactId("old"))
    assert merge(proposed(old), [known(new)], STOP_WORDS) == Replace(FactId("old"))


@pytest.mark.parametrize(("old", "new"), SAID_AGAIN)
def test_another_form_of_the_verb_or_the_noun_says_the_same(old: str, new: str) -> None:
    assert merge(proposed(new), [known(old)], STOP_WORDS) == Strengthen(FactId("old"))
    assert merge(proposed(old), [known(new)], STOP_WORDS) == Strengthen(FactId("old"))
