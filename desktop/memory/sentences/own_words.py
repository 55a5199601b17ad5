"""What of a message is the user's own word: not what they quote, paste, or want worked on."""

import re
from itertools import islice

from desktop.language.authored_text import Governs, find_user_words
from desktop.language.normalization import fold

_SENTENCE_OF = re.compile(
    r"\s(?:cumlesini|cumlesi|ifadesini|metnini|sozunu)\b(?=[^.!?\n]{0,60}?"
    r"\b(?:cevir|tercume|ozetle|duzelt|incele|yaz))"
)
_ENDS_SENTENCE = re.compile(r"[.!?\n]")
_MOST_SENTENCES = 5
_LONGEST_BEFORE = 400


def own_words(content: str, governs: Governs = lambda _: False) -> str:
    """Folded, and letter for letter as long: what others said is blanked out."""
    own = fold(find_user_words(content, governs))
    letters = list(own)
    for found in islice(_SENTENCE_OF.finditer(own), _MOST_SENTENCES):
        start = max(0, found.start() - _LONGEST_BEFORE)
        ends = [one.end() for one in _ENDS_SENTENCE.finditer(own, start, found.start())]
        start = ends[-1] if ends else start
        letters[start : found.start()] = " " * (found.start() - start)
    return "".join(letters)
