"""Vectors of messages and facts, and the search for the nearest.

Each message has one vector a passage of it. `vectors` holds them as signed bytes; the virtual
table `vector_bits` holds the signs alone, one bit a number, and is what a search runs over: a
million of them are compared in some 200 ms, then the bytes put the best few into their order
(measured, sqlite-vec 0.1.9).

A vector of the fast model alone is shorter: it is the tail of a full one. Its bits have zeros in
the place of the rest, which count as unrelated, and its similarity is brought to the scale of full
vectors (`distance_sql`). What has no vector yet can be read off `sessions.embedded_at`, what only
has fast ones off `sessions.refined_at`.

Text SQL: virtual tables and functions of sqlite-vec.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, NewType

from sqlalchemy import Connection, func, insert, literal, select, text

from desktop.domain.embedding import EmbeddingProgress
from desktop.domain.facts import FactFilter
from desktop.domain.ids import FactId, MessageId, SessionId
from desktop.domain.search import Query
from desktop.domain.times import Clock, utc_now, utc_text
from desktop.storage.database import Database
from desktop.storage.fact_rows import HOLDS, SEEN, fact_conditions
from desktop.storage.session_index import SEARCHABLE, bounds
from desktop.storage.tables import fact_vectors, facts

_MOST_SCANNED = 50_000
"""Messages between two dates or of one topic that are compared one by one, the newest first."""


_CHUNK = 4096
"""Vectors that lie together: of the usual 1,024 a search takes twice as long (63 ms against 124
for 300,000 of them), and more is not allowed."""


_MANY = 300_000
"""From so many vectors on signs propose no more than are asked for: of each chunk as many are
drawn as are wanted in all (of a million 150 ms for 100, 305 for 200)."""


_FAST_SLOPE, _FAST_OFFSET = 0.92, 0.10
"""Similarity by the fast model, brought to the scale of both: quantiles (50, 90, 99, 99.9 %) of
36,000 pairs of question and message matched, slope and offset 1.01, .13 on Turkish paragraphs and
.84, .07 on English meetings; the mean of both."""


def distance_sql(table: str) -> str:
    """How far a row of `table` is from `:numbers`; of a fast vector on the scale of full ones."""
    numbers = f"{table}.numbers"
    full = f"vec_distance_cosine(vec_int8({numbers}), vec_int8(:numbers))"
    tail = f"vec_int8(substr(:numbers, -length({numbers})))"
    fast = f"vec_distance_cosine(vec_int8({numbers}), {tail})"
    return (
        f"CASE WHEN length({numbers}) = length(:numbers) THEN {full} "
        f"ELSE 1 - ({_FAST_SLOPE} * (1 - {fast}) + {_FAST_OFFSET}) END"
    )


class Encoded(NamedTuple):
    """One vector, as it is stored and as it is searched."""

    numbers: bytes
    """A signed byte a dimension."""
    bits: bytes
    """Their signs, eight dimensions a byte, the first in the lowest bit; of a fast vector after
    zeros for the numbers that it lacks."""


@dataclass(frozen=True, slots=True)
class EmbeddedMessage:
    id: MessageId
    vectors: Sequence[Encoded]


class VectorStore:
    """Repository of vectors of one model at a time. Every method may raise StorageError."""

    def __init__(self, database: Database, *, now: Clock = utc_now) -> None:
        self._database = database
        self._now = now

    def model(self) -> str | None:
        """Whose vectors these are; None before the first."""
        with self._database.reading() as db:
            return db.exec_driver_sql("SELECT name FROM vector_model").scalar()

    def use_model(self, name: str, dimensions: int) -> None:
        """Keep vectors of this model from here on; those of another are dropped."""
        if self.model() == name:
            return
        with self._database.writing() as db:
            for table in ("vectors", "source_vectors"):
                bits = f"{table.removesuffix('s')}_bits"
                db.exec_driver_sql(f"DROP TABLE IF EXISTS {bits}")
                db.exec_driver_sql(f"DELETE FROM {table}")
                db.exec_driver_sql(
                    f"CREATE VIRTUAL TABLE {bits} USING vec0("
                    f"id INTEGER PRIMARY KEY, bits bit[{dimensions}], chunk_size={_CHUNK})"
                )
            db.exec_driver_sql("DELETE FROM fact_vectors")
            db.exec_driver_sql("DELETE FROM vector_model")
            db.exec_driver_sql("UPDATE sessions SET embedded_at = NULL, refined_at = NULL")
            db.exec_driver_sql("UPDATE sources SET embedded_at = NULL, refined_at = NULL")
            db.execute(
                text("INSERT INTO vector_model VALUES (1, :name, :dimensions)"),
                {"name": name, "dimensions": dimensions},
            )

    def sessions_without(self) -> list[SessionId]:
        """Complete sessions of which messages have no vector yet, the newest first."""
        with self._database.reading() as db:
            rows = db.exec_driver_sql(
                "SELECT id FROM sessions WHERE status = 'complete' AND embedded_at IS NULL "
                "AND deleted_at IS NULL ORDER BY updated_at DESC"
            )
            return [SessionId(row[0]) for row in rows]

    def sessions_to_refine(self) -> list[SessionId]:
        """Complete sessions whose messages have vectors of the fast model only, newest first."""
        with self._database.reading() as db:
            rows = db.exec_driver_sql(
                "SELECT id FROM sessions WHERE status = 'complete' AND embedded_at IS NOT NULL "
                "AND refined_at IS NULL AND deleted_at IS NULL ORDER BY updated_at DESC"
            )
            return [SessionId(row[0]) for row in rows]

    def messages_to_refine(
        self, session_id: SessionId, dimensions: int, limit: int
    ) -> list[tuple[MessageId, str]]:
        """Id and text of the session's next messages with vectors shorter than `dimensions`."""
        with self._database.reading() as db:
            rows = db.execute(
                text(
                    "SELECT m.id, m.content FROM messages m WHERE m.session_id = :id "
                    "AND m.is_current = 1 AND EXISTS (SELECT 1 FROM vectors v "
                    "WHERE v.message_id = m.id AND length(v.numbers) < :dimensions) "
                    "ORDER BY m.number LIMIT :limit"
                ),
                {"id": session_id, "dimensions": dimensions, "limit": limit},
            )
            return [(MessageId(row[0]), row[1]) for row in rows]

    def messages_without(self, session_id: SessionId, limit: int) -> list[tuple[MessageId, str]]:
        """Id and text of the session's next messages without a vector."""
        with self._database.reading() as db:
            rows = db.execute(
                text(
                    "SELECT m.id, m.content FROM messages m WHERE m.session_id = :id "
                    "AND m.is_current = 1 AND m.content != '' AND NOT EXISTS "
                    "(SELECT 1 FROM vectors v WHERE v.message_id = m.id) "
                    "ORDER BY m.number LIMIT :limit"
                ),
                {"id": session_id, "limit": limit},
            )
            return [(MessageId(row[0]), row[1]) for row in rows]

    def add(self, messages: Sequence[EmbeddedMessage]) -> None:
        """Keep the vectors of messages; of one deleted meanwhile nothing is kept."""
        with self._database.writing() as db:
            for message in messages:
                for encoded in message.vectors:
                    _add(db, message.id, encoded)

    def replace(self, messages: Sequence[EmbeddedMessage]) -> None:
        """Put full vectors in the place of fast ones, message by message."""
        with self._database.writing() as db:
            for message in messages:
                drop_vectors(db, "SELECT :id", {"id": message.id})
                for encoded in message.vectors:
                    _add(db, message.id, encoded)

    def finish(self, session_id: SessionId, *, is_refined: bool) -> None:
        """All its messages have vectors: look at it again only when it has changed.

        `is_refined`: nothing is left to the stronger model.
        """
        with self._database.writing() as db:
            _drop_left_versions(db, session_id)
            db.execute(
                text(
                    "UPDATE sessions SET embedded_at = :at, refined_at = :refined "
                    "WHERE id = :id AND status = 'complete'"
                ),
                {
                    "at": utc_text(self._now()),
                    "refined": utc_text(self._now()) if is_refined else None,
                    "id": session_id,
                },
            )

    def nearest(self, wanted: Encoded, query: Query, limit: int) -> list[MessageId]:
        """Messages of complete sessions by meaning, the nearest first."""
        with self._database.reading() as db:
            if db.exec_driver_sql("SELECT 1 FROM vector_model").scalar() is None:
                return []
            among = _among_filtered if query.is_filtered else _among_bits
            rows = db.execute(
                text(_NEAREST.format(among=among)),
                {
                    **bounds(query),
                    "numbers": wanted.numbers,
                    "bits": wanted.bits,
                    "candidates": limit if _count(db) > _MANY else limit * 2,
                    "scanned": _MOST_SCANNED,
                },
            )
            # A message stands where its nearest passage does.
            return list(dict.fromkeys(MessageId(row.message_id) for row in rows))[:limit]

    def similarities(
        self, wanted: Encoded, messages: Sequence[MessageId]
    ) -> dict[MessageId, float]:
        """How near each of these messages is; one without a vector is left out."""
        if not messages:
            return {}
        with self._database.reading() as db:
            rows = db.execute(
                text(
                    f"SELECT v.message_id, min({distance_sql('v')}) AS distance "
                    "FROM vectors v WHERE v.message_id IN "
                    "(SELECT value FROM json_each(:ids)) GROUP BY v.message_id"
                ),
                {"numbers": wanted.numbers, "ids": f"[{','.join(map(str, messages))}]"},
            )
            return {MessageId(row.message_id): 1.0 - row.distance for row in rows}

    def progress(self) -> EmbeddingProgress:
        with self._database.reading() as db:
            row = db.exec_driver_sql(
                "SELECT count(embedded_at), count(refined_at), count(*) FROM sessions "
                "WHERE status = 'complete' AND deleted_at IS NULL"
            ).one()
            return EmbeddingProgress(int(row[0]), int(row[1]), int(row[2]))


