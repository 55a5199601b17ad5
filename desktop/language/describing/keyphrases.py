"""Finds the key phrases of a conversation (RAKE), each in its shortest written form.

A phrase counts by its stems, so "insülinin", "insüline" and "insülin" are one. Candidates are runs
of stems between stop words and punctuation.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log2
from typing import NamedTuple

from desktop.domain.language import Language
from desktop.language.formulas import replace_formulas
from desktop.language.keywords_and_stems import stem
from desktop.language.normalization import fold, words
from desktop.language.sentences import without_code
from desktop.language.stopwords import StopWords

_PARTED = ""  # Stands among the stems between one run and the next
_WEAK = "+"  # Begins the stem of a word that may end a phrase but is not one alone
_LEAST_LETTERS = 2
# White space, a hyphen or emphasis between words keeps a phrase together; others divide it.
_JOINT = re.compile(r"[ \t*_`-]{1,4}")
# Endings that no compound follows. "Hücreler insüline": a subject and an object.
_PLURALS = ("lar", "ler")
_SHORTEST_PLURAL = 6
_MOST_TOPICS = 7
_FEWEST_TOPICS = 3
_CANDIDATES = 40
# In a long session the beginning of each message shows its subject.
_READ_AT_MOST = 90_000
_LEAST_SHARE = 200
# Beyond the fewest, a topic must occur more than once.
_LEAST_SCORE = 2.5
_USER_WEIGHT, _OTHER_WEIGHT = 2.0, 1.0
# The weight that each further word adds to a phrase, as longer phrases are rarer.
_PER_WORD = {1: 1.0, 2: 2.4, 3: 2.8}
_NAME_BONUS = 1.4
_INFLECTED_MALUS = 0.6
# A phrase that stands alone less often than this belongs to a longer one.
_LEAST_ALONE = 0.4
# How good a longer phrase must be to replace the one or two words that it begins with.
_STANDS_IN = {1: 0.5, 2: 0.8}
_MOST_WITH_ONE_WORD = 2
# An address must begin at the beginning of a word: some pastes are one endless word.
_LINK = re.compile(r"https?://\S+|www\.\S+|(?<![\w.-])[\w.-]++@[\w.-]+")
_REMEMBERED = 32_768
_SHORTEST_TOPIC = 3
_READ_BEFORE = 8
_MARKUP = re.compile(r"[*`]|\b_+ | _+\b")
_VERBAL = {
    # Finite verbs and converbs, folded; the stop words cover endings that nouns share.
    Language.TR: re.compile(
        r".+[iu]yor\w*|.+m[ae]kt[ae]\w*|.+m[iu]st[iu]r|.+[ae]bil\w+|.{3,}[iu][ln][iu]r(?:l[ae]r)?"
        r"|.{3,}[ae]r[ae]k|.{3,}[iu]nc[ae]|.{5,}m[ae]k|.{3,}[dt][iu]g[iu]\w*|.{2,}[ae]c[ae][kg]\w*"
        r"|.{3,}m[ae]z(?:l[ae]r)?|.+[iu]rs[ae]|.{4,}m[ae]s[iu]n?\w{0,5}|.{3,}[dt][iu]r|.{4,}[iu]p"
        r"|.{2,}[^s]s[ae]m|.{4,}[aeiu]r[iu]z|.{3,}m[ae]d[iu]\w{0,2}|.{3,}l[ae]d[iu]\w{0,2}|.{3,}[iu]l[iu]r[iu]m"
        r"|.{3,}[aeiu]rk[ae]n|.{3,}s[iu]n[iu]z|.{4,}[iu]rd[iu]|.{3,}[ln]m[iu]s|.{4,}[iu]ld[iu]"
    ),
    Language.EN: re.compile(r".{3,}ly|.{4,}ed|.{3,}wards?"),
}
# Endings that can be removed: case and plural of a single word, case of a compound.
_CASE_OF_WORD = re.compile(
    r"(.{3,}?)(?:l[ae]r(?:[ae]|[iu]n|l[ae]|[dt][ae]n?|[iu]nd[ae]n?|[iu]n[aeiu]n?|[iu]yl[ae])?"
    r"|(?<=...)[dt][ae]n)"
)
_CASE_OF_COMPOUND = re.compile(
    r"(.+(?:l[ae]r[iu]|s[iu]|[^aeiou][iu]))(?:n[iu]n|nd[ae]n?|yl[ae]|(?<=[lrs][aeiu]r[iu])n[iuae]|(?<=s[iu])n[iuae])"
    r"|(.+l[ae]r)(?:[iu]n|[ae]|l[ae]|[dt][ae]n?)"
)
_STILL_INFLECTED = re.compile(
    r".{3,}(?:n[iu]n|[iu]n[iu]n|[dt][ae]n|[iu]yl[ae]|nd[ae]|yl[ae]|s[iu]n[aei])"
)


Stems = tuple[str, ...]
Form = tuple[str, bool]  # The written form of a phrase, and whether it occurs in mid-sentence


class _Token(NamedTuple):
    stem: str
    start: int
    end: int


class _Part(NamedTuple):
    """One message, and what it counts."""

    text: str
    tokens: list[_Token]
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
    """Return up to seven phrases of one to three words, the highest weight first."""
    share = max(_LEAST_SHARE, _READ_AT_MOST // max(1, len(messages)))
    parts: list[_Part] = []
    for role, content in messages:
        text = replace_formulas(without_code(content), lambda _: " ")[:share]
        text = _LINK.sub(" . ", text)
        weight = _USER_WEIGHT if role == "user" else _OTHER_WEIGHT
        parts.append(_Part(text, list(_tokens(text, language, stop_words)), weight))
    ranked = sorted(_scores(parts).items(), key=lambda one: (-one[1], one[0]))
    scores = dict(ranked[:_CANDIDATES])
    topics = [
        _topic(stems, forms, scores[stems], language)
        for stems, forms in _forms(parts, scores).items()
    ]
    return _choose(sorted(topics, key=lambda topic: (-topic.score, topic.text)))


def _tokens(text: str, language: Language, stop_words: StopWords) -> Iterator[_Token]:
    last = 0
    for word, start, end in words(text):
        between = text[last:start]
        if between != " " and not _JOINT.fullmatch(between):
            yield _Token(_PARTED, start, start)
        yield _Token(_stem_of(word, language, stop_words), start, end)
        is_plural = len(word) >= _SHORTEST_PLURAL and word.endswith(_PLURALS)
        if is_plural and language is Language.TR:
            yield _Token(_PARTED, end, end)
        last = end


@lru_cache(maxsize=65_536)
def _stem_of(word: str, language: Language, stop_words: StopWords) -> str:
    if word in stop_words.weak:
        return _WEAK + stem(word, language)
    if len(word) < _LEAST_LETTERS or word.isdigit() or word in stop_words:
        return _PARTED
    return stem(word, language)


def _scores(parts: Sequence[_Part]) -> dict[Stems, float]:
    """Score the candidates: by how often, how widely and by whom they are used."""
    count = Counter(token.stem for part in parts for token in part.tokens)
    again = {stem for stem, times in count.items() if times > 1 and stem != _PARTED}
    times, spread = Counter[Stems](), Counter[Stems]()
    weight, in_longer = defaultdict[Stems, float](float), defaultdict[Stems, float](float)
    scores: dict[Stems, float] = {}
    for part in sorted(parts, key=lambda part: part.weight):
        said = Counter(_phrases(part.tokens, again))
        times.update(said)
        spread.update(said.keys())
        for phrase, number in said.items():
            weight[phrase] += part.weight * number
        # A single occurrence is worth its weight.
        scores |= {(one.stem,): part.weight for one in part.tokens if one.stem[:1] not in _WEAK}
    usual = [phrase for phrase in times if times[phrase] > 1]
    for phrase in usual:
        for shorter in {phrase[:-1], phrase[1:]}:
            in_longer[shorter] += weight[phrase]
    for phrase in usual:
        alone = weight[phrase] - in_longer[phrase]
        scores.pop(phrase, None)
        if alone >= _LEAST_ALONE * weight[phrase] and phrase[0][0] != _WEAK:
            scores[phrase] = alone * log2(1 + spread[phrase]) * _PER_WORD[len(phrase)]
    return scores


def _phrases(tokens: Sequence[_Token], again: set[str]) -> Iterator[Stems]:
    """Repeated words, pairs and triples; a weak word may only come last."""
    for at in range(len(tokens)):
        phrase: Stems = ()
        for token in tokens[at : at + len(_PER_WORD)]:
            if token.stem not in again:
                break
            phrase = (*phrase, token.stem)
            yield phrase
            if token.stem[0] == _WEAK:
                break


def _forms(parts: Sequence[_Part], wanted: Mapping[Stems, float]) -> dict[Stems, Counter[Form]]:
    forms: dict[Stems, Counter[Form]] = defaultdict(Counter)
    firsts = {phrase[0] for phrase in wanted}
    for text, tokens, _ in parts:
        for at, first in enumerate(tokens):
            phrase: Stems = ()
            for token in tokens[at : at + len(_PER_WORD)] if first.stem in firsts else ():
                phrase = (*phrase, token.stem)
                if phrase in wanted:
                    forms[phrase][_form(text, first.start, token.end)] += 1
    return forms


def _form(text: str, start: int, end: int) -> Form:
    form = _MARKUP.sub("", text[start:end]).replace("\n", " ")
    before = text[max(0, start - _READ_BEFORE) : start].rstrip(" *_`")
    return form, before[-1:].isalpha()


def _topic(stems: Stems, forms: Mapping[Form, int], score: float, language: Language) -> Topic:
    """The topic under its shortest form, the most used of equals; a verb has no weight."""
    counts: Counter[str] = Counter()
    for (text, _), times in forms.items():
        counts[_without_case(text) if language is Language.TR else text] += times
    text = min(counts, key=lambda text: (len(text), -counts[text], text))
    folded = fold(text)
    if len(folded) < _SHORTEST_TOPIC or _VERBAL[language].fullmatch(folded):
        score = 0.0
    elif language is Language.TR and _STILL_INFLECTED.fullmatch(folded):
        score *= _INFLECTED_MALUS
    inside = Counter({form: times for (form, is_inside), times in forms.items() if is_inside})
    capital = sum(times for form, times in inside.items() if form[0].isupper())
    # It mostly has a capital where a sentence does not require one.
    if capital * 2 > inside.total():
        return Topic(text, stems, score * _NAME_BONUS, is_name=True)
    if (inside or any(form[0].islower() for form, _ in forms)) and not text[1:2].isupper():
        first = {"I": "ı", "İ": "i"}.get(text[0], text[0]) if language is Language.TR else text[0]
        text = first.lower() + text[1:]
    return Topic(text, stems, score)


@lru_cache(maxsize=_REMEMBERED)
def _without_case(text: str) -> str:
    pattern = _CASE_OF_COMPOUND if " " in text else _CASE_OF_WORD
    match = pattern.fullmatch(fold(text))
    return text[: match.end(match.lastindex or 0)] if match else text


def _choose(topics: Iterable[Topic]) -> list[Topic]:
    chosen: list[Topic] = []
    used: Counter[str] = Counter()
    for topic in topics:
        if topic.score <= 0 or (len(chosen) >= _FEWEST_TOPICS and topic.score < _LEAST_SCORE):
            break
        shorter = [other for other in chosen if _is_within(other.stems, topic.stems)]
        if any(_is_within(topic.stems, other.stems) for other in chosen):
            continue
        if shorter and (len(shorter) > 1 or not _stands_in(topic, shorter[0])):
            continue
        if shorter:
            chosen[chosen.index(shorter[0])] = topic
        elif max(used[word] for word in topic.stems) < _MOST_WITH_ONE_WORD:
            chosen.append(topic)
        else:
            continue
        used.update(topic.stems)
    return chosen[:_MOST_TOPICS]


def _is_within(part: Stems, whole: Stems) -> bool:
    starts = range(len(whole) - len(part) + 1)
    return any(whole[at : at + len(part)] == part for at in starts)


def _stands_in(longer: Topic, shorter: Topic) -> bool:
    least = _STANDS_IN.get(len(shorter.stems), 1) * shorter.score
    return not shorter.is_name and longer.score >= least
