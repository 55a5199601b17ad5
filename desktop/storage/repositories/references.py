"""The references of sources: what each is as a work, and what services said of a DOI.

A source without a stored reference has the one that its own columns give. The title of a reference
is the title of its source, and its words are indexed with the source's first passage.

Citations of a source that was merged into another one lead to the same words there. A cited
passage that the other source does not have is moved to it, as one of an earlier version: it is in
no search, and stays while an answer cites it.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    bindparam,
    delete,
    func,
    literal_column,
    select,
    update,
)
from sqlalchemy.dialects.sqlite import insert

from desktop.domain.errors import SourceUnknownError
from desktop.domain.ids import SourceId
from desktop.domain.json_values import JsonValue
from desktop.domain.projects import Wall
from desktop.domain.references import CslItem, FieldOrigin, Reference, Work, plain_text
from desktop.domain.sources import Source, SourceKind
from desktop.domain.times import utc_text
from desktop.references.merging import merged
from desktop.storage.repositories.sources import (
    SOURCE_COLUMNS,
    StoringStep,
    index_passages,
    source_of,
)
from desktop.storage.schema.database import Repository, Values
from desktop.storage.schema.row_mapping import (
    DatabaseRow,
    StoredValue,
    listed,
    read_json,
    read_time_or_none,
    time_or_none,
    within,
)
from desktop.storage.schema.tables import (
    citations,
    literature_cache,
    messages,
    sessions,
    source_passages,
    source_references,
    sources,
)
from desktop.storage.search.vectors import drop_source_vectors

_STORED = source_references.c
_REFERENCE = (_STORED.csl, _STORED.origins, _STORED.finished_at, _STORED.words)
_WORKS = (
    select(sources, *_REFERENCE)
    .outerjoin(source_references, _STORED.source_id == sources.c.id)
    .where(sources.c.deleted_at.is_(None))
)
_ORIGINS = {origin.value: origin for origin in FieldOrigin}
_SEARCHED = ("container-title", "publisher", "DOI", "ISBN")


class ReferenceStore(Repository):
    """Every method may raise StorageError."""

    def works(self, wall: Wall) -> list[Work]:
        """Return the works of the library, the newest first."""
        is_listed = (
            sources.c.deleted_at.is_(None)
            & sources.c.session_id.is_(None)
            & within(sources.c.project, wall)
        )
        # Read as they lie in the file: to look each of them up takes twice as long.
        in_file_order: ColumnElement[str] = literal_column("+source_references.source_id")
        query = select(_STORED.source_id, *_REFERENCE).where(
            in_file_order.in_(select(sources.c.id).where(is_listed))
        )
        references = {row.source_id: row for row in self._rows(query)}
        newest = _newest_first(select(*SOURCE_COLUMNS).where(is_listed))
        return [_listed(row, references.get(row.id)) for row in self._rows(newest)]

    def some(self, ids: Iterable[SourceId], wall: Wall) -> list[Work]:
        """Return those that exist behind the wall, the newest first."""
        query = _WORKS.where(sources.c.id.in_(listed(ids)), within(sources.c.project, wall))
        return [_work_of(row, row) for row in self._rows(_newest_first(query))]

    def work(self, source_id: SourceId) -> Work:
        """Raises SourceUnknownError."""
        row = self._row(_WORKS.where(sources.c.id == source_id))
        if row is None:
            raise SourceUnknownError(source=source_id)
        return _work_of(row, row)

    def cited(self, wall: Wall, session_id: str | None) -> list[Work]:
        """Return what the answers of a session cite, or of all sessions behind the wall.

        The works are in the order in which they are first cited.
        """
        first = func.min(messages.c.id).label("first")
        query: Select[Any] = (
            select(citations.c.source_id, first)
            .join(messages, messages.c.id == citations.c.message_id)
            .join(sessions, sessions.c.id == messages.c.session_id)
            .where(messages.c.is_current == 1, sessions.c.deleted_at.is_(None))
            .where(within(sessions.c.project, wall))
            .group_by(citations.c.source_id)
            .order_by(first, func.min(citations.c.number))
        )
        if session_id is not None:
            query = query.where(sessions.c.id == session_id)
        ids = [SourceId(row.source_id) for row in self._rows(query)]
        works = {work.source.id: work for work in self.some(ids, wall)}
        return [works[source_id] for source_id in ids if source_id in works]

    def store(self, source_id: SourceId, reference: Reference) -> Work:
        """Replace a reference; its title becomes the title of the source."""
        with self._database.writing() as db:
            self._store(db, source_id, reference)
            index_passages(db, source_id, {})
        return self.work(source_id)

    def fill(self, source_id: SourceId, reference: Reference) -> Work:
        """Add to a reference what is known from elsewhere; stronger origins stay."""
        work = self.work(source_id)
        whole = _filled(work, reference)
        return work if whole is None else self.store(source_id, whole)

    def filling(self, reference: Reference) -> StoringStep:
        """Return the same as a step of adding a source."""

        def fill(db: Connection, source_id: SourceId) -> None:
            row = db.execute(_WORKS.where(sources.c.id == source_id)).one()
            if (whole := _filled(_work_of(row, row), reference)) is not None:
                self._store(db, source_id, whole)

        return fill

    def _store(self, db: Connection, source_id: SourceId, reference: Reference) -> None:
        values = _values(reference) | {"updated_at": utc_text(self._now())}
        new = insert(source_references).values(source_id=source_id, **values)
        db.execute(new.on_conflict_do_update(index_elements=[_STORED.source_id], set_=values))
        if reference.title:
            _rename(db, source_id, reference.title)

    def restore(self, work: Work) -> Work:
        """Store a work's reference, title and reading state as they were."""
        with self._database.writing() as db:
            db.execute(delete(source_references).where(_STORED.source_id == work.source.id))
        self.store(work.source.id, work.reference)
        with self._database.writing() as db:
            _rename(db, work.source.id, work.source.title)
            index_passages(db, work.source.id, {})
        return self.mark_finished(work.source.id, work.finished_at)

    def mark_finished(self, source_id: SourceId, at: datetime | None) -> Work:
        """Mark a work as read at a moment, or as unread."""
        work = self.work(source_id)
        values = _values(work.reference) | {"updated_at": utc_text(self._now())}
        finished = {"finished_at": time_or_none(at)}
        new = insert(source_references).values(source_id=source_id, **values, **finished)
        with self._database.writing() as db:
            db.execute(
                new.on_conflict_do_update(index_elements=[_STORED.source_id], set_=finished)
            )
        return replace(work, finished_at=at)


