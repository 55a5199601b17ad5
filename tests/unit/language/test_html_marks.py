"""HTML in answers is shown as what it means, and never is HTML."""

import pytest

from desktop.language.links import markdown_parser
from tests.costs import grows_with_length
from tests.examples import examples


def shown(markdown: str) -> str:
    return str(markdown_parser().render(markdown)).strip().replace("<br />\n", "|")


@pytest.mark.parametrize(
    ("written", "html"),
    examples(__file__, "html_becomes_what_it_means"),
)  # fmt: skip
def test_html_becomes_what_it_means(written: str, html: str) -> None:
    assert shown(written) == f"<p>{html}</p>"


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=y>",
        "<b><svg onload=x></b>",
        "<a href=javascript&colon;x>y</a>",
    ],
)
def test_no_html_of_an_answer_stays_html(hostile: str) -> None:
    assert "<s" not in shown(hostile).replace("<strong>", "")
    assert "<img" not in shown(hostile)
    assert "<a" not in shown(hostile)


def test_a_sign_in_code_or_a_formula_does_not_divide_a_row() -> None:
    head = "| Kod | Anlam |\n|---|---|\n"
    rows = ("`x || y` | veya", "`a \\| b` | veya", "$a|b$ | böler")
    tables = [markdown_parser().parse(f"{head}| {row} |") for row in rows]
    cells = [[one.children or [] for one in table if one.children][2:] for table in tables]
    assert [len(row) for row in cells] == [2, 2, 2]
    assert [row[0][0].content for row in cells] == ["x || y", "a | b", "a|b"]


@pytest.mark.parametrize(
    "piece", ["<b>", "<!--", "<b>a</b>", "<u><q>", "==a", "[a] (", "|`a|b`|\n|-|-|\n|`a|b`|\n\n"]
)
def test_many_tags_take_no_longer_each_than_few(piece: str) -> None:
    assert grows_with_length(shown, piece)
