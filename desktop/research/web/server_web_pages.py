"""Pages that an endpoint found by itself, kept as sources, so that what was cited opens later."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Protocol

from desktop.domain.ids import SourceId, new_passage_id, new_source_id
from desktop.domain.language import Language
from desktop.domain.model import FoundPage
from desktop.domain.sources import NewPassage, Source, SourceKind, SourcePassage, SourceState
from desktop.domain.times import Clock, utc_now
from desktop.domain.web_errors import AddressRefusedError
from desktop.language.language_detection import guess_language
from desktop.language.surrogates import whole_letters
from desktop.research.citations.quote_matching import stands_in
from desktop.research.documents.blocks import Block
from desktop.research.documents.chunking import chunk_blocks
from desktop.research.web.safe_urls import parse_address

_LONGEST_TITLE = 300


class Shelf(Protocol):
    """Sources of the archive."""

    def at_address(self, address: str) -> Source | None: ...
    def passages(self, source_id: SourceId) -> list[SourcePassage]: ...
    def add(self, source: Source, passages: Sequence[NewPassage]) -> Source: ...


@dataclass(frozen=True, slots=True)
class FoundShelf:
    """Methods may raise StorageError."""

    shelf: Shelf
    default_language: Callable[[], Language]
    now: Clock = field(default=utc_now)

    def keep(self, page: FoundPage) -> tuple[Source, list[SourcePassage]] | None:
        """The page with its passages; None for what has no address of a page.

        Of one that was only searched, the words that were cited are all that is known: they join
        what is kept of it, and never take the place of more.
        """
        address = _address(page)
        if address is None:
            return None
        there = self.shelf.at_address(address)
        old = self.shelf.passages(there.id) if there else []
        new = _passages(page, () if page.is_whole else old)
        if there is not None and not new:
            return there, old
        if not new:
            return None
        if not page.is_whole:
            new = [*(NewPassage(one.text, one.page, one.heading) for one in old), *new]
        kept = self.shelf.add(self._source(page, address, new, there), new)
        return kept, self.shelf.passages(kept.id)

    def read(self, page: FoundPage) -> tuple[Source, list[SourcePassage]] | None:
        """The same, kept nowhere."""
        address, new = _address(page), _passages(page, ())
        if address is None or not new:
            return None
        source = self._source(page, address, new, None)
        return source, [
            SourcePassage(new_passage_id(), source.id, number, one.page, one.heading, one.text)
            for number, one in enumerate(new, start=1)
        ]

    def _source(
        self, page: FoundPage, address: str, passages: Sequence[NewPassage], there: Source | None
    ) -> Source:
        now = self.now()
        is_partial = not page.is_whole and (there is None or there.state is SourceState.PARTIAL)
        digest = sha256("\0".join([address, *(one.text for one in passages)]).encode())
        return Source(
            id=new_source_id(),
            kind=SourceKind.WEB,
            title=whole_letters(page.title[:_LONGEST_TITLE]),
            address=address,
            added_at=now,
            read_at=now,
            sha256=digest.hexdigest(),
            language=guess_language(page.text[:2000], self.default_language()),
            state=SourceState.PARTIAL if is_partial else SourceState.COMPLETE,
        )


def _address(page: FoundPage) -> str | None:
    try:
        return str(parse_address(page.address))
    except AddressRefusedError:
        return None


def _passages(page: FoundPage, old: Sequence[SourcePassage]) -> list[NewPassage]:
    """Of words that were cited each by itself: what stood between them is not known."""
    parts = [whole_letters(part.strip()) for part in page.text.split("\n\n")]
    blocks = [Block(part) for part in parts if part]
    if page.is_whole:
        return list(chunk_blocks(blocks))
    new = [one for one in blocks if not any(stands_in(one.text, two.text) for two in old)]
    return [passage for block in new for passage in chunk_blocks([block])]
