"""The sets of vectors: one is begun, takes the place of the one in use, and is removed.

Text SQL: virtual tables of sqlite-vec.
"""

from typing import Any

from sqlalchemy import Connection, text

from desktop.domain.ids import MessageId
from desktop.domain.search import EmbeddingProgress, VectorSet
from desktop.domain.times import utc_text
from desktop.storage.search.vectors import (
    OF_MESSAGES,
    TABLES,
    VectorStore,
    VectorTables,
    read_sets,
)

_CHUNK = 4096
"""Vectors that lie together: of the usual 1,024 a search takes twice as long (63 ms against 124
for 300,000 of them), and more is not allowed."""

_SHORT = ("fact_vectors", "note_vectors")
_REMOVED_AT_ONCE = 5_000


class MessageVectorStore(VectorStore[MessageId]):
    """Of messages; it also begins, exchanges and removes the sets of all kinds."""

    _in = OF_MESSAGES

    def other(self) -> VectorSet | None:
        """Return the set that will take its place, or that had it."""
        with self._database.reading() as db:
            return next((each for each in read_sets(db) if not each.is_current), None)

    def model(self) -> str | None:
        """Return the model of the vectors in use; None before the first."""
        current = self.current()
        return current.name if current else None

    def use_model(self, name: str, dimensions: int, calibration: bytes = b"") -> VectorSet:
        """Return the set of this model, which is made: the current one if there is none.

        Of other sets only the current one stays.
        """
        with self._database.writing() as db:
            sets = read_sets(db)
            for each in sets:
                if (each.name, each.dimensions, each.calibration) == (
                    name,
                    dimensions,
                    calibration,
                ):
                    return each
            for each in sets:
                if not each.is_current:
                    _drop_set(db, each.number)
            current = next((each for each in sets if each.is_current), None)
            number = 3 - current.number if current else 1
            made = VectorSet(number, name, dimensions, calibration, is_current=current is None)
            _make_set(db, made)
            if made.is_current:
                for tables in TABLES:
                    db.exec_driver_sql(
                        f"UPDATE {tables.owners} SET embedded_at = NULL, refined_at = NULL"
                    )
        return made

    def rename(self, number: int, name: str) -> None:
        """Give a set the name of its model, by which it is found; empty: it is outdated."""
        self._change(
            text("UPDATE vector_model SET name = :name WHERE number = :number"),
            {"name": name, "number": number},
        )

    def replace_current(self, complete: VectorSet, *, is_refined: bool) -> None:
        """Search this set from now on; what it lacks is due. `remove_replaced` removes the other.

        `is_refined`: nothing is left for a stronger model.
        """
        number = complete.number
        values = {"at": utc_text(self._now()), "number": number}
        with self._database.writing() as db:
            db.execute(
                text(
                    "UPDATE vector_model SET is_current = (number = :number), "
                    "name = CASE number WHEN :number THEN name ELSE '' END"
                ),
                values,
            )
            for tables in TABLES:
                is_whole = f"({tables.is_owner}) AND NOT {tables.lacks(number)}"
                at = f"CASE WHEN {is_whole} THEN :at END"
                refined = at if is_refined else "NULL"
                db.execute(
                    text(f"UPDATE {tables.owners} SET embedded_at = {at}, refined_at = {refined}"),
                    values,
                )
        self.cached.clear()

    def remove_replaced(self) -> bool:
        """Remove a part of the vectors of an outdated set; return whether more are left."""
        outdated = self.other()
        if outdated is None or outdated.name:
            return False
        with self._database.writing() as db:
            removed = sum(_remove_some(db, tables, outdated.number) for tables in TABLES)
            if not removed:
                _drop_set(db, outdated.number)
        return removed > 0

    def progress(self, *, leaves: bool = False) -> EmbeddingProgress:
        """Return it without what may not leave this computer, if vectors are made elsewhere."""
        row = self._rows(
            "SELECT count(embedded_at), count(refined_at), count(*) FROM sessions "
            f"WHERE {OF_MESSAGES.is_due(leaves=leaves)}"
        )[0]
        embedded, refined, sessions = map(int, row)
        return EmbeddingProgress(embedded, refined, sessions)


def _make_set(db: Connection, made: VectorSet) -> None:
    for tables in TABLES:
        db.exec_driver_sql(
            f"CREATE VIRTUAL TABLE {tables.bits(made.number)} USING vec0("
            f"id INTEGER PRIMARY KEY, bits bit[{made.dimensions}], chunk_size={_CHUNK})"
        )
    db.exec_driver_sql(
        "INSERT INTO vector_model (number, name, dimensions, calibration, is_current) "
        "VALUES (?, ?, ?, ?, ?)",
        (made.number, made.name, made.dimensions, made.calibration, int(made.is_current)),
    )


def _drop_set(db: Connection, number: int) -> None:
    for tables in TABLES:
        db.exec_driver_sql(f"DROP TABLE IF EXISTS {tables.bits(number)}")
    for table in (*(tables.vectors for tables in TABLES), *_SHORT):
        db.exec_driver_sql(f"DELETE FROM {table} WHERE model = ?", (number,))
    db.exec_driver_sql("DELETE FROM vector_model WHERE number = ?", (number,))


def _remove_some(db: Connection, tables: VectorTables[Any], number: int) -> int:
    """Remove vectors of a set that is not searched; its bits are removed with their table."""
    some = f"SELECT id FROM {tables.vectors} WHERE model = ? LIMIT {_REMOVED_AT_ONCE}"
    statement = f"DELETE FROM {tables.vectors} WHERE id IN ({some})"
    return int(db.exec_driver_sql(statement, (number,)).rowcount)


def drop_every_vector(db: Connection) -> None:
    """Leave the file as one without a model: the next one makes all vectors again."""
    for tables in TABLES:
        for number in (1, 2):
            db.exec_driver_sql(f"DROP TABLE IF EXISTS {tables.bits(number)}")
    for table in (*(tables.vectors for tables in TABLES), *_SHORT, "vector_model"):
        db.exec_driver_sql(f"DELETE FROM {table}")  # without a condition no row is read
