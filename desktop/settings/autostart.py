"""Starts the program with the system, into the tray.

XDG autostart on Linux, a launch agent on macOS, the Run key on Windows; the last two are untested.
"""

import os
import plistlib
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from desktop.domain.errors import FileNotWrittenError

_NAME = "app.bellek.Bellek"
_RUN = r"Software\Microsoft\Windows\CurrentVersion\Run"


def set_autostart(*, is_on: bool) -> None:
    """Register or unregister the program for the user; raises FileNotWrittenError."""
    installed = sys.executable if getattr(sys, "frozen", False) else shutil.which("bellek")
    command = [installed] if installed else [sys.executable, "-m", "desktop"]
    command.append("--in-tray")
    if sys.platform == "win32":
        _set_run_key(command, is_on=is_on)
        return
    file, entry = _agent(command) if sys.platform == "darwin" else _desktop_entry(command)
    try:
        if is_on:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(entry)
        else:
            file.unlink(missing_ok=True)
    except OSError as exc:
        raise FileNotWrittenError(path=str(file), detail=exc.strerror or "") from exc


def _desktop_entry(command: Sequence[str]) -> tuple[Path, bytes]:
    config = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    quoted = " ".join(f'"{part}"' for part in command)
    entry = f"[Desktop Entry]\nType=Application\nName=Bellek\nExec={quoted}\n"
    return Path(config) / "autostart" / f"{_NAME}.desktop", entry.encode()


def _agent(command: Sequence[str]) -> tuple[Path, bytes]:
    properties = {"Label": _NAME, "ProgramArguments": list(command), "RunAtLoad": True}
    return Path.home() / "Library" / "LaunchAgents" / f"{_NAME}.plist", plistlib.dumps(properties)


if sys.platform == "win32":
    import winreg

    def _set_run_key(command: Sequence[str], *, is_on: bool) -> None:
        try:
            with winreg.CreateKey(winreg.HKEY_CURRENT_USER, _RUN) as key:
                if is_on:
                    line = subprocess.list2cmdline(command)
                    winreg.SetValueEx(key, _NAME, 0, winreg.REG_SZ, line)
                else:
                    winreg.DeleteValue(key, _NAME)
        except FileNotFoundError:
            return  # it was not registered
        except OSError as exc:
            raise FileNotWrittenError(path=_RUN, detail=exc.strerror or "") from exc
