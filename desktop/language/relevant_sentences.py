"""Finds the sentences of a text that bear on a question, for quoting them."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import log

from desktop.domain.language import Language
from desktop.language.keywords_and_stems import content_words, keys
from desktop.language.normalization import fold, words
from desktop.language.sentences import Sentence, sentences
from desktop.language.stopwords import StopWords

_GOOD_LENGTH = 240
_DEFINES_BONUS = 1.25
_ASKS_MALUS = 0.4
_LEAST_SHARE = 0.25
"""Of the weight of a question's words; less is one common word, which says nothing."""
_LEAST_WORDS = 2
"""One word of several names a thing, and not what is asked of it."""
_DEFINES = {
    Language.TR: re.compile(
        r".*(?:[dt][iu]r|den[iu]r|ad[iu]d[iu]r|anlam[iu]na gelir)[.!\"'”)*_]*", re.DOTALL
    ),
    Language.EN: re.compile(
        r".{3,80}?\b(?:is|are|was|were|means|refers to|is called)\b.*", re.DOTALL
    ),
}


@dataclass(frozen=True, slots=True)
class Subject:
    """What a question is about: its words, and how much each of them tells apart."""

    weights: Mapping[str, float]

    def touches(self, text: str) -> bool:
        """Whether a text has enough of the words to be near what is asked."""
        return self.shared(text) >= _LEAST_SHARE * sum(self.weights.values())

    def covers(self, text: str) -> bool:
        """Whether it may be said to be about what is asked."""
        shared = len(self._shared(text))
        return self.touches(text) and shared >= min(_LEAST_WORDS, len(self.weights))

    def shared(self, text: str) -> float:
        """How much of it a text has."""
        return sum(self._shared(text))

    def _shared(self, text: str) -> list[float]:
        heard = _keys_of(text)
        return [weight for word, weight in self.weights.items() if keys(word) & heard]


def defines(sentence: str, language: Language) -> bool:
    """Whether a sentence has the shape of one that says what something is."""
    return _DEFINES[language].fullmatch(fold(sentence)) is not None


def shares_subject(question: str, text: str, stop_words: StopWords) -> bool:
    """Whether a text has one of the words that say by themselves what a question is about.

    Of a question that has none, any other of its words will do.
    """
    heard = _keys_of(text)
    return any(keys(word) & heard for word in subject_words(question, stop_words))


def subject_words(question: str, stop_words: StopWords) -> list[str]:
    """The folded words that say what it is about; the weak ones where there is no other."""
    asked = content_words(question, stop_words) or content_words(
        question, stop_words, with_weak=True
    )
    return [word.text for word in asked]


def bearing_sentences(
    question: str, text: str, limit: int, *, stop_words: StopWords
) -> list[Sentence]:
    """The sentences that share the most of what the question is about, the best first.

    A word counts the more the fewer sentences of the text have it. A text that shares nothing
    with the question gives nothing.
    """
    asked = [keys(word.text) for word in content_words(question, stop_words, with_weak=True)]
    found = sentences(text)
    heard = [_keys_of(sentence.text) for sentence in found]
    known = Counter(number for said in heard for number, term in enumerate(asked) if term & said)
    weight = {number: log(1 + len(found) / times) for number, times in known.items()}
    scored = [
        (_score(sentence, sum(weight[n] for n, term in enumerate(asked) if term & said)), sentence)
        for sentence, said in zip(found, heard, strict=True)
    ]
    scored.sort(key=lambda pair: (-pair[0], pair[1].start))
    return [sentence for score, sentence in scored[:limit] if score > 0]


def _keys_of(text: str) -> frozenset[str]:
    return frozenset(key for word in words(text) for key in keys(word.text))


def _score(sentence: Sentence, shared: float) -> float:
    score = shared * min(1.0, _GOOD_LENGTH / max(1, len(sentence.text)))
    if sentence.text.rstrip().endswith("?"):
        score *= _ASKS_MALUS
    if any(defines(sentence.text, language) for language in Language):
        score *= _DEFINES_BONUS
    return score


_DECISION = re.compile(
    r"\b(?:karar(?!s)\w*|vardigimiz sonuc\w*|sonuca var\w*|sectik|secmistik|anlastik|anlasmistik"
    r"|decid\w*|decision\w*|agreed|settled|concluded?|conclusions?|chose|went with)\b"
)


def tells_decision(text: str) -> bool:
    """Whether a sentence of it tells of one, rather than asks for it."""
    return any(map(is_told_decision, (sentence.text for sentence in sentences(text))))


def is_told_decision(sentence: str) -> bool:
    return is_of_decision(sentence) and not sentence.rstrip().endswith("?")


def is_of_decision(text: str) -> bool:
    return _DECISION.search(fold(text)) is not None
