"""A tool that evaluates an expression and converts it to another unit."""

import re
from decimal import Decimal

from desktop.domain.language import Language
from desktop.research.tools.arithmetic import NotArithmetic, evaluate, format_expression
from desktop.research.tools.registry import Parameter, Tool, ToolContext, ToolOutput
from desktop.research.tools.units import Unit, convert, figures_of, unit_of
from desktop.settings.messages import Texts
from desktop.settings.toml_fields import Fields

_FIGURES = 12
_MOST_DIGITS = 30
_WITH_UNIT = re.compile(r"(.*[\d)]) *([^\W\d_µ°][^()]*|[µ°%].*)", re.DOTALL)


def calculator() -> Tool:
    return Tool(
        "calculator",
        (Parameter("expression", is_required=True), Parameter("unit"), Parameter("to_unit")),
        _calculate,
        is_unguarded=True,
    )


def _calculate(given: Fields, context: ToolContext) -> ToolOutput:
    to_name = given.text_or_none("to_unit")
    expression, unit_name = _split_unit(
        given.text("expression").strip(), given.text_or_none("unit"), is_converted=bool(to_name)
    )
    unit, to = (unit_of(name) if name else None for name in (unit_name, to_name))
    for name, known in ((unit_name, unit), (to_name, to)):
        if name and known is None:
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
    given: Unit | None = None,
    result: Unit | None = None,
    *,
    places: int | None = None,
) -> str:
    """The question and its result; `read`: its numbers as they were understood.

    `places`: the most decimals that are shown.
    """
    figures = figures_of(result) if result and result is not given else None
    shown = value if places is None else round(value, places)
    rounded = _rounded(shown, figures)
    mark = "=" if rounded == value else "≈"
    left, right = read, _format_number(rounded)
    if texts.language is Language.TR:
        left, right = left.replace(".", ","), right.replace(".", ",")
    left = f"{left} {given.name}" if given else left
    right = f"{right} {result.name}" if result else right
    if result and figures:
        right += f" ({texts.say(f'tools.measured_{result.definition}')})"
    return f"{left} {mark} {right}"


def _split_unit(
    expression: str, unit: str | None, *, is_converted: bool
) -> tuple[str, str | None]:
    """What is to be worked out, and its unit, which may stand behind it."""
    if unit is not None:
        return expression.removesuffix(unit), unit
    match = _WITH_UNIT.fullmatch(expression)
    # A percentage that is not to be converted is a number; else it is one of HbA1c.
    if match is None or unit_of(match[2]) is None or (match[2] == "%" and not is_converted):
        return expression, None
    return match[1], match[2]


def _rounded(value: Decimal, figures: int | None) -> Decimal:
    is_whole = value == value.to_integral_value() and value.adjusted() < _MOST_DIGITS
    if not value or (is_whole and figures is None):
        return value
    return value.quantize(Decimal(1).scaleb(value.adjusted() + 1 - (figures or _FIGURES)))


def _format_number(value: Decimal) -> str:
    """Without zeros behind the point that say nothing."""
    if -_FIGURES < value.adjusted() < _MOST_DIGITS:
        number, exponent = f"{value:f}", ""
    else:
        mantissa, _, power = f"{value:E}".partition("E")
        number, exponent = mantissa, f"e{int(power)}"
    return (number.rstrip("0").rstrip(".") if "." in number else number) + exponent
