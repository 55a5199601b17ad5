"""Research on the command line: its steps and sources as they come, and a plan to agree to."""

from collections.abc import Sequence
from dataclasses import replace

from desktop.cli.output import say
from desktop.cli.services import CommandServices
from desktop.domain.events import (
    PlanProposed,
    ProgressMade,
    SourceFound,
    StepEnded,
    StepStarted,
    TurnEvent,
)
from desktop.domain.research import (
    Estimate,
    Plan,
    ResearchLimits,
    Spent,
    StepState,
    SubQuestion,
    UnfinishedRun,
)
from desktop.sessions.turn import Turn

_STEP_ENDS = {
    StepState.KEPT: "research.step_kept",
    StepState.SKIPPED: "research.step_skipped",
    StepState.FAILED: "research.step_failed",
}
_GIVES_UP = "q"
_MINUTE_S = 60


def can_ask(services: CommandServices, *, as_json: bool) -> bool:
    """Whether somebody sits there who can agree to a plan."""
    return not as_json and services.stdin.isatty()


def print_research(services: CommandServices, event: TurnEvent) -> None:
    """On stderr, a line each."""
    match event:
        case StepStarted(kind=kind, about=about):
            told = services.texts.say(f"research.step_{kind.value}")
            print(f"· {told}: {about}" if about else f"· {told}", file=services.stderr)
        case StepEnded(state=state) if state in _STEP_ENDS:
            print(f"  {services.texts.say(_STEP_ENDS[state])}", file=services.stderr)
        case SourceFound(title=title, address=address):
            named = f"{title} ({address})" if address.startswith("http") else title
            say(services, "research.source_found", title=named)
        case ProgressMade(spent=spent, limits=limits):
            _print_progress(services, spent, limits)
        case PlanProposed():
            _print_plan(services, event)
        case _:
            pass


def follow_plan(services: CommandServices, turn: Turn, event: TurnEvent) -> None:
    """Ask for the user's word where the run waits for it."""
    if isinstance(event, PlanProposed) and event.waits:
        turn.replies.answer_plan(_edited(services, event))


def unfinished_of(services: CommandServices, question: str) -> UnfinishedRun | None:
    """A deep run that was cut off, where the same is asked again; others are told of."""
    runs = services.core.assistant.unfinished_research()
    asked = " ".join(question.split())
    found = next((run for run in runs if " ".join(run.question.split()) == asked), None)
    if found is None and runs:
        tell_unfinished(services, runs[0])
        say(services, "research.unfinished_how")
    return found


def tell_unfinished(services: CommandServices, run: UnfinishedRun) -> None:
    short = " ".join(run.question.split())[:120]
    say(services, "research.unfinished", question=short, steps=run.steps)


def _print_progress(services: CommandServices, spent: Spent, limits: ResearchLimits) -> None:
    if not spent.usage.total_tokens and not spent.searches:
        return
    cost = spent.usage.cost_usd
    values = {
        "tokens": services.texts.number(spent.usage.total_tokens),
        "searches": f"{spent.searches}/{limits.searches}",
        "pages": f"{spent.fetches}/{limits.fetches}",
        "seconds": str(round(spent.seconds)),
    }
    if cost is None:
        say(services, "research.progress", **values)
    else:
        say(services, "research.progress_cost", cost=f"{cost:.3f}", **values)


def _print_plan(services: CommandServices, event: PlanProposed) -> None:
    _print_parts(services, event.plan)
    _print_estimate(services, event.estimate, event.limits)


def _print_estimate(services: CommandServices, expected: Estimate, limits: ResearchLimits) -> None:
    texts = services.texts
    say(
        services,
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
        say(services, "research.estimate_cost", cost=cost, most=most)


def _print_parts(services: CommandServices, plan: Plan) -> None:
    say(services, "research.plan")
    for number, part in enumerate(plan.parts, start=1):
        say(services, "research.plan_part", number=number, question=part.question)
    if plan.outline:
        say(services, "research.plan_outline", headings=" · ".join(plan.outline))


def _edited(services: CommandServices, event: PlanProposed) -> Plan | None:
    """A line at a time until an empty one; None where the user gives it up."""
    plan = event.plan
    say(services, "research.plan_how")
    while line := _line(services):
        if line.lower() == _GIVES_UP:
            return None
        plan = replace(plan, parts=_changed(plan.parts, line))
        _print_parts(services, plan)
        _print_estimate(services, event.forecast_cost.of(plan, event.limits), event.limits)
    return plan


def _changed(parts: Sequence[SubQuestion], line: str) -> list[SubQuestion]:
    if not line.isdecimal():
        return [*parts, SubQuestion(line)]
    left = [part for number, part in enumerate(parts, start=1) if number != int(line)]
    return left or list(parts)


def _line(services: CommandServices) -> str:
    print("> ", end="", file=services.stderr, flush=True)
    return services.stdin.readline().strip()
