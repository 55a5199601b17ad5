"""Splits a JSON text of any size into its conversations, with one of them in memory at a time.

A conversation longer than `LONGEST_MB`, or with too many objects, is skipped.
"""

import codecs
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from desktop.domain.model import JsonValue
from desktop.sessions.importing.import_types import UnreadableConversationError

LONGEST_MB = 32
_LONGEST = LONGEST_MB << 20
_MOST_OBJECTS = 1_000_000
_CHUNK = 1 << 18
_SPACE = b" \t\r\n,"
# Whole stretches at once; possessive, so that nothing is ever read twice.
_TO_BRACKET = re.compile(rb'(?:[^"{}\[\]]++|"(?:[^"\\]++|\\.)*+")*+', re.DOTALL)
_TO_QUOTE = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)
_QUOTE, _OPEN, _CLOSE = ord('"'), frozenset(b"{["), frozenset(b"}]")


class Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class JsonPiece:
    """The text of one conversation, or what is wrong with it."""

    number: int
    text: bytes = b""
    wrong: str = ""
    """Key of a sentence of the texts."""


def parse(piece: JsonPiece) -> tuple[JsonValue, bool]:
    """The value, and whether all bytes were letters; raises UnreadableError."""
    if piece.wrong:
        raise UnreadableConversationError(piece.wrong, megabytes=LONGEST_MB)
    try:
        text, is_whole = piece.text.decode(), True
    except UnicodeDecodeError:
        text, is_whole = piece.text.decode(errors="replace"), False
    try:
        return json.loads(text), is_whole
    except (ValueError, RecursionError) as exc:
        raise UnreadableConversationError("not_json") from exc


def lines(file: Readable) -> Iterator[JsonPiece]:
    """Every line that is not empty, by its number from 1."""
    held, number, is_too_long = bytearray(), 0, False
    while chunk := file.read(_CHUNK):
        first, *rest = chunk.split(b"\n")
        for at, part in enumerate([first, *rest]):
            if at:
                number += 1
                yield from _line(number, held, is_too_long=is_too_long)
                held, is_too_long = bytearray(), False
            if len(held) + len(part) > _LONGEST:
                held, is_too_long = bytearray(), True
            elif not is_too_long:
                held += part
    yield from _line(number + 1, held, is_too_long=is_too_long)


def _line(number: int, held: bytearray, *, is_too_long: bool) -> Iterator[JsonPiece]:
    text = held.strip()
    if is_too_long or text.count(b"{") + text.count(b"[") > _MOST_OBJECTS:
        yield JsonPiece(number, wrong="too_long")
    elif text:
        yield JsonPiece(number, bytes(text))


def _values(stray: bytes) -> list[bytes]:
    """Each of the values that stand there instead of objects; what is none, whole."""
    if len(stray) > _CHUNK:
        return [stray]
    try:
        values = json.loads(b"[%b]" % stray)
    except (ValueError, RecursionError):
        return [stray]
    return [json.dumps(value).encode() for value in values]


class Objects:
    """Finds where each object of an array, or of a row of objects, begins and ends."""

    def __init__(self, file: Readable, *, in_array: bool) -> None:
        self._file = file
        self._base = 1 if in_array else 0
        self._held = bytearray()
        self._at = 0
        self._depth = 0
        self._number = 0
        self._objects = 0
        self._is_in_text = False
        self._is_too_long = False
        self._is_over = False

    def __iter__(self) -> Iterator[JsonPiece]:
        while not self._is_over and (chunk := self._file.read(_CHUNK)):
            self._held += chunk
            yield from self._scan()
            if self._depth <= self._base:
                self._let_go(kept=_LONGEST)
            elif len(self._held) > _LONGEST or self._objects > _MOST_OBJECTS:
                self._is_too_long = True
                self._let_go()
        yield from self._end()

    def _scan(self) -> Iterator[JsonPiece]:
        while (byte := self._next_byte()) is not None:
            if byte in _OPEN:
                if self._depth == self._base:
                    yield from self._between()
                self._depth += 1
                self._objects += 1
                self._at += 1
                if self._depth == 1 == self._base:
                    self._let_go()
            elif byte in _CLOSE:
                yield from self._between() if self._depth == self._base else ()
                self._depth -= 1
                self._at += 1
                if self._depth == self._base:
                    yield self._piece()
                elif self._depth < self._base:
                    self._is_over = self._base == 1
                    self._depth = 0
                    self._let_go()

    def _next_byte(self) -> int | None:
        """The bracket that `_at` has moved to; None where more has to be read."""
        held = self._held
        while True:
            to_what = _TO_QUOTE if self._is_in_text else _TO_BRACKET
            found = to_what.match(held, self._at)
            self._at = found.end() if found else self._at
            if self._is_over or self._at >= len(held):
                return None
            byte = held[self._at]
            if byte != _QUOTE:
                # Inside a text only half an escape is left over.
                return None if self._is_in_text else byte
            self._is_in_text = not self._is_in_text
            self._at += 1

    def _between(self) -> Iterator[JsonPiece]:
        """What stands between two objects should be a comma."""
        stray = bytes(self._held[: self._at]).strip(_SPACE)
        self._let_go()
        for one in _values(stray) if stray else ():
            self._number += 1
            yield JsonPiece(self._number, one)

    def _piece(self) -> JsonPiece:
        self._number += 1
        is_too_long = self._is_too_long or self._objects > _MOST_OBJECTS or self._at > _LONGEST
        text = b"" if is_too_long else bytes(self._held[: self._at])
        self._let_go()
        self._is_too_long, self._objects = False, 0
        return JsonPiece(self._number, text, "too_long" if is_too_long else "")

    def _let_go(self, kept: int = 0) -> None:
        """Forget what was read, if it is more than what may be kept."""
        if len(self._held) > kept:
            del self._held[: self._at]
            self._at = 0

    def _end(self) -> Iterator[JsonPiece]:
        if self._is_over:
            return
        is_inside = self._depth > self._base
        stray = not is_inside and self._held.strip(_SPACE)
        if is_inside or self._base or stray:
            yield JsonPiece(
                self._number + 1, wrong="cut_off" if is_inside or self._base else "not_json"
            )


# The longer first: the shorter of the two begins it.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_BYTES_A_ZERO = 16
"""One zero in so many bytes, at least: wide text has one in nearly every letter."""


def named_by(first: bytes) -> str | None:
    """The encoding that a mark at the beginning names, where it is another than UTF-8.

    Broken bytes that only begin like a mark name none.
    """
    if first.count(b"\0") * _BYTES_A_ZERO < len(first):
        return None
    return next((name for mark, name in _MARKS if first.startswith(mark)), None)


def is_wide(first: bytes) -> bool:
    """Whether a file without a mark begins with a letter of two bytes, as no UTF-8 text does."""
    letter = first[:2].replace(b"\0", b"")
    return (
        len(first) > 1 and len(letter) == 1 and letter.isascii() and letter.decode().isprintable()
    )


class AsUtf8:
    """What is no letter in the encoding becomes the replacement character."""

    def __init__(self, file: Readable, first: bytes, encoding: str) -> None:
        self._file = file
        self._first = first
        self._decoder = codecs.getincrementaldecoder(encoding)(errors="replace")

    def read(self, size: int, /) -> bytes:
        """Empty only at the end of the file."""
        while True:
            data, self._first = self._first or self._file.read(size), b""
            text = self._decoder.decode(data, final=not data)
            if text or not data:
                return text.encode()
