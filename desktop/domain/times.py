"""Moments in time: always UTC, always aware, written as `YYYY-MM-DDTHH:MM:SS.mmmZ`."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

Clock = Callable[[], datetime]

_FIRST, _LAST = datetime(2, 1, 1, tzinfo=UTC), datetime(9998, 12, 31, tzinfo=UTC)
"""Beyond them a moment may have no local time anywhere."""


def utc_now() -> datetime:
    return datetime.now(UTC)


def utc_text(moment: datetime) -> str:
    """The stored form; naive moments are a bug and raise ValueError."""
    if moment.tzinfo is None:
        raise ValueError("a moment without a time zone cannot be stored")
    # Not by strftime, which writes the year 999 with three digits: no reader takes that.
    at = moment.astimezone(UTC).replace(tzinfo=None)
    return f"{at.isoformat(timespec='milliseconds')}Z"


def parse_utc(text: str) -> datetime:
    """Read any ISO 8601 moment; one without a zone is taken as UTC. Raises ValueError.

    One of the first or of the last year is moved to where every zone has a time for it.
    """
    moment = datetime.fromisoformat(text)
    try:
        moment = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except OverflowError as exc:
        raise ValueError("before the first year or after the last") from exc
    return min(max(moment, _FIRST), _LAST)


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of time, in UTC; an open side is None."""

    since: datetime | None = None
    until: datetime | None = None
    """Exclusive."""
