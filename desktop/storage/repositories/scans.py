"""The words that OCR read on the pages of sources, with their places."""

import json
import zlib
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import ColumnElement, select, update
from sqlalchemy.dialects.sqlite import insert

from desktop.domain.ids import SourceId
from desktop.domain.language import Language
from desktop.domain.sources import NewPassage, ScannedWord, SourceState
from desktop.domain.times import utc_text
from desktop.language.normalization import index_text
from desktop.storage.repositories.sources import index_passages, replace_passages
from desktop.storage.schema.database import Repository
from desktop.storage.schema.tables import scanned_pages, sources


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
