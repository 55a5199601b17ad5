"""Takes apart a sentence that tells several things: "artık vegan değil, et yiyor".

Each part is a sentence of its own about the same person. Where somebody else is named in it,
nobody can say of whom its parts are, and it is left whole.
"""

import re
from functools import lru_cache

from desktop.language.normalization import fold, word_texts
from desktop.memory.contradictions.states import SUBJECT
from desktop.memory.sentences.kin import GROUPS

_BETWEEN = re.compile(
    r"[,;.](?=\s)\s*(?:(?:and|but|so|then|ve|ama|fakat|çünkü|artık|şimdi)\s+)?"
    r"|\s+(?:and|but|ve|ama|fakat|hem de)\s+",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\s*\([^()]*\)")
_FEWEST = 2
_MOST = 5
"""Whoever tells more tells a story."""


@lru_cache(maxsize=256)
def parts(content: str) -> tuple[str, ...]:
    """Empty where a sentence tells one thing."""
    subject = SUBJECT.match(fold(content))
    start = subject.end() if subject else 0
    said = _ASIDE.sub("", content[start:]).strip(" .!\n")
    found = [part.strip() for part in _BETWEEN.split(said) if part.strip()]
    if not _FEWEST <= len(found) <= _MOST or _names_kin(said):
        return ()
    return tuple(f"{content[:start]} {part}".strip() for part in found)


def _names_kin(said: str) -> bool:
    return any(group.has(word) for word in word_texts(said) for group in GROUPS)
