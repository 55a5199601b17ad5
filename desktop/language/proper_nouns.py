"""Finds names in a text: words with a capital inside a sentence.

Initials (WHO), inner capitals (ValueError), letters with figures (B12, COVID-19) and endings after
an apostrophe (Somogyi'nin) also mark a name. There is no dictionary: a name that only begins
sentences, without such an ending, is not found.
"""

import re
from collections.abc import Container, Iterator
from typing import NamedTuple

from desktop.language.normalization import folded_key, word_texts
from desktop.language.numbers import unit_named

_HEADING = re.compile(r"[ \t]*#{1,6}[ \t].*|[ \t]*\*\*[^*]+\*\*:?[ \t]*")
_LEAD = re.compile(r"[ \t>]*(?:[-*+•–]|\(?\d{1,3}[.)])?[ \t]*")
# No sentence begins after a semicolon.
_PIECE = re.compile(r"[^.!?…:|\n]+(?:[.!?…:](?=\S)[^.!?…:|\n]*|(?<=\b[A-Za-zÇĞİÖŞÜçğıöşü])\.)*")
_WORD = re.compile(r"[^\W\d_]\w*(?:-\w+)*(?:[’'][^\W\d_]+)?")
_OPENING = frozenset("\"'“”‘’«([*_")
_TITLES = frozenset(word_texts("dr prof doç mr mrs ms av uzm op st bay bayan bey hanım sayın no"))
# "It's" and "That's" begin sentences; a word with another ending there is a name.
_NO_ENDINGS = frozenset({"", "s", "t", "re", "ve", "ll", "d", "m"})
_SHORTEST = 2


class Name(NamedTuple):
    text: str  # Without the ending after an apostrophe
    is_written_apart: bool  # More than its first letter marks it: an abbreviation, or figures


def names(text: str, common: Container[str] = ()) -> list[Name]:
    """Return each name once, in order. `common`: folded words that are never names."""
    by_word: dict[str, Name] = {}
    for word, is_first, is_shouted in _words(text):
        base, _, ending = word.replace("’", "'").partition("'")
        if base.isalpha() and base.islower():
            continue
        folded = folded_key(base)
        is_unit = base.isupper() and unit_named(base) is not None
        if len(base) < _SHORTEST or folded in by_word or folded in _TITLES or is_unit:
            continue
        # Inside a sentence, or with an ending that only names have.
        may_name = not is_first or folded_key(ending) not in _NO_ENDINGS
        if _is_written_apart(base, is_shouted=is_shouted):
            by_word[folded] = Name(base, is_written_apart=True)
        elif base[0].isupper() and may_name and not is_shouted and folded not in common:
            by_word[folded] = Name(base, is_written_apart=False)
    return list(by_word.values())


def _words(text: str) -> Iterator[tuple[str, bool, bool]]:
    """Words, with whether each begins a sentence and whether its sentence is in capitals."""
    for line in text.split("\n"):
        if _HEADING.fullmatch(line):
            continue
        lead = _LEAD.match(line)
        is_abbreviated = False
        for piece in _PIECE.finditer(line, lead.end() if lead else 0):
            matches = list(_WORD.finditer(piece[0]))
            capitals = sum(word[0].isupper() and len(word[0]) >= _SHORTEST for word in matches)
            is_shouted = len(matches) > _SHORTEST and 2 * capitals > len(matches)
            for place, match in enumerate(matches):
                before = piece[0][: match.start()].rstrip(" ")
                is_first = not is_abbreviated if place == 0 else before[-1:] in _OPENING
                yield match[0], is_first, is_shouted
            last = folded_key(matches[-1][0]) if matches else ""
            is_abbreviated = last in _TITLES or (len(last) == 1 and matches[-1][0].isupper())


def _is_written_apart(word: str, *, is_shouted: bool) -> bool:
    if any(letter.isdigit() for letter in word):
        return True
    if word.isupper():
        return not is_shouted
    return any(letter.isupper() for letter in word[1:]) and "-" not in word


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
    """Return file names with their spans; folders are part of the span, not of the name."""
    return [(match["name"], *match.span()) for match in _FILE.finditer(text)]
