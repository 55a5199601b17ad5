"""Words are in the order of a dictionary of their language."""

from desktop.domain.language import Language
from desktop.language.normalization import sort_key


def test_turkish_letters_have_places_of_their_own_in_turkish_only() -> None:
    words = ["Cuma", "çam", "Dağ", "ılık", "İz", "ışık", "ot", "öz", "şal", "sel", "ün", "uz", "2"]
    in_order = [
        "2",
        "Cuma",
        "çam",
        "Dağ",
        "ılık",
        "ışık",
        "İz",
        "ot",
        "öz",
        "sel",
        "şal",
        "uz",
        "ün",
    ]
    assert sorted(words, key=lambda word: sort_key(word, Language.TR)) == in_order
    assert sorted(["Çam", "cuma"], key=lambda word: sort_key(word, Language.EN)) == ["Çam", "cuma"]


def test_marks_do_not_count_and_other_letters_come_last() -> None:
    words = ["Ωmega", "zar", "“ara”", "Âdem"]
    in_order = ["Âdem", "“ara”", "zar", "Ωmega"]
    assert sorted(words, key=lambda word: sort_key(word, Language.TR)) == in_order