def _newest_first(query: Select[Any]) -> Select[Any]:
    return query.order_by(sources.c.added_at.desc(), sources.c.key.desc())


def _filled(work: Work, reference: Reference) -> Reference | None:
    """Return a work's reference with what is known from elsewhere; None if that adds nothing."""
    whole = merged(work.reference, reference)
    is_there = whole == work.reference and whole.title in {"", work.source.title}
    return None if is_there else whole


def _rename(db: Connection, source_id: SourceId, title: str) -> None:
    db.execute(update(sources).where(sources.c.id == source_id).values(title=title))


def _values(reference: Reference) -> dict[str, StoredValue]:
    words = (*reference.authors, *map(reference.text, _SEARCHED), str(reference.year or ""))
    return {
        "csl": json.dumps(dict(reference.csl), ensure_ascii=False),
        "origins": json.dumps(reference.origins),
        "kind": reference.kind,
        "title": reference.title,
        "first_author": reference.first_author,
        "doi": reference.doi.lower(),
        "words": " ".join(map(plain_text, filter(None, words))),
        "year": reference.year,
    }


def _work_of(row: DatabaseRow, stored: DatabaseRow | None) -> Work:
    """`stored`: the row of its reference, if it has one."""
    source = source_of(row)
    csl = read_json(stored.csl or "") if stored else None
    if stored is None or not isinstance(csl, dict):
        finished_at = read_time_or_none(stored.finished_at) if stored else None
        return Work(source, _own_reference(source), finished_at)
    reference = Reference(csl, _origins(stored.origins or ""))
    return Work(source, reference, read_time_or_none(stored.finished_at), stored.words)


class _UnparsedItem(Mapping[str, JsonValue]):
    """A stored item of CSL-JSON, parsed when a field of it is first read.

    A library lists thousands of works, and shows the fields of a few.
    """

    __slots__ = ("_fields", "_source", "_stored")

    def __init__(self, stored: str, source: Source) -> None:
        """`source`: says what the work is if its item turns out to be damaged."""
        self._stored, self._source = stored, source
        self._fields: CslItem | None = None

    def _parsed(self) -> CslItem:
        if self._fields is None:
            fields = read_json(self._stored)
            is_whole = isinstance(fields, dict)
            self._fields = fields if is_whole else _own_reference(self._source).csl
        return self._fields

    def __getitem__(self, name: str) -> JsonValue:
        return self._parsed()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._parsed())

    def __len__(self) -> int:
        return len(self._parsed())


