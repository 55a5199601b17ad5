"""Tells the user's own words in a message from what they quote or paste.

Only structure counts: code fences, `>` lines, quotation marks, texts behind a lead-in that ends in
a colon, letters with their headers or salutation, and long blocks between short lines. Whatever
writes memory looks at the user's own words alone. What a request to remember leads in ("remember
this: …") is the user's, however it is quoted.
"""

from collections.abc import Callable, Iterator

from desktop.language.normalization import fold, word_texts
from desktop.language.sentences import sentences

Governs = Callable[[str], bool]
"""Whether a lead-in asks to remember what follows it."""

_FENCES = ("```", "~~~")
_QUOTES = {'"': '"', "“": "”“", "„": "“”", "«": "»", "‘": "’"}
_LONGEST_QUOTE = 2_000
_FEWEST_QUOTED = 3
"""Words: who quotes fewer names something."""
_LONGEST_TYPED = 600
"""Letters of a line, or of several, that somebody types in one go."""
_LINE = "\n"
_MOST_HEARD = 1_600
_LONGEST_QUESTION, _MOST_ASKED = 4_000, 1_200
"""Letters; with more of them a search takes seconds, and finds what has any word at all."""
_LONGEST_LABEL, _LONGEST_SALUTATION = 2, 5
"""Words."""
_LONGEST_LEAD = 200
_FEWEST_LINES = 2
_HEADERS = """
from to cc subject sent date re fwd kimden kime konu gonderen tarih ilgi gonderildi
"""
_OWN_LABELS = """
not note ps bilgi info hatirlatma ben me context baglam fyi onemli important soru question
duzeltme correction konu durum ozet kisaca unutma hatirla remember memory
"""
_FIRST_PERSON = "ben benim biz i i'm im my we"
_SALUTES = "hi hello dear hey merhaba selam sayin sevgili degerli"
# A text that is handed over with one of these is somebody's text, not what the user tells.
_WORKS_ON = """
cevir tercume ozet duzelt duzenle yeniden kontrol incele yorumla devam translat summar proofread
correct rewrit rephras paraphras shorten polish edit review explain acikla analy analiz reply
cevapla yanitla check
"""
_TEXTS = "email e-posta eposta mail letter mesaj message metin text mektup paragra yazi"
_HEADER_LABELS = frozenset(_HEADERS.split())
_LABELS = frozenset(_OWN_LABELS.split())
_SPEAKERS = frozenset(_FIRST_PERSON.split())
_GREETINGS = frozenset(_SALUTES.split())
_HANDED_OVER = (*_WORKS_ON.split(), *_TEXTS.split())


def find_user_words(text: str, governs: Governs = lambda _: False) -> str:
    """The message with blanks for what is quoted or pasted; every letter stays in its place."""
    for find in (_fenced, _quoted_lines, _letters_of_others, _pasted_blocks, _quotations):
        text = _blanked(text, find(text), governs)
    return text


