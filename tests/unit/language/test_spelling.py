"""Words typed in a hurry are found as if they were spelled out, and no other word is."""

import pytest

from desktop.language.informal_spelling import plainly
from desktop.language.phrase_matcher import find_phrase, lay_out


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("whats", "what"),
        ("gimme", "give me"),
        ("tmrw", "tomorrow"),
        ("heyyyy", "hey"),
        ("biliyosun", "biliyorsun"),
        ("geliyom", "geliyorum"),
        ("yapiyo", "yapiyor"),
        ("biliyormusun", "biliyor musun"),
        ("varmi", "var mi"),
        ("gostersene", "goster"),
        ("bide", "bir de"),
    ],
)
def test_a_word_typed_in_a_hurry_reads_as_it_is_spelled(typed: str, read: str) -> None:
    assert plainly(typed) == read


@pytest.mark.parametrize(
    "word", ["tansiyon", "gecmisin", "gumusun", "piyon", "insana", "sene", "radyo", "1000", "xxl"]
)
def test_a_word_that_only_ends_like_one_stays_what_it_is(word: str) -> None:
    assert plainly(word) == word


@pytest.mark.parametrize("said", ["What's your name?", "what is your name", "whats ur name"])
def test_a_phrase_is_found_however_it_is_typed(said: str) -> None:
    assert find_phrase(lay_out(said), ("what is your name",)) is not None


def test_what_was_typed_is_what_is_shown() -> None:
    line = lay_out("pls gimme ur name")
    found = find_phrase(line, ("give me your",))
    assert found is not None
    assert line.original_between(*found.span()) == "gimme ur"
