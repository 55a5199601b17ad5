"""Finds current facts that may contradict each other, for the user to settle.

Two facts of one topic are shown as a possible conflict if most of their words are the same or
their sentence vectors are near. The program does not decide between them.
"""

from collections.abc import Iterable, Sequence

from desktop.domain.facts import Fact, Origin
from desktop.language.keywords_and_stems import keys
from desktop.language.language_detection import FUNCTION_WORDS
from desktop.language.normalization import word_texts

MOST_CONFLICTS = 3
_LEAST_OVERLAP = 0.5
"""Share of the words of both sentences that they have in common (Dice coefficient)."""
_ASIDE = frozenset(word_texts("kullanıcı kullanıcının user users artık şimdi now currently"))


def find_conflicts(fact: Fact, of_topic: Iterable[Fact], near: Sequence[Fact]) -> list[Fact]:
    """The likeliest first, at most three.

    `of_topic`: current facts with the same topic. `near`: those with a near sentence vector, the
    nearest first.
    """
    if fact.origin is Origin.DIRECTIVE or not fact.is_valid:
        return []
    others = {one.id: one for one in of_topic if one.id != fact.id and one.is_valid}
    words = _words(fact)
    overlaps = {one.id: _overlap(words, _words(one)) for one in others.values()}
    by_words = [one for one in others.values() if overlaps[one.id] >= _LEAST_OVERLAP]
    by_words.sort(key=lambda one: overlaps[one.id], reverse=True)
    by_vector = [others[one.id] for one in near if one.id in others]
    found = {one.id: one for one in (*by_words, *by_vector) if one.origin is not Origin.DIRECTIVE}
    return list(found.values())[:MOST_CONFLICTS]


def _words(fact: Fact) -> list[frozenset[str]]:
    said = dict.fromkeys(word_texts(fact.content))
    return [keys(one) for one in said if one not in FUNCTION_WORDS and one not in _ASIDE]


def _overlap(ours: Sequence[frozenset[str]], theirs: Sequence[frozenset[str]]) -> float:
    if not ours or not theirs:
        return 0.0
    shared = sum(any(one & other for other in theirs) for one in ours)
    return 2 * shared / (len(ours) + len(theirs))
