"""Prepares text for a terminal: removes control characters, marks words."""

import os
import sys
from collections.abc import Iterable
from typing import TextIO

from desktop.domain.errors import AppError
from desktop.settings.messages import Texts

_START, _END = "\ufdd0", "\ufdd1"  # noncharacters: no text has them
_BOLD, _PLAIN = "\x1b[1m", "\x1b[0m"
# C0, DEL and C1 control a terminal; the others change the order of what is read.
_ORDERS = (*range(32), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A))
_REMOVED = dict.fromkeys(_ORDERS, "�") | {ord("\n"): "\n", ord("\t"): "\t", ord("\r"): ""}
_ESCAPED = {code: f"\\u{code:04x}" for code in _ORDERS if code != ord("\n")}


def mark(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return the text with these spans marked; `cleaned` makes them bold, or removes the marks."""
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]}{_START}{text[start:end]}{_END}{text[end:]}"
    return text


def cleaned(text: str, stream: TextIO) -> str:
    """Return untrusted text as it may be printed on the stream."""
    is_bold = stream.isatty() and not os.environ.get("NO_COLOR")
    start, end = (_BOLD, _PLAIN) if is_bold else ("", "")
    return text.translate(_REMOVED).replace(_START, start).replace(_END, end)


def cleaned_json(line: str) -> str:
    """Return the same JSON with every control character escaped."""
    return line.translate(_ESCAPED)


def print_error(texts: Texts, error: AppError) -> None:
    print(cleaned(texts.error(error), sys.stderr), file=sys.stderr)
