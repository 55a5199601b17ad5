"""The form in which citations are asked for: `[n: "words"]`, one or several in a bracket."""

import re

OPEN = "\"“”„«'‘’"
_CLOSE = "(?:[\"”»'’]|(?<=\\S)[“‘])"
"""The last two close what „ and ‚ open; behind a space they open something themselves."""
# Of a quotation: brackets in it come in pairs, so that one that nobody closed does not reach over
# what follows; none reaches over the beginning of the next citation, or over a paragraph's end.
_LETTER = (
    r"(?:[^\[\]\n]|\n(?!\s*\n)|\[(?!\s*\d{1,3}\s*[:\]])"
    r'|\[(?!\s*\d{1,3}\s*:)[^\[\]"“”\n]{0,80}\])'
)
_PAGE = (
    r"(?:\s*+[,;]?+\s*+(?:sayfa|syf|sf|s|pages|page|pp|p)\.?\s*+\d{1,5}(?:\s*+[-–]\s*+\d{1,5})?)"
)
"""Some models write it behind the words; shown is the page that we know of ourselves."""
_AFTER = rf"(?=\s*\]|\s*[,;]\s*\d{{1,3}}\s*[:\],;]|{_PAGE}\s*[\],;])"
_ITEM = rf"([1-9]\d{{0,2}})(?:\s*:\s*[{OPEN}]({_LETTER}{{0,600}}?){_CLOSE}{_AFTER})?{_PAGE}?"
# Atomic: an item is read in one way only, or many of them could be read in very many.
WHOLE = re.compile(rf"\[\s*(?>{_ITEM})(?:\s*[,;]\s*(?>{_ITEM}))*\s*\]", re.IGNORECASE)
PARTS = re.compile(rf"{_ITEM}\s*[\],;]", re.IGNORECASE)
_HALF_A_PAGE = r"\s*+[,;]?+\s*+[a-z]{0,6}+\.?+\s*+\d{0,5}+\s*+[-–]?+\s*+\d{0,5}+\s*+"
MAY_BECOME = re.compile(
    rf"\[\s*(?:(?>{_ITEM})\s*[,;]\s*)*"
    rf"(?:\d{{0,3}}(?:\s*:\s*(?:[{OPEN}](?P<half>{_LETTER}{{0,660}}))?|{_HALF_A_PAGE}))?",
    re.IGNORECASE,
)


def cited_in(written: str) -> list[tuple[int, str]]:
    """The numbers in a bracket with the words quoted of each: `[1, 2: "words"]` quotes of both."""
    cited: list[tuple[int, str]] = []
    quote = ""
    for number, words in reversed(PARTS.findall(written)):
        quote = " ".join(words.split()) or quote
        cited.append((int(number), quote))
    return cited[::-1]


def has_quotes(written: str) -> bool:
    return any(quote for _, quote in PARTS.findall(written))
