"""Takes a Turkish verb back to its root, and tells whether two forms may be of one word.

Neither need be in any dictionary; all words are folded.
"""

from functools import lru_cache

from desktop.language.keywords_and_stems import without_endings
from desktop.language.stopwords import VERB_ENDING

_SHORTEST = 3
_SHORTEST_ALONE = 4
"""Letters of a root that is looked for by itself: with three too many words begin."""
_LONGEST_WORD = 40


def verb_roots(word: str, *, shortest: int = _SHORTEST_ALONE) -> list[str]:
    """What a word may be a form of where it is a verb, the longest root first."""
    if len(word) > _LONGEST_WORD:
        return []
    ends = range(len(word) - 1, shortest - 1, -1)
    return [word[:end] for end in ends if VERB_ENDING.fullmatch(word, end)]


@lru_cache(maxsize=4096)
def roots(word: str) -> frozenset[str]:
    """What is left of a word when it is read as a noun, or as a verb, with endings."""
    as_noun = without_endings(word, shortest=_SHORTEST)
    return frozenset((*as_noun, *verb_roots(word, shortest=_SHORTEST)))
