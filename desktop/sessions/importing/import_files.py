"""Which files an import reads: a file, the members of a zip, the files of a folder.

A zip is opened in the process that parses; a folder is only walked here, and each of its files
is opened and passed on.
"""

import codecs
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from io import BufferedReader, BytesIO
from itertools import islice
from pathlib import Path, PurePosixPath
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo
from zlib import error as DeflateError  # noqa: N812 - an exception

from desktop.domain.sources import FORM_OF_ENDING
from desktop.research.folder_walking import is_own, walk_files
from desktop.sessions.importing.import_types import ImportFormat, UnreadableConversationError

HEAD_BYTES = 1 << 16
_FREE_BYTES = 16 << 20
# Chats compress to a tenth; deflate's limit, and that of zip bombs, is a thousandth.
_MOST_RATIO = 200
_MOST_NAMED = 5
_MOST_INNER = 256 << 20
"""Bytes of a zip inside a zip, which is read into memory."""
_NOTES = (".md", ".markdown", ".csv")
_EXPORTS = (".zip", ".json", ".jsonl")
EXPORT_NAMES = ("manifest", "conversations")
"""The beginnings of the names of files whose mistakes are told."""
_NOTION_PAGE = re.compile(r"[0-9a-f]{32}\.html?\Z")
_READ_HERE = (*_EXPORTS, ".html", ".htm", ".md", ".markdown", ".txt")
"""The endings of a folder's files that the import itself looks into."""
_MOST_FILES = 200_000
DAMAGED = (BadZipFile, DeflateError, EOFError)  # The exceptions that reading a broken zip raises

OpenFile = Callable[[], BufferedReader]
IsExport = Callable[[bytes], bool]
"""Whether the beginning of a file is that of an export."""


@dataclass(frozen=True, slots=True)
class FolderFile:
    """A file of a folder that is imported."""

    path: Path
    is_document: bool = False  # Whether it goes to the library as it is


def folder_files(
    folder: Path, form: ImportFormat | None, is_head: IsExport
) -> Iterator[FolderFile]:
    """Yield the files of a folder: of an export what can be one, else all documents.

    Hidden files are not read, nor links that lead out, nor notes that this program wrote there.
    """
    walked = (file for file, leads_out in walk_files(folder) if not leads_out)
    files = [file for file in islice(walked, _MOST_FILES) if not is_own(file)]
    is_vault = (folder / ".obsidian").is_dir() or form is ImportFormat.NOTES
    is_export = not is_vault and any(_may_be_export(file, is_head) for file in files)
    for file in files:
        ending = file.suffix.lower()
        if ending in _READ_HERE and not is_vault:
            yield FolderFile(file)
        elif ending in FORM_OF_ENDING and not is_export:
            yield FolderFile(file, is_document=True)


def _may_be_export(file: Path, is_head: IsExport) -> bool:
    """Return whether a file is of an export, and not such as lies beside notes."""
    ending = file.suffix.lower()
    if ending != ".json":
        return ending in _EXPORTS
    try:
        with file.open("rb") as opened:
            return file.name.lower().startswith(EXPORT_NAMES) or is_head(opened.read(HEAD_BYTES))
    except OSError:  # whoever reads it reports this
        return True


def find_files(
    file: BufferedReader,
    path: Path,
    is_export: IsExport,
    *,
    is_inner: bool = False,
    is_part: bool = False,
) -> list[tuple[str, OpenFile]]:
    """Return the file itself, or the members that can contain conversations.

    A zip in a zip is opened once. Raises OSError, UnreadableConversationError.
    """
    # A file named .zip that is not a zip is damaged: it is not read as a text.
    is_zip = file.peek()[:4] in {b"PK\x03\x04", b"PK\x05\x06"}
    if not is_zip and path.suffix.casefold() != ".zip":
        return [("", lambda: file)]
    try:
        archive = ZipFile(file)
    except (*DAMAGED, NotImplementedError, ValueError) as exc:
        raise UnreadableConversationError("zip_damaged") from exc
    infos = [info for info in archive.infolist() if not _is_companion(info.filename)]
    inner = [info for info in infos if _name(info).endswith(".zip")]
    if inner and is_inner:
        names = ", ".join(map(_name, inner[:_MOST_NAMED]))
        raise UnreadableConversationError("zip_in_zip", names=names)
    files: list[tuple[str, OpenFile]] = []
    members = [info for info in infos if _is_known(archive, info, is_export)]
    if not members and not inner:
        # A part of an export may hold tables alone, such as that of the accounts.
        endings = _NOTES if is_part or is_inner else (".json", *_NOTES)
        there = {info.filename for info in infos}
        # Notion has each table twice: as it is shown, and with all its rows.
        notes = [info for info in infos if _is_note(info, endings)]
        members = [info for info in notes if f"{info.filename[:-4]}_all.csv" not in there]
        if members and (others := [_name(info) for info in infos if info not in notes]):
            files.append(("", partial(_raise, _left_out(others))))
    files += [(member.filename, partial(_open_member, archive, member)) for member in members]
    for info in inner:
        files += _inner_files(archive, info, is_export)
    if not files and not (is_part or is_inner):
        raise UnreadableConversationError("zip_empty")
    return files


