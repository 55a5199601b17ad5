"""Runs a turn from the command line: the same events as the window's, printed."""

import logging
import signal
from collections.abc import Callable, Sequence
from dataclasses import replace

from desktop.cli.commands import CommandServices, object_json, plain, snake, to_json
from desktop.domain import events, routing
from desktop.domain.claims import JudgedClaim
from desktop.domain.errors import AppError, LlmError, StorageError
from desktop.domain.facts import Fact
from desktop.domain.json_values import JsonValue
from desktop.domain.messages import Citation
from desktop.domain.research import Estimate, Plan, ResearchLimits, Spent, StepState, SubQuestion
from desktop.domain.search import RecalledItem
from desktop.language.sentences import plain_text
from desktop.research.tools.tool_texts import tool_did, tool_purpose
from desktop.research.turn_trace import describe_decision, tier_name
from desktop.sessions.conversation.turn import Turn
from desktop.sessions.exporting.contents import CitationNote, Cited, note_of, with_sentences

log = logging.getLogger(__name__)


def run_turn(
    services: CommandServices, turn: Turn, *, confirm: Callable[[Sequence[Fact]], None]
) -> events.TurnEnded:
    """Print the turn as it happens and return its outcome; Ctrl C stops only the answer.

    `confirm` is called after the turn with the facts that the user wants forgotten.
    """
    ended = events.TurnEnded(turn.id, events.Outcome.FAILED)
    to_forget: Sequence[Fact] = ()
    recalled: Sequence[RecalledItem] = ()

    def show(event: events.TurnEvent) -> None:
        nonlocal ended, to_forget, recalled
        event, claims, problem = _with_checked_claims(services, turn, event)
        _print_event(services, event, claims, problem)
        match event:
            case events.TurnEnded():
                ended = event
            case events.PassagesRecalled(items=items):
                recalled = items
            case events.ForgetAsked(facts=facts):
                to_forget = facts
            case events.ToolCalled(state=events.ToolState.ASKING):
                turn.replies.allow(event.call_id, is_allowed=_is_allowed(services, event))
            case events.PlanProposed(waits=True):
                turn.replies.answer_plan(review_plan(services, event))
            case _:
                pass

    before = signal.signal(signal.SIGINT, lambda *_: turn.cancel())
    try:
        turn.run(show)
    finally:
        signal.signal(signal.SIGINT, before)
    _print_recalled(services, ended, recalled)
    _say_what_is_left_out(services)
    if to_forget:
        confirm(to_forget)
    return ended


def _with_checked_claims(
    services: CommandServices, turn: Turn, event: events.TurnEvent
) -> tuple[events.TurnEvent, Sequence[JudgedClaim], AppError | None]:
    """Check the claims of an answer at its end: its text is printed. Ctrl C stops only that.

    Also returns why they could not be checked, which is printed below the answer.
    """
    match event:
        case events.TurnEnded(message_id=int() as answer, citations=[_, *_]):
            try:
                checked = services.core.claims.check(answer, turn.hold)
            except (LlmError, StorageError) as exc:
                return event, (), exc
            if checked is None:
                return event, (), None
            usage = event.usage + checked.usage
            claims = checked.review.claims
            return replace(event, citations=checked.citations, usage=usage), claims, None
        case _:
            return event, (), None


def _event_json(event: events.TurnEvent) -> dict[str, JsonValue]:
    value: dict[str, JsonValue] = {"event": snake(type(event).__name__)}
    for name in event.__dataclass_fields__:
        content = getattr(event, name)
        value[name] = _decision_json(content) if name == "decision" else to_json(content)
    return value


def _claim_json(answer: str, claim: JudgedClaim) -> JsonValue:
    words = next((each.words for each in claim.cited if each.support is claim.support), "")
    return {
        "text": plain_text(answer[claim.start : claim.end]),
        "citations": [each.number for each in claim.cited],
        "support": claim.support.value,
        "support_words": words,
    }


