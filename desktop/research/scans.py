"""Reads scanned pages of the library, and pictures of messages, by OCR.

Each is stored as soon as it is read.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from desktop.domain import errors
from desktop.domain.messages import MessageFile
from desktop.domain.projects import EVERYTHING
from desktop.domain.sources import Source
from desktop.language.keywords_and_stems import text_language
from desktop.research.child_process import ReadingStopped
from desktop.research.documents.ocr import (
    OcrReader,
    PictureTextReader,
    find_engine,
    require_engine,
)
from desktop.research.library import Library
from desktop.storage.repositories.file_store import FileStore
from desktop.storage.repositories.sources import ScanStore, SourceStore
from desktop.storage.search.source_index import PictureIndex

log = logging.getLogger(__name__)

_READ_FOR_LANGUAGE = 5  # Passages


@dataclass(frozen=True, slots=True)
class ScanProgress:
    source: Source
    page: int  # From 1, of the document
    number: int  # Of the page among those that are read, from 1
    pages: int


@dataclass(frozen=True, slots=True)
class ScanReport:
    """What was read of a document."""

    source: Source  # As it is now
    pages: int = 0
    words: int = 0
    uncertain: int = 0  # Words that may be others
    failed_pages: Sequence[int] = ()
    error: errors.AppError | None = None


@dataclass(frozen=True, slots=True)
class ScanReading:
    """Slow: call it on a worker thread. Methods may raise StorageError."""

    _sources: SourceStore
    _scans: ScanStore
    _library: Library

    def due(self) -> list[Source]:
        """Return the documents that need OCR, the oldest first."""
        return [source for source in self._sources.sources(EVERYTHING) if source.needs_ocr][::-1]

    def readable(self) -> list[Source]:
        """Return the same, or none where nothing on this computer can read them."""
        return self.due() if find_engine() else []

    def require(self) -> None:
        """Raise OcrMissingError if nothing on this computer can read scans."""
        require_engine()

    def read_due(self, should_stop: Callable[[], bool]) -> int:
        """Read what is due, if it can be, and return how many documents are read now."""
        sources, reports = self.readable(), list[ScanReport]()
        if sources:
            self.read(sources, on_done=reports.append, should_stop=should_stop)
        return sum(not report.source.needs_ocr for report in reports)

    def read(
        self,
        sources: Sequence[Source],
        *,
        on_progress: Callable[[ScanProgress], None] = lambda _: None,
        on_done: Callable[[ScanReport], None] = lambda _: None,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> int:
        """Read what is missing of documents and return how many pages. Raises OcrMissingError.

        Wherever it is stopped or killed, the next run continues with the next page.
        """
        count = 0
        with OcrReader(self._library.opened, require_engine(), should_stop) as reader:
            for source in sources:
                try:
                    report = self._read(source, reader, on_progress)
                except ReadingStopped:
                    break
                count += report.pages
                on_done(report)
                if should_stop():
                    break
        return count

    def _read(
        self, source: Source, reader: OcrReader, on_progress: Callable[[ScanProgress], None]
    ) -> ScanReport:
        file = self._library.original(source)
        if file is None:
            gone = errors.FileUnreadableError(path=source.address, detail="")
            return ScanReport(source, error=gone)
        try:
            indexes = reader.scanned_pages(file)
        except (errors.DocumentError, errors.FileUnreadableError) as exc:
            return ScanReport(source, error=exc)
        there = self._scans.pages(source.id)
        missing = [index + 1 for index in indexes if index + 1 not in there]
        words = uncertain = 0
        failed: list[int] = []
        for number, page in enumerate(missing, start=1):
            on_progress(ScanProgress(source, page, number, len(missing)))
            try:
                scan = reader.read_page(file, page - 1)
            except errors.OcrFailedError as exc:
                return ScanReport(source, number - 1 - len(failed), words, uncertain, error=exc)
            except (errors.DocumentError, errors.FileUnreadableError) as exc:
                log.info("a scanned page was not read: %s", exc.key)
                failed.append(page)
                continue
            self._scans.add(source.id, page, scan.words, scan.passages)
            words += len(scan.words)
            uncertain += sum(word.is_uncertain for word in scan.words)
        if not failed:
            passages = self._sources.passages(source.id)[:_READ_FOR_LANGUAGE]
            language = text_language(" ".join(passage.text for passage in passages))
            self._scans.finish(source.id, language)
        now = self._sources.source(source.id)
        return ScanReport(now, len(missing) - len(failed), words, uncertain, failed)


_UNREAD = (errors.PictureUnopenedError, errors.PictureTooLargeError)
_TOO_SLOW = (errors.PictureTooSlowError, errors.DocumentTooSlowError)


@dataclass(frozen=True, slots=True)
class PictureReading:
    """Reads the pictures of messages. Slow; methods may raise StorageError."""

    _index: PictureIndex
    _files: FileStore
    _is_on: Callable[[], bool]

    def readable(self) -> list[MessageFile]:
        """Return what waits, or none if it is turned off or nothing here can read pictures."""
        return self._index.unread() if self._is_on() and find_engine() else []

    def read_due(self, should_stop: Callable[[], bool]) -> int:
        """Read what waits and return how many pictures have words.

        A picture that cannot be opened is not tried again, one that takes too long once; where
        the reading is stopped or killed, the next run goes on.
        """
        pictures, count = self.readable(), 0
        if not pictures:
            return 0
        with PictureTextReader(require_engine(), should_stop) as reader:
            for picture in pictures:
                if should_stop():
                    break
                try:
                    count += self._read(picture, reader)
                except (errors.OcrFailedError, errors.DocumentReaderError) as exc:
                    log.warning("pictures are not read: %s", exc.key)
                    break
                except ReadingStopped:
                    break
        return count

    def _read(self, picture: MessageFile, reader: PictureTextReader) -> bool:
        """Read a picture and return whether it has words."""
        try:
            words = reader.words(self._files.read(picture))
        except _TOO_SLOW:
            self._index.put_off(picture.sha256)
            return False
        except _UNREAD:
            words = ""
        except errors.FileUnreadableError:  # a backup may bring it back
            return False
        self._index.add(picture.sha256, words)
        return bool(words)
