"""Parses the command line by its grammar, described in the reader's language.

The completion script of a shell is made from the same grammar.
"""

import argparse
from argparse import (
    SUPPRESS,
    Action,
    ArgumentError,
    ArgumentParser,
    Namespace,
    RawDescriptionHelpFormatter,
)
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from functools import partial
from itertools import groupby
from typing import IO, Any, NoReturn

from desktop.cli.arguments import (
    EVERYWHERE,
    FOR_DEVELOPERS,
    GRAMMAR,
    PROGRAM,
    Argument,
)
from desktop.domain.errors import UsageError
from desktop.language.normalization import fix_surrogates
from desktop.settings.messages import Texts, Value
from desktop.settings.paths import asset


class Parser(ArgumentParser):
    """Knows its arguments and subcommands, and suggests what was probably meant."""

    def __init__(self, *, texts: Texts, **keywords: Any) -> None:  # Any: argparse's own
        super().__init__(formatter_class=RawDescriptionHelpFormatter, **keywords)
        self._texts = texts
        self.arguments: list[Action] = []
        self.subcommands: Mapping[str, Parser] = {}

    def error(self, message: str) -> NoReturn:
        raise UsageError(detail=message, command=self.prog)

    def print_help(self, file: IO[str] | None = None) -> None:  # type: ignore[override]  # as argparse calls it
        if isinstance(self._texts, _NoWords):
            self.error("")
        super().print_help(file)

    def refuse(self, unknown: str) -> NoReturn:
        flags = [flag for argument in self.arguments for flag in argument.option_strings]
        names = flags if unknown.startswith("-") else self.subcommands
        self.error(meant(self._texts, unknown, names))

    def _check_value(self, action: Action, value: object) -> None:
        # Replaces argparse's own message, which lists all commands.
        if action.choices is self.subcommands and value not in self.subcommands:
            raise ArgumentError(None, meant(self._texts, str(value), self.subcommands))
        super()._check_value(action, value)


