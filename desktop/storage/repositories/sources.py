"""Sources and their passages, and the words that OCR read on their pages, with their places.

A source is one thing, however often it is added: the same bytes, or the same address with other
bytes, lead to the one that exists. Passages whose words did not change keep their id, and their
vectors, from version to version; a passage that is gone is in no search, but stays while an answer
cites it.

Text SQL: the vectors of what is deleted.
"""

import json
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Update,
    bindparam,
    column,
    delete,
    func,
    select,
    table,
    true,
    update,
)
from sqlalchemy.dialects.sqlite import insert

from desktop.domain.errors import PassageUnknownError, SourceUnknownError
from desktop.domain.ids import PassageId, SessionId, SourceId, new_passage_id
from desktop.domain.language import Language
from desktop.domain.projects import NO_PROJECT, ProjectId, Wall
from desktop.domain.sources import NewPassage, ScannedWord, Source, SourcePassage, SourceState
from desktop.domain.times import utc_text
from desktop.language.normalization import index_text
from desktop.storage.repositories.answer_records import forget_quoted
from desktop.storage.schema.database import Repository, Values
from desktop.storage.schema.row_mapping import (
    DatabaseRow,
    StoredValue,
    listed,
    read_value,
    values_of,
    within,
)
from desktop.storage.schema.tables import (
    citations,
    scanned_pages,
    sessions,
    source_passages,
    source_references,
    sources,
)
from desktop.storage.search.vectors import drop_source_vectors

_KEPT_UNCITED = timedelta(days=1)
"""How long uncited passages are kept: an unfinished answer adds its citations at the end."""
_OF_DELETED = (
    "SELECT p.key FROM source_passages p JOIN sources s ON s.id = p.source_id "
    "WHERE s.deleted_at < :until"
)
_words = table("source_index", column("rowid"), column("words"), column("heading"))
_IDENTITY = ("id", "kind", "address", "added_at", "session_id")
_CONTENT = ("title", "read_at", "sha256", "language", "pages", "state", "copy")
SOURCE_COLUMNS = [sources.c[name] for name in (*_IDENTITY, *_CONTENT, "project", "passage_count")]
_LIVE = select(sources).where(sources.c.deleted_at.is_(None))

StoringStep = Callable[[Connection, SourceId], None]
"""What else belongs to a new source, or to a new version: stored with it, or not at all."""


