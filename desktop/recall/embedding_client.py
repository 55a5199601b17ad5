"""An embedding model in a child process, started on first use and ended when idle.

A model of meanings holds the interpreter's lock for milliseconds at a time and 150 MB for as long
as it lives: the process takes both away with it when it ends, which it does when stdin does. Over
stdin come requests, a line of JSON each (`model`, `kind`: query or passages, `texts`); each is
answered over stdout by a line of JSON (`rows`, `dimensions`) and the float32 numbers.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from threading import Lock, Timer
from typing import TYPE_CHECKING, BinaryIO

from desktop.domain.search import Embedder, EmbeddingFailedError
from desktop.recall.embedders import best_embedder, fast_part
from desktop.settings.sandbox import child_environment, enter_sandbox

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.domain.json_values import JsonValue
    from desktop.domain.search import Embedder, Vector, Vectors


_REST_S = 60.0  # Idle time after which the process ends to free memory; restarting takes a second
_QUIET_S = 60.0  # Time after the last key press until the user counts as idle
_FLOAT_BYTES = 4
_ROOT = Path(__file__).parents[2]  # The folder from which the child process can import the program


class ServedEmbedder:
    """Implements Embedder with the child process. Raises EmbeddingFailedError."""

    def __init__(self, model: Embedder, process: EmbeddingProcess) -> None:
        self.name = model.name
        self.dimensions = model.dimensions
        self._process = process

    def passages(self, texts: Sequence[str]) -> Vectors:
        return self._process.ask(self.name, "passages", texts)

    def query(self, text: str) -> Vector:
        vector: Vector = self._process.ask(self.name, "query", [text])[0]
        return vector


class EmbeddingProcess:
    """Any thread may call; the calls run one after another."""

    def __init__(self, *, rest_s: float = _REST_S) -> None:
        best = best_embedder()
        fast = fast_part(best)
        self.embedder = ServedEmbedder(best, self)
        self.fast = ServedEmbedder(fast, self) if fast else None
        self.threads = 1
        """For the next process; a running process with another number is ended first."""
        self._child_threads = 1
        self._rest_s = rest_s
        self._lock = Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._rest: Timer | None = None
        self._is_closed = False

    @property
    def is_awake(self) -> bool:
        child = self._child
        return child is not None and child.poll() is None

    @property
    def process_id(self) -> int | None:
        child = self._child
        return child.pid if child is not None and self.is_awake else None

    def let_go(self) -> None:
        """End the process to free its memory; the next call starts it again."""
        with self._lock:
            self._end()

    def close(self) -> None:
        """End the process, even during a call; waiting callers get EmbeddingFailedError."""
        self._is_closed = True
        if child := self._child:
            child.kill()
        self.let_go()

    def ask(self, model: str, kind: str, texts: Sequence[str]) -> Vectors:
        """Return the vectors of the texts. Raises EmbeddingFailedError."""
        request: dict[str, JsonValue] = {"model": model, "kind": kind, "texts": list(texts)}
        with self._lock:
            self._keep_awake()
            try:
                answer = self._exchange(json.dumps(request).encode() + b"\n")
            except (OSError, ValueError) as exc:
                self._end()
                raise EmbeddingFailedError from exc
            self._rest = Timer(self._rest_s, self.let_go)
            self._rest.daemon = True
            self._rest.start()
            return answer

    def _exchange(self, request: bytes) -> Vectors:
        import numpy as np  # noqa: PLC0415 - 80 ms that only those who embed pay

        child = self._running()
        if child.stdin is None or child.stdout is None:
            raise AssertionError("made with pipes")
        child.stdin.write(request)
        child.stdin.flush()
        head: dict[str, int] = json.loads(child.stdout.readline())
        rows, dimensions = head["rows"], head["dimensions"]
        numbers = child.stdout.read(rows * dimensions * _FLOAT_BYTES)
        return np.frombuffer(numbers, "<f4").reshape(rows, dimensions)

    def _running(self) -> subprocess.Popen[bytes]:
        is_other = self._child_threads != self.threads
        if self._child is None or self._child.poll() is not None or is_other:
            self._end()
            self._child_threads = self.threads
            is_frozen = getattr(sys, "frozen", False)
            command = [sys.executable, *(() if is_frozen else ("-m", "desktop")), EMBED_FLAG]
            self._child = subprocess.Popen(  # noqa: S603 - our own command, without a shell
                command,
                cwd=_ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
                env=child_environment(OMP_NUM_THREADS=str(self.threads)),
            )
        if self._is_closed:
            self._child.kill()
        return self._child

    def _keep_awake(self) -> None:
        if self._rest is not None:
            self._rest.cancel()

    def _end(self) -> None:
        self._keep_awake()
        child, self._child = self._child, None
        if child is not None:
            child.kill()
            child.communicate()


def background_threads(quiet_s: float) -> int:
    """Return the cores for the strong model: one while the user types or on battery."""
    if quiet_s < _QUIET_S or _is_on_battery():
        return 1
    return max(1, (os.cpu_count() or 1) - 1)


def _is_on_battery() -> bool:
    """Known on Linux; elsewhere the computer counts as plugged in."""
    supplies = Path("/sys/class/power_supply").glob("A*/online")
    try:
        online = [path.read_text().strip() for path in supplies]
    except OSError:
        return False
    return bool(online) and "1" not in online


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
