"""Words and their other forms."""

import pytest

from desktop.language.keywords_and_stems import content_words, keys, strip_suffixes
from desktop.language.normalization import fold
from tests.costs import grows_with_length
from tests.studies import phrases


def test_suffixes_are_removed_one_after_another() -> None:
    assert "kitap" in strip_suffixes("kitaplarimizdan")
    assert keys("kitaplarimizdan") & keys("kitap")


@pytest.mark.parametrize("letters", ["a", "lari", "s"])
def test_a_paste_without_a_space_is_not_stemmed(letters: str) -> None:
    assert grows_with_length(strip_suffixes, letters)
    assert grows_with_length(keys, letters)


@pytest.mark.parametrize("said", ["annemin ilacı", "Kızımın adını", "my mother's medicine"])
def test_the_owner_is_one_of_the_content_words(said: str) -> None:
    whose, _, _ = said.replace("my ", "").partition(" ")
    told = [one.text for one in content_words(said, phrases().stop_words)]
    assert fold(whose.removesuffix("'s")) in told
