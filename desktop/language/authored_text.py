"""Separates the user's own words in a message from what they quote or paste.

Only structure counts: code fences, `>` lines, quotation marks, texts after a lead-in with a colon,
letters with their headers or salutation, and long blocks between short lines. Whatever writes
memory reads only the user's own words. What a request to remember introduces ("remember this: …")
is the user's, even if it is quoted.
"""

import re
from collections.abc import Callable, Iterable, Iterator

from desktop.domain.messages import Message, Role
from desktop.language.normalization import LIGATURES, MARK, fold, word_texts
from desktop.language.sentences import sentences

Governs = Callable[[str], bool]  # Whether a lead-in asks to remember what follows it

_FENCES = ("```", "~~~")
_BLOCKS = (*_FENCES, ">")
_QUOTED_LINE = (">", "&gt;")
# An apostrophe within a word opens nothing.
_QUOTATION = re.compile(
    r"(?<!\w)(?:\"[^\"]{1,2000}+\"|[“„][^“”]{1,2000}+[“”]|«[^»]{1,2000}+»|‘[^’]{1,2000}+’)"
)
_COLON = re.compile(r":\s+")
_FEWEST_QUOTED = 3  # Words: a shorter quotation is a name
_LONGEST_TYPED = 600  # Characters of one or more lines that a user types at once
_LINE = "\n"
_MOST_HEARD = 1_600
_LONGEST_QUESTION = 4_000
"""Characters; a longer query takes seconds, and matches almost everything."""
_LONGEST_LABEL, _LONGEST_SALUTATION = 2, 5  # Words
_LONGEST_LEAD = 200
_HEADER_WORDS = """
from to cc subject sent date re fwd kimden kime konu gonderen tarih ilgi gonderildi
"""
_HEADERS = frozenset(_HEADER_WORDS.split())
_OWN_LABEL_WORDS = """
not note ps bilgi info hatirlatma ben me context baglam fyi onemli important soru question
duzeltme correction konu durum ozet kisaca unutma hatirla remember memory
"""
_OWN_LABELS = frozenset(_OWN_LABEL_WORDS.split())
_SPEAKERS = frozenset({"ben", "benim", "biz", "i", "i'm", "im", "my", "we"})
_GREETINGS = frozenset(
    {"hi", "hello", "dear", "hey", "merhaba", "selam", "sayin", "sevgili", "degerli"}
)
# A text introduced by one of these is another's, not the user's.
_HANDED_OVER_WORDS = """
cevir tercume ozet duzelt duzenle yeniden kontrol incele yorumla devam translat summar proofread
correct rewrit rephras paraphras shorten polish edit review explain acikla analy analiz reply
cevapla yanitla check email e-posta eposta mail letter mesaj message metin text mektup paragra
yazi
"""
_HANDED_OVER = tuple(_HANDED_OVER_WORDS.split())


def user_texts(messages: Iterable[Message]) -> list[str]:
    """Return what the user wrote, in order."""
    return [message.content for message in messages if message.role is Role.USER]


def find_user_words(text: str, governs: Governs = lambda _: False) -> str:
    """Return the message with spaces for what is quoted or pasted; offsets stay the same."""
    for find in (_foreign_lines, _quotations):
        letters = list(text)
        for start, end in find(text, governs):
            letters[start:end] = [
                letter if letter.isspace() else " " for letter in letters[start:end]
            ]
        text = "".join(letters)
    return text


