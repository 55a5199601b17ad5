r"""TeX formulas as SVG and as plain text: TeX to MathML by latex2mathml, to paths by ziamath.

Qt paints SVG 1.1 only, so ziamath draws without `<use>` and `<symbol>` of SVG 2. A formula with an
unknown command is not drawn at all: latex2mathml would show the command's name as a sign.
"""

import xml.etree.ElementTree as ET
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock

_LONGEST = 2_000
"""Characters; nobody writes a longer formula, and a hostile one would take long."""
_DEEPEST, _MOST = 13, 300
"""Elements within each other, and in all: what ziamath takes doubles with each level."""
_UNITS = 100
"""Units of the drawing to one em of the text."""
_KEPT = 512
_BESIDE = 6
"""Units around the drawing: half a stroke's width lies outside its box."""
_drawing = Lock()  # ziamath's settings and fonts are shared


@dataclass(frozen=True, slots=True)
class FormulaDrawing:
    """An SVG of black paths; sizes in em of the text around it."""

    svg: str
    width: float
    height: float
    depth: float  # How far it reaches below the base line


@lru_cache(_KEPT)
def draw_formula(tex: str, *, is_alone: bool) -> FormulaDrawing | None:
    """Draw a formula for a line of its own, or for a line of text; None if it cannot be drawn.

    Takes 5 to 200 ms, the first one half a second more; keep it off the interface thread.
    """
    if (mathml := to_mathml(tex, is_alone=is_alone)) is None:
        return None
    # Half a second, which no start should wait for.
    from ziamath.config import config  # noqa: PLC0415
    from ziamath.zmath import Math  # noqa: PLC0415

    with _drawing:
        config.svg2 = False
        try:
            made = Math(mathml, size=_UNITS, margin=_BESIDE)
            (width, height), below = made.getsize(), -made.getyofst()
            svg = made.svg()
        except Exception:  # noqa: BLE001 - it raises whatever a formula makes it run into
            return None
    if width <= 0 or height <= 0:
        return None
    return FormulaDrawing(svg, width / _UNITS, height / _UNITS, max(below, 0) / _UNITS)


@lru_cache(_KEPT)
def to_mathml(tex: str, *, is_alone: bool) -> str | None:
    """Return a formula as MathML; None if it has an unknown command or is out of proportion."""
    if not tex.strip() or len(tex) > _LONGEST:
        return None
    from latex2mathml.converter import convert  # noqa: PLC0415 - only answers with formulas need it

    try:
        mathml = convert(
            tex.replace("{aligned}", "{align}"), display="block" if is_alone else "inline"
        )
        tree = ET.fromstring(mathml)  # noqa: S314 - its own output, without entities
    except Exception:  # noqa: BLE001 - the same
        return None
    is_known = not any("\\" in (one.text or "") for one in tree.iter())
    is_small = sum(1 for _ in tree.iter()) <= _MOST and _depth(tree) <= _DEEPEST
    return mathml if is_known and is_small else None


def _depth(element: ET.Element) -> int:
    return 1 + max(map(_depth, element), default=0)


_RAISED = str.maketrans("0123456789+-−()nix", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁽⁾ⁿⁱˣ")
_LOWERED = str.maketrans("0123456789+-−()aehijklmnopstx", "₀₁₂₃₄₅₆₇₈₉₊₋₋₍₎ₐₑₕᵢⱼₖₗₘₙₒₚₛₜₓ")


@lru_cache(_KEPT)
def plain_formula(tex: str) -> str:
    """Return a formula in one line of text; its TeX if it cannot be converted."""
    mathml = to_mathml(tex, is_alone=False)
    return tex if mathml is None else " ".join(_plain(ET.fromstring(mathml)).split())  # noqa: S314


def _plain(element: ET.Element) -> str:
    name, parts = element.tag.rpartition("}")[2], [_plain(one) for one in element]
    match name, parts:
        case "mfrac", [above, below]:
            return f"{_bracketed(above)}/{_bracketed(below)}"
        case "msqrt", _:
            return f"√{_bracketed(''.join(parts))}"
        case "msup" | "mover" | "msub" | "munder" | "msubsup" | "munderover", [base, *scripts]:
            above = "" if name in {"msub", "munder"} else scripts.pop()
            below = scripts.pop() if scripts else ""
            return base + _small(below, _LOWERED, "_") + _small(above, _RAISED, "^")
        case "mo", []:
            sign = element.text or ""
            return f" {sign} " if sign in "=<>+−±×≈≤≥→" else sign
        case _:
            return (element.text or "") + "".join(parts)


def _bracketed(text: str) -> str:
    return text if text.isalnum() else f"({text.strip()})"


def _small(text: str, letters: dict[int, int], mark: str) -> str:
    text = text.replace(" ", "")
    if all(ord(one) in letters for one in text):
        return text.translate(letters)
    return mark + _bracketed(text)
