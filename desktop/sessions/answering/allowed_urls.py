"""Which addresses an answer may show unmarked: read, in the library, or written by the user."""

import logging
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

from desktop.domain.errors import StorageError
from desktop.domain.messages import Role
from desktop.domain.model import ModelRequest
from desktop.domain.search import Query
from desktop.domain.web_errors import AddressRefusedError
from desktop.language.normalization import word_texts
from desktop.research.citations.url_allowlist import UrlAllowlist, find_links, normalize_link
from desktop.research.web.safe_urls import parse_address
from desktop.sessions.active_session import ActiveSession
from desktop.storage.archive import Archive

log = logging.getLogger(__name__)

_PASSAGES = re.compile(r"<passage\b.*?</passage>", re.DOTALL)
_MOST_PLACES = 20
_SPELLINGS = tuple(product(("https://", "http://"), ("", "www."), ("", "/")))


@dataclass(frozen=True, slots=True)
class KeptAddresses:
    """Of pages that were ever read, and such as stand in a text of the library."""

    archive: Archive

    def knows(self, link: str) -> bool:
        """What cannot be looked up is not known."""
        even = normalize_link(link)
        try:
            return self._was_read(even) or self._is_named(even)
        except StorageError as exc:
            log.info("an address could not be looked up: %s", exc.key)
            return False

    def _was_read(self, even: str) -> bool:
        return any(self.archive.sources.at_address(one) for one in _spelled(even))

    def _is_named(self, even: str) -> bool:
        said = word_texts(even)
        if not said:
            return False
        query = Query("", limit=_MOST_PLACES)
        found = self.archive.source_index.newest_matches(f'"{" ".join(said)}"', query)
        return any(even in find_links(one.text) for one in found)


def known_links(
    request: ModelRequest, active: ActiveSession, is_kept: Callable[[str], bool]
) -> UrlAllowlist:
    """What passages say is left to whoever cites them: not all of it was ever read.

    An answer of another program, imported, knows nothing; those of a temporary session are all of
    this one, and what was read for them is kept nowhere else.
    """
    said = [one.content for one in active.messages if one.role is Role.USER or active.is_temporary]
    around = _PASSAGES.sub(" ", request.changing or "")
    return UrlAllowlist([request.instructions, around, *said], is_kept)


def _spelled(even: str) -> Iterator[str]:
    """An address in the spellings that it may be kept in."""
    for scheme, www, end in _SPELLINGS:
        try:
            yield str(parse_address(f"{scheme}{www}{even}{end}"))
        except AddressRefusedError:
            continue
