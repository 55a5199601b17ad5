"""The child process that reads documents: whatever a file does to its reader, it does here.

Over stdin come requests, a line of JSON each (`path`, `seconds`, `letters`); over stdout goes back
for each a line for its `head`, one for every `block` and one for its `tail`, or an `error` by its
key. It ends when stdin does, and by itself where a document takes more memory or time than is
allowed (`limits`).
"""

import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from desktop.domain.errors import DocumentError, DocumentTooLargeError
from desktop.research.documents.blocks import Block, Head, Part
from desktop.research.documents.resource_limits import Limits
from desktop.research.documents.size_errors import LETTERS_A_MEGABYTE, outgrown
from desktop.research.documents.type_detection import read_document
from desktop.research.documents.worker_protocol import BLOCK, ERROR, HEAD, SYSTEM_ERROR, TAIL

_NICENESS = 10


def main(megabytes: int) -> None:
    # Libraries write where they like; the pipe back to the program must stay ours.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
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
        _tell(file, most_letters, answers)
    except DocumentError as exc:
        _write(answers, ERROR, exc.key, exc.values)
    except MemoryError:
        error = outgrown(file, most_letters)
        _write(answers, ERROR, error.key, error.values)
    except OSError as exc:
        _write(answers, SYSTEM_ERROR, exc.strerror or "")


def _tell(file: Path, most_letters: int, answers: BinaryIO) -> None:
    letters = 0
    for part in read_document(file):
        if isinstance(part, Block):
            letters += len(part.text)
            if letters > most_letters:
                raise DocumentTooLargeError(limit=most_letters // LETTERS_A_MEGABYTE)
        _write(answers, _name(part), *part)


def _name(part: Part) -> str:
    if isinstance(part, Head):
        return HEAD
    return BLOCK if isinstance(part, Block) else TAIL


def _write(answers: BinaryIO, *values: object) -> None:
    # Every letter as ASCII: half of a surrogate pair in a broken file is no letter to UTF-8.
    answers.write(json.dumps(values).encode("ascii") + b"\n")
    answers.flush()