def _decision_json(decision: routing.Decision | None) -> JsonValue:
    if decision is None:
        return None
    value = {"kind": snake(type(decision).__name__), **object_json(decision)}
    if isinstance(decision, routing.Guard):
        value |= {"reason": decision.reason.value, "then": _decision_json(decision.then)}
    return value


def _print_event(
    services: CommandServices,
    event: events.TurnEvent,
    claims: Sequence[JudgedClaim],
    problem: AppError | None,
) -> None:
    if not services.as_json:
        _print_plainly(services, event, claims)
    else:
        value = _event_json(event)
        if isinstance(event, events.TurnEnded):
            value["claims"] = [_claim_json(event.text, claim) for claim in claims]
        services.print_json(value)
    if problem is not None:
        services.note(services.texts.error(problem))
    if services.as_json and isinstance(event, events.TurnEnded) and event.error:
        services.note(services.texts.error(event.error))


def _print_plainly(
    services: CommandServices, event: events.TurnEvent, claims: Sequence[JudgedClaim]
) -> None:
    match event:
        case events.TextArrived(text=text, is_instead=True):
            services.print_line()
            services.note(services.texts.say("cli.reasoning_above"))
            services.print_text(plain(text))
        case events.TextArrived(text=text):
            services.print_text(plain(text))
        case events.SessionEnded(why=why, phrase=phrase, session=session):
            title = session.title or session.opening
            services.say(f"session.ended_{why.value}", phrase=phrase, title=title)
        case events.Decided(decision=decision):
            _print_decision(services, routing.shown_decision(decision))
        case events.AnswerRejected(said=notice):
            # The rejected answer stays above; the next one begins on a line of its own.
            services.print_line()
            services.note(notice)
        case events.TurnEnded():
            _print_end(services, event, claims)
        case _:
            _print_aside(services, event)


def _print_aside(services: CommandServices, event: events.TurnEvent) -> None:
    match event:
        case events.FactRemembered(fact=fact, replaced=None):
            services.say("memory.remembered", fact=fact.content)
        case events.FactRemembered(fact=fact, replaced=Fact(content=older)):
            services.say("memory.remembered_instead", fact=fact.content, older=older)
        case events.ContextReduced(left_out=left_out, compacted=compacted):
            key, n = ("left_out", left_out) if left_out else ("compacted", compacted)
            services.say_count(f"session.{key}", n)
        case events.ToolCalled(name=name, state=events.ToolState.DONE):
            services.note(tool_did(name, services.texts))
        case _:
            print_research(services, event)


def _print_recalled(
    services: CommandServices, ended: events.TurnEnded, items: Sequence[RecalledItem]
) -> None:
    """Print which sessions an answer used, once and below it; a failed answer used none."""
    if ended.outcome is not events.Outcome.COMPLETE or services.as_json:
        return
    sessions = {item.session_id: item.title for item in items if item.session_id}
    documents = dict.fromkeys(item.title for item in items if not item.session_id)
    if sessions:
        titles = " · ".join([*sessions.values(), *documents])
        services.say_count("recall.used", len(sessions), titles=titles)
    elif documents:
        services.say_count("recall.used_documents", len(documents), titles=" · ".join(documents))


def _say_what_is_left_out(services: CommandServices) -> None:
    """Say which tools from elsewhere could not be used, or wait until the user has seen them."""
    for problem in services.core.tool_servers.problems():
        services.note(services.texts.error(problem))
    unseen = services.core.tool_servers.unseen()
    for name in dict.fromkeys(tool.server for tool in unseen):
        services.say("outside.unseen", name=name)


