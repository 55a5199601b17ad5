"""The passages of sources: replaced version by version, indexed, and purged."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from sqlalchemy import Connection, bindparam, column, delete, insert, select, table, update

from desktop.domain.ids import SourceId, new_passage_id
from desktop.domain.sources import NewPassage
from desktop.domain.times import utc_text
from desktop.language.normalization import folded_key
from desktop.storage.answer_records import forget_quoted
from desktop.storage.row_mapping import listed
from desktop.storage.tables import citations, source_passages, sources
from desktop.storage.vectors import drop_source_vectors

_KEPT_UNCITED = timedelta(days=1)
"""An answer that is still being written cites when it is finished."""
_OF_DELETED = (
    "SELECT p.key FROM source_passages p JOIN sources s ON s.id = p.source_id "
    "WHERE s.deleted_at < :until"
)
_index = table("source_index", column("rowid"), column("words"), column("heading"))


def replace_passages(
    db: Connection, source_id: SourceId, passages: Sequence[NewPassage], at: str
) -> None:
    """Replace a source's passages; those with unchanged text keep their id."""
    rows = db.execute(
        select(source_passages.c.key, source_passages.c.text)
        .where(source_passages.c.source_id == source_id, source_passages.c.replaced_at.is_(None))
        .order_by(source_passages.c.number.desc())
    ).all()
    there: dict[str, list[int]] = {}
    for row in rows:
        there.setdefault(row.text, []).append(row.key)
    new: list[dict[str, str | int | None]] = []
    moved: list[dict[str, str | int | None]] = []
    for number, one in enumerate(passages, start=1):
        place = {"number": number, "page": one.page, "heading": one.heading}
        if same := there.get(one.text):
            moved.append({**place, "moved": same.pop()})
        else:
            new.append({**place, "id": new_passage_id(), "source_id": source_id, "text": one.text})
    if moved:
        db.execute(
            update(source_passages).where(source_passages.c.key == bindparam("moved")), moved
        )
    if new:
        db.execute(insert(source_passages), new)
    gone = [key for keys in there.values() for key in keys]
    db.execute(
        update(source_passages)
        .where(source_passages.c.key.in_(listed(gone)))
        .values(replaced_at=at)
    )
    drop_source_vectors(db, ", ".join(map(str, gone)), {})
    db.execute(
        update(sources).where(sources.c.id == source_id).values(passage_count=len(passages))
    )


def index_passages(db: Connection, source_id: SourceId, folded: Mapping[str, str]) -> None:
    """Update the index of a source's passages; title and heading are indexed too."""
    of_source = select(source_passages.c.key).where(source_passages.c.source_id == source_id)
    db.execute(delete(_index).where(_index.c.rowid.in_(of_source)))
    rows = db.execute(
        select(
            source_passages.c.key,
            source_passages.c.text,
            sources.c.title,
            source_passages.c.heading,
        )
        .join(sources, sources.c.id == source_passages.c.source_id)
        .where(source_passages.c.source_id == source_id, source_passages.c.replaced_at.is_(None))
    )
    entries = [
        {
            "rowid": row.key,
            "words": folded.get(row.text) or folded_key(row.text),
            "heading": folded_key(f"{row.title} {row.heading}"),
        }
        for row in rows
    ]
    if entries:
        db.execute(insert(_index), entries)


def index_sources(db: Connection) -> None:
    """Rebuild the whole index from the rows, and make the vectors due again."""
    for source_id in db.execute(select(sources.c.id)).scalars().all():
        index_passages(db, SourceId(source_id), {})
    db.execute(update(sources).values(embedded_at=None))


def purge_sources(db: Connection, until: str, *, seen: datetime) -> int:
    """Remove sources deleted before a moment, and passages that nothing needs any more."""
    deleted = select(sources.c.id).where(sources.c.deleted_at < until)
    of_deleted = select(source_passages.c.key).where(source_passages.c.source_id.in_(deleted))
    db.execute(delete(_index).where(_index.c.rowid.in_(of_deleted)))
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
