"""Links between the notes of the library: where one leads.

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
from desktop.domain.projects import Wall
from desktop.domain.sources import FORM_OF_ENDING, DocumentType, Source, SourceKind, SourcePassage
from desktop.language.normalization import folded_key
from desktop.sessions.archive_reader import ArchiveReader

_LINK = re.compile(r"\[([^\[\]\n]{1,300})\]\((?:<([^<>\n]{1,400})>|([^<>()\s]{1,400}))\)")
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
    """Yield the links of a text to other notes and documents."""
    for match in _LINK.finditer(text):
        target = match[2] or unquote(match[3])
        if not _ADDRESS.match(target) and _names_document(target):
            yield NoteLink(match.start(), match.end(), match[1], target)


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


def _names_document(target: str) -> bool:
    name, _, heading = target.partition("#")
    return PurePosixPath(name).suffix.lower() in FORM_OF_ENDING if name else bool(heading)


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
