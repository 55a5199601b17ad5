"""A compact is compared with the messages it stands for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.memory.compact_check import Missing, missing
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
