"""What is said of a document that took more memory than it may."""

from pathlib import Path

from desktop.domain.errors import DocumentError, DocumentTooLargeError, DocumentUnfoldsError
from desktop.research.documents.document_types import is_packed

LETTERS_A_MEGABYTE = 1 << 20


def outgrown(file: Path, most_letters: int) -> DocumentError:
    """What is packed unfolds; what is not was too large from the start. Raises OSError."""
    if is_packed(file):
        return DocumentUnfoldsError()
    return DocumentTooLargeError(limit=most_letters // LETTERS_A_MEGABYTE)
