"""Research on the command line: its steps and sources as they come, and a plan to confirm."""

from collections.abc import Sequence
from dataclasses import replace

from desktop.cli.services import CommandServices
from desktop.domain.events import (
    PlanProposed,
    ProgressMade,
    SourceFound,
    StepEnded,
    StepStarted,
    TurnEvent,
)
from desktop.domain.research import Estimate, Plan, ResearchLimits, Spent, StepState, SubQuestion

_STEP_ENDS = {
    StepState.KEPT: "research.step_kept",
    StepState.SKIPPED: "research.step_skipped",
    StepState.FAILED: "research.step_failed",
}
_GIVES_UP = "q"
_MINUTE_S = 60


def print_research(services: CommandServices, event: TurnEvent) -> None:
    match event:
        case StepStarted(kind=kind, about=about):
            step = services.texts.say(f"research.step_{kind.value}")
            services.note(f"· {step}: {about}" if about else f"· {step}")
        case StepEnded(state=state) if state in _STEP_ENDS:
            services.note(f"  {services.texts.say(_STEP_ENDS[state])}")
        case SourceFound(title=title, address=address):
            named = f"{title} ({address})" if address.startswith("http") else title
            services.say("research.source_found", title=named)
        case ProgressMade(spent=spent, limits=limits):
            _print_progress(services, spent, limits)
        case PlanProposed(plan=plan, estimate=estimate, limits=limits):
            _print_plan(services, plan, estimate, limits)
        case _:
            pass


def review_plan(services: CommandServices, event: PlanProposed) -> Plan | None:
    """Let the user change the plan, line by line until an empty one; None if they cancel."""
    plan = event.plan
    services.say("research.plan_how")
    while line := services.read_line():
        if line.lower() == _GIVES_UP:
            return None
        plan = replace(plan, parts=_changed(plan.parts, line))
        estimate = event.forecast_cost.of(plan, event.limits)
        _print_plan(services, plan, estimate, event.limits)
    return plan


def _changed(parts: Sequence[SubQuestion], line: str) -> list[SubQuestion]:
    if not line.isdecimal():
        return [*parts, SubQuestion(line)]
    left = [part for number, part in enumerate(parts, start=1) if number != int(line)]
    return left or list(parts)


def _print_progress(services: CommandServices, spent: Spent, limits: ResearchLimits) -> None:
    if not spent.usage.total_tokens and not spent.searches:
        return
    cost = spent.usage.cost_usd
    services.say(
        "research.progress" if cost is None else "research.progress_cost",
        tokens=services.texts.number(spent.usage.total_tokens),
        searches=f"{spent.searches}/{limits.searches}",
        pages=f"{spent.fetches}/{limits.fetches}",
        seconds=str(round(spent.seconds)),
        cost="" if cost is None else f"{cost:.3f}",
    )


def _print_plan(
    services: CommandServices, plan: Plan, expected: Estimate, limits: ResearchLimits
) -> None:
    texts = services.texts
    services.say("research.plan")
    for number, part in enumerate(plan.parts, start=1):
        services.say("research.plan_part", number=number, question=part.question)
    if plan.outline:
        services.say("research.plan_outline", headings=" · ".join(plan.outline))
    services.say(
        "research.estimate",
        tokens=texts.number(expected.tokens),
        searches=expected.searches,
        most=texts.number(limits.tokens),
        most_searches=limits.searches,
        most_fetches=limits.fetches,
        minutes=round(limits.seconds / _MINUTE_S),
    )
    if expected.cost_usd is not None and limits.cost_usd is not None:
        cost, most = f"{expected.cost_usd:.2f}", f"{limits.cost_usd:.2f}"
        services.say("research.estimate_cost", cost=cost, most=most)
