"""What words have in common with their other forms."""

import pytest

from desktop.language.terms import keys, without_endings
from tests.costs import grows_with_length


def test_endings_are_taken_off_one_after_another() -> None:
    assert "kitap" in without_endings("kitaplarimizdan")
    assert keys("kitaplarimizdan") & keys("kitap")


@pytest.mark.parametrize("letters", ["a", "lari", "s"])
def test_a_paste_without_a_blank_is_no_word_with_endings(letters: str) -> None:
    assert grows_with_length(without_endings, letters)
    assert grows_with_length(keys, letters)
