"""Finds out which number is printed on a page of a document, for citations.

The pages of an article are counted from the first one of its reference, if there are as many; else
the file says how they are numbered. What neither says is not known: a guess would be cited.
"""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from desktop.domain.errors import DocumentError, FileUnreadableError
from desktop.domain.ids import SourceId
from desktop.domain.references import Reference
from desktop.domain.sources import Source, SourceKind
from desktop.research.documents.page_reader import PdfDescription

_RANGE = re.compile(r"\s*(\d{1,6})\s*[-–—]{1,2}\s*(\d{1,6})\s*")
_LABEL = re.compile(r"\w[\w.–-]{0,11}")
"""What may be a number: the file decides what its labels are, and they are written into texts."""


@dataclass(frozen=True, slots=True)
class PrintedPages:
    """Its method waits for the process that reads hostile files; any thread may call it."""

    _pdf: Callable[[Source], Path | None]
    _describe: Callable[[Path], PdfDescription]
    _references: Callable[[SourceId], Reference]
    _labels: dict[tuple[SourceId, str], Sequence[str]] = field(default_factory=dict)

    def of(self, source: Source, page: int) -> str:
        """Return the number printed on a page, counted from 1; empty if it is not known.

        Raises StorageError.
        """
        if source.kind is not SourceKind.DOCUMENT or not source.pages:
            return ""
        pages = self._references(source.id).text("page")
        if (first := _first_of(pages, source.pages)) is not None:
            return str(first + page - 1)
        labels = self._labels_of(source)
        is_counted = list(labels) == [str(number) for number in range(1, len(labels) + 1)]
        if (pages and is_counted) or not 1 <= page <= len(labels):
            return ""  # A program that makes files counts; the article has other numbers
        return labels[page - 1] if _LABEL.fullmatch(labels[page - 1]) else ""

    def _labels_of(self, source: Source) -> Sequence[str]:
        version = (source.id, source.sha256)
        if version not in self._labels:
            self._labels[version] = ()
            with suppress(DocumentError, FileUnreadableError):
                file = self._pdf(source)
                self._labels[version] = self._describe(file).labels if file else ()
        return self._labels[version]


def _first_of(pages: str, count: int) -> int | None:
    """Return the first page of a range with so many pages; "217-31" ends with 231."""
    if (match := _RANGE.fullmatch(pages)) is None:
        return None
    first, last = match[1], match[2]
    last = first[: max(len(first) - len(last), 0)] + last
    return int(first) if int(last) - int(first) + 1 == count else None
