"""Citations of a source that was merged into another one: they lead to the same words there.

A cited passage that the other source does not have is moved to it, as one of an earlier version:
it is in no search, and stays while an answer cites it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, select, update

from desktop.domain.ids import SourceId
from desktop.domain.times import utc_text
from desktop.storage.repositories.sources import index_passages
from desktop.storage.schema.database import Repository, Values
from desktop.storage.schema.row_mapping import DatabaseRow
from desktop.storage.schema.tables import citations, source_passages, sources
from desktop.storage.search.vectors import drop_source_vectors

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
