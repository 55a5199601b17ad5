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
from desktop.language.folding import folded_key
from desktop.language.stopwords import StopWords
from desktop.memory.changing import ends, says_changed
from desktop.memory.ending import ends_habit, is_over_in_both, moves
from desktop.memory.saying import Said, Told, places, read

_LEAST_SHARED = 4
"""Words that two sentences share before one may have a word more than the other."""
_KIN = re.compile(
    r"(?:anne|baba|abla|abi|agabey|kardes|es|kari|koca|kiz|ogl|ogul|cocug|cocuk|dayi|amca|teyze|hala"
    r"|dede|nine|kuzen|yegen|arkadas|patron|mudur|sevgili|nisanli|komsu|kopeg|kopek|kedi)\w{0,7}"
    r"|mother|mom|mum|father|dad|sister|brother|wife|husband|son|daughter|child|children|uncle|aunt"
    r"|cousin|friend|boss|partner|girlfriend|boyfriend|neighbou?r|dog|cat"
)
"""Whoever is named beside the user is somebody else."""


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
    also: Sequence[FactId] = ()
    """What it ends besides."""


Merge = Add | Strengthen | Replace


def merge(proposed: ProposedFact, known: Sequence[Fact], stop_words: StopWords) -> Merge:
    """`known`: facts that hold, the likeliest to bear on it; the first that does decides."""
    new = read(proposed.content, stop_words)
    olds = [read(fact.content, stop_words) for fact in known]
    for fact, old in zip(known, olds, strict=True):
        is_same_text = folded_key(fact.content) == folded_key(proposed.content)
        if is_same_text or _is_same(new, old) or is_over_in_both(new, old):
            return Strengthen(fact.id)
    over = [
        fact.id
        for fact, old in zip(known, olds, strict=True)
        if _is_over(proposed, fact, new, old)
    ]
    if not over and not new.is_negated and (ended := _ended(proposed, known, stop_words)):
        over = [ended.id]
    return Replace(over[0], tuple(over[1:])) if over else Add()


def _is_over(proposed: ProposedFact, fact: Fact, new: Said, old: Said) -> bool:
    is_named = fact.id == proposed.replaces and _share(new, old)
    if is_named or _is_one_thing(proposed, fact):
        return True
    return _contradicts(new, old) or ends_habit(new, old) or moves(new, old)


def _ended(proposed: ProposedFact, known: Sequence[Fact], stop_words: StopWords) -> Fact | None:
    if not (says_changed(proposed.content) or says_changed(proposed.quote)):
        return None
    return next((one for one in known if ends(proposed.content, one.content, stop_words)), None)


def _share(new: Said, old: Said) -> bool:
    return any(place is not None for place in places(new, old))


def _is_same(one: Said, other: Said) -> bool:
    return (
        _are_as_much(one, other)
        and one.is_negated == other.is_negated
        and _is_of_one(one, other, may_add=True)
    )


def _contradicts(new: Said, old: Said) -> bool:
    if not _is_of_one(new, old):
        return False
    if new.is_negated != old.is_negated:
        return _are_as_much(new, old)
    if len(new.figures) != len(old.figures):
        return False
    pairs = zip(new.figures, old.figures, strict=True)
    apart = [(ours, theirs) for ours, theirs in pairs if not ours.is_as_much_as(theirs)]
    if len(apart) != 1:
        return False
    ((ours, theirs),) = apart
    # Who was there on the third was there on the fifth as well, and may have two daughters.
    is_event = ours.is_date and "past" in new.times
    return ours.can_follow(theirs) and not (is_event or (new.is_of_any and old.is_of_any))


def _are_as_much(one: Said, other: Said) -> bool:
    if len(one.figures) != len(other.figures):
        return False
    pairs = zip(one.figures, other.figures, strict=True)
    return all(ours.is_as_much_as(theirs) for ours, theirs in pairs)


def _is_of_one(one: Said, other: Said, *, may_add: bool = False) -> bool:
    """Whether both tell of one thing, apart from numbers and from whether it is so.

    `may_add`: one may have a word more, in a longer sentence, where that names nobody.
    """
    if one.names != other.names or one.times != other.times:
        return False
    longer, shorter = sorted((one, other), key=lambda said: len(said.words), reverse=True)
    at = places(shorter, longer)
    found = [place for place in at if place is not None]
    if len(found) < len(shorter.words) or not (found or one.names):
        return False
    added = [word for place, word in enumerate(longer.words) if place not in found]
    if added and not (may_add and len(found) >= _LEAST_SHARED and _is_aside(added)):
        return False
    # A Turkish sentence has its verb at the end, and cases tell what each other word does.
    ends_alike = one.cases == other.cases and one.words[-1:] == other.words[-1:]
    return (found == sorted(found) or ends_alike) and _come_from_one(one, other)


def _is_aside(added: Sequence[Told]) -> bool:
    return len(added) == 1 and not (added[0].is_capital or _KIN.fullmatch(added[0].text))


def _come_from_one(one: Said, other: Said) -> bool:
    return len(one.comes_from) == len(other.comes_from) and all(
        any(ours.shared & theirs.shared for theirs in other.comes_from) for ours in one.comes_from
    )


def _is_one_thing(proposed: ProposedFact, fact: Fact) -> bool:
    """Whether both answer the same question, of which one answer holds ("home city")."""
    ours, theirs = folded_key(proposed.about).split(), folded_key(fact.about).split()
    return bool(ours) and sorted(ours) == sorted(theirs)
