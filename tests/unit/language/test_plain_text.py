import pytest

from desktop.language.sentences import plain_text
from tests.costs import grows_with_length
from tests.examples import examples


@pytest.mark.parametrize(
    ("markdown", "plain"),
    examples(__file__, "a_text_is_read_without_its_markdown"),
)
def test_a_text_is_read_without_its_markdown(markdown: str, plain: str) -> None:
    assert plain_text(markdown) == plain


@pytest.mark.parametrize(
    ("markdown", "plain"),
    [
        ("[a [b](c) d", "a [b d"),
        ("[a] ![b](c) [d](e", "[a] b [d](e"),
        ("![a [1: x [2]", "![a"),
        ("**a _b_ ~~c d", "**a b ~~c d"),
        ("* a* ***b*** __c_ _d", "a* b _c _d"),
        ("**a\nb** ~c~", "**a b** ~c~"),
    ],
)
def test_marks_that_nothing_ends_stay(markdown: str, plain: str) -> None:
    assert plain_text(markdown) == plain


@pytest.mark.parametrize(
    "piece",
    ["[", "![", "[a](b", "![a](b", "[1: ", "*a ", "~~a ", "$", "$$a", "$a ", "\\(", "\\[a"],
)
def test_a_text_of_only_marks_takes_linear_time(piece: str) -> None:
    assert grows_with_length(plain_text, piece)
