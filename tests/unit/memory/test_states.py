"""What takes another one's place in words that have little in common with it."""

import pytest

from desktop.domain.facts import Fact, Origin, ProposedFact, Term
from desktop.domain.ids import FactId
from desktop.memory.merging import Add, Merge, Replace, Strengthen, merge
from desktop.sessions.wording import shipped_phrases
from tests.archives import NOON

STOP_WORDS = shipped_phrases().stop_words
ENDED = [
    ("Kullanıcının metformin dozu 500 mg.", "Kullanıcı metformin 850 mg kullanıyor."),
    ("Kullanıcı günde 5 mg ramipril alıyor.", "Kullanıcının ramipril dozu 10 mg."),
    ("Kullanıcı sertralin 50 mg kullanıyor.", "Kullanıcının sertralin dozu 100 mg'a çıkarıldı."),
    ("Kullanıcının levotiroksin dozu 75 mcg.", "Kullanıcı 100 mcg levotiroksin içiyor."),
    ("The user's lisinopril dose is 10 mg.", "The user takes 20 mg of lisinopril daily."),
    ("The user is on 40 mg atorvastatin.", "The user's atorvastatin was reduced to 20 mg."),
    ("The user takes 25 mg sertraline.", "The user's dose of sertraline is 50 mg now."),
    ("Kullanıcı evli.", "Kullanıcı boşandı."),
    ("Kullanıcı bekar.", "Kullanıcı evlendi."),
    ("Kullanıcı nişanlı.", "Kullanıcı artık evli."),
    ("Kullanıcı on yıldır evli.", "Kullanıcı boşanmış."),
    ("The user is married.", "The user got divorced."),
    ("The user is single.", "The user is engaged."),
    ("The user is engaged.", "The user got married last summer."),
    ("Kullanıcı Ankara'da yaşıyor.", "Kullanıcı İzmir'de yaşıyor."),
    ("The user lives in Berlin.", "The user moved to Munich last month."),
    ("The user lives in London.", "The user lives in Paris."),
    ("Kullanıcı Eskişehir'de oturuyor.", "Kullanıcı geçen ay Bursa'ya taşındı."),
    ("Kullanıcı vejetaryen.", "Kullanıcı artık et yiyor."),
    ("Kullanıcı vegan.", "Kullanıcı yeniden et yemeye başladı."),
    ("The user is vegetarian.", "The user eats meat again."),
    ("Kullanıcı et yiyor.", "Kullanıcı vejetaryen oldu."),
    ("The user eats meat.", "The user became vegan."),
    ("Kullanıcı sigara içiyor.", "Kullanıcı sigarayı bıraktı."),
    ("Kullanıcı sigara kullanıyor.", "Kullanıcı sigara içmiyor."),
    ("The user is a smoker.", "The user quit smoking."),
    ("The user smokes.", "The user is a non-smoker."),
    ("Kullanıcı bankada çalışıyor.", "Kullanıcı hastanede işe başladı."),
    ("The user works at a bank.", "The user started working at a hospital."),
    ("Kullanıcı bir sigorta şirketinde çalışıyor.", "Kullanıcı işten ayrıldı."),
    ("Kullanıcı muhasebeci olarak çalışıyor.", "Kullanıcı emekli oldu."),
    ("The user works as an accountant.", "The user is retired."),
    ("Kullanıcı işsiz.", "Kullanıcı bir lojistik firmasında çalışıyor."),
    ("The user is unemployed.", "The user works at a bakery."),
    ("Kullanıcı öğretmen.", "Kullanıcı artık yazılımcı."),
    ("The user is a nurse.", "The user is now a pilot."),
    ("Kullanıcının kilosu 82 kg.", "Kullanıcı 79 kilo."),
    ("The user weighs 90 kg.", "The user's weight is 85 kg."),
    ("Kullanıcının kirası 15.000 TL.", "Kullanıcı 18 bin lira kira ödüyor."),
    ("The user pays 900 euros in rent.", "The user's rent is 1,000 euros."),
    ("Kullanıcı 45 yaşında.", "Kullanıcı 46 yaşına girdi."),
    ("The user is 29 years old.", "The user turned 30."),
    ("Kullanıcının arabası var.", "Kullanıcı arabasını sattı."),
    ("The user has a car.", "The user sold the car."),
    ("Kullanıcı hamile.", "Kullanıcı doğum yaptı."),
    ("The user is pregnant.", "The user gave birth."),
    ("Kullanıcı üniversite öğrencisi.", "Kullanıcı üniversiteden mezun oldu."),
    ("The user is a student.", "The user has graduated."),
    ("Kullanıcının köpeği var.", "Kullanıcının köpeği öldü."),
    ("Kullanıcı alkol kullanıyor.", "Kullanıcı alkolü bıraktı."),
    ("Kullanıcının annesi evli.", "Kullanıcının annesi boşandı."),
    ("Vejetaryenim", "Artık et yiyorum"),
    ("Evliyim", "Boşandım"),
    ("Kullanıcının sınavı 12 Mayıs'ta.", "Kullanıcının sınavı 19 Mayıs'a ertelendi."),
    ("The user's exam is on 12 May.", "The user's exam was moved to 19 May."),
    (
        "Kullanıcı günde 20 mg fluoksetin kullanıyor.",
        "Kullanıcının fluoksetin dozu 40 mg'a yükseltildi.",
    ),
    (
        "Kullanıcının insülin glarjin dozu 18 ünite.",
        "Kullanıcı insülin glarjin 22 ünite kullanıyor.",
    ),
    ("Kullanıcının demir ilacı dozu 80 mg.", "Kullanıcı günde 100 mg demir ilacı alıyor."),
    ("The user takes 5 mg of escitalopram.", "The user's escitalopram dose was raised to 10 mg."),
    (
        "The user is taking 1 g of metformin per day.",
        "The user's daily metformin dose is 1500 mg.",
    ),
    ("The user's ibuprofen dosage is 400 mg.", "The user uses 600 mg ibuprofen."),
    ("Kullanıcı bekar.", "Kullanıcı nişanlandı."),
    ("Kullanıcı Mert ile nişanlı.", "Kullanıcı Mert'le evlendi."),
    ("Kullanıcı evli.", "Kullanıcı eşinden boşandı."),
    ("Kullanıcı evli.", "Kullanıcı geçen yıl dul kaldı."),
    ("Kullanıcı boşanmış.", "Kullanıcı yeniden evlendi."),
    ("The user is married to Tom.", "The user is divorced."),
    ("The user is divorced.", "The user remarried."),
    ("The user has been married for 12 years.", "The user is widowed."),
    ("Kullanıcı Trabzon'da ikamet ediyor.", "Kullanıcı Samsun'da oturuyor."),
    ("Kullanıcı Gaziantep'te yaşıyor.", "Kullanıcı Berlin'e yerleşti."),
    ("The user is based in Chicago.", "The user relocated to Denver."),
    ("The user lives in Leeds.", "The user is now living in Bristol."),
    ("Kullanıcı Van'da yaşıyor.", "Kullanıcı Van'dan Muğla'ya taşındı."),
    ("Kullanıcı vejetaryen besleniyor.", "Kullanıcı tekrar tavuk yiyor."),
    ("Kullanıcı et yemiyor.", "Kullanıcı artık et yemeye başladı."),
    ("The user is a vegan.", "The user started eating meat again."),
    ("The user does not eat meat.", "The user eats chicken."),
    ("The user eats red meat.", "The user turned vegetarian."),
    ("Kullanıcı sigara içmiyor.", "Kullanıcı sigaraya yeniden başladı."),
    ("Kullanıcı günde bir paket sigara içiyor.", "Kullanıcı sigara içmeyi bıraktı."),
    ("The user does not smoke.", "The user started smoking again."),
    ("The user gave up smoking.", "The user smokes."),
    ("Kullanıcı alkol tüketiyor.", "Kullanıcı alkol kullanmıyor."),
    ("The user drinks alcohol.", "The user is sober."),
    ("Kullanıcı bir okulda çalışıyor.", "Kullanıcı belediyede çalışmaya başladı."),
    ("The user works for Siemens.", "The user got a new job at Bosch."),
    ("Kullanıcı bir eczanede çalışıyor.", "Kullanıcı işsiz kaldı."),
    ("Kullanıcı hastanede çalışıyor.", "Kullanıcı emekliye ayrıldı."),
    ("The user works at a library.", "The user was laid off."),
    ("The user works for the city council.", "The user retired last year."),
    ("Kullanıcı istifa etti.", "Kullanıcı bir ajansta işe başladı."),
    ("The user is between jobs.", "The user works as a tutor."),
    ("Kullanıcı hemşire.", "Kullanıcı psikolog oldu."),
    ("The user is a journalist.", "The user became a teacher."),
    ("Kullanıcı 68 kilo geliyor.", "Kullanıcının ağırlığı 71 kg."),
    ("The user's weight is 60 kg.", "The user weighs 63 kg now."),
    ("Kullanıcı ayda 20.000 lira kira veriyor.", "Kullanıcının kirası 24.000 lira oldu."),
    ("The user earns 3,000 dollars a month.", "The user's salary is 3,400 dollars."),
    ("Kullanıcının maaşı 45 bin TL.", "Kullanıcı ayda 52 bin TL kazanıyor."),
    ("Kullanıcı 33 yaşında.", "Kullanıcı 34'üne bastı."),
    ("The user is 50.", "The user is 51 years old."),
    ("Kullanıcının motosikleti var.", "Kullanıcı motosikletini sattı."),
    ("The user has a cat.", "The user's cat died."),
    ("Kullanıcı gebe.", "Kullanıcının bebeği doğdu."),
    ("The user is expecting a baby.", "The user had her baby."),
    ("Kullanıcı üniversitede okuyor.", "Kullanıcı mezun oldu."),
    ("The user is a university student.", "The user graduated last June."),
    ("Kullanıcının uçuşu 3 Temmuz'da.", "Kullanıcının uçuşu 5 Temmuz'a kaydırıldı."),
    (
        "The user's appointment is on 9 June.",
        "The user's appointment has been rescheduled to 12 June.",
    ),
    ("Kullanıcının babası Sivas'ta yaşıyor.", "Kullanıcının babası Mersin'e taşındı."),
    ("My mother is married", "My mother got divorced"),
]
BOTH = [
    ("Kullanıcının sınavı 4 Mart'ta.", "Kullanıcının sınavı 11 Mart'ta."),
    ("The user's exam is on 4 March.", "The user's exam is on 11 March."),
    ("The user has an exam on 4 March.", "The user has an exam on 11 March."),
    ("Kullanıcının 4 Mart'ta sınavı var.", "Kullanıcının 11 Mart'ta sınavı var."),
    ("Kullanıcının randevusu 3 Haziran'da.", "Kullanıcının randevusu 8 Temmuz'da."),
    ("The user's flight is on 2 June.", "The user's flight is on 16 June."),
    ("Kullanıcının oğlu 4 yaşında.", "Kullanıcının oğlu 9 yaşında."),
    ("The user's daughter is 6.", "The user's daughter is 11 years old."),
    ("Kullanıcının çocuğu 3 yaşında.", "Kullanıcının çocuğu 8 yaşında."),
    ("Kullanıcının metformin dozu 500 mg.", "Kullanıcının ramipril dozu 5 mg."),
    ("Kullanıcı metformin 850 mg kullanıyor.", "Kullanıcı parol 500 mg kullanıyor."),
    ("The user takes 10 mg lisinopril.", "The user takes 20 mg atorvastatin."),
    ("Kullanıcı sabah 500 mg metformin alıyor.", "Kullanıcı akşam 850 mg metformin alıyor."),
    (
        "The user takes 500 mg of metformin in the morning.",
        "The user takes 850 mg of metformin at night.",
    ),
    ("Kullanıcının annesi metformin 500 mg kullanıyor.", "Kullanıcı metformin 850 mg kullanıyor."),
    ("Kullanıcı metformin 1000 mg kullanıyordu.", "Kullanıcı metformin 500 mg kullanıyor."),
    ("Kullanıcı evli.", "Kullanıcının ablası boşandı."),
    ("Kullanıcının kardeşi evli.", "Kullanıcının kardeşi boşandı."),
    ("Kullanıcı bekar.", "Kullanıcı boşandı."),
    ("Kullanıcı evliydi.", "Kullanıcı bekar."),
    ("The user is married.", "The user's brother got divorced."),
    ("The user is divorced.", "The user was married."),
    ("Kullanıcı evli.", "Kullanıcı seneye boşanacak."),
    ("The user lives in Turkey.", "The user lives in Ankara."),
    ("Kullanıcı İstanbul'da yaşıyor.", "Kullanıcı Kadıköy'de yaşıyor."),
    ("Kullanıcı Ankara'da doğdu.", "Kullanıcı İzmir'de yaşıyor."),
    ("Kullanıcı Ankara'da çalışıyor.", "Kullanıcı İzmir'de yaşıyor."),
    ("Kullanıcı yazları Bodrum'da yaşıyor.", "Kullanıcı Ankara'da yaşıyor."),
    ("The user lives in Berlin.", "The user's parents live in Munich."),
    ("The user lives in Berlin.", "The user works in Potsdam."),
    ("The user lives in Berlin.", "The user wants to move to Munich."),
    ("Kullanıcı vejetaryen.", "Kullanıcının eşi et yiyor."),
    ("Kullanıcı vejetaryen.", "Kullanıcı yumurta yiyor."),
    ("The user is vegetarian.", "The user likes cooking meat for guests."),
    ("Kullanıcı sigara içiyor.", "Kullanıcı kahveyi bıraktı."),
    ("Kullanıcı sigara içiyor.", "Kullanıcı sigarayı bırakmak istiyor."),
    ("The user smokes.", "The user wants to quit smoking."),
    ("Kullanıcı bankada çalışıyor.", "Kullanıcı spora başladı."),
    ("Kullanıcı bankada çalışıyor.", "Kullanıcının oğlu işten ayrıldı."),
    ("The user works at a bank.", "The user's wife is retired."),
    ("The user works at a bank.", "The user started working on a thesis."),
    ("Kullanıcı öğretmen.", "Kullanıcı artık anne."),
    ("Kullanıcı öğretmen.", "Kullanıcı yüzücü."),
    ("The user is a nurse.", "The user is a mother now."),
    ("Kullanıcı 5 kg verdi.", "Kullanıcı 79 kilo."),
    ("Kullanıcının hedef kilosu 70 kg.", "Kullanıcının kilosu 82 kg."),
    ("Kullanıcının kirası 15.000 TL.", "Kullanıcının maaşı 40.000 TL."),
    ("The user pays 900 euros in rent.", "The user earns 3,000 euros."),
    ("The user's budget is 900 euros.", "The user's rent is 1,000 euros."),
    ("Kullanıcının arabası var.", "Kullanıcı evini sattı."),
    ("Kullanıcının iki kedisi var.", "Kullanıcının kedisi öldü."),
    ("The user has a car.", "The user's brother sold the car."),
    ("Kullanıcı hamile.", "Kullanıcının ablası doğum yaptı."),
    ("Kullanıcı doktora öğrencisi.", "Kullanıcı liseden mezun oldu."),
    ("Kullanıcı 45 yaşında.", "Kullanıcının eşi 43 yaşında."),
    ("Kullanıcının boyu 180 cm.", "Kullanıcının oğlunun boyu 120 cm."),
    ("Kullanıcı haftada 3 gün koşuyor.", "Kullanıcı haftada 2 gün yüzüyor."),
    ("Kullanıcı 10 mg melatonin aldı.", "Kullanıcı 5 mg melatonin aldı."),
    ("Kullanıcı bir bankada çalışıyor.", "Kullanıcı bir üniversitede ders veriyor."),
    ("The user works as a translator.", "The user works as a tour guide on weekends."),
    ("Kullanıcı 12 Mart'ta doktora gitti.", "Kullanıcı 19 Mart'ta doktora gitti."),
    ("Kullanıcı muhasebeci olarak çalışıyor.", "Kullanıcı 2030'da emekli olacak."),
    ("The user's father is retired.", "The user works as an accountant."),
    ("Kullanıcı Almanca öğreniyor.", "Kullanıcı Fransızca öğreniyor."),
    ("Kullanıcı D vitamini 1000 IU alıyor.", "Kullanıcı B12 vitamini 1000 mcg alıyor."),
    ("Kullanıcının ameliyatı 7 Nisan'da.", "Kullanıcının ameliyatı 21 Nisan'da."),
    ("The user's interview is on 5 May.", "The user's interview is on 20 May."),
    ("Kullanıcının vizesi 2 Kasım'da.", "Kullanıcının finali 9 Ocak'ta."),
    (
        "The user has a dentist appointment on 3 July.",
        "The user has a dentist appointment on 24 July.",
    ),
    ("Kullanıcının sınavı 5 Mart'ta.", "Kullanıcının toplantısı 9 Mart'a ertelendi."),
    ("Kullanıcının kızı 12 yaşında.", "Kullanıcının kızı 3 yaşında."),
    ("The user's son is 4 years old.", "The user's son is 8 years old."),
    ("Kullanıcının yeğeni 2 yaşında.", "Kullanıcının yeğeni 10 yaşında."),
    ("Kullanıcı fluoksetin 20 mg kullanıyor.", "Kullanıcı ketiapin 25 mg kullanıyor."),
    ("The user takes 400 mg ibuprofen.", "The user takes 500 mg paracetamol."),
    ("The user's mother takes 10 mg of ramipril.", "The user takes 5 mg of ramipril."),
    ("The user's metformin dose was 500 mg.", "The user's metformin dose is 1000 mg."),
    ("Kullanıcının metformin dozu en fazla 2000 mg.", "Kullanıcının metformin dozu 1000 mg."),
    ("Kullanıcının metformin dozu 500 mg artırıldı.", "Kullanıcı metformin 1000 mg kullanıyor."),
    ("The user may take 800 mg of ibuprofen.", "The user takes 400 mg of ibuprofen."),
    ("Kullanıcının kuzeni boşandı.", "Kullanıcı evli."),
    ("The user's sister is single.", "The user's sister got married."),
    ("Kullanıcı evlenmek istiyor.", "Kullanıcı bekar."),
    ("The user wants to get married.", "The user is single."),
    ("The user's parents are divorced.", "The user is married."),
    ("The user is single.", "The user is divorced."),
    ("Kullanıcı Bodrum'da yaşıyor.", "Kullanıcı Muğla'da yaşıyor."),
    ("The user lives in Brooklyn.", "The user lives in New York."),
    ("Kullanıcı İzmir'de büyüdü.", "Kullanıcı Ankara'da yaşıyor."),
    ("Kullanıcı yarı zamanlı bir kafede işe başladı.", "Kullanıcı bir bankada çalışıyor."),
    ("The user works at a school.", "The user started working at a bar at weekends."),
    ("Kullanıcı Ankara'da çalışıyor.", "Kullanıcının eşi işsiz."),
    ("Kullanıcının kızı vejetaryen oldu.", "Kullanıcı et yiyor."),
    ("Kullanıcı vejetaryen.", "Kullanıcı balık yiyor."),
    ("The user is vegetarian.", "The user's husband eats meat."),
    ("Kullanıcı vejetaryen olmak istiyor.", "Kullanıcı et yiyor."),
    ("The user smokes.", "The user is trying to quit smoking."),
    ("Kullanıcı sigara içiyor.", "Kullanıcı sigarayı bırakmaya çalışıyor."),
    ("Kullanıcı sigara içiyor.", "Kullanıcının babası sigarayı bıraktı."),
    ("The user does not drink coffee.", "The user drinks alcohol."),
    ("The user drinks tea.", "The user does not drink alcohol."),
    ("Kullanıcı avukat.", "Kullanıcı baba oldu."),
    ("Kullanıcı avukat.", "Kullanıcı artık vejetaryen."),
    ("The user is a lawyer.", "The user became a father."),
    ("The user is a lawyer.", "The user is retired."),
    ("Kullanıcının ideal kilosu 60 kg.", "Kullanıcı 68 kilo."),
    ("Kullanıcı 3 kg aldı.", "Kullanıcı 68 kilo."),
    ("The user lost 4 kg.", "The user weighs 63 kg."),
    ("The user lifts 60 kg.", "The user weighs 63 kg."),
    ("Kullanıcının kredisi ayda 8.000 TL.", "Kullanıcının kirası 12.000 TL."),
    ("The user saves 500 euros a month.", "The user earns 3,000 euros a month."),
    ("Kullanıcının motosikleti var.", "Kullanıcı bisikletini sattı."),
    ("Kullanıcının köpeği var.", "Kullanıcının köpeği oldu."),
    ("The user has two cats.", "The user's cat died."),
    ("The user has a dog.", "The user's neighbour's dog died."),
    ("The user is pregnant.", "The user's sister gave birth."),
    ("Kullanıcı yüksek lisans öğrencisi.", "Kullanıcı liseden mezun oldu."),
    ("Kullanıcı ODTÜ'den mezun.", "Kullanıcı doktora öğrencisi."),
    ("The user is 51 years old.", "The user's partner is 48 years old."),
    ("Kullanıcı 10 km koştu.", "Kullanıcı 12 km koştu."),
    ("The user ran 10 km.", "The user ran 12 km."),
    ("Kullanıcı C vitamini 500 mg alıyor.", "Kullanıcı magnezyum 250 mg alıyor."),
    ("Kullanıcı D3 vitamini 1000 IU alıyor.", "Kullanıcı K2 vitamini 100 mcg alıyor."),
    ("Kullanıcı sabah 10 ünite insülin yapıyor.", "Kullanıcı akşam 14 ünite insülin yapıyor."),
    ("The user will move to Munich.", "The user lives in Berlin."),
    ("The user considered moving to Munich.", "The user lives in Berlin."),
    ("The user should take 20 mg of lisinopril.", "The user takes 10 mg of lisinopril."),
]
SAME = [
    ("Kullanıcının metformin dozu 500 mg.", "Kullanıcı metformin 500 mg kullanıyor."),
    ("Kullanıcı boşandı.", "Kullanıcı boşanmış."),
    ("The user moved to Munich.", "The user lives in Munich."),
    ("The user is a non-smoker.", "The user does not smoke."),
    ("Kullanıcı emekli oldu.", "Kullanıcı emekli."),
    ("Kullanıcının kilosu 82 kg.", "Kullanıcı 82 kilo."),
    ("Kullanıcının fluoksetin dozu 20 mg.", "Kullanıcı günde 20 mg fluoksetin alıyor."),
    ("The user is divorced.", "The user got divorced."),
    ("Kullanıcı İzmir'de oturuyor.", "Kullanıcı İzmir'e taşındı."),
    ("The user eats no meat.", "The user does not eat meat."),
    ("The user retired.", "The user is retired."),
    ("The user weighs 63 kg.", "The user's weight is 63 kg."),
    ("Kullanıcının kirası 12.000 TL.", "Kullanıcı 12 bin lira kira ödüyor."),
    ("Kullanıcı işsiz.", "Kullanıcı işsiz kaldı."),
]