_NEAREST = (
    f"SELECT v.message_id, {distance_sql('v')} "
    "AS distance FROM vectors v JOIN messages m ON m.id = v.message_id "
    "JOIN sessions s ON s.id = m.session_id WHERE v.id IN ({among}) AND m.is_current = 1 "
    f"{SEARCHABLE} ORDER BY distance"
)
_among_bits = "SELECT id FROM vector_bits WHERE bits MATCH vec_bit(:bits) AND k = :candidates"
_among_filtered = (
    "SELECT v.id FROM vectors v JOIN messages m ON m.id = v.message_id "
    "JOIN sessions s ON s.id = m.session_id WHERE v.message_id >= :since "
    f"AND v.message_id < :until {SEARCHABLE} ORDER BY v.message_id DESC LIMIT :scanned"
)


def _count(db: Connection) -> int:
    """Roughly: rows are rarely deleted, and counting them all takes long."""
    return int(db.exec_driver_sql("SELECT coalesce(max(id), 0) FROM vectors").scalar_one())


def _add(db: Connection, message_id: MessageId, encoded: Encoded) -> None:
    added = db.execute(
        text(
            "INSERT INTO vectors (message_id, numbers) SELECT :message_id, :numbers "
            "WHERE EXISTS (SELECT 1 FROM messages WHERE id = :message_id)"
        ),
        {"message_id": message_id, "numbers": encoded.numbers},
    )
    if added.rowcount:
        db.execute(
            text("INSERT INTO vector_bits (id, bits) VALUES (:id, vec_bit(:bits))"),
            {"id": added.lastrowid, "bits": encoded.bits},
        )


