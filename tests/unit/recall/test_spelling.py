"""Correction of words that the archive lacks, by its own spelling."""

from collections.abc import Sequence

import pytest

from desktop.domain.search import HitKind, SearchOrder
from desktop.recall.query_correction import nearest_known_word
from tests.archives import finished
from tests.unit.recall.conftest import Shelf

MESSAGES = frozenset({HitKind.MESSAGE})
WRITTEN = {"hiperglisemi": 3, "hiperglisemiyi": 1, "kitap": 9, "kitaplarimiz": 2, "kalem": 4}


def beginning(beginnings: Sequence[str]) -> list[tuple[str, int]]:
    return [one for one in WRITTEN.items() if one[0].startswith(tuple(beginnings))]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("hiperlisemi", "hiperglisemi"),
        ("hipergglisemi", "hiperglisemi"),
        ("hipreglisemi", "hiperglisemi"),
        ("hiperglisami", "hiperglisemi"),
        ("hiperglsemiden", "hiperglisemi"),
        ("kitpalarimiz", "kitaplarimiz"),
        ("kaelm", "kalem"),
        ("hipergil", "hipergli"),
        ("kitpa", "kitap"),
    ],
)
def test_a_missing_doubled_swapped_or_wrong_letter_is_corrected(typed: str, meant: str) -> None:
    assert nearest_known_word(typed, beginning, bool) == meant


@pytest.mark.parametrize(
    "typed", ["salem", "kal", "klm", "kamelya", "3kalem", "kitapsizlik" * 9, "hiperb", "hipeg"]
)
def test_a_different_first_letter_a_short_word_or_a_chance_prefix_is_not_corrected(
    typed: str,
) -> None:
    assert nearest_known_word(typed, beginning, bool) is None


@pytest.mark.parametrize("order", SearchOrder)
@pytest.mark.parametrize("typed", ["insulni", "INSÜLNİ", "inslin direnci", "insulin dirnci"])
def test_a_misspelt_word_finds_and_marks_what_was_meant(
    shelf: Shelf, typed: str, order: SearchOrder
) -> None:
    shelf.add(finished("s", "İnsülin direnci nedir?"), finished("t", "Bambaşka bir söz"))
    (hit,) = shelf.find(typed, kinds=MESSAGES, order=order)
    assert hit.session_id == "s"
    assert hit.marks


def test_a_word_found_in_the_archive_is_not_corrected(shelf: Shelf) -> None:
    shelf.add(
        finished("s", "salon", title="Kalım"),  # one letter from a word of a message
        finished("t", "kalem tutmak"),
        finished("u", "kalam dersleri"),
    )
    assert {hit.session_id for hit in shelf.find("kalam")} == {"u"}
    assert {hit.session_id for hit in shelf.find("kalım")} == {"s"}
