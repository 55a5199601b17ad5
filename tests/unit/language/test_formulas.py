"""Formulas as models write them, in a line of letters, signs and raised or lowered pieces."""

from itertools import groupby

import pytest
from markdown_it import MarkdownIt

from desktop.language.formulas import read_formula
from desktop.language.formulas_in_markdown import FormulaToken, add_formulas


def shown(tex: str) -> str | None:
    """Raised pieces after a caret, lowered ones after a stroke, in curly brackets."""
    if (pieces := read_formula(tex)) is None:
        return None
    marks = {0: "", 1: "^", -1: "_"}
    told = ""
    for level, run in groupby(pieces, key=lambda piece: piece.level):
        words = "".join(piece.text for piece in run)
        told += f"{marks[level]}{{{words}}}" if level else words
    return told


def formulas_in(text: str) -> list[str]:
    tokens = add_formulas(MarkdownIt("commonmark")).parse(text)
    every = [one for token in tokens for one in (token, *(token.children or ()))]
    return [one.content for one in every if one.type in set(FormulaToken)]


@pytest.mark.parametrize(
    ("tex", "said"),
    [
        ("E = mc^2", "E = mc^{2}"),
        (r"\frac{-b \pm \sqrt{b^2 - 4ac}}{2a}", "(−b ± √(b^{2} − 4ac))/(2a)"),
        (
            r"\int_0^\infty e^{-x^2}\,dx = \frac{\sqrt{\pi}}{2}",
            "∫_{0}^{∞} e^{−x²}\u202fdx = √π/2",
        ),
        (
            r"\text{HbA1c} \approx \frac{\text{eAG} + 46{,}7}{28{,}7}",
            "HbA1c ≈ (eAG + 46,7)/(28,7)",
        ),
        (r"\frac{1}{2}mv^2", "1/2 mv^{2}"),
        (r"f(x, y) = f(1,5)", "f(x, y) = f(1,5)"),
        (r"-1 < x \le -2", "−1 < x ≤ −2"),
        (r"2\sum_{i=1}^n \sin^2 x - |x| + 1", "2 ∑_{i=1}^{n} sin^{2} x − |x| + 1"),
        (r"2H^+ + O^{2-}", "2H^{+} + O^{2−}"),
        (r"\mathbb{R}^n", "ℝ^{n}"),
        (r"a_{i_j}", "a_{iⱼ}"),
        (r"\begin{aligned} a &= b \\ &= c \end{aligned}", "a = b\u2028= c"),
        (r"\left( \frac{dy}{dx} \right)^n", "(dy/dx)^{n}"),
    ],
)
def test_a_formula_is_told_in_a_line(tex: str, said: str) -> None:
    assert shown(tex) == said


@pytest.mark.parametrize(
    "tex",
    [
        r"\ce{H2O}",
        r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}",
        "}",
        r"\frac{1}",
        "a & b",
        "{" * 500,
        r"\sqrt" * 700 + "x",
        "x" * 9_000,
    ],
)
def test_what_cannot_be_read_is_not_shown_in_part(tex: str) -> None:
    assert read_formula(tex) is None


def test_variables_slant_and_names_and_numbers_stand() -> None:
    pieces = read_formula(r"2x + \sin \theta + \text{sabit}")

    assert pieces is not None
    slanted = "".join(piece.text for piece in pieces if piece.is_italic)
    assert slanted == "xθ"


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
