"""Tells addresses that an answer may show from those that nobody gave it.

Models write addresses as they write names: some lead nowhere, and look like the others.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

UNKNOWN = "[?]"
"""What stands behind an address, or for a passage, that was never given."""

_LINK = re.compile(
    r"(?:https?://|www\.(?=[^\W_][\w-]*\.))[^\s<>\[\]\"“”«»|\\^`{}]+", re.IGNORECASE
)
_SCHEME = re.compile(r"(?:https?://)?(?:www\.)?", re.IGNORECASE)
_BEHIND = ".,;:!?…*_~'’"
_MARK = re.compile(r"(?:[^\n()]{0,200}\)|>)?[ *_]{0,3}\[\?\]")
_HALF_A_LINK = re.compile(r"https?://|www\.[\w-]*\.?", re.IGNORECASE)
_REST_OF_A_LINK = re.compile(r"[^\n()]{0,200}\)")
_MAY_CLOSE_A_LINK = re.compile(r"[^\n()]{0,200}")
_OWN_COMPUTER = re.compile(
    r"(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0)(?::\d+)?(?:/|$)", re.IGNORECASE
)
"""No page that anybody could have read: where a program of the user's own listens."""


class KnownLinks:
    """Of one answer: what was asked, sent along and found."""

    def __init__(
        self, heard: Iterable[str], is_kept: Callable[[str], bool] = lambda _: False
    ) -> None:
        """`is_kept`: whether an address is known from before, asked only where it matters."""
        self._known = {even for text in heard for even in links_in(text)}
        self._is_kept = is_kept

    def add(self, texts: Iterable[str]) -> None:
        """What comes while the answer is written."""
        for text in texts:
            self._known.update(links_in(text))

    def __contains__(self, link: object) -> bool:
        if not isinstance(link, str):
            return False
        even = even_link(link)
        if even in self._known or _OWN_COMPUTER.match(even):
            return True
        if self._is_kept(link):
            self._known.add(even)
            return True
        return False


def link_at(text: str, start: int = 0) -> str:
    """The address that a text has at a place, without what only stands behind it; or nothing."""
    found = _LINK.match(text, start)
    return _cut(found[0]) if found else ""


@dataclass(frozen=True, slots=True)
class Address:
    """Of what an answer has where an address may begin."""

    length: int
    link: str = ""
    """Empty: it is none, or has no mark of its own."""
    is_closed: bool = False
    """Whether it stands between marks that belong to it."""


def read_address(text: str, before: str, *, is_over: bool) -> Address | None:
    """At the beginning of a text; None where more of it has to come first."""
    link = link_at(text)
    if not is_over and _may_go_on(text, link, before):
        return None
    if not link:
        return Address(1)
    behind = text[len(link) :]
    if behind.startswith("]("):
        return Address(len(link))  # the words of a link have no mark of their own
    closing = _closing(behind, before)
    return Address(len(link) + len(closing), link, bool(closing))


def _may_go_on(text: str, link: str, before: str) -> bool:
    """Whether it depends on what comes next how an address ends."""
    behind = text[len(link) :]
    if not link:
        return len(behind) < len("https://") or _HALF_A_LINK.fullmatch(behind) is not None
    if not behind or not behind.strip(".,;:!?…*_~'’"):
        return True
    if before.endswith("]("):
        return _MAY_CLOSE_A_LINK.fullmatch(behind) is not None
    return behind == "]"


def _closing(behind: str, before: str) -> str:
    """What of a link stands behind its address."""
    if before.endswith("]("):
        rest = _REST_OF_A_LINK.match(behind)
        return rest[0] if rest else ""
    return ">" if before.endswith("<") and behind.startswith(">") else ""


def links_in(text: str) -> Iterator[str]:
    """Each in one spelling; what was marked where it stands is nothing that one knows of."""
    for found in _LINK.finditer(text):
        link = _cut(found[0])
        if not _MARK.match(text, found.start() + len(link)):
            yield even_link(link)


def even_link(link: str) -> str:
    """The same for one page, however its address is written."""
    whole = _SCHEME.sub("", link, count=1).partition("#")[0]
    host, slash, path = whole.partition("/")
    return f"{host.lower()}{slash}{path}".rstrip("/")


def _cut(link: str) -> str:
    """Brackets in an address come in pairs; a last one alone closes what stands around it."""
    open_brackets = 0
    for place, letter in enumerate(link):
        open_brackets += (letter == "(") - (letter == ")")
        if open_brackets < 0:
            link = link[:place]
            break
    return link.rstrip(_BEHIND)
