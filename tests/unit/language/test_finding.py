"""Many phrases are looked for at once, and found as if each were looked for alone."""

import re

from hypothesis import given
from hypothesis import strategies as st

from desktop.language.phrase_matcher import any_of, anywhere, is_only, without, without_last

PHRASES = ("ne yap*", "saat kaç", "saat", "bu kadar", "*malıyım", "thanks for …", "ok", "o")
SAID = ("saat", "kac", "ne", "yapmaliyim", "bu", "kadar", "thanks", "for", "that", "|", "ok", "o")


@given(st.lists(st.sampled_from(SAID), max_size=9))
def test_it_begins_where_one_pattern_of_all_phrases_would(said: list[str]) -> None:
    text = "".join(f"{word} " for word in said)
    whole = re.search(rf"(?<![^ ]){any_of(PHRASES)}", text)
    found = anywhere(PHRASES).search(text)
    assert (found and found.start()) == (whole and whole.start())


def test_the_longest_phrase_is_found_where_several_begin() -> None:
    found = anywhere(PHRASES).search("simdi saat kac ")
    assert found is not None
    assert found[0] == "saat kac "


def test_what_stands_before_is_taken_along() -> None:
    assert without("maker of this app ", ("this app",), led_by=("of",)) == "maker "
    assert without("this app and that ", ("that",), led_by=("of",)) == "this app and "


def test_what_ends_a_line_is_taken_off_as_often_as_it_stands_there() -> None:
    assert without_last("what do you go by for ", ("by", "for")) == "what do you go "


def test_a_line_is_only_of_phrases_where_nothing_else_stands_in_it() -> None:
    assert is_only("ok | saat kac | ", PHRASES)
    assert is_only("", PHRASES)
    assert not is_only("ok saat kacta ", PHRASES)
