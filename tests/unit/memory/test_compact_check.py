"""A compact is compared with the messages it stands for."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.memory.compacts.check import Missing, missing
from tests.costs import PASTES, grows_with_length

TR = """Doktorum Dr. Ayşe Yılmaz 12 Ekim 2026'da Ankara'da 5 mg Metformin verdi; HbA1c %7,2 çıktı.
Günde 1.250 adım attım, rapor_v2.xlsx dosyasına yazdım. Sonra ValueError verdi (HTTP 404)."""
EN = """My doctor, Dr. John Smith, gave me 5 mg of Metformin in Boston on October 12, 2026; my
HbA1c was 7.2%. I walked 1,250 steps a day and wrote that into report_v2.xlsx. Then there was a
ValueError (HTTP 404)."""


@pytest.mark.parametrize("text", [TR, EN])
def test_a_text_misses_nothing_of_itself(text: str) -> None:
    assert not missing([text], text)


def test_what_is_missing_is_named_as_it_was_said_by_its_kind() -> None:
    assert missing([TR], "Kullanıcı ilaç aldı.") == Missing(
        numbers=("5 mg", "%7,2", "1.250", "404"),
        dates=("12 Ekim 2026",),
        names=("Ayşe", "Yılmaz", "Ankara", "Metformin", "HbA1c", "ValueError", "HTTP"),
        files=("rapor_v2.xlsx",),
    )


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Günde 5 mg aldım.", "5mg alıyor"),
        ("Fiyatı 1.250,75 TL.", "1250,75 lira"),
        ("It cost 1,250.75 dollars.", "$1250.75"),
        ("09.41'de ölçtüm.", "ölçüm 9:41"),
        ("Oran %12.", "yüzde 12"),
        ("12.10.2026 günü", "12 Ekim 2026"),
        ("on 12 Ekim 2026", "2026-10-12"),
        ("Bunu 2026 yılında", "12.10.2026"),
        ("Dün Ankaradan geldim.", "Ankara'dan geldi"),
        ("Dün Zonguldak'a gittim.", "Zonguldağa gitti"),
        ("Ölçüm 3 saat sürdü.", "3 saatlik ölçüm"),
        ("It took 3 days.", "a 3-day trial"),
        ('Kaynak [1] böyle diyor [2: "5 mg yeter"].', "kaynak böyle diyor"),
        ("Bak: https://ornek.com/2026/5", "bir bağlantı verdi"),
        ("Kod:\n```python\nx = 17\n```\nböyle.", "kod verdi"),
        ("Sıcaklık -3 derece.", "Sıcaklık −3°"),
        ("Sıcaklık -3 derece.", "sıfırın altında 3 derece"),
        ("Sıcaklık eksi 3 derece.", "Sıcaklık -3 derece"),
        ("It was minus 3 degrees.", "it was -3°"),
        ("Enflasyon eksi yüzde 3.", "enflasyon -%3"),
        ("-3 elma\n-5 armut", "3 elma, 5 armut"),
        ("Yaş 3-5 arası.", "3 – 5 yaş"),
        ("Saat 9 -10 arası.", "9 ile 10 arası"),
        ("Tel: 0532-123-45-67", "0532 123 45 67"),
        ("Gelir 3 milyar TL.", "Gelir 3.000.000.000 TL"),
        ("Gelir 3 milyar 250 milyon TL.", "Gelir 3,25 milyar TL"),
        ("Kira 25 bin 500 TL.", "Kira 25.500 TL"),
        ("Üç buçuk milyon kişi.", "3,5 milyon kişi"),
        ("It has five thousand users.", "5,000 users"),
        ("It has 5k users.", "5,000 users"),
        ("They raised $5M.", "$5 million raised"),
        ("Half a million people.", "500,000 people"),
        ("Sınıfta 42 kişi var.", "sınıfta kırk iki kişi"),
        ("Bin kere teşekkür ederim, atına bin.", "teşekkür etti"),
        ("A million thanks!", "thanked"),
        ("Adresim Ali.Veli@Ornek.com, yaz.", "e-postası ali.veli@ornek.com"),
        ("```python\ntry:\n    x()\nexcept KeyError:\n    raise ValueError(17)\n```", "kod"),
        ("```\nx = 17\nif x > 12:\n    print(x)\n```", "bir döngü yazdı"),
        ("```\n10:41:02 ok 17\n10:41:03 ok 18\n```", "günlük kaydı gönderdi"),
        ('```\n  File "a.py", line 17\nKeyError: 5\n```', "KeyError: 5 aldı"),
    ],
)
def test_the_same_thing_said_otherwise_is_not_missing(said: str, kept: str) -> None:
    assert not missing([said], kept)


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Günde 5 mg aldım.", "5 g alıyor"),
        ("Günde 5 mg aldım.", "5 alıyor"),
        ("Günde 5 mg aldım.", "15 mg alıyor"),
        ("Oran %12.", "12 kişi"),
        ("Ölçüm 3 saat sürdü.", "3 gün sürdü"),
        ("Sonuç 7,2 çıktı.", "72 çıktı"),
        ("Dün Can geldi.", "canı sıkıldı"),
        ("Bunu 17 kişi dedi.", "[17] kullanıcı: bunu dediler"),
        ("Sıcaklık -3 derece.", "Sıcaklık 3 derece"),
        ("Sıcaklık −3 °C oldu.", "Sıcaklık 3 °C"),
        ("Sıcaklık 3 derece.", "Sıcaklık -3 derece"),
        ("Bakiye -1.250 TL.", "Bakiye 1.250 TL"),
        ("It was minus 5 degrees.", "it was 5 degrees"),
        ("Eksi 5 derece.", "5 derece"),
        ("Gelir 3 milyar TL.", "Gelir 3 milyon TL"),
        ("Gelir 3 milyar TL.", "Gelir 3 TL"),
        ("Gelir 3 bin TL.", "Gelir 3 TL"),
        ("They have 3 million users.", "3 billion users"),
        ("They have 3 million users.", "3 users"),
        ("They raised $5M.", "$5B raised"),
        ("Üç milyon kişi geldi.", "Üç kişi geldi"),
        ("Beş bin kişi geldi.", "Beş yüz kişi geldi"),
        ("Five thousand came.", "five came"),
        ("Adresim ali.veli@ornek.com.tr, yaz.", "e-postası ali@ornek.com.tr"),
        ("Write to ali@example.org.", "gave an address"),
    ],
)
def test_something_else_is_no_stand_in(said: str, kept: str) -> None:
    assert missing([said], kept)


SPOKEN = [
    ("Kırk iki yaşındayım.", "42 yaşında", "elli yaşında"),
    ("Toplantıya üç kişi geldi.", "toplantıya 3 kişi geldi", "toplantıya dört kişi geldi"),
    ("Yedi kişi on gün kaldık.", "7 kişi, 10 gün", "yedi kişi, iki hafta"),
    ("Saat on bir buçukta, sonra saat üçte.", "11.30 ve 3", "11.30 ve 4"),
    ("Kiram otuz beş bin lira.", "kirası 35.000 TL", "kirası 45.000 TL"),
    ("Yüzde yirmi beşi bitti.", "%25'i bitti", "%75'i bitti"),
    ("İki üç gün sürer.", "2-3 gün sürer", "birkaç gün sürer"),
    ("Günde iki buçuk litre su.", "günde 2,5 litre", "günde 2 litre"),
    ("Adım Ali. Üç kedim var.", "Ali, üç kedisi var", "Ali, iki kedisi var"),
    ("elli lira odedim, kirk gun once", "40 gün önce 50 lira", "14 gün önce 50 lira"),
    ("Sekiz saatte bir, yedi gün.", "8 saatte bir, 7 gün", "6 saatte bir, 7 gün"),
    ("I am forty-two years old.", "is 42", "is fifty"),
    ("I have three cats and two dogs.", "three cats, 2 dogs", "four cats, two dogs"),
    ("We meet at ten thirty.", "they meet at 10:30", "they meet at 9:30"),
    ("It was nineteen ninety-nine.", "in 1999", "in 1989"),
    ("Two and a half million people.", "2,500,000 people", "2 million people"),
    ("Seventy-five percent is left.", "75% left", "25% left"),
    ("Every eight hours for seven days.", "every 8 h, 7 days", "every 6 h, 7 days"),
    ("I run three times a week.", "runs 3 times a week", "runs a few times a week"),
    ("Rent is nine hundred and fifty euros.", "rent: €950", "rent: €1,250"),
    ("12 eggs, then 3 more.", "twelve eggs and then three", "some eggs and then more"),
    ("50 kişi, 10 gün.", "elli kişi, on gün", "elli kişi, on hafta"),
]


@pytest.mark.parametrize(("said", "kept", "wrong"), SPOKEN)
def test_a_number_in_words_may_be_kept_in_either_spelling_and_is_missed(
    said: str, kept: str, wrong: str
) -> None:
    assert not missing([said], kept).numbers
    assert missing([said], wrong).numbers


@pytest.mark.parametrize(
    "said",
    [
        "Bir gün bir arkadaşımla konuştum.",
        "İkide bir soruyor, iki de bir arıyor.",
        "Üç temel neden var: hava, su, toprak. İkisi de önemli.",
        "Bu iki seçenek arasında kaldım, ikinci olan daha iyi.",
        "Üç beş kuruş kaldı, bir iki şey aldım.",
        "Çorbayı yedi, masanın altı boş, atına bin, yüzünü yıka.",
        "Ön koşul ve uç nokta; on numara, kırk yılda bir, kırk kere söyledim.",
        "Yedi yirmi dört açık, bin bir çeşit var, dört gözle bekliyorum.",
        "Üç Silahşörler'i okudum.",
        "One of them came, and the two of us left.",
        "There are three main reasons: cost, time, risk. Both matter.",
        "On the one hand, on the other two hands; a thing or two.",
        "A million thanks, a hundred times over!",
        "A two-dimensional plot of the first two.",
        "The Three Musketeers and the Seven Samurai.",
        "It is half past three already.",
    ],
)
def test_a_word_that_counts_nothing_is_not_missed(said: str) -> None:
    assert not missing([said], "").numbers


SESSIONS = [
    (
        (
            "Kırk iki yaşındayım, eşimle iki çocuğumuz var. Günde üç bardak kahve içiyorum.",
            (
                "Bu yaklaşık 300 mg kafein eder. İki şeye bak: saat ve miktar. Akşam altıdan sonra"
                " içmemek ilk adım olur."
            ),
            "Peki on gün bırakırsam baş ağrısı olur mu?",
            "Olabilir; genellikle iki ile dokuz gün sürer. Bu iki belirtiyi ayrı düşün.",
        ),
        (
            "42 yaşında, eşi ve 2 çocuğu var. Günde 3 bardak kahve içiyor. Asistan: 300 mg kafein;"
            " saate ve miktara bak, akşam içme. Kullanıcı 10 gün bırakırsa ne olur diye sordu."
            " Asistan: 2–9 gün baş ağrısı sürebilir."
        ),
    ),
    (
        (
            "Dört yıl önce İzmir'e taşındım, iki odalı bir evde sekiz kediyle yaşıyorum.",
            (
                "Sekiz kedi için küçük olabilir. Bir iki öneri: dikey alan kullan. Her kedi"
                " için bir"
                " kap yeter."
            ),
            "Yarın saat üçte veterinere gidiyorum. Bin kere sordum, kırk kere aradım.",
        ),
        (
            "4 yıl önce İzmir'e taşındı; 2 odalı evde 8 kedisiyle yaşıyor. Asistan: küçük"
            " olabilir;"
            " dikey alan, her kediye bir kap. Kullanıcı yarın saat 3'te veterinere gidiyor."
        ),
    ),
    (
        (
            (
                "We are five people and have twelve weeks. Two and a half million dollars,"
                " twenty-five"
                " percent of it spent."
            ),
            (
                "I suggest three phases: preparation, development, testing. The first two"
                " can run side"
                " by side; a good first step is a plan."
            ),
            "Ali and Ayşe both work four days a week. For the third phase we need one more.",
        ),
        (
            "Team of 5, 12 weeks, budget $2.5 million, 25% spent. Assistant: preparation,"
            " development,"
            " testing; begin with a plan. Ali and Ayşe work 4 days a week; one more is"
            " needed for the"
            " testing."
        ),
    ),
    (
        (
            "The doctor said two tablets in the morning, then every eight hours for seven days.",
            (
                "Fine: eight hours apart, seven days. Two cases for a missed one: take it"
                " if little"
                " time has passed, else skip it. On the other hand, no one knows."
            ),
            "My mother is sixty-eight, my father seventy. I'm one of four siblings.",
        ),
        (
            "Doctor: 2 tablets in the morning, every 8 hours, 7 days. Assistant: a missed"
            " one is taken"
            " if little time has passed. Mother 68, father 70; one of 4 siblings."
        ),
    ),
]


@pytest.mark.parametrize(("originals", "compact"), SESSIONS)
def test_a_right_compact_of_a_talk_in_words_misses_none_of_its_numbers(
    originals: tuple[str, ...], compact: str
) -> None:
    assert not missing(originals, compact).numbers


@pytest.mark.parametrize(("originals", "compact"), SESSIONS)
def test_of_the_numbers_said_in_words_another_one_is_found(
    originals: tuple[str, ...], compact: str
) -> None:
    """Each figure of the compact that no message has in figures, changed in turn."""
    said = " ".join(originals)
    figures = {one for one in re.findall(r"\d+(?:[.,]\d+)?", compact) if one not in said}
    assert len(figures) >= 4
    for figure in figures:
        wrong = re.sub(rf"(?<![\d.,]){figure}(?![\d,.]\d|\d)", "77", compact)
        assert missing(originals, wrong).numbers, figure


@pytest.mark.parametrize(
    ("code", "lost"),
    [
        (
            "python\nTraceback (most recent call last):\nValueError: 42 of 7",
            ("42", "7", "ValueError"),
        ),
        ("\nerror TS2345: 17 problems", ("17", "TS2345")),
        ("\nOcak: 1.250 TL\nŞubat: 3.400 TL", ("1.250 TL", "3.400 TL")),
        ("\njava.lang.NullPointerException: x\n    at A.b(A.java:41)", ("NullPointerException",)),
        ("js\nUncaught TypeError: x is no function", ("TypeError",)),
        ("\nconnect failed\nECONNREFUSED 127.0.0.1:8080", ("ECONNREFUSED",)),
    ],
)
def test_what_a_block_of_code_reports_is_looked_for(code: str, lost: tuple[str, ...]) -> None:
    found = missing([f"Şunu aldım:\n```{code}\n```\nNeden?"], "bir hata aldı").all
    assert set(lost) <= set(found)


def test_a_number_of_a_message_is_no_number_of_its_words() -> None:
    assert missing(["Tam 12 kişiydik."], "[12] kullanıcı: kalabalıktık").numbers == ("12",)


@given(st.lists(st.text(max_size=80), max_size=6))
def test_whatever_is_said_nothing_of_it_is_missing_from_itself(texts: list[str]) -> None:
    whole = "\n".join(texts)
    assert not missing([whole], whole).dates


@given(st.text(max_size=200), st.text(max_size=200))
def test_no_text_is_too_strange_to_be_compared(said: str, kept: str) -> None:
    missing([said], kept)


@pytest.mark.parametrize("piece", PASTES)
def test_a_long_paste_costs_what_its_length_does(piece: str) -> None:
    assert grows_with_length(lambda text: missing([text], ""), piece)


@pytest.mark.parametrize("piece", [*PASTES, "a@b ", "beş bin ", "3 milyon ", "Error: "])
def test_a_long_paste_of_code_costs_what_its_length_does(piece: str) -> None:
    assert grows_with_length(lambda text: missing([f"```\n{text}\n```\n{text}"], text), piece)


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Kayra faturayı kontrol etti.", "Kayra"),
        ("Efsun bana anahtarı verdi.", "Efsun"),
        ("Vestelya bize teklif gönderdi.", "Vestelya"),
        ("Ferzan lambayı onarmadı.", "Ferzan"),
        ("Orla fixed the boiler.", "Orla"),
        ("Skye reviewed the code.", "Skye"),
        ("Drew picked me up from the airport.", "Drew"),
    ],
)
def test_an_unusual_name_that_begins_a_sentence_is_known_by_what_its_bearer_does(
    said: str, name: str
) -> None:
    assert name in missing([said], "").names


@pytest.mark.parametrize(
    "said",
    [
        "Kargo paketi kapıya bıraktı.",
        "Film bizi çok etkiledi.",
        "İlaç bana iyi geldi.",
        "Toplantı beni yordu.",
        "Rain ruined the picnic.",
        "Sugar raised my level.",
        "Water damaged the floor.",
    ],
)
def test_what_does_something_without_being_anybody_is_no_name(said: str) -> None:
    assert not missing([said], "").names
