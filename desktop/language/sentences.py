"""Finds the sentences of a text, with their positions, the names in them; removes markdown.

Headings, tables, code and list items that are no sentences are left out: what is found here can be
quoted.

A name has a capital inside a sentence. Initials (WHO), inner capitals (ValueError), letters with
figures (B12, COVID-19) and endings after an apostrophe (Somogyi'nin) also mark one. There is no
dictionary: a name that only begins sentences, without such an ending, is not found.
"""

import re
from collections.abc import Container, Iterator
from typing import NamedTuple

from desktop.language.formulas import plain_formula, replace_formulas
from desktop.language.normalization import fold, folded_key, word_texts
from desktop.language.numbers import unit_named
from desktop.language.phrase_matcher import find_phrases, tokenize

FENCE = re.compile(r"(?ms)^[ \t]*(```|~~~).*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)")
# A pasted text can be one long row of opening marks. So that each is read only once, a text that
# begins like a link is matched even if its end is missing, and stays as it is.
_IMAGE = re.compile(r"!\[([^\]]*)(?:\](?:\([^)]*(\))?)?)?")
_LINK = re.compile(r"\[([^\]]+)(?:\](?:\([^)]*(\))?)?)?")
# The form that models are asked to write.
_CITATION = re.compile(r"\s?\[\d{1,3}(?::[^\]]*)?(\])?")
_QUOTE_MARK = re.compile(r"(?m)^[ \t]*(?:>[ \t]?)+")
_STEPS = (
    ("<", re.compile(r"(?i)</?(?:su[bp]|[bisu]|em|strong|kbd|mark|span)\b[^>\n]{0,80}>"), ""),
    ("<", re.compile(r"</?[a-zA-Z][^>\n]{0,80}>"), " "),
    (">", _QUOTE_MARK, " "),
    ("#-*+•", re.compile(r"(?m)^[ \t]*(?:#{1,6}|[-*+•])[ \t]+"), " "),
    ("-*_=", re.compile(r"(?m)^[ \t]*(?:[-*_=][ \t]*){3,}$"), " "),
    ("`", re.compile(r"`+([^`]*)`+"), r"\1"),
)
_BLOCK_MARKS = _STEPS[2:4]
_TABLE_RULE = re.compile(r"(?m)^[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?)?[ \t]*(?:\n|$)")
_TABLE_ROW = re.compile(r"(?m)^[ \t]*\|.*$")
# Only the first few words are checked: a paste may be one row of marks without an end.
# Beside a digit in a word a star multiplies: "2*3*4", "x**2 + y**2".
_EMPHASIS = re.compile(
    r"((?<![\d*])(?:(?<!\w)|(?!\*+\d))\*{1,3}|~~|(?<!\w)_{1,3})(?=\S)([^\n]{0,300}?\S)\1"
)


def without_code(text: str) -> str:
    return FENCE.sub("\n", text) if "```" in text or "~~~" in text else text


def without_block_marks(text: str) -> str:
    """Return the text without the marks of headings, list items, quotations and tables.

    A mark in the middle of a sentence is text.
    """
    for _, pattern, replacement in _BLOCK_MARKS:
        text = pattern.sub(replacement, text)
    return _TABLE_ROW.sub(_cells_of, _TABLE_RULE.sub("", text)).rstrip("\n;")


def _cells_of(row: re.Match[str]) -> str:
    return " · ".join(filter(None, (cell.strip() for cell in row[0].split("|")))) + ";"


def plain_text(markdown: str) -> str:
    """Return one line of plain text: no marks, no links, no citations, no code blocks."""
    text = without_code(markdown)
    if "$" in text or "\\" in text:
        text = replace_formulas(text, plain_formula)
    if "[" in text:
        text = _IMAGE.sub(_words_of_link, text)
        text = _LINK.sub(_words_of_link, text)
        text = _CITATION.sub(lambda match: "" if match[1] else match[0], text)
    for marks, pattern, replacement in _STEPS:
        if any(mark in text for mark in marks):
            text = pattern.sub(replacement, text)
    if "*" in text or "_" in text or "~~" in text:
        text = _EMPHASIS.sub(r"\2", text)
    return " ".join(text.split())


def _words_of_link(match: re.Match[str]) -> str:
    return match[1] if match[2] else match[0]


class Sentence(NamedTuple):
    """A sentence as written in the text, markdown and line breaks included."""

    text: str
    start: int
    end: int


