"""Tools that a model calls, as the command line tells of them and asks the user's leave."""

from desktop.cli.output import say
from desktop.cli.services import CommandServices
from desktop.domain.events import ToolCalled, ToolState
from desktop.sessions.turn import Turn

_YES = frozenset({"e", "y"})
"""Evet, yes."""


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