def meant(texts: Texts, unknown: str, names: Collection[str]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - after a mistake only

    begun = [name for name in names if name.startswith(unknown)]
    near = [*begun, *get_close_matches(unknown, names)][:1]
    key = "grammar.meant" if near else "grammar.unknown"
    return texts.say(key, word=unknown, near="".join(near))


class _Grammar:
    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._parser_class = partial(Parser, texts=texts)
        self._everywhere = self._parser_class(add_help=False)
        self._add(self._everywhere, EVERYWHERE)

    def parser(self, command_names: Sequence[str] | None) -> Parser:
        developers = (f"  {name:<20}{self._help(name)}" for name in FOR_DEVELOPERS)
        parser = self._parser_class(
            prog="bellek",
            description=self._help("bellek"),
            parents=[self._everywhere],
            epilog="\n".join([f"{self._help('developers')}:", *developers]),
        )
        self._add(parser, PROGRAM)
        commands = parser.add_subparsers(dest="command", **self._headed("commands", "COMMAND"))
        parser.subcommands = commands.choices
        for name, several in groupby(GRAMMAR, lambda command: command.partition(" ")[0]):
            if command_names is not None and name not in command_names:
                commands.add_parser(name, **self._listed(name))
                continue
            made = commands.add_parser(name, **self._described(name))
            if name in GRAMMAR:
                self._add(made, GRAMMAR[name], name)
            if not (with_action := [command for command in several if command != name]):
                continue
            actions = made.add_subparsers(
                dest="action", required=name not in GRAMMAR, **self._headed("actions", "ACTION")
            )
            made.subcommands = actions.choices
            for command in with_action:
                described = self._described(command)
                action = actions.add_parser(command.removeprefix(f"{name} "), **described)
                self._add(action, GRAMMAR[command], command)
        return parser

    def _headed(self, title: str, metavar: str) -> dict[str, Any]:  # Any: argparse's own
        shown = {"title": self._help(title), "metavar": self._help(metavar)}
        return {"parser_class": self._subparser, **shown}

    def _subparser(self, **keywords: Any) -> Parser:  # Any: argparse's own
        """Return the parser of a command, or any parser for one that is only listed."""
        return self._parser_class(**keywords) if "parents" in keywords else self._everywhere

    def _described(self, command: str) -> dict[str, Any]:  # Any: argparse's own
        several = (name for name in GRAMMAR if name == command or name.startswith(f"{command} "))
        examples = [f"  {self._texts.say(f'example.{_key(name)}')}" for name in several]
        return {
            "parents": [self._everywhere],
            "description": self._help(_key(command)),
            "epilog": "\n".join([f"{self._help('for_example')}:", *examples]),
            **self._listed(command),
        }

    def _listed(self, command: str) -> dict[str, Any]:  # Any: argparse's own
        # Without a help text it is not listed among the user's commands.
        help_text = self._help(_key(command)).replace("%", "%%")
        return {} if command in FOR_DEVELOPERS else {"help": help_text}

    def _add(self, parser: Parser, arguments: Sequence[Argument], command: str = "") -> None:
        for names, options in arguments:
            keywords = dict(options)
            if callable(choices := keywords.get("choices")):  # those of other modules
                keywords["choices"] = choices()
            if "help" not in keywords:
                keywords["help"] = self._option_help(command, names[-1])
            if metavar := keywords.get("metavar"):
                words = [
                    self._help(word) if word.isupper() else word for word in metavar.split("|")
                ]
                keywords["metavar"] = "|".join(words)
            parser.arguments.append(parser.add_argument(*names, **keywords))
        if parser is not self._everywhere:
            parser.arguments += self._everywhere.arguments

    def _option_help(self, command: str, name: str) -> str:
        """Return the command's own text for an argument, or the one for all commands."""
        name = _key(name.removeprefix("--"))
        try:
            help_text = self._texts.say(f"option.{_key(command)}_{name}")
        except KeyError:
            help_text = self._texts.say(f"option.{name}")
        return help_text.replace("%", "%%")

    def _help(self, name: str) -> str:
        return self._texts.say(f"help.{name}")


def _key(name: str) -> str:
    return name.replace(" ", "_").replace("-", "_")


_FILE_NAMES = {"file", "files", "path", "paths", "output", "data_dir", "folder"}


def make_parser(texts: Texts, command_names: Sequence[str] | None = None) -> Parser:
    """Return the grammar of all commands, or, faster, of only those in `command_names`."""
    return _Grammar(texts).parser(command_names)


def parse(argv: Sequence[str], texts: Texts) -> Namespace:
    """Parse the arguments. Raises UsageError; raises SystemExit after printing the help."""
    # Options allowed before and after the command have no default in the grammar: the command's
    # default would overwrite a value given before it.
    names = "json version self_test in_tray keep_locked repairing passphrase_stdin"
    flags = dict.fromkeys(names.split(), False)
    values = dict.fromkeys(("data_dir", "profile", "lang", "restoring"))
    namespace = Namespace(**flags, **values)
    try:  # only help and errors show words, and reading them takes longer than all the rest
        options = _parse(argv, _NoWords(texts.language), copy(namespace))
    except UsageError:
        with _translated_argparse(texts):
            options = _parse(argv, texts, namespace)
    # Invalid bytes stay in file names, which may really contain them.
    for name, value in vars(options).items():
        if isinstance(value, str) and name not in _FILE_NAMES:
            setattr(options, name, fix_surrogates(value))
        elif isinstance(value, list) and name not in _FILE_NAMES:
            setattr(options, name, [fix_surrogates(text) for text in value])
    ids = [options.id] if getattr(options, "id", None) is not None else getattr(options, "ids", ())
    if not all(map(str.strip, ids)):
        raise UsageError(detail=texts.say("grammar.empty_id"))
    return options


class _NoWords(Texts):
    """For a grammar that shows nothing."""

    def say(self, key: str, **_values: Value) -> str:
        return key


def _parse(argv: Sequence[str], texts: Texts, namespace: Namespace) -> Namespace:
    parser = make_parser(texts, argv)
    options, unknown = parser.parse_known_args(argv, namespace)
    if unknown:
        for name in (options.command, getattr(options, "action", None)):
            parser = parser.subcommands.get(str(name), parser)
        parser.refuse(unknown[0])
    return options


_KEYS: Mapping[str, str] = {
    "usage: ": "usage",
    "positional arguments": "values",
    "options": "options",
    "show this help message and exit": "help",
    "argument %(argument_name)s: %(message)s": "about",
    "the following arguments are required: %s": "missing",
    "invalid choice: %(value)r (choose from %(choices)s)": "choice",
    "invalid %(type)s value: %(value)r": "value",
    "expected one argument": "one_expected",
    "expected at most one argument": "at_most_one_expected",
    "expected at least one argument": "at_least_one_expected",
    "expected %s argument": "some_expected_one",
    "expected %s arguments": "some_expected_other",
    "ignored explicit argument %r": "none_expected",
    "ambiguous option: %(option)s could match %(matches)s": "ambiguous",
}
"""Argparse's own sentences, by the key of their translation."""


@contextmanager
def _translated_argparse(texts: Texts) -> Iterator[None]:
    """Translate what argparse itself prints.

    Argparse gets every sentence through two names of its module. A sentence of a later version
    of argparse that has no key stays English.
    """

    def translate(words: str) -> str:
        key = _KEYS.get(words)
        return words if key is None else texts.say(f"grammar.{key}")

    def translate_count(singular: str, other: str, n: int) -> str:
        return translate(singular if n == 1 else other)

    names = vars(argparse)
    before = {name: names[name] for name in ("_", "ngettext")}
    names.update({"_": translate, "ngettext": translate_count})
    try:
        yield
    finally:
        names.update(before)


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
