from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.language.sentences import joined, sentences
from tests.costs import grows_with_length
from tests.examples import examples

_PIECES = [
    "Dr. ",
    "Bu 3.5 kg. ",
    "- madde\n",
    "| a | b |\n",
    "\n\n",
    "> alıntı. ",
    "```\nx.\n```\n",
]


@given(st.lists(st.sampled_from(_PIECES) | st.text(max_size=12)).map("".join))
def test_sentences_have_exact_positions_in_order(text: str) -> None:
    last = 0
    for sentence in sentences(text):
        assert text[sentence.start : sentence.end] == sentence.text
        assert sentence.text == sentence.text.strip()
        assert sentence.start >= last
        last = sentence.end


@pytest.mark.parametrize(
    ("text", "expected"),
    examples(__file__, "sentences_end_where_a_reader_would_end_them"),
)
def test_sentences_end_where_a_reader_would_end_them(text: str, expected: Sequence[str]) -> None:
    assert [sentence.text for sentence in sentences(text)] == expected


@pytest.mark.parametrize(
    ("text", "halves"),
    [
        (
            "Müsilaj ne zaman görüldü ve azot yükü nasıl değişti",
            ["Müsilaj ne zaman görüldü", "azot yükü nasıl değişti"],
        ),
        ("Bread and butter, what is it", []),
        ("what and why", ["what", "why"]),
    ],
)
def test_two_questions_are_joined_where_each_half_asks(text: str, halves: list[str]) -> None:
    assert joined(text, ("ve", "and")) == halves


@pytest.mark.parametrize("piece", [".", "Dr. ", "a. "])
def test_a_text_of_only_dots_takes_linear_time(piece: str) -> None:
    assert grows_with_length(lambda text: sentences(text + "x"), piece)


def test_a_text_of_many_joins_takes_linear_time() -> None:
    assert grows_with_length(lambda text: joined(text, ("ve",)), "kuş ve ")
