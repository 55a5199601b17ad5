"""A tool that evaluates an expression and converts it to another unit, with pint's factors.

`resources/units/units.txt` lists Turkish and English names, because pint reads many ordinary words
as units: for each unit pint's name, then the name that is shown, then the others. Blood sugar and
HbA1c are converted here: their factors depend on what is measured.

An expression is written as people do: numbers, + - * / ^ %, parentheses, some functions. A
normaliser turns it into Python's notation and simpleeval evaluates that, in decimals, so that
0.1 + 0.2 is 0.3. A decimal comma is read like a point; a semicolon separates arguments, or a
comma in a function with several. `x %` is a hundredth, and after + or - a share of the number
before it, as on a pocket calculator; followed by a number, it is the remainder of a division.
"""

import ast
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal, DivisionByZero, InvalidOperation, Overflow, localcontext
from functools import cache
from typing import TYPE_CHECKING

from desktop.domain.language import Language
from desktop.language.normalization import folded_key
from desktop.research.tools.tool import Parameter, Tool, ToolContext, ToolOutput
from desktop.settings.messages import Texts
from desktop.settings.paths import asset
from desktop.settings.toml_fields import Fields

if TYPE_CHECKING:
    from pint import UnitRegistry


_LONGEST = 500
_DEEPEST = 40
_PRECISION = 40
_LARGEST_POWER = 400
_DUST = 1e-15  # The error of a float in the sine of pi
_CONTEXT = Context(
    prec=_PRECISION, Emax=999, Emin=-999, traps=[InvalidOperation, DivisionByZero, Overflow]
)
_TOKEN = re.compile(
    r"(\d+(?:[.,]\d+)*(?:e[+-]?\d+)?|[.,]\d+)|(\*\*|[^\W\d_]\w*|\S)", re.IGNORECASE
)
_SIGNS = str.maketrans("×·÷−–:\u00a0\u202f", "**/--/  ")
_OPERATORS = {"^": "**", ";": ",", "mod": "%", **{sign: sign for sign in "+-*/()"}}
_GROUP = 3
_PERCENT = "percent"  # `20 ** percent` replaces 20 %: no operator has a higher precedence

Function = Callable[..., Decimal]


