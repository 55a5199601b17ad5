"""Links between the notes of the library, and to pictures beside them: where one leads.

Notes programs name a note by its name alone, wherever it lies; a path is relative to the note that
has the link. Links to the web are not of this kind.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple
from unicodedata import normalize
from urllib.parse import unquote

from desktop.domain.ids import PassageId, SourceId
from desktop.domain.messages import Pixels
from desktop.domain.projects import Wall
from desktop.domain.sources import FORM_OF_ENDING, DocumentType, Source, SourceKind, SourcePassage
from desktop.domain.watched_folders import WatchedFolder
from desktop.language.normalization import folded_key
from desktop.research.documents.pictures import MOST_BYTES, PictureReader
from desktop.research.folder_walking import check_file, is_file, walk_files
from desktop.sessions.archive_reader import ArchiveReader
from desktop.settings.file_writing import raising_unreadable

_LINK = re.compile(r"\[([^\[\]\n]{0,300})\]\((?:<([^<>\n]{1,400})>|([^<>()\s]{1,400}))\)")
_PICTURES = frozenset({".png", ".jpg", ".jpeg", ".gif", ".webp"})
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


class NoteLink(NamedTuple):
    start: int
    end: int
    label: str
    target: str  # As it is written: a name or a path, perhaps with # and a heading


class LinkedPlace(NamedTuple):
    source_id: SourceId
    passage_id: PassageId | None = None  # Of the heading; None for the beginning


def note_links(text: str) -> Iterator[NoteLink]:
    """Yield the links of a text to other notes and documents, and to pictures."""
    for match in _LINK.finditer(text):
        target = match[2] or unquote(match[3])
        if not _ADDRESS.match(target) and _names_document(target):
            yield NoteLink(match.start(), match.end(), match[1] or target, target)


def find_linked(archive: ArchiveReader, source: Source, target: str) -> LinkedPlace | None:
    """Return where a link of a source leads; None if the library of its project lacks the note.

    Of several notes with the name, the nearest counts. Raises StorageError.
    """
    name, _, heading = target.partition("#")
    note = _named(archive, source, name.strip()) if name.strip() else source
    if note is None:
        return None
    passages = archive.passages(note.id) if heading else ()
    return LinkedPlace(note.id, _below(passages, heading))


def is_picture(target: str) -> bool:
    return PurePosixPath(target).suffix.lower() in _PICTURES


def read_picture(
    folders: Sequence[WatchedFolder], source: Source, target: str, edge: int
) -> Pixels | None:
    """Return a picture that a note shows, its longer side at most `edge`; None if there is none.

    `folders`: of notes; what leads out of the note's folder is not read. On a worker. Raises
    PictureUnopenedError, PictureTooLargeError, FileUnreadableError, DocumentTooLargeError.
    """
    note = Path(source.address)
    inside = (Path(folder.path) for folder in folders if note.is_relative_to(folder.path))
    file = _find_picture(next(inside, note.parent), note, target)
    if file is None:
        return None
    check_file(file, MOST_BYTES >> 20)
    with raising_unreadable(file), PictureReader() as reader:
        return reader.pixels(file.read_bytes(), edge)


def _find_picture(folder: Path, note: Path, target: str) -> Path | None:
    """Return the file of that path, or else the one of that name, wherever in the folder."""
    root = folder.resolve()
    for path in (note.parent / target, folder / target):
        if is_file(path) and path.resolve().is_relative_to(root):
            return path
    key = _key(PurePosixPath(target).name)
    inside = (file for file, leads_out in walk_files(folder) if not leads_out)
    return next((file for file in inside if _key(file.name) == key and is_file(file)), None)


def _names_document(target: str) -> bool:
    name, _, heading = target.partition("#")
    if not name:
        return bool(heading)
    return PurePosixPath(name).suffix.lower() in FORM_OF_ENDING or is_picture(name)


def _named(archive: ArchiveReader, source: Source, name: str) -> Source | None:
    path = _exact(Path(source.address).parent / name)
    others = [
        other
        for other in archive.sources(Wall(source.project))
        if other.kind is SourceKind.DOCUMENT and other.project == source.project
    ]
    for other in others:
        if _exact(Path(other.address)) == path:
            return other
    key = _key(PurePosixPath(name).name)
    same = [other for other in others if _key(Path(other.address).name) == key]
    # What the profile keeps by itself, such as a note out of a zip, has its name as its title.
    same = same or [other for other in others if _key(_titled(other, name)) == key]
    return max(same, key=lambda other: _nearness(other, source), default=None)


def _titled(source: Source, name: str) -> str:
    is_note = FORM_OF_ENDING.get(PurePosixPath(name).suffix.lower()) is DocumentType.MARKDOWN
    return f"{source.title}{PurePosixPath(name).suffix}" if is_note else source.title


def _exact(path: Path) -> str:
    """Return a path without `..`; one of macOS has its accents apart."""
    parts: list[str] = []
    for part in path.parts:
        if part == ".." and len(parts) > 1:
            parts.pop()
        elif part != "..":
            parts.append(part)
    return normalize("NFC", str(Path(*parts)))


def _key(name: str) -> str:
    return folded_key(normalize("NFC", name))


def _nearness(source: Source, to: Source) -> tuple[int, int]:
    """Return how many folders two documents have in common; of equals the one less deep counts."""
    parts = Path(source.address).parts
    pairs = enumerate(zip(parts, Path(to.address).parts, strict=False))
    return next((n for n, (one, other) in pairs if one != other), 0), -len(parts)


def _below(passages: Sequence[SourcePassage], heading: str) -> PassageId | None:
    key = _key(heading.rpartition("#")[2].strip())
    inside = (p.id for p in passages if key in [_key(part) for part in p.heading.split(" › ")])
    return next(inside, None) if key else None
