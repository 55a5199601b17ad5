"""Emphasis that ends before a suffix, as Turkish writes it."""

import pytest

from desktop.language.links import markdown_parser
from tests.costs import grows_with_length
from tests.examples import examples


def shown(markdown: str) -> str:
    return str(markdown_parser().renderInline(markdown)).replace("&quot;", '"')


@pytest.mark.parametrize(
    ("written", "html"),
    examples(__file__, "emphasis_ends_before_a_suffix"),
)  # fmt: skip
def test_emphasis_ends_before_a_suffix(written: str, html: str) -> None:
    assert shown(written) == html


@pytest.mark.parametrize(
    "written",
    [
        "2*3*4=24, a * b ve c * d, x**2 + y**2, a*b + c*d",
        "5*(3+2)*x, f*(x)*g, a**(b)**c",
        "snake_case_name, foo_(bar)_baz, _private ve my_name",
        "java.util.*ve java.io.*de, src/*a ve lib/*b, *.py ile *.txt'yi",
        '**kapanmayan "x"un ve devamı',
    ],
)
def test_marks_that_are_no_emphasis_stay(written: str) -> None:
    assert shown(written) == written


@pytest.mark.parametrize("piece", ['**"a', 'a**"b"**c ', '**"a"**un *_', "*(a)*b "])
def test_many_marks_take_no_longer_each_than_few(piece: str) -> None:
    assert grows_with_length(shown, piece)
