"""Text files in many encodings keep the letters of Turkish."""

import pytest

from desktop.research.documents.text_files import decode_text

TEXTS = (
    "Şeker hastalığında ıspanak, ğ harfi ve IŞIK önemlidir. Çölde İğne Üşüdü.",
    "İSTANBUL BÜYÜKŞEHİR BELEDİYESİ DUYURUSU",
    "kısa bir not: dün gece yağmur yağdı",
    "Kâr payı %10; şoförün adı Ümit’tir.",
)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1254", "iso8859-9"])
@pytest.mark.parametrize("text", TEXTS)
def test_turkish_letters_are_right_in_every_encoding(text: str, encoding: str) -> None:
    data = text.encode(encoding, "replace")
    assert decode_text(data) == (text if b"?" not in data else text.replace("’", "?"))


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp1252", "Größe über Straße"),
        ("cp1251", "Этот документ написан в старой кодировке. Высота башни 540 метров."),
        (
            "shift_jis",
            "この文書は日本語で書かれています。東京タワーの高さは三百三十三メートルです。",
        ),
    ],
)
def test_letters_of_other_languages_stay_if_nothing_names_the_encoding(
    encoding: str, text: str
) -> None:
    assert decode_text(text.encode(encoding)) == text
    long = f"{text}\n" * 4_000
    assert decode_text(long.encode(encoding)) == long


def test_a_declared_encoding_is_used_if_it_fits() -> None:
    for head, encoding, text in (
        ('<meta charset="windows-1251">', "cp1251", "Привет, мир"),
        ("<meta charset=iso-8859-1>", "latin-1", "Þetta er íslenska, það er gott"),
        ("<meta charset=iso-8859-1>", "cp1252", "Das „Straßencafé“ – 5 €"),
        ('<?xml encoding="ISO-8859-9"?>', "iso8859-9", "Işığın şairi"),
        ('<?xml encoding="ISO-8859-9"?>', "cp1254", "Şairin “ışığı”"),
    ):
        assert decode_text(f"{head}{text}".encode(encoding)) == f"{head}{text}"


def test_a_declared_encoding_is_ignored_if_the_letters_contradict_it() -> None:
    text = "Işığın ve gölgenin şairi bir gün öldü, bu çok acıdır"
    for head in ("<meta charset=utf-8>", "<meta charset=iso-8859-1>", "<meta charset=x-none>"):
        assert decode_text(f"{head}{text}".encode("cp1254")) == f"{head}{text}"
    assert decode_text(text.encode(), "iso-8859-9") == text


def test_a_damaged_letter_does_not_damage_others() -> None:
    data = (TEXTS[0] * 3).encode()
    assert decode_text(data[:40] + b"\xff" + data[40:]).count("\ufffd") == 1
    assert decode_text(data[:60] + b"\0" + data[60:]) == TEXTS[0] * 3
    assert decode_text(data[:-1] + b"\xc4").startswith(TEXTS[0])
