"""A compact is compared with the messages it replaces."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.memory.summary_check import Missing, find_missing
from tests.costs import PASTES, grows_with_length

TR = """Doktorum Dr. Ayşe Yılmaz 12 Ekim 2026'da Ankara'da 5 mg Metformin verdi; HbA1c %7,2 çıktı.
Günde 1.250 adım attım, rapor_v2.xlsx dosyasına yazdım. Sonra ValueError verdi (HTTP 404)."""
EN = """My doctor, Dr. John Smith, gave me 5 mg of Metformin in Boston on October 12, 2026; my
HbA1c was 7.2%. I walked 1,250 steps a day and wrote that into report_v2.xlsx. Then there was a
ValueError (HTTP 404)."""


@pytest.mark.parametrize("text", [TR, EN])
def test_a_text_lacks_nothing_compared_with_itself(text: str) -> None:
    assert not find_missing([text], text)


def test_missing_items_are_named_as_written_and_by_kind() -> None:
    assert find_missing([TR], "Kullanıcı ilaç aldı.") == Missing(
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
        ("-3 elma\n-5 armut", "3 elma, 5 armut"),
        ("Yaş 3-5 arası.", "3 – 5 yaş"),
        ("Tel: 0532-123-45-67", "0532 123 45 67"),
        ("Gelir 3 milyar TL.", "Gelir 3.000.000.000 TL"),
        ("It has 5k users.", "5,000 users"),
        ("They raised $5M.", "$5 million raised"),
        ("Bin kere teşekkür ederim, atına bin.", "teşekkür etti"),
        ("A million thanks!", "thanked"),
        ("Adresim Ali.Veli@Ornek.com, yaz.", "e-postası ali.veli@ornek.com"),
        ("```python\ntry:\n    x()\nexcept KeyError:\n    raise ValueError(17)\n```", "kod"),
        ("```\nx = 17\nif x > 12:\n    print(x)\n```", "bir döngü yazdı"),
        ("```\n10:41:02 ok 17\n10:41:03 ok 18\n```", "günlük kaydı gönderdi"),
        ('```\n  File "a.py", line 17\nKeyError: 5\n```', "KeyError: 5 aldı"),
    ],
)
def test_a_paraphrase_is_not_missing(said: str, kept: str) -> None:
    assert not find_missing([said], kept)


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
        ("It was -5 degrees.", "it was 5 degrees"),
        ("Gelir 3 milyar TL.", "Gelir 3 milyon TL"),
        ("Gelir 3 bin TL.", "Gelir 3 TL"),
        ("They have 3 million users.", "3 billion users"),
        ("They raised $5M.", "$5B raised"),
        ("Adresim ali.veli@ornek.com.tr, yaz.", "e-postası ali@ornek.com.tr"),
        ("Write to ali@example.org.", "gave an address"),
    ],
)
def test_another_type_is_no_stand_in(said: str, kept: str) -> None:
    assert find_missing([said], kept)


@pytest.mark.parametrize(
    ("said", "lost"),
    [
        ("```python\nTraceback (most recent call last):\nValueError: 42\n```", "ValueError"),
        (
            "```\njava.lang.NullPointerException: x\n    at A.b(A.java)\n```",
            "NullPointerException",
        ),
        ("```js\nUncaught TypeError: x is no function\n```", "TypeError"),
        ("Bende E1205 kodu çıktı.", "E1205"),
        ("Şunu yaz: `git rebase` ve main.py dosyasını aç.", "main.py"),
    ],
)
def test_errors_codes_and_files_are_looked_for(said: str, lost: str) -> None:
    assert lost in find_missing([said], "bir hata aldı").all


def test_the_number_of_a_message_is_not_a_quoted_number() -> None:
    assert find_missing(["Tam 12 kişiydik."], "[12] kullanıcı: kalabalıktık").numbers == ("12",)


@given(st.lists(st.text(max_size=80), max_size=6))
def test_a_text_lacks_nothing_of_itself(texts: list[str]) -> None:
    whole = "\n".join(texts)
    assert not find_missing([whole], whole).dates


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_two_texts_can_be_compared(said: str, kept: str) -> None:
    find_missing([said], kept)


@pytest.mark.parametrize("piece", [*PASTES, "a@b ", "3 milyon ", "Error: ", "[1", "www."])
def test_a_long_paste_of_code_takes_linear_time(piece: str) -> None:
    letters = 20_000
    assert grows_with_length(lambda text: find_missing([text], ""), piece, letters)
    coded = grows_with_length(
        lambda text: find_missing([f"```\n{text}\n```\n{text}"], text), piece, letters
    )
    assert coded
