"""The command line's grammar, described in the reader's language."""

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
from enum import StrEnum
from functools import partial
from itertools import groupby
from typing import IO, Any, NoReturn

from desktop.domain.endpoints import ModelRole
from desktop.domain.errors import UsageError
from desktop.domain.facts import Term
from desktop.domain.routing import Tier
from desktop.domain.search import SearchMode
from desktop.language.normalization import fix_surrogates
from desktop.sessions.importing.import_types import ImportFormat
from desktop.settings.messages import Texts, Value

AUTO = "auto"


_Argument = tuple[Sequence[str], Mapping[str, Any]]  # Any: argparse's own keywords


def _arg(*names: str, **keywords: Any) -> _Argument:  # Any: argparse's own
    """Return an argument; its help and a `metavar` in capitals are found in the texts."""
    return names, keywords


def _flag(name: str, **keywords: Any) -> _Argument:  # Any: argparse's own
    return _arg(name, action="store_true", **keywords)


def _action(name: str, command: str) -> _Argument:
    """Return an option that stands for another command, with an access of its own."""
    return _arg(name, action="store_const", dest="action", const=command)


def _values(choices: type[StrEnum]) -> list[str]:
    return [choice.value for choice in choices]


def _export_formats() -> list[str]:
    from desktop.sessions.exporting.formats import FORMATS  # noqa: PLC0415 - only `export` needs it

    return [form.name for form in FORMATS]


def _reference_formats() -> list[str]:
    from desktop.references.formats import FORMATS, LIST  # noqa: PLC0415 - only `references` needs it

    return [*(form.name for form in FORMATS), LIST]


_ID, _FILE = _arg("id", metavar="ID"), _arg("file", metavar="FILE")
_TEXT, _PATH = _arg("text", metavar="TEXT"), _arg("path", metavar="PATH")
_DAY = _arg("day", metavar="D")
_TOPIC, _LIMIT = _arg("--topic", metavar="T"), _arg("--limit", type=int, metavar="N")
_SINCE, _UNTIL = _arg("--since", metavar="D"), _arg("--until", metavar="D")
_NAME, _PROJECT = _arg("name", metavar="NAME"), _arg("--project", metavar="NAME")
_NOTE_FORMAT = _arg("--format", choices=["md", "pdf"], default="md")
_SOURCE = _arg("--source", metavar="ID")
_OUTPUT = _arg("-o", "--output", metavar="PATH")

