"""Cross-language expansion: query words in the language of the messages.

Some hundred plain words are listed (`resources/words/en-tr.txt`): English words before the colon,
after it prefixes of folded Turkish words or, with a full stop, whole words. Names and numbers
match by themselves; the rest is left to the embedding model.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from heapq import nlargest
from statistics import fmean
from typing import NamedTuple

from desktop.domain.ids import MessageId
from desktop.domain.language import Language
from desktop.language.keywords_and_stems import stem
from desktop.language.language_detection import guess_language
from desktop.language.normalization import word_texts
from desktop.recall.bm25 import Term
from desktop.settings.paths import asset
from desktop.storage.index import IndexedMessage

READ = 8
_LETTERS_READ = 400
"""So many of the nearest messages, and so much of each, tell which language the archive speaks."""
_LETTERS_LEVELLED, _LEVELLED, _LEAST_LEVELLED = 200, 30, 5
_SHORTEST_TURKISH = 3
_SHORTEST_BEGINNING = 5
"""Letters of an English word that may go on."""


class _Glossary(NamedTuple):
    turkish: Mapping[str, tuple[str, ...]]
    """By the stem of the English word."""
    english: Mapping[str, tuple[str, ...]]
    """By what the Turkish word begins with."""


def query_language(question: str, terms: Sequence[Term]) -> Language | None:
    """Return the language of a question; None if it is ambiguous."""
    asked = guess_language(question, Language.EN)
    is_known = sum(term.messages > 0 for term in terms) * 2 >= len(terms)
    is_sure = guess_language(question, Language.TR) is asked
    return asked if is_sure or not (terms and is_known) else None


def foreign_share(asked: Language, nearest: Sequence[IndexedMessage]) -> float:
    foreign = [guess_language(one.content[:_LETTERS_READ], asked) is not asked for one in nearest]
    return sum(foreign) / len(foreign) if foreign else 0.0


def equalise_languages(
    asked: Language, passages: Sequence[IndexedMessage], nearness: Mapping[MessageId, float]
) -> Mapping[MessageId, float]:
    """Return similarities, those of the other language raised to the level of the question's own.

    A model ranks texts in the language of the question nearer, whether they answer it or not.
    """
    own: dict[MessageId, float] = {}
    foreign: dict[MessageId, float] = {}
    for one in passages:
        if one.id in nearness:
            is_own = guess_language(one.content[:_LETTERS_LEVELLED], asked) is asked
            (own if is_own else foreign)[one.id] = nearness[one.id]
    if min(len(own), len(foreign)) < _LEAST_LEVELLED:
        return nearness
    ahead = fmean(nlargest(_LEVELLED, own.values())) - fmean(nlargest(_LEVELLED, foreign.values()))
    return {**nearness, **{key: near + max(0.0, ahead) for key, near in foreign.items()}}


def translate_word(asked: Language, word: str) -> tuple[str, ...]:
    """Return translations as prefixes; with a full stop a whole word."""
    return _in_turkish(word) if asked is Language.EN else _in_english(word)


def matches_translation(words: Sequence[str], asked: Language, text: str) -> bool:
    if guess_language(text[:_LETTERS_READ], asked) is asked:
        return False
    heard = f" {' '.join(word_texts(text))} "
    wanted = (form for word in words for form in translate_word(asked, word))
    return any(
        f" {form[:-1]} " in heard if form.endswith(".") else f" {form}" in heard for form in wanted
    )


def _in_turkish(word: str) -> tuple[str, ...]:
    return _glossary().turkish.get(stem(word, Language.EN), ())


@lru_cache(maxsize=4096)
def _in_english(word: str) -> tuple[str, ...]:
    listed = _glossary().english
    lengths = range(len(word), _SHORTEST_TURKISH - 1, -1)
    keys = (f"{word}.", *(word[:length] for length in lengths))
    found = next((listed[key] for key in keys if key in listed), ())
    return tuple(one if len(one) >= _SHORTEST_BEGINNING else f"{one}." for one in found)


@cache
def _glossary() -> _Glossary:
    turkish: defaultdict[str, list[str]] = defaultdict(list)
    english: defaultdict[str, list[str]] = defaultdict(list)
    listed = asset("resources", "words", "en-tr.txt").read_text(encoding="utf-8")
    for line in listed.splitlines():
        left, _, right = line.partition(": ")
        for word in left.split():
            turkish[stem(word, Language.EN)] += right.split()
        for word in right.split():
            english[word] += left.split()
    return _Glossary(_each_once(turkish), _each_once(english))


def _each_once(words: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    return {key: tuple(dict.fromkeys(values)) for key, values in words.items()}
