"""Which messages want what they say kept out of the memory, and what they name."""

import pytest

from desktop.language.hearing.keeping_out import keeps_out
from desktop.language.hearing.phrases import PhraseLists
from tests.costs import PASTES, grows_with_length


@pytest.mark.parametrize(
    ("text", "words", "is_alone"),
    [
        ("Bunu sakın kaydetme.", "", True),
        ("Bunu kaydetme lütfen, teşekkürler.", "", True),
        ("Astımım var, bunu kaydetme.", "", False),
        ("Maaşımı kaydetme.", "Maaşımı", False),
        ("Kızımın okulunu hafızanda tutma.", "Kızımın okulunu", False),
        ("Don't remember this.", "", True),
        ("Never save my address, I live in Bolu.", "my address", False),
    ],
)
def test_what_is_kept_out_is_named_or_stands_around(
    text: str, words: str, *, is_alone: bool, lists: PhraseLists
) -> None:
    found = keeps_out(text, lists)
    assert found is not None
    assert found.words == words
    assert found.is_alone is is_alone


@pytest.mark.parametrize("piece", [*PASTES, "bunu kaydetme ", "kaydetme, ", "don't save this "])
def test_a_long_paste_costs_what_its_length_does(piece: str, lists: PhraseLists) -> None:
    assert grows_with_length(lambda text: keeps_out.__wrapped__(text, lists), piece)
