"""Finds the sentences of a text that are relevant to a question, for quoting them."""

import re
from enum import StrEnum
from math import log

from desktop.domain.language import Language
from desktop.language.keywords_and_stems import StopWords, content_words, keys
from desktop.language.normalization import fold, words
from desktop.language.sentences import Sentence, sentences

_GOOD_LENGTH = 240
_DEFINES_BONUS = 1.25
_ASKS_MALUS = 0.4
_CONSIDERED = 6
_DEFINES = {
    Language.TR: re.compile(
        r".*(?:[dt][iu]r|den[iu]r|ad[iu]d[iu]r|anlam[iu]na gelir)[.!\"'”)*_]*", re.DOTALL
    ),
    Language.EN: re.compile(
        r".{3,80}?\b(?:is|are|was|were|means|refers to|is called)\b.*", re.DOTALL
    ),
}


def defines(sentence: str, language: Language) -> bool:
    return _DEFINES[language].fullmatch(fold(sentence)) is not None


def relevant_sentences(
    question: str, text: str, limit: int, *, stop_words: StopWords
) -> list[Sentence]:
    """Return the sentences that share the most with the question, the best first.

    A word counts more if fewer sentences of the text have it. A text that shares nothing with the
    question gives nothing.
    """
    terms = [keys(word.text) for word in content_words(question, stop_words, with_weak=True)]
    text_sentences = sentences(text)
    sentence_keys = [keys_of(sentence.text) for sentence in text_sentences]
    frequencies = [sum(bool(term & own_keys) for own_keys in sentence_keys) for term in terms]
    weights = [log(1 + len(sentence_keys) / times) if times else 0.0 for times in frequencies]
    weighted, scored = list(zip(terms, weights, strict=True)), list[tuple[float, Sentence]]()
    for sentence, own_keys in zip(text_sentences, sentence_keys, strict=True):
        shared = sum(weight for term, weight in weighted if term & own_keys)
        scored.append((_score(sentence, shared), sentence))
    scored.sort(key=lambda pair: (-pair[0], pair[1].start))
    return [sentence for score, sentence in scored[:limit] if score > 0]


def covering_sentences(question: str, text: str, stop_words: StopWords) -> list[Sentence]:
    """The best sentence, and of the next ones the one with most of the words it lacks."""
    best = relevant_sentences(question, text, _CONSIDERED, stop_words=stop_words)
    if not best[1:]:
        return best
    best_keys = keys_of(best[0].text)
    terms = [keys(word.text) for word in content_words(question, stop_words)]
    missing = [term for term in terms if not term & best_keys]
    second = max(
        best[1:], key=lambda sentence: sum(bool(term & keys_of(sentence.text)) for term in missing)
    )
    return [best[0], second]


def keys_of(text: str) -> frozenset[str]:
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
    """Whether a sentence of it states a decision, rather than asks for one."""
    return any(is_told_decision(sentence.text) for sentence in sentences(text))


def is_told_decision(sentence: str) -> bool:
    return is_of_decision(sentence) and not sentence.rstrip().endswith("?")


def is_of_decision(text: str) -> bool:
    return _DECISION.search(fold(text)) is not None


class SettledKind(StrEnum):
    """What a sentence of the user settles; the values are labels of a trained classifier."""

    DECIDED = "decided"  # Chosen, or solved
    NEXT = "next"


# A plan is a line that is called one, or what the user says to do at a time to come.
_PLANS = re.compile(
    r"^\W*(?:(?:sonraki|siradaki) adim\w*|yapilacak\w*|next steps?|to-?dos?)\b"
    r"|^(?=.*\b(?:yarin|haftaya|gelecek (?:hafta|ay)|tomorrow|next (?:week|month))\b)"
    r".*(?:\wacagi[mz]\b|\wecegi[mz]\b|\b(?:i|we)(?:'ll| will| am going to)\b)"
)
_LEAST_DOUBTED = 0.05


def find_outcome(sentence: str, *, is_opening: bool = False) -> SettledKind | None:
    """Return what a sentence of the user settles, if anything.

    `is_opening`: it begins the session, where plain statements tell of the user's situation.
    """
    from desktop.language.text_classifier import load_classifier  # noqa: PLC0415 - loads numpy

    if sentence.rstrip().endswith("?"):
        return None
    if _PLANS.search(fold(sentence)):
        return SettledKind.NEXT
    prediction = load_classifier("outcomes").predict(sentence)
    if prediction.is_sure and not is_opening:
        return SettledKind(prediction.label)
    is_meant = prediction.confidence >= _LEAST_DOUBTED and is_of_decision(sentence)
    return SettledKind.DECIDED if is_meant else None
