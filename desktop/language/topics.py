"""Finds what a conversation is about: its key phrases, in the barest form in which they stand.

A phrase counts by its stems, so "insülinin", "insüline" and "insülin" are one, and is shown in
the shortest form that was written. What the user says weighs more than what is answered.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from math import log2
from typing import NamedTuple

from desktop.domain.language import Language
from desktop.language.folding import Word, fold, words
from desktop.language.plain import without_code
from desktop.language.stopwords import StopWords
from desktop.language.terms import stem

_MOST_TOPICS = 7
_CANDIDATES = 40
# Of a long session the beginning of each message says what it is about.
_READ_AT_MOST = 90_000
_LEAST_SHARE = 200
_LEAST_LETTERS = 3
_LONGEST_ACRONYM = 5
_FEWEST_TOPICS = 3
# Beyond the fewest, a topic is something that was said more than once.
_LEAST_SCORE = 2.5
_USER_WEIGHT = 2.0
# What each further word makes a phrase worth, for it is met less often.
_LENGTHS = (1, 2, 3)
_PER_WORD = {1: 1.0, 2: 2.4, 3: 2.8}
_NAME_BONUS = 1.4
_INFLECTED_MALUS = 0.6
# A phrase that is met alone less often than this belongs to a longer one.
_LEAST_ALONE = 0.4
# How good a longer phrase must be to stand in for the one word, or the two, that it begins from.
_STANDS_IN = {1: 0.5, 2: 0.8}
_MOST_WITH_ONE_WORD = 2
_LINK = re.compile(r"https?://\S+|www\.\S+|[\w.-]+@[\w.-]+")
# White space, a hyphen or emphasis between words keeps a phrase together; all else parts it.
_JOINT = re.compile(r"[ \t*_`-]{1,4}|[*_`]{0,3}\n(?=\w)")
_MARKUP = re.compile(r"[*`]|\b_+ | _+\b")
_WEAK = "+"
_VERBAL = {
    # Finite verbs and converbs, folded; what nouns also end in is left to the stop words.
    Language.TR: re.compile(
        r".+[iu]yor\w*|.+m[ae]kt[ae]\w*|.+m[iu]st[iu]r|.+[ae]bil\w+|.{3,}[iu][ln][iu]r(?:l[ae]r)?"
        r"|.{3,}[ae]r[ae]k|.{3,}[iu]nc[ae]|.{5,}m[ae]k|.{3,}[dt][iu]g[iu]\w*|.{2,}[ae]c[ae][kg]\w*"
        r"|.{3,}m[ae]z(?:l[ae]r)?|.+[iu]rs[ae]|.{4,}m[ae]s[iu]n?\w{0,5}|.{3,}[dt][iu]r|.{4,}[iu]p"
        r"|.{3,}[aeiu]rk[ae]n|.{3,}s[iu]n[iu]z|.{4,}[iu]rd[iu]|.{3,}[ln]m[iu]s|.{4,}[iu]ld[iu]"
    ),
    Language.EN: re.compile(r".{3,}ly|.{4,}ed|.{3,}wards?"),
}
# Endings that can go without harm: case and plural of a single word, case of a compound.
_CASE_OF_WORD = re.compile(
    r"(.{3,}?)(?:l[ae]r(?:[ae]|[iu]n|l[ae]|[dt][ae]n?|[iu]nd[ae]n?|[iu]n[aeiu]n?|[iu]yl[ae])?"
    r"|(?<=...)[dt][ae]n)"
)
_CASE_OF_COMPOUND = re.compile(
    r"(.+(?:l[ae]r[iu]|s[iu]|[^aeiou][iu]))(?:n[iu]n|nd[ae]n?|yl[ae]|(?<=[lrs][aeiu]r[iu])n[iuae]|(?<=s[iu])n[iuae])"
    r"|(.+l[ae]r)(?:[iu]n|[ae]|l[ae]|[dt][ae]n?)"
)
# What no compound goes on from. "Hücreler insüline": a subject and an object.
_ENDS_PHRASE = {Language.TR: re.compile(r".{3,}l[ae]r"), Language.EN: re.compile("(?!)")}
_STILL_INFLECTED = re.compile(
    r".{3,}(?:n[iu]n|[iu]n[iu]n|[dt][ae]n|[iu]yl[ae]|nd[ae]|yl[ae]|s[iu]n[aei])"
)

Stems = tuple[str, ...]


class _Token(NamedTuple):
    word: Word
    stem: str


class _Part(NamedTuple):
    """One message, taken apart into runs of words that no stop word or mark interrupts."""

    text: str
    runs: list[list[_Token]]
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
    parts = _read(messages, language, stop_words)
    scores = _score(parts)
    best = frozenset(sorted(scores, key=lambda stems: (-scores[stems], stems))[:_CANDIDATES])
    topics = [
        _topic(stems, forms, scores[stems], language)
        for stems, forms in _forms(parts, best).items()
    ]
    return _choose(sorted(topics, key=lambda topic: (-topic.score, topic.text)))


def _read(
    messages: Sequence[tuple[str, str]], language: Language, stop_words: StopWords
) -> list[_Part]:
    known: dict[str, str] = {}
    parts: list[_Part] = []
    share = max(_LEAST_SHARE, _READ_AT_MOST // max(1, len(messages)))
    for role, content in messages:
        text = _LINK.sub(" . ", without_code(content)[:share])
        runs: list[list[_Token]] = []
        last = -1
        for word in words(text):
            if (found := known.get(word.text)) is None:
                found = known[word.text] = _stem_of(word.text, language, stop_words)
            if not found:
                last = -1
                continue
            if last >= 0 and _JOINT.fullmatch(text, last, word.start):
                runs[-1].append(_Token(word, found))
            else:
                runs.append([_Token(word, found)])
            last = -1 if _ENDS_PHRASE[language].fullmatch(word.text) else word.end
        parts.append(_Part(text, runs, _USER_WEIGHT if role == "user" else 1.0))
    return parts


def _stem_of(word: str, language: Language, stop_words: StopWords) -> str:
    if word in stop_words.weak:
        return _WEAK + stem(word, language)
    if len(word) < _LEAST_LETTERS - 1 or word.isdigit() or word in stop_words:
        return ""
    return stem(word, language)


def _score(parts: Sequence[_Part]) -> dict[Stems, float]:
    """Every phrase that may be a topic: by how often, how widely and by whom it is said."""
    weight: defaultdict[Stems, float] = defaultdict(float)
    count: Counter[Stems] = Counter()
    spread: Counter[Stems] = Counter()
    for part in parts:
        here = Counter(chain.from_iterable(map(_phrases, part.runs)))
        count.update(here)
        spread.update(here.keys())
        for phrase, times in here.items():
            weight[phrase] += part.weight * times
    usual = [phrase for phrase in count if _may_be_topic(phrase, count[phrase])]
    alone = dict(weight)
    for phrase in usual:
        for shorter in {phrase[:-1], phrase[1:]} - {()}:
            alone[shorter] -= weight[phrase]
    return {
        phrase: alone[phrase] * log2(1 + spread[phrase]) * _PER_WORD[len(phrase)]
        for phrase in usual
        if alone[phrase] >= _LEAST_ALONE * weight[phrase]
    }


def _may_be_topic(phrase: Stems, times: int) -> bool:
    """A weak word may end a longer phrase, nothing else; a longer phrase must come up again."""
    if len(phrase) == 1:
        return phrase[0][0] != _WEAK
    return times > 1 and not any(stem[0] == _WEAK for stem in phrase[:-1])


def _phrases(run: Sequence[_Token]) -> Iterable[Stems]:
    """Each phrase in a run: the words, the pairs, the threes, each from the first on."""
    stems = [token.stem for token in run]
    return chain(*(zip(*(stems[at:] for at in range(n)), strict=False) for n in _LENGTHS))


class _Form(NamedTuple):
    text: str
    is_in_mid_sentence: bool


def _forms(parts: Sequence[_Part], wanted: frozenset[Stems]) -> dict[Stems, Counter[_Form]]:
    """In which forms the wanted phrases stand in the text."""
    forms: defaultdict[Stems, Counter[_Form]] = defaultdict(Counter)
    for part in parts:
        for run in part.runs:
            before = 0  # phrases that are shorter
            for place, phrase in enumerate(_phrases(run)):
                at = place - before
                if at == len(run) - len(phrase):
                    before = place + 1
                if phrase in wanted:
                    forms[phrase][_form(part.text, run[at : at + len(phrase)])] += 1
    return forms


def _form(text: str, tokens: Sequence[_Token]) -> _Form:
    start, end = tokens[0].word.start, tokens[-1].word.end
    form = _MARKUP.sub("", text[start:end]).replace("\n", " ")
    return _Form(form, text[max(0, start - 8) : start].rstrip(" *_`")[-1:].isalpha())


def _topic(stems: Stems, forms: Counter[_Form], score: float, language: Language) -> Topic:
    text = _barest(forms, language)
    folded = fold(text)
    if _VERBAL[language].fullmatch(folded) or len(folded) < _LEAST_LETTERS:
        return Topic(text, stems, 0.0)
    if language is Language.TR and _STILL_INFLECTED.fullmatch(folded):
        score *= _INFLECTED_MALUS
    if _is_name(forms):
        return Topic(text, stems, score * _NAME_BONUS, is_name=True)
    return Topic(_small(text, language) if _is_small(forms) else text, stems, score)


def _without_case(text: str) -> str:
    pattern = _CASE_OF_COMPOUND if " " in text else _CASE_OF_WORD
    match = pattern.fullmatch(fold(text))
    return text[: match.end(match.lastindex or 0)] if match else text


def _barest(forms: Counter[_Form], language: Language) -> str:
    """The shortest form, among equals the one most used, in its usual casing."""
    counts: Counter[str] = Counter()
    for form, times in forms.items():
        counts[_without_case(form.text) if language is Language.TR else form.text] += times
    return min(counts, key=lambda text: (len(text), _is_shouted(text), -counts[text], text))


def _is_shouted(text: str) -> bool:
    return text.isupper() and len(text) > _LONGEST_ACRONYM


def _is_name(forms: Counter[_Form]) -> bool:
    inside = {form: times for form, times in forms.items() if form.is_in_mid_sentence}
    capital = sum(times for form, times in inside.items() if form.text[0].isupper())
    return capital * 2 > sum(inside.values())


def _is_small(forms: Counter[_Form]) -> bool:
    return any(form.is_in_mid_sentence for form in forms) or any(
        form.text[0].islower() for form in forms
    )


def _small(text: str, language: Language) -> str:
    first = text[0]
    if text[1:2].isupper():
        return text
    if language is Language.TR:
        first = {"I": "ı", "İ": "i"}.get(first, first)
    return first.lower() + text[1:]


def _choose(topics: Iterable[Topic]) -> list[Topic]:
    chosen: list[Topic] = []
    used: Counter[str] = Counter()
    for topic in topics:
        if len(chosen) >= _FEWEST_TOPICS and topic.score < _LEAST_SCORE:
            break
        if topic.score <= 0 or any(_is_within(topic.stems, other.stems) for other in chosen):
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
    if len(part) == 1:
        return part[0] in whole
    starts = range(len(whole) - len(part) + 1)
    return any(whole[at : at + len(part)] == part for at in starts)


def _stands_in(longer: Topic, shorter: Topic) -> bool:
    return (
        not shorter.is_name
        and longer.score >= _STANDS_IN.get(len(shorter.stems), 1) * shorter.score
    )
