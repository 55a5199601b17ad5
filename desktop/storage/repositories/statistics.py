"""Counts by local day: over the archive, of the memory's own figures, of background requests.

Deleted sessions do not count. A message's id contains its time, so that an index alone answers,
also for a hundred thousand messages.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time
from heapq import nlargest

from sqlalchemy import ColumnElement, Label, Select, func, select
from sqlalchemy.dialects.sqlite import insert

from desktop.domain.ids import first_message_id_at
from desktop.domain.messages import Thumb
from desktop.domain.projects import Wall
from desktop.domain.times import parse_utc, utc_text
from desktop.domain.usage import BackgroundUse, DailyFigure, Figure, Purpose, Usage
from desktop.storage.schema.database import Repository
from desktop.storage.schema.learned_tables import background_requests, daily_figures
from desktop.storage.schema.row_mapping import (
    USAGE_NAMES,
    usage_of,
    usage_values,
    values_of,
    within,
)
from desktop.storage.schema.tables import (
    messages,
    ratings,
    session_topics,
    sessions,
    sources,
    topics,
    usage,
)

_QUARTER_S = 900  # Every time zone differs from UTC by a multiple of a quarter of an hour
_QUARTER = first_message_id_at(parse_utc("1970-01-01T00:15Z"))
_FIRST = "2000"  # Earlier dates are stand-ins for an unreadable time
_DAY, _MONTH, _HOUR = "%Y-%m-%d", "%Y-%m-01", "%Y-%m-%d %H"


@dataclass(frozen=True, slots=True)
class SpentInMonth:
    month: date  # Its first day
    model: str
    usage: Usage


class StatisticsStore(Repository):
    """Days and hours are those of the local time zone. Methods may raise StorageError."""

    def messages(self, wall: Wall) -> list[tuple[date, int, int]]:
        """Return day, hour and how many messages were written then, the oldest first."""
        quarter = messages.c.id // _QUARTER
        # Not a join: few are left out, and the index has the rest.
        is_hidden = sessions.c.deleted_at.is_not(None) | ~within(sessions.c.project, wall)
        hidden = select(sessions.c.id).where(is_hidden)
        written = (
            select(quarter.label("quarter"), func.count().label("many"))
            .where(messages.c.is_current == 1, messages.c.session_id.not_in(hidden))
            .group_by(quarter)
            .subquery()
        )
        hour = _local(_HOUR, written.c.quarter * _QUARTER_S, "unixepoch")
        return [
            (date.fromisoformat(at[:10]), int(at[11:]), many)
            for at, many in self._rows(select(hour, func.sum(written.c.many)).group_by(hour))
            if at >= _FIRST
        ]

    def sessions(self, wall: Wall) -> list[tuple[date, int]]:
        """Return how many sessions began on each day, the oldest first."""
        day = _local(_DAY, sessions.c.created_at)
        return self._days(select(day, func.count()).where(_living(wall)).group_by(day))

    def subjects(
        self, wall: Wall, since: date | None, limit: int
    ) -> dict[str, list[tuple[date, int]]]:
        """Return days and sessions of the most frequent topics, the most frequent first."""
        day = _local(_DAY, sessions.c.created_at)
        query = (
            select(topics.c.name, day, func.count())
            .join(session_topics, session_topics.c.topic_id == topics.c.id)
            .join(sessions, sessions.c.id == session_topics.c.session_id)
            .where(_living(wall), _since(sessions.c.created_at, since))
            .group_by(topics.c.id, day)
            .order_by(day)
        )
        days: dict[str, list[tuple[date, int]]] = {}
        for name, at, many in self._rows(query):
            if at >= _FIRST:
                days.setdefault(name, []).append((date.fromisoformat(at), many))

        def how_often(name: str) -> tuple[int, date]:
            return sum(many for _, many in days[name]), days[name][-1][0]

        return {name: days[name] for name in nlargest(limit, days, key=how_often)}

    def usage(self, wall: Wall, since: date | None) -> list[SpentInMonth]:
        """Return tokens and cost by month and model, the oldest first."""
        month = _local(_MONTH, usage.c.created_at)
        sums = (func.sum(usage.c[name]).label(name) for name in USAGE_NAMES)
        query = (
            select(month, usage.c.model, *sums)
            .join(sessions, sessions.c.id == usage.c.session_id)
            .where(_living(wall), _since(usage.c.created_at, since))
            .group_by(month, usage.c.model)
        )
        return [
            SpentInMonth(date.fromisoformat(row.at), row.model, usage_of(row))
            for row in self._rows(query)
            if row.at >= _FIRST
        ]

    def sources(self, wall: Wall) -> list[tuple[date, int]]:
        """Return how many sources were added on each day, the oldest first."""
        day = _local(_DAY, sources.c.added_at)
        is_counted = sources.c.deleted_at.is_(None) & within(sources.c.project, wall)
        return self._days(select(day, func.count()).where(is_counted).group_by(day))

    def thumbs(self, wall: Wall, thumb: Thumb, since: date | None) -> list[tuple[date, int]]:
        """Return how many answers got this rating on each day, the oldest first."""
        day = _local(_DAY, ratings.c.created_at)
        query = (
            select(day, func.count())
            .join(messages, messages.c.id == ratings.c.message_id)
            .join(sessions, sessions.c.id == messages.c.session_id)
            .where(
                _living(wall), ratings.c.thumb == thumb.value, _since(ratings.c.created_at, since)
            )
            .group_by(day)
        )
        return self._days(query)

    def _days(self, query: Select[str, int]) -> list[tuple[date, int]]:
        return [(date.fromisoformat(at), many) for at, many in self._rows(query) if at >= _FIRST]


class DailyFigureStore(Repository):
    """Totals without content, which outlive what they count. Methods may raise StorageError."""

    def add(self, figures: Iterable[DailyFigure]) -> None:
        rows = [
            {
                "day": figure.day.isoformat(),
                "name": figure.figure.value,
                "project": "",
                **values_of(figure, ("count", "total")),
            }
            for figure in figures
        ]
        added = insert(daily_figures)
        sums = {name: daily_figures.c[name] + added.excluded[name] for name in ("count", "total")}
        if rows:
            key = ["day", "name", "project"]
            self._change(added.on_conflict_do_update(index_elements=key, set_=sums), rows)

    def figures(self, since: date | None = None) -> list[DailyFigure]:
        """Return the totals of each day, the oldest first."""
        columns = daily_figures.c
        query = (
            select(columns.day, columns.name, func.sum(columns["count"]), func.sum(columns.total))
            .group_by(columns.day, columns.name)
            .order_by(columns.day)
            .where(columns.name.in_(list(Figure)))
        )
        if since is not None:
            query = query.where(columns.day >= since.isoformat())
        return [
            DailyFigure(date.fromisoformat(day), Figure(name), count, total)
            for day, name, count, total in self._rows(query)
        ]


class BackgroundStore(Repository):
    """The requests that nobody asked for by hand. Methods may raise StorageError.

    The rows have no content and name no session, so that they outlive what they were for.
    """

    def add(self, purpose: Purpose, model: str, spent: Usage) -> None:
        row = {"purpose": purpose.value, "model": model, "created_at": utc_text(self._now())}
        self._change(insert(background_requests), row | usage_values(spent))

    def uses(self, since: date) -> list[BackgroundUse]:
        """Return the requests since a local day by purpose, the most tokens first."""
        columns = background_requests.c
        sums = [func.sum(columns[name]).label(name) for name in USAGE_NAMES]
        query = (
            select(columns.purpose, func.count().label("requests"), *sums)
            .where(columns.purpose.in_(list(Purpose)), _since(columns.created_at, since))
            .group_by(columns.purpose)
        )
        uses = [
            BackgroundUse(Purpose(row.purpose), row.requests, usage_of(row))
            for row in self._rows(query)
        ]
        return sorted(uses, key=lambda use: -use.usage.total_tokens)


def _living(wall: Wall) -> ColumnElement[bool]:
    return sessions.c.deleted_at.is_(None) & within(sessions.c.project, wall)


def _local(form: str, *moment: ColumnElement[str] | ColumnElement[int] | str) -> Label[str]:
    """Write a moment in local time; an unreadable one becomes the oldest."""
    # The name keeps SQLite from computing it again for grouping or ordering.
    return func.coalesce(func.strftime(form, *moment, "localtime"), "1970-01-01 00").label("at")


def _since(at: ColumnElement[str], since: date | None) -> ColumnElement[bool]:
    day = since or date(int(_FIRST), 1, 1)
    return at >= utc_text(datetime.combine(day, time()).astimezone())
