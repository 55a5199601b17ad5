"""Watched folders, and what their files were at the last look.

A folder is behind the wall of its project and is deleted with it; its documents are not.
"""

from collections.abc import Iterable, Sequence

from sqlalchemy import Connection, Update, delete, select, update
from sqlalchemy.dialects.sqlite import insert

from desktop.domain.projects import ProjectId, Wall
from desktop.domain.times import utc_text
from desktop.domain.watched_folders import (
    FolderUnknownError,
    WatchedFile,
    WatchedFolder,
    WatchedFolderId,
)
from desktop.storage.schema.database import Repository
from desktop.storage.schema.learned_tables import watched_files, watched_folders
from desktop.storage.schema.row_mapping import (
    DatabaseRow,
    listed,
    read_time,
    read_time_or_none,
    values_of,
    within,
)

_LIVE = watched_folders.c.deleted_at.is_(None)
_FIELDS = ("id", "path", "project", "takes_notes", "is_paused", "added_at", "trouble")


class WatchedFolderStore(Repository):
    """Every method may raise StorageError."""

    def add(self, folder: WatchedFolder) -> None:
        self._change(insert(watched_folders), values_of(folder, _FIELDS))

    def folders(self, wall: Wall) -> list[WatchedFolder]:
        """Return the folders behind a wall, the oldest first."""
        query = select(watched_folders).where(_LIVE, within(watched_folders.c.project, wall))
        order = watched_folders.c.added_at, watched_folders.c.id
        return list(map(_folder_of, self._rows(query.order_by(*order))))

    def folder(self, folder_id: WatchedFolderId) -> WatchedFolder:
        """Raises FolderUnknownError."""
        row = self._row(select(watched_folders).where(_LIVE, watched_folders.c.id == folder_id))
        if row is None:
            raise FolderUnknownError(folder=folder_id)
        return _folder_of(row)

    def pause(self, folder_id: WatchedFolderId, *, is_paused: bool) -> None:
        self._change(_of(folder_id).values(is_paused=int(is_paused)))

    def allow_notes(self, folder_id: WatchedFolderId, *, takes_notes: bool) -> None:
        self._change(_of(folder_id).values(takes_notes=int(takes_notes)))

    def delete(self, folder_id: WatchedFolderId) -> None:
        """Delete a folder; `undelete` brings it back until the next purge."""
        self._change(_of(folder_id).values(deleted_at=utc_text(self._now())))

    def undelete(self, folder_id: WatchedFolderId) -> None:
        self._change(_of(folder_id).values(deleted_at=None))

    def end_look(self, folder_id: WatchedFolderId, trouble: str = "") -> None:
        self._change(_of(folder_id).values(trouble=trouble, looked_at=utc_text(self._now())))

    def files(self, folder_id: WatchedFolderId) -> list[WatchedFile]:
        query = select(watched_files).where(watched_files.c.folder_id == folder_id)
        rows = self._rows(query.order_by(watched_files.c.path))
        return [WatchedFile(row.path, row.stamp, bool(row.is_gone)) for row in rows]

    def keep_files(self, folder_id: WatchedFolderId, files: Sequence[WatchedFile]) -> None:
        """Store what files are; earlier rows of the same paths are replaced."""
        rows = [
            {
                "folder_id": folder_id,
                "path": file.path,
                "stamp": file.stamp,
                "is_gone": int(file.is_gone),
            }
            for file in files
        ]
        if rows:
            with self._database.writing() as db:
                db.execute(insert(watched_files).prefix_with("OR REPLACE"), rows)

    def forget_files(self, folder_id: WatchedFolderId, paths: Iterable[str]) -> None:
        here = watched_files.c.folder_id == folder_id, watched_files.c.path.in_(listed(paths))
        self._change(delete(watched_files).where(*here))


def _of(folder_id: WatchedFolderId) -> Update:
    return update(watched_folders).where(watched_folders.c.id == folder_id)


def purge_watched_folders(db: Connection, until: str) -> int:
    """Remove folders deleted before a moment, with what was stored of their files."""
    gone = watched_folders.c.deleted_at < until
    return db.execute(delete(watched_folders).where(gone)).rowcount


def _folder_of(row: DatabaseRow) -> WatchedFolder:
    return WatchedFolder(
        WatchedFolderId(row.id),
        row.path,
        read_time(row.added_at),
        ProjectId(row.project),
        bool(row.takes_notes),
        bool(row.is_paused),
        read_time_or_none(row.looked_at),
        row.trouble,
    )
