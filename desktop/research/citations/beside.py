"""Finds the words that an answer quotes beside a bare number: they are what it cites."""

import re
from collections.abc import Iterator

_QUOTED = r'(?:"[^"\n]{8,300}"|[“„][^“”„\n]{8,300}[”“]|«[^«»\n]{8,300}»|「[^「」\n]{8,300}」)'
_NAME = r"(?:(?:kaynak|pasaj|source|passage)\s)?"
_BEFORE = re.compile(
    rf"(?:{_QUOTED}|\*[^*\n]{{8,300}}\*|(?<!\w)_{{1,2}}[^_\n]{{8,300}}_{{1,2}}(?!\w)"
    r"|(?<!\w)['‘][^\n'‘]{8,300}['’](?!\w)|`[^`\n]{8,300}`"
    r"|(?:\A|\n)>[ \t]?[^\n>]{8,300}(?:\n>?)?)"
    r"[ \t.,;:*_]{0,3}"
    rf"(?:[–—-]{{1,2}}\s)?\(?{_NAME}\Z",
    re.IGNORECASE,
)
_TO = r"\*{0,2}[ \t]?(?:[=-]>|[:–—→=-])?[ \t]{0,2}\(?\*{0,2}"
_OPENED = r'(?:"[^"\n]{0,300}"?|[“„][^“”„\n]{0,300}[”“]?|«[^«»\n]{0,300}»?)'
_BEHIND = re.compile(rf"{_TO}(?P<words>{_QUOTED})(?!\w)|:?\n>[ \t]?(?P<block>[^\n>]{{8,300}})")
_MAY_QUOTE = re.compile(rf"{_TO}{_OPENED}?|:?\n(?:>[^\n]{{0,300}})?")
# Of a number that a sentence begins with, or that it names as its source: what is quoted in the
# same clause is said by it.
_NAMED = re.compile(
    r"(?:\A|[.!?…:]\s+|\n[\s>*-]*|\b(?:kaynak|pasaj|source|passage|according to|in|per|as)\s)"
    r"\*{0,2}\Z",
    re.IGNORECASE,
)
_COUNTED = re.compile(r" (?:numaralı )?(?:kayna[kğ]|pasaj)")
_MAY_COUNT = re.compile(r" (?:n\w{0,7} ?)?(?:[kp]\w{0,4})?")
_CLAUSE = r"[^\"“”„«»\n.!?;\[\]()]{0,48}"
_SAID = re.compile(rf"{_CLAUSE}(?P<words>{_QUOTED})(?!\w)")
_MAY_SAY = re.compile(rf"{_CLAUSE}{_OPENED}?")
_EDGES = "* \t\n:.,;–—-(>\"“”„«»_'‘’`「」"
_LEAST_WORDS = 4
_MAY_LEAD = re.compile(
    r"\[[^\[\]\n]{8,300}\](?:\(#?\d{0,3}|\[\d{0,3})?\Z"
    r"|\(\d{1,3}\) ?(?:[\"“„«][^\"”“»\n]{0,300})?\Z"
)


def quoted_beside(before: str, behind: str) -> Iterator[str]:
    """What is quoted at a number, right before it or behind it."""
    found = [_BEFORE.search(before), _BEHIND.match(behind)]
    if _NAMED.search(before) or _COUNTED.match(behind):
        found.append(_SAID.match(behind))
    for one in filter(None, found):
        groups = one.groupdict()
        words = _unnamed(one[0]) if not groups else groups.get("words") or groups.get("block")
        told = " ".join((words or "").strip(_EDGES).split())
        if len(told.split()) >= _LEAST_WORDS:
            yield told


def is_quoted_before(before: str) -> bool:
    """Whether a number would stand right behind words of some length that are quoted."""
    return next(quoted_beside(before, ""), None) is not None


def may_quote(before: str, behind: str) -> bool:
    """Whether it depends on what comes next what is quoted behind a number."""
    if _MAY_QUOTE.fullmatch(behind) or _MAY_COUNT.fullmatch(behind):
        return True
    is_named = _NAMED.search(before) or _COUNTED.match(behind)
    return bool(is_named and _MAY_SAY.fullmatch(behind))


def may_lead(text: str) -> bool:
    """Whether a bracket may belong to a number, or to words, that come behind it."""
    return _MAY_LEAD.match(text) is not None


def _unnamed(text: str) -> str:
    return re.sub(rf"[\s–—(-]*{_NAME}\Z", "", text, flags=re.IGNORECASE)