def _print_decision(services: CommandServices, decision: routing.Decision) -> None:
    match decision:
        case routing.Recall():
            services.say("recall.searched")
        case routing.Answer(reason=routing.RoutingReason.NO_TIER, words=tier):
            services.say("decision.fell_back", tier=tier_name(routing.Tier(tier), services.texts))
        case routing.Research():
            services.note(describe_decision(routing.label_decision(decision), services.texts))
            uses_web = services.core.settings_store.current.uses_web
            if decision.reason is routing.RoutingReason.FRESH and not uses_web:
                services.say("errors.web_off")
        case _:
            pass


def _print_end(
    services: CommandServices, ended: events.TurnEnded, claims: Sequence[JudgedClaim]
) -> None:
    if ended.text:
        services.print_line()
    _print_notes(services, ended, claims)
    if ended.error:
        services.note(services.texts.error(ended.error))
    if isinstance(ended.error, LlmError):
        services.say("models.hint")
    if ended.outcome is events.Outcome.STOPPED:
        services.say("session.stopped")
    elif ended.is_cut:
        services.say("fallback.cut")


def _is_allowed(services: CommandServices, called: events.ToolCalled) -> bool:
    """Return whether the user allows the call; without a terminal, no call is allowed."""
    if not services.can_ask():
        return False
    plainly = "tools.asking" if called.summary else "tools.asking_plain"
    key = "tools.asking_from_evidence" if called.is_from_evidence else plainly
    purpose, summary = tool_purpose(called.name, services.texts), called.summary
    services.say(key, purpose=purpose, summary=called.arguments or summary)
    return services.confirm("tools.may_it")


def _print_notes(
    services: CommandServices, ended: events.TurnEnded, claims: Sequence[JudgedClaim]
) -> None:
    cited = Cited(services.texts)
    citations = [citation for citation in ended.citations if not _is_quoted(citation, ended)]
    if citations:
        services.print_line()
    for citation in citations:
        note = with_sentences(_note(services, citation), ended.text, claims)
        line = " · ".join(filter(None, (cited.words(note), note.address)))
        services.print_line(plain(f"[{note.number}] {line}"))


def _is_quoted(citation: Citation, ended: events.TurnEnded) -> bool:
    """Whether the answer quotes the citation under the name of its source."""
    return f"> {' '.join(citation.quote.split())} [{citation.number}]" in ended.text


def _note(services: CommandServices, citation: Citation) -> CitationNote:
    try:
        return note_of(services.archive, citation, services.core.printed_pages.of)
    except StorageError as exc:
        log.info("where an answer cites from could not be read: %s", exc.key)
        return CitationNote(citation)


_STEP_ENDS = {
    StepState.KEPT: "research.step_kept",
    StepState.SKIPPED: "research.step_skipped",
    StepState.FAILED: "research.step_failed",
}
_GIVES_UP = "q"
_MINUTE_S = 60


def print_research(services: CommandServices, event: events.TurnEvent) -> None:
    match event:
        case events.StepStarted(kind=kind, about=about):
            step = services.texts.say(f"research.step_{kind.value}")
            services.note(f"· {step}: {about}" if about else f"· {step}")
        case events.StepEnded(state=state) if state in _STEP_ENDS:
            services.note(f"  {services.texts.say(_STEP_ENDS[state])}")
        case events.SourceFound(title=title, address=address):
            named = f"{title} ({address})" if address.startswith("http") else title
            services.say("research.source_found", title=named)
        case events.ProgressMade(spent=spent, limits=limits):
            _print_progress(services, spent, limits)
        case events.PlanProposed(plan=plan, estimate=estimate, limits=limits):
            _print_plan(services, plan, estimate, limits)
        case _:
            pass


def review_plan(services: CommandServices, event: events.PlanProposed) -> Plan | None:
    """Let the user change the plan, line by line until an empty one; None if they cancel."""
    plan = event.plan
    services.say("research.plan_how")
    while line := services.read_line():
        if line.lower() == _GIVES_UP:
            return None
        plan = replace(plan, parts=_changed(plan.parts, line))
        _print_plan(services, plan, event.forecast_cost.of(plan, event.limits), event.limits)
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
