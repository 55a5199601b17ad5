"""Daily totals of the memory's own figures; they have no content and outlive what they count."""

from collections.abc import Iterable
from datetime import date

from sqlalchemy import func, select
from sqlalchemy.dialects.sqlite import insert

from desktop.domain.figures import DailyFigure, Figure
from desktop.storage.database import Repository
from desktop.storage.learned_tables import daily_figures

_c = daily_figures.c


class DailyFigureStore(Repository):
    """Methods may raise StorageError."""

    def add(self, figures: Iterable[DailyFigure]) -> None:
        """Add to the totals of their days."""
        rows = [
            {
                "day": one.day.isoformat(),
                "name": one.figure.value,
                "project": "",
                "count": one.count,
                "total": one.total,
            }
            for one in figures
        ]
        if not rows:
            return
        added = insert(daily_figures)
        self._change(
            added.on_conflict_do_update(
                index_elements=["day", "name", "project"],
                set_={
                    "count": _c.count + added.excluded.count,
                    "total": _c.total + added.excluded.total,
                },
            ),
            rows,
        )

    def figures(self, since: date | None = None) -> list[DailyFigure]:
        """Return the totals of each day, the oldest first."""
        wanted = (
            select(_c.day, _c.name, func.sum(_c["count"]), func.sum(_c.total))
            .group_by(_c.day, _c.name)
            .order_by(_c.day)
            .where(_c.name.in_(list(Figure)))
        )
        if since is not None:
            wanted = wanted.where(_c.day >= since.isoformat())
        return [
            DailyFigure(date.fromisoformat(day), Figure(name), count, total)
            for day, name, count, total in self._rows(wanted)
        ]
