"""The evidence ledger of a Deep run: claims, their quotations, verdicts and contradictions."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from threading import Lock

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

    @property
    def is_kept(self) -> bool:
        return self.verdict is not Verdict.UNSUPPORTED


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
        passage = _where(quote, one.get("passage"), passages)
        if not text or passage is None or is_suspicious(f"{text}\n{quote}"):
            dropped += 1
            continue
        found.setdefault(text.casefold(), Claim(part, text, quote, passage))
    return list(found.values()), dropped


def parse_verdicts(value: JsonValue, claims: Sequence[Claim]) -> list[Claim]:
    """The claims with their verdicts; one without exactly one verdict is untested."""
    given: dict[int, set[str]] = {}
    for one in objects_in(value, "verdicts"):
        number, verdict = one.get("number"), one.get("verdict")
        if isinstance(number, int) and isinstance(verdict, str):
            given.setdefault(number, set()).add(verdict)
    return [
        replace(claim, verdict=_verdict(given.get(number, set())))
        for number, claim in enumerate(claims, start=1)
    ]


def parse_contradictions(value: JsonValue, claims: Sequence[Claim]) -> list[Contradiction]:
    """Contradictions between known claims of two different sources; none twice."""
    found: dict[tuple[int, int], Contradiction] = {}
    for one in objects_in(value, "contradictions"):
        pair = _pair(one.get("first"), one.get("second"), len(claims))
        # It goes on behind it.
        about = short_line(one.get("about"), _LONGEST_CLAIM).rstrip(".:; ")
        if pair is None or not about:
            continue
        first, second = pair
        if claims[first - 1].passage.cited_in != claims[second - 1].passage.cited_in:
            found.setdefault(pair, Contradiction(first, second, about))
    return list(found.values())


def as_passages(claims: Sequence[Claim]) -> tuple[Passage, ...]:
    """The quotation of each claim as a passage with the number of the claim."""
    return tuple(
        replace(one.passage, number=number, text=one.quote)
        for number, one in enumerate(claims, start=1)
    )


def _where(quote: str, number: JsonValue, passages: Sequence[Passage]) -> Passage | None:
    if len(quote.split()) < _LEAST_WORDS:
        return None
    named = [one for one in passages if one.number == number]
    others = [one for one in passages if one.number != number]
    return next((one for one in (*named, *others) if stands_in(quote, one.stored)), None)


def _verdict(given: set[str]) -> Verdict:
    is_known = len(given) == 1 and given <= set(Verdict)
    return Verdict(given.pop()) if is_known else Verdict.UNTESTED


def _pair(first: JsonValue, second: JsonValue, count: int) -> tuple[int, int] | None:
    if not isinstance(first, int) or not isinstance(second, int) or first == second:
        return None
    lower, higher = sorted((first, second))
    return (lower, higher) if lower >= 1 and higher <= count else None


@dataclass(slots=True)
class PartState:
    part: SubQuestion
    claims: Sequence[Claim] = ()
    passages: Sequence[Passage] = ()
    is_read: bool = False
    trouble: AppError | None = None


@dataclass(slots=True)
class ResearchFindings:
    """What a Deep run has found so far; thread-safe."""

    question: str
    plan: Plan | None = None
    parts: list[PartState] = field(default_factory=list)
    dropped: int = 0
    verified: Sequence[Claim] | None = None
    """The claims that stand, once they are tested."""
    contradictions: Sequence[Contradiction] = ()
    _lock: Lock = field(default_factory=Lock)

    def begin(self, part: SubQuestion) -> PartState:
        with self._lock:
            state = PartState(part)
            self.parts.append(state)
            return state

    def drop(self, count: int) -> None:
        with self._lock:
            self.dropped += count

    @property
    def claims(self) -> list[Claim]:
        """In the order of the plan; only those that stand, once they are verified."""
        with self._lock:
            if self.verified is not None:
                return list(self.verified)
            found: dict[str, Claim] = {}
            for state in self.parts:
                for claim in state.claims:
                    found.setdefault(claim.text.casefold(), claim)
            return list(found.values())

    @property
    def passages(self) -> list[Passage]:
        with self._lock:
            return [one for state in self.parts for one in state.passages]

    def claims_on(self, part: SubQuestion) -> list[Claim]:
        return [one for one in self.claims if one.part == part.question]
