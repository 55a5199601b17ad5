"""A tool for dates: the time in a zone, weekdays, days between two dates, date arithmetic."""

from calendar import monthrange
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from desktop.domain.language import Language
from desktop.domain.times import named_day, spoken_moment
from desktop.research.tools.tool import Parameter, Tool, ToolContext, ToolOutput, ToolServices
from desktop.settings.messages import Texts
from desktop.settings.toml_fields import FieldInvalidError, Fields

_AWAY = range(-100_000, 100_001)
_DAYS = {"days": 1, "weeks": 7}
_MONTHS = {"months": 1, "years": 12}
_IN_A_YEAR = 12


def date_tool(services: ToolServices) -> Sequence[Tool]:
    def answer(fields: Fields, context: ToolContext) -> ToolOutput:
        texts = context.texts
        zone = _parse_zone(fields)
        moment = services.now()
        here = moment.astimezone(zone)
        if not {"date", "until", "add"} & set(fields.names()):
            return ToolOutput("\n".join(_describe_now(moment, here, zone, texts)))
        first = _parse_day(fields, "date") or here.date()
        return ToolOutput("\n".join(_describe_days(first, fields, texts)))

    add, unit = Parameter("add", within=_AWAY), Parameter("unit", choices=(*_DAYS, *_MONTHS))
    parameters = (Parameter("zone"), Parameter("date"), Parameter("until"), add, unit)
    tool = Tool(
        "date_time", parameters, answer, is_unguarded=True, is_spared=True, has_common_name=True
    )
    return (tool,)


def _describe_now(
    moment: datetime, here: datetime, zone: tzinfo | None, texts: Texts
) -> Iterator[str]:
    if zone is None:
        yield texts.say("tools.now", moment=spoken_moment(moment, texts.language))
    else:
        day = named_day(here.date(), texts.language)
        clock = f"{here:%H.%M}" if texts.language is Language.TR else f"{here:%H:%M}"
        yield texts.say("tools.now_there", day=day, clock=clock, zone=str(zone))
    offset = f"UTC{here.isoformat()[-len('+03:00') :]}"
    yield texts.say("tools.offset", offset=offset, date=here.date().isoformat())


def _describe_days(first: date, fields: Fields, texts: Texts) -> Iterator[str]:
    yield _describe_day(first, texts)
    last, away = _parse_day(fields, "until"), fields.whole("add", _AWAY)
    if last is not None:
        yield _describe_day(last, texts)
        days = (last - first).days
        weeks, rest = divmod(abs(days), 7)
        early, late = min(first, last), max(first, last)
        months = (late.year - early.year) * _IN_A_YEAR + late.month - early.month
        years, months = divmod(months - (_add_months(early, months) > late), _IN_A_YEAR)
        yield texts.say(
            "tools.between", days=days, weeks=weeks, rest=rest, years=years, months=months
        )
    if away is not None:
        yield _describe_day(_shift(first, away, fields.text_or_none("unit") or "days"), texts)


def _describe_day(day: date, texts: Texts) -> str:
    _, week, _ = day.isocalendar()
    return texts.say(
        "tools.day",
        date=day.isoformat(),
        day=named_day(day, texts.language),
        week=week,
        number=day.timetuple().tm_yday,
    )


def _shift(day: date, away: int, unit: str) -> date:
    try:
        if unit in _DAYS:
            return day + timedelta(days=away * _DAYS[unit])
        return _add_months(day, away * _MONTHS[unit])
    except (ValueError, OverflowError) as exc:  # beyond the calendar
        raise FieldInvalidError("add") from exc


def _add_months(day: date, months: int) -> date:
    """Return the same day of the month, or its last day if shorter. Raises ValueError."""
    year, month = divmod(day.year * _IN_A_YEAR + day.month - 1 + months, _IN_A_YEAR)
    return date(year, month + 1, 1).replace(day=min(day.day, monthrange(year, month + 1)[1]))


def _parse_day(fields: Fields, name: str) -> date | None:
    text = fields.text_or_none(name)
    if text is None:
        return None
    try:
        return date.fromisoformat(text.strip())
    except ValueError as exc:
        raise FieldInvalidError(name) from exc


def _parse_zone(fields: Fields) -> tzinfo | None:
    name = fields.text_or_none("zone")
    if name is None:
        return None
    if name.strip().upper() in ("UTC", "GMT", "Z"):
        return UTC
    try:
        return ZoneInfo(name.strip())
    except (ZoneInfoNotFoundError, ValueError, OSError) as exc:
        raise FieldInvalidError("zone") from exc
