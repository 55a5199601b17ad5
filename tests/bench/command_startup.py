"""Prints how long commands take against importing SQLAlchemy and the driver.

    python -m tests.bench.command_startup

Processor time of child processes, the best of several runs: it does not depend on what else the
machine does. The aim is at most 2.2 times the imports.
"""

import resource
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

_RUNS = 5
_IMPORTS = ["-c", "import sqlalchemy.engine, sqlcipher3"]
_COMMANDS: Mapping[str, Sequence[str]] = {
    "sessions list": ["sessions", "list"],
    "memory add": ["memory", "add", "Kedimin adı Zeytin"],
    "search": ["search", "gelgit", "--mode", "keyword"],
}


def measure_s(arguments: Sequence[str]) -> float:
    """Processor seconds of the fastest of several runs."""
    return min(_run_s(arguments) for _ in range(_RUNS))


def _run_s(arguments: Sequence[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True)  # noqa: S603
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    imports = measure_s(_IMPORTS)
    print(f"{'imports':16} {imports * 1000:5.0f} ms")
    with TemporaryDirectory() as folder:
        program = ["-m", "desktop", "--data-dir", str(Path(folder))]
        for name, command in _COMMANDS.items():
            took = measure_s([*program, *command])
            print(f"{name:16} {took * 1000:5.0f} ms  {took / imports:.1f} times")


if __name__ == "__main__":
    main()
