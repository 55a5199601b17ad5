"""What the commands of TeX stand for, read once from `resources/formulas`."""

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from desktop.settings.paths import asset


class Signs(NamedTuple):
    """What commands stand for, by kind."""

    letters: Mapping[str, str]
    """Variables: they slant as Latin letters do."""
    signs: Mapping[str, str]
    """As they are: capitals, arrows that stand alone, dots."""
    operators: Mapping[str, str]
    """With room on both sides."""
    names: frozenset[str]
    """Functions, written upright: sin, log."""
    accents: Mapping[str, str]
    """Marks that join the letter before them."""
    doubled: Mapping[str, str]
    """Letters of \\mathbb."""
    raised: Mapping[str, str]
    lowered: Mapping[str, str]


@cache
def signs() -> Signs:
    path = asset("resources", "formulas", "signs.toml")
    found = tomllib.loads(path.read_text(encoding="utf-8"))
    return Signs(
        letters=found["letters"],
        signs=found["signs"],
        operators=found["operators"],
        names=frozenset(found["names"]["all"]),
        accents=found["accents"],
        doubled=found["doubled"],
        raised=found["raised"],
        lowered=found["lowered"],
    )
