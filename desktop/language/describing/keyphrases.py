"""Finds the key phrases of a conversation (RAKE), each in its base form where it is attested.

A phrase counts by its stems, so "insülinin", "insüline" and "insülin" are one. Candidates are runs
of stems between stop words and punctuation. Words count less the more frequent they are in the
language, not at all where they are verbs or units, and take their modifier along: "pump" becomes
"heat pump".
"""

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from math import log2, sqrt
from typing import NamedTuple

from desktop.domain.language import Language
from desktop.language.dates.date_parser import match_dates
from desktop.language.formulas import replace_formulas
from desktop.language.keywords_and_stems import stem, strip_suffixes
from desktop.language.normalization import fold, word_texts, words
from desktop.language.sentences import without_code
from desktop.language.stopwords import StopWords
from desktop.settings.paths import asset

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
_LEAST_SCORE = {1: 4.1, 2: 2.5}
_USER_WEIGHT, _OTHER_WEIGHT = 2.0, 1.0
# The weight that each further word adds to a phrase, as longer phrases are rarer.
_PER_WORD = {1: 1.0, 2: 2.4, 3: 2.8}
_NAME_BONUS = 1.4
_INFLECTED_MALUS, _OWNED_MALUS = 0.25, 0.4
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
    r".{3,}(?:n[iu]n|[iu]n[iu]n|[dt][ae](?:n|ki)?|[iu]yl[ae]|yl[ae]|s[iu]n[aei]|l[ae]r[iu]n)"
    r"|.{2,}[aeiu]y[aei]"
)
# Words that only stand before nouns, or after verbs; and those that only stand before verbs.
_OF_NOUNS = "the a an my your his her its our their this"
_AFTER_VERBS = frozenset(f"{_OF_NOUNS} that it them".split())
_BEFORE_NOUNS = frozenset(f"{_OF_NOUNS} of in for with from by about on".split())
_VERBS_FOLLOW = """
to i you we they he she it can could should would will may might must do does did don t not
"""
_BEFORE_VERBS = frozenset(_VERBS_FOLLOW.split())
_COMMON = {Language.EN: 7_000, Language.TR: 14_000}
"""The rank in the frequency list from which on a word says what a text is about."""
_ENDINGS = "ya ye yi yu da de dan den ta te tan ten nin nun la le yla yle"
_CASES = frozenset(_ENDINGS.split())
_GENITIVES = ("in", "un")
_WITH = ("li", "lu")
_HARD = {"b": "p", "c": "ç", "d": "t", "ğ": "k", "g": "k"}
_SHORTEST_ATTESTED = 5
"""Shorter words of the frequency list may be of any language."""
_SUBJECT_BONUS = 1.5
_MODIFIED_BONUS = 1.6
_EXTENDED = 12  # The first single words for which a modifier is sought

Stems = tuple[str, ...]
Form = tuple[str, bool]  # The written form of a phrase, and whether it occurs in mid-sentence


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


