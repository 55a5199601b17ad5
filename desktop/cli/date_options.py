"""The times that commands take: moments as they are stored, and dates in words."""

from collections.abc import Mapping
from datetime import datetime

from desktop.domain.errors import UsageError
from desktop.domain.model import JsonValue
from desktop.domain.times import parse_utc, utc_now


def since_and_until(
    values: Mapping[str, JsonValue],
) -> tuple[datetime | None, datetime | None]:
    """From `since` on and before `until`, where they are given; raises UsageError."""
    since, until = _moment(values, "since"), _moment(values, "until", is_end=True)
    if since and until and since >= until:
        raise UsageError(detail=f"--since {values['since']} --until {values['until']}")
    return since, until


def _moment(
    values: Mapping[str, JsonValue], name: str, *, is_end: bool = False
) -> datetime | None:
    """A moment as it is stored, or a date in words ("geçen hafta"): its beginning, or its end."""
    value = values.get(name)
    if value is None:
        return None
    try:
        return parse_utc(str(value))
    except ValueError as exc:
        from desktop.language.dates.date_parser import read_period  # noqa: PLC0415 - seldom wanted

        period = read_period(str(value), local_now())
        if period is None:
            raise UsageError(detail=f"--{name} {value}".rstrip()) from exc
        return period.until if is_end else period.since


def local_now() -> datetime:
    return utc_now().astimezone().replace(tzinfo=None)
