"""Tells a message that depends on what was said before from one that changes the subject.

Judged by words alone. Both answers are cautious in the same direction: a session split in two
annoys far more than a split that was missed, so whatever may lean, leans.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from desktop.domain.language import Language
from desktop.language.intents.phrases import PhraseLists
from desktop.language.keywords_and_stems import content_of, keys
from desktop.language.language_detection import guess_language
from desktop.language.normalization import Word, word_texts
from desktop.language.phrase_matcher import (
    BAR,
    Line,
    PhraseMatch,
    find_phrase,
    tokenize,
    without_phrases,
)

_LEAST_OWN_WORDS = 3
_LEAST_RECENT_TEXTS = 4
_LEAST_RECENT_WORDS = 25
_SHORTEST_OWN_WORD = 3
_MOST_OWN_AGAIN = 12
_LEAST_OWN_AFTER_OPENER = 2
_MOST_COURTESIES = 4
# "ne yapayım", "yapmam şart mı", "yapabilir miyim", "unutursam", "olursa"; "which is safest".
_OWN_CASE = re.compile(
    r"[ae]y[iu]m |[^ ]{2}m[ae]m (?:sart|gerek|lazim)|m[iu]y[iu][mz] |[^ ][rz]s[ae][mk]? "
)
_WHICH_IS_BEST = re.compile(r"which (?:[^ ]+ )+(?:[^ ]{3,}est|best|better|worse) (?:\| )?$")
# "olursa", "yapınca", "unutursam", "what if": a case put to what was said far more often than not.
_PUTS_A_CASE = re.compile(
    r"(?<![^ ])[^ ]{2,}(?:[iu]nc[ae]|[ae]?rs[ae][mk]?|[iu]rs[ae][mk]?) |(?<![^ ])if "
)
_SECOND_CLAUSE = {"and", "but"}
_LONGEST_BEFORE_SUBJECT = 3
_SUBJECTS = frozenset({"it", "they", "he", "she"})
_POSSESSIVES = frozenset({"its", "their", "his", "her"})
_DOTS = re.compile(r"\s*(?:\.{2,}|…)")
# A single noun in one of these is where or for whom, not what: "gebelikte?", "in children?".
_TURKISH_OBLIQUE = re.compile(r".{3,}(?:[dt][ae]n?|l[ae]r[ae]|l[ae])")
_PREPOSITIONS = "about after among at before by during for from in on to under with without"
_ENGLISH_OBLIQUE = frozenset(_PREPOSITIONS.split())


def leans_back(text: str, lists: PhraseLists) -> bool:
    """Whether a message makes sense only after what was said before it."""
    line = tokenize(text)
    if _opener(line, lists) or _reference(line, lists):
        return True
    return _is_incomplete(line, lists)


def changes_subject(message: str, recent: Sequence[str], lists: PhraseLists) -> bool:
    """Whether a message plainly begins another subject than the session's.

    `recent` holds what the session said, both sides and the title: the more, the more cautious.
    """
    if len(recent) < _LEAST_RECENT_TEXTS or leans_back(message, lists):
        return False
    line = tokenize(message)
    own = {word.text for word in content_of(line.words, lists.stop_words)}
    own = {word for word in own if len(word) >= _SHORTEST_OWN_WORD}
    if len(own) < _LEAST_OWN_WORDS or not _asks(line, lists):
        return False
    if is_other_language(message, recent):
        return False
    heard = frozenset[str]().union(*map(_words_of, recent))
    if sum(word not in lists.stop_words for word in heard) < _LEAST_RECENT_WORDS:
        return False
    own_keys = frozenset[str]().union(*map(keys, own))
    return all(own_keys.isdisjoint(_keys_of(text)) for text in recent)


def wants(text: str, lists: PhraseLists) -> bool:
    """Whether a message asks, requests, or says what its writer needs or looks for."""
    line = tokenize(text)
    return _asks(line, lists) or find_phrase(line, lists.needs) is not None


def may_stand_alone(text: str, lists: PhraseLists) -> bool:
    """Whether what leans in it need not lean on anything said before it."""
    line = tokenize(text)
    return _stands_after_opener(line, lists) or _goes_back_to_itself(line, lists)


def _stands_after_opener(line: Line, lists: PhraseLists) -> bool:
    """All that leans is how it opens: "peki Ankara'nın nüfusu kaç?"."""
    opener = _opener(line, lists)
    if opener is None:
        return False
    rest = tokenize(line.original_between(opener.end, len(line.tokens)))
    own = content_of(rest.words, lists.stop_words)
    complete = len(own) >= _LEAST_OWN_AFTER_OPENER and _asks_in_words(rest, lists)
    return complete and not leans_back(rest.original, lists)


def _goes_back_to_itself(line: Line, lists: PhraseLists) -> bool:
    """What it goes back to may stand in it: "my cat scratches the sofa, how do I stop it?"."""
    back = _reference(line, lists)
    if back is None or _opener(line, lists):
        return False
    bars = [at for at in range(back.start) if line.tokens[at] == BAR]
    own = content_of(line.words_between(0, bars[-1]), lists.stop_words) if bars else []
    return len(own) >= _LEAST_OWN_AFTER_OPENER and _asks(line, lists)


def speaks_of_own_case(text: str) -> bool:
    """Whether it asks what to do, what if, or which is best, without saying of what.

    Such a message may begin a subject, but far more often it goes on with one.
    """
    said = tokenize(text).text()
    return bool(_OWN_CASE.search(said) or _WHICH_IS_BEST.match(said))


def puts_a_case(text: str) -> bool:
    """Whether it asks what happens if or when something does."""
    return _PUTS_A_CASE.search(tokenize(text).text()) is not None


def _is_incomplete(line: Line, lists: PhraseLists) -> bool:
    """Whether it has no subject of its own, begins in mid-sentence, or is a fragment."""
    own = content_of(line.words, lists.stop_words)
    if not own or _DOTS.match(line.original):
        return True
    if len(own) <= _MOST_OWN_AGAIN:
        # It may ask for nothing but the last answer once more.
        left = without_phrases(line, lists.again + lists.courtesies)
        if not content_of(left, lists.stop_words):
            return True
    return len(own) == 1 and _is_fragment(own[0], line, lists)


def _reference(line: Line, lists: PhraseLists) -> PhraseMatch | None:
    start = 0
    while found := find_phrase(line, lists.refers_back, start):
        harmless = _covering(line, lists.not_back, found)
        if harmless is None and not _means_another(line, found, lists):
            return found
        start = harmless or found.end
    return None


def _means_another(line: Line, found: PhraseMatch, lists: PhraseLists) -> bool:
    """Whether a word only looks like one that goes back, or goes back to its own sentence."""
    word = " ".join(line.tokens[slice(*found)])
    if word == "su":  # water, not "this", where somebody writes Turkish letters
        original = line.original_between(*found)
        return original.isascii() and not line.original.isascii()
    if word == "her" and guess_language(line.original, Language.EN) is Language.TR:
        return True  # "every"
    end = found.start if word in _POSSESSIVES else 0
    if word in _SUBJECTS:  # "what does entropy mean and where does it come from"
        near = range(max(0, found.start - _LONGEST_BEFORE_SUBJECT - 1), found.start)
        end = next((at for at in near if line.tokens[at] in _SECOND_CLAUSE), 0)
    own = content_of(line.words_between(0, end), lists.stop_words)
    return len(own) >= _LEAST_OWN_WORDS - 1


def _covering(line: Line, phrases: tuple[str, ...], found: PhraseMatch) -> int | None:
    """Where a phrase ends that has all of a match in it."""
    start = 0
    while phrase := find_phrase(line, phrases, start):
        if phrase.start <= found.start and found.end <= phrase.end:
            return phrase.end
        start = phrase.end
    return None


def _is_fragment(own: Word, line: Line, lists: PhraseLists) -> bool:
    if not _asks_in_words(line, lists):
        return len(line.words) <= _LEAST_OWN_WORDS
    at = line.words.index(own)
    before = line.words[at - 1].text if at else ""
    if before in _ENGLISH_OBLIQUE:
        return True
    # "table" and "ukulele" have no Turkish ending.
    is_turkish = guess_language(line.original, Language.TR) is Language.TR
    return is_turkish and bool(_TURKISH_OBLIQUE.fullmatch(own.text))


def _asks_in_words(line: Line, lists: PhraseLists) -> bool:
    if find_phrase(line, lists.asks):
        return True
    return _beginning(line, lists.courtesies, lists.asks_first) is not None


def _asks(line: Line, lists: PhraseLists) -> bool:
    return "?" in line.original or _asks_in_words(line, lists)


def is_other_language(message: str, recent: Sequence[str]) -> bool:
    """In another language even the same subject shares no word."""
    said = " ".join(text[:200] for text in recent)
    language = guess_language(said, Language.TR)
    return guess_language(message, language) is not language


def _opener(line: Line, lists: PhraseLists) -> PhraseMatch | None:
    """Words that go on with something, at the head of a message."""
    return _beginning(line, lists.courtesies, lists.continues)


@lru_cache(maxsize=16)
def _words_of(text: str) -> frozenset[str]:
    """Once for each: a session's messages come again with every message that follows them."""
    return frozenset(word_texts(text))


@lru_cache(maxsize=16)
def _keys_of(text: str) -> frozenset[str]:
    return frozenset[str]().union(*map(keys, _words_of(text)))


def _beginning(
    line: Line, courtesies: tuple[str, ...], phrases: tuple[str, ...]
) -> PhraseMatch | None:
    """The phrases at the head of a message, a few courtesies before them left aside."""
    at = 0
    for _ in range(_MOST_COURTESIES + 1):
        if found := find_phrase(line, phrases, at, at_once=True):
            return found
        polite = find_phrase(line, courtesies, at, at_once=True)
        if polite is None and not line.is_end(at):
            return None
        at = polite.end if polite else at + 1
    return None