def find_topics(
    messages: Sequence[tuple[str, str]], language: Language, stop_words: StopWords
) -> list[Topic]:
    """Return up to seven phrases of one to three words, the highest weight first."""
    share = max(_LEAST_SHARE, _READ_AT_MOST // max(1, len(messages)))
    parts: list[_Part] = []
    for role, content in messages:
        text = replace_formulas(without_code(content), lambda _: " ")[:share]
        text = _LINK.sub(" . ", text)
        for place in reversed(match_dates(text)):
            text = f"{text[: place.start]} . {text[place.end :]}"
        weight = _USER_WEIGHT if role == "user" else _OTHER_WEIGHT
        parts.append(_Part(text, list(_tokens(text, language, stop_words)), weight))
    bare = frozenset(token.word for part in parts for token in part.tokens)
    if language is Language.TR:
        parts = _with_bare_stems(parts)
    parts = _without_verbs_and_units(parts, language)
    first = next((part for part in parts if part.weight == _USER_WEIGHT), None)
    subject = {token.stem for token in first.tokens} if first else set()
    weighed = {
        phrase: score * (1.0 if subject.isdisjoint(phrase) else _SUBJECT_BONUS)
        for phrase, score in _scores(parts).items()
    }
    ranked = sorted(weighed.items(), key=lambda one: (-one[1], one[0]))
    scores = dict(ranked[:_CANDIDATES])
    topics = [
        _topic(stems, forms, scores[stems], language, bare)
        for stems, forms in _forms(parts, scores).items()
    ]
    topics.sort(key=lambda topic: (-topic.score, topic.text))
    topics = [
        *(_modified(one, parts, language, bare) for one in topics[:_EXTENDED]),
        *topics[_EXTENDED:],
    ]
    return _choose(sorted(topics, key=lambda topic: (-topic.score, topic.text)))


def _with_bare_stems(parts: Sequence[_Part]) -> list[_Part]:
    """Give "mayalı" the stem of "maya", if the conversation has it."""
    known = {token.stem for part in parts for token in part.tokens}

    def bare(token: _Token) -> _Token:
        shorter = stem(token.word[:-2], Language.TR) if token.word.endswith(_WITH) else ""
        return token._replace(stem=shorter) if shorter and shorter in known else token

    return [part._replace(tokens=list(map(bare, part.tokens))) for part in parts]


def _without_verbs_and_units(parts: Sequence[_Part], language: Language) -> list[_Part]:
    """Part the runs at words that are mostly used as verbs, or to count something."""
    votes: Counter[str] = Counter()
    for part in parts:
        for token in part.tokens:
            votes[token.stem] += 2 if token.before.isdigit() else -1
            is_name = part.text[token.start : token.start + 1].isupper()
            if language is Language.EN and not is_name:
                is_noun = token.before in _BEFORE_NOUNS
                is_verb = token.before in _BEFORE_VERBS or token.after in _AFTER_VERBS
                votes[token.stem] -= 1 if is_noun else -3 * is_verb
    dropped = {stem for stem, count in votes.items() if count > 0}
    return [
        part._replace(
            tokens=[
                token._replace(stem=_PARTED) if token.stem in dropped else token
                for token in part.tokens
            ]
        )
        for part in parts
    ]


@cache
def _ranks() -> Mapping[str, int]:
    """Return the frequent words of the languages, folded, with their rank."""
    text = asset("resources", "models", "frequent-words.txt").read_text("utf-8")
    return {word: rank for rank, word in enumerate(text.split(), start=1)}


def rarity(text: str, language: Language) -> float:
    """Return how rare the words of a text are in its language, from 0 to 1."""
    common, ranks = _COMMON[language], _ranks()
    each = [min(common, ranks.get(word, common)) for word in word_texts(text)]
    return sqrt(sum(each) / (len(each) * common)) if each else 0.0


def _modified(
    topic: Topic, parts: Sequence[_Part], language: Language, bare: Container[str]
) -> Topic:
    """Return a topic of one word with the modifier that stands before it, if one does."""
    if len(topic.stems) > 1:
        return topic
    found = defaultdict[tuple[str, str], float](float)
    for text, tokens, weight in parts:
        for first, last in pairwise(tokens):
            is_same = (last.stem,) == topic.stems and _is_form(last.word, topic.text, language)
            if is_same and _modifies(first, last, language, bare):
                phrase = f"{text[first.start : first.end]} {text[last.start : last.end]}"
                shown = _base(phrase, bare) if language is Language.TR else phrase
                found[first.stem, shown] += weight
    if not found:
        return topic
    (modifier, text), most = max(found.items(), key=lambda one: (one[1], one[0]))
    if most < _USER_WEIGHT or (topic.is_name and not text[0].isupper()):
        return topic
    return Topic(text, (modifier, *topic.stems), topic.score * _MODIFIED_BONUS, topic.is_name)


def _is_form(word: str, text: str, language: Language) -> bool:
    """Whether a word is not a plural or a verb, "smells", of the noun that is shown."""
    return language is Language.TR or (word == fold(text) and not _ends_in_s(word))


def _ends_in_s(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "us", "is"))


def _modifies(first: _Token, last: _Token, language: Language, bare: Container[str]) -> bool:
    is_verb = _VERBAL[language].fullmatch(first.word) is not None
    if first.stem[:1] in _WEAK or last.before != first.word or is_verb:
        return False
    if language is Language.TR:
        is_inflected = _STILL_INFLECTED.fullmatch(first.word) is not None or first.word.endswith(
            _WITH
        )
        return not is_inflected and _base(first.word, bare) == first.word
    return not _ends_in_s(first.word)


def _tokens(text: str, language: Language, stop_words: StopWords) -> Iterator[_Token]:
    spoken = words(text)
    joints = [text[one.end : two.start] for one, two in pairwise(spoken)]
    joined = [False, *(one == " " or bool(_JOINT.fullmatch(one)) for one in joints), False]
    for at, (word, start, end) in enumerate(spoken):
        if not joined[at] and at:
            yield _Token(_PARTED, start, start)
        stem = _stem_of(word, language, stop_words)
        before = spoken[at - 1].text if joined[at] else ""
        after = spoken[at + 1].text if joined[at + 1] else ""
        yield _Token(stem, start, end, word, before, after)
        is_plural = len(word) >= _SHORTEST_PLURAL and word.endswith(_PLURALS)
        if is_plural and language is Language.TR:
            yield _Token(_PARTED, end, end)


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


