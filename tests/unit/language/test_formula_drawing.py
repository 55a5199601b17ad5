"""Formulas drawn as SVG, and what is refused instead of being drawn wrong or for ever."""

import xml.etree.ElementTree as ET

import pytest

from desktop.language.formula_drawing import draw_formula


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
def test_a_formula_is_drawn_with_paths_alone(tex: str) -> None:
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
def test_what_is_unknown_unfinished_or_out_of_proportion_is_not_drawn(tex: str) -> None:
    assert draw_formula(tex, is_alone=False) is None
