"""What a new fact is to the known ones: the same, what takes their place, or another one."""

from dataclasses import replace

import pytest

from desktop.domain.facts import Fact, Origin, ProposedFact, Term
from desktop.domain.ids import FactId
from desktop.memory.contradictions.merging import Add, Replace, Strengthen, merge
from desktop.sessions.prompts_and_phrases import shipped_phrases
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
        ("İstanbul'da yaşıyorum", "Kadıköy'de yaşıyorum"),
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
    ("Kan basıncım 140/90", "Kan basıncım 130/85"),
    ("Her gün 2 saat çalışıyorum", "Her gün 3 saat çalışıyorum"),
    ("İki kedim var", "Üç kedim var"),
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
    ("Kızımın adı Elif", "Kızımın ismi Elif"),
    ("Adım Nur", "İsmim Nur"),
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


CHANGED = [
    ("Kullanıcı Ankara'da yaşıyor.",
     "Kullanıcı İzmir'e taşındı.",
     "Artık İzmir'de yaşıyorum, taşındım"),
    ("Kullanıcı Ankara'da yaşıyor.",
     "Kullanıcı artık Ankara'da yaşamıyor.",
     "Artık Ankara'da yaşamıyorum"),
    ("Kullanıcı Ankara'da yaşıyor.", "Kullanıcı Ankara'dan taşındı.", "Ankara'dan taşındım"),
    ("The user lives in Ankara.",
     "The user moved to Izmir.",
     "I moved to Izmir, no longer in Ankara"),
    ("The user lives in Ankara.", "The user now lives in Izmir.", "I now live in Izmir"),
    ("Kullanıcı bir bankada çalışıyor.",
     "Kullanıcı artık bir hastanede çalışıyor.",
     "Artık bir hastanede çalışıyorum"),
    ("Kullanıcı bankada çalışıyor.",
     "Kullanıcı artık bankada çalışmıyor.",
     "Artık bankada çalışmıyorum"),
    ("The user works at a bank.",
     "The user no longer works at a bank.",
     "I no longer work at a bank"),
    ("Kullanıcı günde 500 mg metformin kullanıyor.",
     "Kullanıcı günde 1000 mg metformin kullanıyor.",
     "1000 mg oldu"),
    ("Kullanıcı günde iki tablet metformin kullanıyor.",
     "Kullanıcı günde üç tablet metformin kullanıyor.",
     "üç tablet"),
    ("Kullanıcı günde 2 tablet metformin kullanıyor.",
     "Kullanıcı günde 3 tablet metformin kullanıyor.",
     "3 tablet"),
    ("Metformin dozu günde 2x500 mg.", "Metformin dozu günde 2x1000 mg.", "2x1000"),
    ("The user takes 500 mg of metformin daily.",
     "The user takes 1000 mg of metformin daily.",
     "now 1000 mg"),
    ("The user takes two tablets of metformin a day.",
     "The user takes three tablets of metformin a day.",
     "three tablets"),
    ("The user takes 500 mg metformin.", "The user takes metformin 850 mg.", "850"),
    ("Kullanıcının iki kedisi var.", "Kullanıcının üç kedisi var.", "üç kedim var"),
    ("Kullanıcının 2 kedisi var.", "Kullanıcının 3 kedisi var.", "3 kedim var"),
    ("The user has two cats.", "The user has three cats.", "I have three cats now"),
    ("The user has 2 cats.", "The user has 3 cats.", "I have 3 cats"),
    ("Kullanıcının kızı 7 yaşında.", "Kullanıcının kızı 8 yaşında.", "kızım 8 oldu"),
    ("Kullanıcı kahve içiyor.", "Kullanıcı artık kahve içmiyor.", "artık kahve içmiyorum"),
    ("Kullanıcı günde üç bardak kahve içiyor.",
     "Kullanıcı artık kahve içmiyor.",
     "artık kahve içmiyorum"),
    ("Kullanıcı günde 3 bardak kahve içiyor.", "Kullanıcı kahveyi bıraktı.", "kahveyi bıraktım"),
    ("Kullanıcı kahve içiyor.", "Kullanıcı kahve içmeyi bıraktı.", "kahve içmeyi bıraktım"),
    ("Kullanıcı sigara içiyor.", "Kullanıcı sigarayı bıraktı.", "sigarayı bıraktım"),
    ("The user smokes.", "The user quit smoking.", "I quit smoking"),
    ("The user drinks coffee.", "The user no longer drinks coffee.", "I no longer drink coffee"),
    ("The user drinks three cups of coffee a day.",
     "The user no longer drinks coffee.",
     "I don't drink coffee anymore"),
    ("Kullanıcı vejetaryen.", "Kullanıcı vejetaryen değil.", "vejetaryen değilim"),
    ("Kullanıcının laktoz intoleransı var.",
     "Kullanıcının laktoz intoleransı yok.",
     "intoleransım yok"),
    ("Kullanıcı evli.", "Kullanıcı evli değil.", "evli değilim"),
    ("Kullanıcı spor yapmıyor.",
     "Kullanıcı haftada üç gün spor yapıyor.",
     "haftada üç gün spor yapıyorum"),
    ("Kullanıcı spor yapmıyor.", "Kullanıcı artık spor yapıyor.", "artık spor yapıyorum"),
    ("Kullanıcının kilosu 80 kg.", "Kullanıcının kilosu 78 kg.", "78 kg"),
    ("Kullanıcının bütçesi 20.000 TL.", "Kullanıcının bütçesi 25 bin lira.", "25 bin lira"),
    ("Kullanıcının bütçesi 500 dolar.", "Kullanıcının bütçesi 600 euro.", "600 euro"),
    ("The user's budget is $500.", "The user's budget is $600.", "600"),
    ("Kullanıcının HbA1c değeri %7,2.", "Kullanıcının HbA1c değeri %6,8.", "6,8"),
    ("Kullanıcının tansiyonu 140/90.", "Kullanıcının tansiyonu 130/85.", "130/85"),
    ("Toplantı 14.00'te.", "Toplantı 15.00'te.", "15.00"),
    ("Kullanıcının sınavı 12 Mayıs 2026'da.",
     "Kullanıcının sınavı 19 Mayıs 2026'da.",
     "19 Mayıs'a ertelendi"),
    ("Kullanıcının sınavı 12 Mayıs'ta.",
     "Kullanıcının sınavı 3 Haziran'da.",
     "3 Haziran'a alındı"),
    ("Kullanıcının uçuşu 12.05.2026'da.", "Kullanıcının uçuşu 19.05.2026'da.", "artık 19.05"),
    ("The user's exam is on 12 May.", "The user's exam is on 19 May.", "moved to 19 May"),
    ("Kullanıcının kızı 2019 doğumlu.", "Kullanıcının kızı 2018 doğumlu.", "2018 doğumlu"),
    ("Kullanıcının doktoru Dr. Yılmaz.",
     "Kullanıcının doktoru artık Dr. Kaya.",
     "Doktorum artık Dr. Kaya"),
]  # fmt: skip
IN_OTHER_WORDS = [
    ("Kullanıcının boyu 1,80 m.", "Kullanıcının boyu 180 cm."),
    ("Kullanıcının bütçesi 20.000 TL.", "Kullanıcının bütçesi 20 bin lira."),
    ("The user's budget is 500 dollars.", "The user's budget is $500."),
    ("Kullanıcının fıstığa alerjisi var.", "Kullanıcı fıstığa alerjik."),
    ("Kullanıcının fıstık alerjisi var.", "Kullanıcıda fıstık alerjisi bulunuyor."),
    ("Kullanıcı Ankara'da oturuyor.", "Kullanıcı Ankara'da yaşıyor."),
    ("Kullanıcı her sabah koşuyor.", "Kullanıcı sabahları koşuyor."),
    ("Kullanıcı her sabah koşuyor.", "Kullanıcı her sabah koşar."),
    ("Kullanıcı sabahları koşuya çıkıyor.", "Kullanıcı sabah koşuya çıkar."),
    ("Kullanıcı öğretmen olarak çalışıyor.", "Kullanıcı öğretmenlik yapıyor."),
    ("Kullanıcı öğretmen.", "Kullanıcı bir öğretmendir."),
    ("Kullanıcı öğretmen.", "Kullanıcı bir öğretmen olarak çalışıyor."),
    ("Kullanıcı doktora öğrencisi.", "Kullanıcı bir doktora öğrencisidir."),
    ("Kullanıcının iki çocuğu var.", "Kullanıcının 2 çocuğu var."),
    ("Kullanıcının iki çocuğu var.", "Kullanıcı iki çocuk sahibi."),
    ("Kullanıcı Python öğreniyor.", "Kullanıcı Python öğrenmektedir."),
    ("Kullanıcı tez yazıyor.", "Kullanıcı tezini yazıyor."),
    ("Kullanıcı laktoz intoleransı olan biri.", "Kullanıcının laktoz intoleransı var."),
    ("The user is a teacher.", "The user works as a teacher."),
    ("The user has a dog named Rex.", "The user's dog is named Rex."),
    ("The user lives in Bonn.", "The user is living in Bonn."),
    ("The user is allergic to peanuts.", "The user has a peanut allergy."),
    ("The user prefers metric units.", "User prefers metric units"),
    ("The user runs every morning.", "The user runs each morning."),
    ("Kullanıcı metrik birim tercih ediyor.", "Kullanıcı metrik birimleri tercih eder."),
    ("Kullanıcı kısa yanıtları seviyor.", "Kullanıcı kısa yanıt sever."),
]  # fmt: skip
APART = [
    ("Kullanıcının kızının adı Elif.", "Kullanıcının kızının adı Zeynep."),
    ("Kullanıcının oğlu 7 yaşında.", "Kullanıcının kızı 8 yaşında."),
    ("Kullanıcı Ankara'da doğdu.", "Kullanıcı Ankara'da yaşıyor."),
    ("Kullanıcı sabah 2 tablet A ilacı alıyor.", "Kullanıcı akşam 3 tablet A ilacı alıyor."),
    ("Kullanıcı çay içiyor.", "Kullanıcı kahve içmiyor."),
    ("Kullanıcı 500 mg metformin kullanıyor.", "Kullanıcı 20 mg atorvastatin kullanıyor."),
    ("Kullanıcı İngilizce biliyor.", "Kullanıcı Almanca biliyor."),
    ("Kullanıcının Python deneyimi 3 yıl.", "Kullanıcının Java deneyimi 5 yıl."),
    ("Kullanıcı 2020'de Ankara'ya taşındı.", "Kullanıcı 2024'te İzmir'e taşındı."),
    ("The user has two cats.", "The user has three dogs."),
    ("Kullanıcının iki kedisi var.", "Kullanıcının iki köpeği var."),
    ("Kullanıcının iki kedisi var.", "Kullanıcının üç köpeği var."),
    ("Kullanıcı 3 Mayıs'ta doktora gitti.", "Kullanıcı 5 Mayıs'ta doktora gitti."),
    ("Kullanıcı haftada üç gün koşuyor.", "Kullanıcı haftada iki gün yüzüyor."),
    ("Kullanıcı et yemiyor.", "Kullanıcının eşi et yiyor."),
    ("Kullanıcı evde sigara içmiyor.", "Kullanıcı sigara içiyor."),
    ("Kullanıcı kahve içiyor.", "Kullanıcı çay içmiyor."),
    ("Kullanıcı sabah kahve içiyor.", "Kullanıcı akşam kahve içmiyor."),
    ("The user drinks coffee.", "The user does not drink alcohol."),
    ("The user does not eat meat.", "The user eats fish."),
    ("The user does not eat meat at home.", "The user eats meat."),
    ("Kullanıcı Python kullanıyor.", "Kullanıcı Java'yı bıraktı."),
    ("Kullanıcı kahve kokusunu seviyor.", "Kullanıcı kahveyi bıraktı."),
    ("Kullanıcı Ankara'da yaşıyor.", "Kullanıcının kızı İzmir'e taşındı."),
    ("Kullanıcının annesi Ankara'da yaşıyor.", "Kullanıcı İzmir'e taşındı."),
    ("Kullanıcının 3 yaşında bir kızı var.", "Kullanıcının 7 yaşında bir kızı var."),
    ("The user has a 3-year-old daughter.", "The user has a 7-year-old daughter."),
    ("Kullanıcının fıstığa alerjisi var.", "Kullanıcının çileğe alerjisi var."),
    ("Kullanıcının fıstığa alerjisi var.", "Kullanıcının alerjisi yok."),
    ("Kullanıcının fıstığa alerjisi var.", "Kullanıcının çileğe alerjisi yok."),
    ("Kullanıcı 500 mg metformin kullanıyor.", "Kullanıcı 500 mg parasetamol kullanıyor."),
    ("Kullanıcı sabah 500 mg metformin kullanıyor.",
     "Kullanıcı akşam 1000 mg metformin kullanıyor."),
    ("Kullanıcının evi 3 odalı.", "Kullanıcının ofisi 5 odalı."),
    ("Kullanıcı 2023'te 5 kg verdi.", "Kullanıcı 2024'te 3 kg verdi."),
    ("The user's exam is on 12 May.", "The user's flight is on 19 May."),
    ("The user went to the doctor on 12 May.", "The user went to the doctor on 19 May."),
    ("Kullanıcının babası 70 yaşında.", "Kullanıcının annesi 68 yaşında."),
    ("Kullanıcı 5 km koşuyor.", "Kullanıcı 10 km bisiklete biniyor."),
    ("Kullanıcı İngilizce biliyor.", "Kullanıcı Almanca bilmiyor."),
    ("Kullanıcı İngilizce öğretmeni.", "Kullanıcı İngilizce öğretmeni olmak istemiyor."),
    ("Kullanıcı Ali'ye güveniyor.", "Kullanıcı Veli'ye güvenmiyor."),
    ("Kullanıcı kırmızı şarap içiyor.", "Kullanıcı beyaz şarap içmiyor."),
    ("Kullanıcı şekersiz kahve içiyor.", "Kullanıcı şekerli kahve içmiyor."),
    ("The user likes dogs.", "The user does not like cats."),
    ("The user works on Mondays.", "The user does not work on Fridays."),
    ("Kullanıcı pazartesi çalışıyor.", "Kullanıcı cuma çalışmıyor."),
    ("Kullanıcı Mac kullanıyor.", "Kullanıcı Windows kullanmıyor."),
    ("Kullanıcı ilacı aç karnına içiyor.", "Kullanıcı ilacı tok karnına içmiyor."),
    ("Kullanıcı metformini sabah alıyor.", "Kullanıcı metformini gece almıyor."),
    ("The user takes metformin.", "The user stopped taking aspirin."),
    ("The user smokes.", "The user quit drinking."),
    ("The user's brother smokes.", "The user quit smoking."),
    ("Kullanıcının kardeşi sigara içiyor.", "Kullanıcı sigarayı bıraktı."),
    ("Kullanıcı 14.00'te toplantıda.", "Kullanıcı 15.00'te derste."),
    ("Kullanıcı Ankara'da yaşıyor.", "Kullanıcı 2026'da İzmir'e taşınacak."),
    ("Kullanıcı öğretmen.", "Kullanıcı matematik öğretmeni."),
    ("Kullanıcı öğretmen olarak çalışıyor.", "Kullanıcı gece öğretmenlik yapmıyor."),
    ("Kullanıcının bütçesi 500 dolar.", "Kullanıcının borcu 600 dolar."),
    ("Kullanıcı 2 proje yürütüyor.", "Kullanıcı 3 ders veriyor."),
    ("Ölçüm 12 Mayıs 2026'da 7,1 çıktı.", "Ölçüm 19 Mayıs 2026'da 6,8 çıktı."),
    ("Kullanıcı Beşiktaş'ta oturuyor.", "Kullanıcı Ankara'da çalışıyor."),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "quote"), CHANGED)
