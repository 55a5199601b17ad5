"""Reads fetched pages in the document reader process."""

import codecs
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Lock, Timer

from desktop.domain.errors import (
    DocumentDamagedError,
    DocumentEmptyError,
    DocumentTooLargeError,
    DocumentTooSlowError,
    DocumentUnfoldsError,
)
from desktop.domain.web_errors import (
    PageEmptyError,
    PageTooLargeError,
    PageTooSlowError,
    WebStoppedError,
)
from desktop.research.child_process import ReadingStopped
from desktop.research.documents.document_types import FETCHED
from desktop.research.documents.reader import Document, DocumentReader, ReadingLimits
from desktop.research.documents.text_files import decode_text
from desktop.research.web.fetch import PDF, TEXTS, Fetched
from desktop.research.web.rate_limiting import Stop, never

_LIMITS = ReadingLimits(megabytes=768, seconds=30, letters=4 << 20)
_LONGEST_IDLE_S = 60.0
_ENDINGS = {PDF: ".pdf", TEXTS[0]: ".txt", **dict.fromkeys(TEXTS[1:], ".md")}


@dataclass(slots=True)
class PageReader:
    """Thread-safe, one page at a time. The process ends with `close` or when idle."""

    _reader: DocumentReader = field(default_factory=lambda: DocumentReader(_LIMITS))
    _lock: Lock = field(default_factory=Lock)
    _is_closing: Event = field(default_factory=Event)
    _idling: Timer | None = None

    def read(self, fetched: Fetched, *, stop: Stop = never) -> Document:
        """Raises WebError, DocumentError."""
        host = fetched.address.host
        # A process that was just killed may still hold its file, where the system minds.
        with (
            self._lock,
            TemporaryDirectory(prefix="bellek-", ignore_cleanup_errors=True) as folder,
        ):
            file = Path(folder, f"page{_ENDINGS.get(fetched.kind, FETCHED)}")
            file.write_bytes(_marked(fetched))
            try:
                return self._reader.read(
                    file, should_stop=lambda: self._is_closing.is_set() or stop()
                )
            except ReadingStopped as exc:
                raise WebStoppedError from exc
            except (DocumentEmptyError, DocumentDamagedError) as exc:
                raise PageEmptyError(host=host) from exc
            except DocumentTooSlowError as exc:
                raise PageTooSlowError(host=host, seconds=round(_LIMITS.seconds)) from exc
            except (DocumentTooLargeError, DocumentUnfoldsError) as exc:
                raise PageTooLargeError(host=host, limit=_LIMITS.letters >> 20) from exc
            finally:
                self._idle()

    def close(self) -> None:
        """Stop what is being read; the next page starts a new process."""
        self._is_closing.set()
        with self._lock:
            self._is_closing.clear()
            if self._idling is not None:
                self._idling.cancel()
            self._reader.close()

    def _idle(self) -> None:
        """Start the timer that ends the process, which holds some 80 MB."""
        if self._idling is not None:
            self._idling.cancel()
        self._idling = Timer(_LONGEST_IDLE_S, self._rest)
        self._idling.daemon = True
        self._idling.start()

    def _rest(self) -> None:
        """Do nothing while a page is being read: its end starts a new timer."""
        if self._lock.acquire(blocking=False):
            self._reader.close()
            self._lock.release()


def _marked(fetched: Fetched) -> bytes:
    """The body in UTF-8 if the site names a charset, which overrides the one in the page."""
    body = fetched.body
    if fetched.kind == PDF or not fetched.charset:
        return body
    return codecs.BOM_UTF8 + decode_text(body, fetched.charset).encode()