# A heading, the row of a table, or a rule.
_STRUCTURE = re.compile(
    r"[ \t]*(?:#{1,6}[ \t]|\||:?-+:?[ \t]*\||(?:[-*_=][ \t]*){3,}$)|.*\|[ \t]*$"
)
_LIST_MARK = re.compile(
    r"[ \t]*(?:[-*+•–]|\(?\d{1,3}[.)]|\(?[a-zA-Z]\))[ \t]+(?:\[[ xX]\][ \t]+)?"
)
_FIRST_NUMBER = re.compile(r"(?m)^[ \t>]*1[.)][ \t]")
_CLOSING = r"[\"'”’»)\]*_]*"
# A row of points is checked once, at its first.
_END = re.compile(rf"(?:(?<![.!?…])[.!?…]++|[。！？]){_CLOSING}(?:\[\d+\])*(?=\s|$)")
_ENDS_A_SENTENCE = re.compile(rf"[.!?…。！？:]{_CLOSING}\s*$")
_BEFORE_PIECE = re.compile(r"[\s(\[\"'“”*_]")
_LONGEST_PIECE = 30
_OPENING = re.compile(r"\s*[\"'“‘«(\[*_—–-]*")
_ROMAN = frozenset("IVX")
_LONGEST_ORDINAL = 2
_LONGEST_MUTE = 4
# A point after these ends no sentence; after the second list it may, if a capital follows; after
# the third it ends none before a number. Nor does it after a few letters without a vowel, unless
# they are the unit of a number.
_TITLES = """
al alm alb apr approx apt arş assoc asst aug av bkz bkn bşk blv blm bul ca cad capt cev cf co col
dec dept doç dr e.g ecz ed eg eq est fak feb fig fr gn gör gov haz hz i.e ie ing jan jr jul jun
krs mah max mr mrs ms min müd müh nos nov oct op ort osm öğr örn pp pres prof rev
sep sept sf sgt sn sok sr st tel trk ünv uzm vol vd vol yay yön yrd yun yy yzb
"""
_TAILS = "vb vs vd etc inc ltd bc ad ö s şti a.ş am pm a.m p.m yy"
_BEFORE_NUMBERS = """
art bap bl böl c ch cilt d fas k mar md nr nu no nos p par para r s sec sect şub tab v ver
"""
_MUTE = re.compile(r"[^\W\daeiou_]+")
_ALWAYS = frozenset(fold(_TITLES).split())
_NUMBERED = frozenset(fold(_BEFORE_NUMBERS).split())
_BEFORE_SMALL = frozenset(fold(_TAILS).split())


def sentences(text: str) -> list[Sentence]:
    """Return the sentences of a plain or markdown text, in order."""
    results: list[Sentence] = []
    prose = _QUOTE_MARK.sub(lambda mark: " " * len(mark[0]), text)
    prose = FENCE.sub(lambda fence: "\n" * len(fence[0]), prose)
    for start, end in _paragraphs(prose):
        for first, last in _split(prose, start, end):
            sentence = text[first:last]
            if any(letter.isalpha() for letter in sentence):
                results.append(Sentence(sentence, first, last))
    return results


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    start = end = at = 0
    is_numbered = _FIRST_NUMBER.search(text) is not None
    for line in [*text.split("\n"), ""]:
        first, last = at, at + len(line)
        at = last + 1
        item = _LIST_MARK.match(line)
        if item and not is_numbered and item[0].strip()[0].isdigit():
            item = None  # "2. Dünya Savaşı": an ordinal, as no list begins with 2
        is_prose = bool(line.strip()) and not item and not _STRUCTURE.match(line)
        if is_prose and start < end:
            end = last
            continue
        if start < end:
            yield start, end
        start = end
        if is_prose:
            start, end = first, last
        elif item and _ENDS_A_SENTENCE.search(line):
            # What follows the first line of an item belongs to it. "1. gün" is an ordinal.
            is_ordinal = (
                item[0].strip()[0].isdigit() and line[item.end() : item.end() + 1].islower()
            )
            start, end = first + (0 if is_ordinal else item.end()), last


