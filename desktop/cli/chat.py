"""`bellek ask`, `bellek chat`, `bellek claims`: questions, and how sure their answers are."""

from argparse import Namespace
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from desktop.cli.arguments import AUTO
from desktop.cli.commands import (
    Access,
    Command,
    CommandServices,
    describe_ended,
    object_json,
    print_each,
    yes_or_no,
)
from desktop.cli.memory import describe_fact, forget_facts
from desktop.cli.turn_output import run_turn
from desktop.domain.claims import JudgedClaim
from desktop.domain.endpoints import ModelRole
from desktop.domain.errors import (
    AppError,
    CitationsMissingError,
    NoActiveSessionError,
    UsageError,
)
from desktop.domain.events import Outcome
from desktop.domain.facts import Fact
from desktop.domain.ids import SessionId
from desktop.domain.json_values import JsonValue
from desktop.domain.projects import EVERYTHING
from desktop.domain.research import UnfinishedRun
from desktop.domain.routing import Tier, TurnOptions
from desktop.language.sentences import plain_text

_QUIT = ("/quit", "/exit", "/çık")
_END = ("/end", "/bitir")
_HELP = ("/help", "/?", "/yardım")


def _ask(services: CommandServices, options: Namespace) -> int:
    """Ask in the active session, or begin one if there is none, and leave it active."""
    if not options.text.strip():
        raise UsageError(detail="ask TEXT")
    assistant = services.core.assistant
    _say_how_to_begin(services)
    _choose_session(services, options.session)
    _choose_project(services, options.project)

    def say_how_to_forget(facts: Sequence[Fact]) -> None:
        if services.as_json:
            return
        services.say("memory.would_forget")
        for fact in facts:
            services.print_line(describe_fact(services.texts, fact))
        services.say("memory.forget_how", ids=" ".join(fact.id for fact in facts))

    tier = None if options.tier == AUTO else Tier(options.tier)
    if tier in {None, Tier.DEEP} and (cut_off := _unfinished_of(services, options.text)):
        turn = assistant.resume_research(cut_off)
    else:
        files = [assistant.files.add(Path(path)) for path in options.files]
        shows_plan = services.can_ask()
        turn = assistant.ask(
            options.text, TurnOptions(tier=tier, files=files, shows_plan=shows_plan)
        )
    ended = run_turn(services, turn, confirm=say_how_to_forget)
    describe_ended(services)
    return 1 if ended.outcome is Outcome.FAILED else 0


def _say_how_to_begin(services: CommandServices) -> None:
    has_model = (
        services.core.models.for_role(ModelRole.ANSWERING, services.core.settings()) is not None
    )
    if not has_model and not services.archive.sessions(EVERYTHING, limit=1):
        services.say("models.begin")


def _choose_session(services: CommandServices, choice: str | None) -> None:
    assistant = services.core.assistant
    assistant.unfinished()
    assistant.continue_unfinished(is_wanted=False)
    if choice == "new":
        assistant.end()
    elif choice == "active":
        if assistant.active is None:
            raise NoActiveSessionError
    elif choice is not None:
        assistant.resume(SessionId(choice))
    else:
        assistant.idle_end()


def _choose_project(services: CommandServices, name: str | None) -> None:
    """Begin a session in a project, unless the active one is there."""
    if name is None:
        return
    assistant = services.core.assistant
    assistant.project = services.archive.project_named(name).id
    if assistant.active and assistant.active.session.project != assistant.project:
        assistant.end()


def _unfinished_of(services: CommandServices, question: str) -> UnfinishedRun | None:
    """Return an interrupted deep run of the same question; mention any others."""
    runs = services.core.assistant.unfinished_research()
    wording = " ".join(question.split())
    unfinished_run = next((run for run in runs if " ".join(run.question.split()) == wording), None)
    if unfinished_run is None and runs:
        _say_unfinished(services, runs[0])
        services.say("research.unfinished_how")
    return unfinished_run


def _say_unfinished(services: CommandServices, run: UnfinishedRun) -> None:
    short = " ".join(run.question.split())[:120]
    services.say("research.unfinished", question=short, steps=run.steps)


def _chat(services: CommandServices, options: Namespace) -> None:
    """Loop until the input ends; the session then ends as it does when a window closes."""
    assistant = services.core.assistant
    first = _offer_unfinished(services)
    _choose_project(services, getattr(options, "project", None))  # the program may begin with this
    services.say("cli.chat_welcome")
    _say_how_to_begin(services)
    confirm = partial(_ask_to_forget, services)
    try:
        first = first or _offer_research(services)
        while (line := first or services.read_line()) is not None:
            first = ""
            word = line.lower()
            if word in _QUIT:
                break
            if word in _END:
                _end(services)
            elif _is_slash_word(word):
                _help(services, word)
            elif line:
                turn = assistant.ask(line, TurnOptions(shows_plan=services.can_ask()))
                run_turn(services, turn, confirm=confirm)
                describe_ended(services)
    finally:
        assistant.close()
    describe_ended(services)