class SourceStore(Repository):
    project = NO_PROJECT
    """Where sources are added, and looked up by hash and address; `of` changes it."""

    def of(self, project: ProjectId) -> "SourceStore":
        store = copy(self)
        store.project = project
        return store

    def sources(self, wall: Wall) -> list[Source]:
        """Return the sources of the library, newest first."""
        return self._listed(sources.c.session_id.is_(None), within(sources.c.project, wall))

    def of_session(self, session_id: SessionId) -> list[Source]:
        """Return the documents that this session has alone, newest first."""
        return self._listed(sources.c.session_id == session_id)

    def _listed(self, *conditions: ColumnElement[bool]) -> list[Source]:
        query = _LIVE.where(*conditions)
        newest = query.order_by(sources.c.added_at.desc(), sources.c.key.desc())
        return [source_of(row) for row in self._rows(newest)]

    def count(self, wall: Wall) -> int:
        is_there = sources.c.deleted_at.is_(None) & sources.c.session_id.is_(None)
        query = select(func.count()).where(is_there, within(sources.c.project, wall))
        return int(self._value(query))

    def source(self, source_id: SourceId) -> Source:
        """Return the source; raises SourceUnknownError, also if it was removed."""
        source = self._first(sources.c.id == source_id)
        if source is None:
            raise SourceUnknownError(source=source_id)
        return source

    def some(self, ids: Iterable[SourceId]) -> list[Source]:
        """Return those that exist, newest first."""
        return self._listed(sources.c.id.in_(listed(ids)))

    def with_hash(self, sha256: str, session_id: SessionId | None = None) -> Source | None:
        return self._first(sources.c.sha256 == sha256, *self._place_conditions(session_id))

    def all_with_hash(self, sha256: str) -> list[Source]:
        """Return them all: files that are `apart` may be equal."""
        return self._listed(sources.c.sha256 == sha256, *self._place_conditions(None))

    def at_address(self, address: str) -> Source | None:
        return self._first(sources.c.address == address, *self._place_conditions(None))

    def _place_conditions(self, session_id: SessionId | None) -> Sequence[ColumnElement[bool]]:
        is_there = sources.c.session_id.is_not_distinct_from(session_id)
        return is_there, sources.c.project == self.project

    def passages(self, source_id: SourceId) -> list[SourcePassage]:
        """Return the passages of its newest version, in order."""
        query = (
            select(source_passages)
            .where(
                source_passages.c.source_id == source_id, source_passages.c.replaced_at.is_(None)
            )
            .order_by(source_passages.c.number)
        )
        return [_passage_of(row) for row in self._rows(query)]

    def passage(self, passage_id: PassageId) -> SourcePassage:
        """Return the passage, also of an earlier version. Raises PassageUnknownError."""
        query = (
            select(source_passages)
            .join(sources, sources.c.id == source_passages.c.source_id)
            .where(source_passages.c.id == passage_id, sources.c.deleted_at.is_(None))
        )
        row = self._row(query)
        if row is None:
            raise PassageUnknownError(passage=passage_id)
        return _passage_of(row)

    def add(
        self,
        source: Source,
        passages: Sequence[NewPassage],
        *steps: StoringStep,
        is_apart: bool = False,
    ) -> Source:
        """Store a source with its passages and return the stored one.

        One with the same hash is only refreshed, unless it `is_apart`. If the address is known and
        the hash is new, it is a new version: the source keeps its id and gets these passages
        instead of its own.
        """
        # Before the transaction, as it may wait for other processes to end.
        folded = {passage.text: index_text(passage.text) for passage in passages}
        with self._database.writing() as db:
            column = sources.c.sha256
            source_id = None if is_apart else self._find(db, column, source.sha256, source)
            if source_id is not None:
                db.execute(_updated(source_id, read_at=utc_text(source.read_at), deleted_at=None))
            else:
                source_id = self._find(db, sources.c.address, source.address, source)
                if source_id is None:
                    source_id = source.id
                    row = values_of(source, (*_IDENTITY, *_CONTENT))
                    db.execute(insert(sources).values(**row, project=self.project))
                else:
                    content = values_of(source, _CONTENT)
                    db.execute(_updated(source_id, **content, embedded_at=None))
                    of_source = scanned_pages.c.source_id == source_id
                    db.execute(delete(scanned_pages).where(of_source))
                replace_passages(db, source_id, passages, utc_text(source.read_at))
                for step in steps:
                    step(db, source_id)
                index_passages(db, source_id, folded)
        return self.source(source_id)

    def refresh(self, source_id: SourceId, *, address: str | None = None) -> Source:
        """Record that the same source was read again, perhaps elsewhere; undo a removal."""
        moved = {} if address is None else {"address": address}
        read_at = utc_text(self._now())
        self._change(_updated(source_id, read_at=read_at, deleted_at=None, **moved))
        return self.source(source_id)

    def keep_copy(self, source_id: SourceId, name: str | None) -> None:
        self._change(_updated(source_id, copy=name))

    def remove(self, source_id: SourceId) -> None:
        """Hide the source; `restore` brings it back, a purge makes it final."""
        self.source(source_id)
        self._change(_updated(source_id, deleted_at=utc_text(self._now())))

    def restore(self, source_id: SourceId) -> None:
        self._change(_updated(source_id, deleted_at=None))

    def _first(self, *conditions: ColumnElement[bool]) -> Source | None:
        row = self._row(_LIVE.where(*conditions))
        return source_of(row) if row else None

    def _find(
        self, db: Connection, column: ColumnElement[Any], value: str, like: Source
    ) -> SourceId | None:
        query = (
            select(sources.c.id)
            .where(column == value, sources.c.kind == like.kind.value)
            .where(*self._place_conditions(like.session_id))
            .order_by(sources.c.deleted_at.is_not(None))
            .limit(1)
        )
        # A removed source that is not purged yet comes back by its hash, not by its address.
        if column is not sources.c.sha256:
            query = query.where(sources.c.deleted_at.is_(None))
        source_id = db.execute(query).scalar_one_or_none()
        return SourceId(source_id) if source_id else None


