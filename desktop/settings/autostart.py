"""Starts the program with the desktop, into the tray (XDG autostart)."""

import os
import shutil
import sys
from pathlib import Path

from desktop.domain.errors import FileNotWrittenError
from desktop.settings.file_writing import write_beside


def set_autostart(*, is_on: bool) -> None:
    """Register or unregister the program for the user; raises FileNotWrittenError."""
    config = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    file = Path(config) / "autostart" / "app.bellek.Bellek.desktop"
    installed = sys.executable if getattr(sys, "frozen", False) else shutil.which("bellek")
    command = [installed] if installed else [sys.executable, "-m", "desktop"]
    quoted = " ".join(f'"{part}"' for part in (*command, "--in-tray"))
    try:
        if is_on:
            file.parent.mkdir(parents=True, exist_ok=True)
            entry = f"[Desktop Entry]\nType=Application\nName=Bellek\nExec={quoted}\n"
            with write_beside(file) as partial:
                partial.write_text(entry, encoding="utf-8")
        else:
            file.unlink(missing_ok=True)
    except OSError as exc:
        raise FileNotWrittenError(path=str(file), detail=exc.strerror or "") from exc