def _drop_left_versions(db: Connection, session_id: SessionId) -> None:
    drop_vectors(
        db, "SELECT id FROM messages WHERE session_id = :id AND is_current = 0", {"id": session_id}
    )


def drop_vectors(db: Connection, of_messages: str, values: Mapping[str, str | int]) -> None:
    """Drop the vectors of the messages that a SELECT of ids names."""
    if db.exec_driver_sql("SELECT 1 FROM vector_model").scalar() is None:
        return
    rows = f"SELECT id FROM vectors WHERE message_id IN ({of_messages})"
    db.execute(text(f"DELETE FROM vector_bits WHERE id IN ({rows})"), values)
    db.execute(text(f"DELETE FROM vectors WHERE message_id IN ({of_messages})"), values)


FactKey = NewType("FactKey", int)


class FactVectorStore:
    """Vectors of facts: few enough to be compared one by one. Methods may raise StorageError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def without(self, limit: int) -> list[tuple[FactKey, str]]:
        """Key and words of facts that hold and have no vector yet."""
        embedded = select(fact_vectors.c.fact_key).where(fact_vectors.c.fact_key == facts.c.key)
        wanted = (
            select(facts.c.key, facts.c.content)
            .where(SEEN, HOLDS, ~embedded.exists())
            .order_by(facts.c.key.desc())
            .limit(limit)
        )
        with self._database.reading() as db:
            return [(FactKey(row.key), row.content) for row in db.execute(wanted)]

    def add(self, vectors: Sequence[tuple[FactKey, Encoded]]) -> None:
        """Of a fact that is gone meanwhile nothing is stored."""
        with self._database.writing() as db:
            for key, encoded in vectors:
                row = select(facts.c.key, literal(encoded.numbers)).where(facts.c.key == key)
                db.execute(
                    insert(fact_vectors)
                    .prefix_with("OR REPLACE")
                    .from_select(["fact_key", "numbers"], row)
                )

    def nearest(
        self, wanted: Encoded, among: FactFilter, limit: int
    ) -> list[tuple[FactId, float]]:
        """Facts by meaning, the nearest first, each with how near it is: 1 says the same."""
        distance = func.vec_distance_cosine(
            func.vec_int8(fact_vectors.c.numbers), func.vec_int8(wanted.numbers)
        ).label("distance")
        nearest = (
            select(facts.c.id, distance)
            .join(fact_vectors, fact_vectors.c.fact_key == facts.c.key)
            .where(SEEN, *fact_conditions(among))
            .order_by(distance)
            .limit(limit)
        )
        with self._database.reading() as db:
            return [(FactId(row.id), 1.0 - row.distance) for row in db.execute(nearest)]
