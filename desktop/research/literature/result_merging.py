"""Merges what several services return: which works are the same, and which field is from whom.

A merge that is missed shows a work twice; a wrong one hides a work. So titles decide only where
nothing speaks against them: neither ids, nor numbers, nor a word that is not a misspelling.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from functools import cached_property
from itertools import takewhile

from desktop.domain.json_values import JsonValue
from desktop.domain.literature import (
    FoundWork,
    IdKind,
    LiteratureQuery,
    ServiceName,
    ServicePage,
)
from desktop.domain.references import Reference, WorkMark
from desktop.language.normalization import folded_key

_FIRST = 60  # Of reciprocal rank fusion
_SHORT_TITLE = 5  # Words: shorter ones ("Editorial") are shared by different works
_ALIKE, _NEARLY_ALIKE, _WORDS_SHARED = 0.95, 0.88, 0.8
_SHORT_WORD = 5
_PART_DIGITS = 3  # Longer numbers are years
_ROMAN = frozenset("ivx")
WORD = re.compile(r"[^\W_]+")


def _word_set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_SMALL_WORDS = _word_set("a an the of in on and for to ve ile bir bu de da")
_NUMBERS = _word_set(
    "one two three four five first second third fourth fifth bir iki uc dort bes birinci ikinci "
    "ucuncu dorduncu besinci"
)
_PARTS = _word_set("part bolum bolumu kisim kismi cilt chapter volume vol")
_RETRACTED = re.compile(r"^(?:retracted(?: article)?|withdrawn)\s*[:–—-]\s*", re.IGNORECASE)

_S = ServiceName
_ORDER = (
    _S.CROSSREF,
    _S.EUROPE_PMC,
    _S.OPENALEX,
    _S.DERGIPARK,
    _S.TRDIZIN,
    _S.SEMANTIC_SCHOLAR,
    _S.ARXIV,
)
"""From whom a field is, the first that has it; others for some fields."""
_ORDERS: Mapping[str, Sequence[ServiceName]] = {
    "abstract": (_S.EUROPE_PMC, _S.CROSSREF, _S.ARXIV, _S.DERGIPARK, _S.TRDIZIN, _S.OPENALEX),
    "author": (_S.EUROPE_PMC, _S.CROSSREF, _S.OPENALEX),
    "open_copy": (_S.ARXIV, _S.OPENALEX, _S.EUROPE_PMC),
}


@dataclass(slots=True)
class _Group:
    """What several services say of one work."""

    title: "_Title"  # Of its first work
    works: list[FoundWork] = field(default_factory=list)
    score: float = 0.0

    def contradicts(self, work: FoundWork) -> bool:
        """Whether it is another work: by its DOI, or as only one of them is a preprint."""
        if any(work.doi and work.doi == other.doi for other in self.works):
            return False  # services differ about what is a preprint
        return any(
            _has_other_id(other, work, IdKind.DOI) or other.is_preprint is not work.is_preprint
            for other in self.works
        )


def merge_works(
    rankings: Iterable[Sequence[FoundWork]], more: Sequence[FoundWork] = ()
) -> list[FoundWork]:
    """Return each work once, the best first: of several rankings, each the best first.

    `more`: what services say of works in the rankings; it adds none and changes no order.
    """
    groups: list[_Group] = []
    by_id: defaultdict[tuple[IdKind, str], list[_Group]] = defaultdict(list)
    scored = [
        (work, 1 / (_FIRST + place)) for works in rankings for place, work in enumerate(works, 1)
    ]
    for work, score in (*scored, *((work, 0.0) for work in more)):
        keys = list(work.ids.items())
        group = _group_of(work, [group for key in keys for group in by_id[key]], groups)
        group.works.append(work)
        group.score += score
        for key in keys:
            if all(group is not other for other in by_id[key]):
                by_id[key].append(group)
    best = sorted(
        (group for group in groups if group.works and group.score),
        key=lambda group: -group.score,
    )
    return _linked([combined(group.works) for group in best])


def _group_of(work: FoundWork, by_id: Sequence[_Group], groups: list[_Group]) -> _Group:
    same = [group for group in by_id if group.works and not group.contradicts(work)]
    if not same:
        title = _Title(work)
        alike = (group for group in groups if group.works and title.is_near(group.title))
        same = [
            group for group in alike if not group.contradicts(work) and title.is_of(group.title)
        ][:1]
        if not same:
            groups.append(_Group(title))
            return groups[-1]
    first = same[0]
    for other in same[1:]:  # a work with ids of both shows that they are one
        if other is not first and not any(map(first.contradicts, other.works)):
            first.works += other.works
            first.score += other.score
            other.works = []
    return first


@dataclass(frozen=True)
class _Title:
    work: FoundWork

    @cached_property
    def folded(self) -> str:
        return folded_key(_RETRACTED.sub("", self.work.reference.title)).replace("&", " and ")

    @cached_property
    def words(self) -> Sequence[str]:
        return WORD.findall(self.folded)

    @cached_property
    def key(self) -> str:
        return "".join(self.words)

    @cached_property
    def is_telling(self) -> bool:
        """Whether a title can show that two works are the same."""
        if len(self.words) < _SHORT_TITLE:
            return False
        *_, before, last = (word.strip("()[]{}.,:;-–—\"'") for word in self.folded.split())
        is_number = last.isdecimal() and len(last) <= _PART_DIGITS
        is_roman = bool(last) and _ROMAN.issuperset(last)
        is_part = last in _NUMBERS and before in _PARTS
        is_part |= last in _PARTS and (before in _NUMBERS or before.isdecimal())
        return not (is_number or is_part or is_roman)

    @cached_property
    def word_set(self) -> frozenset[str]:
        return frozenset(self.words)

    def is_near(self, other: "_Title") -> bool:
        """Whether titles could be alike at all: quick, for all that have nothing in common."""
        if not (self.is_telling and other.is_telling):
            return False
        most = max(len(self.word_set), len(other.word_set))
        shared = len(self.word_set & other.word_set)
        return shared >= most * _WORDS_SHARED / 2 or self.key == other.key

    def is_of(self, other: "_Title") -> bool:
        """Whether the titles, years and authors show that both are one work."""
        if any(_has_other_id(self.work, other.work, kind) for kind in IdKind):
            return False
        return self.is_like(other)

    def is_like(self, other: "_Title") -> bool:
        if not self.is_near(other):
            return False
        reference, other_reference = self.work.reference, other.work.reference
        authors, other_authors = _families(reference), _families(other_reference)
        same_first = bool(authors and other_authors and authors[0] == other_authors[0])
        years = reference.year, other_reference.year
        if None in years and not same_first:
            return False
        if (
            reference.year
            and other_reference.year
            and abs(reference.year - other_reference.year) > 1
        ):
            return False
        if authors and other_authors and not set(authors) & set(other_authors):
            return False
        return self.key == other.key or self._is_misspelt(other, same_first=same_first)

    def _is_misspelt(self, other: "_Title", *, same_first: bool) -> bool:
        words, other_words = self.word_set, other.word_set
        alike = _similarity(" ".join(self.words), " ".join(other.words))
        shared = len(words & other_words) / max(len(words), len(other_words))
        if alike < _NEARLY_ALIKE:
            return False
        if alike < _ALIKE and not (same_first and shared >= _WORDS_SHARED):
            return False
        return _only_misspells(words - other_words, other_words - words)


def _only_misspells(words: Iterable[str], other_words: Iterable[str]) -> bool:
    """Whether each word that only one title has is a misspelling of one that the other has."""
    left, right = set(words) - _SMALL_WORDS, set(other_words) - _SMALL_WORDS
    for word in left:
        near = next((other for other in right if _is_misspelling(word, other)), None)
        if near is None:
            return False
        right.discard(near)
    return not right


def _is_misspelling(word: str, other: str) -> bool:
    """Whether long words differ in one place: a letter, or two that are exchanged.

    Not in the first letter: "typical" and "atypical" are two words. Nor in a number.
    """
    is_long = min(len(word), len(other)) >= _SHORT_WORD and (word + other).isalpha()
    if not is_long or word[0] != other[0]:
        return False
    start = _shared(word, other)
    end = _shared(word[start:][::-1], other[start:][::-1])
    rest, other_rest = word[start : len(word) - end], other[start : len(other) - end]
    return max(len(rest), len(other_rest)) <= 1 or rest == other_rest[::-1]


def _shared(word: str, other: str) -> int:
    """Return how many letters both begin with."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(word, other)))  # noqa: B905 - the shorter one ends it


