"""Finds the key phrases of a conversation (RAKE), each in the barest form in which it stands.

A phrase counts by its stems, so "insülinin", "insüline" and "insülin" are one. Candidates are runs
of stems between stop words and punctuation; each piece between two blanks is parsed once, since
texts repeat the same few thousand pieces.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
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
from desktop.language.formulas_in_markdown import without_formulas
from desktop.language.keywords_and_stems import stem
from desktop.language.markdown_stripping import without_code
from desktop.language.normalization import fold, words
from desktop.language.stopwords import StopWords

PARTED = ""
"""Stands among the stems where one run ends and the next begins."""
WEAK = "+"
_LEAST_LETTERS = 2
_REMEMBERED = 65_536
_LONGEST_REMEMBERED = 48
# White space, a hyphen or emphasis between words keeps a phrase together; all else parts it.
_JOINT = re.compile(r"[ \t*_`-]{1,4}")
_LONGEST_JOINT = 4
_NO_JOINT = "."
# What no compound goes on from. "Hücreler insüline": a subject and an object.
_ENDS_PHRASE = {Language.TR: re.compile(r".{3,}l[ae]r"), Language.EN: re.compile("(?!)")}


class Runs(NamedTuple):
    """The stems of a text in order, two marks of parting behind them, and where each stands."""

    stems: list[str]
    starts: list[int]
    ends: list[int]


class _Piece(NamedTuple):
    """What stands between two blanks."""

    lead: str
    """Before its first word."""
    found: tuple[tuple[str, int, int], ...]
    """Stem, start and end of its words; empty where it has no word."""
    trail: str
    """Behind its last word."""


class KnownPieces(dict[str, _Piece]):
    """Learns a piece the first time it is met."""

    def __init__(self, language: Language, stop_words: StopWords) -> None:
        self._language = language
        self._stop_words = stop_words
        self._ends_phrase = _ENDS_PHRASE[language].fullmatch

    def __missing__(self, piece: str) -> _Piece:
        apart = self._apart(piece)
        if len(piece) <= _LONGEST_REMEMBERED:
            if len(self) >= _REMEMBERED:
                self.clear()
            self[piece] = apart
        return apart

    def runs(self, text: str) -> Runs:
        stems, starts, ends = [PARTED], [0], [0]
        at, gap = 0, ""
        for piece in text.split(" "):
            lead, found, trail = self[piece]
            if found:
                if (gap or lead) and stems[-1] and not _joins(f"{gap} {lead}"):
                    stems.append(PARTED)
                    starts.append(at)
                    ends.append(at)
                for stem_, start, end in found:
                    if stem_ or stems[-1]:
                        stems.append(stem_)
                        starts.append(at + start)
                        ends.append(at + end)
                gap = trail
            else:
                gap = f"{gap} {lead}"[: _LONGEST_JOINT + 1]
            at += len(piece) + 1
        stems += [PARTED, PARTED]
        return Runs(stems, starts, ends)

    def _apart(self, piece: str) -> _Piece:
        folded = fold(piece)
        if folded.isalnum():
            return _Piece("", self._found(folded, 0, len(piece)), "")
        found: list[tuple[str, int, int]] = []
        last = -1
        lead = piece
        for word in words(piece):
            if last < 0:
                lead = piece[: word.start]
            elif not _joins(piece[last : word.start]):
                found.append(_PARTING)
            last = word.end
            found += self._found(*word)
        return _Piece(_short(lead), tuple(found), _short(piece[last:]) if found else "")

    def _found(self, word: str, start: int, end: int) -> tuple[tuple[str, int, int], ...]:
        stem_ = self._stem_of(word)
        if not stem_:
            return (_PARTING,)
        one = stem_, start, end
        return (one, _PARTING) if self._ends_phrase(word) else (one,)

    def _stem_of(self, word: str) -> str:
        """Nothing for a word that parts phrases."""
        if word in self._stop_words.weak:
            return WEAK + stem(word, self._language)
        if len(word) < _LEAST_LETTERS or word.isdigit() or word in self._stop_words:
            return PARTED
        return stem(word, self._language)


_PARTING = (PARTED, 0, 0)


def _joins(between: str) -> bool:
    return between == " " or _JOINT.fullmatch(between) is not None


def _short(between: str) -> str:
    """As much of it as tells whether it joins: long ones never do."""
    return between if len(between) < _LONGEST_JOINT else _NO_JOINT


@lru_cache(maxsize=4)
def known_pieces(language: Language, stop_words: StopWords) -> KnownPieces:
    """Sessions ask for the same pieces over and over."""
    return KnownPieces(language, stop_words)


_MOST_TOPICS = 7
_CANDIDATES = 40
# Of a long session the beginning of each message says what it is about.
_READ_AT_MOST = 90_000
_LEAST_SHARE = 200
_FEWEST_TOPICS = 3
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
    """One message, taken apart."""

    text: str
    runs: Runs
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
    best = _best(parts)
    # What cannot reach the least score is of interest only where there is too little that does.
    good = _good(parts, best)
    topics = _topics(parts, good, best, language)
    chosen = _choose(topic for topic in topics if topic.score >= _LEAST_SCORE)
    if len(chosen) >= _FEWEST_TOPICS:
        return chosen
    return _choose(_topics(parts, frozenset(best), best, language))


def _read(
    messages: Sequence[tuple[str, str]], language: Language, stop_words: StopWords
) -> list[_Part]:
    known = known_pieces(language, stop_words)
    share = max(_LEAST_SHARE, _READ_AT_MOST // max(1, len(messages)))
    parts: list[_Part] = []
    for role, content in messages:
        text = without_formulas(without_code(content))[:share]
        if any(sign in text for sign in _SIGNS_OF_LINK):
            text = _LINK.sub(" . ", text)
        weight = _USER_WEIGHT if role == "user" else _OTHER_WEIGHT
        parts.append(_Part(text, known.runs(text), weight))
    return parts


def _best(parts: Sequence[_Part]) -> Mapping[Stems, float]:
    """The candidates with their scores: by how often, how widely and by whom they are said."""
    count = Counter(chain.from_iterable(part.runs.stems for part in parts))
    del count[PARTED]
    again = frozenset(stem for stem, times in count.items() if times > 1)
    found = [(-score, stems) for stems, score in _said_again(parts, again).items()]
    for weight in (_USER_WEIGHT, _OTHER_WEIGHT):
        # What is said once is worth its weight; mostly there is enough that is worth more.
        if sum(-score > weight for score, _ in found) >= _CANDIDATES:
            break
        said = {
            stem for part in parts if part.weight == weight for stem in part.runs.stems if stem
        }
        once = sorted(stem for stem in said - again if stem[0] != WEAK)
        found += [(-weight, (stem,)) for stem in once[:_CANDIDATES]]
    return {stems: -score for score, stems in sorted(found)[:_CANDIDATES]}


@dataclass(slots=True)
class _Tally:
    """How often a phrase is said, what that weighs, in how many messages, and how much alone."""

    times: int = 0
    weight: float = 0.0
    spread: int = 0
    in_longer: float = 0.0


def _said_again(parts: Sequence[_Part], again: frozenset[str]) -> dict[Stems, float]:
    """What is said more than once, alone or in phrases, with its score."""
    strong = frozenset(stem for stem in again if stem[0] != WEAK)
    tallies: dict[Stems, _Tally] = {}
    for part in parts:
        for phrase, times in Counter(_phrases(part.runs.stems, again, strong)).items():
            if (tally := tallies.get(phrase)) is None:
                tally = tallies[phrase] = _Tally()
            tally.times += times
            tally.weight += part.weight * times
            tally.spread += 1
    usual = {phrase: tally for phrase, tally in tallies.items() if tally.times > 1}
    for phrase, tally in usual.items():
        if len(phrase) > 1:
            for shorter in {phrase[:-1], phrase[1:]}:
                # Of one with a weak word there may be none.
                if shorter in usual:
                    usual[shorter].in_longer += tally.weight
    return {
        phrase: alone * log2(1 + tally.spread) * _PER_WORD[len(phrase)]
        for phrase, tally in usual.items()
        if (alone := tally.weight - tally.in_longer) >= _LEAST_ALONE * tally.weight
        and (len(phrase) > 1 or phrase[0] in strong)
    }


def _phrases(stems: Sequence[str], again: frozenset[str], strong: frozenset[str]) -> list[Stems]:
    """Words, pairs and threes of what is said again: a weak word may end one, nothing else."""
    found: list[Stems] = []
    for at, first in enumerate(stems):
        if first not in again:
            continue
        found.append((first,))
        if first in strong and (second := stems[at + 1]) in again:
            found.append((first, second))
            if second in strong and (third := stems[at + 2]) in again:
                found.append((first, second, third))
    return found


def _good(parts: Sequence[_Part], best: Mapping[Stems, float]) -> frozenset[Stems]:
    """Those that can reach the least score, as a name if need be."""
    good = {stems for stems, score in best.items() if score >= _LEAST_SCORE}
    near = [stems for stems, score in best.items() if score < _LEAST_SCORE <= score * _NAME_BONUS]
    if near:
        capital = _capital(parts, frozenset(stems[0] for stems in near))
        good.update(stems for stems in near if stems[0] in capital)
    return frozenset(good)


def _capital(parts: Sequence[_Part], asked: frozenset[str]) -> frozenset[str]:
    """Which of the stems are those of a word that is written with a capital somewhere."""
    return frozenset(
        stem
        for text, runs, _ in parts
        for stem, start in zip(runs.stems, runs.starts, strict=False)
        if stem in asked and text[start].isupper()
    )


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


def _forms(parts: Sequence[_Part], wanted: frozenset[Stems]) -> dict[Stems, dict[Form, int]]:
    """In which forms the wanted phrases stand in the text."""
    forms: dict[Stems, dict[Form, int]] = {}
    longest: dict[str, int] = {}
    for phrase in wanted:
        longest[phrase[0]] = max(longest.get(phrase[0], 0), len(phrase))
    for text, (stems, starts, ends), _ in parts:
        for at, first in enumerate(stems):
            if first not in longest:
                continue
            for end in range(at, at + longest[first]):
                if not stems[end]:
                    break
                if (phrase := tuple(stems[at : end + 1])) in wanted:
                    of_phrase = forms.setdefault(phrase, {})
                    form = form_at(text, starts[at], ends[end])
                    of_phrase[form] = of_phrase.get(form, 0) + 1
    return forms


def _topic(stems: Stems, forms: Mapping[Form, int], score: float, language: Language) -> Topic:
    text = barest(forms, language)
    share = share_of_form(text, language)
    if not share:
        return Topic(text, stems, 0.0)
    score *= share
    if is_name(forms):
        return Topic(text, stems, score * _NAME_BONUS, is_name=True)
    return Topic(in_its_casing(text, forms, language), stems, score)


def _choose(topics: Iterable[Topic]) -> list[Topic]:
    chosen: list[Topic] = []
    used: Counter[str] = Counter()
    for topic in topics:
        if len(chosen) >= _FEWEST_TOPICS and topic.score < _LEAST_SCORE:
            break
        # Most have no word in common with any other.
        near = [] if used.keys().isdisjoint(topic.stems) else chosen
        if topic.score <= 0 or any(_is_within(topic.stems, other.stems) for other in near):
            continue
        shorter = [other for other in near if _is_within(other.stems, topic.stems)]
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
