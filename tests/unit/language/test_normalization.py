import json
import unicodedata
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.language.normalization import (
    MARK,
    find_words,
    fix_json,
    fix_surrogates,
    fold,
    folded_key,
    word_texts,
    words,
    words_of_each,
)

_TURKISH = st.text("abcçdeğıiİIöşüÂâ'’ \u0301\u0327\u0130Ssß")


@given(st.text() | _TURKISH)
def test_folding_keeps_every_letter_in_its_place(text: str) -> None:
    assert len(fold(text)) == len(text)
    assert fold(text) == "".join(map(fold, text))


@pytest.mark.parametrize("text", ["IŞIK", "Işık", "ışık", "isik", "ISIK", "İşık"])
def test_all_ways_to_write_a_turkish_word_meet(text: str) -> None:
    assert fold(text) == "isik"


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("ÇĞİÖŞÜ çğıöşü", "cgiosu cgiosu"),
        ("Kâzım, Millî, café, naïve, Ñandú", "kazim, milli, cafe, naive, nandu"),
        ("Straße Ærø Łódź", "strase aro lodz"),
        ("Türkiye’de", "turkiye'de"),
        ("ＡＢＣ m²", "abc m2"),
        ("ΑΘΗΝΑΣ Москва 東京", "αθηνασ москва 東京"),
    ],
)
def test_letters_of_other_languages_lose_their_marks(text: str, folded: str) -> None:
    assert fold(text) == folded


def test_a_combining_mark_keeps_its_place_and_can_be_dropped() -> None:
    apart = unicodedata.normalize("NFD", "şişe çay")
    assert fold(apart) == f"s{MARK}is{MARK}e c{MARK}ay"
    assert folded_key(apart) == "sise cay"


@given(st.text() | _TURKISH)
def test_words_have_exact_positions(text: str) -> None:
    for word in words(text):
        assert folded_key(text[word.start : word.end]) == word.text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Somogyi'yi ve Dawn’ın farkı", ["somogyi", "ve", "dawn", "farki"]),
        ("İSTANBUL'DAKİLER", ["istanbul"]),
        ("1923'te 3'ü", ["1923", "3"]),
        ("O'Brien's idea", ["o", "brien", "idea"]),
        ("'thank you' Japonca", ["thank", "you", "japonca"]),
        ("it's don't", ["it", "don"]),
        ("snake_case, C++ & 3.5", ["snake", "case", "c", "3", "5"]),
        (unicodedata.normalize("NFD", "Şırnak'ın üzümü"), ["sirnak", "uzumu"]),
        ("", []),
        ("?! …", []),
    ],
)
def test_a_text_is_split_into_words_without_apostrophe_suffixes(
    text: str, expected: Sequence[str]
) -> None:
    assert [word.text for word in words(text)] == expected


@pytest.mark.parametrize(
    ("text", "terms", "marked"),
    [
        ("Kitaplarımızdan biri, kitabı, KİTAP", ["kitap"], ["Kitaplarımızdan", "kitabı", "KİTAP"]),
        ("ağacı kanadı rengi", ["Ağaç", "kanat", "renk"], ["ağacı", "kanadı", "rengi"]),
        ("İnsülin direnci; INSULIN", ["insulin"], ["İnsülin", "INSULIN"]),
        ("Somogyi'yi sor", ["somogyi"], ["Somogyi"]),
        ("the tide, tidal", ["tide"], ["tide"]),
        ("nothing here", [], []),
        ("dawn ve şafak", ["dawn fenomeni"], ["dawn"]),
    ],
)
def test_found_words_are_marked_whole_in_the_original(
    text: str, terms: Sequence[str], marked: Sequence[str]
) -> None:
    assert [text[start:end] for start, end in find_words(text, terms)] == marked


def test_without_prefix_only_the_word_itself_is_marked() -> None:
    assert find_words("kitap kitaplar", ["kitap"], prefix=False) == [(0, 5)]


ANYTHING = st.text(alphabet=st.characters(exclude_categories=()))


@given(ANYTHING)
def test_every_text_can_be_written_down_afterwards(text: str) -> None:
    fix_surrogates(text).encode()


@given(st.text())
def test_a_complete_text_stays_as_it_is(text: str) -> None:
    assert fix_surrogates(text) == text


def test_two_halves_are_joined_and_a_lone_one_is_replaced() -> None:
    assert fix_surrogates("a\ud83d" + "\ude00b\ud83d") == "a😀b\ufffd"


_SUFFIXED = st.sampled_from(["Ankara'nın O'Brien", "a_b-c\nİğne", "e\u0301t'si", ""])


@given(st.lists(st.text() | _SUFFIXED | _TURKISH, min_size=1))
def test_the_words_of_many_texts_are_those_of_each(texts: list[str]) -> None:
    assert words_of_each(texts) == [word_texts(text) for text in texts]


def test_half_an_emoji_in_json_is_replaced_and_a_whole_one_stays() -> None:
    assert json.loads(fix_json(r'{"a": ["\ud83c", "\uD83D\uDE00", "\\ud83c"]}')) == {
        "a": ["\ufffd", "😀", "\\ud83c"]
    }
    for line in (r'{"a": "\ud83c', r"\ud83c", '{"a": "\ue000"}'):
        assert fix_json(line) == line
