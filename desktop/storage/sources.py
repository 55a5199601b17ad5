"""Sources and their passages.

A source is one thing, however often it is added: the same bytes, or the same address with other
bytes, lead to the one that is there. Passages whose words did not change keep their id, and their
vectors, from version to version; one that is gone is out of every search and stays while an answer
cites it.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, text

from desktop.domain.errors import PassageUnknownError, SourceUnknownError
from desktop.domain.ids import PassageId, SourceId
from desktop.domain.language import Language
from desktop.domain.sources import NewPassage, Source, SourceKind, SourcePassage, SourceState
from desktop.domain.times import Clock, utc_now, utc_text
from desktop.language.normalization import folded_key
from desktop.storage.database import Database
from desktop.storage.row_mapping import DatabaseRow, read_choice, read_choice_or_none, read_time
from desktop.storage.source_passages import index_passages, replace_passages

_COLUMNS = """
    s.id, s.kind, s.title, s.address, s.added_at, s.read_at, s.sha256, s.language, s.pages,
    s.state, s.passage_count, s.copy, s.author, s.published
"""
_PASSAGE_COLUMNS = "p.id, p.source_id, p.number, p.page, p.heading, p.text, p.replaced_at"


class SourceStore:
    """Repository of sources. Every method may raise StorageError."""

    def __init__(self, database: Database, *, now: Clock = utc_now) -> None:
        self._database = database
        self._now = now

    def sources(self) -> list[Source]:
        """The newest first."""
        with self._database.reading() as db:
            rows = db.exec_driver_sql(
                f"SELECT {_COLUMNS} FROM sources s WHERE s.deleted_at IS NULL "
                "ORDER BY s.added_at DESC, s.key DESC"
            )
            return [_source_of(row) for row in rows]

    def count(self) -> int:
        with self._database.reading() as db:
            counted = db.exec_driver_sql("SELECT count(*) FROM sources WHERE deleted_at IS NULL")
            return int(counted.scalar_one())

    def source(self, source_id: SourceId) -> Source:
        """Raises SourceUnknownError, of one that was removed too."""
        with self._database.reading() as db:
            row = db.execute(
                text(f"SELECT {_COLUMNS} FROM sources s WHERE s.id = :id AND deleted_at IS NULL"),
                {"id": source_id},
            ).one_or_none()
        if row is None:
            raise SourceUnknownError(source=source_id)
        return _source_of(row)

    def with_hash(self, sha256: str) -> Source | None:
        """The source that was read from these bytes."""
        return self._one("s.sha256 = :value", sha256)

    def at_address(self, address: str) -> Source | None:
        return self._one("s.address = :value", address)

    def passages(self, source_id: SourceId) -> list[SourcePassage]:
        """Those that stand in it, in their order."""
        with self._database.reading() as db:
            rows = db.execute(
                text(
                    f"SELECT {_PASSAGE_COLUMNS} FROM source_passages p "
                    "WHERE p.source_id = :id AND p.replaced_at IS NULL ORDER BY p.number"
                ),
                {"id": source_id},
            )
            return [_passage_of(row) for row in rows]

    def passage(self, passage_id: PassageId) -> SourcePassage:
        """Also one of an earlier version of its source. Raises PassageUnknownError."""
        with self._database.reading() as db:
            row = db.execute(
                text(
                    f"SELECT {_PASSAGE_COLUMNS} FROM source_passages p "
                    "JOIN sources s ON s.id = p.source_id "
                    "WHERE p.id = :id AND s.deleted_at IS NULL"
                ),
                {"id": passage_id},
            ).one_or_none()
        if row is None:
            raise PassageUnknownError(passage=passage_id)
        return _passage_of(row)

    def add(self, source: Source, passages: Sequence[NewPassage]) -> Source:
        """Keep a source with its passages; returns the one that is kept.

        One with the same hash is there already, and only refreshed. At the same address, another
        hash is a new version: it keeps its id and gets these passages in the place of its own.
        """
        # Before the transaction: others wait for it to end.
        folded = {one.text: folded_key(one.text) for one in passages}
        with self._database.writing() as db:
            found = _find(db, "sha256", source.sha256, source.kind)
            if found is not None:
                _refresh(db, found, read_at=utc_text(source.read_at))
            else:
                found = _find(db, "address", source.address, source.kind)
                if found is None:
                    found = source.id
                    _insert(db, source)
                else:
                    _renew(db, found, source)
                replace_passages(db, found, passages, utc_text(source.read_at))
                index_passages(db, found, folded)
        return self.source(found)

    def refresh(self, source_id: SourceId, *, address: str | None = None) -> Source:
        """It was met again just as it is kept, perhaps at another address; undoes a removal."""
        with self._database.writing() as db:
            _refresh(db, source_id, read_at=utc_text(self._now()), address=address)
        return self.source(source_id)

    def copies_of_deleted(self, before: datetime | None = None) -> set[str]:
        """The names of the copies of documents that were deleted, or deleted before a moment."""
        with self._database.reading() as db:
            rows = db.execute(
                text(
                    "SELECT copy FROM sources WHERE copy IS NOT NULL AND deleted_at IS NOT NULL "
                    "AND (:before IS NULL OR deleted_at < :before)"
                ),
                {"before": utc_text(before) if before else None},
            )
            return set(rows.scalars())

    def keep_copy(self, source_id: SourceId, name: str | None) -> None:
        """Say that a copy of the file lies in the profile under this name."""
        with self._database.writing() as db:
            db.execute(
                text("UPDATE sources SET copy = :name WHERE id = :id"),
                {"name": name, "id": source_id},
            )

    def remove(self, source_id: SourceId) -> None:
        """Take it out of sight; `restore` takes it back, a purge makes it final."""
        self.source(source_id)
        self._set_deleted(source_id, utc_text(self._now()))

    def restore(self, source_id: SourceId) -> None:
        self._set_deleted(source_id, None)

    def _set_deleted(self, source_id: SourceId, at: str | None) -> None:
        with self._database.writing() as db:
            db.execute(
                text("UPDATE sources SET deleted_at = :at WHERE id = :id"),
                {"at": at, "id": source_id},
            )

    def _one(self, where: str, value: str) -> Source | None:
        with self._database.reading() as db:
            row = db.execute(
                text(f"SELECT {_COLUMNS} FROM sources s WHERE {where} AND s.deleted_at IS NULL"),
                {"value": value},
            ).first()
            return _source_of(row) if row else None


def _find(db: Connection, column: str, value: str, kind: SourceKind) -> SourceId | None:
    # What was removed and is not yet gone for good comes back by its hash, not by its address.
    seen = "" if column == "sha256" else "AND deleted_at IS NULL"
    row = db.execute(
        text(
            f"SELECT id FROM sources WHERE {column} = :value AND kind = :kind {seen} "
            "ORDER BY deleted_at IS NOT NULL LIMIT 1"
        ),
        {"value": value, "kind": kind.value},
    ).one_or_none()
    return SourceId(row.id) if row else None


def _refresh(
    db: Connection, source_id: SourceId, *, read_at: str, address: str | None = None
) -> None:
    db.execute(
        text(
            "UPDATE sources SET read_at = :at, deleted_at = NULL, "
            "address = coalesce(:address, address) WHERE id = :id"
        ),
        {"at": read_at, "address": address, "id": source_id},
    )


def _insert(db: Connection, source: Source) -> None:
    db.execute(
        text(
            "INSERT INTO sources (id, kind, title, address, added_at, read_at, sha256, language, "
            "pages, state, copy, author, published) VALUES (:id, :kind, :title, :address, "
            ":added_at, :read_at, :sha256, :language, :pages, :state, :copy, :author, :published)"
        ),
        _values(source),
    )


def _renew(db: Connection, source_id: SourceId, source: Source) -> None:
    db.execute(
        text(
            "UPDATE sources SET title = :title, read_at = :read_at, sha256 = :sha256, "
            "language = :language, pages = :pages, state = :state, copy = :copy, "
            "author = :author, published = :published, "
            "embedded_at = NULL WHERE id = :id"
        ),
        {**_values(source), "id": source_id},
    )


def _values(source: Source) -> dict[str, str | int | None]:
    return {
        "id": source.id,
        "kind": source.kind.value,
        "title": source.title,
        "address": source.address,
        "added_at": utc_text(source.added_at),
        "read_at": utc_text(source.read_at),
        "sha256": source.sha256,
        "language": source.language.value if source.language else None,
        "pages": source.pages,
        "state": source.state.value,
        "copy": source.copy,
        "author": source.author,
        "published": source.published,
    }


def _source_of(row: DatabaseRow) -> Source:
    return Source(
        id=SourceId(row.id),
        kind=read_choice(row.kind, SourceKind.DOCUMENT),
        title=row.title,
        address=row.address,
        added_at=read_time(row.added_at),
        read_at=read_time(row.read_at),
        sha256=row.sha256,
        language=read_choice_or_none(row.language, Language),
        pages=row.pages,
        state=read_choice(row.state, SourceState.PARTIAL),
        passages=row.passage_count,
        copy=row.copy,
        author=row.author,
        published=row.published,
    )


def _passage_of(row: DatabaseRow) -> SourcePassage:
    return SourcePassage(
        id=PassageId(row.id),
        source_id=SourceId(row.source_id),
        number=row.number,
        page=row.page,
        heading=row.heading,
        text=row.text,
        is_current=row.replaced_at is None,
    )