def _split(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    first = start
    ends = (
        match.end()
        for match in _END.finditer(text, start, end)
        if _is_end(text, start, match, end)
    )
    for last in (*ends, end):
        whole = text[first:last]
        if whole.strip():
            yield first + len(whole) - len(whole.lstrip()), first + len(whole.rstrip())
        first = last


def _is_end(text: str, start: int, match: re.Match[str], end: int) -> bool:
    if match.end() == end:
        return True
    opening = _OPENING.match(text, match.end(), end)
    if opening and text[opening.end() : min(opening.end() + 1, end)].islower():
        return False
    before = text[max(start, match.start() - _LONGEST_PIECE) : match.start()]
    if match[0][0] != ".":
        return True
    *_, earlier, last = ("", *_BEFORE_PIECE.split(before))
    is_unit = earlier[-1:].isdigit()
    if opening and text[opening.end() : opening.end() + 1].isdigit() and fold(last) in _NUMBERED:
        return is_unit and len(last) == 1
    if last.isdigit() and earlier.endswith("."):
        return True  # "Md. 5. Sonra": no ordinal
    return not _expects_more(last, is_unit=is_unit)


def _expects_more(before: str, *, is_unit: bool) -> bool:
    if before.isdigit():
        return len(before) <= _LONGEST_ORDINAL
    folded = fold(before)
    if not before or folded in _BEFORE_SMALL:
        return False
    is_initial = before[-1].isupper() and before[-2:-1] in ("", ".")
    is_mute = len(before) <= _LONGEST_MUTE and _MUTE.fullmatch(folded) is not None
    if is_mute and not is_unit and before[-1].islower():
        return True
    return is_initial or folded in _ALWAYS or _ROMAN.issuperset(before)


_ASKING = frozenset(
    fold(
        "what who where when why how which nedir kimdir nasıl neden niçin niye nerede hangi ne kim"
        " kaç"
    ).split()
)


def joined(text: str, joins: tuple[str, ...]) -> list[str]:
    """Split two questions in one, "… nedir ve … nasıl çalışır": each with a question word.

    `joins`: the words that join them. Empty if it is a single question.
    """
    line = tokenize(text)
    asking = [at for at, token in enumerate(line.tokens) if token in _ASKING]
    for join in find_phrases(line, joins) if asking else []:
        if asking[0] < join.start and join.end <= asking[-1]:
            return [line.original_between(0, join.start), line.original_after(join.end).strip()]
    return []


# Where a text may be cut, the best places first.
_CUTS = tuple(map(re.compile, (r"\n\s*\n", r"\n", r"(?<=[.!?…])\s", r"\s")))


def split_passages(text: str, longest: int) -> list[str]:
    """Return the text in pieces of at most `longest` characters; only white space is lost."""
    text = text.strip()
    pieces: list[str] = []
    start = 0  # a position, as cutting off each piece would copy the rest each time
    while start < len(text):
        end = start + longest
        if end < len(text):
            end = _best_cut(text, start, end)
        pieces.append(text[start:end].strip())
        start = end
    return list(filter(None, pieces))


def _best_cut(text: str, start: int, end: int) -> int:
    least = start + (end - start) // 3
    for cut in _CUTS:
        places = [match.end() for match in cut.finditer(text, start, end)]
        if places and places[-1] > least:
            return places[-1]
    return end


HEADING = re.compile(r"[ \t]*#{1,6}[ \t].*|[ \t]*\*\*[^*]+\*\*:?[ \t]*")
LINE_LEAD = re.compile(r"[ \t>]*(?:[-*+•–]|\(?\d{1,3}[.)])?[ \t]*")
"""What stands before the words of a line: marks of quotations, of a list, or nothing."""
# No sentence begins after a semicolon.
_PIECE = re.compile(r"[^.!?…:|\n]+(?:[.!?…:](?=\S)[^.!?…:|\n]*|(?<=\b[A-Za-zÇĞİÖŞÜçğıöşü])\.)*")
_WORD = re.compile(r"[^\W\d_]\w*(?:-\w+)*(?:[’'][^\W\d_]+)?")
_OPENING_MARKS = frozenset("\"'“”‘’«([*_")
_NAME_TITLES = frozenset(
    word_texts("dr prof doç mr mrs ms av uzm op st bay bayan bey hanım sayın no")
)
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
        if len(base) < _SHORTEST or folded in by_word or folded in _NAME_TITLES or is_unit:
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
        if HEADING.fullmatch(line):
            continue
        lead = LINE_LEAD.match(line)
        is_abbreviated = False
        for piece in _PIECE.finditer(line, lead.end() if lead else 0):
            matches = list(_WORD.finditer(piece[0]))
            capitals = sum(word[0].isupper() and len(word[0]) >= _SHORTEST for word in matches)
            is_shouted = len(matches) > _SHORTEST and 2 * capitals > len(matches)
            for place, match in enumerate(matches):
                before = piece[0][: match.start()].rstrip(" ")
                is_first = not is_abbreviated if place == 0 else before[-1:] in _OPENING_MARKS
                yield match[0], is_first, is_shouted
            last = folded_key(matches[-1][0]) if matches else ""
            is_abbreviated = last in _NAME_TITLES or (len(last) == 1 and matches[-1][0].isupper())


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