def _topic(
    stems: Stems, forms: Mapping[Form, int], score: float, language: Language, bare: Container[str]
) -> Topic:
    """The topic under its shortest form, the most used of equals; a verb has no weight."""
    counts: Counter[str] = Counter()
    for (text, _), times in forms.items():
        counts[_base(text, bare) if language is Language.TR else text] += times
    text = min(counts, key=lambda text: (len(text), -counts[text], text))
    folded = fold(text)
    if len(folded) < _SHORTEST_TOPIC or _VERBAL[language].fullmatch(folded):
        score = 0.0
    elif language is Language.TR and _STILL_INFLECTED.fullmatch(folded):
        score *= _INFLECTED_MALUS
    elif language is Language.TR and " " not in text and _is_owned(folded, bare):
        score *= _OWNED_MALUS
    if language is Language.TR and any(_base(word, bare) != word for word in text.split()[:-1]):
        score = 0.0  # "serumu evde": only the last word of a phrase has an ending
    inside = Counter({form: times for (form, is_inside), times in forms.items() if is_inside})
    capital = sum(times for form, times in inside.items() if form[0].isupper())
    # It mostly has a capital where a sentence does not require one.
    if capital * 2 > inside.total():
        return Topic(text, stems, score * _NAME_BONUS, is_name=True)
    score *= rarity(text, language)
    if (inside or any(form[0].islower() for form, _ in forms)) and not text[1:2].isupper():
        first = {"I": "ı", "İ": "i"}.get(text[0], text[0]) if language is Language.TR else text[0]
        text = first.lower() + text[1:]
    return Topic(text, stems, score)


def _base(text: str, bare: Container[str]) -> str:
    """Return a phrase whose last word has no case, if its base form is attested.

    `bare`: the words of the conversation. The possessive of a compound belongs to it.
    """
    head, space, last = text.rpartition(" ")
    folded = fold(last)
    for shorter in strip_suffixes(folded, shortest=_SHORTEST_TOPIC):
        cut, ending = last[: len(shorter)], folded[len(shorter) :]
        is_plural = ending.startswith(_PLURALS) and ending[3:4] not in {"i", "u"}
        is_case = ending in _CASES or is_plural
        hard = cut[:-1] + _HARD.get(cut[-1], cut[-1])
        for base in (hard, cut):
            least = _SHORTEST_ATTESTED - ending.startswith("y")
            is_frequent = (is_case or base != cut) and _is_more_frequent(fold(base), folded, least)
            is_alone = not head or (ending in _GENITIVES and base != cut)
            if (is_case or is_alone) and (fold(base) in bare or is_frequent):
                return f"{head}{space}{base}"
    return _without_case(text)


def _is_owned(word: str, bare: Container[str]) -> bool:
    """Whether a word is the possessive of another: "görevi"."""
    shorter = strip_suffixes(word)[:1] if word[-1] in "iu" else ()
    return any(base in bare or base in _ranks() for base in shorter)


def _is_more_frequent(base: str, word: str, least: int) -> bool:
    ranks = _ranks()
    is_frequent = len(base) >= least and base in ranks
    return is_frequent and ranks[base] < ranks.get(word, len(ranks))


@lru_cache(maxsize=_REMEMBERED)
def _without_case(text: str) -> str:
    pattern = _CASE_OF_COMPOUND if " " in text else _CASE_OF_WORD
    match = pattern.fullmatch(fold(text))
    return text[: match.end(match.lastindex or 0)] if match else text


def _choose(topics: Iterable[Topic]) -> list[Topic]:
    chosen: list[Topic] = []
    used: Counter[str] = Counter()
    for topic in topics:
        is_weak = topic.score < _LEAST_SCORE[min(2, len(topic.stems))]
        if topic.score <= 0 or (is_weak and len(chosen) >= _FEWEST_TOPICS):
            continue
        shorter = [other for other in chosen if _is_within(other.stems, topic.stems)]
        if any(_overlaps(topic.stems, other.stems) for other in chosen if other not in shorter):
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


def _overlaps(one: Stems, other: Stems) -> bool:
    """Whether a phrase is part of the other, or each begins where the other ends."""
    return _is_within(one, other) or one[-1] == other[0] or other[-1] == one[0]


def _is_within(part: Stems, whole: Stems) -> bool:
    starts = range(len(whole) - len(part) + 1)
    return any(whole[at : at + len(part)] == part for at in starts)


def _stands_in(longer: Topic, shorter: Topic) -> bool:
    least = _STANDS_IN.get(len(shorter.stems), 1) * shorter.score
    return not shorter.is_name and longer.score >= least
