"""Passages are kept in the letters in which they would be searched for."""

import pytest

from desktop.language.normalization import word_texts
from desktop.research.documents.blocks import Block, chunk_blocks


@pytest.mark.parametrize(
    ("printed", "typed"),
    [
        ("The eﬃciency of ﬁre", "The efficiency of fire"),
        ("an effi\u00adcient, effi\u00ad\ncient way", "an efficient, efficient way"),
        ("blood\u200b sugar\ufeff", "blood sugar"),
        ("gu\u0308nde u\u0308ç kez", "günde üç kez"),
        ("10² m, CO₂, ½ and 的", "10² m, CO₂, ½ and 的"),
    ],
)
def test_what_only_a_printer_would_set_is_kept_as_it_is_typed(printed: str, typed: str) -> None:
    (passage,) = chunk_blocks([Block(printed, heading=printed)])
    assert (passage.text, " ".join(passage.heading.split())) == (typed, typed)
    assert word_texts(typed) == word_texts(passage.text)
