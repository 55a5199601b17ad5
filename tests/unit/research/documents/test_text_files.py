"""Text files keep the letters of many encodings, whatever their names; pictures are no text."""

from base64 import b64encode
from io import BytesIO
from pathlib import PurePath

import pytest

from desktop.domain.errors import DocumentKindError
from desktop.research.documents.reader_worker import read_document
from desktop.research.documents.text_files import decode_text
from tests.documents.pdfs import pdf_of
from tests.documents.reading import read

TEXTS = (
    "Şeker hastalığında ıspanak, ğ harfi ve IŞIK önemlidir. Çölde İğne Üşüdü.",
    "İSTANBUL BÜYÜKŞEHİR BELEDİYESİ DUYURUSU",
    "kısa bir not: dün gece yağmur yağdı",
    "Kâr payı %10; şoförün adı Ümit’tir.",
)


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32-be", "cp1254", "iso8859-9"],
)
@pytest.mark.parametrize("text", TEXTS)
def test_turkish_letters_are_right_in_every_encoding(text: str, encoding: str) -> None:
    data = text.encode(encoding, "replace")
    assert decode_text(data) == (text if b"?" not in data else text.replace("’", "?"))


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp857", "Şeftali ağacı çiçek açtı, ığdır güneşi yakıcıdır."),
        (
            "cp857",
            "┌────────────┐\n│ Ürün adı   │\n├────────────┤\n│ Güğüm      │\n└────────────┘",
        ),
        ("mac_turkish", "Öğrencilerin başarısı yükseldi, ÇALIŞMA İZNİ verildi."),
        ("cp1252", "Größe über Straße"),
        ("cp850", "Die Prüfung findet am Dienstag statt. Äpfel, Öl und Übermut."),
        ("mac_roman", "Élève naïf, Noël, cœur"),
        ("cp1250", "Zażółć gęślą jaźń. Książka o źródłach wiedzy, łatwa."),
        ("iso8859-2", "Zażółć gęślą jaźń. Książka o źródłach wiedzy, łatwa."),
        ("cp852", "Příliš žluťoučký kůň úpěl ďábelské ódy."),
        ("cp1250", "Árvíztűrő tükörfúrógép."),
        ("cp1257", "Žmogus atėjo į namus. Ąžuolas, šuo, ūkis, ėjimas."),
        ("cp1253", "Αυτό το έγγραφο είναι γραμμένο στα ελληνικά."),
        ("cp1255", "המסמך הזה כתוב בעברית"),
        ("koi8_r", "Этот документ написан в старой кодировке."),
        ("cp866", "Этот документ написан в старой кодировке."),
        (
            "utf-16-le",
            "Этот документ написан в старой\u200b кодировке. 😀" + ". Ещё одна строка." * 9,
        ),
        ("utf-16-be", "東京タワーの高さは三百三十三メートルです。\n"),
        ("iso2022_jp", "東京タワーの高さは三百三十三メートルです。"),
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


@pytest.mark.parametrize("name", ["a.rst", "a.org", "a.tex", "a.csv", "a.log", "a.py", "a.x", "a"])
def test_a_text_is_read_whatever_its_name(name: str) -> None:
    assert read(name, "Başlık\n======\n\nelma armut").texts == ["Başlık\n======", "elma armut"]
    assert read(name, "elma armut".encode("utf-16-le")).texts == ["elma armut"]


@pytest.mark.parametrize(
    "data",
    [
        bytes(range(256)) * 9,
        b"{\\rtf1 elma}",
        b"%!PS-Adobe",
        b"<?xml version='1.0'?><svg><text>a</text></svg>",
        b"\xff\xd8\xff\xe0\0\x10JFIF",
    ],
)
def test_what_is_no_text_is_refused_by_its_kind(data: bytes) -> None:
    with pytest.raises(DocumentKindError):
        list(read_document(PurePath("a.x"), BytesIO(data)))


def test_a_page_without_its_ending_is_read_as_a_page() -> None:
    assert read("a.x", "<!DOCTYPE html><title>x</title><p>elma</p>").texts == ["elma"]


@pytest.mark.parametrize("name", ["a.md", "a.txt", "a"])
@pytest.mark.parametrize("text", ["%PDF-1.7 diye başlar.", "Şu: %PDF-1.4 1 0 obj endobj"])
def test_a_signature_that_a_text_mentions_makes_it_no_other_document(name: str, text: str) -> None:
    text += " Bu bir nottur." * 90
    assert read(name, text).texts == [text]
    assert read(name, pdf_of("gerçek")).texts == ["gerçek"]


def test_markdown_has_the_headings_that_its_reader_sees() -> None:
    text = (
        "# C# **kalın** [bağ](http://x) #\nMetin\n=====\nalt\n---\n- a\n---\n    # kod\n#hayır\n"
        "~~~py\n# yok\n\nhâlâ kod\n~~~\nsonra\n> alıntı\n---\n\n| a |\n|---|\n"
    )
    blocks = read("a.md", text).blocks
    assert [one.text for one in blocks if one.is_heading] == ["C# kalın bağ", "Metin", "alt"]
    assert "~~~py\n# yok\n\nhâlâ kod\n~~~" in [one.text for one in blocks]
    assert {one.heading for one in blocks[3:]} == {"Metin › alt"}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("bkz. [[Kovan]]", "bkz. [Kovan](<Kovan.md>)"),
        ("[[Kovan#Isı|ısısı]]", "[ısısı](<Kovan.md#Isı>)"),
        ("![[Kovan]]", "[Kovan](<Kovan.md>)"),
        ("![[arı.png]]", "![arı.png](<arı.png>)"),
        ("~~~\n[[kod]]\n~~~", "~~~\n[[kod]]\n~~~"),
    ],
)
def test_links_of_obsidian_are_links(written: str, meant: str) -> None:
    assert [block.text for block in read("a.md", written).blocks] == [meant]


def test_pictures_are_not_read_as_text() -> None:
    picture = b64encode(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 400).decode()
    wrapped = "\n".join(picture[at : at + 76] for at in range(0, len(picture), 76))
    for written, left in (
        (f"önce ![resim](data:image/png;base64,{picture}) sonra", "önce ![resim]() sonra"),
        (f"[resim]: <data:image/png;base64,{picture}>", "[resim]: <>"),
        (f'{{"image/png": "{picture}"}} sonra', '{"image/png": ""} sonra'),
        (f"önce\ndata:image/png;base64,{wrapped}\nsonra", "önce\n\nsonra"),
        ("data: elma, armut; metadata:a/b", "data: elma, armut; metadata:a/b"),
    ):
        assert "\n\n".join(read("a.txt", written).texts) == left
