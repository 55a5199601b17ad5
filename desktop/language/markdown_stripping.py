"""Takes the markdown off a text, for a line in a list, a title or a summary.

A pasted text can be one long row of opening marks. So that each is looked at only once, what
begins like a link is taken up to its end even where that never comes, and left as it was.
"""

import re

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
# Looked for in a few words only: a paste may be one row of marks that nothing ends.
_EMPHASIS = re.compile(r"(\*{1,3}|~~|(?<!\w)_{1,3})(?=\S)([^\n]{0,300}?\S)\1")


def without_code(text: str) -> str:
    return FENCE.sub("\n", text) if "```" in text or "~~~" in text else text


def without_block_marks(text: str) -> str:
    """The text without what begins a line as a heading, an entry of a list or a quotation.

    Where it stands in the middle of a sentence, such a mark is one no more, and is read as it is.
    """
    for _, pattern, replacement in _BLOCK_MARKS:
        text = pattern.sub(replacement, text)
    return text


def plain_text(markdown: str) -> str:
    """Return one line of plain text: no marks, no links, no citations, no code blocks."""
    text = without_code(markdown)
    if "$" in text or "\\" in text:
        text = replace_formulas(text, plain_formula)
    if "[" in text:
        text = _IMAGE.sub(_words_of_link, text)
        text = _LINK.sub(_words_of_link, text)
        text = _CITATION.sub(lambda found: "" if found[1] else found[0], text)
    for marks, pattern, replacement in _STEPS:
        if any(mark in text for mark in marks):
            text = pattern.sub(replacement, text)
    if "*" in text or "_" in text or "~~" in text:
        text = _EMPHASIS.sub(r"\2", text)
    return " ".join(text.split())


def _words_of_link(found: re.Match[str]) -> str:
    return found[1] if found[2] else found[0]
