"""The completion scripts know the grammar, and the shells run them."""

import shutil
import subprocess

import pytest

from tests.commands import bellek


@pytest.mark.parametrize(
    ("line", "offered", "not_offered"),
    [
        ("", ["sessions", "config", "completion"], ["list"]),
        ("ses", ["sessions"], ["search"]),
        ("sessions ", ["list", "rename"], ["chat"]),
        ("--lang tr sessions r", ["resume", "report", "rename"], ["list"]),
        ("ask --tier ", ["auto", "quick", "research", "deep"], ["--json"]),
        ("ask x --t", ["--tier"], ["--topic"]),
        ("completion ", ["bash", "zsh", "fish"], ["sessions"]),
        ("backup -", ["--json", "--help"], ["--self-test"]),
        ("export -o ", [], ["--json", "sessions"]),
    ],
)
def test_bash_completes_commands_options_and_values(
    line: str, offered: list[str], not_offered: list[str]
) -> None:
    words = ["bellek", *line.split(" ")]
    given = " ".join(f"'{word}'" for word in words)
    asked = f"COMP_WORDS=({given}); COMP_CWORD={len(words) - 1}; _bellek x '{words[-1]}'"
    script = f'{bellek("completion", "bash").out}{asked}; printf "%s\\n" "${{COMPREPLY[@]}}"'
    bash = shutil.which("bash")
    assert bash
    done = subprocess.run(  # noqa: S603 - our own script
        [bash, "--norc", "-c", script], capture_output=True, text=True, check=False
    )
    found = set(done.stdout.split())
    assert set(offered) <= found
    assert not found & set(not_offered)
    assert done.stderr == ""


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_the_other_shells_find_no_fault_in_their_scripts(shell: str) -> None:
    script = bellek("completion", shell).out
    assert "sessions list" in script
    if path := shutil.which(shell):
        subprocess.run([path, "-n"], input=script, text=True, check=True)  # noqa: S603 - as above
