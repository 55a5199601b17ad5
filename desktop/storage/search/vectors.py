"""Vectors of messages, of passages of sources, and of facts, and the search for the nearest.

A message has a vector for each part of it, a passage has one. `vectors` and `source_vectors` hold
them as signed bytes; a virtual table beside each holds the signs alone, one bit a number, and is
what a search runs over: a million of them are compared in some 200 ms, then the bytes put the best
few into their order (measured, sqlite-vec 0.1.9).

Every vector belongs to a set (`vector_model`), that of one model. While another model's vectors
are made, there are two sets: searches read the current one, until the other is complete and takes
its place in one transaction. What the other set lacks is read off the rows, so a kill loses
nothing.

A vector of the fast model alone is shorter: it is the tail of a full one. Its bits have zeros in
the place of the rest, which count as unrelated, and its similarity is brought to the scale of full
vectors (`_DISTANCE`). `embedded_at` of sessions and sources shows what has no vector yet,
`refined_at` what has only fast ones. A text that a model refuses has zeros, which have no
distance: it is due again when it changes, or for another model.

Text SQL: virtual tables and functions of sqlite-vec.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Select,
    column,
    func,
    insert,
    literal,
    select,
    text,
    true,
)

from desktop.domain.ids import MessageId
from desktop.domain.search import Query, VectorSet
from desktop.domain.times import utc_text
from desktop.storage.schema.database import Repository
from desktop.storage.schema.row_mapping import DatabaseRow
from desktop.storage.search.message_index import SEARCHABLE, bounds
from desktop.storage.search.source_index import SEARCHABLE_SOURCES, PassageKey

_MOST_SCANNED = 50_000
"""Messages between two dates or of one topic that are compared one by one, the newest first."""


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
    model: int = 1  # The number of its set


Key = TypeVar("Key", bound=int)


@dataclass(frozen=True, slots=True)
class VectorTables(Generic[Key]):
    """Where vectors of one kind are, in SQL: `p` is what has vectors, `s` its owner."""

    vectors: str
    own_bits: str  # Of the first set
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
    is_kept_here: str  # Whether an owner may not leave this computer

    def bits(self, number: int) -> str:
        return self.own_bits if number == 1 else f"other_{self.own_bits}"

    def lacks(self, number: int) -> str:
        """Return the condition that an owner has something without a vector of this set."""
        return (
            f"EXISTS (SELECT 1 FROM {self.parts} p WHERE p.{self.owner_in_p} = {self.owners}.id "
            f"AND {self.is_part} AND NOT EXISTS (SELECT 1 FROM {self.vectors} v "
            f"WHERE v.{self.key} = p.{self.key_in_p} AND v.model = {number}))"
        )

    def is_due(self, *, leaves: bool) -> str:
        """Return the condition of owners that are embedded; `leaves`: elsewhere."""
        return f"{self.is_owner} AND NOT ({self.is_kept_here})" if leaves else self.is_owner

    @property
    def joined(self) -> str:
        return (
            f"{self.vectors} v JOIN {self.parts} p ON p.{self.key_in_p} = v.{self.key} "
            f"JOIN {self.owners} s ON s.id = p.{self.owner_in_p}"
        )


_PROJECTS_HERE = "SELECT id FROM projects WHERE is_local_only"
KEPT_HERE = text(_PROJECTS_HERE).columns(column("id")).scalar_subquery()
"""The projects that may not leave this computer, for conditions of other kinds of vectors."""
OF_MESSAGES: VectorTables[MessageId] = VectorTables(
    vectors="vectors",
    own_bits="vector_bits",
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
    is_kept_here=f"project IN ({_PROJECTS_HERE})",
)
_PASSAGES: VectorTables[PassageKey] = VectorTables(
    vectors="source_vectors",
    own_bits="source_vector_bits",
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
        "(SELECT 1 FROM source_vectors v WHERE v.passage_key = p.key AND v.model = :model))"
    ),
    searchable=f"1 {SEARCHABLE_SOURCES}",
    is_kept_here=(
        f"project IN ({_PROJECTS_HERE}) OR session_id IN "
        f"(SELECT id FROM sessions WHERE project IN ({_PROJECTS_HERE}))"
    ),
)


class VectorStore(Repository, Generic[Key]):
    """Vectors of messages or passages. Methods may raise StorageError."""

    _in: VectorTables[Key]

    def owners(
        self, vectors: VectorSet, *, refines: bool = False, leaves: bool = False
    ) -> Sequence[str]:
        """Return complete sessions, or sources, with something not embedded, newest first.

        `refines`: those that have vectors of the fast model only. `leaves`: without those that
        may not leave this computer.
        """
        tables = self._in
        is_due = "embedded_at IS NOT NULL AND refined_at IS NULL" if refines else None
        is_due = is_due or (
            "embedded_at IS NULL" if vectors.is_current else tables.lacks(vectors.number)
        )
        return self._values(
            f"SELECT id FROM {tables.owners} WHERE {tables.is_due(leaves=leaves)} AND {is_due} "
            f"ORDER BY {tables.newest_first}"
        )

    def count_owners(self, *, leaves: bool) -> int:
        where = self._in.is_due(leaves=leaves)
        return int(self._values(f"SELECT count(*) FROM {self._in.owners} WHERE {where}")[0])

    def due(
        self, owner: str, limit: int, vectors: VectorSet, *, below: int = 0
    ) -> list[tuple[Key, str]]:
        """Return key and text of the owner's next messages or passages without a vector.

        `below`: return those with vectors of fewer dimensions.
        """
        tables = self._in
        shorter = "EXISTS ({} AND length(v.numbers) < :below)"
        is_due = (shorter if below else "NOT EXISTS ({})").format(
            f"SELECT 1 FROM {tables.vectors} v WHERE v.{tables.key} = p.{tables.key_in_p} "
            "AND v.model = :model"
        )
        rows = self._rows(
            f"SELECT p.{tables.key_in_p}, p.{tables.words} FROM {tables.parts} p "
            f"WHERE p.{tables.owner_in_p} = :owner AND {tables.is_part} AND {is_due} "
            "ORDER BY p.number LIMIT :limit",
            {"owner": owner, "limit": limit, "below": below, "model": vectors.number},
        )
        return [(key, words) for key, words in rows]

    def add(self, several: Mapping[Key, Sequence[Encoded]], *, refines: bool = False) -> None:
        """Store the vectors, except those of what was deleted meanwhile.

        `refines`: in place of earlier ones.
        """
        with self._database.writing() as db:
            for key, vectors in several.items():
                if refines:
                    number = next((encoded.model for encoded in vectors), None)
                    _drop(db, self._in, ":key", {"key": key}, number)
                self._add(db, key, vectors)

    def finish(self, owner: str, vectors: VectorSet, *, is_refined: bool) -> None:
        """Record that the owner is embedded: it is due again only when it changes.

        `is_refined`: nothing is left for the stronger model. Of a set that is not current
        nothing is recorded.
        """
        tables, at = self._in, utc_text(self._now())
        if not vectors.is_current:
            return
        with self._database.writing() as db:
            left = (
                f"SELECT p.{tables.key_in_p} FROM {tables.parts} p "
                f"WHERE p.{tables.owner_in_p} = :owner AND NOT ({tables.is_part})"
            )
            _drop(db, tables, left, {"owner": owner})
            values = {"at": at, "refined": at if is_refined else None, "owner": owner}
            db.execute(
                text(
                    f"UPDATE {tables.owners} SET embedded_at = :at, refined_at = :refined "
                    f"WHERE id = :owner AND {tables.is_owner} AND {tables.is_finished}"
                ),
                {**values, "model": vectors.number},
            )

    def nearest(self, vector: Encoded, query: Query, limit: int) -> dict[Key, float]:
        """Return the nearest by meaning first, each with its similarity: 1 means the same."""
        tables = self._in
        if query.is_filtered:
            among = (
                f"SELECT v.id FROM {tables.joined} "
                f"WHERE v.model = :model AND {tables.searchable} "
                f"ORDER BY v.{tables.key} DESC LIMIT :scanned"
            )
        else:
            among = (
                f"SELECT id FROM {tables.bits(vector.model)} "
                "WHERE bits MATCH vec_bit(:bits) AND k = :candidates"
            )
        statement = text(
            f"SELECT v.{tables.key}, {_DISTANCE} AS distance FROM {tables.joined} "
            f"WHERE v.id IN ({among}) AND v.model = :model AND {tables.searchable} "
            "ORDER BY distance"
        )
        near: dict[Key, float] = {}
        with self._database.reading() as db:
            # Another set may have taken its place while the query was embedded.
            if vector.model not in (each.number for each in read_sets(db) if each.is_current):
                return near
            # Roughly: rows are rarely deleted, and counting them all takes long.
            newest = db.exec_driver_sql(f"SELECT coalesce(max(id), 0) FROM {tables.vectors}")
            values = {
                **bounds(query),
                "numbers": vector.numbers,
                "bits": vector.bits,
                "model": vector.model,
                "candidates": limit if newest.scalar_one() > _MANY else limit * 2,
                "scanned": _MOST_SCANNED,
            }
            for key, far in db.execute(statement, values):
                if far is not None:  # a damaged vector has no distance
                    near.setdefault(key, 1.0 - far)  # by the nearest of its parts
        return dict(islice(near.items(), limit))

    def current(self) -> VectorSet | None:
        """Return the set that is searched; None before the first vector."""
        with self._database.reading() as db:
            return next((each for each in read_sets(db) if each.is_current), None)

    def similarities(self, vector: Encoded, among: Sequence[Key]) -> dict[Key, float]:
        """Return the similarity of each of these; without those that have no vector."""
        rows = self._rows(
            f"SELECT v.{self._in.key}, min({_DISTANCE}) FROM {self._in.vectors} v "
            f"WHERE v.{self._in.key} IN (SELECT value FROM json_each(:keys)) "
            f"AND v.model = :model GROUP BY v.{self._in.key}",
            {
                "numbers": vector.numbers,
                "keys": json.dumps(list(among)),
                "model": vector.model,
            },
        )
        return {key: 1.0 - far for key, far in rows if far is not None}

    def _add(self, db: Connection, key: Key, vectors: Sequence[Encoded]) -> None:
        tables = self._in
        for encoded in vectors:
            added = db.execute(
                text(
                    f"INSERT INTO {tables.vectors} ({tables.key}, numbers, model) "
                    f"SELECT p.{tables.key_in_p}, :numbers, :model FROM {tables.parts} p "
                    f"WHERE p.{tables.key_in_p} = :key AND {tables.is_part}"
                ),
                {"key": key, "numbers": encoded.numbers, "model": encoded.model},
            )
            if added.rowcount:
                bits = tables.bits(encoded.model)
                db.execute(
                    text(f"INSERT INTO {bits} (id, bits) VALUES (:id, vec_bit(:bits))"),
                    {"id": added.lastrowid, "bits": encoded.bits},
                )


class SourceVectorStore(VectorStore[PassageKey]):
    _in = _PASSAGES


TABLES: tuple[VectorTables[Any], ...] = (OF_MESSAGES, _PASSAGES)


def read_sets(db: Connection) -> list[VectorSet]:
    rows = db.exec_driver_sql(
        "SELECT number, name, dimensions, calibration, is_current FROM vector_model"
    )
    return [
        VectorSet(number, name, dimensions, calibration, is_current=bool(is_current))
        for number, name, dimensions, calibration, is_current in rows
    ]


def drop_vectors(db: Connection, of_messages: str, values: Mapping[str, str | int]) -> None:
    """Drop the vectors of the messages that a SELECT of ids names."""
    _drop(db, OF_MESSAGES, of_messages, values)


class ShortVectorStore(Repository, Generic[Key]):
    """Vectors of texts with one each: few enough to be compared one by one.

    Methods may raise StorageError.
    """

    _of: ClassVar[Column[int]]  # The key of the text, in the table of the vectors
    _key: ClassVar[Column[int]]  # In its own table
    _texts: ClassVar[Select[Any]]  # Key and text of what gets a vector
    _is_kept_here: ClassVar[ColumnElement[bool]]  # Whether it may not leave this computer

    def without(
        self, limit: int, vectors: VectorSet, *, leaves: bool = False
    ) -> list[tuple[Key, str]]:
        """Return key and text of what has no vector of this set, the newest first.

        `leaves`: without what may not leave this computer.
        """
        embedded = select(self._of).where(
            self._of == self._key, self._of.table.c.model == vectors.number
        )
        due = self._texts.where(~embedded.exists(), ~self._is_kept_here if leaves else true())
        rows = self._rows(due.order_by(self._key.desc()).limit(limit))
        return [(row.key, row.text) for row in rows]

    def add(self, vectors: Sequence[tuple[Key, Encoded]]) -> None:
        """Store the vectors, except those of texts that are gone."""
        new = insert(self._of.table).prefix_with("OR REPLACE")
        with self._database.writing() as db:
            for key, encoded in vectors:
                values = literal(encoded.model), literal(encoded.numbers)
                row = select(self._key, *values).where(self._key == key)
                db.execute(new.from_select([self._of.name, "model", "numbers"], row))

    def _nearest(self, texts: Select[Any], vector: Encoded, limit: int) -> list[DatabaseRow]:
        """Return rows with their `distance`, the nearest first; zeros have none."""
        rows = self._of.table
        distance = func.vec_distance_cosine(
            func.vec_int8(rows.c.numbers), func.vec_int8(vector.numbers)
        ).label("distance")
        near = texts.add_columns(distance).join(rows, self._of == self._key)
        near = near.where(rows.c.model == vector.model).order_by(distance.nulls_last())
        return [row for row in self._rows(near.limit(limit)) if row.distance is not None]


def drop_source_vectors(db: Connection, of_passages: str, values: Mapping[str, str | int]) -> None:
    """Drop the vectors of the passages that a list of keys, or a SELECT of them, names."""
    _drop(db, _PASSAGES, of_passages, values)


def _drop(
    db: Connection,
    tables: VectorTables[Any],
    which: str,
    values: Mapping[str, str | int],
    number: int | None = None,
) -> None:
    """Drop them from every set, or from one."""
    for each in read_sets(db):
        if number in {None, each.number}:
            those = f"{tables.key} IN ({which}) AND model = {each.number}"
            rows = f"SELECT id FROM {tables.vectors} WHERE {those}"
            for table, gone in (
                (tables.bits(each.number), f"id IN ({rows})"),
                (tables.vectors, those),
            ):
                db.execute(text(f"DELETE FROM {table} WHERE {gone}"), values)
