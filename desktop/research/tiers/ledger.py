"""The evidence ledger of a Deep run: claims, their quotations, verdicts and contradictions."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from desktop.domain.errors import AppError
from desktop.domain.model import JsonValue
from desktop.domain.research import Plan, SubQuestion
from desktop.research.citations.quote_matching import stands_in
from desktop.research.passages import Passage
from desktop.research.security.injection_detector import is_suspicious
from desktop.research.tiers.plans import objects_in, short_line

_LONGEST_CLAIM = 400
_LONGEST_QUOTE = 500
_LEAST_WORDS = 2


class Verdict(StrEnum):
    SUPPORTED = "supported"
    PARTLY = "partly"
    UNSUPPORTED = "unsupported"
    UNTESTED = "untested"


@dataclass(frozen=True, slots=True)
class Claim:
    part: str
    """The sub-question."""
    text: str
    quote: str
    passage: Passage
    verdict: Verdict = Verdict.UNTESTED


@dataclass(frozen=True, slots=True)
class Contradiction:
    first: int
    """Numbers of claims, from 1."""
    second: int
    about: str


def parse_claims(
    value: JsonValue, part: str, passages: Sequence[Passage]
) -> tuple[list[Claim], int]:
    """The valid claims of a model's reply, and the number of invalid ones.

    A claim holds if its quoted words stand in a passage that the model was given, the one that it
    named or another. Words that give orders are evidence of nothing.
    """
    found: dict[str, Claim] = {}
    dropped = 0
    for one in objects_in(value, "claims"):
        text = short_line(one.get("claim"), _LONGEST_CLAIM)
        quote = short_line(one.get("quote"), _LONGEST_QUOTE)
        passage = _find_passage(quote, one.get("passage"), passages)
        if not text or passage is None or is_suspicious(f"{text}\n{quote}"):
            dropped += 1
        else:
            found.setdefault(text.casefold(), Claim(part, text, quote, passage))
    return list(found.values()), dropped


def _find_passage(quote: str, named: JsonValue, passages: Sequence[Passage]) -> Passage | None:
    if len(quote.split()) < _LEAST_WORDS:
        return None
    named_first = sorted(passages, key=lambda one: one.number != named)
    return next((one for one in named_first if stands_in(quote, one.stored)), None)


def parse_verdicts(value: JsonValue, claims: Sequence[Claim]) -> list[Claim]:
    """The claims with their verdicts; one without exactly one verdict is untested."""
    given: dict[JsonValue, set[Verdict]] = {}
    for one in objects_in(value, "verdicts"):
        number, verdict = one.get("number"), one.get("verdict")
        if isinstance(number, int) and verdict in set(Verdict):
            given.setdefault(number, set()).add(Verdict(verdict))
    tested: list[Claim] = []
    for number, claim in enumerate(claims, start=1):
        verdicts = given.get(number, set())
        is_clear = len(verdicts) == 1
        tested.append(replace(claim, verdict=verdicts.pop() if is_clear else Verdict.UNTESTED))
    return tested


def parse_contradictions(value: JsonValue, claims: Sequence[Claim]) -> list[Contradiction]:
    """Contradictions between known claims of two different sources; none twice."""
    sources = {number: one.passage.cited_in for number, one in enumerate(claims, start=1)}
    found: dict[tuple[int, int], Contradiction] = {}
    for one in objects_in(value, "contradictions"):
        first, second = one.get("first"), one.get("second")
        # It goes on behind it.
        about = short_line(one.get("about"), _LONGEST_CLAIM).rstrip(".:; ")
        if not isinstance(first, int) or not isinstance(second, int) or not about:
            continue
        pair = min(first, second), max(first, second)
        if len({sources.get(one) for one in pair} - {None}) == len(pair):
            found.setdefault(pair, Contradiction(*pair, about))
    return list(found.values())


def as_passages(claims: Sequence[Claim]) -> tuple[Passage, ...]:
    """The quotation of each claim as a passage with the number of the claim."""
    return tuple(
        replace(one.passage, number=number, text=one.quote)
        for number, one in enumerate(claims, start=1)
    )


@dataclass(slots=True)
class PartState:
    """Of one sub-question; only the thread that works on it writes it."""

    part: SubQuestion
    claims: Sequence[Claim] = ()
    dropped: int = 0
    """Claims that were not valid."""
    passages: Sequence[Passage] = ()
    is_read: bool = False
    trouble: AppError | None = None


@dataclass(slots=True)
class ResearchFindings:
    """What a Deep run has found so far; any thread may read it."""

    question: str
    plan: Plan | None = None
    parts: list[PartState] = field(default_factory=list)
    refused: int = 0
    """Claims that their quotations do not support."""
    verified: Sequence[Claim] | None = None
    """The claims that stand, once they are tested."""
    contradictions: Sequence[Contradiction] = ()

    @property
    def dropped(self) -> int:
        return self.refused + sum(state.dropped for state in self.parts)

    @property
    def claims(self) -> list[Claim]:
        """In the order of the plan; only those that stand, once they are verified."""
        if self.verified is not None:
            return list(self.verified)
        found: dict[str, Claim] = {}
        for state in self.parts:
            for claim in state.claims:
                found.setdefault(claim.text.casefold(), claim)
        return list(found.values())

    @property
    def passages(self) -> list[Passage]:
        return [one for state in self.parts for one in state.passages]
