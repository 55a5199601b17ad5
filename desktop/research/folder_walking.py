"""The files of a folder that the user chose: hidden ones and links that lead out are left out."""

import errno
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from desktop.domain.errors import DocumentKindError, DocumentTooLargeError, FileUnreadableError
from desktop.domain.sources import FORM_OF_ENDING, DocumentType
from desktop.settings.file_writing import raising_unreadable


def walk_files(
    path: Path, on_error: Callable[[OSError], object] | None = None
) -> Iterator[tuple[Path, bool]]:
    """Yield each file of a folder; with True, a link, also to a folder, that leads out of it.

    `on_error`: gets why a folder inside cannot be listed.
    """
    root = path.resolve()
    for folder, folders, names in os.walk(path, onerror=on_error):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        linked = (Path(folder, name) for name in folders)
        yield from ((link, True) for link in linked if _leads_out(link, root))
        shown = (name for name in sorted(names) if not name.startswith((".", "~$")))
        for file in (Path(folder, name) for name in shown):
            yield file, _leads_out(file, root)


def documents_in(paths: Sequence[Path]) -> Iterator[tuple[Path, bool]]:
    """Yield the same of files, and of what can be a document in folders.

    What this program wrote into a folder is left out.
    """
    for path in paths:
        if not is_folder(path):
            yield path, False
            continue
        for file, leads_out in walk_files(path):
            if leads_out:
                if is_folder(file) or is_document(file):
                    yield file, True
            elif is_document(file) and not is_own(file):
                yield file, False


def is_file(path: Path) -> bool:
    """Return whether it is a file; like `is_folder`, no if the system does not say.

    Those of Path raise where a permission was lost, or a disk is gone.
    """
    return os.path.isfile(path)  # noqa: PTH113 - as above


def is_folder(path: Path) -> bool:
    """Return whether it is a folder that can be listed."""
    return os.path.isdir(path) and os.access(path, os.R_OK | os.X_OK)  # noqa: PTH112 - as above


def is_document(file: Path) -> bool:
    return file.suffix.lower() in FORM_OF_ENDING


def check_file(file: Path, megabytes: int) -> None:
    """Raise FileUnreadableError or DocumentError for a file that cannot be added."""
    with raising_unreadable(file):
        status = file.stat()
    if not is_file(file):
        raise FileUnreadableError(path=str(file), detail=os.strerror(errno.ESPIPE))
    if file.resolve().is_relative_to("/proc") or file.resolve().is_relative_to("/sys"):
        raise DocumentKindError
    if status.st_size > megabytes << 20:
        raise DocumentTooLargeError(limit=megabytes)


def is_own(file: Path) -> bool:
    """Return whether this program wrote a file into a folder of notes."""
    from desktop.research.documents.front_matter import MOST_OF_HEAD, is_own_note  # noqa: PLC0415 - not for the start

    is_markdown = FORM_OF_ENDING.get(file.suffix.lower()) is DocumentType.MARKDOWN
    if not is_markdown or not is_file(file):  # a pipe would block for ever
        return False
    try:
        with file.open("rb") as opened:
            return is_own_note(opened.read(MOST_OF_HEAD))
    except OSError:  # whoever reads it reports this
        return False


def _leads_out(path: Path, folder: Path) -> bool:
    try:
        return path.is_symlink() and not path.resolve().is_relative_to(folder)
    except (OSError, RuntimeError):  # a link to itself
        return True
