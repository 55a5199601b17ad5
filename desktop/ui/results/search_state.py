"""What is asked of the archive in the results view, as a value."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from desktop.domain.search import CONVERSATIONS, HitKind, Query, SearchMode, SearchOrder
from desktop.domain.times import Period
from desktop.language.dates.date_parser import read_period


class Kind(StrEnum):
    ALL = "all"
    MESSAGES = "messages"
    SESSIONS = "sessions"
    SOURCES = "sources"


class Order(StrEnum):
    BEST = "best"
    NEWEST = "newest"


_KINDS = {
    Kind.ALL: CONVERSATIONS | {HitKind.SOURCE},
    Kind.MESSAGES: frozenset({HitKind.MESSAGE}),
    Kind.SESSIONS: frozenset({HitKind.SESSION}),
    Kind.SOURCES: frozenset({HitKind.SOURCE}),
}


@dataclass(frozen=True, slots=True)
class Asked:
    words: str = ""
    """Without the words for a date."""
    period: Period | None = None
    topic: str = ""
    is_pinned: bool = False
    kind: Kind = Kind.ALL
    order: Order = Order.BEST

    @property
    def is_anything(self) -> bool:
        """Whether there is something to look for; a kind or an order alone is nothing."""
        return bool(self.words or self.period or self.topic or self.is_pinned)

    @property
    def is_filtered(self) -> bool:
        return bool(self.period or self.topic or self.is_pinned or self.kind is not Kind.ALL)

    def query(self, mode: SearchMode, limit: int) -> Query:
        period = self.period or Period()
        return Query(
            self.words,
            kinds=_KINDS[self.kind],
            since=period.since,
            until=period.until,
            topic=self.topic or None,
            is_pinned=True if self.is_pinned else None,
            mode=mode,
            limit=limit,
            order=SearchOrder.NEWEST if self.order is Order.NEWEST else SearchOrder.RANKED,
        )


def period_of(written: str, now: datetime) -> Period | None:
    """What a field for dates says; None where it says nothing that is a date."""
    return read_period(written, now) if written.strip() else None
