"""Finds what a conversation is about: its key phrases, in the barest form in which they stand.

A phrase counts by its stems, so "insülinin", "insüline" and "insülin" are one, and is shown in
the shortest form that was written. What the user says weighs more than what is answered.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
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
_LONGEST = 3
_PER_WORD = {1: 1.0, 2: 2.4, 3: 2.8}
_NAME_BONUS = 1.4
_INFLECTED_MALUS = 0.6
# A phrase that is met alone less often than this belongs to a longer one.
_LEAST_ALONE = 0.4
# How good a longer phrase must be to stand in for the one word, or the two, that it begins from.
_STANDS_IN = {1: 0.5, 2: 0.8}
_MOST_WITH_ONE_WORD = 2
# An address is looked for from the beginning of a word only: some pastes are one without an end.
_LINK = re.compile(r"https?://\S+|www\.\S+|(?<![\w.-])[\w.-]++@[\w.-]+")
# White space, a hyphen or emphasis between words keeps a phrase together; all else parts it.
_JOINT = re.compile(r"[ \t*_`-]{1,4}|[*_`]{0,3}\n(?=\w)")
_MARKUP = re.compile(r"[*`]|\b_+ | _+\b")
_WEAK = "+"
_REMEMBERED = 32_768
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


class _Run(NamedTuple):
    """Words that no stop word or mark interrupts, and their stems."""

    words: list[Word]
    stems: list[str]


class _Part(NamedTuple):
    """One message, taken apart."""

    text: str
    runs: list[_Run]
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
    best = sorted(scores, key=lambda stems: (-scores[stems], stems))[:_CANDIDATES]
    # What cannot reach the least score is of interest only where there is too little that does.
    capital = _capital(parts)
    good = frozenset(
        stems
        for stems in best
        if scores[stems] * (_NAME_BONUS if stems[0] in capital else 1) >= _LEAST_SCORE
    )
    topics = _topics(parts, good, scores, language)
    chosen = _choose(topic for topic in topics if topic.score >= _LEAST_SCORE)
    if len(chosen) >= _FEWEST_TOPICS:
        return chosen
    return _choose(_topics(parts, frozenset(best), scores, language))


def _topics(
    parts: Sequence[_Part],
    wanted: frozenset[Stems],
    scores: Mapping[Stems, float],
    language: Language,
) -> list[Topic]:
    found = [
        _topic(stems, forms, scores[stems], language)
        for stems, forms in _forms(parts, wanted).items()
    ]
    return sorted(found, key=lambda topic: (-topic.score, topic.text))


def _read(
    messages: Sequence[tuple[str, str]], language: Language, stop_words: StopWords
) -> list[_Part]:
    known = _known_words(language, stop_words)
    parts: list[_Part] = []
    share = max(_LEAST_SHARE, _READ_AT_MOST // max(1, len(messages)))
    for role, content in messages:
        text = _LINK.sub(" . ", without_code(content)[:share])
        runs: list[_Run] = []
        run, last = _Run([], []), -1
        for word in words(text):
            stem, is_last = known[word.text]
            if not stem:
                last = -1
                continue
            if last < 0 or not _are_joined(text, last, word.start):
                run = _Run([], [])
                runs.append(run)
            run.words.append(word)
            run.stems.append(stem)
            last = -1 if is_last else word.end
        parts.append(_Part(text, runs, _USER_WEIGHT if role == "user" else 1.0))
    return parts


def _are_joined(text: str, end: int, start: int) -> bool:
    return text[end:start] == " " or _JOINT.fullmatch(text, end, start) is not None


class _KnownWords(dict[str, tuple[str, bool]]):
    """Of a folded word its stem, empty where it parts phrases, and whether it ends one."""

    def __init__(self, language: Language, stop_words: StopWords) -> None:
        self._language = language
        self._stop_words = stop_words

    def __missing__(self, word: str) -> tuple[str, bool]:
        if len(self) >= _REMEMBERED:
            self.clear()
        found = _stem_of(word, self._language, self._stop_words)
        self[word] = known = found, _ENDS_PHRASE[self._language].fullmatch(word) is not None
        return known


@lru_cache(maxsize=4)
def _known_words(language: Language, stop_words: StopWords) -> _KnownWords:
    """Sessions ask for the same words over and over."""
    return _KnownWords(language, stop_words)


def _stem_of(word: str, language: Language, stop_words: StopWords) -> str:
    if word in stop_words.weak:
        return _WEAK + stem(word, language)
    if len(word) < _LEAST_LETTERS - 1 or word.isdigit() or word in stop_words:
        return ""
    return stem(word, language)


def _score(parts: Sequence[_Part]) -> dict[Stems, float]:
    """Every phrase that may be a topic: by how often, how widely and by whom it is said."""
    count = Counter(chain.from_iterable(run.stems for part in parts for run in part.runs))
    again = frozenset(stem for stem, times in count.items() if times > 1)
    longer = Counter(chain.from_iterable(_longer(run, again) for p in parts for run in p.runs))
    usual = frozenset(phrase for phrase, times in longer.items() if times > 1)
    weight: dict[Stems, float] = {}
    spread: dict[Stems, int] = {}
    for part in parts:
        said: Counter[Stems] = Counter((stem,) for run in part.runs for stem in run.stems)
        said.update(chain.from_iterable(_longer(run, again) for run in part.runs))
        for phrase, times in said.items():
            weight[phrase] = weight.get(phrase, 0.0) + part.weight * times
            spread[phrase] = spread.get(phrase, 0) + 1
    alone = dict(weight)
    for phrase in usual:
        for shorter in {phrase[:-1], phrase[1:]}:
            if shorter in alone:
                alone[shorter] -= weight[phrase]
    return {
        phrase: left * log2(1 + spread[phrase]) * _PER_WORD[len(phrase)]
        for phrase, left in alone.items()
        if left >= _LEAST_ALONE * weight[phrase]
        and (phrase in usual if len(phrase) > 1 else phrase[0][0] != _WEAK)
    }


def _longer(run: _Run, again: frozenset[str]) -> Iterable[Stems]:
    """Pairs and threes of what is said again: a weak word may end one, nothing else."""
    stems = run.stems
    for at, first in enumerate(stems[:-1]):
        if first in again and first[0] != _WEAK and stems[at + 1] in again:
            pair = first, stems[at + 1]
            yield pair
            if pair[1][0] != _WEAK and at + 2 < len(stems) and stems[at + 2] in again:
                yield *pair, stems[at + 2]


def _capital(parts: Sequence[_Part]) -> frozenset[str]:
    """Stems of the words that are written with a capital somewhere."""
    return frozenset(
        stem
        for part in parts
        for run in part.runs
        for word, stem in zip(run.words, run.stems, strict=True)
        if part.text[word.start].isupper()
    )


class _Form(NamedTuple):
    text: str
    is_in_mid_sentence: bool


def _forms(parts: Sequence[_Part], wanted: frozenset[Stems]) -> dict[Stems, Counter[_Form]]:
    """In which forms the wanted phrases stand in the text."""
    forms: defaultdict[Stems, Counter[_Form]] = defaultdict(Counter)
    begins = frozenset(phrase[0] for phrase in wanted)
    for part in parts:
        for words_of, stems in part.runs:
            for at, first in enumerate(stems):
                if first not in begins:
                    continue
                for end in range(at + 1, min(at + _LONGEST, len(stems)) + 1):
                    if (phrase := tuple(stems[at:end])) in wanted:
                        form = _form(part.text, words_of[at].start, words_of[end - 1].end)
                        forms[phrase][form] += 1
    return forms


def _form(text: str, start: int, end: int) -> _Form:
    form = _MARKUP.sub("", text[start:end]).replace("\n", " ")
    return _Form(form, text[max(0, start - 8) : start].rstrip(" *_`")[-1:].isalpha())


def _topic(stems: Stems, forms: Counter[_Form], score: float, language: Language) -> Topic:
    text = _barest(forms, language)
    share = _share_of_form(text, language)
    if not share:
        return Topic(text, stems, 0.0)
    score *= share
    if _is_name(forms):
        return Topic(text, stems, score * _NAME_BONUS, is_name=True)
    return Topic(_small(text, language) if _is_small(forms) else text, stems, score)


@lru_cache(maxsize=_REMEMBERED)
def _share_of_form(text: str, language: Language) -> float:
    """What its form leaves of a topic's score: nothing of a verb, less of what has a case."""
    folded = fold(text)
    if _VERBAL[language].fullmatch(folded) or len(folded) < _LEAST_LETTERS:
        return 0.0
    is_inflected = language is Language.TR and _STILL_INFLECTED.fullmatch(folded)
    return _INFLECTED_MALUS if is_inflected else 1.0


@lru_cache(maxsize=_REMEMBERED)
def _without_case(text: str) -> str:
    pattern = _CASE_OF_COMPOUND if " " in text else _CASE_OF_WORD
    match = pattern.fullmatch(fold(text))
    return text[: match.end(match.lastindex or 0)] if match else text


def _barest(forms: Counter[_Form], language: Language) -> str:
    """The shortest form, among equals the one most used, in its usual casing."""
    if len(forms) == 1:
        (form,) = forms
        return _without_case(form.text) if language is Language.TR else form.text
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
