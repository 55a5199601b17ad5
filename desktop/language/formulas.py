r"""Formulas of markdown, as SVG and as plain text: MathML by latex2mathml, paths by ziamath.

In a line they are `$x$` and `\(x\)`; `$$x$$` and `\[x\]` also alone. Sums of money
are not formulas: "5 $ ile 10 $", "US$5", "$5 or $10". Qt paints SVG 1.1 only, so ziamath draws
without `<use>` and `<symbol>` of SVG 2. A formula with an unknown command is not drawn at all:
latex2mathml would show the command's name as a sign.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from threading import Lock
from typing import TYPE_CHECKING

from desktop.domain.frozen import dataclass

_LONGEST = 2_000  # Characters; nobody writes a longer formula, and a hostile one would take long
_DEEPEST, _MOST = 13, 300
"""Elements within each other, and in all: each level doubles ziamath's time."""
_UNITS = 100  # Units of the drawing to one em of the text
_KEPT = 512
_BESIDE = 6  # Units around the drawing: half a stroke's width lies outside its box
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
    # Takes half a second, which a start should not wait for.
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
        from xml.etree import ElementTree as ET  # noqa: PLC0415 - the same

        display = "block" if is_alone else "inline"
        mathml = convert(tex.replace("{aligned}", "{align}"), display=display)
        tree = ET.fromstring(mathml)  # noqa: S314 - its own output, without entities
    except Exception:  # noqa: BLE001 - the same
        return None
    is_known = not any("\\" in (element.text or "") for element in tree.iter())
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
    if mathml is None:
        return tex
    from xml.etree import ElementTree as ET  # noqa: PLC0415 - the same

    return plain_mathml(ET.fromstring(mathml))  # noqa: S314


def plain_mathml(element: ET.Element, *, is_typed: bool = False) -> str:
    """Return a formula in one line of text; `is_typed`: with x^2 as it is typed, not x²."""
    return " ".join(_plain(element, is_typed=is_typed).split())


def _plain(element: ET.Element, *, is_typed: bool) -> str:
    name = element.tag.rpartition("}")[2].rpartition(":")[2]
    parts = [_plain(child, is_typed=is_typed) for child in element]
    lowered, raised = ({}, {}) if is_typed else (_LOWERED, _RAISED)
    match name, parts:
        case "mfrac", [above, below]:
            return f"{_bracketed(above)}/{_bracketed(below)}"
        case "msqrt", _:
            return f"√{_bracketed(''.join(parts))}"
        case "msup" | "mover" | "msub" | "munder" | "msubsup" | "munderover", [base, *scripts]:
            above = "" if name in {"msub", "munder"} else scripts.pop()
            below = scripts.pop() if scripts else ""
            return base + _small(below, lowered, "_") + _small(above, raised, "^")
        case "mo", []:
            sign = element.text or ""
            return f" {sign} " if sign in "=<>+−±×≈≤≥→" else sign
        case _:
            end = " " if name in {"mtd", "mtr"} else ""
            is_note = name.startswith("annotation")
            return "" if is_note else (element.text or "") + "".join(parts) + end


def _bracketed(text: str) -> str:
    return text if text.isalnum() else f"({text.strip()})"


def plain_script(text: str, *, is_raised: bool) -> str:
    """Return raised or lowered text in one line: x², x^ab."""
    return _small(text, _RAISED, "^") if is_raised else _small(text, _LOWERED, "_")


def _small(text: str, letters: dict[int, int], mark: str) -> str:
    text = text.replace(" ", "")
    if all(ord(letter) in letters for letter in text):
        return text.translate(letters)
    return mark + _bracketed(text)


if TYPE_CHECKING:
    from xml.etree import ElementTree as ET

    from markdown_it import MarkdownIt
    from markdown_it.ruler import RuleOptionsType
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline


class FormulaToken(StrEnum):
    """Kinds of markdown-it's tokens: `content` is the TeX, `markup` the original text."""

    IN_LINE = "formula_inline"
    ALONE = "formula_block"


_FORMULA = re.compile(
    r"\$\$(?P<double>(?:\\.|[^\\$])+)\$\$"
    r"|\$(?P<single>(?![\s$])(?:\\.|[^\\$\n])*(?<!\s))\$(?!\d)"
    r"|\\\((?P<round>(?:\\[^()]|[^\\])+?)\\\)"
    r"|\\\[(?P<square>(?:\\[^\[\]]|[^\\])+?)\\\]",
    re.DOTALL,
)
_MOST_LINES = 60
_SIGNS = frozenset("^_{}=<>+|")
_SHORT, _SHORTEST_WORD = 4, 3


def add_formulas(parser: MarkdownIt) -> MarkdownIt:
    parser.inline.ruler.before("escape", FormulaToken.IN_LINE, _in_line)
    interrupts: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    parser.block.ruler.before("fence", FormulaToken.ALONE, _alone, interrupts)
    return parser


def replace_formulas(text: str, shown: Callable[[str], str]) -> str:
    """Return the text, each formula replaced by what `shown` returns for its TeX."""
    return _FORMULA.sub(lambda match: shown(_tex(match)) if _is_one(match) else match[0], text)


def _tex(match: re.Match[str]) -> str:
    return match[match.lastgroup or ""].strip()


def _is_one(match: re.Match[str]) -> bool:
    """Whether it is a formula; a single dollar may also be a currency sign."""
    if (tex := match["single"]) is None:
        return True
    if match.string[match.start() - 1 : match.start()].isalnum():
        return False
    words = tex.split()
    if "\\" in tex or tex.isdecimal() or (len(words) == 1 and len(tex) <= _SHORT):
        return True
    is_prose = any(
        min(len(word), len(following)) >= _SHORTEST_WORD and (word + following).isalpha()
        for word, following in pairwise(words)
    )
    is_balanced = tex.count("{") == tex.count("}") and not set("%#&") & set(tex)
    return not _SIGNS.isdisjoint(tex) and not is_prose and is_balanced


def _in_line(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - as markdown-it calls it
    if state.src[state.pos] not in "$\\":
        return False
    match = _FORMULA.match(state.src, state.pos, state.posMax)
    if match is None or not _is_one(match):
        return False
    if not silent:
        token = state.push(FormulaToken.IN_LINE, "", 0)
        token.content, token.markup = _tex(match), match[0]
    state.pos = match.end()
    return True


def _alone(state: StateBlock, first: int, end: int, silent: bool) -> bool:  # noqa: FBT001 - the same
    start = state.bMarks[first] + state.tShift[first]
    if state.src[start : start + 2] not in {"$$", "\\["} or state.is_code_block(first):
        return False
    lines = state.getLines(first, min(end, first + _MOST_LINES), state.blkIndent, False)
    match = _FORMULA.match(lines.lstrip())
    # TeX does not allow an empty line in a formula either.
    if match is None or not all(line.strip(" \t") for line in match[0].split("\n")[1:-1]):
        return False
    if match.string[match.end() :].partition("\n")[0].strip():
        return False
    if not silent:
        token = state.push(FormulaToken.ALONE, "", 0)
        token.content, token.markup = _tex(match), match[0]
        token.map = [first, first + match[0].count("\n") + 1]
        token.block = True
        state.line = token.map[1]
    return True