def trim_message(text: str, most: int = _MOST_HEARD) -> str:
    """Return the part of a message that decisions use: of a long one beginning and end."""
    if len(text) <= most:
        return text
    first, last = text[: most // 2], text[-most // 2 :]
    # Half a line has another meaning: of code, or of a quotation in it.
    return f"{first.rpartition(_LINE)[0] or first}\n\n{last.partition(_LINE)[2] or last}"


def find_question(text: str) -> str:
    """Return the part of a message to search for: of a long one its short ends and questions."""
    if len(text) <= _LONGEST_QUESTION:
        return text
    own = trim_message(text.strip(), 2 * _LONGEST_QUESTION)
    first, _, rest = own.partition(_LINE)
    last = rest.rpartition(_LINE)[2]
    every = [sentence.text for sentence in sentences(own)]
    questions = [sentence for sentence in every if sentence.rstrip("\"'”’)» ").endswith("?")]
    short = [part for part in (first, *questions, last) if len(part) <= _LONGEST_TYPED]
    return trim_message(_LINE.join(dict.fromkeys(short)).strip() or own, 2 * _LONGEST_TYPED)


def _lead_in(text: str, start: int) -> str:
    before = text[max(0, start - _LONGEST_LEAD) : start].rstrip()
    if not before.endswith(":"):
        return ""
    line = before.rpartition("\n")[2]
    for mark in ".!?":
        line = line.rpartition(f"{mark} ")[2]
    return line


def _foreign_lines(text: str, governs: Governs) -> Iterator[tuple[int, int]]:
    """Lines of quoted blocks, letters, handed-over texts, and the middle of a long message."""
    typed: list[tuple[int, int]] = []
    for is_block, start, end in _blocks(text):
        handed = len(text) if is_block else _handed_over(text, start, end)
        if handed < len(text) and not governs(_lead_in(text, handed)):
            yield handed, len(text)
            return
        place, stop = (start, end) if is_block else _others_in(text, start, end)
        # "Remember this: I like tea" is not a line of a person with that name.
        label = "" if is_block else f"{text[start:end].partition(':')[0]}:"
        is_foreign = place < stop and not (governs(_lead_in(text, place)) or governs(label))
        if is_foreign:
            yield place, stop
        elif not is_block and text[start:end].strip():
            typed.append((start, end))
        if is_foreign and stop == len(text):
            break
    if len(text) > _LONGEST_TYPED and len(typed) > 1:
        ends = [span for span in (typed[0], typed[-1]) if span[1] - span[0] <= _LONGEST_TYPED]
        middle = [span for span in typed if span not in ends]
        yield from (span for span in middle if not governs(_lead_in(text, span[0])))


def _blocks(text: str) -> Iterator[tuple[bool, int, int]]:
    """Fenced blocks and runs of `>` lines (also after `: >`) as blocks; other lines one by one."""
    block, start, end = "", 0, 0
    for line in text.splitlines(keepends=True):
        at, end = end, end + len(line)
        stripped = line.strip()
        kind = ">" if stripped.startswith(_QUOTED_LINE) else stripped[:3]
        if block in _FENCES:
            if stripped.startswith(block):
                yield True, start, end
                block = ""
            continue
        if block and kind != block:
            yield True, start, at
            block = ""
        if kind in _BLOCKS and not block:
            block, start = kind, at
        elif not block:
            before, quoted, _ = line.partition(": >")
            block, start = ">" if quoted else "", at + len(f"{before}: ")
            yield False, at, start if quoted else end
    if block:
        yield True, start, end


def _others_in(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the start and end of the words that a line quotes; its end twice if none."""
    line = text[start:end]
    label, colon, rest = line.partition(":")
    words = word_texts(label) if len(label) <= _LONGEST_LEAD else []
    is_label = bool(colon) and rest[:1] == " " and 0 < len(words) <= _LONGEST_LABEL
    is_label = is_label and words[-1] not in _OWN_LABELS
    is_salutation = 0 < len(words) <= _LONGEST_SALUTATION and line.rstrip().endswith(",")
    is_salutation = is_salutation and words[0] in _GREETINGS
    if (is_label and words[0] in _HEADERS) or (start and is_salutation):
        return start, len(text)
    if is_label and " ".join(word_texts(rest)[:1]) in _SPEAKERS:
        return start, end
    return end, end


def _handed_over(text: str, start: int, end: int) -> int:
    """Return the start of the text that this line introduces; else the text's end."""
    for match in _COLON.finditer(text, start, end):
        lead = _lead_in(text, match.start() + 1)
        words = [word for word in word_texts(lead) if word not in _OWN_LABELS]
        if any(word.startswith(_HANDED_OVER) for word in words):
            return match.end()
    return len(text)


def _quotations(text: str, governs: Governs) -> Iterator[tuple[int, int]]:
    for match in _QUOTATION.finditer(text):
        quotation = match[0][1:-1]
        is_name = len(word_texts(quotation)) < _FEWEST_QUOTED or _is_title(quotation)
        if not (is_name or governs(_lead_in(text, match.start()))):
            yield match.span()


def _is_title(quotation: str) -> bool:
    """Whether it reads like a title, for example a book's: nearly every word has a capital."""
    long = [word for word in quotation.split() if len(word) > _FEWEST_QUOTED and word[0].isalpha()]
    return bool(long) and all(word[0].isupper() for word in long)


_WORD = re.compile(rf"[^\W_](?:[^\W_]|{MARK})*")
INVISIBLE = re.compile("\u00ad(?:[ \t]*\n[ \t]*)?|[\u200b\u2060\ufeff]")
"""Soft hyphens, with the line break after them, and zero-width spaces."""
_LIGATURES = LIGATURES | {ord(MARK): None}
_Word = tuple[str, int, int]


def quoted_spans(quote: str, text: str) -> list[tuple[int, int]]:
    """Return a span for each part of the quotation, to be marked; empty if one is missing.

    Only letters count, from the start of a word to the end of one: white space (PDFs have it
    within words), quotation marks, emphasis, capitals and spelling variants ("ﬁ", soft hyphens)
    may differ, and an ellipsis may leave something out.
    """
    stream, begins, ends = "", dict[int, int](), dict[int, int]()
    for word, begin, end in _words(text):
        begins[len(stream)] = begin
        stream += word
        ends[len(stream)] = end
    at, spans = 0, []
    for part in quote.replace("...", "…").split("…"):
        letters = "".join(word for word, _, _ in _words(part))
        if not letters:
            continue
        place = stream.find(letters, at)
        while place >= 0 and not (place in begins and place + len(letters) in ends):
            place = stream.find(letters, place + 1)
        if place < 0:
            return []
        at = place + len(letters)
        spans.append((begins[place], ends[at]))
    return spans


def _words(text: str) -> list[_Word]:
    # Each becomes as many marks as it has characters, so that offsets stay right.
    seen = fold(INVISIBLE.sub(lambda match: MARK * len(match[0]), text))
    return [(match[0].translate(_LIGATURES), *match.span()) for match in _WORD.finditer(seen)]


_ENDS_A_QUOTE = re.compile(r"""["“”„«»]|['’‘](?=\s*[\],;])|[\[\]]""")
_LONGEST = 300


def quotable(text: str) -> str:
    """Return the longest piece without a mark that ends a quotation, at most 300 characters."""
    piece = max((" ".join(part.split()) for part in _ENDS_A_QUOTE.split(text)), key=len)
    return piece if len(piece) <= _LONGEST else piece[:_LONGEST].rpartition(" ")[0]
