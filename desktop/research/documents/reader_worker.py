"""The child process that reads documents and cuts them into passages.

It ends when stdin does, and by itself where a document takes more memory or time than is allowed
(`child_worker`). What it says over stdout stands in `reader`.
"""

import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from desktop.domain.errors import (
    DocumentDamagedError,
    DocumentError,
    DocumentReaderError,
    DocumentTooLargeError,
)
from desktop.research.child_worker import send_line, serve_requests
from desktop.research.documents.blocks import Block, Head, Parts, Tail
from desktop.research.documents.chunking import chunk_blocks
from desktop.research.documents.document_types import LETTERS_A_MEGABYTE, too_much_memory
from desktop.research.documents.reader import ERROR, HEAD, PASSAGE, SYSTEM_ERROR, TAIL
from desktop.research.documents.type_detection import read_document

_BLOCK_COST = 16
"""What a block counts beside its letters, so that there are not millions of tiny ones."""
_LONGEST_LINE_OF_HEAD = 500


def main(megabytes: int) -> None:
    serve_requests(megabytes, _answer)


def _answer(request: dict[str, Any], answers: BinaryIO) -> None:
    file, most_letters = Path(request["path"]), request["letters"]
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
        send_line(answers, SYSTEM_ERROR, exc.strerror or "")
    except Exception as exc:  # noqa: BLE001 - a bug of ours, and the program must hear of it
        # An import error names a module; what other errors say may be words of the document.
        detail = str(exc) if isinstance(exc, ImportError) else ""
        send_line(
            answers,
            ERROR,
            DocumentReaderError.key,
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
                    send_line(answers, HEAD, *(_shorten(value) for value in part))
                case Tail():
                    tail = part
                case Block():
                    room -= len(part.text) + _BLOCK_COST
                    if room < 0:
                        raise DocumentTooLargeError(limit=most_letters // LETTERS_A_MEGABYTE)
                    yield part

    for passage in chunk_blocks(blocks()):
        send_line(answers, PASSAGE, passage.text, passage.page, passage.heading)
    send_line(answers, TAIL, *tail)


def _shorten(value: object) -> object:
    return value[:_LONGEST_LINE_OF_HEAD] if isinstance(value, str) else value


def _send_error(answers: BinaryIO, error: DocumentError) -> None:
    send_line(answers, ERROR, error.key, error.values, "")
