"""A tool that evaluates an expression and converts it to another unit, with pint's factors.

`resources/units/units.txt` lists Turkish and English names, because pint reads many ordinary words
as units: for each unit pint's name, then the name that is shown, then the others. Blood sugar and
HbA1c are converted here: their factors depend on what is measured.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Context, Decimal
from functools import cache
from typing import TYPE_CHECKING

from desktop.domain.language import Language
from desktop.language.normalization import folded_key
from desktop.research.tools.arithmetic import NotArithmetic, evaluate, format_expression
from desktop.research.tools.tool import Parameter, Tool, ToolContext, ToolOutput
from desktop.settings.messages import Texts
from desktop.settings.paths import asset
from desktop.settings.toml_fields import Fields

if TYPE_CHECKING:
    from pint import UnitRegistry

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
