"""Vectors of messages, of passages of sources, and of facts, and the search for the nearest.

A message has a vector for each part of it, a passage has one. `vectors` and `source_vectors` hold
them as signed bytes; a virtual table beside each holds the signs alone, one bit a number, and is
what a search runs over: a million of them are compared in some 200 ms, then the bytes put the best
few into their order (measured, sqlite-vec 0.1.9).

A vector of the fast model alone is shorter: it is the tail of a full one. Its bits have zeros in
the place of the rest, which count as unrelated, and its similarity is brought to the scale of full
vectors (`_DISTANCE`). `embedded_at` of sessions and sources shows what has no vector yet,
`refined_at` what has only fast ones.

Text SQL: virtual tables and functions of sqlite-vec.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Generic, NamedTuple, TypeVar

from sqlalchemy import Connection, text

from desktop.domain.ids import MessageId
from desktop.domain.search import EmbeddingProgress, Query
from desktop.domain.times import utc_text
from desktop.storage.schema.database import Repository
from desktop.storage.search.message_index import SEARCHABLE, bounds
from desktop.storage.search.source_index import SEARCHABLE_SOURCES, PassageKey

_MOST_SCANNED = 50_000
"""Messages between two dates or of one topic that are compared one by one, the newest first."""


_CHUNK = 4096
"""Vectors that lie together: of the usual 1,024 a search takes twice as long (63 ms against 124
for 300,000 of them), and more is not allowed."""


_MANY = 50_000
"""From so many vectors on signs propose no more than are asked for: of each chunk as many are
drawn as are wanted in all (of a million 150 ms for 100, 305 for 200)."""


_FAST_SLOPE, _FAST_OFFSET = 0.92, 0.10
"""Similarity by the fast model, brought to the scale of both: quantiles (50, 90, 99, 99.9 %) of
36,000 pairs of question and message matched, slope and offset 1.01, .13 on Turkish paragraphs and
.84, .07 on English meetings; the mean of both."""


_TAIL = "vec_int8(substr(:numbers, -length(v.numbers)))"
_DISTANCE = (
    "CASE WHEN length(v.numbers) = length(:numbers) "
    "THEN vec_distance_cosine(vec_int8(v.numbers), vec_int8(:numbers)) ELSE "
    f"1 - ({_FAST_SLOPE} * (1 - vec_distance_cosine(vec_int8(v.numbers), {_TAIL})) "
    f"+ {_FAST_OFFSET}) END"
)
"""Of a vector `v` from `:numbers`, with fast vectors on the full scale."""


class Encoded(NamedTuple):
    """One vector, in its stored form and in its search form."""

    numbers: bytes  # A signed byte a dimension
    bits: bytes
    """Their signs, eight dimensions a byte, the first in the lowest bit; of a fast vector after
    zeros for the numbers that it lacks."""


Key = TypeVar("Key", bound=int)


@dataclass(frozen=True, slots=True)
class _Tables(Generic[Key]):
    """Where vectors of one kind are, in SQL: `p` is what has vectors, `s` its owner."""

    vectors: str
    bits: str
    key: str  # The column of `vectors` that names what a vector is of
    key_in_p: str
    words: str
    parts: str
    owners: str
    owner_in_p: str
    newest_first: str
    is_owner: str  # Which owners are embedded at all
    is_part: str
    is_finished: str
    """Of an owner whose vectors have just been made: nothing has changed it meanwhile."""
    searchable: str

    @property
    def joined(self) -> str:
        return (
            f"{self.vectors} v JOIN {self.parts} p ON p.{self.key_in_p} = v.{self.key} "
            f"JOIN {self.owners} s ON s.id = p.{self.owner_in_p}"
        )


_MESSAGES: _Tables[MessageId] = _Tables(
    vectors="vectors",
    bits="vector_bits",
    key="message_id",
    key_in_p="id",
    words="content",
    parts="messages",
    owners="sessions",
    owner_in_p="session_id",
    newest_first="updated_at DESC",
    is_owner="status = 'complete' AND deleted_at IS NULL",
    is_part="p.is_current = 1 AND p.content != ''",
    is_finished="1",
    searchable=(
        "p.is_current = 1 AND v.message_id >= :since AND v.message_id < :until " + SEARCHABLE
    ),
)
_PASSAGES: _Tables[PassageKey] = _Tables(
    vectors="source_vectors",
    bits="source_vector_bits",
    key="passage_key",
    key_in_p="key",
    words="text",
    parts="source_passages",
    owners="sources",
    owner_in_p="source_id",
    newest_first="added_at DESC",
    is_owner="deleted_at IS NULL",
    is_part="p.replaced_at IS NULL",
    is_finished=(
        "NOT EXISTS (SELECT 1 FROM source_passages p WHERE p.source_id = :owner "
        "AND p.replaced_at IS NULL AND NOT EXISTS "
        "(SELECT 1 FROM source_vectors v WHERE v.passage_key = p.key))"
    ),
    searchable=f"1 {SEARCHABLE_SOURCES}",
)


class VectorStore(Repository, Generic[Key]):
    """Vectors of messages or passages, by one model at a time. Methods may raise StorageError."""

    _in: _Tables[Key]

    def owners(self, *, refines: bool = False) -> Sequence[str]:
        """Return complete sessions, or sources, with something not embedded, newest first.

        `refines`: return those that have vectors of the fast model only.
        """
        tables = self._in
        is_due = "embedded_at IS NOT NULL AND refined_at" if refines else "embedded_at"
        return self._values(
            f"SELECT id FROM {tables.owners} WHERE {tables.is_owner} AND {is_due} IS NULL "
            f"ORDER BY {tables.newest_first}"
        )

    def due(self, owner: str, limit: int, *, below: int = 0) -> list[tuple[Key, str]]:
        """Return key and text of the owner's next messages or passages without a vector.

        `below`: return those with vectors of fewer dimensions.
        """
        tables = self._in
        shorter = "EXISTS ({} AND length(v.numbers) < :below)"
        is_due = (shorter if below else "NOT EXISTS ({})").format(
            f"SELECT 1 FROM {tables.vectors} v WHERE v.{tables.key} = p.{tables.key_in_p}"
        )
        rows = self._rows(
            f"SELECT p.{tables.key_in_p}, p.{tables.words} FROM {tables.parts} p "
            f"WHERE p.{tables.owner_in_p} = :owner AND {tables.is_part} AND {is_due} "
            "ORDER BY p.number LIMIT :limit",
            {"owner": owner, "limit": limit, "below": below},
        )
        return [(key, words) for key, words in rows]

    def add(self, several: Mapping[Key, Sequence[Encoded]], *, refines: bool = False) -> None:
        """Store the vectors, except those of what was deleted meanwhile.

        `refines`: in place of earlier ones.
        """
        with self._database.writing() as db:
            for key, vectors in several.items():
                if refines:
                    _drop(db, self._in, ":key", {"key": key})
                self._add(db, key, vectors)

    def finish(self, owner: str, *, is_refined: bool) -> None:
        """Record that the owner is embedded: it is due again only when it changes.

        `is_refined`: nothing is left for the stronger model.
        """
        tables, at = self._in, utc_text(self._now())
        with self._database.writing() as db:
            left = (
                f"SELECT p.{tables.key_in_p} FROM {tables.parts} p "
                f"WHERE p.{tables.owner_in_p} = :owner AND NOT ({tables.is_part})"
            )
            _drop(db, tables, left, {"owner": owner})
            db.execute(
                text(
                    f"UPDATE {tables.owners} SET embedded_at = :at, refined_at = :refined "
                    f"WHERE id = :owner AND {tables.is_owner} AND {tables.is_finished}"
                ),
                {"at": at, "refined": at if is_refined else None, "owner": owner},
            )

    def nearest(self, vector: Encoded, query: Query, limit: int) -> dict[Key, float]:
        """Return the nearest by meaning first, each with its similarity: 1 means the same."""
        tables = self._in
        if query.is_filtered:
            among = (
                f"SELECT v.id FROM {tables.joined} WHERE {tables.searchable} "
                f"ORDER BY v.{tables.key} DESC LIMIT :scanned"
            )
        else:
            among = (
                f"SELECT id FROM {tables.bits} WHERE bits MATCH vec_bit(:bits) AND k = :candidates"
            )
        statement = text(
            f"SELECT v.{tables.key}, {_DISTANCE} AS distance FROM {tables.joined} "
            f"WHERE v.id IN ({among}) AND {tables.searchable} ORDER BY distance"
        )
        near: dict[Key, float] = {}
        with self._database.reading() as db:
            if db.exec_driver_sql("SELECT 1 FROM vector_model").scalar() is None:
                return near
            # Roughly: rows are rarely deleted, and counting them all takes long.
            newest = db.exec_driver_sql(f"SELECT coalesce(max(id), 0) FROM {tables.vectors}")
            values = {
                **bounds(query),
                "numbers": vector.numbers,
                "bits": vector.bits,
                "candidates": limit if newest.scalar_one() > _MANY else limit * 2,
                "scanned": _MOST_SCANNED,
            }
            for key, far in db.execute(statement, values):
                if far is not None:  # a damaged vector has no distance
                    near.setdefault(key, 1.0 - far)  # by the nearest of its parts
        return dict(islice(near.items(), limit))

    def similarities(self, vector: Encoded, among: Sequence[Key]) -> dict[Key, float]:
        """Return the similarity of each of these; without those that have no vector."""
        rows = self._rows(
            f"SELECT v.{self._in.key}, min({_DISTANCE}) FROM {self._in.vectors} v "
            f"WHERE v.{self._in.key} IN (SELECT value FROM json_each(:keys)) "
            f"GROUP BY v.{self._in.key}",
            {"numbers": vector.numbers, "keys": json.dumps(list(among))},
        )
        return {key: 1.0 - far for key, far in rows if far is not None}

    def _add(self, db: Connection, key: Key, vectors: Sequence[Encoded]) -> None:
        tables = self._in
        for encoded in vectors:
            added = db.execute(
                text(
                    f"INSERT INTO {tables.vectors} ({tables.key}, numbers) "
                    f"SELECT p.{tables.key_in_p}, :numbers FROM {tables.parts} p "
                    f"WHERE p.{tables.key_in_p} = :key AND {tables.is_part}"
                ),
                {"key": key, "numbers": encoded.numbers},
            )
            if added.rowcount:
                db.execute(
                    text(f"INSERT INTO {tables.bits} (id, bits) VALUES (:id, vec_bit(:bits))"),
                    {"id": added.lastrowid, "bits": encoded.bits},
                )


class MessageVectorStore(VectorStore[MessageId]):
    """Also knows which model all vectors are of."""

    _in = _MESSAGES

    def model(self) -> str | None:
        """Return the model of the vectors; None before the first."""
        name: str | None = self._value("SELECT name FROM vector_model")
        return name

    def use_model(self, name: str, dimensions: int) -> None:
        """Use vectors of this model from now on; those of another are dropped."""
        if self.model() == name:
            return
        with self._database.writing() as db:
            drop_every_vector(db)
            for tables in (_MESSAGES, _PASSAGES):
                db.exec_driver_sql(
                    f"CREATE VIRTUAL TABLE {tables.bits} USING vec0("
                    f"id INTEGER PRIMARY KEY, bits bit[{dimensions}], chunk_size={_CHUNK})"
                )
                db.exec_driver_sql(
                    f"UPDATE {tables.owners} SET embedded_at = NULL, refined_at = NULL"
                )
            db.execute(
                text("INSERT INTO vector_model VALUES (1, :name, :dimensions)"),
                {"name": name, "dimensions": dimensions},
            )

    def progress(self) -> EmbeddingProgress:
        row = self._rows(
            "SELECT count(embedded_at), count(refined_at), count(*) FROM sessions "
            "WHERE status = 'complete' AND deleted_at IS NULL"
        )[0]
        return EmbeddingProgress(*map(int, row))


class SourceVectorStore(VectorStore[PassageKey]):
    _in = _PASSAGES


def drop_every_vector(db: Connection) -> None:
    """Leave the file as one without a model: the next one makes all vectors again."""
    for tables in (_MESSAGES, _PASSAGES):
        db.exec_driver_sql(f"DROP TABLE IF EXISTS {tables.bits}")
        db.exec_driver_sql(f"DELETE FROM {tables.vectors}")
    db.exec_driver_sql("DELETE FROM fact_vectors")
    db.exec_driver_sql("DELETE FROM note_vectors")
    db.exec_driver_sql("DELETE FROM vector_model")


def drop_vectors(db: Connection, of_messages: str, values: Mapping[str, str | int]) -> None:
    """Drop the vectors of the messages that a SELECT of ids names."""
    _drop(db, _MESSAGES, of_messages, values)


def drop_source_vectors(db: Connection, of_passages: str, values: Mapping[str, str | int]) -> None:
    """Drop the vectors of the passages that a list of keys, or a SELECT of them, names."""
    _drop(db, _PASSAGES, of_passages, values)


def _drop(
    db: Connection, tables: _Tables[Any], which: str, values: Mapping[str, str | int]
) -> None:
    if db.exec_driver_sql("SELECT 1 FROM vector_model").scalar() is None:
        return
    rows = f"SELECT id FROM {tables.vectors} WHERE {tables.key} IN ({which})"
    db.execute(text(f"DELETE FROM {tables.bits} WHERE id IN ({rows})"), values)
    db.execute(text(f"DELETE FROM {tables.vectors} WHERE {tables.key} IN ({which})"), values)
