"""Finds messages of one session without an index."""

import pytest

from desktop.domain.search import HitKind
from desktop.recall.fts_query import find_in_session, marked_words, words_to_find
from tests.archives import finished
from tests.examples import examples
from tests.unit.recall.conftest import Shelf

TEXTS = (
    "İnsülin direnci için diyet",
    "Diyet listesi",
    "IŞIK hızı ve kitabı",
    "insulin direncinde yürüyüş",
    "庭園の桜並木 👍",
)


@pytest.mark.parametrize(
    ("typed", "found"),
    examples(__file__, "all_words_are_wanted_and_any_if_nothing_has_all"),
)
def test_all_words_are_wanted_and_any_if_nothing_has_all(typed: str, found: list[int]) -> None:
    assert find_in_session(typed, TEXTS) == found


def test_excluded_words_are_not_marked() -> None:
    assert marked_words('kitap -liste "iki söz"') == ("kitap", "iki", "soz")


@pytest.mark.parametrize(
    ("typed", "looked_for"),
    [("insulin", "insulin"), ("inslin", "İnsülin"), ("insülin dirnci", "İnsülin direnci")],
)
def test_a_hit_of_a_misspelt_word_is_opened_with_what_it_found(
    shelf: Shelf, typed: str, looked_for: str
) -> None:
    shelf.add(finished("s", *TEXTS[:2]))
    hits = shelf.find(typed, kinds=frozenset({HitKind.MESSAGE}))
    assert words_to_find(typed, hits[0]) == looked_for