def _updated(source_id: SourceId, **values: StoredValue) -> Update:
    return update(sources).where(sources.c.id == source_id).values(**values)


def source_of(row: DatabaseRow) -> Source:
    return read_value(Source, row, passages=row.passage_count)


def _passage_of(row: DatabaseRow) -> SourcePassage:
    return read_value(SourcePassage, row, is_current=row.replaced_at is None)


def replace_passages(
    db: Connection,
    source_id: SourceId,
    passages: Sequence[NewPassage],
    at: str,
    *,
    page: int | None = None,
) -> None:
    """Replace a source's passages, or those of a page; with unchanged text they keep their id."""
    is_current = (source_passages.c.source_id == source_id) & (
        source_passages.c.replaced_at.is_(None)
    )
    on_page = true() if page is None else source_passages.c.page == page
    rows = db.execute(
        select(source_passages.c.key, source_passages.c.text)
        .where(is_current, on_page)
        .order_by(source_passages.c.number.desc())
    ).all()
    first = 1
    if page is not None:
        first += _make_room(db, is_current, page, len(passages) - len(rows))
    there: dict[str, list[int]] = {}
    for row in rows:
        there.setdefault(row.text, []).append(row.key)
    new, moved = list[Values](), list[Values]()
    for number, passage in enumerate(passages, start=first):
        place = {"number": number, "page": passage.page, "heading": passage.heading}
        if same := there.get(passage.text):
            moved.append({**place, "moved": same.pop()})
        else:
            ids = {"id": new_passage_id(), "source_id": source_id}
            new.append({**place, **ids, "text": passage.text})
    if moved:
        by_key = update(source_passages).where(source_passages.c.key == bindparam("moved"))
        db.execute(by_key, moved)
    if new:
        db.execute(insert(source_passages), new)
    if gone := [key for keys in there.values() for key in keys]:
        of_gone = update(source_passages).where(source_passages.c.key.in_(listed(gone)))
        db.execute(of_gone.values(replaced_at=at))
        drop_source_vectors(db, ", ".join(map(str, gone)), {})
    count = db.execute(select(func.count()).where(is_current)).scalar_one()
    db.execute(_updated(source_id, passage_count=count))


def _make_room(db: Connection, is_current: ColumnElement[bool], page: int, more: int) -> int:
    """Move the passages of the following pages; return how many are on the preceding ones."""
    following = update(source_passages).where(is_current, source_passages.c.page > page)
    db.execute(following.values(number=source_passages.c.number + more))
    before = select(func.count()).where(is_current, source_passages.c.page < page)
    return int(db.execute(before).scalar_one())


_IN_SOURCE = source_passages.c.source_id == bindparam("source")
_TO_INDEX = (
    select(
        source_passages.c.key,
        source_passages.c.text,
        sources.c.title,
        source_passages.c.heading,
        source_references.c.words,
    )
    .join(sources, sources.c.id == source_passages.c.source_id)
    .outerjoin(
        source_references,
        (source_references.c.source_id == sources.c.id) & (source_passages.c.number == 1),
    )
    .where(_IN_SOURCE, source_passages.c.replaced_at.is_(None))
)


def index_passages(
    db: Connection, source_id: SourceId, folded: Mapping[str, str], *, page: int | None = None
) -> None:
    """Update the index of a source's passages, or of those of a page.

    Title and heading are indexed too, and with the first passage the words of the reference.
    """
    on_page = true() if page is None else source_passages.c.page == page
    keys = select(source_passages.c.key).where(_IN_SOURCE, on_page)
    db.execute(delete(_words).where(_words.c.rowid.in_(keys)), {"source": source_id})
    entries = [
        {
            "rowid": row.key,
            "words": folded.get(row.text) or index_text(row.text),
            "heading": index_text(f"{row.title} {row.heading} {row.words or ''}"),
        }
        for row in db.execute(_TO_INDEX.where(on_page), {"source": source_id})
    ]
    if entries:
        db.execute(insert(_words), entries)


