"""Which function a parsed command runs, and what it needs of the profile."""

from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass

from desktop.cli import ask, boundaries, chat, doctor, exchange, library, memory, search, sessions
from desktop.cli.services import Access, CommandServices


@dataclass(frozen=True, slots=True)
class Command:
    run: Callable[[CommandServices, Namespace], int]
    """Returns the exit code; raises AppError."""
    access: Access


_COMMANDS = {
    "ask": Command(ask.ask, Access.WRITE),
    "chat": Command(chat.chat, Access.WRITE),
    "search": Command(search.search, Access.READ),
    "import": Command(exchange.import_files, Access.WRITE),
    "export": Command(exchange.export, Access.READ),
    "boundaries": Command(boundaries.boundaries, Access.READ),
    "doctor": Command(doctor.doctor, Access.READ),
    "library add": Command(library.add, Access.WRITE),
    "library list": Command(library.list_sources, Access.READ),
    "library remove": Command(library.remove, Access.WRITE),
    "memory list": Command(memory.list_facts, Access.READ),
    "memory add": Command(memory.add, Access.WRITE),
    "memory forget": Command(memory.forget, Access.WRITE),
    "memory age": Command(memory.age, Access.WRITE),
    "memory export": Command(memory.export, Access.READ),
    "memory reload": Command(memory.reload, Access.WRITE),
    "sessions list": Command(sessions.list_sessions, Access.READ),
    "sessions show": Command(sessions.show, Access.READ),
    "sessions report": Command(sessions.report, Access.READ),
    "sessions end": Command(sessions.end, Access.WRITE),
    "sessions resume": Command(sessions.resume, Access.WRITE),
    "sessions delete": Command(sessions.delete, Access.WRITE),
    "sessions rename": Command(sessions.rename, Access.WRITE),
}


def command_of(options: Namespace) -> Command:
    action = getattr(options, "action", None)
    return _COMMANDS[f"{options.command} {action}" if action else options.command]
