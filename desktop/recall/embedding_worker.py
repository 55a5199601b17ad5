"""The child process that turns texts into vectors, so that the window never waits for them.

Over stdin come requests, a line of JSON each (`model`, `kind`: query or passages, `texts`); each
is answered over stdout by a line of JSON (`rows`, `dimensions`) and the float32 numbers. A model
of meanings holds the interpreter's lock for milliseconds at a time and 150 MB for as long as it
lives: this process takes both away with it when it ends, which it does when stdin does.
"""

import json
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import BinaryIO

from desktop.domain.search import Embedder
from desktop.recall.embedders import best_embedder, fast_part
from desktop.settings.sandbox import enter_sandbox

EMBED_FLAG = "--embed"  # The argument that makes the program the child

_NICENESS = 10


def main() -> None:
    # Libraries write to stdout; the pipe back to the program must stay ours.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    with suppress(AttributeError, OSError):  # not on Windows
        os.nice(_NICENESS)
    enter_sandbox()
    embedder = best_embedder()
    models = [embedder, fast_part(embedder)]
    serve({model.name: model for model in models if model}, sys.stdin.buffer, answers)


def serve(embedders: Mapping[str, Embedder], requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests until the input ends."""
    for line in requests:
        request = json.loads(line)
        embedder, texts = embedders[request["model"]], request["texts"]
        if request["kind"] == "query":
            numbers = embedder.query(texts[0])[None, :]
        else:
            numbers = embedder.passages(texts)
        head = {"rows": numbers.shape[0], "dimensions": numbers.shape[1]}
        try:
            answers.write(json.dumps(head).encode() + b"\n")
            answers.write(numbers.astype("<f4").tobytes())
            answers.flush()
        except BrokenPipeError:
            return
