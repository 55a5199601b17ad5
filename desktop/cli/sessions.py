"""`bellek sessions`: list, show, report, end, resume, delete, rename."""

import json
from argparse import Namespace
from pathlib import Path

from desktop.cli.backup import say_still_held
from desktop.cli.output import describe_ended, object_json, print_json, say
from desktop.cli.services import CommandServices
from desktop.domain.errors import (
    FileNotWrittenError,
    NoActiveSessionError,
    SessionUnknownError,
    UsageError,
)
from desktop.domain.ids import SessionId
from desktop.domain.model import JsonValue
from desktop.domain.sessions import Session
from desktop.research.turn_trace import export_records


def session_json(session: Session) -> dict[str, JsonValue]:
    return object_json(session)


def list_sessions(services: CommandServices, options: Namespace) -> int:
    sessions = services.archive.sessions.sessions()
    if not sessions and not options.json:
        say(services, "cli.no_session")
    for session in sessions:
        if options.json:
            print_json(services, session_json(session))
        else:
            when = f"{session.updated_at.astimezone():%Y-%m-%d %H:%M}"
            mark = services.texts.say("cli.active") if session.status == "active" else ""
            title = session.title or session.opening
            print(f"{session.id}  {when}  {title}  {mark}".rstrip(), file=services.stdout)
    return 0


def show(services: CommandServices, options: Namespace) -> int:
    """Every message and, behind those it stands for, what the model reads in their place."""
    session = services.archive.sessions.session(SessionId(options.id))
    messages = services.archive.sessions.messages(session.id)
    standing = services.archive.compacts.compacts(session.id)
    if options.json:
        said: list[JsonValue] = [object_json(message) for message in messages]
        compacts: list[JsonValue] = [object_json(compact) for compact in standing]
        phases = export_records(services.archive.phases.phases(session.id))
        whole = {"messages": said, "compacts": compacts, "phases": phases}
        print_json(services, {**session_json(session), **whole})
        return 0
    print(session.title or session.opening, file=services.stdout)
    summaries = {compact.to_number: compact.summary for compact in standing}
    for message in messages:
        who = services.texts.say(f"cli.{message.role.value}")
        print(f"\n{message.number}. {who}\n{message.content}", file=services.stdout)
        if message.number in summaries:
            print(f"\n{summaries[message.number]}", file=services.stdout)
    return 0


def report(services: CommandServices, options: Namespace) -> int:
    """The phases of a session for a bug report: names, times and figures.

    No contents, unless the user wants the messages to go along.
    """
    session = services.archive.sessions.session(SessionId(options.id))
    phases = export_records(services.archive.phases.phases(session.id))
    whole: dict[str, JsonValue] = {"id": session.id, "phases": phases}
    if options.with_contents:
        messages = services.archive.sessions.messages(session.id)
        whole["messages"] = [object_json(message) for message in messages]
    if not options.output:
        print_json(services, whole)
        return 0
    path = Path(options.output)
    try:
        path.write_text(f"{json.dumps(whole, indent=2)}\n", encoding="utf-8")
    except OSError as exc:
        detail = exc.strerror or type(exc).__name__
        raise FileNotWrittenError(path=str(path), detail=detail) from exc
    return 0


def end(services: CommandServices, options: Namespace) -> int:
    """End the active session; an id has to be the active one's."""
    assistant = services.core.assistant
    assistant.unfinished()
    found = assistant.continue_unfinished()
    if found is None:
        raise NoActiveSessionError
    if options.id and options.id != found.id:
        raise SessionUnknownError(session=options.id)
    assistant.end()
    describe_ended(services, as_json=True)
    return _report(services, options, found.id, "session.ended_user")


def resume(services: CommandServices, options: Namespace) -> int:
    assistant = services.core.assistant
    assistant.unfinished()
    assistant.continue_unfinished()
    session = assistant.resume(SessionId(options.id))
    describe_ended(services, as_json=True)
    return _report(services, options, session.id, "session.resumed")


def delete(services: CommandServices, options: Namespace) -> int:
    """Final at once: a command has no undo."""
    deleted = services.archive.delete_session(SessionId(options.id), is_final=True)
    session = deleted.session
    if options.json:
        print_json(services, {"id": session.id, "deleted": True})
    else:
        say(services, "session.deleted", title=session.title or session.opening)
    say_still_held(services, deleted.backups)
    return 0


def rename(services: CommandServices, options: Namespace) -> int:
    if not options.title.strip():
        raise UsageError(detail="sessions rename ID TITLE")
    services.core.assistant.rename(SessionId(options.id), options.title)
    describe_ended(services, as_json=True)
    return _report(services, options, SessionId(options.id), "cli.renamed")


def _report(services: CommandServices, options: Namespace, session_id: SessionId, key: str) -> int:
    session = services.archive.sessions.session(session_id)
    if options.json:
        print_json(services, session_json(session))
    else:
        say(services, key, title=session.title or session.opening)
    return 0
