"""The texts of the core in the user's language, read without Qt."""

import errno
import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import takewhile
from types import MappingProxyType

from desktop.domain.errors import AppError
from desktop.domain.language import Language
from desktop.settings.paths import asset
from desktop.settings.settings import UiLanguage

Value = str | float
SETTING_WORDS = "settings_"  # How the files of the words of the settings begin

_NAMES = "ENOENT EACCES EPERM EISDIR ENOTDIR ENOSPC EROFS EEXIST ESPIPE"
_SYSTEM_WORDS: MappingProxyType[str, str] = MappingProxyType(
    {os.strerror(getattr(errno, name)): f"system.{name.lower()}" for name in _NAMES.split()}
)
"""Untranslated file errors of an operating system, with the keys of our translations."""


class Texts:
    """Sentences by key ("table.name") in one language; a missing key is a bug: KeyError."""

    def __init__(self, language: Language, *, file: str = "") -> None:
        """`file`: as `read_sentences`."""
        self.language = language
        self._file = file

    @cached_property
    def _sentences(self) -> Mapping[str, str]:
        return read_sentences(self.language, self._file)

    def say(self, key: str, **values: Value) -> str:
        shown = {name: _shown(value) for name, value in values.items()}
        return self._sentences[key].format(**shown)

    def say_or_empty(self, key: str) -> str:
        """Return a text as it is written, or none."""
        return self._sentences.get(key, "")

    def count(self, key: str, n: int, **values: Value) -> str:
        """Return the text for a count: `key_one` or `key_other`, with {n} replaced."""
        form = "one" if n == 1 else "other"
        return self.say(f"{key}_{form}", n=self.number(n), **values)

    def contents(self, numbers: Mapping[str, int]) -> list[str]:
        """Return how many sessions, sources, notes and facts there are, without those of none."""
        return [self.count(f"contents.{kind}", n) for kind, n in numbers.items() if n]

    def error(self, error: AppError) -> str:
        return self.error_of(error.key, **error.values)

    def error_of(self, key: str, **values: Value) -> str:
        """Return the text of an error from its key, which is all that a stored message has.

        If a value is unknown, the text without it (`key_plain`) is used.
        """
        # A busy endpoint that gives no waiting time has 0 seconds here.
        details = {
            name: value
            for name, value in self._translated(values)
            if value != "" and not (name == "seconds" and value == 0)
        }
        try:
            return self.say(f"errors.{key}", **details)
        except KeyError:
            # Either a value is missing, or a later version of the program stored a key of its own.
            plain = f"errors.{key}_plain"
            return self.say(plain if plain in self._sentences else "errors.unknown")

    def _translated(self, values: Mapping[str, Value]) -> Iterator[tuple[str, Value]]:
        for name, value in values.items():
            known = {"detail": _SYSTEM_WORDS.get(str(value), ""), "reason": f"reasons.{value}"}
            yield name, self.say_or_empty(known.get(name, "")) or value

    def number(self, n: int) -> str:
        """Return 1234 as 1.234 or 1,234."""
        grouped = f"{n:,}"
        return grouped.replace(",", ".") if self.language is Language.TR else grouped

    def megabytes(self, size_bytes: int) -> str:
        """Return 1_250_000 as 1,3 or 1.3."""
        size = f"{size_bytes / 1_000_000:.1f}"
        return size.replace(".", ",") if self.language is Language.TR else size


@cache
def read_sentences(language: Language, file: str = "") -> Mapping[str, str]:
    """Read the texts of the core; `file`: how the names of other files begin."""
    path = asset("resources", "texts", f"{file}{language}.toml")
    tables: Mapping[str, Mapping[str, str]] = tomllib.loads(path.read_text(encoding="utf-8"))
    return {
        f"{table}.{name}": sentence
        for table, sentences in tables.items()
        for name, sentence in sentences.items()
    }


def system_language(environ: Mapping[str, str], ui_languages: Sequence[str] = ()) -> Language:
    """Return the first of the system's languages that Bellek has, otherwise English.

    `ui_languages`: the window system's ("tr-TR"), used if no environment variable is set.
    """
    by_locale = next(
        (environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), ""
    )
    names = [*environ.get("LANGUAGE", "").split(":"), by_locale]
    if not any(names):
        names = list(ui_languages)
    codes = ["".join(takewhile(str.isalpha, name.lower())) for name in names]
    return next((Language(code) for code in codes if code in set(Language)), Language.EN)


def chosen_language(choice: UiLanguage, system: Language) -> Language:
    return system if choice is UiLanguage.SYSTEM else Language(choice.value)


def _shown(value: Value) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
