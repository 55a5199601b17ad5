"""What facts mean, as numbers: few enough to be compared one by one."""

from collections.abc import Sequence
from typing import NewType

from sqlalchemy import text

from desktop.domain.facts import FactFilter
from desktop.domain.ids import FactId
from desktop.storage.database import Database
from desktop.storage.facts.rows import (
    SEEN,
    fact_conditions,
)
from desktop.storage.vectors import Encoded

FactKey = NewType("FactKey", int)


class FactVectorStore:
    """Repository of facts' vectors, by the model of messages. Methods may raise StorageError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def without(self, limit: int) -> list[tuple[FactKey, str]]:
        """Key and words of facts that hold and have no vector yet."""
        with self._database.reading() as db:
            rows = db.execute(
                text(
                    f"SELECT f.key, f.content FROM facts f WHERE {SEEN} AND f.valid_to IS NULL "
                    "AND NOT EXISTS (SELECT 1 FROM fact_vectors v WHERE v.fact_key = f.key) "
                    "ORDER BY f.key DESC LIMIT :limit"
                ),
                {"limit": limit},
            )
            return [(FactKey(row.key), row.content) for row in rows]

    def add(self, vectors: Sequence[tuple[FactKey, Encoded]]) -> None:
        """Of a fact that is gone meanwhile nothing is kept."""
        with self._database.writing() as db:
            for key, encoded in vectors:
                db.execute(
                    text(
                        "INSERT OR REPLACE INTO fact_vectors SELECT key, :numbers FROM facts "
                        "WHERE key = :key"
                    ),
                    {"key": key, "numbers": encoded.numbers},
                )

    def nearest(
        self, wanted: Encoded, among: FactFilter, limit: int
    ) -> list[tuple[FactId, float]]:
        """Facts by meaning, the nearest first, each with how near it is: 1 says the same."""
        where, values = fact_conditions(among)
        with self._database.reading() as db:
            rows = db.execute(
                text(
                    "SELECT f.id, vec_distance_cosine(vec_int8(v.numbers), vec_int8(:numbers)) "
                    "AS distance FROM fact_vectors v JOIN facts f ON f.key = v.fact_key "
                    f"WHERE {where} ORDER BY distance LIMIT :limit"
                ),
                {**values, "numbers": wanted.numbers, "limit": limit},
            )
            return [(FactId(row.id), 1.0 - row.distance) for row in rows]
