"""`bellek ask` and `bellek chat`: questions in a terminal, over the same core as the window."""

from argparse import Namespace
from collections.abc import Sequence
from functools import partial

from desktop.cli.memory import forget_facts, print_fact
from desktop.cli.output import describe_ended, say
from desktop.cli.parser import AUTO
from desktop.cli.research import can_ask, tell_unfinished, unfinished_of
from desktop.cli.services import CommandServices
from desktop.cli.turn_output import run_turn
from desktop.domain.errors import AppError, NoActiveSessionError, UsageError
from desktop.domain.events import Outcome
from desktop.domain.facts import Fact
from desktop.domain.ids import SessionId
from desktop.domain.tiers import Tier

_QUIT = frozenset({"/quit", "/exit", "/çık"})
_END = frozenset({"/end", "/bitir"})


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


def chat(services: CommandServices, options: Namespace) -> int:
    """Loops until the input ends; the session then ends as it does when a window closes."""
    _come_back(services)
    say(services, "cli.chat_welcome")
    try:
        _take_up_research(services, as_json=options.json)
        while (line := _read(services)) is not None:
            if line in _QUIT:
                break
            if line in _END:
                _end(services)
            elif line:
                shows_plan = can_ask(services, as_json=options.json)
                run_turn(
                    services,
                    services.core.assistant.ask(line, shows_plan=shows_plan),
                    as_json=options.json,
                    confirm=partial(_ask_to_forget, services),
                )
                describe_ended(services, as_json=options.json)
    finally:
        services.core.assistant.close()
    describe_ended(services, as_json=options.json)
    return 0


def _come_back(services: CommandServices) -> None:
    session = services.core.assistant.unfinished()
    if session is None:
        return
    about = services.texts.say(
        "session.unfinished_about",
        title=session.title or session.opening,
        when=f"{session.updated_at.astimezone():%d.%m.%Y %H:%M}",
        length=services.texts.count("session.length", session.messages),
    )
    say(services, "session.unfinished")
    print(about, file=services.stderr)
    answer = _read(services, prompt=services.texts.say("cli.yes_or_no"))
    if answer is None or answer.strip().lower()[:1] in {"", "e", "y"}:
        services.core.assistant.continue_unfinished()
    else:
        services.core.assistant.decline_unfinished()
        describe_ended(services, as_json=False)


def _take_up_research(services: CommandServices, *, as_json: bool) -> None:
    """Offer the deep run that a crash or a closed lid has cut off, if it is this session's."""
    active = services.core.assistant.active
    runs = services.core.assistant.unfinished_research() if active is not None else []
    run = next((one for one in runs if active and one.session_id == active.id), None)
    if run is None:
        return
    tell_unfinished(services, run)
    answer = _read(services, prompt=services.texts.say("research.unfinished_go_on"))
    if answer is not None and answer.strip().lower()[:1] in {"", "e", "y"}:
        turn = services.core.assistant.resume_research(run)
        run_turn(services, turn, as_json=as_json, confirm=partial(_ask_to_forget, services))


def _ask_to_forget(services: CommandServices, facts: Sequence[Fact]) -> None:
    """Only a plain yes forgets."""
    say(services, "memory.would_forget")
    for fact in facts:
        print(f"  {fact.content}", file=services.stderr)
    answer = _read(services, prompt=services.texts.say("memory.forget_now"))
    if answer is not None and answer.strip().lower()[:1] in {"e", "y"}:
        forget_facts(services, facts)
    else:
        say(services, "memory.not_forgotten")


def _end(services: CommandServices) -> None:
    try:
        ended = services.core.assistant.end()
    except AppError:
        say(services, "session.end_failed")
        return
    if ended is not None:
        say(services, "session.ended_user")
        describe_ended(services, as_json=False)


def _read(services: CommandServices, prompt: str = "> ") -> str | None:
    """The next line, or None at the end of the input."""
    print(prompt, end="", file=services.stderr, flush=True)
    try:
        line = services.stdin.readline()
    except KeyboardInterrupt:
        return None
    return line.strip() if line else None
