"""Finds the function for a parsed command, and imports only its module."""

from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from importlib import import_module


class Access(Enum):
    """How a command uses the profile."""

    READ = auto()
    """Works beside a window that owns the profile."""
    WRITE = auto()
    """Has to own the profile; if a window owns it, the error says so."""
    REPLACE = auto()
    """Owns the profile and opens the archive itself."""
    NONE = auto()
    """Opens no profile, and leaves no trace in one."""


@dataclass(frozen=True, slots=True)
class Command:
    run: Callable[..., int]
    """Gets the services (REPLACE, NONE: the environment) and the options; returns the code."""
    access: Access = Access.READ
    locked: Callable[..., int] | None = None
    """What it does, with the environment, where nobody gave the passphrase; else it is asked."""


_MODULES = {
    "ask": "chat",
    "import": "import_export",
    "examples": "import_export",
    "export": "import_export",
    "restore": "backup",
    "stats": "doctor",
    "boundaries": "developers",
    "intents": "developers",
    "suspicious": "developers",
}
"""The modules of commands that have another name."""


def find_command(options: Namespace) -> Command:
    module = import_module(f"desktop.cli.{_MODULES.get(options.command, options.command)}")
    name = getattr(options, "action", None) or options.command
    change = getattr(options, "change", None)
    found: Command = module.COMMANDS[f"{name} {change}" if change else name]
    return found
