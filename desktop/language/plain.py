"""Takes the markdown off a text, for a line in a list, a title or a summary."""

import re

FENCE = re.compile(r"(?ms)^[ \t]*(```|~~~).*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)")
_STEPS = (
    (re.compile(r"!\[([^\]]*)\]\([^)]*\)"), r"\1"),
    (re.compile(r"\[([^\]]+)\]\([^)]*\)"), r"\1"),
    # Citations, as a model is asked to write them.
    (re.compile(r"\s?\[\d{1,3}(?::[^\]]*)?\]"), ""),
    (re.compile(r"</?[a-zA-Z][^>\n]{0,80}>"), " "),
    (re.compile(r"(?m)^[ \t]*(?:>[ \t]?)+"), " "),
    (re.compile(r"(?m)^[ \t]*(?:#{1,6}|[-*+•])[ \t]+"), " "),
    (re.compile(r"(?m)^[ \t]*(?:[-*_=][ \t]*){3,}$"), " "),
    (re.compile(r"`+([^`]*)`+"), r"\1"),
    (re.compile(r"(\*{1,3}|~~|(?<!\w)_{1,3})(?=\S)(.+?)(?<=\S)\1"), r"\2"),
    (re.compile(r"\s+"), " "),
)


def without_code(text: str) -> str:
    """The text with its fenced code blocks taken out."""
    return FENCE.sub("\n", text) if "```" in text or "~~~" in text else text


def plain_text(markdown: str) -> str:
    """One line of text as it reads on paper: no marks, no links, no citations, no code blocks."""
    text = without_code(markdown)
    for pattern, replacement in _STEPS:
        text = pattern.sub(replacement, text)
    return text.strip()
