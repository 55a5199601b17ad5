"""Splits a JSON text of any size into its conversations, with one of them in memory at a time.

A conversation longer than `LONGEST_MB`, or with too many objects, is skipped.
"""

import json
import re
from collections.abc import Iterator
from typing import Protocol

from desktop.domain.model import JsonValue
from desktop.sessions.importing.import_types import UnreadableConversationError

LONGEST_MB = 32
_LONGEST = LONGEST_MB << 20
_MOST_OBJECTS = 1_000_000
_CHUNK = 1 << 18
# Whole stretches at once; possessive, so that nothing is ever read twice.
_NO_BRACKETS = re.compile(rb'(?:[^"{}\[\]]++|"(?:[^"\\]++|\\.)*+")*+', re.DOTALL)
_OPENING, _CLOSING = (b"{", b"["), (b"}", b"]")
_STEPS = {**dict.fromkeys(_OPENING, 1), **dict.fromkeys(_CLOSING, -1), b"": 0}


class Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


Piece = bytes | None
"""The text of one conversation; None where it is too long, empty where the file is cut off."""


def parse(piece: Piece) -> tuple[JsonValue, bool]:
    """The value, and whether all bytes were letters; raises UnreadableConversationError."""
    if piece is None or piece.count(b"{") + piece.count(b"[") > _MOST_OBJECTS:
        raise UnreadableConversationError("too_long", megabytes=LONGEST_MB)
    if not piece:
        raise UnreadableConversationError("cut_off")
    text = piece.decode(errors="replace")
    try:
        return json.loads(text), "\ufffd" not in text or text.encode() == piece
    except (ValueError, RecursionError) as exc:
        raise UnreadableConversationError("not_json") from exc


def lines(file: Readable) -> Iterator[tuple[int, Piece]]:
    """Every line that is not empty, by its number from 1."""
    number, held, is_too_long = 0, b"", False
    while chunk := file.read(_CHUNK):
        *whole, held = (held + chunk).split(b"\n")
        for line in whole:
            number += 1
            if is_too_long or line.strip():
                yield number, None if is_too_long else line.strip()
            is_too_long = False
        if len(held) > _LONGEST:
            held, is_too_long = b"", True
    if is_too_long or held.strip():
        yield number + 1, None if is_too_long else held.strip()


def objects(file: Readable, base: int) -> Iterator[tuple[int, Piece]]:
    """The objects inside of `base` brackets: 0 for a row of objects, 1 for an array of them."""
    return enumerate(_object_texts(file, base), start=1)


def _object_texts(file: Readable, base: int) -> Iterator[Piece]:
    depth, held, is_too_long = 0, bytearray(), False
    for text, bracket in _brackets(file):
        if depth == base:
            # Between objects there should be nothing but commas.
            yield from filter(None, (stray.strip() for stray in text.split(b",")))
        else:
            held += text
        depth = max(0, depth + _STEPS[bracket])
        if depth < base and bracket in _CLOSING:
            return
        held += bracket
        if len(held) > _LONGEST:
            held, is_too_long = bytearray(), True
        if depth <= base:
            if bracket in _CLOSING:
                yield None if is_too_long else bytes(held)
            held, is_too_long = bytearray(), False
    if depth or base:
        yield b""


def _brackets(file: Readable) -> Iterator[tuple[bytes, bytes]]:
    """Each bracket outside of texts, with what stands before it; at the end that alone."""
    held = b""
    # The more is held, the more is read: nothing is looked through more than twice.
    while chunk := file.read(max(_CHUNK, len(held))):
        held += chunk
        at, end = 0, _end_of_stretch(held, 0)
        while held[end : end + 1] not in (b"", b'"'):
            yield held[at:end], held[end : end + 1]
            at, end = end + 1, _end_of_stretch(held, end + 1)
        is_in_text = end < len(held)
        held = held[at:]
        if len(held) > _LONGEST:
            yield held, b""
            # Of a text that goes on: its quote, and half of an escape.
            escapes = len(held) - len(held.rstrip(b"\\"))
            held = b'"' + b"\\" * (escapes % 2) if is_in_text else b""
    yield held, b""


def _end_of_stretch(held: bytes, at: int) -> int:
    """Where the next bracket stands, or a text that is not whole, or the end."""
    found = _NO_BRACKETS.match(held, at)
    return found.end() if found else at
