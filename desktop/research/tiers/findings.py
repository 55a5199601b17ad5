"""What a deep run has found out so far; whatever ends it, a report can be made of this."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock

from desktop.domain.errors import AppError
from desktop.domain.research import Plan, SubQuestion
from desktop.research.passages import Passage
from desktop.research.tiers.ledger import Claim, Contradiction


@dataclass(slots=True)
class PartState:
    part: SubQuestion
    claims: Sequence[Claim] = ()
    passages: Sequence[Passage] = ()
    is_read: bool = False
    trouble: AppError | None = None


@dataclass(slots=True)
class Findings:
    """Any thread may add; whoever reads sees a state that was."""

    question: str
    plan: Plan | None = None
    parts: list[PartState] = field(default_factory=list)
    dropped: int = 0
    verified: Sequence[Claim] | None = None
    """Once they are tested: those that stand."""
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
        """In the order of the plan; tested where they were."""
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
