"""Reads what a sentence says, so that two can be held against each other.

Order, single letters, figures that only name a thing, times, and where something comes from are
read as well: "vitamin C" is not "vitamin D", nor "from A to B" the same as "from B to A".
"""

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import NamedTuple

from desktop.language.keywords_and_stems import keys
from desktop.language.normalization import Word, fold, word_texts, words
from desktop.memory.numbers.figures import Figure, figures
from desktop.memory.sentences.said_alike import said_alike
from desktop.memory.sentences.verbs import Verb, time_of, verb

NOBODY = frozenset(word_texts("kullanici kullanicinin kullanicida user users ben benim i my me"))
"""The user, in words of a model's or their own."""
_NEGATES = re.compile(
    r"degil\w*|yok(?:tur|tu)?|hic|asla|not|no|never|without|cannot|dont|doesnt|didnt|isnt|cant|wont"
)
_SHORT_NOT = re.compile(r"(?<=n)['’]t\b", re.IGNORECASE)
"""What a word loses that is folded: "doesn't" would read as "doesn"."""
_CHANGED = frozenset(word_texts("artik anymore any nowadays now longer bundan boyle"))
TELLS = frozenset(
    word_texts(
        "run runs like want wants wanted need use uses work works know before after once sonra"
        " more less"
    )
)
"""Of no topic, and they turn a sentence round."""
_NO_VERB = frozenset(word_texts("var vardir vardi yoktur bir her kadar diger ver eder olur"))
_AUXILIARY = frozenset(word_texts("do does did don doesn didn isn aren wasn couldn wouldn won"))
_OF_NOTHING = NOBODY | _CHANGED | _AUXILIARY
_PAST = frozenset(word_texts("was were had used eskiden formerly previously idi"))
_PERHAPS = frozenset({"will", "would", "shall", "should", "could", "might", "gonna"})
_BOUNDS = frozenset(word_texts("fazla cok az most least up max maksimum maximum min minimum"))
_BOUND = re.compile(r"\b(?:en (?:fazla|cok|az)|at (?:most|least)|up to|max|maks|min(?!i?k))")
_WENT = re.compile(
    r"went|saw|met|took|bought|got|began|came|ran|ate|drank|wrote|flew|gave|lost|made|paid|sold"
    r"|spent|told|fell|left|felt|aldi[mk]?|icti[mk]?"
)
"""Pasts that do not end as such."""
_FROM = re.compile(r"\w{2,}[dt][ae]n")
_SHORTEST_PAST = 4


_OF_ANY = re.compile(r"\bbir \w+ (?:\w+ )?var|\b(?:has|have) an? ")
_LEAST_ALIKE = 4
# Of a Turkish noun: whose it is, and its case.
_ENDING = re.compile(
    r"(?:l[ae]r)?(?:[iu]?m|[iu]?n|s[iu]|[iu]|[iu]?m[iu]z|[iu]?n[iu]z)?"
    r"(?:y?[iuea]|n[iuea]|n?[dt][ae]n?|n?[iu]n|y?l[ae])?(?:[iu]m|d[iu]r)?"
)


class Told(NamedTuple):
    text: str
    shared: frozenset[str]
    """With its relatives: its stems, and the root of the verb that it may be."""
    is_capital: bool = False
    """And no sentence begins with it."""


@dataclass(slots=True)
class Said:
    """Folded, without who says it."""

    words: list[Told] = field(default_factory=list)
    """Those that say what it is about, in order, each once."""
    cases: set[str] = field(default_factory=set)
    """The same with what stands behind an apostrophe."""
    figures: list[Figure] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    """Single letters and words with figures: "vitamin D", "Project B", "B12"."""
    times: set[str] = field(default_factory=set)
    comes_from: list[Told] = field(default_factory=list)
    is_negated: bool = False
    is_of_any: bool = False
    """That there is one such: "bir kızı var", "has a daughter". There may be two."""


def read(text: str, stop_words: Container[str] = frozenset()) -> Said:
    """What a sentence says; stop words are left out unless they turn it round."""
    text = said_alike(_SHORT_NOT.sub(" not", text))
    placed = figures(text)
    said = [
        word
        for word in words(text)
        if not any(one.start <= word.start and word.end <= one.end for one in placed)
    ]
    last_figure = max((one.end for one in placed), default=0)
    reader = _Reader(text, fold(text), said, stop_words, last_figure)
    reader.found.is_of_any = _OF_ANY.search(reader.folded) is not None
    reader.found.figures.extend(one.figure for one in placed)
    for place in range(len(reader.said)):
        reader.take(place)
    return reader.found


