"""Runs the command line for a test, in this process or in a child process."""

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
    """The result of a command."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[Json]:
        """Return standard output as JSON, one value a line; fail if there is anything else."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def json(self) -> Json:
        (line,) = self.lines
        return line


def bellek(*argv: str, stdin: str | io.StringIO = "") -> Done:
    """Run a command in this process."""
    out, err = io.StringIO(), io.StringIO()
    typed = io.StringIO(stdin) if isinstance(stdin, str) else stdin
    with redirect_stdout(out), redirect_stderr(err), patch.object(sys, "stdin", typed):
        try:
            code = run(argv)
        except SystemExit as exc:  # --help
            code = int(exc.code or 0)
    return Done(code, out.getvalue(), err.getvalue())


def bellek_process(*argv: str, stdin: str = "", environ: Mapping[str, str] | None = None) -> Done:
    """Run a command in a child process, as a user starts it."""
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
    """Our environment without other endpoints or folders, and without a real keyring."""
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
