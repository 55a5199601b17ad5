"""Takes the markdown off a text, for a line in a list, a title or a summary.

A pasted text can be one long row of opening marks. So that each is looked at only once, what
begins like a link is taken up to its end even where that never comes, and left as it was.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator

from desktop.language.formulas import plain_formula
from desktop.language.formulas_in_markdown import replace_formulas

FENCE = re.compile(r"(?ms)^[ \t]*(```|~~~).*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)")
_IMAGE = re.compile(r"!\[([^\]]*)(?:\](?:\([^)]*(\))?)?)?")
_LINK = re.compile(r"\[([^\]]+)(?:\](?:\([^)]*(\))?)?)?")
# As a model is asked to write them.
_CITATION = re.compile(r"\s?\[\d{1,3}(?::[^\]]*)?(\])?")
_STEPS = (
    ("<", re.compile(r"</?[a-zA-Z][^>\n]{0,80}>"), " "),
    (">", re.compile(r"(?m)^[ \t]*(?:>[ \t]?)+"), " "),
    ("#-*+•", re.compile(r"(?m)^[ \t]*(?:#{1,6}|[-*+•])[ \t]+"), " "),
    ("-*_=", re.compile(r"(?m)^[ \t]*(?:[-*_=][ \t]*){3,}$"), " "),
    ("`", re.compile(r"`+([^`]*)`+"), r"\1"),
)
_BLOCK_MARKS = _STEPS[1:3]
_EMPHASIS = re.compile(r"(?:\*{1,3}|~~|(?<!\w)_{1,3})(?=\S)")
_ENDS_EMPHASIS = {
    mark: re.compile(rf"(?<=\S)(?={re.escape(mark)})")
    for mark in ("*", "**", "***", "~~", "_", "__", "___")
}


def without_code(text: str) -> str:
    """The text with its fenced code blocks taken out."""
    return FENCE.sub("\n", text) if "```" in text or "~~~" in text else text


def without_block_marks(text: str) -> str:
    """The text without what begins a line as a heading, an entry of a list or a quotation.

    Where it stands in the middle of a sentence, such a mark is one no more, and is read as it is.
    """
    for _, pattern, replacement in _BLOCK_MARKS:
        text = pattern.sub(replacement, text)
    return text


def plain_text(markdown: str) -> str:
    """One line of text as it reads on paper: no marks, no links, no citations, no code blocks."""
    text = replace_formulas(without_code(markdown), plain_formula)
    if "[" in text:
        text = _IMAGE.sub(_words_of_link, text)
        text = _LINK.sub(_words_of_link, text)
        text = _CITATION.sub(lambda found: "" if found[1] else found[0], text)
    for marks, pattern, replacement in _STEPS:
        if any(mark in text for mark in marks):
            text = pattern.sub(replacement, text)
    if "*" in text or "_" in text or "~~" in text:
        text = "".join(_without_emphasis(text))
    return " ".join(text.split())


def _words_of_link(found: re.Match[str]) -> str:
    return found[1] if found[2] else found[0]


def _without_emphasis(text: str) -> Iterator[str]:
    """The pieces between the marks; those that nothing on their line ends stay."""
    ends: dict[str, list[int]] = {}
    done = at = 0
    while opened := _EMPHASIS.search(text, at):
        start, at = opened.start(), opened.start() + 1
        for length in range(len(opened[0]), 0, -1):
            mark = opened[0][:length]
            if mark == "~":
                break
            if (end := _end_of(text, mark, start + length, ends)) is not None:
                yield text[done:start]
                yield text[start + length : end]
                done = at = end + length
                break
    yield text[done:]


def _end_of(text: str, mark: str, first: int, ends: dict[str, list[int]]) -> int | None:
    """Where the mark stands again on this line, behind something."""
    if mark not in ends:
        ends[mark] = [found.start() for found in _ENDS_EMPHASIS[mark].finditer(text)]
    places = ends[mark]
    place = bisect_left(places, first + 1)
    if place == len(places) or text.find("\n", first, places[place]) >= 0:
        return None
    return places[place]