def is_negated(text: str) -> bool:
    """Whether a sentence says that something is not so."""
    return read(text).is_negated


def places(ours: Said, theirs: Said) -> list[int | None]:
    """Where each of our words stands among theirs, in whatever form."""
    free = dict(enumerate(theirs.words))
    found: list[int | None] = []
    for word in ours.words:
        place = next((at for at, other in free.items() if _are_one(word, other)), None)
        free.pop(place, None) if place is not None else None
        found.append(place)
    return found


def _are_one(one: Told, other: Told) -> bool:
    if one.shared & other.shared:
        return True
    pairs = zip(one.text, other.text, strict=False)
    alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    rests = one.text[alike:], other.text[alike:]
    return alike >= _LEAST_ALIKE and all(map(_ENDING.fullmatch, rests))


@dataclass(frozen=True, slots=True)
class _Reader:
    text: str
    folded: str
    said: Sequence[Word]
    stop_words: Container[str]
    last_figure: int
    """Where the last one ends: behind a verb that ends a sentence there is none."""
    found: Said = field(default_factory=Said)

    def take(self, place: int) -> None:
        word = self.said[place]
        self.found.times.update({"past"} if _WENT.fullmatch(word.text) else ())
        self.found.times.update(self._unsure(word))
        if any(letter.isdigit() for letter in word.text):
            self.found.names.add(word.text)
        elif len(word.text) == 1:
            self.found.names.update({word.text} if _is_name(self.text, word) else ())
        elif _NEGATES.fullmatch(word.text):
            self.found.is_negated = True
        elif word.text in _PAST:
            self.found.times.add("past")
        elif word.text not in _OF_NOTHING:
            self._take_word(place)

    def _is_their_son(self, place: int) -> bool:
        """In Turkish the word ends things, and is common."""
        before = self.said[place - 1].text if place else ""
        return self.said[place].text == "son" and before in {"user", "users", "my"}

    def _unsure(self, word: Word) -> set[str]:
        """That it will or may be so, or goes up to there."""
        is_may = word.text == "may" and self.text[word.start].islower()
        is_future = word.text in _PERHAPS or is_may
        is_bound = word.text in _BOUNDS and _BOUND.search(self.folded) is not None
        return {"future"} if is_future else {"bound"} if is_bound else set()

    def _take_word(self, place: int) -> None:
        word = self.said[place]
        done = verb(self.said, place) if word.text not in _NO_VERB else None
        is_common = word.text in self.stop_words and word.text not in TELLS
        if done is None and is_common and not self._is_their_son(place):
            return
        if done and done.is_denied:
            self.found.is_negated = True
        is_last = place == len(self.said) - 1 and word.end > self.last_figure
        is_past = word.text.endswith("ed") and len(word.text) > _SHORTEST_PAST
        time = "past" if is_past else time_of(word.text, is_last=is_last)
        self.found.times.update({time} if time else ())
        is_capital = word.start > 0 and self.text[word.start].isupper()
        told = Told(word.text, _shared(word.text, done), is_capital)
        case = _whole(self.folded, word)
        if all(one.text != word.text for one in self.found.words):
            self.found.words.append(told)
            self.found.cases.add(case)
        is_behind = place > 0 and self.said[place - 1].text == "from"
        if is_behind or (not is_last and _FROM.fullmatch(case)):
            self.found.comes_from.append(told)


def _shared(word: str, done: Verb | None) -> frozenset[str]:
    stems = {one for one in keys(word) if not one.endswith("-")}
    return frozenset(stems | ({f"{done.root}~"} if done else set()))


def _is_name(text: str, word: Word) -> bool:
    """Neither "I", an article, nor what is left of "I'm"."""
    if text[max(0, word.start - 1) : word.start] in {"'", "’"}:
        return False
    return word.text not in {"i", "a", "o"} or (text[word.start].isupper() and word.start > 0)


def _whole(folded: str, word: Word) -> str:
    """With what stands behind an apostrophe."""
    end = word.end
    while end < len(folded) and (folded[end] == "'" or folded[end].isalnum()):
        end += 1
    return folded[word.start : end].replace("'", "")
