"""BM25+ scores of messages for a query.

BM25+ (Robertson; Lv and Zhai 2011 for the bound below) over the words of a message and, at a lower
weight, of the messages around it: in a conversation the answer is often beside the words of
the query. A score is a share of the score of a text with every word of the query, so it says how
much of the query was found.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from math import log, log2

from desktop.domain.frozen import dataclass
from desktop.language.describing.base_forms import ranks
from desktop.language.keywords_and_stems import StopWords, content_words, strip_suffixes
from desktop.language.normalization import index_text, softened

STEM = 6  # Characters of a word that are compared; the rest is mostly an ending

REACH = 2  # Neighbouring messages on each side that count for a message

_NEIGHBOUR = 0.4
_SATURATION = 1.2
_LENGTH = 0.4
_BOUND = 0.5  # Lower bound for having a term at all: the delta of Lv and Zhai
_FORM = 1.0  # The share of an exact form's additional weight that counts in the message itself


@dataclass(frozen=True, slots=True)
class QueryWord:
    """A folded query word with its document frequency."""

    word: str
    messages: int
    exactly: int | None = None  # Document frequency of this exact form, if known
    also: tuple[str, ...] = ()  # Prefixes of translations; with a full stop a whole word


@lru_cache(maxsize=1024)
def beginnings(word: str) -> tuple[str, ...]:
    if len(word) > STEM:
        return (word[:STEM],)
    return softened(word)


class Scorer:
    """Scores texts for one query. `messages`: how many the archive has."""

    def __init__(self, terms: Sequence[QueryWord], messages: int) -> None:
        self.terms = terms
        self._weights = [weight(term.messages, messages) for term in terms]
        self._forms = [
            _FORM * max(0.0, weight(term.exactly, messages) - own) if term.exactly else 0.0
            for term, own in zip(terms, self._weights, strict=True)
        ]
        self._ideal = sum(self._weights) * (_SATURATION + 1 + _BOUND) or 1.0
        self._pattern = _pattern(tuple((term.word, term.also) for term in terms))
        self._counted: dict[str, Mapping[int, float]] = {}

    def counts(self, text: str) -> Mapping[int, float]:
        """Return term frequencies by position in the query, counted once for each text.

        A negative position counts the exact form.
        """
        if text in self._counted or not self.terms:
            return self._counted.get(text, {})
        counts: dict[int, float] = {}
        for match in self._pattern.finditer(index_text(text)):
            place = (match.lastindex or 1) - 1
            counts[place] = counts.get(place, 0.0) + 1.0
            if match[0] == self.terms[place].word:
                counts[~place] = 1.0
        self._counted[text] = counts
        return counts

    def count_matches(self, text: str) -> int:
        return sum(place >= 0 for place in self.counts(text))

    def score(
        self,
        own: Mapping[int, float],
        neighbours: Iterable[Mapping[int, float]],
        length: float,
        usual_length: float,
    ) -> float:
        """Return a score from 0 to 1; lengths in characters, with weighted neighbours."""
        counts = dict(own)
        for neighbour in neighbours:
            for place, count in neighbour.items():
                counts[place] = counts.get(place, 0.0) + _NEIGHBOUR * count
        norm = _SATURATION * (1 - _LENGTH + _LENGTH * length / usual_length)
        total = 0.0
        for place, count in counts.items():
            if place < 0:
                total += self._forms[~place] * min(count, 1.0)
            else:
                total += self._weights[place] * (
                    _BOUND + count * (_SATURATION + 1) / (count + norm)
                )
        return total / self._ideal


def weighted_length(own: int, neighbour_lengths: Iterable[int]) -> float:
    return own + _NEIGHBOUR * sum(neighbour_lengths)


def weight(messages_with: int, messages: int) -> float:
    """Return the inverse document frequency; never negative."""
    return log(1 + (messages - messages_with + 0.5) / (messages_with + 0.5))


@lru_cache(maxsize=64)
def _pattern(terms: tuple[tuple[str, tuple[str, ...]], ...]) -> re.Pattern[str]:
    """Return a pattern with a group for every term, so that a match names its term."""
    groups = ("|".join(map(_begins, (*beginnings(word), *also))) for word, also in terms)
    return re.compile(r"(?<![^\W_])(?:" + "|".join(f"({group})" for group in groups) + r")[^\W_]*")


def _begins(beginning: str) -> str:
    if beginning.endswith("."):
        return re.escape(beginning[:-1]) + r"(?![^\W_])"
    return re.escape(beginning)


_LEAST_MESSAGES = 1_000  # A smaller archive shows too little about how common a word is
_WORDS = 0.2  # What all of a question's words together add to the similarity of meaning
_LEAST_BEST, _LEAST = 0.42, 0.3
"""What the best text needs before any is relevant, and what each of the others needs."""
_PER_DOUBLING = 0.01
"""Added to the former for each doubling of the archive: more texts are near by chance."""
_SHARE_OF_BEST = 0.55
_TOGETHER, _LEAST_TOGETHER = 3, 0.56
"""Without any meaning: how many of the first texts are judged together, and their minimum."""
_WORDS_ALONE, _RARITY = 0.58, 0.017
"""If no meaning is known: the value of all the words, and of their weight."""
_ORDINARY = 3_000
"""Words up to this rank of the language ("test", "file") say nothing, unless they are all of the
several words of a question. A small archive cannot show how common they are."""


@dataclass(frozen=True, slots=True)
class RelevanceCandidate:
    """The words that suggest that a text is relevant."""

    text: str
    nearness: float | None = None  # Similarity of meaning; None if it is not known


class RelevanceFloor:
    """Decides which texts are relevant to a question. `messages`: how many the archive has."""

    def __init__(self, terms: Sequence[QueryWord], messages: int) -> None:
        self._scorer = Scorer(terms, messages)
        among = max(messages, _LEAST_MESSAGES)
        self._least_best = _LEAST_BEST + _PER_DOUBLING * log2(among / _LEAST_MESSAGES)
        self._weights = [weight(max(term.messages, 1), among) for term in terms]
        self._rare = {place for place, term in enumerate(terms) if not _is_ordinary(term.word)}

    def choose(self, several: Sequence[RelevanceCandidate]) -> list[int]:
        """Return the positions of the relevant texts, in their order.

        If not even the best is relevant enough, none is returned.
        """
        counts = [self._scorer.counts(evidence.text) for evidence in several]
        term_sets = [
            self._telling(frozenset(place for place in count if place >= 0)) for count in counts
        ]
        values = [
            self._value(evidence.nearness, words)
            for evidence, words in zip(several, term_sets, strict=True)
        ]
        best = max(values, default=0.0)
        if all(evidence.nearness is None for evidence in several):
            # The words of two compared things rarely occur in one text.
            if self._value(None, frozenset[int]().union(*term_sets[:_TOGETHER])) < _LEAST_TOGETHER:
                return []
            least = _SHARE_OF_BEST * best
        elif best < self._least_best:
            return []
        else:
            least = max(_LEAST, _SHARE_OF_BEST * best)
        return [place for place, value in enumerate(values) if value >= least]

    def _telling(self, words: frozenset[int]) -> frozenset[int]:
        is_whole = 1 < len(words) == len(self._weights)
        return frozenset() if self._rare.isdisjoint(words) and not is_whole else words

    def _value(self, nearness: float | None, words: Collection[int]) -> float:
        weight = sum(self._weights[place] for place in words)
        share = weight / (sum(self._weights) or 1.0)
        if nearness is None:
            return _WORDS_ALONE * share + _RARITY * weight
        return nearness + _WORDS * share


def _is_ordinary(word: str) -> bool:
    rank = ranks().get
    return min(rank(form, _ORDINARY + 1) for form in (word, *strip_suffixes(word))) <= _ORDINARY


def rank_by_words(texts: Sequence[str], question: str, stop_words: StopWords) -> list[int]:
    """Return the positions of texts with words of the question, by BM25, the best first."""
    question_words = {
        word.text: None for word in content_words(question, stop_words, with_weak=True)
    }
    if not texts or not question_words:
        return []
    terms = [QueryWord(word, 0) for word in question_words]
    counts = [Scorer(terms, len(texts)).counts(text) for text in texts]
    counted_terms = [
        QueryWord(term.word, sum(place in count for count in counts))
        for place, term in enumerate(terms)
    ]
    scorer = Scorer(counted_terms, len(texts))
    usual = sum(map(len, texts)) / len(texts)
    scores = [scorer.score(scorer.counts(text), (), len(text), usual) for text in texts]
    ranked = sorted(range(len(texts)), key=lambda place: -scores[place])
    return [place for place in ranked if scores[place] > 0]
