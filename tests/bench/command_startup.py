"""Prints how long commands take against importing SQLAlchemy and the driver.

    python -m tests.bench.command_startup

Processor time of child processes, the best of several runs, in turns: it does not depend on what
else the machine does. Bytecode is kept, as for every installed program. The aim is at most 2.2
times the imports.
"""

import os
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


def _run_s(arguments: Sequence[str]) -> float:
    environment = {**os.environ}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    with TemporaryDirectory() as folder:
        program = ["-m", "desktop", "--data-dir", str(Path(folder))]
        every = {"imports": _IMPORTS} | {
            name: [*program, *command] for name, command in _COMMANDS.items()
        }
        runs = [{name: _run_s(one) for name, one in every.items()} for _ in range(_RUNS)]
    best = {name: min(run[name] for run in runs) for name in every}
    for name, took in best.items():
        print(f"{name:16} {took * 1000:5.0f} ms  {took / best['imports']:.1f} times")


if __name__ == "__main__":
    main()