def index_sources(db: Connection) -> None:
    """Rebuild the whole index from the rows, and make the vectors due again."""
    for source_id in db.execute(select(sources.c.id)).scalars().all():
        index_passages(db, SourceId(source_id), {})
    db.execute(update(sources).values(embedded_at=None))


def delete_with_sessions(db: Connection, until: str) -> None:
    """Mark the documents of sessions deleted before a moment, for `purge_sources`."""
    deleted = select(sessions.c.id).where(sessions.c.deleted_at < until)
    db.execute(
        update(sources)
        .where(sources.c.session_id.in_(deleted))
        .values(deleted_at="", session_id=None)
    )


def purge_sources(db: Connection, until: str, *, seen: datetime) -> int:
    """Remove sources deleted before a moment, and passages that nothing needs any more."""
    deleted = select(sources.c.id).where(sources.c.deleted_at < until)
    of_deleted = select(source_passages.c.key).where(source_passages.c.source_id.in_(deleted))
    db.execute(delete(_words).where(_words.c.rowid.in_(of_deleted)))
    drop_source_vectors(db, _OF_DELETED, {"until": until})
    forget_quoted(db, deleted)
    count = db.execute(delete(sources).where(sources.c.deleted_at < until)).rowcount
    cited = select(citations.c.number).where(
        citations.c.source_id == source_passages.c.source_id,
        citations.c.passage_id == source_passages.c.id,
    )
    db.execute(
        delete(source_passages).where(
            source_passages.c.replaced_at < utc_text(seen - _KEPT_UNCITED), ~cited.exists()
        )
    )
    return count


class ScanStore(Repository):
    """Every method may raise StorageError. Pages are numbered from 1."""

    def pages(self, source_id: SourceId) -> set[int]:
        """Return the pages that were read."""
        query = select(scanned_pages.c.page).where(scanned_pages.c.source_id == source_id)
        return set(self._values(query))

    def pages_of_file(self, file: Path) -> list[int]:
        """Return the pages that were read of a document, or of the copy that the profile has."""
        query = select(scanned_pages.c.page).distinct().where(_of_file(file))
        return list(self._values(query.join(sources).order_by(scanned_pages.c.page)))

    def words(self, file: Path, page: int) -> list[ScannedWord]:
        """Return the words of a page of the same, in order of reading."""
        is_page = scanned_pages.c.page == page
        query = select(scanned_pages.c.words).join(sources).where(_of_file(file), is_page)
        packed = self._value(query.order_by(sources.c.read_at.desc()).limit(1))
        return [] if packed is None else _unpacked(packed)

    def add(
        self,
        source_id: SourceId,
        page: int,
        words: Sequence[ScannedWord],
        passages: Sequence[NewPassage],
    ) -> None:
        """Store a page at once: its words, and its passages instead of those that it had."""
        folded = {passage.text: index_text(passage.text) for passage in passages}
        values = {"words": _packed(words)}
        new = insert(scanned_pages).values(source_id=source_id, page=page, **values)
        at = utc_text(self._now())
        with self._database.writing() as db:
            db.execute(
                new.on_conflict_do_update(index_elements=["source_id", "page"], set_=values)
            )
            replace_passages(db, source_id, passages, at, page=page)
            index_passages(db, source_id, folded, page=page)
            is_source = sources.c.id == source_id
            db.execute(update(sources).where(is_source).values(embedded_at=None))

    def finish(self, source_id: SourceId, language: Language | None) -> None:
        """Record that no page of a source waits any more."""
        values = {"state": SourceState.COMPLETE.value, "language": language}
        self._change(update(sources).where(sources.c.id == source_id).values(**values))


def _of_file(file: Path) -> ColumnElement[bool]:
    is_named = sources.c.address == str(file)
    return sources.c.deleted_at.is_(None) & (is_named | (sources.c.sha256 == file.stem))


def _packed(words: Sequence[ScannedWord]) -> bytes:
    return zlib.compress(json.dumps(words, ensure_ascii=False, separators=(",", ":")).encode())


def _unpacked(packed: bytes) -> list[ScannedWord]:
    return [ScannedWord(*values) for values in json.loads(zlib.decompress(packed))]
