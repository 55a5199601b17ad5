"""Names in a text: words that are written with a capital where no sentence begins.

Also what only names are written like: initials (WHO), inner capitals (ValueError), letters with
figures (B12, COVID-19), an ending behind an apostrophe (Somogyi'nin). No dictionary is asked: a
name that only ever begins sentences, without such an ending, is taken for any other word, since
any other word does that as well.
"""

import re
from collections.abc import Container, Iterator
from typing import NamedTuple

from desktop.language.normalization import folded_key, word_texts
from desktop.language.numbers import unit_named

_HEADING = re.compile(r"[ \t]*#{1,6}[ \t].*|[ \t]*\*\*[^*]+\*\*:?[ \t]*")
_LEAD = re.compile(r"[ \t>]*(?:[-*+•–]|\(?\d{1,3}[.)])?[ \t]*")
# Behind a semicolon no sentence begins.
_PIECE = re.compile(r"[^.!?…:|\n]+(?:[.!?…:](?=\S)[^.!?…:|\n]*|(?<=\b[A-Za-zÇĞİÖŞÜçğıöşü])\.)*")
_WORD = re.compile(r"[^\W\d_]\w*(?:-\w+)*(?:[’'][^\W\d_]+)?")
_OPENING = frozenset("\"'“”‘’«([*_")
_TITLES = frozenset(word_texts("dr prof doç mr mrs ms av uzm op st bay bayan bey hanım sayın no"))
_CONTRACTED = frozenset({"t", "re", "ve", "ll", "d", "m"})
_SHORTEST = 2


class Name(NamedTuple):
    text: str
    """Without the ending behind an apostrophe."""
    is_written_apart: bool
    """By more than its first letter: an abbreviation, or with figures."""


class _Said(NamedTuple):
    text: str
    has_ending: bool
    is_first: bool
    is_shouted: bool


def names(text: str, common: Container[str] = ()) -> list[Name]:
    """Each once, in order. `common`: folded words that are names of nothing."""
    found: dict[str, Name] = {}
    for one in _words(text):
        folded = folded_key(one.text)
        if len(one.text) < _SHORTEST or folded in found or _names_nothing(one.text, folded):
            continue
        if _is_written_apart(one):
            found[folded] = Name(one.text, is_written_apart=True)
        elif _is_capital(one) and folded not in common:
            found[folded] = Name(one.text, is_written_apart=False)
    return list(found.values())


def _is_capital(one: _Said) -> bool:
    """Where no sentence begins, or with an ending that only names have."""
    is_capital = one.text[0].isupper() and not one.is_shouted
    return is_capital and (not one.is_first or one.has_ending)


def _names_nothing(text: str, folded: str) -> bool:
    """A form of address, or a unit of measure."""
    return folded in _TITLES or (text.isupper() and unit_named(text) is not None)


def _words(text: str) -> Iterator[_Said]:
    for line in text.split("\n"):
        if _HEADING.fullmatch(line):
            continue
        lead = _LEAD.match(line)
        is_abbreviated = False
        for piece in _PIECE.finditer(line, lead.end() if lead else 0):
            said = list(_WORD.finditer(piece[0]))
            capitals = sum(one[0].isupper() and len(one[0]) >= _SHORTEST for one in said)
            is_shouted = len(said) > _SHORTEST and 2 * capitals > len(said)
            for place, match in enumerate(said):
                before = piece[0][: match.start()].rstrip(" ")
                is_first = not is_abbreviated if place == 0 else before[-1:] in _OPENING
                yield _said(match[0], is_first=is_first, is_shouted=is_shouted)
            last = folded_key(said[-1][0]) if said else ""
            is_abbreviated = last in _TITLES or (len(last) == 1 and said[-1][0].isupper())


def _said(word: str, *, is_first: bool, is_shouted: bool) -> _Said:
    base, _, ending = word.replace("’", "'").partition("'")
    is_contraction = folded_key(ending) in _CONTRACTED
    # "It's" and "That's" begin sentences; who has an ending there otherwise is a name.
    has_ending = bool(ending) and not is_contraction and ending != "s"
    return _Said(base, has_ending, is_first or (is_contraction and is_first), is_shouted)


def _is_written_apart(one: _Said) -> bool:
    inner = one.text[1:]
    has_figures = any(letter.isdigit() for letter in one.text)
    has_capitals = any(letter.isupper() for letter in inner)
    if one.text.isupper() and not has_figures:
        return not one.is_shouted
    return has_figures or (has_capitals and "-" not in one.text)


_ENDINGS = """
bash bat bib bin bmp bz2 c cfg cpp cs css csv db dll doc docx eml env epub exe f90 gguf gif go gz
h html ini ipynb iso java jpeg jpg js json jsonl key kt lock log lua m4a md mdb mkv mov mp3 mp4
npy odp ods odt onnx parquet pdf php pkl png ppt pptx ps1 psd py r rar rb rs rst rtf sav sh sql
sqlite svg swift tar tex tif tiff toml ts tsv txt vue wav webm webp xls xlsx xml yaml yml zip
"""
_ENDING = "|".join(sorted(_ENDINGS.split(), key=len, reverse=True))
_FILE = re.compile(
    rf"(?<![\w/\\.@:-])(?:[A-Za-z]:)?(?:[\w.~-]*[/\\])*(?P<name>[\w-][\w.-]*\.(?:{_ENDING}))(?![\w/\\]|\.\w)",
    re.IGNORECASE,
)


def file_names(text: str) -> list[tuple[str, int, int]]:
    """Each with where it stands, its folders left out of the name and not of the place."""
    return [(match["name"], *match.span()) for match in _FILE.finditer(text)]
