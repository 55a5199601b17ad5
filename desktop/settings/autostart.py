"""Starts the program with the system, into the tray. Windows and macOS are untested."""

import os
import plistlib
import shutil
import sys
from pathlib import Path

from desktop.domain.errors import FileNotWrittenError

_NAME = "app.bellek.Bellek"
_RUN = r"Software\Microsoft\Windows\CurrentVersion\Run"


def set_autostart(*, is_on: bool) -> None:
    """Register or unregister the program for the user; raises FileNotWrittenError."""
    command = [*_command(), "--in-tray"]
    if sys.platform == "win32":
        _set_in_registry(command if is_on else [])
        return
    if sys.platform == "darwin":
        file = Path.home() / "Library" / "LaunchAgents" / f"{_NAME}.plist"
        agent = {"Label": _NAME, "ProgramArguments": command, "RunAtLoad": True}
        content = plistlib.dumps(agent)
    else:
        config = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
        file = Path(config) / "autostart" / f"{_NAME}.desktop"
        quoted = " ".join(f'"{part}"' for part in command)
        entry = f"[Desktop Entry]\nType=Application\nName=Bellek\nExec={quoted}\n"
        content = entry.encode()
    try:
        if is_on:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        else:
            file.unlink(missing_ok=True)
    except OSError as exc:
        raise FileNotWrittenError(path=str(file), detail=exc.strerror or "") from exc


def _command() -> list[str]:
    if getattr(sys, "frozen", False):
        return [sys.executable]
    installed = shutil.which("bellek")
    return [installed] if installed else [sys.executable, "-m", "desktop"]


def _set_in_registry(command: list[str]) -> None:
    if sys.platform == "win32":
        import winreg  # noqa: PLC0415 - of Windows alone

        with winreg.CreateKey(winreg.HKEY_CURRENT_USER, _RUN) as key:
            if command:
                quoted = " ".join(f'"{part}"' for part in command)
                winreg.SetValueEx(key, _NAME, 0, winreg.REG_SZ, quoted)
            else:
                winreg.DeleteValue(key, _NAME)
