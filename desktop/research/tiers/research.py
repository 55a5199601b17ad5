"""Research: sub-questions, evidence for each, one check for gaps; then it is written."""

from collections.abc import Sequence

from desktop.domain.errors import LlmError
from desktop.domain.model import JsonValue, Model, ModelRequest
from desktop.domain.research import Limits, StepKind, SubQuestion
from desktop.research.passages import Passage
from desktop.research.tiers.budget import UNLIMITED, LimitReached
from desktop.research.tiers.context_sizing import Sizes
from desktop.research.tiers.evidence_prompt import Gathered, numbered
from desktop.research.tiers.plans import QUESTIONS_SCHEMA, sub_questions
from desktop.research.tiers.run import Run, side_by_side
from desktop.research.tiers.structured_request import Tally
from desktop.research.tiers.sub_questions import (
    Found,
    as_said,
    find_evidence,
    find_gaps,
    questions_in,
)

RESEARCH_LIMITS = Limits(tokens=UNLIMITED, cost_usd=None, searches=8, fetches=6, seconds=180.0)
"""Before the answer, whose request is the session's own; a long session goes along twice."""
RESEARCH_PASSAGES = 20
_SIDE_BY_SIDE = 3
_PAGES_A_PART = 2


def gather_research(run: Run, model: Model | None, sizes: Sizes) -> Gathered:
    """`model`: of the quick role; None where there is none. Raises StorageError, Stopped."""
    parts = _planned(run, model, sizes) if model else questions_in(run.asked.question, run.hands)
    found = _all_found(run, parts, "find", sizes)
    if model is not None and (missing := _gaps(run, model, found)):
        found += _all_found(run, missing, "find:gap", sizes)
    reach = run.hands.reach
    return Gathered(
        numbered(_shared_out(found, sizes.passages)),
        [one.part for one in found],
        used_web=reach is not None,
        unread=len(reach.troubles) if reach else 0,
    )


def _planned(run: Run, model: Model, sizes: Sizes) -> list[SubQuestion]:
    """A plan that cannot be had leaves the question as it is."""
    room = Sizes.of(model.context_tokens(), 1)

    def do(tally: Tally) -> tuple[JsonValue, int]:
        said = as_said(run.asked.said, room.room)
        request = ModelRequest(
            run.hands.words.plan,
            said,
            run.hands.texts.say("research.asks", question=run.asked.question),
            room.output_tokens,
        )
        value = run.asker.ask(model, request, QUESTIONS_SCHEMA, tally)
        return value, len(sub_questions(value, "questions", sizes.parts))

    try:
        value = run.step("plan", StepKind.PLAN, run.asked.question, do)
    except (LlmError, LimitReached):
        value = None
    planned = sub_questions(value, "questions", sizes.parts)
    return planned or questions_in(run.asked.question, run.hands)


def _all_found(run: Run, parts: Sequence[SubQuestion], name: str, sizes: Sizes) -> list[Found]:
    def find(numbered_part: tuple[int, SubQuestion]) -> Found:
        number, part = numbered_part
        return find_evidence(run, f"{name}:{number}", part, sizes, _PAGES_A_PART)

    return side_by_side(find, list(enumerate(parts, start=1)), _SIDE_BY_SIDE)


def _gaps(run: Run, model: Model, found: Sequence[Found]) -> list[SubQuestion]:
    told = [(one.part, [passage.text for passage in one.passages]) for one in found]
    try:
        return find_gaps(run, model, told)
    except (LlmError, LimitReached):
        return []


def _shared_out(found: Sequence[Found], most: int) -> list[Passage]:
    """The best of each sub-question first, then the second of each; none twice."""
    kept: dict[tuple[str, str], Passage] = {}
    for place in range(max((len(one.passages) for one in found), default=0)):
        for one in found:
            for passage in one.passages[place : place + 1]:
                kept.setdefault((passage.cited_in, passage.cited_at), passage)
    return list(kept.values())[:most]