def merged(new: str, *olds: str, quote: str = "") -> Merge:
    known = [Fact(FactId(old), "Konu", old, 5, Origin.SESSION, Term.SHORT, NOON) for old in olds]
    return merge(ProposedFact("Konu", new, 5, quote), known, STOP_WORDS)


@pytest.mark.parametrize(("old", "new"), ENDED)
def test_what_cannot_be_so_as_well_takes_the_older_ones_place(old: str, new: str) -> None:
    assert merged(new, old) == Replace(FactId(old))


@pytest.mark.parametrize(("old", "new"), BOTH)
def test_two_exams_two_children_and_two_medicines_are_both_kept(old: str, new: str) -> None:
    assert merged(new, old) == Add()
    assert merged(old, new) == Add()


@pytest.mark.parametrize(("one", "other"), SAME)
def test_a_state_in_other_words_is_the_same(one: str, other: str) -> None:
    assert merged(one, other) == Strengthen(FactId(other))
    assert merged(other, one) == Strengthen(FactId(one))


def test_of_two_exams_nobody_knows_which_one_was_moved() -> None:
    first, second = "Kullanıcının sınavı 4 Mart'ta.", "Kullanıcının sınavı 11 Mart'ta."
    moved = "Kullanıcının sınavı 18 Mart'ta."
    quote = "Sınavım 18 Mart'a ertelendi."
    assert merged(moved, first, quote=quote) == Replace(FactId(first))
    assert merged(moved, first, second, quote=quote) == Add()


def test_a_child_gets_older_by_a_year() -> None:
    for old, new in (
        ("Kullanıcının oğlu 4 yaşında.", "Kullanıcının oğlu 5 yaşında."),
        ("The user's daughter is 6.", "The user's daughter is 7."),
    ):
        assert merged(new, old) == Replace(FactId(old))
        assert merged(old, new) == Add()


def test_what_tells_more_of_the_same_takes_its_place() -> None:
    short, long = "Kullanıcı evli.", "Kullanıcı 10 yıldır evli."
    assert merged(long, short) == Replace(FactId(short))
    assert merged(short, long) == Strengthen(FactId(long))


def test_all_that_is_over_ends() -> None:
    first, second = "Kullanıcı evli.", "Kullanıcı Ayşe ile evli."
    assert merged("Kullanıcı boşandı.", first, second) == Replace(FactId(first), (FactId(second),))