def trim_message(text: str, most: int = _MOST_HEARD) -> str:
    """As much of a message as decisions are made by: of a long one its beginning and its end."""
    if len(text) <= most:
        return text
    first, last = text[: most // 2], text[-most // 2 :]
    # Half a line says something else: of code, a quotation that was in it.
    return f"{first.rpartition(_LINE)[0] or first}\n\n{last.partition(_LINE)[2] or last}"


def find_question(text: str) -> str:
    """What of a message is looked up: of a long one its short ends, and what is asked there."""
    if len(text) <= _LONGEST_QUESTION:
        return text
    own = trim_message(text.strip(), 2 * _LONGEST_QUESTION)
    lines = [line.strip() for line in own.split(_LINE) if line.strip()]
    ends = [line for line in (lines[0], lines[-1]) if len(line) <= _LONGEST_TYPED]
    asked, room = list[str](), _MOST_ASKED
    for one in sentences(own):
        is_asked = one.text.rstrip("\"'”’)» ").endswith("?")
        if is_asked and len(one.text) <= room and not any(one.text in end for end in ends):
            room -= len(one.text)
            asked.append(one.text)
    found = _LINE.join([*ends[:1], *asked, *ends[1:]])
    return found or f"{own[:_LONGEST_TYPED]}{_LINE}{own[-_LONGEST_TYPED:]}"


def split_pasted(text: str) -> tuple[str, str]:
    """What a person types of a message, and what stands between that; may be empty.

    Of a long one with several lines the first and the last are typed, where they are short.
    """
    lines = [line for line in text.split(_LINE) if line.strip()]
    if len(text) <= _LONGEST_TYPED or len(lines) < _FEWEST_LINES:
        return text, ""
    ends = [at for at in (0, len(lines) - 1) if len(lines[at]) <= _LONGEST_TYPED]
    between = [one for at, one in enumerate(lines) if at not in ends]
    return _LINE.join(lines[at] for at in ends), _LINE.join(between)


def _blanked(text: str, spans: Iterator[tuple[int, int]], governs: Governs) -> str:
    letters = list(text)
    for start, end in spans:
        if governs(_lead_in(text, start)):
            continue
        letters[start:end] = [one if one.isspace() else " " for one in letters[start:end]]
    return "".join(letters)


def _lead_in(text: str, start: int) -> str:
    """What stands right before a place and ends in a colon; empty without one."""
    before = text[max(0, start - _LONGEST_LEAD) : start].rstrip()
    if not before.endswith(":"):
        return ""
    line = before.rpartition("\n")[2]
    for mark in ".!?":
        line = line.rpartition(f"{mark} ")[2]
    return line


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a text, each with its place."""
    at = 0
    for line in text.splitlines(keepends=True):
        yield at, line.rstrip("\r\n")
        at += len(line)


def _fenced(text: str) -> Iterator[tuple[int, int]]:
    fence, start = "", 0
    for at, line in _lines(text):
        mark = line.lstrip()[:3]
        if not fence and mark in _FENCES:
            fence, start = mark, at
        elif fence and line.strip().startswith(fence):
            yield start, at + len(line)
            fence = ""
    if fence:
        yield start, len(text)


def _quoted_lines(text: str) -> Iterator[tuple[int, int]]:
    """Lines that begin with `>`, as one block, and what stands behind `: >` in a line."""
    start = end = -1
    for at, line in _lines(text):
        marked = line.lstrip().startswith((">", "&gt;"))
        place = at if marked else at + line.find(": >") + 1 if ": >" in line else -1
        if place >= 0 and start >= 0 and marked:
            end = at + len(line)
        elif place >= 0:
            if start >= 0:
                yield start, end
            start, end = place, at + len(line)
        elif start >= 0:
            yield start, end
            start = -1
    if start >= 0:
        yield start, end


def _letters_of_others(text: str) -> Iterator[tuple[int, int]]:
    """A letter from its headers or its salutation on; lines that somebody else is named before."""
    for at, line in _lines(text):
        label, colon, said = line.partition(":")
        words = word_texts(label)
        is_label = bool(colon) and 0 < len(words) <= _LONGEST_LABEL
        is_header = is_label and words[0] in _HEADER_LABELS and said[:1] == " "
        if (is_header and words[-1] not in _LABELS) or (at and _salutes(line)):
            yield at, len(text)
            return
        if is_label and said[:1] == " " and words[-1] not in _LABELS:
            begins = fold(said).split()[:1]
            if begins and begins[0].strip(",.") in _SPEAKERS:
                yield at, at + len(line)


def _salutes(line: str) -> bool:
    words = word_texts(line)
    is_short = 0 < len(words) <= _LONGEST_SALUTATION
    return is_short and line.rstrip().endswith(",") and words[0] in _GREETINGS


def _pasted_blocks(text: str) -> Iterator[tuple[int, int]]:
    """What a lead-in hands over to be worked on; of a long text what stands between its ends."""
    colon = text.find(":")
    while 0 <= colon < len(text) - 1:
        lead = _lead_in(text, colon + 1)
        if text[colon + 1].isspace() and lead and _hands_over(lead):
            rest = text[colon + 1 :]
            yield colon + 1 + len(rest) - len(rest.lstrip()), len(text)
            return
        colon = text.find(":", colon + 1)
    lines = [(at, line) for at, line in _lines(text) if line.strip()]
    if len(text) <= _LONGEST_TYPED or len(lines) < _FEWEST_LINES:
        return
    ends = (0, len(lines) - 1)
    for number, (at, line) in enumerate(lines):
        if number not in ends or len(line) > _LONGEST_TYPED:
            yield at, at + len(line)


def _hands_over(lead: str) -> bool:
    words = [word for word in word_texts(lead) if word not in _LABELS]
    return any(word.startswith(_HANDED_OVER) for word in words)


def _quotations(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    while at < len(text):
        ends = _QUOTES.get(text[at])
        is_inside = at and text[at - 1].isalnum()
        if ends is None or is_inside:
            at += 1
            continue
        limit = min(len(text), at + _LONGEST_QUOTE)
        found = [place for mark in ends if (place := text.find(mark, at + 1, limit)) > 0]
        if not found:
            at += 1
            continue
        end = min(found)
        said = text[at + 1 : end]
        if len(word_texts(said)) >= _FEWEST_QUOTED and not _is_title(said):
            yield at, end + 1
        at = end + 1


def _is_title(said: str) -> bool:
    """Of a book, say: nearly every word of it has a capital."""
    long = [word for word in said.split() if len(word) > _FEWEST_QUOTED and word[0].isalpha()]
    return bool(long) and all(word[0].isupper() for word in long)