class NotArithmetic(Exception):  # noqa: N818 - about the input, not a failure
    """`why`: unreadable, impossible or too_large; `where`: the words that it is about."""

    def __init__(self, why: str, where: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.where = where


class _Share(Decimal):
    """A percentage: added to a number, it is a share of that number."""


def evaluate(expression: str) -> Decimal:
    """Return the value. Raises NotArithmetic."""
    from simpleeval import DEFAULT_OPERATORS, InvalidExpression, SimpleEval  # noqa: PLC0415 - only calculations need it

    if len(expression) > _LONGEST or expression.count("(") > _DEEPEST:
        raise NotArithmetic("too_large")
    parts = _tokenize(expression)
    names: dict[str, object] = {**_CONSTANTS, _PERCENT: _PERCENT}
    evaluator = SimpleEval({**DEFAULT_OPERATORS, **_OPERATIONS}, dict(_FUNCTIONS), names)
    with localcontext(_CONTEXT):
        try:
            value = +Decimal(evaluator.eval(" ".join(_in_python(parts, names))))
        except (SyntaxError, InvalidExpression, TypeError) as exc:
            raise NotArithmetic("unreadable", parts[-1] if parts else "") from exc
        except (DivisionByZero, InvalidOperation, ValueError, ZeroDivisionError) as exc:
            raise NotArithmetic("impossible") from exc
        except (Overflow, OverflowError, RecursionError, MemoryError) as exc:
            raise NotArithmetic("too_large") from exc
    if not value.is_finite():  # the logarithm of 0
        raise NotArithmetic("impossible")
    return value


def format_expression(expression: str) -> str:
    """Return the expression with its numbers as they were read. Raises NotArithmetic."""
    parts, spaced = _tokenize(expression), ("+", "-", "*", "/", ";")
    read = (f"{parse_number(part):f}" if _is_number(part) else part for part in parts)
    return "".join(f" {part} " if part in spaced else part for part in read)


def parse_number(text: str) -> Decimal:
    """Read 1.250,5 and 1,250.5 alike: the last of two marks begins the decimals.

    Several of one mark separate thousands; a single one begins decimals. Raises NotArithmetic.
    """
    mantissa, _, exponent = text.lower().partition("e")
    *whole, last = mantissa.replace(",", ".").split(".")
    marks = [mark for mark in mantissa if mark in ".,"]
    decimals = ""
    if len(marks) == 1 or len(set(marks)) > 1:
        decimals = last
        marks.pop()
    else:
        whole.append(last)
    if len(set(marks)) > 1 or (marks and any(len(group) != _GROUP for group in whole[1:])):
        raise NotArithmetic("unreadable", text)
    return Decimal(f"{''.join(whole)}.{decimals}e{exponent or 0}")


def _tokenize(expression: str) -> list[str]:
    matches = _TOKEN.findall(expression.translate(_SIGNS))
    parts = [number or word.lower().replace("**", "^") for number, word in matches]
    return [";" if symbol == "," else symbol for symbol in _split_arguments(parts)]


def _split_arguments(parts: Sequence[str]) -> Iterator[str]:
    opened: list[str] = []
    for place, part in enumerate(parts):
        if part == "(":
            opened.append(parts[place - 1] if place else "")
        elif part == ")" and opened:
            opened.pop()
        if opened and opened[-1] in _OF_SEVERAL and "," in part and not {";", ","} & set(parts):
            yield from part.replace(",", " , ").split()
        else:
            yield part


def _in_python(parts: Sequence[str], names: dict[str, object]) -> Iterator[str]:
    """Yield Python's notation; each number becomes a name, so that it stays a decimal."""
    pending = ""
    for place, part in enumerate(parts):
        before, following = parts[place - 1] if place else "", (*parts, "")[place + 1]
        if _is_number(part):
            name = f"number_{place}"
            names[name] = parse_number(part)
            yield f"{name}{pending}"
            pending = ""
        elif part == "%" and not (_is_number(before) or before in (")", "%", *_CONSTANTS)):
            pending = f" ** {_PERCENT}"
        elif part == "%":
            is_modulo = following == "(" or (following[:1].isalnum() and following != "mod")
            yield "%" if is_modulo else f"** {_PERCENT}"
        elif part in _OPERATORS:
            yield _OPERATORS[part]
        elif part in _CONSTANTS or (part in _FUNCTIONS and following == "("):
            yield part
        else:
            raise NotArithmetic("unreadable", part)


def _is_number(part: str) -> bool:
    return part[:1].isdigit() or (len(part) > 1 and part[0] in ".,")


def _add(left: Decimal, right: Decimal) -> Decimal:
    return left + left * right if isinstance(right, _Share) else left + right


def _subtract(left: Decimal, right: Decimal) -> Decimal:
    return left - left * right if isinstance(right, _Share) else left - right


def _power(base: Decimal, exponent: Decimal | str) -> Decimal:
    if isinstance(exponent, str):
        return _Share(base / 100)
    if abs(exponent) > _LARGEST_POWER:
        raise OverflowError
    return base**exponent


def _modulo(left: Decimal, right: Decimal) -> Decimal:
    return left - right * (left / right).to_integral_value(rounding="ROUND_FLOOR")


_OPERATIONS: Mapping[type[ast.AST], Function]
_OPERATIONS = {ast.Add: _add, ast.Sub: _subtract, ast.Mod: _modulo, ast.Pow: _power}


def _in_floats(function: Callable[[float], float]) -> Function:
    def evaluated(value: Decimal) -> Decimal:
        result = function(float(value))
        return Decimal(0 if abs(result) < _DUST else f"{result:.14g}")

    return evaluated


def _round(value: Decimal, places: Decimal = Decimal(0)) -> Decimal:
    if places != places.to_integral_value() or not -_PRECISION < places < _PRECISION:
        raise NotArithmetic("impossible")
    return value.quantize(Decimal(1).scaleb(-int(places)), rounding="ROUND_HALF_UP")


def _root(value: Decimal, degree: Decimal) -> Decimal:
    is_odd = degree % 2 == 1
    return _power(abs(value), 1 / degree).copy_sign(value) if is_odd else _power(value, 1 / degree)


_TRIGONOMETRIC = (math.sin, math.cos, math.tan, math.asin, math.acos, math.atan)
_NAMED: Mapping[str, Function] = {
    "sqrt karekök": Decimal.sqrt,
    "abs mutlak": abs,
    "exp": Decimal.exp,
    "ln": Decimal.ln,
    "floor taban": lambda value: value.to_integral_value(rounding="ROUND_FLOOR"),
    "ceil tavan": lambda value: value.to_integral_value(rounding="ROUND_CEILING"),
    **{function.__name__: _in_floats(function) for function in _TRIGONOMETRIC},
}
_NAMED_OF_SEVERAL: Mapping[str, Function] = {
    "root kök": _root,
    "log log10": lambda value, base=Decimal(10): value.log10() / base.log10(),
    "round yuvarla": _round,
    "min": min,
    "max": max,
    "sum topla toplam": lambda *values: sum(values, Decimal(0)),
    "mean avg ortalama": lambda *values: sum(values, Decimal(0)) / len(values),
}
_NAMES = {**_NAMED, **_NAMED_OF_SEVERAL}
_FUNCTIONS = {name: run for names, run in _NAMES.items() for name in names.split()}
_OF_SEVERAL = frozenset(" ".join(_NAMED_OF_SEVERAL).split())
_PI = Decimal("3.141592653589793238462643383279502884197")
_E = Decimal("2.718281828459045235360287471352662497757")
_CONSTANTS: Mapping[str, Decimal] = {"pi": _PI, "π": _PI, "e": _E}


_MEASURED = frozenset({"glucose", "hba1c"})
"""Measured in blood: more digits than these would only seem exact."""
_FIGURES_OF_MEASURED = 3
_EXACT = Context(prec=20)  # More digits than a factor has; the rest are rounding errors
_IN_BLOOD = {
    "mmol/L": (Decimal(1), Decimal(0)),
    "mg/dL": (Decimal("18.0156"), Decimal(0)),
    "mmol/mol": (Decimal(1), Decimal(0)),
    "%": (Decimal("0.09148"), Decimal("2.152")),
}
"""Factor and offset: the molar mass of glucose; NGSP = 0.09148 IFCC + 2.152."""
_FIGURES = 12
_MOST_DIGITS = 28  # As many as Python's decimals keep in text
_WITH_UNIT = re.compile(r"(.*[\d)]) *([^\W\d_µ°][^()]*|[µ°%].*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Unit:
    name: str  # As written
    definition: str  # Pint's name, or what is measured in blood


def unit_of(name: str) -> Unit | None:
    return _units().get(_key(name))


def convert(value: Decimal, unit: Unit, to: Unit) -> Decimal | None:
    """Return the converted value; None if the units are incompatible."""
    if unit.definition in _MEASURED and unit.definition == to.definition:
        shown = (_units()[_key(side.name)].name for side in (unit, to))
        (factor, offset), (to_factor, to_offset) = map(_IN_BLOOD.__getitem__, shown)
        return (value - offset) / factor * to_factor + to_offset
    if _MEASURED & {unit.definition, to.definition}:
        return None
    from pint import DimensionalityError  # noqa: PLC0415 - takes a third of a second

    registry = _registry()
    try:
        if "degree" in f"{unit.definition}{to.definition}":
            amount = registry.Quantity(value, unit.definition).to(to.definition).magnitude
        else:
            size = registry.parse_expression(unit.definition)
            amount = value * (size / registry.parse_expression(to.definition)).to("").magnitude
    except DimensionalityError:
        return None
    return _EXACT.plus(amount)


@cache
def _registry() -> "UnitRegistry[Decimal]":
    from pint import UnitRegistry  # noqa: PLC0415 - as above

    return UnitRegistry(non_int_type=Decimal)


@cache
def _units() -> Mapping[str, Unit]:
    units: dict[str, Unit] = {}
    for line in asset("resources", "units", "units.txt").read_text("utf-8").splitlines():
        definition, _, names = line.partition(": ")
        unit = Unit(names.split()[0].replace("_", " "), definition)
        units |= {_key(name): unit for name in names.split()}
    return units


def _key(name: str) -> str:
    """Return a name to compare, without case; "km / h" and "fluid ounce" become one word."""
    plain = "_".join(name.replace("μ", "µ").replace(" / ", "/").strip(" .").split())
    return folded_key(plain) if plain.replace("_", "").isalpha() else plain.lower()


def _calculate(fields: Fields, context: ToolContext) -> ToolOutput:
    to_name = fields.text_or_none("to_unit")
    expression, unit_name = _split_unit(
        fields.text("expression").strip(), fields.text_or_none("unit"), is_converted=bool(to_name)
    )
    unit, to = (unit_of(name) if name else None for name in (unit_name, to_name))
    for name, candidate in ((unit_name, unit), (to_name, to)):
        if name and candidate is None:
            return context.error("unit_unknown", where=name)
    try:
        value, read = evaluate(expression), format_expression(expression)
    except NotArithmetic as exc:
        return context.error(f"calculation_{exc.why}", where=exc.where)
    if to is None:
        return ToolOutput(equation(read, value, context.texts, unit, unit))
    if unit is None:
        return context.error("unit_missing", where=to.name)
    converted = convert(value, unit, to)
    if converted is None:
        return context.error("units_apart", where=f"{unit.name}, {to.name}")
    return ToolOutput(equation(read, converted, context.texts, unit, to))


def equation(
    read: str,
    value: Decimal,
    texts: Texts,
    unit: Unit | None = None,
    result: Unit | None = None,
    *,
    places: int | None = None,
) -> str:
    """Return the question and its result; `read`: its numbers as they were understood.

    `places`: the most decimals that are shown.
    """
    is_measured = result is not None and result is not unit and result.definition in _MEASURED
    figures = _FIGURES_OF_MEASURED if is_measured else None
    shown = value if places is None else round(value, places)
    rounded = _rounded(shown, figures)
    mark = "=" if rounded == value else "≈"
    left, right = read, _format_number(rounded)
    if texts.language is Language.TR:
        left, right = left.replace(".", ","), right.replace(".", ",")
    left = f"{left} {unit.name}" if unit else left
    right = f"{right} {result.name}" if result else right
    if result and figures:
        right += f" ({texts.say(f'tools.measured_{result.definition}')})"
    return f"{left} {mark} {right}"


def _split_unit(
    expression: str, unit: str | None, *, is_converted: bool
) -> tuple[str, str | None]:
    if unit is not None:
        return expression.removesuffix(unit), unit
    match = _WITH_UNIT.fullmatch(expression)
    # A percentage is a number unless it is converted; then it is one of HbA1c.
    if match is None or unit_of(match[2]) is None or (match[2] == "%" and not is_converted):
        return expression, None
    return match[1], match[2]


def _rounded(value: Decimal, figures: int | None) -> Decimal:
    is_whole = value == value.to_integral_value() and value.adjusted() < _MOST_DIGITS
    if not value or (is_whole and figures is None):
        return value
    return value.quantize(Decimal(1).scaleb(value.adjusted() + 1 - (figures or _FIGURES)))


def _format_number(value: Decimal) -> str:
    if -_FIGURES < value.adjusted() < _MOST_DIGITS:
        return f"{value.normalize():f}"
    return f"{value.normalize():e}".replace("e+", "e")


_PARAMETERS = (Parameter("expression", is_required=True), Parameter("unit"), Parameter("to_unit"))
CALCULATOR = Tool("calculator", _PARAMETERS, _calculate, is_unguarded=True)
