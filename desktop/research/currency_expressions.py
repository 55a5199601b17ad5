"""Amounts of money in a calculation: worked out as numbers, told in their currency."""

import re

CENTS = 2
"""Places behind the point."""
_CURRENCIES = {
    "TL": ("₺", "tl", "try", "lira"),
    "€": ("€", "euro", "avro", "eur"),
    "$": ("$", "usd", "dolar", "dollar", "dollars", "buck", "bucks"),
    "£": ("£", "gbp", "sterlin", "pound", "pounds"),
}
_NAMED = {name: currency for currency, names in _CURRENCIES.items() for name in names}
_WORD = "|".join(map(re.escape, sorted(_NAMED, key=len, reverse=True)))
_CASE = r"(?:['’]?(?:n[ıiuü]n|[yn]?[aeıiuü]|[dt][ae]n?|l[ıi]k)(?!\w))?"
_BEHIND = re.compile(
    rf"(?<=\d)(?P<gap>\s?(?:bin|milyon|thousand|million|k)?\s?)(?P<name>{_WORD}){_CASE}(?!\w)",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"(?P<name>[$€£₺])\s?(?=\d)")
_ASKED = re.compile(rf"\b(?P<how>kaç|how many) (?P<name>{_WORD})(?!\w)", re.IGNORECASE)


def without_money(said: str) -> tuple[str, str]:
    """The words without their currency, and which one it is.

    As they are, and none, where they name no currency or several: those are not converted here.
    """
    names = [one["name"] for form in (_BEHIND, _BEFORE, _ASKED) for one in form.finditer(said)]
    currencies = {_NAMED[name.lower()] for name in names}
    if len(currencies) != 1:
        return said, ""
    bare = _ASKED.sub(r"\g<how>", _BEFORE.sub("", _BEHIND.sub(r"\g<gap>", said)))
    return " ".join(bare.split()), currencies.pop()
