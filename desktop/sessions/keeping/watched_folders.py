"""Watched folders: new and changed notes are read again, gone ones are asked about.

A look compares what the files are with what they were. Nothing is removed from the library, and
nothing is called gone while the folder, or a part of it, cannot be read.
"""

import logging
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING, NamedTuple

from desktop.domain.changes import Change
from desktop.domain.errors import FileUnreadableError
from desktop.domain.projects import NO_PROJECT, ProjectId, Wall
from desktop.domain.sources import Source
from desktop.domain.times import Clock, utc_now
from desktop.domain.watched_folders import (
    FolderMissingError,
    FolderWatchedError,
    WatchedFile,
    WatchedFolder,
    WatchedFolderId,
)
from desktop.language.normalization import fix_surrogates
from desktop.research.folder_walking import is_document, is_folder, is_own, walk_files
from desktop.research.library import AddOutcome, Library, LibraryReport
from desktop.research.web.rate_limiting import Stop, never

if TYPE_CHECKING:
    from desktop.storage.archive import Archive

log = logging.getLogger(__name__)

_PATIENCE_S = 5.0  # For a folder to answer
_AT_ONCE = 50  # Documents after which what was read is noted


class _Found(NamedTuple):
    path: Path
    stamp: str  # Changes with the file


@dataclass(slots=True)
class FolderLook:
    """What a look at a folder found."""

    folder: WatchedFolder
    report: LibraryReport = field(default_factory=LibraryReport)
    gone: Sequence[Source] = ()  # Documents whose files are gone, and which were not asked about

    @property
    def read(self) -> int:
        outcomes = (AddOutcome.ADDED, AddOutcome.RENEWED)
        return sum(document.outcome in outcomes for document in self.report.added)


