"""Finds the key phrases of a conversation (RAKE), each in the barest form in which it stands.

A phrase counts by its stems, so "insülinin", "insüline" and "insülin" are one. Candidates are runs
of stems between stop words and punctuation.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log2
from typing import NamedTuple

from desktop.domain.language import Language
from desktop.language.describing.topic_normalization import (
    Form,
    barest,
    form_at,
    in_its_casing,
    is_name,
    share_of_form,
)
from desktop.language.formulas_in_markdown import replace_formulas
from desktop.language.keywords_and_stems import stem
from desktop.language.markdown_stripping import without_code
from desktop.language.normalization import words
from desktop.language.stopwords import StopWords

_PARTED = ""
"""Stands among the stems where one run ends and the next begins."""
_WEAK = "+"
"""Begins the stem of a word that may end a phrase and is none alone."""
_LEAST_LETTERS = 2
# White space, a hyphen or emphasis between words keeps a phrase together; all else parts it.
_JOINT = re.compile(r"[ \t*_`-]{1,4}")
# What no compound goes on from. "Hücreler insüline": a subject and an object.
_PLURALS = ("lar", "ler")
_SHORTEST_PLURAL = 6
_MOST_TOPICS = 7
_FEWEST_TOPICS = 3
_CANDIDATES = 40
# Of a long session the beginning of each message says what it is about.
_READ_AT_MOST = 90_000
_LEAST_SHARE = 200
# Beyond the fewest, a topic is something that was said more than once.
_LEAST_SCORE = 2.5
_USER_WEIGHT, _OTHER_WEIGHT = 2.0, 1.0
# What each further word makes a phrase worth, for it is met less often.
_PER_WORD = {1: 1.0, 2: 2.4, 3: 2.8}
_NAME_BONUS = 1.4
# A phrase that is met alone less often than this belongs to a longer one.
_LEAST_ALONE = 0.4
# How good a longer phrase must be to stand in for the one word, or the two, that it begins from.
_STANDS_IN = {1: 0.5, 2: 0.8}
_MOST_WITH_ONE_WORD = 2
# An address is looked for from the beginning of a word only: some pastes are one without an end.
_LINK = re.compile(r"https?://\S+|www\.\S+|(?<![\w.-])[\w.-]++@[\w.-]+")
_SIGNS_OF_LINK = ("://", "www.", "@")

Stems = tuple[str, ...]


class _Part(NamedTuple):
    """One message: its stems in order, where each stands, and what it counts."""

    text: str
    stems: list[str]
    starts: list[int]
    ends: list[int]
    weight: float


@dataclass(frozen=True, slots=True)
class Topic:
    """A phrase as it is shown, the stems by which it is found, and its weight."""

    text: str
    stems: Stems
    score: float
    is_name: bool = False


def find_topics(
    messages: Sequence[tuple[str, str]], language: Language, stop_words: StopWords
) -> list[Topic]:
    """Up to seven phrases of one to three words, the weightiest first."""
    share = max(_LEAST_SHARE, _READ_AT_MOST // max(1, len(messages)))
    parts: list[_Part] = []
    for role, content in messages:
        text = replace_formulas(without_code(content), lambda _: " ")[:share]
        if any(sign in text for sign in _SIGNS_OF_LINK):
            text = _LINK.sub(" . ", text)
        weight = _USER_WEIGHT if role == "user" else _OTHER_WEIGHT
        parts.append(_take_apart(text, weight, language, stop_words))
    ranked = sorted(_scores(parts).items(), key=lambda one: (-one[1], one[0]))
    scores = dict(ranked[:_CANDIDATES])
    topics = [
        _topic(stems, forms, scores[stems], language)
        for stems, forms in _forms(parts, scores).items()
    ]
    return _choose(sorted(topics, key=lambda topic: (-topic.score, topic.text)))


def _take_apart(text: str, weight: float, language: Language, stop_words: StopWords) -> _Part:
    stems, starts, ends = [_PARTED], [0], [0]
    last = 0
    for word, start, end in words(text):
        parted = stems[-1] == _PARTED
        between = text[last:start]
        if not parted and between != " " and not _JOINT.fullmatch(between):
            stems.append(_PARTED)
            starts.append(start)
            ends.append(start)
            parted = True
        last = end
        stem_ = _stem_of(word, language, stop_words)
        if stem_ or not parted:
            stems.append(stem_)
            starts.append(start)
            ends.append(end)
        if stem_ and language is Language.TR and _is_plural(word):
            stems.append(_PARTED)
            starts.append(end)
            ends.append(end)
    return _Part(text, [*stems, _PARTED, _PARTED], starts, ends, weight)


def _is_plural(word: str) -> bool:
    return len(word) >= _SHORTEST_PLURAL and word.endswith(_PLURALS)


@lru_cache(maxsize=65_536)
def _stem_of(word: str, language: Language, stop_words: StopWords) -> str:
    """Nothing for a word that parts phrases."""
    if word in stop_words.weak:
        return _WEAK + stem(word, language)
    if len(word) < _LEAST_LETTERS or word.isdigit() or word in stop_words:
        return _PARTED
    return stem(word, language)


@dataclass(slots=True)
class _Tally:
    """How often a phrase is said, what that weighs, in how many messages, and how much alone."""

    times: int = 0
    weight: float = 0.0
    spread: int = 0
    in_longer: float = 0.0


def _scores(parts: Sequence[_Part]) -> dict[Stems, float]:
    """The candidates: by how often, how widely and by whom they are said."""
    count = Counter(stem for part in parts for stem in part.stems if stem)
    again = frozenset(stem for stem, times in count.items() if times > 1)
    tallies: defaultdict[Stems, _Tally] = defaultdict(_Tally)
    scores: dict[Stems, float] = {}
    for part in sorted(parts, key=lambda part: part.weight):
        for phrase, times in Counter(_phrases(part.stems, again)).items():
            tally = tallies[phrase]
            tally.times += times
            tally.weight += part.weight * times
            tally.spread += 1
        # What is said once is worth its weight.
        scores |= {(one,): part.weight for one in part.stems if one[:1] not in _WEAK}
    usual = {phrase: tally for phrase, tally in tallies.items() if tally.times > 1}
    for phrase, tally in usual.items():
        if len(phrase) > 1:
            for shorter in {phrase[:-1], phrase[1:]} & usual.keys():
                usual[shorter].in_longer += tally.weight
    for phrase, tally in usual.items():
        alone = tally.weight - tally.in_longer
        scores.pop(phrase, None)
        if alone >= _LEAST_ALONE * tally.weight and phrase[0][0] != _WEAK:
            scores[phrase] = alone * log2(1 + tally.spread) * _PER_WORD[len(phrase)]
    return scores


def _phrases(stems: Sequence[str], again: frozenset[str]) -> list[Stems]:
    """Words, pairs and threes of what is said again: a weak word may end one, nothing else."""
    found: list[Stems] = []
    for at in range(len(stems)):
        phrase: Stems = ()
        for one in stems[at : at + len(_PER_WORD)]:
            if one not in again:
                break
            found.append(phrase := (*phrase, one))
            if one[0] == _WEAK:
                break
    return found


def _forms(parts: Sequence[_Part], wanted: Mapping[Stems, float]) -> dict[Stems, Counter[Form]]:
    """In which forms the wanted phrases stand in the text."""
    forms: dict[Stems, Counter[Form]] = defaultdict(Counter)
    firsts = {phrase[0] for phrase in wanted}
    for text, stems, starts, ends, _ in parts:
        for at, first in enumerate(stems):
            if first in firsts:
                for end in range(at, at + len(_PER_WORD)):
                    phrase = tuple(stems[at : end + 1])
                    if phrase in wanted:
                        forms[phrase][form_at(text, starts[at], ends[end])] += 1
    return forms


def _topic(stems: Stems, forms: Mapping[Form, int], score: float, language: Language) -> Topic:
    text = barest(forms, language)
    score *= share_of_form(text, language)
    if is_name(forms):
        return Topic(text, stems, score * _NAME_BONUS, is_name=True)
    return Topic(in_its_casing(text, forms, language), stems, score)


def _choose(topics: Iterable[Topic]) -> list[Topic]:
    chosen: list[Topic] = []
    used: Counter[str] = Counter()
    for topic in topics:
        if topic.score <= 0 or (len(chosen) >= _FEWEST_TOPICS and topic.score < _LEAST_SCORE):
            break
        if any(_is_within(topic.stems, other.stems) for other in chosen):
            continue
        shorter = [other for other in chosen if _is_within(other.stems, topic.stems)]
        if shorter:
            if len(shorter) == 1 and _stands_in(topic, shorter[0]):
                chosen[chosen.index(shorter[0])] = topic
                used.update(topic.stems)
            continue
        if max(used[word] for word in topic.stems) < _MOST_WITH_ONE_WORD:
            chosen.append(topic)
            used.update(topic.stems)
    return chosen[:_MOST_TOPICS]


def _is_within(part: Stems, whole: Stems) -> bool:
    starts = range(len(whole) - len(part) + 1)
    return any(whole[at : at + len(part)] == part for at in starts)


def _stands_in(longer: Topic, shorter: Topic) -> bool:
    return (
        not shorter.is_name
        and longer.score >= _STANDS_IN.get(len(shorter.stems), 1) * shorter.score
    )
