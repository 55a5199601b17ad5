"""Running a turn from the command line: the same events as the window's, printed."""

import logging
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

from desktop.cli.output import object_json, plain, print_json, say, snake, to_json
from desktop.cli.research import follow_plan, print_research
from desktop.cli.services import CommandServices
from desktop.domain.errors import StorageError
from desktop.domain.events import (
    AnswerRejected,
    ContextReduced,
    Decided,
    FactRemembered,
    ForgetAsked,
    Outcome,
    SessionEnded,
    TextArrived,
    ToolCalled,
    ToolState,
    TurnEnded,
    TurnEvent,
)
from desktop.domain.facts import Fact
from desktop.domain.messages import Citation
from desktop.domain.model import JsonValue
from desktop.domain.routing import Answer, Decision, Guard, Recall, Research, RoutingReason
from desktop.domain.tiers import Tier
from desktop.research.routing.decision_texts import tier_name, told
from desktop.sessions.export_citations import Cited, Note, note_of
from desktop.sessions.turn import Turn

log = logging.getLogger(__name__)
_YES = frozenset({"e", "y"})
"""Evet, yes."""


def run_turn(
    services: CommandServices,
    turn: Turn,
    *,
    as_json: bool,
    confirm: Callable[[Sequence[Fact]], None],
) -> TurnEnded:
    """Print the turn as it happens and return how it ended; Ctrl C stops the answer, not us.

    `confirm` is called behind the turn with what the user wants forgotten.
    """
    ended = TurnEnded(turn.id, Outcome.FAILED)
    to_forget: Sequence[Fact] = ()

    def show(event: TurnEvent) -> None:
        nonlocal ended, to_forget
        if isinstance(event, TurnEnded):
            ended = event
        if isinstance(event, ForgetAsked):
            to_forget = event.facts
        if as_json:
            print_json(services, _event_json(event))
        else:
            _print_event(services, event)
        if isinstance(event, ToolCalled):
            follow_call(services, turn, event, as_json=as_json)
        follow_plan(services, turn, event)

    with _stopping(turn):
        turn.run(show)
    if to_forget:
        confirm(to_forget)
    return ended


@contextmanager
def _stopping(turn: Turn) -> Iterator[None]:
    def stop(_signal: int, _frame: FrameType | None) -> None:
        turn.cancel()

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _event_json(event: TurnEvent) -> dict[str, JsonValue]:
    value: dict[str, JsonValue] = {"event": snake(type(event).__name__)}
    for name in event.__dataclass_fields__:
        one = getattr(event, name)
        value[name] = _decision_json(one) if name == "decision" else to_json(one)
    return value


def _decision_json(decision: Decision | None) -> JsonValue:
    if decision is None:
        return None
    nested = {"then": _decision_json(decision.then)} if isinstance(decision, Guard) else {}
    reason = {"reason": decision.reason.value} if isinstance(decision, Guard) else {}
    return {"kind": snake(type(decision).__name__), **reason, **object_json(decision), **nested}


def _print_event(services: CommandServices, event: TurnEvent) -> None:
    match event:
        case TextArrived(text=text):
            print(plain(text), end="", file=services.stdout, flush=True)
        case SessionEnded(why=why, phrase=phrase, session=session):
            title = session.title or session.opening
            say(services, f"session.ended_{why.value}", phrase=phrase, title=title)
        case Decided(decision=decision):
            _print_decision(services, decision)
        case AnswerRejected(said=said):
            # What was printed of it stays above; the next one begins on a line of its own.
            print(file=services.stdout, flush=True)
            print(said, file=services.stderr)
        case FactRemembered():
            _print_remembered(services, event)
        case ContextReduced(left_out=left_out, compacted=compacted):
            key, n = ("left_out", left_out) if left_out else ("compacted", compacted)
            print(services.texts.count(f"session.{key}", n), file=services.stderr)
        case TurnEnded():
            _print_end(services, event)
        case _:
            print_research(services, event)


def _print_decision(services: CommandServices, decision: Decision) -> None:
    match decision:
        case Recall():
            say(services, "recall.searched")
        case Answer(reason=RoutingReason.NO_TIER, words=tier):
            say(services, "decision.fell_back", tier=tier_name(Tier(tier), services.texts))
        case Research():
            print(told(decision, services.texts).reason, file=services.stderr)
            if (
                decision.reason is RoutingReason.FRESH
                and not services.core.settings_store.current.uses_web
            ):
                say(services, "errors.web_off")
        case _:
            pass


def _print_remembered(services: CommandServices, event: FactRemembered) -> None:
    if event.replaced is None:
        say(services, "memory.remembered", fact=event.fact.content)
    else:
        older = event.replaced.content
        say(services, "memory.remembered_instead", fact=event.fact.content, older=older)


def _print_end(services: CommandServices, ended: TurnEnded) -> None:
    if ended.text:
        print(file=services.stdout)
    print_notes(services, ended)
    if ended.error:
        print(services.texts.error(ended.error), file=services.stderr)
    if ended.outcome is Outcome.STOPPED:
        say(services, "session.stopped")


def follow_call(
    services: CommandServices, turn: Turn, called: ToolCalled, *, as_json: bool
) -> None:
    match called.state:
        case ToolState.ASKING:
            is_allowed = not as_json and _is_allowed(services, called)
            turn.replies.allow(called.call_id, is_allowed=is_allowed)
        case ToolState.DONE if not as_json:
            say(services, f"tools.{called.name}_did")
        case _:
            pass


def _is_allowed(services: CommandServices, called: ToolCalled) -> bool:
    """Where nobody can be asked, nobody has allowed it."""
    if not services.stdin.isatty():
        return False
    key = "tools.asking" if called.summary else "tools.asking_plain"
    if called.is_from_evidence:
        key = "tools.asking_from_evidence"
    purpose = services.texts.say(f"tools.{called.name}")
    say(services, key, purpose=purpose, summary=called.summary)
    print(services.texts.say("tools.may_it"), end="", file=services.stderr, flush=True)
    return services.stdin.readline().strip().lower()[:1] in _YES


def print_notes(services: CommandServices, ended: TurnEnded) -> None:
    """Of what the answer does not quote itself."""
    told = Cited(texts=services.texts)
    notes = [_note(services, one) for one in ended.citations if not _is_quoted(one, ended)]
    if notes:
        print(file=services.stdout)
    for note in notes:
        doubt = "" if note.is_checked else "?"
        line = " · ".join(filter(None, (told.words(note), note.address)))
        print(plain(f"[{note.citation.number}{doubt}] {line}"), file=services.stdout)


def _is_quoted(citation: Citation, ended: TurnEnded) -> bool:
    """Whether the answer is a quotation of it, under the name of its source."""
    return f"> {' '.join(citation.quote.split())} [{citation.number}]" in ended.text


def _note(services: CommandServices, citation: Citation) -> Note:
    try:
        return note_of(services.archive, citation)
    except StorageError as exc:
        log.info("where an answer cites from could not be read: %s", exc.key)
        return Note(citation)
