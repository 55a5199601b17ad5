"""Restarts the window with the same arguments, to restore a backup first."""

import os
import sys
from pathlib import Path

from PySide6.QtCore import QProcess, QProcessEnvironment

_RESTORING = "--restoring"


def start_again(restoring: Path) -> None:
    """In a process of its own that outlives this one; the profile must be free by then."""
    program, arguments = _how_started()
    process = QProcess()
    process.setProgram(program)
    process.setArguments([*arguments, _RESTORING, str(restoring)])
    process.setWorkingDirectory(os.getcwd())  # noqa: PTH109 - what relative names were said from
    environment = QProcessEnvironment.systemEnvironment()
    # Without it PyInstaller's boot loader takes the new process for a part of this one.
    environment.insert("PYINSTALLER_RESET_ENVIRONMENT", "1")
    process.setProcessEnvironment(environment)
    process.startDetached()


def _how_started() -> tuple[str, list[str]]:
    given = sys.argv[1:] if getattr(sys, "frozen", False) else sys.orig_argv[1:]
    arguments = list(given)
    while _RESTORING in arguments:
        place = arguments.index(_RESTORING)
        del arguments[place : place + 2]
    return sys.executable, arguments
