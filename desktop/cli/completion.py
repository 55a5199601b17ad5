"""The completion script of a shell, made from the command line's grammar."""

from argparse import SUPPRESS, Action
from collections.abc import Iterator, Sequence

from desktop.cli.parser import Parser
from desktop.settings.paths import asset

_CASES = {"fish": "    case '{at}'\n      for word in {words}; echo $word; end; true"}
_CASE = "    '{at}') echo '{words}' ;;"


def completion_script(parser: Parser, shell: str) -> str:
    form = _CASES.get(shell, _CASE)
    cases = [form.format(at=at, words=" ".join(words)) for at, words in _entries(parser)]
    script = asset("resources", "completion", shell).read_text("utf-8")
    return script.replace("@CASES@", "\n".join(cases))


def _entries(parser: Parser, command: str = "") -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the completions after a command, and after each option of it that takes a value.

    The shell completes file names by itself.
    """
    shown = [argument for argument in parser.arguments if argument.help is not SUPPRESS]
    flags = [flag for argument in shown for flag in argument.option_strings]
    values = [
        word for argument in shown if not argument.option_strings for word in _choices(argument)
    ]
    yield command, [*parser.subcommands, *values, *flags, "--help"]
    for argument in shown:
        for flag in argument.option_strings if argument.nargs != 0 else ():
            yield f"{command} {flag}".strip(), _choices(argument)
    for name, each in parser.subcommands.items():
        yield from _entries(each, f"{command} {name}".strip())


def _choices(argument: Action) -> list[str]:
    return list(map(str, argument.choices or ()))
