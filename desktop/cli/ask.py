"""`bellek ask`: one question, answered from the command line."""

from argparse import Namespace

from desktop.cli.services import CommandServices
from desktop.cli.turns import describe_ended, run_turn
from desktop.domain.errors import NoActiveSessionError, UsageError
from desktop.domain.events import Outcome
from desktop.domain.ids import SessionId


def ask(services: CommandServices, options: Namespace) -> int:
    """Goes into the active session, begins one where there is none, and leaves it active."""
    if not options.text.strip():
        raise UsageError(detail="ask TEXT")
    assistant = services.assistant
    _choose_session(services, options.session)
    ended = run_turn(services, assistant.ask(options.text), as_json=options.json)
    describe_ended(services, as_json=options.json)
    return 1 if ended.outcome is Outcome.FAILED else 0


def _choose_session(services: CommandServices, wanted: str | None) -> None:
    assistant = services.assistant
    assistant.unfinished()
    assistant.continue_unfinished(is_wanted=False)
    if wanted == "new":
        assistant.end()
    elif wanted == "active":
        if assistant.active is None:
            raise NoActiveSessionError
    elif wanted is not None:
        assistant.resume(SessionId(wanted))
    else:
        assistant.idle_end()