def _is_slash_word(line: str) -> bool:
    """Whether a line is a slash command, known or not; a path is not."""
    return line.startswith("/") and "/" not in line.split(maxsplit=1)[0][1:]


def _help(services: CommandServices, line: str) -> None:
    if line not in _HELP:
        services.say("cli.chat_unknown", word=line.split(maxsplit=1)[0])
    services.say("cli.chat_help")


def _go_on(services: CommandServices, prompt_key: str) -> bool | str | None:
    """Ask yes or no: an empty line means yes, the end None; other words are the first message."""
    line = services.read_line(services.texts.say(prompt_key))
    answer = yes_or_no(line) if line else None if line is None else True
    return line if answer is None else answer


def _offer_unfinished(services: CommandServices) -> str:
    """Offer to continue the last session; return the answer if it is a message."""
    session = services.core.assistant.unfinished()
    if session is None:
        return ""
    about = services.texts.say(
        "session.unfinished_about",
        title=session.title or session.opening,
        when=f"{session.updated_at.astimezone():%d.%m.%Y %H:%M}",
        length=services.texts.count("session.length", session.messages),
    )
    services.say("session.unfinished")
    services.note(about)
    answer = _go_on(services, "cli.yes_or_no")
    # The end of the input decides nothing: the session continues, as with a message.
    if answer is False:
        services.core.assistant.decline_unfinished()
        describe_ended(services)
    else:
        services.core.assistant.continue_unfinished()
    return answer if isinstance(answer, str) else ""


def _offer_research(services: CommandServices) -> str:
    """Offer the deep run that a crash or suspend interrupted, if it is this session's.

    Return the answer if it is a message.
    """
    assistant = services.core.assistant
    active = assistant.active.id if assistant.active else None
    runs = (run for run in assistant.unfinished_research() if run.session_id == active)
    if (run := next(runs, None)) is None:
        return ""
    _say_unfinished(services, run)
    answer = _go_on(services, "research.unfinished_go_on")
    if answer is True:
        turn = assistant.resume_research(run)
        run_turn(services, turn, confirm=partial(_ask_to_forget, services))
    return answer if isinstance(answer, str) else ""


def _ask_to_forget(services: CommandServices, facts: Sequence[Fact]) -> None:
    """Forget only after an explicit yes."""
    services.say("memory.would_forget")
    for fact in facts:
        services.note(f"  {fact.content}")
    if services.confirm("memory.forget_now"):
        forget_facts(services, facts)
    else:
        services.say("memory.not_forgotten")


def _end(services: CommandServices) -> None:
    try:
        ended = services.core.assistant.end()
    except AppError:
        services.say("session.end_failed")
        return
    if ended is not None:
        services.say("session.ended_user")
        describe_ended(services)


def _check_claims(services: CommandServices, options: Namespace) -> None:
    """Have a model check what the newest answer of a session claims."""
    session = services.archive.session(SessionId(options.id))
    cited, texts = services.archive.citations(session.id), services.texts
    answers = [message for message in services.archive.messages(session.id) if message.id in cited]
    if not answers:
        raise CitationsMissingError(session=session.shown_title)
    answer = answers[-1]
    checked = services.core.claims.check(answer.id, is_wanted=True)

    def text_of(claim: JudgedClaim) -> str:
        return plain_text(answer.content[claim.start : claim.end])

    def record(claim: JudgedClaim) -> Mapping[str, JsonValue]:
        values: dict[str, JsonValue] = {
            "message_id": answer.id,
            "text": text_of(claim),
            "support": claim.support.value,
        }
        return {**values, **object_json(claim)}

    def line(claim: JudgedClaim) -> str:
        label = texts.say(f"export.claim_{claim.support.value}")
        words = [cited.words for cited in claim.cited if cited.words]
        quotes = (texts.say("export.quote", words=each) for each in words)
        missing = (f"⚠ {warning.words}" for warning in claim.warnings)
        return "\n    ".join([f"{text_of(claim)} ({label})", *quotes, *missing])

    claims = checked.review.claims if checked else ()
    print_each(services, claims, line, as_json=record)


COMMANDS = {
    "ask": Command(_ask, Access.WRITE),
    "chat": Command(_chat, Access.WRITE),
    "check": Command(_check_claims, Access.WRITE),
}
