"""What of a message is the user's own word: not what they quote, paste, or want worked on."""

import re
from itertools import islice

from desktop.language.normalization import fold, word_texts

_PASTED = re.compile(
    r"^ {0,3}>.*$|^ {0,3}(```|~~~).*?(?:^ {0,3}\1.*?$|\Z)", re.MULTILINE | re.DOTALL
)
_WORKED_ON = re.compile(
    r"\b(?:cevir(?:in|ir misin|sene)?|tercume et(?:er misin)?|ozetle(?:r misin|yin)?"
    r"|duzelt(?:in|ir misin)?|duzenle(?:r misin|yin)?|yeniden yaz(?:ar misin)?"
    r"|kontrol et(?:er misin)?|incele(?:r misin)?|yorumla(?:r misin)?|devam ettir"
    r"|translate|summari[sz]e|proofread|correct|rewrite|rephrase|paraphrase|shorten|polish|edit)\b"
    r"[^:\n.!?]{0,80}:(?P<text>.*)",
    re.DOTALL,
)
"""What follows a colon behind such a word is a text to be worked on, up to the end."""
_SENTENCE_OF = re.compile(
    r"\s(?:cumlesini|cumlesi|ifadesini|metnini|sozunu)\b(?=[^.!?\n]{0,60}?"
    r"\b(?:cevir|tercume|ozetle|duzelt|incele|yaz))"
)
_ENDS_SENTENCE = re.compile(r"[.!?\n]")
_MOST_SENTENCES = 5
_LONGEST_BEFORE = 400
_QUOTED = re.compile(
    r"\"(?P<a>[^\"\n]{3,400})\"|[“„](?P<b>[^“”\n]{3,400})[”“]|«(?P<c>[^«»\n]{3,400})»"
    r"|(?<![\w'’])['‘](?P<d>[^'’‘\n]{3,200})['’](?!\w)"
)
_FEWEST_QUOTED = 3
"""Words: who quotes fewer names something."""
_SPEAKS = re.compile(
    r"^[ \t]{0,3}(?P<who>[^\W\d_]{2,20}(?: [^\W\d_]{2,20})?):[ \t]+"
    r"(?:ben|benim|biz|i|i'm|my|we)\b.*$",
    re.MULTILINE,
)
_OWN_LABELS = frozenset(
    word_texts(
        "not note ps bilgi info hatirlatma ben me context baglam fyi onemli important soru"
        " question"
        " duzeltme correction konu durum ozet kisaca unutma hatirla remember memory"
    )
)


def own_words(content: str) -> str:
    """Folded, and letter for letter as long: what others said is blanked out."""
    own = _PASTED.sub(_blank, fold(content))
    own = _WORKED_ON.sub(_without_text, own)
    own = _SPEAKS.sub(_unless_own, own)
    letters = list(own)
    for found in islice(_SENTENCE_OF.finditer(own), _MOST_SENTENCES):
        start = max(0, found.start() - _LONGEST_BEFORE)
        ends = [one.end() for one in _ENDS_SENTENCE.finditer(own, start, found.start())]
        start = ends[-1] if ends else start
        letters[start : found.start()] = " " * (found.start() - start)
    for found in _QUOTED.finditer(content):
        said = next(filter(None, found.groups()))
        if len(word_texts(said)) >= _FEWEST_QUOTED and not _is_title(said):
            letters[found.start() : found.end()] = _blank(found)
    return "".join(letters)


def _is_title(said: str) -> bool:
    """Of a book, say: nearly every word of it has a capital."""
    long = [word for word in said.split() if len(word) > _FEWEST_QUOTED]
    return bool(long) and all(word[0].isupper() for word in long)


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _without_text(found: re.Match[str]) -> str:
    start, end = (at - found.start() for at in found.span("text"))
    return f"{found[0][:start]}{' ' * (end - start)}{found[0][end:]}"


def _unless_own(found: re.Match[str]) -> str:
    return found[0] if found["who"].split()[-1] in _OWN_LABELS else _blank(found)
