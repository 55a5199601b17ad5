"""Claims of an answer, and whether the passages that they cite say them."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from enum import StrEnum

from desktop.domain.frozen import dataclass
from desktop.domain.ids import MessageId, SessionId


class Support(StrEnum):
    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    ABSENT = "absent"  # The source does not say it
    UNTESTED = "untested"  # No model, no budget, or a verdict that the program does not accept


class WarningKind(StrEnum):
    NUMBER = "number"
    DATE = "date"
    NAME = "name"
    NEGATION = "negation"


@dataclass(frozen=True, slots=True)
class ClaimWarning:
    """Something of a claim that the cited passages lack, found by rules."""

    kind: WarningKind
    words: str  # As the claim has them


@dataclass(frozen=True, slots=True)
class CitedSupport:
    """What one citation of a claim does for it."""

    number: int  # Of the citation
    support: Support = Support.UNTESTED
    words: str = ""  # The words of the passage that decide


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    """A sentence or clause with the marks of its citations; a span of the answer's text."""

    start: int
    end: int
    cited: Sequence[CitedSupport] = ()
    warnings: Sequence[ClaimWarning] = ()

    @property
    def support(self) -> Support:
        """Return the label of the claim: one passage with the words is enough."""
        return _first_of(_OF_CLAIM, (each.support for each in self.cited))


_OF_CLAIM = (Support.CONTRADICTED, Support.SUPPORTED, Support.ABSENT)
_OF_CITATION = (Support.CONTRADICTED, Support.ABSENT, Support.UNTESTED, Support.SUPPORTED)


def _first_of(order: Sequence[Support], supports: Iterable[Support]) -> Support:
    present = set(supports)
    return next((support for support in order if support in present), Support.UNTESTED)


def support_of(number: int, claims: Iterable[JudgedClaim]) -> CitedSupport:
    """Return what a citation does for all claims with its mark; the worst counts."""
    several = [each for claim in claims for each in claim.cited if each.number == number]
    worst = _first_of(_OF_CITATION, (each.support for each in several))
    return next((each for each in several if each.support is worst), CitedSupport(number))


def differing(
    number: int, claims: Iterable[JudgedClaim]
) -> list[tuple[JudgedClaim, CitedSupport]]:
    """Return the claims of a citation, each with what it does for it; none if it does the same."""
    pairs = [(claim, each) for claim in claims for each in claim.cited if each.number == number]
    return pairs if len({cited.support for _, cited in pairs}) > 1 else []


NOT_SAID = (Support.CONTRADICTED, Support.ABSENT)


@dataclass(frozen=True, slots=True)
class ClaimReview:
    """The claims of one answer, in their order."""

    claims: Sequence[JudgedClaim] = ()
    model: str = ""  # The one that judged; empty if only the rules did
    judged_at: datetime | None = None  # None while the check is due

    @property
    def not_said(self) -> Sequence[JudgedClaim]:
        """Return the claims that their sources contradict or do not say."""
        return [claim for claim in self.claims if claim.support in NOT_SAID]


@dataclass(frozen=True, slots=True)
class DueCheck:
    """An answer whose claims are to be checked."""

    message_id: MessageId
    session_id: SessionId
    asks_model: bool  # Otherwise only the rules look at them
