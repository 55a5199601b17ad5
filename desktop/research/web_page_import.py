"""A web page goes into the library by its address, as a document does by its path."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from desktop.domain.ids import SourceId
from desktop.domain.sources import Source
from desktop.research.library import Outcome
from desktop.research.web.deadline import Stop, never

_BEGINS = ("http://", "https://")


class Pages(Protocol):
    """Of the web."""

    def fetch(self, address: str, *, stop: Stop = never) -> Source: ...


class KnownSources(Protocol):
    """Of the archive."""

    def sources(self) -> list[Source]: ...


@dataclass(frozen=True, slots=True)
class AddedPage:
    outcome: Outcome
    source: Source


AddPage = Callable[[str, Stop], AddedPage]
"""Address, and whether to stop; waits for the web. Raises AppError."""


@dataclass(frozen=True, slots=True)
class PageAdding:
    """Slow: called on a worker thread, never by the window."""

    web: Pages
    archive: KnownSources

    def add(self, address: str, *, stop: Stop = never) -> AddedPage:
        """Raises WebError, DocumentError, StorageError."""
        before: dict[SourceId, str] = {one.id: one.sha256 for one in self.archive.sources()}
        source = self.web.fetch(as_address(address), stop=stop)
        if source.id not in before:
            return AddedPage(Outcome.ADDED, source)
        is_same = before[source.id] == source.sha256
        return AddedPage(Outcome.KNOWN if is_same else Outcome.RENEWED, source)


def is_address(text: str) -> bool:
    """Whether it is written as the address of a web page, and not as a path."""
    return text.lower().startswith(_BEGINS)


def as_address(text: str) -> str:
    """What a person writes for an address: most leave its beginning out."""
    text = text.strip()
    return text if "://" in text or not text else f"https://{text}"
