"""Names are recognised by their spelling."""

import pytest

from desktop.language.proper_nouns import file_names, names


def found(text: str, common: frozenset[str] = frozenset()) -> list[str]:
    return [name.text for name in names(text, common)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Dün Ankara'da Ayşe Yılmaz ile görüştüm.", ["Ankara", "Ayşe", "Yılmaz"]),
        ("Yesterday I met John Smith in Boston.", ["John", "Smith", "Boston"]),
        ("Dr. Ayşe geldi. Prof. Kaya da.", ["Ayşe", "Kaya"]),
        ("Somogyi'nin makalesi. Sonra uyudum.", ["Somogyi"]),
        ("It's fine. That's it. Don't worry.", []),
        ("Bitti. Sonra başladı! Peki? Evet: Tamam.", []),
        ("- Elma aldım\n* Armut aldım\n1. Muz aldım", []),
        ("# Büyük Başlık Burada\n**Bir Başka Başlık**", []),
        ("| Ad | Doz |\n| Metformin | 5 |", []),
        ("WHO ve TBMM raporu", ["WHO", "TBMM"]),
        ("NEDEN ÇALIŞMIYOR BU PROGRAM", []),
        ("ValueError verdi, iPhone ve PyTorch ile", ["ValueError", "iPhone", "PyTorch"]),
        ("B12, HbA1c ve COVID-19 için", ["B12", "HbA1c", "COVID-19"]),
        ("fiyatı 40 TL ya da 3 GB", []),
    ],
)
def test_names_are_found(text: str, expected: list[str]) -> None:
    assert found(text) == expected


def test_words_that_are_known_to_name_nothing_are_left_out() -> None:
    assert found("Sonra Ben geldim, Ankara'dan.", frozenset({"ben"})) == ["Ankara"]


def test_files_are_found_by_their_endings_with_and_without_a_folder() -> None:
    text = (
        "rapor_v2.xlsx, src/main.py ve C:\\veri\\sonuç.csv; www.site.com/a değil, bitti.Sonra da."
    )
    assert [name for name, _, _ in file_names(text)] == ["rapor_v2.xlsx", "main.py", "sonuç.csv"]
