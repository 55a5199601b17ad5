"""What a newly learned fact is to those that are known: new, the same, or what takes their place.

A contradiction is what the model names, what answers the same thing (`about`), or what rules can
see without doubt: the same sentence with another number, with and without "not", or with another
word where the user says that it has changed. In doubt both facts stand: a false replacement hides
what is true.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop.domain.facts import Fact, ProposedFact
from desktop.domain.ids import FactId
from desktop.language.folding import folded_key, words
from desktop.language.stopwords import StopWords
from desktop.language.terms import keys
from desktop.memory.changing import ends, root_of, says_changed, without_change

_NEARLY_ALL = 0.8
_HALF = 0.5
_YEAR = re.compile(r"(?:19|20)\d\d")
_NEGATES = re.compile(
    r"degil\w*|yok|hic|asla|not|no|never|without|cannot|dont|doesnt|didnt|isnt|cant|wont"
)
_SHORT_NOT = re.compile(r"(?<=n)['’]t\b", re.IGNORECASE)
"""What a word loses that is folded: "doesn't" would read as "doesn"."""
# A Turkish verb with its negation, and without: "icmiyor" and "iciyor" share "ic".
_VERB_NEGATED = re.compile(r"(\w{2,}?)m(?:[iu]yor|[ae]z|[ae]d[iu]|[ae]y[ae]c[ae]|[ae]m[iu]s)\w*")
_VERB = re.compile(r"(\w{2,}?)(?:[iu]yor|[ae]r|[iu]r|[dt][iu]|[ae]c[ae]|m[iu]s)\w*")


@dataclass(frozen=True, slots=True)
class Add:
    """Nothing known says it or speaks against it."""


@dataclass(frozen=True, slots=True)
class Strengthen:
    """The same is known."""

    fact: FactId


@dataclass(frozen=True, slots=True)
class Replace:
    """It takes the place of what is known."""

    fact: FactId


Merge = Add | Strengthen | Replace


def merge(proposed: ProposedFact, known: Sequence[Fact], stop_words: StopWords) -> Merge:
    """`known`: facts that hold, the likeliest to bear on it; the first that does decides."""
    new = _read(proposed.content, stop_words)
    for fact in known:
        if _is_same(new, _read(fact.content, stop_words)):
            return Strengthen(fact.id)
    for fact in known:
        old = _read(fact.content, stop_words)
        if fact.id == proposed.replaces and (_common(new, old) or _is_one_thing(proposed, fact)):
            return Replace(fact.id)
        if _is_one_thing(proposed, fact) or _contradicts(new, old):
            return Replace(fact.id)
    return _changed(proposed, known, stop_words)


def _changed(
    proposed: ProposedFact, known: Sequence[Fact], stop_words: StopWords
) -> Replace | Add:
    """What the user says is so by now ends what was so before."""
    if not (says_changed(proposed.content) or says_changed(proposed.quote)):
        return Add()
    if is_negated(proposed.content):
        return Add()  # nobody knows what holds instead
    ended = (fact for fact in known if ends(proposed.content, fact.content, stop_words))
    return next((Replace(fact.id) for fact in ended), Add())


def is_negated(text: str) -> bool:
    """Whether a sentence says that something is not so."""
    return any(
        _NEGATES.fullmatch(word.text) or _VERB_NEGATED.fullmatch(word.text)
        for word in words(_SHORT_NOT.sub(" not", text))
    )


@dataclass(frozen=True, slots=True)
class _Sentence:
    words: tuple[str, ...]
    """Those that say what it is about, folded; verbs by their root."""
    numbers: frozenset[str]
    is_negated: bool


def _read(text: str, stop_words: StopWords) -> _Sentence:
    telling: list[str] = []
    numbers: set[str] = set()
    is_negated = False
    for word in words(without_change(_SHORT_NOT.sub(" not", text))):
        if any(letter.isdigit() for letter in word.text):
            numbers.add(word.text)
        elif _NEGATES.fullmatch(word.text):
            is_negated = True
        elif found := _VERB_NEGATED.fullmatch(word.text):
            is_negated = True
            root = root_of(word.text)
            telling.append(found[1] if root == word.text else root)
        elif word.text not in stop_words and len(word.text) > 1:
            telling.append(_root(word.text))
    return _Sentence(tuple(dict.fromkeys(telling)), frozenset(numbers), is_negated)


def _root(word: str) -> str:
    found = _VERB.fullmatch(word)
    is_plain = found is not None and word.endswith(("yor", "ar", "er", "ir", "ur"))
    return found[1] if found and is_plain else root_of(word)


def _common(one: _Sentence, other: _Sentence) -> float:
    """The share of the words of both that they have in common."""
    longer, shorter = sorted((one.words, other.words), key=len, reverse=True)
    if not shorter:
        return 0.0
    theirs = [keys(word) for word in longer]
    shared = sum(any(keys(word) & their for their in theirs) for word in shorter)
    return shared / len(longer)


def _is_same(one: _Sentence, other: _Sentence) -> bool:
    return (
        _common(one, other) >= _NEARLY_ALL
        and one.numbers == other.numbers
        and one.is_negated == other.is_negated
    )


def _contradicts(new: _Sentence, old: _Sentence) -> bool:
    if _common(new, old) < _NEARLY_ALL:
        return False
    if new.is_negated != old.is_negated:
        return True
    apart = new.numbers ^ old.numbers
    is_measured = bool(new.numbers - old.numbers) and bool(old.numbers - new.numbers)
    # What held in one year does not speak against what holds in another.
    return is_measured and not any(_YEAR.fullmatch(number) for number in apart)


def _is_one_thing(proposed: ProposedFact, fact: Fact) -> bool:
    """Whether both answer the same question, of which one answer holds ("home city")."""
    ours, theirs = folded_key(proposed.about).split(), folded_key(fact.about).split()
    return bool(ours) and sorted(ours) == sorted(theirs)
