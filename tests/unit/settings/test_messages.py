"""The core's own texts: complete in both languages, in the right language."""

import errno
import os
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from string import Formatter

import pytest

import desktop
from desktop.domain.errors import (
    AppError,
    ConnectionLostError,
    DatabaseDamagedError,
    DocumentError,
    FileUnreadableError,
    LlmError,
)
from desktop.domain.language import Language
from desktop.domain.sessions import EndReason
from desktop.domain.sync import SyncError
from desktop.domain.web import SiteBusyError, WebError
from desktop.research.zotero_api import ZoteroError
from desktop.settings.messages import (
    SETTING_WORDS,
    Texts,
    chosen_language,
    read_sentences,
    system_language,
)
from desktop.settings.settings import UiLanguage

ROOT = Path(desktop.__file__).parent
# An error is known once its module is imported.
_ERROR = re.compile(r"^class \w+\((?!Value)\w+Error\):", re.MULTILINE)
for file in ROOT.rglob("*.py"):
    if _ERROR.search(file.read_text(encoding="utf-8")):
        import_module(".".join(file.relative_to(ROOT.parent).with_suffix("").parts))

FAMILIES = (LlmError, DocumentError, SyncError, WebError, ZoteroError)
"""Never raised themselves."""
FILES = ("", SETTING_WORDS)


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


def error_keys(family: type[AppError] = AppError) -> Iterator[str]:
    for error in family.__subclasses__():
        if error not in FAMILIES:
            yield error.key
        yield from error_keys(error)


@pytest.fixture(params=Language)
def texts(request: pytest.FixtureRequest) -> Texts:
    return Texts(request.param)


@pytest.mark.parametrize("file", FILES)
def test_both_languages_have_the_same_keys(file: str) -> None:
    assert read_sentences(Language.TR, file).keys() == read_sentences(Language.EN, file).keys()


@pytest.mark.parametrize("file", FILES)
def test_both_languages_have_the_same_placeholders(file: str) -> None:
    turkish, english = read_sentences(Language.TR, file), read_sentences(Language.EN, file)
    differing = {
        key for key in turkish if placeholders(turkish[key]) != placeholders(english[key])
    }
    assert not differing


def test_every_text_key_in_the_program_has_a_text() -> None:
    keys = read_sentences(Language.EN).keys()
    tables = "|".join({key.partition(".")[0] for key in keys})
    named = re.compile(rf"\b(say|count|say_count)\(\s*[\"']((?:{tables})\.\w+)[\"']")
    for file in ROOT.rglob("*.py"):
        for said, key in named.findall(file.read_text(encoding="utf-8")):
            wanted = {key} if said == "say" else {f"{key}_one", f"{key}_other"}
            assert wanted <= keys, file


def test_every_error_has_a_text_with_values_and_one_without() -> None:
    keys = set(error_keys())
    sentences = read_sentences(Language.TR)
    assert len(keys) > 20
    for key in keys:
        if placeholders(sentences[f"errors.{key}"]):
            assert not placeholders(sentences[f"errors.{key}_plain"])


def test_every_error_text_belongs_to_an_error() -> None:
    said = {key.removeprefix("errors.").removesuffix("_plain") for key in _keys_of("errors")}
    assert said - {"unknown"} == set(error_keys())


def test_every_way_a_session_ends_has_a_notice() -> None:
    said = {key for key in _keys_of("session") if key.startswith("session.ended_")}
    assert said == {f"session.ended_{reason}" for reason in EndReason}


def test_the_tone_is_calm_and_the_marks_are_typographic() -> None:
    for language in Language:
        for key, sentence in read_sentences(language).items():
            assert "!" not in sentence, key
            # Instructions show models the exact form of their replies.
            assert '"' not in sentence or key.endswith((".rules", ".ledger")), key
            assert "..." not in sentence, key


def test_a_quoted_value_ends_its_sentence_before_the_next_one() -> None:
    for language in Language:
        for key, sentence in read_sentences(language).items():
            assert not re.search(r"\}” [A-ZÇĞİÖŞÜ]", sentence), key


def test_file_errors_of_the_system_are_translated() -> None:
    english, turkish = (
        Texts(language).error(FileUnreadableError(path="a.md", detail=os.strerror(errno.ENOENT)))
        for language in (Language.EN, Language.TR)
    )
    assert "a.md (the file or folder does not exist)" in english
    assert "a.md (böyle bir dosya ya da klasör yok)" in turkish


def test_an_unknown_system_message_is_shown_as_it_is(texts: Texts) -> None:
    assert "(Resource busy)" in texts.error(
        FileUnreadableError(path="a.md", detail="Resource busy")
    )


def test_whole_seconds_have_no_fraction() -> None:
    said = Texts(Language.EN).error(SiteBusyError(host="a.org", seconds=3.0))
    assert said == "a.org is limiting requests. Try again in 3 s."


def test_zero_salvaged_messages_are_reported_as_0(texts: Texts) -> None:
    assert "0" in texts.error(DatabaseDamagedError(kept="bellek.db.damaged", saved=0))


def test_an_error_of_a_newer_version_still_gets_a_sentence(texts: Texts) -> None:
    assert texts.error_of("from_the_future") == texts.say("errors.unknown")


def test_counts_choose_their_form_and_group_their_digits() -> None:
    english, turkish = Texts(Language.EN), Texts(Language.TR)
    assert english.count("session.length", 1) == "1 message"
    assert english.count("session.length", 1234) == "1,234 messages"
    assert turkish.count("session.length", 1234) == "1.234 mesaj"


def test_braces_in_a_value_are_left_alone(texts: Texts) -> None:
    assert "{x}" in texts.error(ConnectionLostError(where="{x}"))


@pytest.mark.parametrize(
    ("environ", "spoken"),
    [
        ({"LANG": "tr_TR.UTF-8"}, Language.TR),
        ({"LANG": "en_GB.UTF-8"}, Language.EN),
        ({"LANG": "de_DE.UTF-8"}, Language.EN),
        ({"LANG": "C"}, Language.EN),
        ({"LANG": "trv_TW"}, Language.EN),
        ({"LANG": "tr_TR.UTF-8", "LC_MESSAGES": "en_US.UTF-8"}, Language.EN),
        ({"LANG": "en_US.UTF-8", "LC_ALL": "tr_TR@euro"}, Language.TR),
        ({"LANG": "de_DE.UTF-8", "LANGUAGE": "de:tr"}, Language.TR),
        ({"LANG": "tr_TR.UTF-8", "LC_ALL": "", "LANGUAGE": ""}, Language.TR),
        ({}, Language.EN),
    ],
)
def test_the_system_language_is_read_from_the_locale(
    environ: dict[str, str], spoken: Language
) -> None:
    assert system_language(environ) is spoken


def test_without_a_locale_the_window_system_is_believed() -> None:
    assert system_language({}, ["tr-TR", "en-US"]) is Language.TR
    assert system_language({"LANG": "en_US.UTF-8"}, ["tr-TR"]) is Language.EN


def test_the_users_choice_comes_before_the_systems() -> None:
    assert chosen_language(UiLanguage.EN, Language.TR) is Language.EN
    assert chosen_language(UiLanguage.SYSTEM, Language.TR) is Language.TR


def _keys_of(table: str) -> set[str]:
    return {key for key in read_sentences(Language.TR) if key.startswith(f"{table}.")}
