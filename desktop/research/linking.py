"""Tells addresses that an answer may show from those that nobody gave it.

Models write addresses as they write names: some lead nowhere, and look like the others.
"""

import re
from collections.abc import Iterable, Iterator

_LINK = re.compile(r"https?://[^\s<>\[\]\"“”«»|\\^`{}]+", re.IGNORECASE)
_SCHEME = re.compile(r"https?://(?:www\.)?", re.IGNORECASE)
_BEHIND = ".,;:!?…*_~'’"


class KnownLinks:
    """Of one answer: what was asked, sent along and found."""

    def __init__(self, heard: Iterable[str]) -> None:
        self._known = {even for text in heard for even in _links_in(text)}

    def add(self, texts: Iterable[str]) -> None:
        """What comes while the answer is written."""
        for text in texts:
            self._known.update(_links_in(text))

    def __contains__(self, link: object) -> bool:
        return isinstance(link, str) and _even(link) in self._known


def link_at(text: str, start: int = 0) -> str:
    """The address that a text has at a place, without what only stands behind it; or nothing."""
    found = _LINK.match(text, start)
    return _cut(found[0]) if found else ""


def _links_in(text: str) -> Iterator[str]:
    for found in _LINK.finditer(text):
        yield _even(_cut(found[0]))


def _cut(link: str) -> str:
    """Brackets in an address come in pairs; a last one alone closes what stands around it."""
    open_brackets = 0
    for place, letter in enumerate(link):
        open_brackets += (letter == "(") - (letter == ")")
        if open_brackets < 0:
            link = link[:place]
            break
    return link.rstrip(_BEHIND)


def _even(link: str) -> str:
    """The same for one page, however its address is written."""
    whole = _SCHEME.sub("", link).partition("#")[0]
    host, slash, path = whole.partition("/")
    return f"{host.lower()}{slash}{path}".rstrip("/")
