"""What services of literature said of a DOI, so that the same one is not asked for again."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.dialects.sqlite import insert

from desktop.domain.times import utc_text
from desktop.storage.schema.database import Repository
from desktop.storage.schema.row_mapping import listed
from desktop.storage.schema.tables import literature_cache

_ROW = literature_cache.c


class LiteratureCache(Repository):
    """Every method may raise StorageError. A DOI is bare and in lower case."""

    def works(
        self, service: str, dois: Iterable[str], *, since: datetime, unknown_since: datetime
    ) -> Mapping[str, str]:
        """Return what was stored by DOI since a moment; an empty text: the service knows none."""
        query = select(_ROW.doi, _ROW.work, _ROW.asked_at).where(
            _ROW.service == service, _ROW.doi.in_(listed(dois))
        )
        oldest = {True: utc_text(since), False: utc_text(unknown_since)}
        return {
            row.doi: row.work
            for row in self._rows(query)
            if row.asked_at >= oldest[bool(row.work)]
        }

    def store(self, service: str, works: Mapping[str, str]) -> None:
        """Store what a service said by DOI; an empty text if it knows none."""
        asked_at = utc_text(self._now())
        rows = [
            {"service": service, "doi": doi, "work": work, "asked_at": asked_at}
            for doi, work in works.items()
        ]
        if not rows:
            return
        new = insert(literature_cache)
        changed = {"work": new.excluded.work, "asked_at": new.excluded.asked_at}
        with self._database.writing() as db:
            db.execute(
                new.on_conflict_do_update(index_elements=["service", "doi"], set_=changed), rows
            )

    def remove_before(self, moment: datetime) -> None:
        self._change(delete(literature_cache).where(_ROW.asked_at < utc_text(moment)))
