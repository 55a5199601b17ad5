"""Moments in time: always UTC, always aware, written as `YYYY-MM-DDTHH:MM:SS.mmmZ`."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    return datetime.now(UTC)


def utc_text(moment: datetime) -> str:
    """The stored form; naive moments are a bug and raise ValueError."""
    if moment.tzinfo is None:
        raise ValueError("a moment without a time zone cannot be stored")
    at = moment.astimezone(UTC)
    return f"{at:%Y-%m-%dT%H:%M:%S}.{at.microsecond // 1000:03d}Z"


def parse_utc(text: str) -> datetime:
    """Read any ISO 8601 moment; one without a zone is taken as UTC. Raises ValueError."""
    moment = datetime.fromisoformat(text)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
