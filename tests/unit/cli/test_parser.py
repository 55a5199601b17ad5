"""The grammar is in the reader's language, including argparse's own texts."""

import argparse
import shlex
from collections.abc import Iterator

import pytest

from desktop.cli.parser import Parser, make_parser, parse
from desktop.domain.errors import UsageError
from desktop.domain.language import Language
from desktop.settings.messages import Texts, read_sentences

COMMANDS = (
    "",
    "chat",
    "ask",
    "search",
    "sessions",
    "memory",
    "import",
    "export",
    "doctor",
    "boundaries",
    "bench",
    "backup",
    "restore",
    "sessions list",
    "sessions show",
    "sessions end",
    "sessions resume",
    "sessions delete",
    "sessions rename",
)
ENGLISH = (
    "usage:",
    "options",
    "positional",
    "arguments",
    "show this",
    "expected",
    "invalid",
    "required",
    "unrecognized",
    "choose",
    "TEXT",
    "FILE",
    "PATH",
    "DIR",
    "NAME",
    "TITLE",
    "ID",
)


@pytest.mark.parametrize("command", COMMANDS)
def test_no_word_of_the_turkish_help_is_english(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        parse([*command.split(), "--help"], Texts(Language.TR))
    said = capsys.readouterr().out
    assert said.startswith("kullanım: bellek")
    assert "seçenekler:" in said
    assert [word for word in ENGLISH if word in said] == []


def test_the_english_help_is_english(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse(["ask", "--help"], Texts(Language.EN))
    said = capsys.readouterr().out
    assert said.startswith("usage: bellek ask")
    assert "TEXT" in said
    assert "options:" in said


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["ask"], "Şunlar eksik: METİN"),
        (["sessions"], "Şunlar eksik: İŞLEM"),
        (["sessions", "list", "hepsi"], "“hepsi” burada tanınmıyor"),
        (["ask", "x", "--session"], "--session: bir değer gerekiyor"),
        (["search", "x", "--limit", "çok"], "--limit: 'çok' bir sayı değil"),
        (["search", "x", "--batch=1"], "--batch: değer almaz, verilen: '1'"),
        (["search", "x", "--li", "1", "--l"], "--l birden çok seçeneğin başı: --lang, --limit"),
    ],
)
def test_errors_of_usage_are_in_turkish(argv: list[str], said: str) -> None:
    with pytest.raises(UsageError) as met:
        parse(argv, Texts(Language.TR))
    assert met.value.values["detail"] == said


@pytest.mark.parametrize(
    ("line", "meant", "help_of"),
    [
        ("serach x", "search", "bellek"),
        ("sessions lst", "list", "bellek sessions"),
        ("ses", "sessions", "bellek"),
        ("ask x --teir deep", "--tier", "bellek ask"),
        ("memory list --topik x", "--topic", "bellek memory list"),
        ("memory list --jsn", "--json", "bellek memory list"),
    ],
)
def test_a_misspelt_word_is_corrected(line: str, meant: str, help_of: str) -> None:
    with pytest.raises(UsageError) as met:
        parse(line.split(), Texts(Language.EN))
    assert str(met.value.values["detail"]).endswith(f"Did you mean “{meant}”?")
    assert met.value.values["command"] == help_of


def test_an_unknown_word_does_not_print_every_command() -> None:
    with pytest.raises(UsageError) as met:
        parse(["dans"], Texts(Language.EN))
    assert met.value.values["detail"] == "“dans” is not known here"


def _commands(parser: Parser) -> Iterator[Parser]:
    yield parser
    for one in parser.subcommands.values():
        yield from _commands(one)


@pytest.mark.parametrize("language", Language)
def test_every_command_has_an_example_and_every_argument_a_help_text(language: Language) -> None:
    parsers = list(_commands(make_parser(Texts(language))))
    assert len(parsers) > 40
    for one in parsers:
        assert f"\n  {one.prog}" in str(one.epilog) or one.prog == "bellek"
        assert all(argument.help for argument in one.arguments), one.prog


@pytest.mark.parametrize("language", Language)
def test_every_example_is_a_command_that_is_understood(language: Language) -> None:
    said = {key: text for key, text in read_sentences(language).items() if "example." in key}
    for key, example in said.items():
        program, *argv = shlex.split(example.partition(" > ")[0])
        assert program == "bellek"
        assert key.startswith(f"example.{parse(argv, Texts(language)).command}")


def test_choices_are_listed_in_turkish() -> None:
    with pytest.raises(UsageError) as met:
        parse(["ask", "x", "--tier", "dans"], Texts(Language.TR))
    detail = str(met.value.values["detail"])
    assert "'dans' olamaz (seçilebilecekler:" in detail
    assert [word for word in ENGLISH if word in detail] == []


def test_other_users_of_argparse_are_not_affected() -> None:
    with pytest.raises(UsageError):
        parse(["ask"], Texts(Language.TR))
    assert argparse.ArgumentParser(prog="p").format_help().startswith("usage: p")


def test_no_text_is_read_for_arguments_that_show_none() -> None:
    read_sentences.cache_clear()
    assert parse(["--profile", "work"], Texts(Language.TR)).profile == "work"
    assert read_sentences.cache_info().currsize == 0
