"""Which messages of one session a query finds, without an index."""

import pytest

from desktop.recall.within import hits_within, marked_words

TEXTS = (
    "İnsülin direnci için diyet",
    "Diyet listesi",
    "IŞIK hızı ve kitabı",
    "insulin direncinde yürüyüş",
)


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("insülin", [0, 3]),
        ("INSULIN direnc", [0, 3]),
        ("direnci insülin", [0, 3]),
        ("diyet", [0, 1]),
        ("kitap", [2]),
        ("isik", [2]),
        ("diyet -liste", [0]),
        ('"insülin direnci"', [0]),
        ("insülin gelgit", [0, 3]),
        ("gelgit", []),
        ("", []),
    ],
)
def test_all_words_are_wanted_and_any_where_nothing_has_all(typed: str, found: list[int]) -> None:
    assert hits_within(typed, TEXTS) == found


def test_what_a_query_excludes_is_not_marked() -> None:
    assert marked_words('kitap -liste "iki söz"') == ("kitap", "iki", "soz")
