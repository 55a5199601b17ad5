"""A command imports only what it uses, so that it starts fast."""

import subprocess
import sys
from pathlib import Path

import pytest

_PROGRAM = """
import re, sys
from pathlib import Path

compiled = []
compile_before = re._compile

def compile_pattern(pattern, flags):
    frame = sys._getframe(1)
    while frame and frame.f_code.co_filename == re.__file__:
        frame = frame.f_back
    if frame and "desktop" in Path(frame.f_code.co_filename).parts:
        compiled.append(str(pattern))
    return compile_before(pattern, flags)

re._compile = compile_pattern
from desktop.__main__ import main

code = main(sys.argv[1:])
print("compiled:", compiled)
heavy = ("anthropic", "openai", "numpy", "markdown_it")
heavy += ("desktop.domain.events", "desktop.llm", "desktop.research.router")
print("imported:", sorted(name for name in sys.modules if name in heavy))
sys.exit(code)
"""


def _start(*command: str) -> list[str]:
    done = subprocess.run(  # noqa: S603 - this very program
        [sys.executable, "-c", _PROGRAM, *command], check=True, capture_output=True, text=True
    )
    return done.stdout.splitlines()[-2:]


def test_listing_sessions_compiles_no_pattern_and_imports_neither_router_nor_model(
    tmp_path: Path,
) -> None:
    assert _start("--data-dir", str(tmp_path), "sessions", "list") == [
        "compiled: []",
        "imported: []",
    ]


@pytest.mark.parametrize(
    "command", [["memory", "add", "Kedimin adı Zeytin"], ["search", "gelgit", "--mode", "keyword"]]
)
def test_memory_and_search_by_words_import_neither_router_nor_model(
    tmp_path: Path, command: list[str]
) -> None:
    assert _start("--data-dir", str(tmp_path), *command)[1] == "imported: []"
