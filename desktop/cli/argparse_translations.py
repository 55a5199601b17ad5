"""What argparse itself says, in the reader's language.

It takes every sentence from two names of its module, gettext's, whose catalogs would be one for
the whole process and compiled. What a later argparse says besides is said in English.
"""

import argparse
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from desktop.settings.messages import Texts

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


@contextmanager
def grammar_words(texts: Texts) -> Iterator[None]:
    """Meanwhile whatever argparse says is said by `texts`."""

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
