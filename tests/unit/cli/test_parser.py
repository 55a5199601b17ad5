"""The grammar speaks the reader's language, argparse's own words with it."""

import argparse

import pytest

from desktop.cli.parser import parse
from desktop.domain.errors import UsageError
from desktop.domain.language import Language
from desktop.settings.messages import Texts

COMMANDS = (
    *("", "chat", "ask", "search", "sessions", "memory", "import", "export", "doctor"),
    *("boundaries", "bench", "backup", "restore", "sessions list", "sessions show"),
    *("sessions end", "sessions resume", "sessions delete", "sessions rename"),
)
ENGLISH = (
    *("usage:", "options", "positional", "arguments", "show this", "expected", "invalid"),
    *("required", "unrecognized", "choose", "TEXT", "FILE", "PATH", "DIR", "NAME", "TITLE", "ID"),
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
        (["ask"], "şunlar eksik: METİN"),
        (["sessions"], "şunlar eksik: İŞLEM"),
        (["sessions", "list", "hepsi"], "tanınmayan sözcükler: hepsi"),
        (["ask", "x", "--session"], "--session: bir değer gerekiyor"),
        (["search", "x", "--limit", "çok"], "--limit: 'çok' bir sayı değil"),
        (["search", "x", "--batch=1"], "--batch: değer almaz, verilen: '1'"),
        (["search", "x", "--li", "1", "--l"], "--l birden çok seçeneğin başı: --lang, --limit"),
    ],
)
def test_what_was_wrong_is_said_in_turkish(argv: list[str], said: str) -> None:
    with pytest.raises(UsageError) as met:
        parse(argv, Texts(Language.TR))
    assert met.value.values["detail"] == said


@pytest.mark.parametrize("argv", [["dans"], ["ask", "x", "--tier", "dans"]])
def test_what_can_be_chosen_is_said_in_turkish(argv: list[str]) -> None:
    with pytest.raises(UsageError) as met:
        parse(argv, Texts(Language.TR))
    detail = str(met.value.values["detail"])
    assert "'dans' olamaz (seçilebilecekler:" in detail
    assert [word for word in ENGLISH if word in detail] == []


def test_whoever_else_uses_argparse_finds_it_as_it_was() -> None:
    with pytest.raises(UsageError):
        parse(["ask"], Texts(Language.TR))
    assert argparse.ArgumentParser(prog="p").format_help().startswith("usage: p")
