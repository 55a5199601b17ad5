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
from desktop.language.normalization import folded_key
from desktop.language.stopwords import StopWords
from desktop.memory.contradictions.amounts import Amount, amount
from desktop.memory.contradictions.appointments import has_one_date, says_moved, without_moving
from desktop.memory.contradictions.changing import ends, says_changed
from desktop.memory.contradictions.ending import ends_habit, is_over_in_both, moves
from desktop.memory.contradictions.parts import parts
from desktop.memory.contradictions.states import State, states
from desktop.memory.numbers.figures import Figure
from desktop.memory.sentences.kin import are_ages_of_two
from desktop.memory.sentences.saying import Said, Told, places, read

_LEAST_SHARED = 4
"""Words that two sentences share before one may have a word more than the other."""
_KIN = re.compile(
    r"(?:anne|baba|abla|abi|agabey|kardes|es|kari|koca|kiz|ogl|ogul|cocug|cocuk|dayi|amca|teyze|hala"
    r"|dede|nine|kuzen|yegen|arkadas|patron|mudur|sevgili|nisanli|komsu|kopeg|kopek|kedi)\w{0,7}"
    r"|mother|mom|mum|father|dad|sister|brother|wife|husband|son|daughter|child|children|uncle|aunt"
    r"|cousin|friend|boss|partner|girlfriend|boyfriend|neighbou?r|dog|cat"
)
"""Whoever is named beside the user is somebody else."""


_NOT = re.compile(r"\b(?:de[ğg]il|not|no longer|artık|anymore)\b", re.IGNORECASE)


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


@dataclass(frozen=True, slots=True)
class _Heard:
    """What a sentence says, in the ways in which two are held together."""

    text: str
    said: Said
    states: Sequence[State]
    amount: Amount | None

    def is_same(self, other: "_Heard") -> bool:
        if _is_same(self.said, other.said) or is_over_in_both(self.said, other.said):
            return True
        if self.amount and other.amount and self.amount.is_of_one(other.amount):
            return self.amount.is_as_much_as(other.amount)
        return any(
            ours.is_same(theirs) and not ours.tells_more
            for ours in self.states
            for theirs in other.states
        )

    def ends(self, older: "_Heard") -> bool:
        if self.amount and older.amount and self.amount.is_of_one(older.amount):
            return not self.amount.is_as_much_as(older.amount)
        return any(
            ours.ends(theirs) or ours.goes_on(theirs)
            for ours in self.states
            for theirs in older.states
        )


def merge(proposed: ProposedFact, known: Sequence[Fact], stop_words: StopWords) -> Merge:
    """`known`: facts that hold, the likeliest to bear on it; the first that does decides."""
    has_changed = says_changed(proposed.quote)
    new = _heard(proposed.content, stop_words, has_changed=has_changed)
    olds = [_heard(fact.content, stop_words) for fact in known]
    for fact, old in zip(known, olds, strict=True):
        if folded_key(fact.content) == folded_key(proposed.content) or new.is_same(old):
            return Strengthen(fact.id)
    several = [
        _heard(part, stop_words, has_changed=has_changed) for part in parts(proposed.content)
    ]
    over = [
        fact.id
        for fact, old in zip(known, olds, strict=True)
        if _is_over(proposed, fact, new, old)
        or any(_speaks_against(one, old) for one in several)
        or _is_over_in_parts([new, *several], fact, stop_words)
    ]
    if not over:
        over = _moved(proposed, known, olds, stop_words)
    if not over and not new.said.is_negated and (ended := _ended(proposed, known, stop_words)):
        over = [ended.id]
    return Replace(over[0], tuple(over[1:])) if over else Add()


def _heard(content: str, stop_words: StopWords, *, has_changed: bool = False) -> _Heard:
    said = read(content, stop_words)
    told = states(content, has_changed=has_changed)
    return _Heard(content, said, told, amount(content, stop_words))


def _is_over(proposed: ProposedFact, fact: Fact, heard: _Heard, older: _Heard) -> bool:
    new, old = heard.said, older.said
    is_named = fact.id == proposed.replaces and _share(new, old)
    if is_named or _is_one_thing(proposed, fact):
        return True
    return _speaks_against(heard, older)


def _speaks_against(heard: _Heard, older: _Heard) -> bool:
    new, old = heard.said, older.said
    if heard.ends(older) or _contradicts(heard, older):
        return True
    return ends_habit(new, old) or moves(new, old)


def _is_over_in_parts(several: Sequence[_Heard], fact: Fact, stop_words: StopWords) -> bool:
    """Whether nothing of an older sentence of several parts is left: what still holds is kept."""
    older = [_heard(part, stop_words) for part in parts(fact.content)]
    over = [old for old in older if any(_speaks_against(one, old) for one in several)]
    kinds = {one.kind for old in over for one in old.states}
    return bool(over) and all(
        old in over or bool(kinds & {one.kind for one in _said_or_denied(old)}) for old in older
    )


def _said_or_denied(heard: _Heard) -> Sequence[State]:
    return heard.states or states(_NOT.sub(" ", heard.text).strip())


def _moved(
    proposed: ProposedFact, known: Sequence[Fact], olds: Sequence[_Heard], stop_words: StopWords
) -> list[FactId]:
    """The one of which another date is given and said to be another; of two it could be either."""
    if not (says_moved(proposed.content) or says_moved(proposed.quote)):
        return []
    new = read(without_moving(proposed.content), stop_words)
    found = [
        fact.id
        for fact, old in zip(known, olds, strict=True)
        if "past" not in old.said.times
        and (apart := _apart(new, old.said)) is not None
        and apart[0].is_date
        and apart[1].is_date
    ]
    return found if len(found) == 1 else []


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


def _contradicts(heard: _Heard, older: _Heard) -> bool:
    new, old = heard.said, older.said
    if new.is_negated != old.is_negated:
        return _is_of_one(new, old) and _are_as_much(new, old)
    apart = _apart(new, old)
    if apart is None or not apart[0].can_follow(apart[1]):
        return False
    # Who was there on the third was there on the fifth as well, and may have two daughters.
    if "past" in new.times or (new.is_of_any and old.is_of_any):
        return False
    if apart[0].is_date:
        return has_one_date(heard.text) and has_one_date(older.text)
    return not are_ages_of_two(heard.text, apart[0].value, apart[1].value)


def _apart(new: Said, old: Said) -> tuple[Figure, Figure] | None:
    """The one pair of figures in which two sentences of one thing differ."""
    if len(new.figures) != len(old.figures) or not _is_of_one(new, old):
        return None
    pairs = zip(new.figures, old.figures, strict=True)
    apart = [(ours, theirs) for ours, theirs in pairs if not ours.is_as_much_as(theirs)]
    return apart[0] if len(apart) == 1 else None


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
