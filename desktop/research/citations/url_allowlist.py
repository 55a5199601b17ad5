"""Finds the addresses of an answer that the model was not given.

Models make up addresses: some lead nowhere, and look like the others.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from desktop.language.links import OWN_LINK, links_in, shown_target

UNKNOWN = "[?]"  # Follows an address or a passage number that was never given

_LINK = re.compile(
    r"(?:https?://|www\.(?=[^\W_][\w-]*\.))[^\s<>\[\]\"“”«»|\\^`{}]+", re.IGNORECASE
)
_HALF_A_LINK = re.compile(r"https?://|www\.[\w-]*\.?", re.IGNORECASE)
_MARKED = re.compile(r"(?:[^\n()]{0,200}\)|>)?[ *_]{0,3}\[\?\]")
_OWN_COMPUTER = re.compile(
    r"(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0)(?::\d+)?(?:/|$)", re.IGNORECASE
)
"""A server on the user's own computer: not a page that could have been read."""
_TRAILING = ".,;:!?…*_~'’"
_LONGEST_REST = 200
_MAIL = "mailto:"
_AROUND_MAIL = "()[]{}<>\"'“”‘’«».,;:!?…*_"


class UrlAllowlist:
    """The addresses that one answer may show unmarked: from the user, the request or a tool."""

    def __init__(
        self, texts: Iterable[str], is_stored: Callable[[str], bool] = lambda _: False
    ) -> None:
        """`is_stored`: whether the library knows an address; called only for unknown ones."""
        self._addresses: set[str] = set()
        self._is_stored = is_stored
        self._unread = [*texts]

    def add(self, texts: Iterable[str]) -> None:
        self._unread.extend(texts)

    def __contains__(self, link: str) -> bool:
        # Most answers have no link: for those a long session is not looked through.
        self._addresses.update(address for text in self._unread for address in find_links(text))
        self._unread.clear()
        normalized = normalize_link(link)
        return (
            normalized in self._addresses
            or normalized.startswith(OWN_LINK)
            or _OWN_COMPUTER.match(normalized) is not None
            or self._is_stored(link)
        )

    def find_unmarked(self, text: str) -> list[str]:
        """Return the unknown targets of links that show no mark, however they were written."""
        if not any(mark in text for mark in ("](", "]:", "<", "&", "\\")):
            return []
        links = (link.target for link in links_in(text) if not _MARKED.match(link.behind))
        return [target for target in dict.fromkeys(links) if not self._knows(target)]

    def _knows(self, target: str) -> bool:
        """Whether it is known as markdown-it spells it, or as people do."""
        spelled = (target, _trim(target), f"{target})", shown_target(target))
        return any(spelling in self for spelling in dict.fromkeys(spelled))


def find_links(text: str) -> Iterator[str]:
    """Yield the addresses in a text, normalized; without those marked as unknown there."""
    words = (word.strip(_AROUND_MAIL) for word in text.split() if "@" in word)
    yield from map(normalize_link, words)
    for match in _LINK.finditer(text):
        link = _trim(match[0])
        if not _MARKED.match(text, match.start() + len(link)):
            yield normalize_link(link)


def normalize_link(link: str) -> str:
    """Return one spelling for one page: without scheme, `www.`, fragment and last slash."""
    whole = link.partition("#")[0]
    for prefix in (_MAIL, "https://", "http://", "www."):
        if whole.lower().startswith(prefix):
            whole = whole[len(prefix) :]
    host, slash, path = whole.partition("/")
    return f"{host.lower()}{slash}{path}".rstrip("/")


@dataclass(frozen=True, slots=True)
class ReadLink:
    length: int
    link: str = ""  # Empty if there is no address that could be marked
    is_enclosed: bool = False  # Whether it is between brackets that belong to it


def read_link(text: str, before: str, *, is_over: bool) -> ReadLink | None:
    """Return the address at the beginning of a text; None if more of it has to arrive.

    An address that the model has marked itself is not marked again.
    """
    match = _LINK.match(text)
    link = _trim(match[0]) if match else ""
    if not is_over and _may_continue(text, link, before):
        return None
    if not link:
        return ReadLink(1)
    behind = text[len(link) :]
    if behind.startswith("]("):
        return ReadLink(len(link))  # the label of a link; its target is marked
    closing = _find_closing(behind, before)
    length = len(link) + len(closing)
    is_marked = behind[len(closing) :].lstrip(" ").startswith(UNKNOWN)
    return ReadLink(length) if is_marked else ReadLink(length, link, bool(closing))


def _may_continue(text: str, link: str, before: str) -> bool:
    """Whether the end of the address, or its mark, depends on what arrives next."""
    behind = text[len(link) :]
    if not link:
        return len(behind) < len("https://") or _HALF_A_LINK.fullmatch(behind) is not None
    if not behind.strip(_TRAILING) or behind == "]":
        return True
    if before.endswith("](") and not any(mark in behind for mark in "()\n"):
        return len(behind) <= _LONGEST_REST
    rest = behind[len(_find_closing(behind, before)) :].lstrip(" ")
    return UNKNOWN.startswith(rest) and rest != UNKNOWN


def _find_closing(behind: str, before: str) -> str:
    if before.endswith("]("):
        rest, bracket, _ = behind.partition(")")
        is_rest = len(rest) <= _LONGEST_REST and "(" not in rest and "\n" not in rest
        return rest + bracket if bracket and is_rest else ""
    return ">" if before.endswith("<") and behind.startswith(">") else ""


def _trim(link: str) -> str:
    """Remove punctuation at the end, and a bracket that closes what is around the address."""
    depth = 0
    for place, letter in enumerate(link):
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            link = link[:place]
            break
    return link.rstrip(_TRAILING)
