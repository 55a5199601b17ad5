"""The command line's grammar, described in the reader's language."""

import argparse
from argparse import SUPPRESS, ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import StrEnum
from itertools import groupby
from typing import Any, NoReturn

from desktop.domain.errors import UsageError
from desktop.domain.facts import Term
from desktop.domain.search import SearchMode
from desktop.domain.tiers import Tier
from desktop.language.surrogates import whole_letters
from desktop.sessions.importing.import_types import ImportFormat
from desktop.settings.messages import Texts

AUTO = "auto"


_Argument = tuple[Sequence[str], Mapping[str, Any]]  # Any: argparse's own keywords


def _arg(*names: str, **keywords: Any) -> _Argument:  # Any: argparse's own
    """Return an argument; `help` and a `metavar` in capitals are keys of the texts."""
    return names, keywords


def _flag(name: str, **keywords: Any) -> _Argument:  # Any: argparse's own
    return _arg(name, action="store_true", **keywords)


def _action(name: str, command: str) -> _Argument:
    """Return an option that stands for another command, with an access of its own."""
    return _arg(
        name, action="store_const", dest="action", const=command, help=f"housekeeping_{command}"
    )


def _values(choices: type[StrEnum]) -> list[str]:
    return [choice.value for choice in choices]


_ID, _FILE = _arg("id", metavar="ID"), _arg("file", metavar="FILE")
_TEXT, _PATH = _arg("text", metavar="TEXT"), _arg("path", metavar="PATH")
_DAY = _arg("day", metavar="D")
_TOPIC, _LIMIT = _arg("--topic", metavar="T"), _arg("--limit", type=int, metavar="N")
_SINCE, _UNTIL = _arg("--since", metavar="D"), _arg("--until", metavar="D")
_OUTPUT = _arg("-o", "--output", metavar="PATH")

_EVERYWHERE = (
    _flag("--json", default=SUPPRESS, help="json"),
    _arg("--data-dir", metavar="DIR", default=SUPPRESS, help="data"),
    _arg("--profile", metavar="NAME", default=SUPPRESS, help="profile"),
    _arg("--lang", choices=["tr", "en"], default=SUPPRESS, help="lang"),
)
_PROGRAM = (
    _flag("--version", default=SUPPRESS, help="version"),
    _flag("--self-test", default=SUPPRESS, help=SUPPRESS),
    # The window restarts with it, to restore a backup before any process has the archive open.
    _arg("--restoring", default=SUPPRESS, help=SUPPRESS),
)
_COMMANDS: Mapping[str, Sequence[_Argument]] = {
    "chat": (),
    "ask": (
        _TEXT,
        _arg("--tier", choices=[AUTO, *_values(Tier)], default=AUTO),
        _arg("--session", metavar="ID|new|active"),
    ),
    "search": (
        _arg("text", nargs="?", metavar="TEXT"),
        _arg("--mode", choices=_values(SearchMode), default=AUTO),
        _arg("--kind", metavar="message,session,fact,source,diary"),
        *(_SINCE, _UNTIL, _TOPIC, _LIMIT, _flag("--batch")),
    ),
    "sessions list": (_flag("--archived", help="sessions_list_archived"),),
    "sessions show": (_ID,),
    "sessions resume": (_ID,),
    "sessions delete": (_ID,),
    "sessions report": (_ID, _flag("--with-contents", help="sessions_report_contents"), _OUTPUT),
    "sessions end": (_arg("id", nargs="?", metavar="ID"),),
    "sessions rename": (_ID, _arg("title", metavar="TITLE")),
    "memory list": (
        *(_arg("--term", choices=_values(Term)), _TOPIC, _arg("--search", metavar="TEXT")),
        *(_SINCE, _UNTIL, _LIMIT, _flag("--all", help="memory_list_all")),
    ),
    "memory add": (_TEXT, _TOPIC, _arg("--importance", type=int, default=9, metavar="1–10")),
    "memory forget": (_arg("ids", nargs="+", metavar="ID"),),
    "memory age": (),
    "memory patterns": (_flag("--all", help="memory_patterns_all"),),
    "memory contexts": (
        _arg("--session", metavar="ID"),
        _flag("--messages", help="memory_contexts_messages"),
    ),
    "memory export": (_flag("--all", help="memory_export_all"), _OUTPUT),
    "memory preferences": (
        _arg(
            "change",
            nargs="?",
            choices=["list", "on", "off", "forget", "edit"],
            help="memory_preferences_change",
        ),
        _arg("id", nargs="?", metavar="ID"),
        _arg("text", nargs="?", metavar="TEXT"),
    ),
    "memory reload": (_FILE,),
    "diary": (),
    "diary list": (_SINCE, _UNTIL),
    "diary show": (_DAY,),
    "diary write": (_arg("day", nargs="?", metavar="D"),),
    "diary done": (_arg("item", type=int, metavar="N"), _flag("--undo", help="diary_undo")),
    "diary edit": (_DAY, _TEXT),
    "diary export": (
        *(_SINCE, _UNTIL, _arg("--format", choices=["md", "json"], default="md"), _OUTPUT),
    ),
    "diary import": (_FILE,),
    "library add": (
        _arg("paths", nargs="+", metavar="PATH"),
        _flag("--copy", help="library_copy"),
        _flag("--wait", help="wait"),
    ),
    "library list": (),
    "library remove": (_ID,),
    "import": (
        _arg("files", nargs="+", metavar="FILE"),
        _arg("--format", choices=[AUTO, *_values(ImportFormat)], default=AUTO),
        _flag("--wait"),
    ),
    "export": (
        _arg("ids", nargs="*", metavar="ID"),
        _arg("--format", choices=["jsonl", "md", "html"], default="jsonl"),
        _OUTPUT,
    ),
    "boundaries": (_FILE, _arg("--grain", choices=("topic", "session"), default="topic")),
    "intents": (_FILE,),
    "backup": (_PATH,),
    "restore": (_PATH,),
    "housekeeping": (
        _action("--dry-run", "plan"),
        _flag("--yes", help="housekeeping_yes"),
        _action("--free-space", "free_space"),
        _OUTPUT,
    ),
    "doctor": (),
    "stats": (_SINCE,),
    "suspicious": (_FILE,),
    "bench": (
        _arg("names", nargs="*", metavar="NAME"),
        _arg("--runs", type=int, default=5, metavar="N"),
        _flag("--small", help=SUPPRESS),
    ),
}
_FOR_DEVELOPERS = ("bench", "boundaries", "intents", "suspicious")


