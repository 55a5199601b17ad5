"""A tool that evaluates an expression and converts it to another unit."""

import re
from dataclasses import dataclass
from decimal import Decimal

from desktop.domain.language import Language
from desktop.research.tools.arithmetic import NotArithmetic, evaluate, format_expression
from desktop.research.tools.tool import Parameter, Tool, ToolContext, ToolOutput
from desktop.research.tools.units import Unit, convert, figures_of, unit_of
from desktop.settings.messages import Texts
from desktop.settings.toml_fields import Fields

_FIGURES = 12
_MOST_DIGITS = 30
_WITH_UNIT = re.compile(r"(.*[\d)]) *([^\W\d_µ°][^()]*|[µ°%].*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Measured:
    unit: Unit
    name: str
    """As it is to be written."""


def calculator() -> Tool:
    return Tool(
        "calculator",
        (Parameter("expression", is_required=True), Parameter("unit"), Parameter("to_unit")),
        _calculate,
        lambda _: True,
        is_unguarded=True,
    )


def _calculate(given: Fields, context: ToolContext) -> ToolOutput:
    texts, to_name = context.texts, given.text_or_none("to_unit")
    expression, unit_name = _split_unit(
        given.text("expression").strip(), given.text_or_none("unit"), is_converted=bool(to_name)
    )
    unit, to = (unit_of(name) if name else None for name in (unit_name, to_name))
    for name, known in ((unit_name, unit), (to_name, to)):
        if name and known is None:
            return _error(texts, "unit_unknown", name)
    try:
        value, read = evaluate(expression), format_expression(expression)
    except NotArithmetic as exc:
        return _error(texts, f"calculation_{exc.why}", exc.where)
    named = Measured(unit, unit.name) if unit else None
    if to is None:
        return ToolOutput(equation(read, value, texts, named, named))
    if unit is None:
        return _error(texts, "unit_missing", to.name)
    told = convert(value, unit, to)
    if told is None:
        return _error(texts, "units_apart", f"{unit.name}, {to.name}")
    return ToolOutput(equation(read, told, texts, named, Measured(to, to.name)))


def equation(
    read: str,
    value: Decimal,
    texts: Texts,
    given: Measured | None = None,
    result: Measured | None = None,
    *,
    places: int | None = None,
) -> str:
    """What was asked, and what it comes to; `read`: its numbers as they were understood.

    `places`: how many behind the point tell anything, where more are not wanted.
    """
    is_converted = result is not None and result is not given
    figures = figures_of(result.unit) if result and is_converted else None
    shown = value if places is None else round(value, places)
    told = _with_unit(_format_number(shown, texts, figures), result)
    mark = _equals_sign(value, figures) if shown == value else "≈"
    note = (
        f" ({texts.say(f'tools.measured_{result.unit.definition}')})" if result and figures else ""
    )
    return f"{_with_unit(_localize(texts, read), given)} {mark} {told}{note}"


def _split_unit(
    expression: str, unit: str | None, *, is_converted: bool
) -> tuple[str, str | None]:
    """What is to be worked out, and its unit, which may stand behind it."""
    if unit is not None:
        return expression.removesuffix(unit), unit
    match = _WITH_UNIT.fullmatch(expression)
    # A percentage that is not to be converted is a number; else it is one of HbA1c.
    if match is None or unit_of(match[2]) is None or (match[2] == "%" and not is_converted):
        return expression, unit
    return match[1], match[2]


def _with_unit(text: str, unit: Measured | None) -> str:
    return f"{text} {unit.name}" if unit else text


def _equals_sign(value: Decimal, figures: int | None) -> str:
    return "=" if _rounded(value, figures) == value else "≈"


def _rounded(value: Decimal, figures: int | None) -> Decimal:
    digits = figures or _FIGURES
    if figures is None and value == value.to_integral_value() and value.adjusted() < _MOST_DIGITS:
        return value
    places = digits - 1 - value.adjusted()
    return value if not value else value.quantize(Decimal(1).scaleb(-places))


def _format_number(value: Decimal, texts: Texts, figures: int | None = None) -> str:
    rounded = _rounded(value, figures)
    is_long = not -_FIGURES < rounded.adjusted() < _MOST_DIGITS
    if is_long:
        mantissa, _, exponent = f"{rounded:E}".partition("E")
        return _localize(texts, f"{_strip_zeros(mantissa)}e{int(exponent)}")
    return _localize(texts, _strip_zeros(f"{rounded:f}"))


def _strip_zeros(number: str) -> str:
    """Without zeros behind the point that say nothing."""
    return number.rstrip("0").rstrip(".") if "." in number else number


def _localize(texts: Texts, number: str) -> str:
    return number.replace(".", ",") if texts.language is Language.TR else number


def _error(texts: Texts, key: str, where: str) -> ToolOutput:
    return ToolOutput(texts.say(f"tools.{key}", where=where), is_error=True)