def _listed(row: DatabaseRow, stored: DatabaseRow | None) -> Work:
    if stored is None or not stored.csl:
        return _work_of(row, stored)
    source = source_of(row)
    reference = Reference(_UnparsedItem(stored.csl, source), _origins(stored.origins or ""))
    return Work(source, reference, read_time_or_none(stored.finished_at), stored.words)


@lru_cache(maxsize=256)  # Works that were imported together have the same
def _origins(stored: str) -> Mapping[str, FieldOrigin]:
    origins = read_json(stored)
    pairs = origins.items() if isinstance(origins, dict) else ()
    return {name: _ORIGINS[origin] for name, origin in pairs if origin in _ORIGINS}


def _own_reference(source: Source) -> Reference:
    """Return what a source without a reference is known to be."""
    fields: dict[str, JsonValue] = {"type": "document", "title": source.title}
    origin = FieldOrigin.FILE
    if source.kind is SourceKind.WEB:
        day = source.read_at
        accessed = {"date-parts": [[day.year, day.month, day.day]]}
        fields |= {"type": "webpage", "URL": source.address, "accessed": accessed}
        origin = FieldOrigin.WEB
    return Reference(fields, dict.fromkeys(fields, origin))


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


_CITED = citations.c
_PASSAGE = source_passages.c


@dataclass(frozen=True, slots=True)
class MovedCitations:
    """What was changed, as it was before."""

    citations: Sequence[Values] = ()
    passages: Sequence[Values] = ()


class CitationMover(Repository):
    """Every method may raise StorageError."""

    def move(self, source_id: SourceId, target: SourceId) -> MovedCitations:
        """Let what cites a source cite another one, which stands for it."""
        cited = select(citations).where(_CITED.source_id == source_id)
        of_target = select(source_passages).where(
            _PASSAGE.source_id == target, _PASSAGE.replaced_at.is_(None)
        )
        with self._database.writing() as db:
            rows, passages = db.execute(cited).all(), db.execute(of_target).all()
            ids = {row.passage_id for row in rows}
            old = select(source_passages).where(_PASSAGE.id.in_(ids))
            by_id = {row.id: row for row in db.execute(old)}
            same = {key: _same(row, rows, passages) for key, row in by_id.items()}
            _repoint(db, [_citation(row, target, same.get(row.passage_id)) for row in rows])
            moved = [row for row in by_id.values() if same[row.id] is None]
            at = utc_text(self._now())
            _own(db, [{"passage": row.key, "owner": target, "at": at} for row in moved])
            if moved:
                drop_source_vectors(db, ", ".join(str(row.key) for row in moved), {})
                index_passages(db, target, {})
        before = [{"passage": row.key, "owner": source_id, "at": row.replaced_at} for row in moved]
        return MovedCitations([_citation(row, source_id) for row in rows], before)

    def move_back(self, moved: MovedCitations) -> None:
        with self._database.writing() as db:
            _repoint(db, moved.citations)
            _own(db, moved.passages)
            for owner in {passage["owner"] for passage in moved.passages}:
                index_passages(db, owner, {})
                is_owner = sources.c.id == owner
                db.execute(update(sources).where(is_owner).values(embedded_at=None))


def _citation(row: DatabaseRow, source: SourceId, passage: str | None = None) -> Values:
    place = {"message": row.message_id, "place": row.number}
    return {**place, "source": source, "passage": passage or row.passage_id}


def _same(
    old: DatabaseRow, rows: Sequence[DatabaseRow], passages: Sequence[DatabaseRow]
) -> str | None:
    """Return the passage that has the same words, or all that is quoted of the old one."""
    from desktop.language.authored_text import quoted_spans  # noqa: PLC0415 - its patterns are for merging alone

    quotes = [row.quote for row in rows if row.passage_id == old.id]
    for passage in passages:
        if passage.text == old.text:
            return str(passage.id)
    for passage in passages:
        if all(quote and quoted_spans(quote, passage.text) for quote in quotes):
            return str(passage.id)
    return None


def _repoint(db: Connection, values: Sequence[Values]) -> None:
    if values:
        of_message = update(citations).where(_CITED.message_id == bindparam("message"))
        of_row = of_message.where(_CITED.number == bindparam("place"))
        new = of_row.values(source_id=bindparam("source"), passage_id=bindparam("passage"))
        db.execute(new, values)


def _own(db: Connection, values: Sequence[Values]) -> None:
    if values:
        by_key = update(source_passages).where(_PASSAGE.key == bindparam("passage"))
        db.execute(
            by_key.values(source_id=bindparam("owner"), replaced_at=bindparam("at")), values
        )
