"""Evaluates an expression as people write it: numbers, + - * / ^ %, parentheses, some functions.

A normaliser turns it into Python's notation and simpleeval evaluates that, in decimals, so that
0.1 + 0.2 is 0.3. A decimal comma is read like a point; a semicolon separates arguments, or a
comma in a function with several. `x %` is a hundredth, and after + or - a share of the number
before it, as on a pocket calculator; followed by a number, it is the remainder of a division.
"""

import ast
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Context, Decimal, DivisionByZero, InvalidOperation, Overflow, localcontext

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
