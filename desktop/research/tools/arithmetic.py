"""Works out an expression: numbers, + - * / ^ %, parentheses and a few functions, and no more.

In decimals, so that 0.1 + 0.2 is 0.3. A decimal comma is understood as a point is; between
arguments a semicolon stands, or a comma where a function takes several. `x %` is a hundredth, and
after + or - a share of what stands before it, as on a pocket calculator; with a number behind it,
it is what a division leaves.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Context, Decimal, DivisionByZero, InvalidOperation, Overflow, localcontext
from types import MappingProxyType

_LONGEST = 500
_DEEPEST = 40
_PRECISION = 40
_LARGEST_POWER = 400
_DUST = 1e-15
_HUNDRED = Decimal(100)
_CONTEXT = Context(
    prec=_PRECISION, Emax=999, Emin=-999, traps=[InvalidOperation, DivisionByZero, Overflow]
)
_TOKEN = re.compile(r"\s*(?:(\d+(?:[.,]\d+)*(?:[eE][+-]?\d+)?|[.,]\d+)|(\*\*|[^\W\d_]\w*|\S))")
_SIGNS = str.maketrans(
    {"×": "*", "·": "*", "÷": "/", "−": "-", "–": "-", ":": "/", "\u00a0": " ", "\u202f": " "}
)
_GROUP = 3

_PI = Decimal("3.141592653589793238462643383279502884197")

Function = Callable[..., Decimal]


class NotArithmetic(Exception):  # noqa: N818 - what was written, not what failed
    """`why`: unreadable, impossible or too_large; `where`: the words that it is about."""

    def __init__(self, why: str, where: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.where = where


def worked_out(expression: str) -> Decimal:
    """Raises NotArithmetic."""
    if len(expression) > _LONGEST:
        raise NotArithmetic("too_large")
    with localcontext(_CONTEXT):
        try:
            value = _Reader(_tokens(expression)).whole()
        except (DivisionByZero, InvalidOperation, ValueError, ZeroDivisionError) as exc:
            raise NotArithmetic("impossible") from exc
        except (Overflow, OverflowError) as exc:
            raise NotArithmetic("too_large") from exc
    if not value.is_finite():  # the logarithm of nothing
        raise NotArithmetic("impossible")
    return value


def as_read(expression: str) -> str:
    """The expression with its numbers as they were understood. Raises NotArithmetic."""
    parts = (f"{number_of(one):f}" if _is_number(one) else one for one in _tokens(expression))
    return "".join(f" {one} " if one in ("+", "-", "*", "/", ";") else one for one in parts)


def number_of(text: str) -> Decimal:
    """Understand 1.250,5 and 1,250.5 alike: the last of two marks begins the decimals.

    Several of one mark part thousands; a single one begins decimals. Raises NotArithmetic.
    """
    mantissa, _, exponent = text.lower().partition("e")
    *whole, decimals = re.split(r"[.,]", mantissa)
    marks = [mark for mark in mantissa if mark in ".,"]
    if len(marks) > 1:
        parting = whole[1:] if len(set(marks)) > 1 else [*whole[1:], decimals]
        is_one_kind = len(set(marks[:-1])) == 1 and marks.count(marks[-1]) in (1, len(marks))
        if not is_one_kind or any(len(group) != _GROUP for group in parting):
            raise NotArithmetic("unreadable", text)
    if not marks or (len(marks) > 1 and len(set(marks)) == 1):
        return Decimal(f"{''.join(whole)}{decimals}e{exponent or 0}")
    return Decimal(f"{''.join(whole) or 0}.{decimals}e{exponent or 0}")


def _in_floats(function: Callable[[float], float]) -> Function:
    def worked(value: Decimal) -> Decimal:
        # What a float knows of the sine of pi is the dust of its last figure.
        result = function(float(value))
        return Decimal(0 if abs(result) < _DUST else f"{result:.14g}")

    return worked


def _rounded(value: Decimal, places: Decimal = Decimal(0)) -> Decimal:
    if places != places.to_integral_value() or not -_PRECISION < places < _PRECISION:
        raise NotArithmetic("impossible")
    return value.quantize(Decimal(1).scaleb(-int(places)), rounding="ROUND_HALF_UP")


def _log(value: Decimal, base: Decimal | None = None) -> Decimal:
    return value.log10() if base is None else value.ln() / base.ln()


def _root(value: Decimal, degree: Decimal) -> Decimal:
    return _power(value, 1 / degree)


def _power(base: Decimal, exponent: Decimal) -> Decimal:
    if abs(exponent) > _LARGEST_POWER:
        raise NotArithmetic("too_large")
    return base**exponent


def _whole(rounding: str) -> Function:
    return lambda value: value.to_integral_value(rounding=rounding)


@dataclass(frozen=True, slots=True)
class _Named:
    run: Function
    least: int = 1
    most: int = 1


_MANY = 100
_FUNCTIONS: Mapping[str, _Named] = MappingProxyType(
    {
        name: named
        for names, named in (
            ("sqrt karekök", _Named(Decimal.sqrt)),
            ("cbrt", _Named(lambda value: _root(abs(value), Decimal(3)).copy_sign(value))),
            ("root kök", _Named(_root, 2, 2)),
            ("abs mutlak", _Named(abs)),
            ("exp", _Named(Decimal.exp)),
            ("ln", _Named(Decimal.ln)),
            ("log log10", _Named(_log, 1, 2)),
            ("log2", _Named(lambda value: value.ln() / Decimal(2).ln())),
            ("sin", _Named(_in_floats(math.sin))),
            ("cos", _Named(_in_floats(math.cos))),
            ("tan", _Named(_in_floats(math.tan))),
            ("asin", _Named(_in_floats(math.asin))),
            ("acos", _Named(_in_floats(math.acos))),
            ("atan", _Named(_in_floats(math.atan))),
            ("rad", _Named(lambda value: value * _PI / 180)),
            ("deg", _Named(lambda value: value * 180 / _PI)),
            ("floor taban", _Named(_whole("ROUND_FLOOR"))),
            ("ceil tavan", _Named(_whole("ROUND_CEILING"))),
            ("round yuvarla", _Named(_rounded, 1, 2)),
            ("min", _Named(min, 1, _MANY)),
            ("max", _Named(max, 1, _MANY)),
            ("sum topla toplam", _Named(lambda *all_: sum(all_, Decimal(0)), 1, _MANY)),
            ("mean avg ortalama", _Named(lambda *a: sum(a, Decimal(0)) / len(a), 1, _MANY)),
        )
        for name in names.split()
    }
)
_CONSTANTS: Mapping[str, Decimal] = MappingProxyType(
    {"pi": _PI, "π": _PI, "e": Decimal("2.718281828459045235360287471352662497757")}
)


def _tokens(expression: str) -> list[str]:
    text, place, found = expression.translate(_SIGNS).strip(), 0, list[str]()
    while place < len(text) and (match := _TOKEN.match(text, place)):
        found.append((match[1] or match[2]).lower() if match[2] else match[1])
        place = match.end()
    return ["^" if one == "**" else one for one in _with_arguments_parted(found)]


def _is_number(piece: str) -> bool:
    return piece[:1].isdigit() or (len(piece) > 1 and piece[0] in ".,")


def _with_arguments_parted(tokens: Sequence[str]) -> Iterator[str]:
    """Where a function takes several arguments and no semicolon parts them, a comma does."""
    inside: list[bool] = []
    for place, piece in enumerate(tokens):
        if piece == "(":
            inside.append(_commas_part(tokens, place))
        elif piece == ")" and inside:
            inside.pop()
        if inside and inside[-1] and "," in piece and piece != ",":
            yield from _parted(piece)
        else:
            yield ";" if piece == "," else piece


def _parted(piece: str) -> Iterator[str]:
    for place, one in enumerate(piece.split(",")):
        if place:
            yield ";"
        if one:
            yield one


def _commas_part(tokens: Sequence[str], opens: int) -> bool:
    named = _FUNCTIONS.get(tokens[opens - 1]) if opens else None
    if named is None or named.most == 1:
        return False
    depth = 0
    for piece in tokens[opens:]:
        depth += (piece == "(") - (piece == ")")
        if depth == 1 and piece in (";", ","):
            return False  # parted already: other commas are in numbers
        if not depth:
            break
    return True


@dataclass(slots=True)
class _Reader:
    tokens: Sequence[str]
    place: int = 0
    depth: int = field(default=0)

    def whole(self) -> Decimal:
        value = self._sum()
        if self.place < len(self.tokens):
            raise NotArithmetic("unreadable", self.tokens[self.place])
        return +value

    @property
    def _next(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def _took(self, *signs: str) -> str:
        if self._next in signs and self._next:
            self.place += 1
            return self.tokens[self.place - 1]
        return ""

    def _sum(self) -> Decimal:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise NotArithmetic("too_large")
        value, _ = self._product()
        while sign := self._took("+", "-"):
            right, is_share = self._product()
            change = value * right if is_share else right
            value = value + change if sign == "+" else value - change
        self.depth -= 1
        return value

    def _product(self) -> tuple[Decimal, bool]:
        """And whether it is nothing but a percentage."""
        value, is_share = self._signed()
        while sign := self._took("*", "/", "%", "mod"):
            right, _ = self._signed()
            is_share = False
            match sign:
                case "*":
                    value *= right
                case "/":
                    value /= right
                case _:
                    value -= right * (value / right).to_integral_value(rounding="ROUND_FLOOR")
        return value, is_share

    def _signed(self) -> tuple[Decimal, bool]:
        is_negative = False
        while sign := self._took("+", "-"):
            is_negative ^= sign == "-"
        value, is_share = self._power()
        return (-value if is_negative else value), is_share

    def _power(self) -> tuple[Decimal, bool]:
        if self._took("%"):
            return self._value() / _HUNDRED, True
        value = self._value()
        if self._took("^"):
            exponent, _ = self._signed()
            value = _power(value, exponent)
        is_share = False
        while self._next == "%" and not self._begins_value(self.place + 1):
            self.place += 1
            value, is_share = value / _HUNDRED, True
        return value, is_share

    def _begins_value(self, place: int) -> bool:
        """Whether a number, a name or a parenthesis stands there."""
        piece = self.tokens[place] if place < len(self.tokens) else ""
        return piece == "(" or (piece[:1].isalnum() and piece != "mod")

    def _value(self) -> Decimal:
        piece = self._next
        self.place += 1
        if piece == "(":
            return self._closed(self._sum())
        if _is_number(piece):
            return number_of(piece)
        if piece in _CONSTANTS:
            return _CONSTANTS[piece]
        if piece in _FUNCTIONS and self._took("("):
            return self._called(piece)
        raise NotArithmetic("unreadable", piece)

    def _called(self, name: str) -> Decimal:
        given = [self._sum()]
        while self._took(";"):
            given.append(self._sum())
        self._closed(given[0])
        named = _FUNCTIONS[name]
        if not named.least <= len(given) <= named.most:
            raise NotArithmetic("unreadable", name)
        return named.run(*given)

    def _closed(self, value: Decimal) -> Decimal:
        if not self._took(")"):
            raise NotArithmetic("unreadable", self._next)
        return value
