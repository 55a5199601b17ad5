"""Vectors of the passages of sources, by the model that makes those of messages.

The tables are those of `storage.vectors`, with passages in the place of messages; what has no
vector yet can be read off `sources.embedded_at`, what only has fast ones off
`sources.refined_at`. Text SQL: virtual tables and functions of sqlite-vec.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, text

from desktop.domain.ids import SourceId
from desktop.domain.search import Query
from desktop.domain.times import Clock, utc_now, utc_text
from desktop.storage.database import Database
from desktop.storage.source_index import SEARCHABLE_SOURCES, PassageKey, source_bounds
from desktop.storage.vectors import Encoded, distance_sql

_MOST_SCANNED = 50_000
"""Passages between two dates that are compared one by one, the newest first."""


@dataclass(frozen=True, slots=True)
class EmbeddedPassage:
    key: PassageKey
    vector: Encoded


class SourceVectorStore:
    """Repository of passages' vectors. Every method may raise StorageError."""

    def __init__(self, database: Database, *, now: Clock = utc_now) -> None:
        self._database = database
        self._now = now

    def sources_without(self) -> list[SourceId]:
        """Sources of which passages have no vector yet, the newest first."""
        with self._database.reading() as db:
            rows = db.exec_driver_sql(
                "SELECT id FROM sources WHERE embedded_at IS NULL AND deleted_at IS NULL "
                "ORDER BY added_at DESC"
            )
            return [SourceId(row[0]) for row in rows]

    def sources_to_refine(self) -> list[SourceId]:
        """Sources whose passages have vectors of the fast model only, newest first."""
        with self._database.reading() as db:
            rows = db.exec_driver_sql(
                "SELECT id FROM sources WHERE embedded_at IS NOT NULL AND refined_at IS NULL "
                "AND deleted_at IS NULL ORDER BY added_at DESC"
            )
            return [SourceId(row[0]) for row in rows]

    def passages_to_refine(
        self, source_id: SourceId, dimensions: int, limit: int
    ) -> list[tuple[PassageKey, str]]:
        """Key and text of the source's next passages with vectors shorter than `dimensions`."""
        with self._database.reading() as db:
            rows = db.execute(
                text(
                    "SELECT p.key, p.text FROM source_passages p JOIN source_vectors v "
                    "ON v.passage_key = p.key WHERE p.source_id = :id AND p.replaced_at IS NULL "
                    "AND length(v.numbers) < :dimensions ORDER BY p.number LIMIT :limit"
                ),
                {"id": source_id, "dimensions": dimensions, "limit": limit},
            )
            return [(PassageKey(row[0]), row[1]) for row in rows]

    def passages_without(self, source_id: SourceId, limit: int) -> list[tuple[PassageKey, str]]:
        """Key and text of the source's next passages without a vector."""
        with self._database.reading() as db:
            rows = db.execute(
                text(
                    "SELECT p.key, p.text FROM source_passages p WHERE p.source_id = :id "
                    "AND p.replaced_at IS NULL AND NOT EXISTS "
                    "(SELECT 1 FROM source_vectors v WHERE v.passage_key = p.key) "
                    "ORDER BY p.number LIMIT :limit"
                ),
                {"id": source_id, "limit": limit},
            )
            return [(PassageKey(row[0]), row[1]) for row in rows]

    def add(self, passages: Sequence[EmbeddedPassage]) -> None:
        """Keep the vectors of passages; of one that is gone meanwhile nothing is kept."""
        with self._database.writing() as db:
            for passage in passages:
                _add(db, passage)

    def replace(self, passages: Sequence[EmbeddedPassage]) -> None:
        """Put full vectors in the place of fast ones."""
        with self._database.writing() as db:
            for passage in passages:
                drop_source_vectors(db, ":key", {"key": passage.key})
                _add(db, passage)

    def finish(self, source_id: SourceId, *, is_refined: bool) -> None:
        """All its passages have vectors, if nothing has changed it meanwhile."""
        with self._database.writing() as db:
            db.execute(
                text(
                    "UPDATE sources SET embedded_at = :at, refined_at = :refined "
                    "WHERE id = :id AND NOT EXISTS "
                    "(SELECT 1 FROM source_passages p WHERE p.source_id = :id "
                    "AND p.replaced_at IS NULL AND NOT EXISTS "
                    "(SELECT 1 FROM source_vectors v WHERE v.passage_key = p.key))"
                ),
                {
                    "at": utc_text(self._now()),
                    "refined": utc_text(self._now()) if is_refined else None,
                    "id": source_id,
                },
            )

    def nearest(self, wanted: Encoded, query: Query, limit: int) -> dict[PassageKey, float]:
        """Passages by meaning, the nearest first, each with how near it is."""
        with self._database.reading() as db:
            if db.exec_driver_sql("SELECT 1 FROM vector_model").scalar() is None:
                return {}
            among = _AMONG_FILTERED if query.is_filtered else _AMONG_BITS
            rows = db.execute(
                text(_NEAREST.format(among=among)),
                {
                    **source_bounds(query),
                    "numbers": wanted.numbers,
                    "bits": wanted.bits,
                    "candidates": limit,
                    "scanned": _MOST_SCANNED,
                },
            )
            near = {PassageKey(row.passage_key): 1.0 - row.distance for row in rows}
        return dict(list(near.items())[:limit])

    def similarities(
        self, wanted: Encoded, passages: Sequence[PassageKey]
    ) -> dict[PassageKey, float]:
        """How near each of these passages is; one without a vector is left out."""
        with self._database.reading() as db:
            rows = db.execute(
                text(
                    f"SELECT v.passage_key, {distance_sql('v')} AS distance "
                    "FROM source_vectors v WHERE v.passage_key IN "
                    "(SELECT value FROM json_each(:keys))"
                ),
                {"numbers": wanted.numbers, "keys": f"[{','.join(map(str, passages))}]"},
            )
            return {PassageKey(row.passage_key): 1.0 - row.distance for row in rows}