class Parser(ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(detail=message)


class _Grammar:
    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._everywhere = Parser(add_help=False)
        self._add(self._everywhere, _EVERYWHERE)

    def parser(self) -> Parser:
        developers = (f"  {name:<20}{self._help(name)}" for name in _FOR_DEVELOPERS)
        parser = Parser(
            prog="bellek",
            description=self._help("bellek"),
            parents=[self._everywhere],
            epilog="\n".join([f"{self._help('developers')}:", *developers]),
            formatter_class=RawDescriptionHelpFormatter,
        )
        self._add(parser, _PROGRAM)
        commands = parser.add_subparsers(
            dest="command", parser_class=Parser, **self._headed("commands", "COMMAND")
        )
        for name, several in groupby(_COMMANDS, lambda command: command.partition(" ")[0]):
            made = commands.add_parser(name, **self._described(name))
            if name in _COMMANDS:
                self._add(made, _COMMANDS[name])
            if not (with_action := [command for command in several if command != name]):
                continue
            actions = made.add_subparsers(
                dest="action",
                parser_class=Parser,
                required=name not in _COMMANDS,
                **self._headed("actions", "ACTION"),
            )
            for command in with_action:
                described = self._described(command.replace(" ", "_"))
                action = actions.add_parser(command.removeprefix(f"{name} "), **described)
                self._add(action, _COMMANDS[command])
        return parser

    def _headed(self, title: str, metavar: str) -> dict[str, Any]:  # Any: argparse's own
        return {"title": self._help(title), "metavar": self._help(metavar)}

    def _described(self, name: str) -> dict[str, Any]:  # Any: argparse's own
        # Without a help text it is not listed among the user's commands.
        help_text = {} if name in _FOR_DEVELOPERS else {"help": self._help(name)}
        return {"parents": [self._everywhere], **help_text}

    def _add(self, parser: ArgumentParser, arguments: Sequence[_Argument]) -> None:
        for names, given in arguments:
            keywords = dict(given)
            if key := keywords.get("help"):
                keywords["help"] = key if key is SUPPRESS else self._help(key)
            if metavar := keywords.get("metavar"):
                words = [self._help(one) if one.isupper() else one for one in metavar.split("|")]
                keywords["metavar"] = "|".join(words)
            parser.add_argument(*names, **keywords)

    def _help(self, name: str) -> str:
        return self._texts.say(f"help.{name}").replace("%", "%%")


_FILE_NAMES = {"file", "files", "path", "paths", "output", "data_dir", "folder"}


def parse(argv: Sequence[str], texts: Texts) -> Namespace:
    """Parse the arguments. Raises UsageError; raises SystemExit after printing the help."""
    # Options allowed before and after the command have no default in the grammar: the command's
    # default would overwrite a value given before it.
    flags = dict.fromkeys(("json", "version", "self_test"), False)
    values = dict.fromkeys(("data_dir", "profile", "lang", "restoring"))
    with _translated_argparse(texts):
        options = _Grammar(texts).parser().parse_args(argv, Namespace(**flags, **values))
    # Invalid bytes stay in file names, which may really contain them.
    for name, value in vars(options).items():
        if isinstance(value, str) and name not in _FILE_NAMES:
            setattr(options, name, whole_letters(value))
        elif isinstance(value, list) and name not in _FILE_NAMES:
            setattr(options, name, [whole_letters(one) for one in value])
    return options


_KEYS: Mapping[str, str] = {
    "usage: ": "usage",
    "positional arguments": "values",
    "options": "options",
    "show this help message and exit": "help",
    "argument %(argument_name)s: %(message)s": "about",
    "the following arguments are required: %s": "missing",
    "unrecognized arguments: %s": "unknown",
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

    def translate_count(one: str, other: str, n: int) -> str:
        return translate(one if n == 1 else other)

    names = vars(argparse)
    before = {name: names[name] for name in ("_", "ngettext")}
    names.update({"_": translate, "ngettext": translate_count})
    try:
        yield
    finally:
        names.update(before)
