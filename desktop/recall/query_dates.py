"""Splits a typed query into search words and a period."""

import re
from collections.abc import Container
from dataclasses import dataclass
from datetime import datetime

from desktop.domain.times import Period
from desktop.language.dates.date_parser import find_dates, without_dates
from desktop.language.normalization import folded_key

_QUOTED = re.compile(r'["“”][^"“”]*["“”]?')
_LONGEST = 400


@dataclass(frozen=True, slots=True)
class TypedQuery:
    words: str
    period: Period | None = None
    said: str = ""


def parse_typed_query(text: str, now: datetime, *, as_words: Container[str] = ()) -> TypedQuery:
    """Return words and period. `now` is local; `as_words`: folded date words meant as words.

    Text in quotation marks is searched unchanged.
    """
    whole = " ".join(text.split())
    open_part = _QUOTED.sub(lambda quoted: "_" * len(quoted[0]), whole[:_LONGEST])
    found = find_dates(open_part, now)
    if found is None:
        return TypedQuery(whole)
    said = " ".join(whole[start:end] for start, end in found.spans).strip()
    if folded_key(said) in as_words:
        return TypedQuery(whole)
    return TypedQuery(without_dates(whole, found), found.period, said)