_NEAREST = (
    f"SELECT v.passage_key, {distance_sql('v')} "
    "AS distance FROM source_vectors v JOIN source_passages p ON p.key = v.passage_key "
    "JOIN sources s ON s.id = p.source_id WHERE v.id IN ({among}) "
    f"{SEARCHABLE_SOURCES} ORDER BY distance"
)
_AMONG_BITS = (
    "SELECT id FROM source_vector_bits WHERE bits MATCH vec_bit(:bits) AND k = :candidates"
)
_AMONG_FILTERED = (
    "SELECT v.id FROM source_vectors v JOIN source_passages p ON p.key = v.passage_key "
    f"JOIN sources s ON s.id = p.source_id WHERE 1 {SEARCHABLE_SOURCES} "
    "ORDER BY p.key DESC LIMIT :scanned"
)


def _add(db: Connection, passage: EmbeddedPassage) -> None:
    added = db.execute(
        text(
            "INSERT INTO source_vectors (passage_key, numbers) SELECT :key, :numbers WHERE EXISTS "
            "(SELECT 1 FROM source_passages WHERE key = :key AND replaced_at IS NULL)"
        ),
        {"key": passage.key, "numbers": passage.vector.numbers},
    )
    if added.rowcount:
        db.execute(
            text("INSERT INTO source_vector_bits (id, bits) VALUES (:id, vec_bit(:bits))"),
            {"id": added.lastrowid, "bits": passage.vector.bits},
        )


def drop_source_vectors(db: Connection, of_passages: str, values: Mapping[str, str | int]) -> None:
    """Drop the vectors of the passages that a list of keys, or a SELECT of them, names."""
    if db.exec_driver_sql("SELECT 1 FROM vector_model").scalar() is None:
        return
    rows = f"SELECT id FROM source_vectors WHERE passage_key IN ({of_passages})"
    db.execute(text(f"DELETE FROM source_vector_bits WHERE id IN ({rows})"), values)
    db.execute(text(f"DELETE FROM source_vectors WHERE passage_key IN ({of_passages})"), values)
