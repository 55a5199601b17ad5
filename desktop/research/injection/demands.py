"""Demands to whoever reads for another, compiled: those of both of the user's languages."""

import re
from functools import cache

from desktop.research.injection.demands_en import DEMANDS as IN_ENGLISH
from desktop.research.injection.demands_tr import DEMANDS as IN_TURKISH
from desktop.research.injection.orders import Order


@cache
def demand_patterns() -> tuple[tuple[Order, re.Pattern[str]], ...]:
    """Compiled when they are first needed."""
    several = (*IN_ENGLISH, *IN_TURKISH)
    return tuple((order, re.compile("|".join(patterns))) for order, patterns in several)
