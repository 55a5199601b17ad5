"""Finds what runs a parsed command, and imports that alone."""

from argparse import Namespace
from collections.abc import Callable, Mapping
from dataclasses import dataclass

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


def find_command(options: Namespace) -> Command | Replacement:
    found = _GROUPS[options.command]()
    return found[getattr(options, "action", None) or options.command]


Commands = Mapping[str, Command | Replacement]


def _chat() -> Commands:
    from desktop.cli import chat

    return {
        "ask": Command(chat.ask, Access.WRITE),
        "chat": Command(chat.chat, Access.WRITE),
    }


def _search() -> Commands:
    from desktop.cli import search

    return {"search": Command(search.search, Access.READ)}


def _import_export() -> Commands:
    from desktop.cli import import_export

    return {
        "import": Command(import_export.import_files, Access.WRITE),
        "export": Command(import_export.export, Access.READ),
    }


def _backup() -> Commands:
    from desktop.cli import backup

    return {
        "backup": Command(backup.backup, Access.READ),
        "restore": Replacement(backup.restore),
    }


def _doctor() -> Commands:
    from desktop.cli import doctor

    return {"doctor": Command(doctor.doctor, Access.READ)}


def _library() -> Commands:
    from desktop.cli import library

    return {
        "add": Command(library.add, Access.WRITE),
        "list": Command(library.list_sources, Access.READ),
        "remove": Command(library.remove, Access.WRITE),
    }


def _memory() -> Commands:
    from desktop.cli import memory

    return {
        "list": Command(memory.list_facts, Access.READ),
        "add": Command(memory.add, Access.WRITE),
        "forget": Command(memory.forget, Access.WRITE),
        "age": Command(memory.age, Access.WRITE),
        "export": Command(memory.export, Access.READ),
        "reload": Command(memory.reload, Access.WRITE),
    }


def _sessions() -> Commands:
    from desktop.cli import sessions

    return {
        "list": Command(sessions.list_sessions, Access.READ),
        "show": Command(sessions.show, Access.READ),
        "report": Command(sessions.report, Access.READ),
        "end": Command(sessions.end, Access.WRITE),
        "resume": Command(sessions.resume, Access.WRITE),
        "delete": Command(sessions.delete, Access.WRITE),
        "rename": Command(sessions.rename, Access.WRITE),
    }


def _boundaries() -> Commands:
    from desktop.cli import boundaries

    return {"boundaries": Command(boundaries.boundaries, Access.READ)}


def _intents() -> Commands:
    from desktop.cli import intents

    return {"intents": Command(intents.intents, Access.READ)}


def _suspicious() -> Commands:
    from desktop.cli import intents

    return {"suspicious": Command(intents.suspicious, Access.READ)}


_GROUPS: Mapping[str, Callable[[], Commands]] = {
    "ask": _chat,
    "chat": _chat,
    "search": _search,
    "import": _import_export,
    "export": _import_export,
    "backup": _backup,
    "restore": _backup,
    "boundaries": _boundaries,
    "intents": _intents,
    "suspicious": _suspicious,
    "doctor": _doctor,
    "library": _library,
    "memory": _memory,
    "sessions": _sessions,
}
