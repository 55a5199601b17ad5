"""Formulas as models write them: found in a text, described in a line, drawn as SVG."""

import xml.etree.ElementTree as ET

import pytest
from markdown_it import MarkdownIt

from desktop.language.formulas import FormulaToken, add_formulas, draw_formula, plain_formula


def formulas_in(text: str) -> list[str]:
    tokens = add_formulas(MarkdownIt("commonmark")).parse(text)
    every = [one for token in tokens for one in (token, *(token.children or ()))]
    return [one.content for one in every if one.type in set(FormulaToken)]


@pytest.mark.parametrize(
    ("tex", "said"),
    [
        ("E = mc^2", "E = mc²"),
        (r"\frac{b}{2a} + x_{max}^n", "b/2a + xₘₐₓⁿ"),
        (r"\sqrt{b^2 - 4ac}", "√(b² − 4ac)"),
        (r"\text{HbA1c} \approx x_1", "HbA1c ≈ x₁"),
        (r"\ce{H2O}", r"\ce{H2O}"),
    ],
)
def test_a_formula_is_described_in_one_line(tex: str, said: str) -> None:
    assert plain_formula(tex) == said


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Enerji $E=mc^2$ olur.", ["E=mc^2"]),
        (r"Burada \(x_1\) ile \[y\] durur.", ["x_1", "y"]),
        ("önce:\n$$\na = b\n$$\nsonra", ["a = b"]),
        ("- madde\n  $$x^2$$\n- iki", ["x^2"]),
        ("$n$-boyutlu, $p<0.05$", ["n", "p<0.05"]),
        ("kod: `$y$`", []),
    ],
)
def test_formulas_are_found_in_a_line_and_by_themselves(text: str, found: list[str]) -> None:
    assert formulas_in(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "5 $ ile 10 $ arası, 5$ ya da 10$",
        "US$5 ile US$10, $5 or $10",
        "It costs $5 = cheap and $6 = dear",
        "$HOME ve $PATH",
        "$$ is money",
        "$$\na\n\nb\n$$",
    ],
)
def test_sums_of_money_and_other_dollars_are_no_formulas(text: str) -> None:
    assert formulas_in(text) == []


@pytest.mark.parametrize(
    "tex",
    [
        r"\frac{-b \pm \sqrt{b^2-4ac}}{2a}",
        r"\begin{pmatrix}a & b \\ c & d\end{pmatrix}",
        r"f(x)=\begin{cases}1 & x>0 \\ 0 & \text{değilse}\end{cases}",
        r"\begin{aligned}a &= b \\ &= c\end{aligned}",
        r"\int_0^\infty e^{-x^2}\,dx",
    ],
)
def test_a_formula_is_drawn_with_paths_only(tex: str) -> None:
    drawing = draw_formula(tex, is_alone=True)
    assert drawing is not None
    names = {one.tag.rpartition("}")[2] for one in ET.fromstring(drawing.svg).iter()}  # noqa: S314
    assert names <= {"svg", "path", "rect"}
    assert 0 <= drawing.depth < drawing.height


def test_a_fraction_reaches_below_the_base_line_and_a_letter_does_not() -> None:
    fraction, letter = (
        draw_formula(r"\frac{a}{b}", is_alone=False),
        draw_formula("a", is_alone=False),
    )
    assert fraction is not None
    assert letter is not None
    assert fraction.depth > 0.3
    assert letter.depth < 0.05


@pytest.mark.parametrize(
    "tex",
    [
        r"\unknown{x}",
        r"\frac{a",
        "",
        "{" * 30 + "x" + "}" * 30,
        r"\left(" * 20 + "x" + r"\right)" * 20,
        "x+" * 2_000,
        r"x+" * 400,
    ],
    ids=["unknown", "unfinished", "empty", "deep", "brackets", "long", "wide"],
)
def test_unknown_unfinished_or_oversized_formulas_are_not_drawn(tex: str) -> None:
    assert draw_formula(tex, is_alone=False) is None
