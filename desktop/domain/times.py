"""Moments in time: always UTC, always aware, written as `YYYY-MM-DDTHH:MM:SS.mmmZ`."""

from collections.abc import Callable
from datetime import UTC, datetime

from desktop.domain.frozen import dataclass

Clock = Callable[[], datetime]

_FIRST, _LAST = datetime(2, 1, 1, tzinfo=UTC), datetime(9998, 12, 31, tzinfo=UTC)
"""Beyond them a moment may have no local time in some zone."""


def utc_now() -> datetime:
    return datetime.now(UTC)


def utc_text(moment: datetime) -> str:
    """Return the stored form; naive moments are a bug and raise ValueError."""
    if moment.tzinfo is None:
        raise ValueError("a moment without a time zone cannot be stored")
    # Not strftime: it writes the year 999 with three digits, which no parser accepts.
    at = moment.astimezone(UTC).replace(tzinfo=None)
    return f"{at.isoformat(timespec='milliseconds')}Z"


def parse_utc(text: str) -> datetime:
    """Parse any ISO 8601 moment; without a zone it is UTC. Raises ValueError.

    A moment in the first or last year is moved to where every time zone can represent it.
    """
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is UTC and _FIRST.year < moment.year < _LAST.year:
        return moment
    try:
        moment = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except OverflowError as exc:
        raise ValueError("before the first year or after the last") from exc
    return min(max(moment, _FIRST), _LAST)


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of time, in UTC; an open side is None."""

    since: datetime | None = None
    until: datetime | None = None  # Exclusive

    def __contains__(self, moment: datetime) -> bool:
        is_early = self.since is not None and moment < self.since
        return not is_early and (self.until is None or moment < self.until)
