"""`bellek sessions`: list, show, report, end, resume, delete, rename."""

import json
from argparse import Namespace
from typing import TYPE_CHECKING

from desktop.cli.commands import (
    Access,
    Command,
    CommandServices,
    describe_ended,
    object_json,
    print_each,
    to_json,
    written_to,
)
from desktop.domain.errors import NoActiveSessionError, SessionUnknownError, UsageError
from desktop.domain.ids import SessionId
from desktop.domain.json_values import JsonValue
from desktop.domain.messages import MessageState
from desktop.domain.projects import EVERYTHING
from desktop.domain.sessions import Session
from desktop.domain.sharing import ItemKind
from desktop.research.turn_trace import export_records

if TYPE_CHECKING:
    from desktop.sessions.conversation.session_description import SessionPage


def _list(services: CommandServices, options: Namespace) -> None:
    owners = services.archive.owners(ItemKind.SESSION)

    def line(session: Session) -> str:
        when = f"{session.updated_at.astimezone():%Y-%m-%d %H:%M}"
        key = "active" if session.status == "active" else "archived"
        mark = services.texts.say(f"cli.{key}") if key == "active" or session.is_archived else ""
        owner = (
            services.texts.say("sharing.by", name=name) if (name := owners.get(session.id)) else ""
        )
        parts = (session.id, when, session.title or session.opening, owner, mark)
        return "  ".join(filter(None, parts))

    sessions = services.archive.sessions(EVERYTHING, is_archived=options.archived or None)
    empty = "cli.none_archived" if options.archived else "cli.no_session"
    print_each(services, sessions, line, empty=empty)


def _show(services: CommandServices, options: Namespace) -> None:
    """Print the page of a session, and every message.

    What the model reads instead of messages is printed after those it replaces.
    """
    session = services.archive.session(SessionId(options.id))
    messages = services.archive.messages(session.id)
    compacts = services.archive.compacts(session.id)
    page = services.core.pages.read(session.id)
    if services.as_json:
        whole = {"messages": to_json(messages), "compacts": to_json(compacts)}
        phases = export_records(services.archive.phases(session.id))
        details = object_json(page)
        del details["session"]
        services.print_json({**object_json(session), **details, **whole, "phases": phases})
        return
    _print_page(services, page)
    summaries = {compact.to_number: compact.summary for compact in compacts}
    for message in messages:
        who = services.texts.say(f"cli.{message.role.value}")
        services.print_line(f"\n{message.number}. {who}\n{message.content}")
        if message.state in {MessageState.INTERRUPTED, MessageState.STOPPED}:
            services.print_line(services.texts.say(f"session.{message.state.value}"))
        if message.number in summaries:
            services.print_line(f"\n{summaries[message.number]}")
    if (removed := services.archive.removed_originals(session.id)) is not None:
        for compact in services.archive.summaries(session.id):
            services.print_line(f"\n{compact.summary}\n")
        services.say("errors.originals_removed", path=removed.exported_to)


def _print_page(services: CommandServices, page: "SessionPage") -> None:
    from desktop.memory.active_memory import preference_name  # noqa: PLC0415 - not to list

    session, texts = page.session, services.texts
    spent = page.usage
    cost = f" · ${spent.cost_usd:.2f}" if spent.cost_usd else ""
    lines = {
        "owner": services.archive.owners(ItemKind.SESSION).get(session.id, ""),
        "topics": " · ".join(session.topics),
        "sources": " · ".join(source.citation.title for source in page.sources),
        "facts": " · ".join(fact.content for fact in page.facts),
        "preferences": " · ".join(
            preference_name(preference, texts) for preference in page.preferences
        ),
        "describing_model": page.describing_model,
        "spent": f"{texts.number(spent.total_tokens)}{cost}" if spent.total_tokens else "",
        "related": " · ".join(
            f"{session.title} ({session.session_id})" for session in page.related
        ),
        "diary": page.diary.isoformat() if page.diary else "",
    }
    services.print_line(session.shown_title)
    if session.summary:
        services.print_line(session.summary)
    for name, words in lines.items():
        if words:
            services.print_line(f"{texts.say(f'session_page.{name}')}: {words}")


def _report(services: CommandServices, options: Namespace) -> None:
    """Print the intents and phases of a session for a bug report: names, times and figures.

    Without contents, unless the user includes the messages.
    """
    session = services.archive.session(SessionId(options.id))
    phases = export_records(services.archive.phases(session.id))
    intents: list[JsonValue] = [
        {
            "number": message.number,
            "intent": message.annotation.intent,
            "sure": message.annotation.confidence,
        }
        for message in services.archive.annotations(session.id)
    ]
    whole: dict[str, JsonValue] = {"id": session.id, "intents": intents, "phases": phases}
    if options.with_contents:
        whole["messages"] = to_json(services.archive.messages(session.id))
        whole["compacts"] = to_json(services.archive.compacts(session.id))
    if not options.output:
        services.print_json(whole)
        return
    with written_to(services, options.output) as write:
        write(f"{json.dumps(whole, indent=2)}\n")


def _end(services: CommandServices, options: Namespace) -> None:
    assistant = services.core.assistant
    assistant.unfinished()
    session = assistant.continue_unfinished()
    if session is None:
        raise NoActiveSessionError
    if options.id and options.id != session.id:
        raise SessionUnknownError(session=options.id)
    assistant.end()
    _report_change(services, session.id, "session.ended_user")


def _resume(services: CommandServices, options: Namespace) -> None:
    assistant = services.core.assistant
    assistant.unfinished()
    assistant.continue_unfinished()
    session = assistant.resume(SessionId(options.id))
    _report_change(services, session.id, "session.resumed")


def _delete(services: CommandServices, options: Namespace) -> None:
    """Delete for good: a command has no undo."""
    change = services.core.sessions.delete([SessionId(options.id)])
    (session,) = change.value
    title = session.title or session.opening
    services.report({"id": session.id, "deleted": True}, "session.deleted", title=title)
    services.make_final(change)


def _rename(services: CommandServices, options: Namespace) -> None:
    if not options.title.strip():
        raise UsageError(detail="sessions rename ID TITLE")
    services.core.sessions.rename(SessionId(options.id), options.title)
    _report_change(services, SessionId(options.id), "cli.renamed")


def _report_change(services: CommandServices, session_id: SessionId, key: str) -> None:
    describe_ended(services, is_told=False)
    session = services.archive.session(session_id)
    services.report(object_json(session), key, title=session.title or session.opening)


COMMANDS = {
    "list": Command(_list),
    "show": Command(_show),
    "report": Command(_report),
    "end": Command(_end, Access.WRITE),
    "resume": Command(_resume, Access.WRITE),
    "delete": Command(_delete, Access.WRITE),
    "rename": Command(_rename, Access.WRITE),
}
