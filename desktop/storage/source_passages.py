"""The passages of sources: replaced version by version, indexed, and purged."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from sqlalchemy import Connection, select, text

from desktop.domain.ids import SourceId, new_passage_id
from desktop.domain.sources import NewPassage
from desktop.domain.times import utc_text
from desktop.language.normalization import folded_key
from desktop.storage.answer_records import forget_quoted
from desktop.storage.source_vectors import drop_source_vectors
from desktop.storage.tables import sources

_KEPT_UNCITED = timedelta(days=1)
"""An answer that is still being written cites when it is finished."""
_ADD = text(
    "INSERT INTO source_passages (id, source_id, number, page, heading, text) "
    "VALUES (:id, :source_id, :number, :page, :heading, :text)"
)
_MOVE = text(
    "UPDATE source_passages SET number = :number, page = :page, heading = :heading "
    "WHERE key = :key"
)


def replace_passages(
    db: Connection, source_id: SourceId, passages: Sequence[NewPassage], at: str
) -> None:
    """Passages in the place of those that are there; what says the same stays the same."""
    rows = db.execute(
        text(
            "SELECT key, text FROM source_passages "
            "WHERE source_id = :id AND replaced_at IS NULL ORDER BY number DESC"
        ),
        {"id": source_id},
    ).all()
    there: dict[str, list[int]] = {}
    for row in rows:
        there.setdefault(row.text, []).append(row.key)
    new: list[dict[str, str | int | None]] = []
    for number, one in enumerate(passages, start=1):
        values: dict[str, str | int | None] = {
            "source_id": source_id,
            "number": number,
            "page": one.page,
            "heading": one.heading,
            "text": one.text,
        }
        if same := there.get(one.text):
            db.execute(_MOVE, {**values, "key": same.pop()})
        else:
            new.append({**values, "id": new_passage_id()})
    if new:
        db.execute(_ADD, new)
    gone = [key for keys in there.values() for key in keys]
    db.execute(
        text(f"UPDATE source_passages SET replaced_at = :at WHERE key IN ({_listed(gone)})"),
        {"at": at},
    )
    drop_source_vectors(db, _listed(gone), {})
    db.execute(
        text("UPDATE sources SET passage_count = :count WHERE id = :id"),
        {"count": len(passages), "id": source_id},
    )


def _listed(keys: Sequence[int]) -> str:
    return ", ".join(map(str, keys))


def index_passages(db: Connection, source_id: SourceId, folded: Mapping[str, str]) -> None:
    """Bring the index of a source's passages up to date; title and heading count beside words."""
    db.execute(
        text(
            "DELETE FROM source_index WHERE rowid IN "
            "(SELECT key FROM source_passages WHERE source_id = :id)"
        ),
        {"id": source_id},
    )
    rows = db.execute(
        text(
            "SELECT p.key, p.text, s.title, p.heading FROM source_passages p "
            "JOIN sources s ON s.id = p.source_id "
            "WHERE p.source_id = :id AND p.replaced_at IS NULL"
        ),
        {"id": source_id},
    )
    entries = [
        (
            row.key,
            folded.get(row.text) or folded_key(row.text),
            folded_key(f"{row.title} {row.heading}"),
        )
        for row in rows
    ]
    if entries:
        db.exec_driver_sql(
            "INSERT INTO source_index (rowid, words, heading) VALUES (?, ?, ?)", entries
        )


def index_sources(db: Connection) -> None:
    """Make the whole index anew from the rows, and let the vectors be made anew."""
    for row in db.exec_driver_sql("SELECT id FROM sources").all():
        index_passages(db, SourceId(row.id), {})
    db.exec_driver_sql("UPDATE sources SET embedded_at = NULL")


def purge_sources(db: Connection, until: str, *, seen: datetime) -> int:
    """Remove sources deleted before a moment, and passages that nothing needs any more."""
    values = {"until": until, "uncited": utc_text(seen - _KEPT_UNCITED)}
    of_deleted = (
        "SELECT p.key FROM source_passages p JOIN sources s ON s.id = p.source_id "
        "WHERE s.deleted_at < :until"
    )
    db.execute(text(f"DELETE FROM source_index WHERE rowid IN ({of_deleted})"), values)
    drop_source_vectors(db, of_deleted, {"until": until})
    forget_quoted(db, select(sources.c.id).where(sources.c.deleted_at < until))
    count = db.execute(text("DELETE FROM sources WHERE deleted_at < :until"), values).rowcount
    db.execute(
        text(
            "DELETE FROM source_passages WHERE replaced_at < :uncited "
            "AND NOT EXISTS (SELECT 1 FROM citations c WHERE c.source_id = "
            "source_passages.source_id AND c.passage_id = source_passages.id)"
        ),
        values,
    )
    return int(count)


def optimise_sources(db: Connection) -> None:
    """Merge the index so that deleted words are no longer in the file."""
    db.exec_driver_sql("INSERT INTO source_index(source_index) VALUES ('optimize')")
