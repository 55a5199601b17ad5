"""`bellek ask`: one question, answered from the command line."""

from argparse import Namespace
from collections.abc import Sequence

from desktop.cli.memory import print_fact
from desktop.cli.output import say
from desktop.cli.parser import AUTO
from desktop.cli.research import can_ask, unfinished_of
from desktop.cli.services import CommandServices
from desktop.cli.turn_output import describe_ended, run_turn
from desktop.domain.errors import NoActiveSessionError, UsageError
from desktop.domain.events import Outcome
from desktop.domain.facts import Fact
from desktop.domain.ids import SessionId
from desktop.domain.tiers import Tier


def ask(services: CommandServices, options: Namespace) -> int:
    """Goes into the active session, begins one where there is none, and leaves it active."""
    if not options.text.strip():
        raise UsageError(detail="ask TEXT")
    assistant = services.core.assistant
    _choose_session(services, options.session)

    def tell_how(facts: Sequence[Fact]) -> None:
        if options.json:
            return
        say(services, "memory.would_forget")
        for fact in facts:
            print_fact(services, fact)
        say(services, "memory.forget_how", ids=" ".join(fact.id for fact in facts))

    tier = None if options.tier == AUTO else Tier(options.tier)
    cut_off = unfinished_of(services, options.text) if tier in {None, Tier.DEEP} else None
    if cut_off is not None:
        turn = assistant.resume_research(cut_off)
    else:
        shows_plan = can_ask(services, as_json=options.json)
        turn = assistant.ask(options.text, tier=tier, shows_plan=shows_plan)
    ended = run_turn(services, turn, as_json=options.json, confirm=tell_how)
    describe_ended(services, as_json=options.json)
    return 1 if ended.outcome is Outcome.FAILED else 0


def _choose_session(services: CommandServices, wanted: str | None) -> None:
    assistant = services.core.assistant
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
