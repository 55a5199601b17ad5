"""Which function a parsed command runs, and what it needs of the profile."""

from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass

from desktop.cli import (
    ask,
    backup,
    boundaries,
    chat,
    doctor,
    import_export,
    library,
    memory,
    search,
    sessions,
    suspicious,
)
from desktop.cli.services import Access, CommandEnvironment, CommandServices


@dataclass(frozen=True, slots=True)
class Command:
    run: Callable[[CommandServices, Namespace], int]
    """Returns the exit code; raises AppError."""
    access: Access


@dataclass(frozen=True, slots=True)
class Replacement:
    """Of the archive itself: it owns the profile, and nobody opens the archive for it."""

    run: Callable[[CommandEnvironment, Namespace], int]


_COMMANDS: dict[str, Command | Replacement] = {
    "ask": Command(ask.ask, Access.WRITE),
    "chat": Command(chat.chat, Access.WRITE),
    "search": Command(search.search, Access.READ),
    "import": Command(import_export.import_files, Access.WRITE),
    "export": Command(import_export.export, Access.READ),
    "backup": Command(backup.backup, Access.READ),
    "restore": Replacement(backup.restore),
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
    "suspicious": Command(suspicious.suspicious, Access.READ),
    "sessions list": Command(sessions.list_sessions, Access.READ),
    "sessions show": Command(sessions.show, Access.READ),
    "sessions report": Command(sessions.report, Access.READ),
    "sessions end": Command(sessions.end, Access.WRITE),
    "sessions resume": Command(sessions.resume, Access.WRITE),
    "sessions delete": Command(sessions.delete, Access.WRITE),
    "sessions rename": Command(sessions.rename, Access.WRITE),
}


def command_of(options: Namespace) -> Command | Replacement:
    action = getattr(options, "action", None)
    return _COMMANDS[f"{options.command} {action}" if action else options.command]
