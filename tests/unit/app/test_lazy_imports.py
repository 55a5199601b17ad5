"""A command imports only what it uses, so that it starts fast."""

import subprocess
import sys
from pathlib import Path

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

heavy = ("anthropic", "openai", "numpy", "markdown_it")
heavy += ("desktop.domain.events", "desktop.llm", "desktop.research.router")
for command in sys.argv[1:]:
    assert main(command.split()) == 0
    imported = sorted(name for name in sys.modules if name in heavy)
    sys.stderr.write(f"{command.split()[2]}: {compiled}, {imported}\\n")
"""


def test_no_command_about_words_imports_router_or_model_and_a_list_compiles_no_pattern(
    tmp_path: Path,
) -> None:
    """One after the other, the least first."""
    commands = ("sessions list", "memory add Zeytin", "search gelgit --mode keyword")
    done = subprocess.run(  # noqa: S603 - this very program
        [sys.executable, "-c", _PROGRAM, *(f"--data-dir {tmp_path} {one}" for one in commands)],
        check=True,
        capture_output=True,
        text=True,
    )
    listed, *others = [line for line in done.stderr.splitlines() if line.endswith("]")]
    assert listed == "sessions: [], []"
    assert [line.rpartition(", ")[2] for line in others] == ["[]", "[]"]