def test_what_has_moved_changed_or_ended_takes_the_older_ones_place(
    old: str, new: str, quote: str
) -> None:
    """Without a model that says so."""
    told = replace(proposed(new), quote=quote)
    assert merge(told, [known(old)], STOP_WORDS) == Replace(FactId("old"))


@pytest.mark.parametrize(("old", "new"), IN_OTHER_WORDS)
def test_a_near_duplicate_in_another_form_is_the_same(old: str, new: str) -> None:
    assert merge(proposed(new), [known(old)], STOP_WORDS) == Strengthen(FactId("old"))
    assert merge(proposed(old), [known(new)], STOP_WORDS) == Strengthen(FactId("old"))


@pytest.mark.parametrize(("old", "new"), APART)
def test_two_that_can_both_be_so_are_both_kept(old: str, new: str) -> None:
    assert merge(proposed(new), [known(old)], STOP_WORDS) == Add()
    assert merge(proposed(old), [known(new)], STOP_WORDS) == Add()


@pytest.mark.parametrize(
    ("contents", "new"),
    [
        (
            ("Kullanıcı sigara içiyor.", "Kullanıcı günde 10 sigara içiyor."),
            "Kullanıcı sigarayı bıraktı.",
        ),
        (
            ("Kullanıcı kahve içiyor.", "Kullanıcı üç bardak kahve içiyor."),
            "Kullanıcı kahve içmiyor.",
        ),
        (
            ("The user drinks coffee.", "The user drinks 3 cups of coffee."),
            "The user quit coffee.",
        ),
    ],
)
def test_what_is_over_ends_all_that_says_it(contents: tuple[str, str], new: str) -> None:
    facts = [replace(known(one), id=FactId(one)) for one in contents]
    first, second = (fact.id for fact in facts)
    assert merge(proposed(new), facts, STOP_WORDS) == Replace(first, (second,))


def test_who_begins_again_has_not_given_it_up() -> None:
    for old, new in (
        ("Kullanıcı sigarayı bıraktı.", "Kullanıcı günde 10 sigara içiyor."),
        ("The user stopped drinking coffee.", "The user drinks 3 cups of coffee."),
    ):
        assert merge(proposed(new), [known(old)], STOP_WORDS) == Replace(FactId("old"))
    before = "The user used to drink coffee."
    over = known("The user stopped drinking coffee.")
    assert merge(proposed(before), [over], STOP_WORDS) != Replace(FactId("old"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Kullanıcı sigarayı bıraktı.", "Kullanıcı artık sigara içmiyor."),
        ("Kullanıcı kahveyi bıraktı.", "Kullanıcı kahve içmeyi bıraktı."),
        ("The user quit smoking.", "The user stopped smoking."),
        ("The user no longer drinks coffee.", "The user stopped drinking coffee."),
    ],
)
def test_that_something_is_over_is_one_fact_in_whatever_words(one: str, other: str) -> None:
    assert merge(proposed(one), [known(other)], STOP_WORDS) == Strengthen(FactId("old"))
    assert merge(proposed(other), [known(one)], STOP_WORDS) == Strengthen(FactId("old"))
