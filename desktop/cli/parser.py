"""The command line's grammar, described in the reader's language."""

import argparse
from argparse import SUPPRESS, ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import StrEnum
from typing import NoReturn

from desktop.domain.errors import UsageError
from desktop.domain.facts import Term
from desktop.domain.tiers import Tier
from desktop.language.surrogates import whole_letters
from desktop.sessions.boundaries.boundary_types import Grain
from desktop.sessions.importing.import_types import ImportFormat
from desktop.settings.messages import Texts

AUTO = "auto"
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


_FOR_DEVELOPERS = ("bench", "boundaries", "intents", "suspicious")


class Parser(ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(detail=message)


def _parser(texts: Texts) -> ArgumentParser:
    everywhere = Parser(add_help=False)
    everywhere.add_argument("--json", action="store_true", default=SUPPRESS, help=_(texts, "json"))
    everywhere.add_argument(
        "--data-dir", metavar=_(texts, "DIR"), default=SUPPRESS, help=_(texts, "data")
    )
    everywhere.add_argument(
        "--profile", metavar=_(texts, "NAME"), default=SUPPRESS, help=_(texts, "profile")
    )
    everywhere.add_argument(
        "--lang", choices=["tr", "en"], default=SUPPRESS, help=_(texts, "lang")
    )
    parser = Parser(
        prog="bellek",
        description=_(texts, "bellek"),
        parents=[everywhere],
        epilog=_list_for_developers(texts),
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--version", action="store_true", default=SUPPRESS, help=_(texts, "version")
    )
    parser.add_argument("--self-test", action="store_true", default=SUPPRESS, help=SUPPRESS)
    parser.add_argument("--announce", action="store_true", default=SUPPRESS, help=SUPPRESS)
    # The window starts anew with it, to restore a backup before anything has the archive open.
    parser.add_argument("--restoring", default=SUPPRESS, help=SUPPRESS)
    commands = parser.add_subparsers(
        title=_(texts, "commands"),
        dest="command",
        metavar=_(texts, "COMMAND"),
        parser_class=Parser,
    )

    def command(name: str) -> ArgumentParser:
        if name in _FOR_DEVELOPERS:
            # Without a help text it is not listed among the user's commands.
            return commands.add_parser(name, parents=[everywhere])
        return commands.add_parser(name, parents=[everywhere], help=_(texts, name))

    command("chat")
    _ask(command("ask"), texts)
    _search(command("search"), texts)
    _sessions(command("sessions"), everywhere, texts)
    _memory(command("memory"), everywhere, texts)
    _library(command("library"), everywhere, texts)
    importing = command("import")
    importing.add_argument("files", nargs="+", metavar=_(texts, "FILE"))
    importing.add_argument("--format", choices=[AUTO, *_values(ImportFormat)], default=AUTO)
    importing.add_argument("--wait", action="store_true")
    exporting = command("export")
    exporting.add_argument("ids", nargs="*", metavar=_(texts, "ID"))
    exporting.add_argument("--format", choices=["jsonl", "md", "html"], default="jsonl")
    _output(exporting, texts)
    boundaries = command("boundaries")
    boundaries.add_argument("file", metavar=_(texts, "FILE"))
    boundaries.add_argument("--grain", choices=_values(Grain), default=Grain.TOPIC.value)
    command("intents").add_argument("file", metavar=_(texts, "FILE"))
    for name in ("backup", "restore"):
        command(name).add_argument("path", metavar=_(texts, "PATH"))
    command("doctor")
    command("suspicious").add_argument("file", metavar=_(texts, "FILE"))
    bench = command("bench")
    bench.add_argument("names", nargs="*", metavar=_(texts, "NAME"))
    bench.add_argument("--runs", type=int, default=5, metavar=_(texts, "N"))
    bench.add_argument("--folder", help=SUPPRESS)
    bench.add_argument("--small", action="store_true", help=SUPPRESS)
    return parser


def _list_for_developers(texts: Texts) -> str:
    lines = (f"  {name:<20}{_(texts, name)}" for name in _FOR_DEVELOPERS)
    return "\n".join([f"{_(texts, 'developers')}:", *lines])


_NAMES_OF_FILES = {"file", "files", "path", "paths", "output", "data_dir", "folder"}


def parse(argv: Sequence[str], texts: Texts) -> Namespace:
    """Raises UsageError; prints the help and raises SystemExit where that was asked for."""
    # Options that stand before or after the command have no default of their own in the grammar:
    # the command's would overwrite what was said before it.
    given = Namespace(
        json=False,
        data_dir=None,
        profile=None,
        lang=None,
        version=False,
        self_test=False,
        announce=False,
        restoring=None,
    )
    with grammar_words(texts):
        return _with_whole_letters(_parser(texts).parse_args(argv, given))


def _with_whole_letters(options: Namespace) -> Namespace:
    """Bytes that are no letters stay in the names of files, which they may belong to."""
    for name, value in vars(options).items():
        if name in _NAMES_OF_FILES:
            continue
        if isinstance(value, str):
            setattr(options, name, whole_letters(value))
        elif isinstance(value, list):
            setattr(options, name, [whole_letters(one) for one in value])
    return options


def _ask(parser: ArgumentParser, texts: Texts) -> None:
    parser.add_argument("text", metavar=_(texts, "TEXT"))
    parser.add_argument("--tier", choices=[AUTO, *_values(Tier)], default=AUTO)
    parser.add_argument("--session", metavar=f"{_(texts, 'ID')}|new|active")


def _search(parser: ArgumentParser, texts: Texts) -> None:
    parser.add_argument("text", nargs="?", metavar=_(texts, "TEXT"))
    parser.add_argument(
        "--mode", choices=["auto", "keyword", "semantic", "hybrid"], default="auto"
    )
    parser.add_argument("--kind", metavar="message,session,fact,source")
    parser.add_argument("--since", metavar=_(texts, "D"))
    parser.add_argument("--until", metavar=_(texts, "D"))
    parser.add_argument("--topic", metavar=_(texts, "T"))
    parser.add_argument("--limit", type=int, metavar=_(texts, "N"))
    parser.add_argument("--batch", action="store_true")


def _sessions(parser: ArgumentParser, everywhere: Parser, texts: Texts) -> None:
    action = _actions(parser, everywhere, texts, "sessions")

    action("list")
    for name in ("show", "resume", "delete"):
        action(name).add_argument("id", metavar=_(texts, "ID"))
    reporting = action("report")
    reporting.add_argument("id", metavar=_(texts, "ID"))
    reporting.add_argument(
        "--with-contents", action="store_true", help=_(texts, "sessions_report_contents")
    )
    _output(reporting, texts)
    action("end").add_argument("id", nargs="?", metavar=_(texts, "ID"))
    rename = action("rename")
    rename.add_argument("id", metavar=_(texts, "ID"))
    rename.add_argument("title", metavar=_(texts, "TITLE"))


def _memory(parser: ArgumentParser, everywhere: Parser, texts: Texts) -> None:
    action = _actions(parser, everywhere, texts, "memory")

    listing = action("list")
    listing.add_argument("--term", choices=_values(Term))
    listing.add_argument("--topic", metavar=_(texts, "T"))
    listing.add_argument("--search", metavar=_(texts, "TEXT"))
    listing.add_argument("--since", metavar=_(texts, "D"))
    listing.add_argument("--until", metavar=_(texts, "D"))
    listing.add_argument("--limit", type=int, metavar=_(texts, "N"))
    listing.add_argument("--all", action="store_true", help=_(texts, "memory_list_all"))
    adding = action("add")
    adding.add_argument("text", metavar=_(texts, "TEXT"))
    adding.add_argument("--topic", metavar=_(texts, "T"))
    adding.add_argument("--importance", type=int, default=9, metavar="1–10")
    action("forget").add_argument("ids", nargs="+", metavar=_(texts, "ID"))
    action("age")
    exporting = action("export")
    exporting.add_argument("--all", action="store_true", help=_(texts, "memory_export_all"))
    _output(exporting, texts)
    action("reload").add_argument("file", metavar=_(texts, "FILE"))


def _library(parser: ArgumentParser, everywhere: Parser, texts: Texts) -> None:
    action = _actions(parser, everywhere, texts, "library")

    adding = action("add")
    adding.add_argument("paths", nargs="+", metavar=_(texts, "PATH"))
    adding.add_argument("--copy", action="store_true", help=_(texts, "library_copy"))
    adding.add_argument("--wait", action="store_true", help=_(texts, "wait"))
    action("list")
    action("remove").add_argument("id", metavar=_(texts, "ID"))


def _actions(
    parser: ArgumentParser, everywhere: Parser, texts: Texts, room: str
) -> Callable[[str], ArgumentParser]:
    """Adds what can be done in a room, by its name."""
    actions = parser.add_subparsers(
        title=_(texts, "actions"),
        dest="action",
        metavar=_(texts, "ACTION"),
        parser_class=Parser,
        required=True,
    )

    def action(name: str) -> ArgumentParser:
        return actions.add_parser(name, parents=[everywhere], help=_(texts, f"{room}_{name}"))

    return action


def _output(parser: ArgumentParser, texts: Texts) -> None:
    parser.add_argument("-o", "--output", metavar=_(texts, "PATH"))


def _values(choices: type[StrEnum]) -> list[str]:
    return [choice.value for choice in choices]


def _(texts: Texts, name: str) -> str:
    return texts.say(f"help.{name}").replace("%", "%%")


@contextmanager
def grammar_words(texts: Texts) -> Iterator[None]:
    """Let `texts` translate what argparse itself prints.

    Argparse takes every sentence from two names of its module. A sentence of a later version of
    argparse that has no key stays English.
    """

    def said(words: str) -> str:
        key = _KEYS.get(words)
        return words if key is None else texts.say(f"grammar.{key}")

    def counted(one: str, other: str, n: int) -> str:
        return said(one if n == 1 else other)

    names = vars(argparse)
    before = {name: names[name] for name in ("_", "ngettext")}
    names.update({"_": said, "ngettext": counted})
    try:
        yield
    finally:
        names.update(before)