def _is_note(info: ZipInfo, endings: tuple[str, ...]) -> bool:
    return _name(info).endswith(endings) or bool(_NOTION_PAGE.search(_name(info)))


def _left_out(names: Sequence[str]) -> UnreadableConversationError:
    """Return why a zip of notes does not come whole: pictures and the like stay in it."""
    more = " …" if len(names) > _MOST_NAMED else ""
    return UnreadableConversationError(
        "files_left", names=f"{', '.join(names[:_MOST_NAMED])}{more}"
    )


def _inner_files(
    archive: ZipFile, info: ZipInfo, is_export: IsExport
) -> list[tuple[str, OpenFile]]:
    """Return the members of a zip in a zip; for one that cannot be read, what raises why."""
    try:
        if info.file_size > _MOST_INNER:
            raise UnreadableConversationError("zip_in_zip", names=_name(info))  # noqa: TRY301
        with _open_member(archive, info) as packed:
            data = _peekable(BytesIO(packed.read()))
        members = find_files(data, Path(info.filename), is_export, is_inner=True)
    except DAMAGED:
        return [(info.filename, partial(_raise, UnreadableConversationError("zip_damaged")))]
    except UnreadableConversationError as exc:
        return [(info.filename, partial(_raise, exc))]
    return [(f"{info.filename}/{name}", opened) for name, opened in members]


def _peekable(data: BytesIO) -> BufferedReader:
    return BufferedReader(data, HEAD_BYTES)


def _raise(error: UnreadableConversationError) -> BufferedReader:
    raise error


def _is_companion(name: str) -> bool:
    """Return whether it is a folder, or what macOS adds to each file."""
    path = PurePosixPath(name)
    return name.endswith("/") or "__MACOSX" in path.parts or path.name.startswith("._")


def _path(info: ZipInfo) -> PurePosixPath:
    """Return a member's path; some programs on Windows write it as their own."""
    return PurePosixPath(info.filename.replace("\\", "/"))


def _name(info: ZipInfo) -> str:
    return _path(info).name.lower()


def _is_known(archive: ZipFile, info: ZipInfo, is_export: IsExport) -> bool:
    """Return whether a member is part of an export; tables beside it are named alike."""
    name = _name(info)
    if not name.endswith((".json", ".html", ".htm")):
        return name.endswith(".jsonl")
    with suppress(UnreadableConversationError, *DAMAGED), _open_member(archive, info) as file:
        head = file.peek(HEAD_BYTES).removeprefix(codecs.BOM_UTF8).lstrip()
        is_list = name.startswith("conversation") and head.startswith(b"[")
        return is_list or is_export(head)
    return name.startswith("conversation")  # Its reader says what is wrong with it


def _open_member(archive: ZipFile, info: ZipInfo) -> BufferedReader:
    path = _path(info)
    if path.is_absolute() or ".." in path.parts or info.filename[1:2] == ":":
        raise UnreadableConversationError("zip_path")
    if info.compress_type not in {ZIP_STORED, ZIP_DEFLATED}:
        raise UnreadableConversationError("zip_packed_otherwise")
    # No more than this size is ever read.
    if info.file_size > _FREE_BYTES + _MOST_RATIO * info.compress_size:
        raise UnreadableConversationError("zip_bomb")
    try:
        # typeshed types it as IO, without the `readinto` that it has
        return BufferedReader(archive.open(info), HEAD_BYTES)  # type: ignore[arg-type]
    # RuntimeError: it has a password
    except (*DAMAGED, RuntimeError, ValueError, OSError) as exc:
        raise UnreadableConversationError("zip_damaged") from exc