_EVERYWHERE = (
    _flag("--json", default=SUPPRESS),
    _arg("--data-dir", metavar="DIR", default=SUPPRESS),
    _arg("--profile", metavar="NAME", default=SUPPRESS),
    _arg("--lang", choices=["tr", "en"], default=SUPPRESS),
    _flag("--passphrase-stdin", default=SUPPRESS),
)
_PROGRAM = (
    _flag("--version", default=SUPPRESS),
    _flag("--self-test", default=SUPPRESS, help=SUPPRESS),
    # When the system starts: the window is not shown.
    _flag("--in-tray", default=SUPPRESS, help=SUPPRESS),
    # It restarted to lock the profile: a key in the keyring must not open it.
    _flag("--keep-locked", default=SUPPRESS, help=SUPPRESS),
    # The window restarts with it, to check and repair the archive before it is opened.
    _flag("--repairing", default=SUPPRESS, help=SUPPRESS),
    # The window restarts with it, to restore a backup before any process has the archive open.
    _arg("--restoring", default=SUPPRESS, help=SUPPRESS),
)
_COMMANDS: Mapping[str, Sequence[_Argument]] = {
    "chat": (_PROJECT,),
    "ask": (
        _TEXT,
        _PROJECT,
        _arg("--tier", choices=[AUTO, *_values(Tier)], default=AUTO),
        _arg("--session", metavar="ID|new|active"),
        _arg("--file", dest="files", metavar="PATH", action="append", default=[]),
    ),
    "quick": (),
    "open": (_arg("opened", nargs="*", metavar="FILE"),),
    "search": (
        _arg("text", nargs="?", metavar="TEXT"),
        _arg("--mode", choices=_values(SearchMode), default=AUTO),
        _arg("--kind", metavar="message,session,fact,source,diary,note,picture"),
        _SINCE,
        _UNTIL,
        _TOPIC,
        _LIMIT,
        _PROJECT,
        _flag("--batch"),
    ),
    "project list": (),
    "project create": (_NAME, _arg("--instructions", metavar="TEXT")),
    "project rename": (_NAME, _arg("new", metavar="NAME")),
    "project delete": (_NAME, _flag("--with-contents")),
    "project move": (_arg("ids", nargs="+", metavar="ID"), _arg("--to", metavar="NAME")),
    "profile list": (),
    "profile create": (_NAME,),
    "profile rename": (_NAME, _arg("new", metavar="NAME")),
    "profile delete": (_NAME, _flag("--yes")),
    "profile passphrase": (
        _flag("--remove"),
        _flag("--recovery"),
        _flag("--keep-in-keyring"),
    ),
    "profile lock": (),
    "sessions list": (_flag("--archived"),),
    "sessions show": (_ID,),
    "sessions resume": (_ID,),
    "sessions delete": (_ID,),
    "sessions report": (_ID, _flag("--with-contents"), _OUTPUT),
    "sessions end": (_arg("id", nargs="?", metavar="ID"),),
    "sessions rename": (_ID, _arg("title", metavar="TITLE")),
    "memory list": (
        _arg("--term", choices=_values(Term)),
        _TOPIC,
        _arg("--search", metavar="TEXT"),
        _SINCE,
        _UNTIL,
        _LIMIT,
        _flag("--all"),
    ),
    "memory age": (
        _arg("--older-than-hours", type=int, default=48, metavar="N"),
        _arg("--max", type=int, default=100, metavar="N"),
    ),
    "memory add": (_TEXT, _TOPIC, _arg("--importance", type=int, default=9, metavar="1–10")),
    "memory forget": (_arg("ids", nargs="+", metavar="ID"),),
    "memory patterns": (),
    "memory contexts": (_arg("--session", metavar="ID"), _flag("--messages")),
    "memory export": (_flag("--all"), _OUTPUT),
    "memory preferences": (
        _arg("change", nargs="?", choices=["list", "on", "off", "forget", "edit"]),
        _arg("id", nargs="?", metavar="ID"),
        _arg("text", nargs="?", metavar="TEXT"),
    ),
    "memory reload": (_FILE,),
    "diary": (),
    "diary list": (_SINCE, _UNTIL),
    "diary show": (_DAY,),
    "diary write": (_arg("day", nargs="?", metavar="D"),),
    "diary done": (_arg("item", type=int, metavar="N"), _flag("--undo")),
    "diary edit": (_DAY, _TEXT),
    "diary export": (
        _SINCE,
        _UNTIL,
        _arg("--format", choices=["md", "json"], default="md"),
        _OUTPUT,
    ),
    "diary import": (_FILE,),
    "library add": (_arg("paths", nargs="+", metavar="PATH"), _flag("--copy"), _flag("--wait")),
    "library list": (),
    "library mark": (_ID, _arg("--quote", required=True, metavar="TEXT")),
    "library ocr": (_arg("ids", nargs="*", metavar="ID"),),
    "library open": (_ID,),
    "library show": (_ID,),
    "library edit": (
        _ID,
        _arg("fields", nargs="*", metavar="FIELD"),
        _flag("--read"),
        _flag("--unread"),
    ),
    "library remove": (_ID,),
    "notes list": (_SOURCE, _PROJECT),
    "notes add": (
        _arg("--source", metavar="ID", required=True),
        _arg("--quote", metavar="TEXT", required=True),
        _arg("--text", metavar="TEXT"),
        _arg("--page", type=int, metavar="N"),
    ),
    "notes edit": (_ID, _TEXT),
    "notes remove": (_ID,),
    "notes export": (_SOURCE, _PROJECT, _NOTE_FORMAT, _OUTPUT),
    "references export": (
        _arg("ids", nargs="*", metavar="ID"),
        _arg("--session", metavar="ID"),
        _PROJECT,
        _arg("--format", choices=_reference_formats, default="bibtex"),
        _arg("--style", metavar="STYLE"),
        _OUTPUT,
    ),
    "references import": (_arg("files", nargs="+", metavar="FILE"), _PROJECT),
    "references duplicates": (_flag("--merge"),),
    "zotero status": (),
    "zotero import": (_arg("--collection", metavar="NAME"), _PROJECT, _flag("--copy")),
    "zotero refresh": (_flag("--remove-gone"), _flag("--keep-gone")),
    "zotero send": (_arg("ids", nargs="+", metavar="ID"),),
    "import": (
        _arg("files", nargs="+", metavar="FILE"),
        _arg("--format", choices=[AUTO, *_values(ImportFormat)], default=AUTO),
        _flag("--wait"),
    ),
    "export": (
        _arg("ids", nargs="*", metavar="ID"),
        _arg("--format", choices=_export_formats, default="jsonl"),
        _arg("--citations", choices=["notes", "pandoc"], default="notes"),
        _OUTPUT,
    ),
    "examples add": (),
    "models list": (),
    "models add": (
        _arg("kind", metavar="KIND"),
        _arg("address", nargs="?", metavar="ADDRESS"),
        _arg("--name", metavar="NAME"),
        _arg("--model", metavar="MODEL"),
        _flag("--key-stdin"),
    ),
    "models use": (
        _ID,
        _arg("model", metavar="MODEL"),
        _arg("--role", choices=_values(ModelRole), default=ModelRole.ANSWERING.value),
    ),
    "models test": (_ID, _arg("--model", metavar="MODEL")),
    "models remove": (_ID,),
    "config list": (),
    "config get": (_arg("key", metavar="KEY"),),
    "config set": (_arg("key", metavar="KEY"), _arg("value", metavar="VALUE")),
    "completion": (_arg("shell", choices=("bash", "zsh", "fish"), metavar="SHELL"),),
    "boundaries": (_FILE, _arg("--grain", choices=("topic", "session"), default="topic")),
    "intents": (_FILE,),
    "backup": (_PATH,),
    "restore": (_PATH, _flag("--preview")),
    "housekeeping": (
        _action("--dry-run", "plan"),
        _flag("--yes"),
        _flag("--wait"),
        _action("--free-space", "free_space"),
        _OUTPUT,
    ),
    "doctor": (_action("--repair", "repair"), _action("--damage", "damage")),
    "stats": (_SINCE,),
    "suspicious": (_FILE,),
    "bench": (
        _arg("names", nargs="*", metavar="NAME"),
        _arg("--runs", type=int, default=5, metavar="N"),
        _flag("--encrypted"),
        _flag("--small", help=SUPPRESS),
    ),
}
_FOR_DEVELOPERS = ("bench", "boundaries", "intents", "suspicious")


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
        self._add(self._everywhere, _EVERYWHERE)

    def parser(self, command_names: Sequence[str] | None) -> Parser:
        developers = (f"  {name:<20}{self._help(name)}" for name in _FOR_DEVELOPERS)
        parser = self._parser_class(
            prog="bellek",
            description=self._help("bellek"),
            parents=[self._everywhere],
            epilog="\n".join([f"{self._help('developers')}:", *developers]),
        )
        self._add(parser, _PROGRAM)
        commands = parser.add_subparsers(dest="command", **self._headed("commands", "COMMAND"))
        parser.subcommands = commands.choices
        for name, several in groupby(_COMMANDS, lambda command: command.partition(" ")[0]):
            if command_names is not None and name not in command_names:
                commands.add_parser(name, **self._listed(name))
                continue
            made = commands.add_parser(name, **self._described(name))
            if name in _COMMANDS:
                self._add(made, _COMMANDS[name], name)
            if not (with_action := [command for command in several if command != name]):
                continue
            actions = made.add_subparsers(
                dest="action", required=name not in _COMMANDS, **self._headed("actions", "ACTION")
            )
            made.subcommands = actions.choices
            for command in with_action:
                described = self._described(command)
                action = actions.add_parser(command.removeprefix(f"{name} "), **described)
                self._add(action, _COMMANDS[command], command)
        return parser

    def _headed(self, title: str, metavar: str) -> dict[str, Any]:  # Any: argparse's own
        shown = {"title": self._help(title), "metavar": self._help(metavar)}
        return {"parser_class": self._subparser, **shown}

    def _subparser(self, **keywords: Any) -> Parser:  # Any: argparse's own
        """Return the parser of a command, or any parser for one that is only listed."""
        return self._parser_class(**keywords) if "parents" in keywords else self._everywhere

    def _described(self, command: str) -> dict[str, Any]:  # Any: argparse's own
        several = (name for name in _COMMANDS if name == command or name.startswith(f"{command} "))
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
        return {} if command in _FOR_DEVELOPERS else {"help": help_text}

    def _add(self, parser: Parser, arguments: Sequence[_Argument], command: str = "") -> None:
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