def _similarity(text: str, other: str) -> float:
    matcher = SequenceMatcher(None, text, other, autojunk=False)
    is_far = min(matcher.real_quick_ratio(), matcher.quick_ratio()) < _NEARLY_ALIKE
    return 0.0 if is_far else matcher.ratio()


def _families(reference: Reference) -> Sequence[str]:
    """Return the family names of the authors, as far as they can be told."""
    names = [name.partition(",") for name in reference.authors]
    return [folded_key(family if comma else family.split()[-1]) for family, comma, _ in names]


def _has_other_id(work: FoundWork, other: FoundWork, kind: IdKind) -> bool:
    ids = work.ids.get(kind), other.ids.get(kind)
    return None not in ids and ids[0] != ids[1]


def combined(works: Sequence[FoundWork]) -> FoundWork:
    """Return one work with all ids and marks; each field is from the best service for it."""
    names = dict.fromkeys(name for work in works for name in work.reference.csl)
    csl: dict[str, JsonValue] = {
        name: next(
            work for work in _ordered(works, name) if name in work.reference.csl
        ).reference.csl[name]
        for name in names
    }
    origins = {name: origin for work in works for name, origin in work.reference.origins.items()}
    ids = {kind: value for work in reversed(works) for kind, value in work.ids.items()}
    copies = [work.open_copy for work in _ordered(works, "open_copy")]
    counts = [work.cited_by for work in works if work.cited_by is not None]
    return FoundWork(
        Reference(csl, {name: origins[name] for name in csl if name in origins}),
        ids=ids,
        services=tuple(dict.fromkeys(service for work in works for service in work.services)),
        open_copy=next(filter(None, copies), ""),
        marks=frozenset().union(*(work.marks for work in works)),
        preprint_of=next((work.preprint_of for work in works if work.preprint_of), ""),
        has_preprint=next((work.has_preprint for work in works if work.has_preprint), ""),
        cited_by=max(counts, default=None),
        notices={doi: mark for work in works for doi, mark in work.notices.items()},
    )


