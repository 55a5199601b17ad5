"""Finds the key phrases of an English conversation (RAKE).

A phrase counts by its stems, so "tides" and "tide" are one. Candidates are runs of stems between
stop words and punctuation. Words count less the more frequent they are in the
language, not at all where they are verbs or units, and take their modifier along: "pump" becomes
"heat pump".
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from math import log2
from typing import NamedTuple

from desktop.domain.language import Language
from desktop.language.dates.date_parser import match_dates
from desktop.language.describing.base_forms import (
    COMMON,
    ranks,
    rarity,
)
from desktop.language.formulas import replace_formulas
from desktop.language.keywords_and_stems import StopWords, stem
from desktop.language.normalization import fold, words
from desktop.language.sentences import without_code

_PARTED = ""  # Stands among the stems between one run and the next
_WEAK = "+"  # Begins the stem of a word that may end a phrase but is not one alone
_LEASTLETTERS = 2
# White space, a hyphen or emphasis between words keeps a phrase together; others divide it.
JOINT = re.compile(r"(?:['’]s?)?[ \t*_`-]{1,4}")
_MOST_TOPICS = 7
_FEWEST_TOPICS = 3
_CANDIDATES = 40
# In a long session the beginning of each message shows its subject.
_READ_AT_MOST = 90_000
_LEAST_SHARE = 200
# Beyond the fewest, a topic must occur more than once.
_LEAST_SCORE = {1: 4.1, 2: 2.5}
_USER_WEIGHT, _OTHER_WEIGHT = 2.0, 1.0
# The weight that each further word adds to a phrase, as longer phrases are rarer.
_PER_WORD = {1: 1.0, 2: 2.4, 3: 2.8}
_NAME_BONUS = 1.4
# A phrase that stands alone less often than this belongs to a longer one.
_LEAST_ALONE = 0.4
# How good a longer phrase must be to replace the one or two words that it begins with.
_STANDS_IN = {1: 0.5, 2: 0.8}
# An address must begin at the beginning of a word: some pastes are one endless word.
_LINK = re.compile(r"https?://\S+|www\.\S+|(?<![\w.-])[\w.-]++@[\w.-]+")
# The words of "south-facing" mean nothing apart: while topics are sought they are one.
_HYPHEN, LETTER = re.compile(r"(?<=[^\W\d_])[-‑](?=[^\W_])"), "ꞏ"
_SHORTEST_TOPIC = 3
_READ_BEFORE = 8
_MARKUP = re.compile(r"[*`]|\b_+ | _+\b")
_SHORTEST_SINGULAR = 3
_VERBAL = re.compile(r".{3,}ly|.{2,}[^e]ed|.{3,}wards?")
# Words that only stand before nouns, or after verbs; and those that only stand before verbs.
_ASKED = frozenset(("do", "does", "did", "can", "could", "should", "would", "will"))
_OF_NOUNS = "the a an my your his her its our their this"
_AFTER_VERBS = frozenset(f"{_OF_NOUNS} that it them when while".split())
_BEFORE_NOUNS = frozenset(f"{_OF_NOUNS} of in for with from by about on".split())
_VERBS_FOLLOW = """
to i you we they he she it can could should would will may might must don t not is was too very m
re ll
"""
_BEFORE_VERBS = frozenset(_VERBS_FOLLOW.split())
_NOUNS_PRECEDE = "and or are is were was in of for with to on at between from than by"
_AFTER_NOUNS = frozenset({"", *_NOUNS_PRECEDE.split()})
_MODIFIED_BONUS = 1.6


Stems = tuple[str, ...]
Form = tuple[str, bool]  # The written form of a phrase; whether it is in mid-sentence


class _Token(NamedTuple):
    stem: str
    start: int
    end: int
    word: str = ""  # Folded, as are the words before and after it in the same clause
    before: str = ""
    after: str = ""


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


def find_key_phrases(messages: Sequence[tuple[str, str]], stop_words: StopWords) -> list[Topic]:
    """Return up to seven phrases of one to three words, the highest weight first."""
    parts: list[_Part] = []
    for role, text in readable(messages):
        weight = _USER_WEIGHT if role == "user" else _OTHER_WEIGHT
        parts.append(_Part(text, list(_tokens(text, stop_words)), weight))
    parts = _without_verbs_and_units(parts)
    first = next((part for part in parts if part.weight == _USER_WEIGHT), None)
    ranked = sorted(_scores(parts, first).items(), key=lambda pair: (-pair[1], pair[0]))
    scores = dict(ranked[:_CANDIDATES])
    topics = [
        _topic(stems, forms, scores[stems]) for stems, forms in _forms(parts, scores).items()
    ]
    topics = [_modified(topic, parts) for topic in topics]
    topics.sort(key=lambda topic: (-topic.score, topic.text))
    is_session = len(messages) > 1 or (first and "?" in first.text)  # No fact: "My son is Tom."
    subject_topic = _subject(first, topics) if first and is_session else None
    return _choose([subject_topic, *topics] if subject_topic else topics)


def readable(messages: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the beginnings of messages without code, formulas, links and the user's dates."""
    share = max(_LEAST_SHARE, _READ_AT_MOST // max(1, len(messages)))
    for role, content in messages:
        text = replace_formulas(without_code(content), lambda _: " ")[:share]
        text = _HYPHEN.sub(LETTER, _LINK.sub(" . ", text))
        for place in reversed(match_dates(text) if role == "user" else ()):
            text = f"{text[: place.start]} . {text[place.end :]}"
        yield role, text


def _subject(part: _Part, topics: Sequence[Topic]) -> Topic | None:
    """Return the first noun phrase of the first message: most often what a session is about."""
    least, run, is_asked = COMMON[Language.EN] // 7, list[_Token](), False
    for token, following in pairwise([*part.tokens, _Token(_PARTED, 0, 0)]):
        is_asked |= token.before in _ASKED
        is_word = token.stem != _PARTED and not _is_verb(token.word)
        if is_word and (run or token.stem[0] != _WEAK):
            run.append(token)
            ends = token.stem[0] == _WEAK or _ends_phrase(token, part)
            if following.stem != _PARTED and not ends:
                continue
        if run[1:] and _ends_in_verb(run[-1], is_asked=is_asked):
            run.pop()
        whole = tuple(token.stem for token in run)
        while run and ranks().get(run[-1].word, least) < least:
            run.pop()
        stems = tuple(token.stem for token in run[-len(_PER_WORD) :])
        if stems:
            forms = {_form(part.text, run[-len(stems)].start, run[-1].end): 1}
            new = _topic(stems, forms, 1.0)
            like = (
                topic
                for topic in topics
                if topic.stems in {stems, whole}
                or (topic.stems[1:] and _is_within(topic.stems, stems))
            )
            topic = next(like, new)
            return replace(topic, score=max(topic.score, _LEAST_SCORE[1]))
        run, is_asked = [], False
    return None


def _ends_in_verb(last: _Token, *, is_asked: bool) -> bool:
    """Whether it is no noun: "how does attention work in", "my manager keeps moving"."""
    is_plural = _is_plural(last.word)
    return is_plural != is_asked and (last.after in _AFTER_NOUNS) == is_asked


def _ends_phrase(token: _Token, part: _Part) -> bool:
    is_name = part.text[token.end : token.end + 1] in {"'", "’"}
    is_plural = _is_plural(token.word) and part.text[token.start].islower()
    return bool(is_plural) and not is_name


def _without_verbs_and_units(parts: Sequence[_Part]) -> list[_Part]:
    """Part the runs at words that are mostly used as verbs, or to count something."""
    votes: Counter[str] = Counter()
    for part in parts:
        for token in part.tokens:
            is_name = bool(token.before) and part.text[token.start : token.start + 2].istitle()
            votes[token.stem] += 2 if token.before.isdigit() and not is_name else -1
            if not is_name:
                is_noun = token.before in _BEFORE_NOUNS
                is_verb = token.before in _BEFORE_VERBS or token.after in _AFTER_VERBS
                votes[token.stem] -= 1 if is_noun else -3 * is_verb
    dropped = {stem for stem, count in votes.items() if count > 0}

    def parted(token: _Token) -> _Token:
        return token._replace(stem=_PARTED) if token.stem in dropped else token

    return [part._replace(tokens=list(map(parted, part.tokens))) for part in parts]


def _modified(topic: Topic, parts: Sequence[_Part]) -> Topic:
    """Return a topic of one word with the modifier that stands before it, if one does."""
    if len(topic.stems) > 1:
        return topic
    weights = defaultdict[tuple[str, str], float](float)
    for text, tokens, weight in parts:
        for first, last in pairwise(tokens):
            # The noun that is shown, no plural or verb of it, "smells".
            is_form = last.word == fold(topic.text) and not _is_plural(last.word)
            if (last.stem,) == topic.stems and is_form and _modifies(first, last):
                shown, _ = _form(text, first.start, last.end)
                weights[first.stem, shown] += weight
    if not weights:
        return topic
    (modifier, text), most = max(weights.items(), key=lambda pair: (pair[1], pair[0]))
    if most < _USER_WEIGHT or (topic.is_name and not text[0].isupper()):
        return topic
    return Topic(text, (modifier, *topic.stems), topic.score * _MODIFIED_BONUS, topic.is_name)


def _modifies(first: _Token, last: _Token) -> bool:
    if first.stem[:1] in _WEAK or last.before != first.word or _is_verb(first.word):
        return False
    return not _is_plural(first.word)


def _tokens(text: str, stop_words: StopWords) -> Iterator[_Token]:
    spoken = words(text)
    joints = [text[first.end : two.start] for first, two in pairwise(spoken)]
    joined = [False, *(joint == " " or bool(JOINT.fullmatch(joint)) for joint in joints), False]
    for at, (word, start, end) in enumerate(spoken):
        if not joined[at] and at:
            yield _Token(_PARTED, start, start)
        stem = _stem_of(word, stop_words)
        before = spoken[at - 1].text if joined[at] else ""
        after = spoken[at + 1].text if joined[at + 1] else ""
        stem = _PARTED if word in {before, after} else stem  # "azar azar": an adverb
        yield _Token(stem=stem, start=start, end=end, word=word, before=before, after=after)


@lru_cache(maxsize=65_536)
def _stem_of(word: str, stop_words: StopWords) -> str:
    if word in stop_words.weak:
        return _WEAK + stem(word, Language.EN)
    if len(word) < _LEASTLETTERS or word.rstrip("km").isdigit() or word in stop_words:
        return _PARTED
    return stem(word, Language.EN)


def _scores(parts: Sequence[_Part], first: _Part | None) -> dict[Stems, float]:
    """Score the candidates: by how often, how widely and by whom they are used."""
    count = Counter(token.stem for part in parts for token in part.tokens)
    again = {stem for stem, times in count.items() if times > 1 and stem != _PARTED}
    times, spread = Counter[Stems](), Counter[Stems]()
    weight, in_longer = defaultdict[Stems, float](float), defaultdict[Stems, float](float)
    scores: dict[Stems, float] = {}
    for part in sorted(parts, key=lambda part: part.weight):
        phrase_counts = Counter(_phrases(part.tokens, again))
        times.update(phrase_counts)
        spread.update(phrase_counts.keys())
        for phrase, number in phrase_counts.items():
            weight[phrase] += part.weight * number
        # A single occurrence is worth its weight.
        scores |= {
            (token.stem,): part.weight if part is first else _OTHER_WEIGHT
            for token in part.tokens
            if token.stem[:1] not in _WEAK
        }
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


def _forms(parts: Sequence[_Part], scores: Mapping[Stems, float]) -> dict[Stems, Counter[Form]]:
    forms: dict[Stems, Counter[Form]] = defaultdict(Counter)
    firsts = {phrase[0] for phrase in scores}
    for text, tokens, _ in parts:
        for at, first in enumerate(tokens):
            phrase: Stems = ()
            for token in tokens[at : at + len(_PER_WORD)] if first.stem in firsts else ():
                phrase = (*phrase, token.stem)
                if phrase in scores:
                    forms[phrase][_form(text, first.start, token.end)] += 1
    return forms


def _form(text: str, start: int, end: int) -> Form:
    form = shown_form(text[start:end])
    before = text[max(0, start - _READ_BEFORE) : start].rstrip(" *_`")
    return form, before[-1:].isalpha()


def shown_form(text: str) -> str:
    return _MARKUP.sub("", text).replace("\n", " ").replace(LETTER, "-")


def _topic(stems: Stems, forms: Mapping[Form, int], score: float) -> Topic:
    """The topic under its shortest form, the most used of equals; a verb has no weight."""
    counts: Counter[str] = Counter()
    for (text, _), times in forms.items():
        counts[text] += times
    text = min(counts, key=lambda text: (len(text), -counts[text], text))
    if len(fold(text)) < _SHORTEST_TOPIC or _is_verb(text):
        score = 0.0
    inside = Counter({form: times for (form, is_inside), times in forms.items() if is_inside})
    capital = sum(times for form, times in inside.items() if form[0].isupper())
    # It mostly has a capital where a sentence does not require one.
    if capital * 2 > inside.total():
        return Topic(text, stems, score * _NAME_BONUS, is_name=True)
    score *= rarity(text, Language.EN)
    if inside or any(form[0].islower() for form, _ in forms):
        text = lowered(text, Language.EN)
    return Topic(text, stems, score)


def lowered(text: str, language: Language) -> str:
    if text[1:] != text[1:].lower():
        return text
    first = {"I": "ı", "İ": "i"}.get(text[0], text[0]) if language is Language.TR else text[0]
    return first.lower() + text[1:]


def _is_plural(word: str) -> bool:
    return len(word) > _SHORTEST_SINGULAR and word[-1] == "s" and word[-2] not in "sui"


def _is_verb(text: str) -> bool:
    return _VERBAL.fullmatch(fold(text)) is not None


def _choose(topics: Iterable[Topic]) -> list[Topic]:
    chosen: list[Topic] = []
    for topic in topics:
        is_weak = topic.score < _LEAST_SCORE[min(2, len(topic.stems))]
        if topic.score <= 0 or (is_weak and len(chosen) >= _FEWEST_TOPICS):
            continue
        shorter = [other for other in chosen if _is_within(other.stems, topic.stems)]
        if any(_overlaps(topic.stems, other.stems) for other in chosen if other not in shorter):
            continue
        if not shorter:
            chosen.append(topic)
        elif len(shorter) == 1 and _stands_in(topic, shorter[0]):
            chosen[chosen.index(shorter[0])] = topic
    return chosen[:_MOST_TOPICS]


def _overlaps(phrase: Stems, other: Stems) -> bool:
    """Whether a phrase is part of the other, or each begins where the other ends."""
    return _is_within(phrase, other) or phrase[-1] == other[0] or other[-1] == phrase[0]


def _is_within(part: Stems, whole: Stems) -> bool:
    starts = range(len(whole) - len(part) + 1)
    return any(whole[at : at + len(part)] == part for at in starts)


def _stands_in(longer: Topic, shorter: Topic) -> bool:
    least = _STANDS_IN.get(len(shorter.stems), 1) * shorter.score
    return not shorter.is_name and longer.score >= least