@dataclass(frozen=True, slots=True)
class WatchedFolders:
    """Any thread may call; looks wait for the disk. Methods may raise StorageError."""

    _archive: "Archive"
    _library: Library
    now: Clock = utc_now
    _looking: Lock = field(default_factory=Lock)
    _asking: dict[Path, Thread] = field(default_factory=dict)
    """For each folder the thread that waits for it to answer."""

    def add(self, path: Path, project: ProjectId = NO_PROJECT) -> WatchedFolder:
        """Watch a folder; the next look reads it.

        Raises FolderMissingError, FolderWatchedError.
        """
        path = path.expanduser().resolve()
        if not is_folder(path):
            raise FolderMissingError(path=str(path))
        for place in self._archive.projects.every_place():
            for folder in self.folders(Wall(place)):
                other = Path(folder.path)
                if path.is_relative_to(other) or other.is_relative_to(path):
                    raise FolderWatchedError(path=folder.path)
        folder_id = WatchedFolderId(os.urandom(4).hex())
        folder = WatchedFolder(folder_id, fix_surrogates(str(path)), self.now(), project)
        self._archive.watched_folders.add(folder)
        return folder

    def folders(self, wall: Wall) -> Sequence[WatchedFolder]:
        return self._archive.watched_folders.folders(wall)

    def folder(self, folder_id: WatchedFolderId) -> WatchedFolder:
        """Raises FolderUnknownError."""
        return self._archive.watched_folders.folder(folder_id)

    def pause(self, folder_id: WatchedFolderId, *, is_paused: bool) -> None:
        self._archive.watched_folders.pause(folder_id, is_paused=is_paused)

    def allow_notes(self, folder_id: WatchedFolderId, *, takes_notes: bool) -> None:
        """Set whether answers and notes may be written into a folder."""
        self._archive.watched_folders.allow_notes(folder_id, takes_notes=takes_notes)

    def remove(self, folder_id: WatchedFolderId) -> Change[WatchedFolder]:
        """Watch a folder no longer; its documents stay. Raises FolderUnknownError."""
        store, folder = self._archive.watched_folders, self.folder(folder_id)
        store.delete(folder_id)

        def undo() -> WatchedFolder:
            store.undelete(folder_id)
            return folder

        return Change(folder, undo)

    def look_all(self, stop: Stop = never) -> Iterator[FolderLook]:
        """Look at every folder that is not paused, unless another look is going on.

        One that cannot be read is named in its list, and hinders no other.
        """
        for place in self._archive.projects.every_place():
            for folder in self.folders(Wall(place)):
                if stop() or self._looking.locked():
                    return
                if not folder.is_paused:
                    try:
                        yield self.look(folder.id, stop)
                    except FolderMissingError as exc:
                        log.info("a watched folder could not be read: %s", exc.key)

    def look(self, folder_id: WatchedFolderId, stop: Stop = never) -> FolderLook:
        """Read what is new or changed, also of a paused folder; a stop keeps what was read.

        Raises FolderUnknownError, FolderMissingError.
        """
        *_, look = self.look_in_steps(folder_id, stop)
        return look

    def look_in_steps(
        self, folder_id: WatchedFolderId, stop: Stop = never
    ) -> Iterator[FolderLook]:
        """As `look`, yielding what was found so far; waits for another look to end."""
        store, folder = self._archive.watched_folders, self.folder(folder_id)
        is_there = self._answers(Path(folder.path))
        with self._looking:
            known = {file.path: file for file in store.files(folder_id)}
            files, is_whole = self._walk(folder, has_files=bool(known), is_there=is_there)
            changed = [key for key, file in files.items() if _is_new(known.get(key), file)]
            look = FolderLook(folder)
            for start in range(0, len(changed), _AT_ONCE):
                if stop():
                    look.report.was_stopped = True
                    break
                keys = changed[start : start + _AT_ONCE]
                self._read(folder, {key: files[key] for key in keys}, look, stop)
                yield look
            if is_whole and not look.report.was_stopped:
                gone = [file for key, file in known.items() if key not in files]
                look.gone = self._note_gone(folder, gone)
            # Most looks find nothing: they write nothing.
            if look.read or look.gone or folder.trouble or folder.looked_at is None:
                store.end_look(folder_id)
            yield look

    def gone(self, folder: WatchedFolder) -> Sequence[Source]:
        """Return the documents whose files were gone at the last look, and are to be decided."""
        files = self._archive.watched_folders.files(folder.id)
        sources = self._archive.sources.of(folder.project)
        found = (sources.at_address(file.path) for file in files if file.is_gone)
        return [source for source in found if source]

    def keep_gone(self, folder: WatchedFolder) -> None:
        """Leave the documents of gone files in the library, and ask about them no more."""
        paths = [source.address for source in self.gone(folder)]
        self._archive.watched_folders.forget_files(folder.id, paths)

    def _answers(self, path: Path) -> bool:
        """Return whether a folder is there; a network disk that is gone may never say."""
        asking = self._asking.get(path)
        if asking is None or not asking.is_alive():
            asking = self._asking[path] = Thread(target=is_folder, args=(path,), daemon=True)
            asking.start()
        asking.join(_PATIENCE_S)
        return not asking.is_alive() and is_folder(path)

    def _walk(
        self, folder: WatchedFolder, *, has_files: bool, is_there: bool
    ) -> tuple[dict[str, _Found], bool]:
        """Return each document by its address, and whether all of the folder could be read.

        `has_files`: it had some. One that is empty now is where a disk was connected.
        """
        errors: list[OSError] = []
        root, files = Path(folder.path), dict[str, _Found]()
        if not is_there or (has_files and not any(root.iterdir())):
            if folder.trouble != FolderMissingError.key:
                self._archive.watched_folders.end_look(folder.id, FolderMissingError.key)
            raise FolderMissingError(path=folder.path)
        for file, leads_out in walk_files(root, errors.append):
            if leads_out or not is_document(file):
                continue
            try:
                status = file.stat()
            except OSError as exc:
                errors.append(exc)
                continue
            # The folder's own path has no links: resolving each file would take twice as long.
            path = file.resolve() if file.is_symlink() else file
            found = _Found(path, f"{status.st_mtime_ns}-{status.st_size}")
            files[fix_surrogates(str(path))] = found
        return files, not errors

    def _read(
        self, folder: WatchedFolder, files: dict[str, _Found], look: FolderLook, stop: Stop
    ) -> None:
        own = {file.path for file in files.values() if is_own(file.path)}
        paths = [file.path for file in files.values() if file.path not in own]
        # Notes with the same words, as from a template, are as many notes.
        library = replace(self._library.of(folder.project), are_apart=True)
        report = library.add(paths, should_stop=stop)
        look.report.added += report.added
        look.report.was_stopped = report.was_stopped
        # What could not be opened is tried again.
        read = {
            document.path
            for document in report.added
            if not isinstance(document.error, FileUnreadableError)
        }
        kept = [
            WatchedFile(key, file.stamp) for key, file in files.items() if file.path in read | own
        ]
        self._archive.watched_folders.keep_files(folder.id, kept)

    def _note_gone(self, folder: WatchedFolder, files: Sequence[WatchedFile]) -> Sequence[Source]:
        """Note the gone files that a document has; one that was moved has its new address."""
        sources = self._archive.sources.of(folder.project)
        gone = [(file, sources.at_address(file.path)) for file in files]
        if forgotten := [file.path for file, source in gone if source is None]:
            self._archive.watched_folders.forget_files(folder.id, forgotten)
        new = [(file, source) for file, source in gone if source and not file.is_gone]
        marked = [WatchedFile(file.path, file.stamp, is_gone=True) for file, _ in new]
        self._archive.watched_folders.keep_files(folder.id, marked)
        return [source for _, source in new]


def _is_new(known: WatchedFile | None, file: _Found) -> bool:
    return known is None or known.stamp != file.stamp or known.is_gone
