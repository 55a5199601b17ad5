"""The command line as a test calls it, in this process or in one of its own."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from desktop.app.run import run

ROOT = Path(__file__).parents[1]
Json = dict[str, Any]  # Any: whatever a command printed


@dataclass(frozen=True, slots=True)
class Done:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[Json]:
        """Standard output as JSON, a line each; fails where anything else is on it."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def json(self) -> Json:
        (line,) = self.lines
        return line


def bellek(*argv: str, stdin: str | io.StringIO = "") -> Done:
    """In this process."""
    out, err = io.StringIO(), io.StringIO()
    typed = io.StringIO(stdin) if isinstance(stdin, str) else stdin
    with redirect_stdout(out), redirect_stderr(err), patch.object(sys, "stdin", typed):
        try:
            code = run(argv)
        except SystemExit as exc:  # --help
            code = int(exc.code or 0)
    return Done(code, out.getvalue(), err.getvalue())


def bellek_process(*argv: str, stdin: str = "", environ: Mapping[str, str] | None = None) -> Done:
    """In a process of its own, as a person starts it."""
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "desktop", *argv],
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        cwd=ROOT,
        env={**os.environ, **(environ or {})},
        timeout=100,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)


def own_environment(**more: str) -> dict[str, str]:
    """Ours, without what would name another endpoint or folder, and without a real keyring."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("ANTHROPIC_", "BELLEK_"))
    }
    return {**kept, "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring", **more}


def write_lines(path: Path, sessions: Sequence[object]) -> str:
    """A file to import; texts are written as they are."""
    lines = [one if isinstance(one, str) else json.dumps(one) for one in sessions]
    path.write_text("\n".join(lines), encoding="utf-8")
    return str(path)
