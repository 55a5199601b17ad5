"""Cuts a document's text into passages that keep the page and the heading they stand under."""

import re
from collections.abc import Generator, Iterable, Iterator
from unicodedata import normalize

from desktop.domain.sources import NewPassage
from desktop.language.passages import split_passages
from desktop.language.surrogates import whole_letters
from desktop.research.documents.blocks import Block

_WANTED = 900
"""Letters: long enough to answer a question, short enough to show why."""
_LONGEST = 1_200
_SCRAP = 60
"""A page's number, its running title: nothing that anybody looks for by itself."""
# What books are set with and nobody types: one sign for several letters, hyphens and blanks that
# are not seen.
_UNSEEN = re.compile("\u00ad(?:[ \t]*\n[ \t]*)?|[\u200b\u2060\ufeff]")
_LIGATURES = {code: normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)}


def cut(blocks: Iterable[Block]) -> Iterator[NewPassage]:
    """No passage goes over the end of a page, or from one heading to the next.

    Only scraps do the latter: they go with what stands beside them on their page.
    """
    before: list[Block] = []
    held: list[Block] = []
    for block in blocks:
        if held and _begins_anew(held, block):
            before = yield from _settle(before, held)
            held = []
        held.append(block)
    before = yield from _settle(before, held)
    yield from _passages(before)


def _settle(before: list[Block], held: list[Block]) -> Generator[NewPassage, None, list[Block]]:
    """Give what is certain of what was gathered; returns what may still get a scrap."""
    if before and held and before[0].page == held[0].page and _letters(held) < _SCRAP:
        return [*before, *(block._replace(heading=before[-1].heading) for block in held)]
    yield from _passages(before)
    return held


def _begins_anew(held: list[Block], block: Block) -> bool:
    if block.page != held[0].page:
        return True
    if _letters(held) < _SCRAP:
        return False
    if block.is_heading:
        return not held[-1].is_heading
    if block.heading != held[-1].heading:
        return True
    return _letters(held) + len(block.text) > _WANTED


def _letters(blocks: list[Block]) -> int:
    return sum(len(block.text) for block in blocks)


def _passages(held: list[Block]) -> Iterator[NewPassage]:
    if not held:
        return
    text = "\n".join(block.text for block in held)
    heading = _as_typed(held[-1].heading)
    for piece in split_passages(_as_typed(text), _LONGEST):
        yield NewPassage(piece, held[-1].page, heading)


def _as_typed(text: str) -> str:
    """In the letters in which it would be searched for and quoted."""
    whole = whole_letters(text)
    if whole.isascii():
        return whole
    return normalize("NFC", _UNSEEN.sub("", whole).translate(_LIGATURES))
