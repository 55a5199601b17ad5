"""What was meant by a word that stands nowhere: one letter wrong, missing, too many, or swapped.

The archive's own words are the dictionary, so that names are put right as well. The first letter
is taken to be right: it nearly always is, and it keeps "kedi" from being read as "yedi".
"""

from collections.abc import Callable, Iterator, Sequence

from desktop.language.keywords_and_stems import without_endings
from desktop.language.turkish_verb_stemming import roots
from desktop.recall.bm25 import STEM

SHORTEST = 5
"""Letters: shorter words are one letter away from too many others."""
_LONGEST = 30
_WHOLE = 7
"""Letters: a shorter beginning of another word is met by chance; its endings may follow."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"

Beginning = Callable[[Sequence[str]], Sequence[tuple[str, int]]]
"""Words of the archive that begin with any of these, and in how many messages each stands."""


def is_form_of_known(word: str, beginning: Beginning) -> bool:
    """Whether a folded word may be a form of one that stands in others: "anılır" beside "anılan".

    Too lenient for a word by itself: one slip in seventeen looks like a form as well.
    """
    own = roots(word)
    return any(
        known in own or not own.isdisjoint(roots(known)) for known, _ in beginning(sorted(own))
    )


def meant_by(word: str, beginning: Beginning) -> str | None:
    """What a folded word stands for, with or without its endings; None where nothing is near."""
    for form in (word, *without_endings(word)):
        if not (SHORTEST <= len(form) <= _LONGEST and form.isalpha() and form.isascii()):
            continue
        near = {one for one in _one_letter_off(form) if len(one) >= SHORTEST}
        counts: dict[str, int] = {}
        for known, messages in beginning(sorted({one[:STEM] for one in near})):
            for length in (len(form), len(form) + 1, len(form) - 1):
                if (begins := known[:length]) in near and _is_as_good_as_whole(begins, known):
                    counts[begins] = counts.get(begins, 0) + messages
                    break
        if counts:
            return max(counts, key=lambda one: (counts[one], one))
    return None


def _is_as_good_as_whole(begins: str, known: str) -> bool:
    return len(begins) >= _WHOLE or begins == known or begins in without_endings(known)


def _one_letter_off(word: str) -> Iterator[str]:
    for place in range(1, len(word) + 1):
        before, after = word[:place], word[place:]
        if after:
            yield before + after[1:]
            yield before[:-1] + after[0] + before[-1] + after[1:]
        for letter in _LETTERS:
            yield before + letter + after
            yield before + letter + after[1:]