def _ordered(works: Sequence[FoundWork], name: str) -> Sequence[FoundWork]:
    order = (*_ORDERS.get(name, ()), *_ORDER)
    return sorted(works, key=lambda work: min(map(order.index, work.services)))


def _linked(works: Sequence[FoundWork]) -> list[FoundWork]:
    """Return works with what notices among them say, and preprints with their later versions."""
    marks: defaultdict[str, set[WorkMark]] = defaultdict(set)
    for work in works:
        for doi, mark in work.notices.items():
            marks[doi].add(mark)
    later = {work.doi: work.preprint_of for work in works if work.doi and work.preprint_of}
    later |= {work.has_preprint: work.doi for work in works if work.doi and work.has_preprint}
    later |= _alike_versions([work for work in works if work.doi and work.doi not in later])
    earlier = {published: preprint for preprint, published in later.items()}
    return [
        replace(
            work,
            marks=work.marks | marks[work.doi] if work.doi else work.marks,
            preprint_of=work.preprint_of or later.get(work.doi, ""),
            has_preprint=work.has_preprint or earlier.get(work.doi, ""),
        )
        for work in works
    ]


def _alike_versions(works: Sequence[FoundWork]) -> dict[str, str]:
    """Return the published version of preprints that have its title and its first author."""
    published = [(work, _Title(work)) for work in works if not work.is_preprint]
    versions: dict[str, str] = {}
    for preprint in (work for work in works if work.is_preprint):
        title, names = _Title(preprint), _families(preprint.reference)[:1]
        alike = (
            work.doi
            for work, other in published
            if names == _families(work.reference)[:1] and names and title.is_like(other)
        )
        if doi := next(alike, ""):
            versions[preprint.doi] = doi
    return versions


def count_matching(page: ServicePage, query: LiteratureQuery) -> int:
    """Return how many works of a service are listed: some do not filter by years themselves."""
    return sum(matches(work, query) for work in page.works)


def matches(work: FoundWork, query: LiteratureQuery) -> bool:
    """Whether a work is what was asked for, as far as it says; not every service can filter."""
    reference = work.reference
    year, language = reference.year, reference.text("language")[:2].lower()
    venue = folded_key(reference.text("container-title"))
    authors = " ".join(map(folded_key, reference.authors))
    names = WORD.findall(folded_key(query.author))
    return (
        (query.since is None or year is None or year >= query.since)
        and (query.until is None or year is None or year <= query.until)
        and (not query.language or not language or language == query.language)
        and (not query.venue or folded_key(query.venue) in venue)
        and (not query.open_only or bool(work.open_copy))
        and (not names or any(name in authors for name in names if len(name) > 1))
    )
