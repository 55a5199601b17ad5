"""Marks the addresses of an answer that nobody gave to the model.

Models write addresses as they write names: some lead nowhere, and look like the others.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from desktop.research.citations.stream_buffer import StreamBuffer
from desktop.research.passages import Passage, Speaker

UNKNOWN = "[?]"
"""Stands behind an address, or for a passage, that was never given."""

_LINK = re.compile(
    r"(?:https?://|www\.(?=[^\W_][\w-]*\.))[^\s<>\[\]\"“”«»|\\^`{}]+", re.IGNORECASE
)
_HALF_A_LINK = re.compile(r"https?://|www\.[\w-]*\.?", re.IGNORECASE)
_MARKED = re.compile(r"(?:[^\n()]{0,200}\)|>)?[ *_]{0,3}\[\?\]")
_REST_OF_A_LINK = re.compile(r"[^\n()]{0,200}\)")
_OWN_COMPUTER = re.compile(
    r"(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0)(?::\d+)?(?:/|$)", re.IGNORECASE
)
"""Where a program of the user's own listens; no page that anybody could have read."""
_TRAILING = ".,;:!?…*_~'’"
_LONGEST_REST = 200


class UrlAllowlist:
    """The addresses that one answer may show unmarked: asked about, sent along or found."""

    def __init__(
        self, texts: Iterable[str], is_stored: Callable[[str], bool] = lambda _: False
    ) -> None:
        """`is_stored`: whether the library knows an address; called only for unknown ones."""
        self._known = {link for text in texts for link in find_links(text)}
        self._is_stored = is_stored

    def add(self, texts: Iterable[str]) -> None:
        """Allow the addresses in texts that arrive while the answer is written."""
        for text in texts:
            self._known.update(find_links(text))

    def __contains__(self, link: object) -> bool:
        if not isinstance(link, str):
            return False
        normalized = normalize_link(link)
        if normalized in self._known or _OWN_COMPUTER.match(normalized):
            return True
        if self._is_stored(link):
            self._known.add(normalized)
            return True
        return False


class LinkMarker:
    """Marks unknown addresses at the beginning of a stream buffer."""

    def __init__(self, buffer: StreamBuffer, links: UrlAllowlist | None) -> None:
        """None: every address is shown unmarked."""
        self._buffer = buffer
        self._links = links
        self._marked_at = -1

    def allow_links_of(self, passages: Sequence[Passage]) -> None:
        """Allow the addresses of passages, and those in their text."""
        if self._links is None:
            return
        # What an answer of an earlier session says is no page that anybody has read.
        told = (one for one in passages if one.place or one.speaker is Speaker.USER)
        self._links.add(one.stored for one in told)
        self._links.add(one.place.address for one in passages if one.place)

    @property
    def may_repeat_mark(self) -> bool:
        """Whether the model may be writing our mark itself: models copy what they have seen."""
        is_behind_mark = self._marked_at == self._buffer.letters_shown
        return is_behind_mark and UNKNOWN.startswith(self._buffer.held[: len(UNKNOWN)])

    def drop_repeated_mark(self, *, is_over: bool) -> str | None:
        """None where more text has to arrive first."""
        if self._buffer.held.startswith(UNKNOWN):
            self._buffer.held = self._buffer.held[len(UNKNOWN) :]
            return ""
        return self._buffer.pop(1) if is_over else None

    def mark_link(self, *, is_over: bool) -> str | None:
        """What is shown where an address may begin; None where more has to arrive first."""
        is_within = self._buffer.held[0] in "wW" and self._buffer.before[-1:].isalnum()
        if self._buffer.is_in_code or is_within:
            return self._buffer.pop(1)
        read = _read_link(self._buffer.held, self._buffer.before, is_over=is_over)
        if read is None:
            return None
        whole = self._buffer.pop(read.length)
        if not read.link or self._links is None or read.link in self._links:
            return whole
        self._marked_at = self._buffer.letters_shown
        return f"{whole}{'' if read.is_enclosed else ' '}{UNKNOWN}"


def find_links(text: str) -> Iterator[str]:
    """The addresses in a text, normalized; without those that are marked as unknown there."""
    for found in _LINK.finditer(text):
        link = _trim(found[0])
        if not _MARKED.match(text, found.start() + len(link)):
            yield normalize_link(link)


def normalize_link(link: str) -> str:
    """One spelling for one page: without scheme, `www.`, fragment and last slash."""
    whole = link.partition("#")[0]
    for prefix in ("https://", "http://", "www."):
        if whole.lower().startswith(prefix):
            whole = whole[len(prefix) :]
    host, slash, path = whole.partition("/")
    return f"{host.lower()}{slash}{path}".rstrip("/")


@dataclass(frozen=True, slots=True)
class _ReadLink:
    length: int
    """Characters to show before a mark."""
    link: str = ""
    """Empty where there is no address that could be marked."""
    is_enclosed: bool = False
    """Whether it stands between brackets that belong to it."""


def _read_link(text: str, before: str, *, is_over: bool) -> _ReadLink | None:
    """The address at the beginning of a text; None where more of it has to arrive first."""
    found = _LINK.match(text)
    link = _trim(found[0]) if found else ""
    if not is_over and _may_continue(text, link, before):
        return None
    if not link:
        return _ReadLink(1)
    behind = text[len(link) :]
    if behind.startswith("]("):
        return _ReadLink(len(link))  # the label of a link; its target is marked
    closing = _find_closing(behind, before)
    return _ReadLink(len(link) + len(closing), link, bool(closing))


def _may_continue(text: str, link: str, before: str) -> bool:
    """Whether the end of the address depends on what arrives next."""
    behind = text[len(link) :]
    if not link:
        return len(behind) < len("https://") or _HALF_A_LINK.fullmatch(behind) is not None
    if not behind.strip(_TRAILING):
        return True
    if before.endswith("]("):
        return len(behind) <= _LONGEST_REST and not any(one in behind for one in "()\n")
    return behind == "]"


def _find_closing(behind: str, before: str) -> str:
    """What closes a Markdown link, or an address in angle brackets, behind the address."""
    if before.endswith("]("):
        rest = _REST_OF_A_LINK.match(behind)
        return rest[0] if rest else ""
    return ">" if before.endswith("<") and behind.startswith(">") else ""


def _trim(link: str) -> str:
    """Without punctuation at the end, and without a bracket that closes what is around it."""
    depth = 0
    for place, letter in enumerate(link):
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            link = link[:place]
            break
    return link.rstrip(_TRAILING)
