"""Reads citations whose number and words are values of names, as in the data of a program.

`{"n": 1, "quote": "words"}`, `(quote: "words", source: 1)`: one number, one quotation, and besides
them only names of such things. What has any other name, or value, is data that is spoken of.
"""

import re
from dataclasses import dataclass

from desktop.research.citations.freehand import Half

_NAMES_TOLD = """
n nr no num number id index key label ref reference source src passage doc document cite citation
quote quoted quotation text words content span evidence kaynak pasaj alıntı atıf belge söz sözler
metin numara sıra
"""
_NAMES = frozenset(_NAMES_TOLD.split())
_SURE = re.compile(r"cit|quot|sourc|passag|kaynak|pasaj|alıntı|atıf|evidence")
"""Of names: those that hardly any other data has."""
_LONGEST = 700
_CLOSERS = {"{": "}", "[": "]", "(": ")"}
_STRING = (
    r'"(?:[^"\\\n]|\\.)*"|“[^“”\n]*”|„[^„“”\n]*[“”]|«[^«»\n]*»'
    r"|(?<![^\W_])'(?:[^'\n]|'(?=\w))*'"
)
_TOKEN = re.compile(
    rf"(?P<space>\s+)|(?P<string>{_STRING})|(?P<number>\d{{1,3}}(?![\w.]))|(?P<name>[^\W\d]\w*)"
    r"|(?P<mark>[{}\[\]():=,;|])|(?P<other>.)"
)
_NUMBER = re.compile(r"\d{1,3}")
_BEGINS = re.compile(r"[\[({]{1,3}\s*[\"']?(?P<name>[^\W\d]\w{0,20})[\"']?\s*(?P<is>[:=])?")
_MAY_BEGIN = re.compile(r"[\[({]{1,3}\s*[\"']?(?:[^\W\d]\w{0,20})?[\"']?\s*\Z")


@dataclass(frozen=True, slots=True)
class Fields:
    length: int
    number: int
    words: str
    is_sure: bool
    """Whether its names are those of a citation."""


def read_fields(text: str) -> Fields | Half:
    """Of a text that begins with a bracket."""
    begins = _BEGINS.match(text)
    if begins is None or not (begins["is"] and _is_name(begins["name"])):
        return Half.OPEN if _MAY_BEGIN.match(text) and _may_name(text) else Half.NONE
    end, tokens = _bracket(text)
    return _read(tokens, end) if isinstance(end, int) else end


def _bracket(text: str) -> tuple[int | Half, list[re.Match[str]]]:
    """Where it closes, and what it is made of."""
    opened: list[str] = []
    tokens: list[re.Match[str]] = []
    for token in _TOKEN.finditer(text[:_LONGEST]):
        if token["other"]:
            return (Half.OPEN if _is_unclosed(text, token) else Half.NONE), tokens
        tokens.append(token)
        if token[0] in _CLOSERS:
            opened.append(_CLOSERS[token[0]])
        elif token[0] in _CLOSERS.values() and opened.pop() != token[0]:
            return Half.NONE, tokens
        if not opened:
            return token.end(), tokens
    return (Half.OPEN if len(text) < _LONGEST else Half.NONE), tokens


def _read(tokens: list[re.Match[str]], length: int) -> Fields | Half:
    values: list[str] = []
    names: list[str] = []
    for at, token in enumerate(tokens):
        told = token[0].strip("\"'“”„«»")
        if token["name"] or (token["string"] and _is_followed(tokens[at + 1 :])):
            names.append(told)
        elif token["string"] or token["number"]:
            values.append(told)
    numbers = [one for one in values if _NUMBER.fullmatch(one)]
    words = [one for one in values if not _NUMBER.fullmatch(one)]
    if len(numbers) != 1 or len(words) != 1 or not all(map(_is_name, names)):
        return Half.NONE
    is_sure = any(_SURE.search(one.lower()) for one in names)
    return Fields(length, int(numbers[0]), " ".join(words[0].replace('\\"', '"').split()), is_sure)


def _is_followed(tokens: list[re.Match[str]]) -> bool:
    """By what stands between a name and its value."""
    behind = next((one for one in tokens if not one["space"]), None)
    return behind is not None and behind[0] in (":", "=")


def _is_name(name: str) -> bool:
    parts = re.split(r"[_-]|(?<=[a-z])(?=[A-Z])", name)
    return all(one.lower() in _NAMES for one in parts)


def _may_name(text: str) -> bool:
    begun = text.lstrip("[({ \"'").rstrip("\"' ").lower()
    last = re.split(r"[_-]", begun)[-1]
    return any(one.startswith(last) for one in _NAMES)


def _is_unclosed(text: str, token: re.Match[str]) -> bool:
    """Whether a quotation has begun there that has not come to its end."""
    is_quoting = token[0] in "\"“„«'"
    return is_quoting and len(text) < _LONGEST and "\n" not in text[token.start() :]
