"""The child process that reads documents and cuts them into passages.

It ends when stdin does, and by itself where a document takes more memory or time than is allowed
(`resource_limits`). What it says over stdout stands in `reader`.
"""

import json
import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from desktop.domain.errors import DocumentDamagedError, DocumentError, DocumentTooLargeError
from desktop.research.documents.blocks import Block, Head, Parts, Tail
from desktop.research.documents.chunking import chunk_blocks
from desktop.research.documents.document_types import LETTERS_A_MEGABYTE, too_much_memory
from desktop.research.documents.resource_limits import Limits
from desktop.research.documents.type_detection import read_document
from desktop.research.documents.worker_protocol import (
    ERROR,
    HEAD,
    PASSAGE,
    READER_FAILED,
    SYSTEM_ERROR,
    TAIL,
)

_NICENESS = 10
_BLOCK_COST = 16
"""What a block counts beside its letters, so that there are not millions of tiny ones."""
_LONGEST_LINE_OF_HEAD = 500


def main(megabytes: int) -> None:
    # Libraries write where they like: the pipe back to the program must stay ours, and a file
    # must not fill the disk with complaints about it.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.dup2(nowhere, sys.stderr.fileno())
    with suppress(AttributeError, OSError):  # not on Windows
        os.nice(_NICENESS)
    limits = Limits(megabytes)
    with suppress(BrokenPipeError):
        for line in sys.stdin.buffer:
            request = json.loads(line)
            limits.begin(request["seconds"])
            _answer(Path(request["path"]), request["letters"], answers)
            limits.end()


def _answer(file: Path, most_letters: int, answers: BinaryIO) -> None:
    try:
        _send_document(read_document(file), most_letters, answers)
    except DocumentError as exc:
        _send_error(answers, exc)
    except MemoryError:
        _send_error(answers, too_much_memory(file, most_letters))
    except RecursionError:
        _send_error(answers, DocumentDamagedError())
    except BrokenPipeError:
        raise
    except OSError as exc:
        _send(answers, SYSTEM_ERROR, exc.strerror or "")
    except Exception as exc:  # noqa: BLE001 - a bug of ours, and the program must hear of it
        # An import error names a module; what other errors say may be words of the document.
        detail = str(exc) if isinstance(exc, ImportError) else ""
        _send(
            answers,
            ERROR,
            READER_FAILED,
            {"detail": f"{type(exc).__name__}: {detail}".rstrip(": ")},
            "".join(traceback.format_tb(exc.__traceback__)),
        )


def _send_document(parts: Parts, most_letters: int, answers: BinaryIO) -> None:
    tail = Tail()

    def blocks() -> Iterator[Block]:
        nonlocal tail
        room = most_letters
        for part in parts:
            match part:
                case Head():
                    _send(answers, HEAD, *(_shorten(value) for value in part))
                case Tail():
                    tail = part
                case Block():
                    room -= len(part.text) + _BLOCK_COST
                    if room < 0:
                        raise DocumentTooLargeError(limit=most_letters // LETTERS_A_MEGABYTE)
                    yield part

    for passage in chunk_blocks(blocks()):
        _send(answers, PASSAGE, passage.text, passage.page, passage.heading)
    _send(answers, TAIL, *tail)


def _shorten(value: object) -> object:
    return value[:_LONGEST_LINE_OF_HEAD] if isinstance(value, str) else value


def _send_error(answers: BinaryIO, error: DocumentError) -> None:
    _send(answers, ERROR, error.key, error.values, "")


def _send(answers: BinaryIO, *values: object) -> None:
    # Every letter as ASCII: half of a surrogate pair in a broken file is no letter to UTF-8.
    answers.write(json.dumps(values).encode("ascii") + b"\n")
    answers.flush()
