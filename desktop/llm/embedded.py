"""Serves the user's own model file on loopback from a child process, started on first use."""

import importlib.util
import json
import secrets
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from desktop.domain.errors import LlmError, LocalModelError, LocalRuntimeMissingError
from desktop.llm import embedded_child
from desktop.llm.endpoints import Address
from desktop.settings.sandbox import child_environment

SERVE_FLAG = "--serve-gguf"
"""The argument that makes the frozen program the child: it has no other Python."""

USUAL_CONTEXT_TOKENS = 8192

_GRAPHICS = ("CUDA_", "NVIDIA_", "HIP_", "ROCR_", "HSA_", "VK_", "GGML_")
"""The beginnings of variables that choose a graphics card."""
_MAGIC = b"GGUF"
_LAST_WORDS_S = 5.0


def child_command() -> list[str]:
    if getattr(sys, "frozen", False):
        return [sys.executable, SERVE_FLAG]
    # -P: the modules beside the child's must not stand in for libraries of the same name.
    return [sys.executable, "-P", embedded_child.__file__]


@dataclass(eq=False)
class EmbeddedServer:
    """Thread-safe; a crashed child is restarted."""

    _path: Path
    _context_tokens: int | None = None
    _embeds: bool = False  # Whether it makes vectors instead of answers
    command: Sequence[str] | None = None
    _starting: threading.Lock = field(default_factory=threading.Lock)
    _child: "subprocess.Popen[bytes] | None" = None
    _address: Address | None = None
    _is_closed: bool = False

    def address(self) -> Address:
        """Waits for the model to load. Raises LocalModelError, LocalRuntimeMissingError."""
        with self._starting:
            is_running = self._child is not None and self._child.poll() is None
            if self._address is not None and is_running:
                return self._address
            self._end_child()
            self._address = self._start()
            return self._address

    def close(self) -> None:
        """End the child, even while it loads; it stays ended."""
        self._is_closed = True
        if self._child is not None:
            self._child.kill()
        with self._starting:
            self._end_child()

    def _start(self) -> Address:
        self._check_file()
        if importlib.util.find_spec("xllamacpp") is None:
            raise LocalRuntimeMissingError
        key = secrets.token_urlsafe(24)
        wish: dict[str, str | int] = {
            "embeds": self._embeds,
            "path": str(self._path),
            "context_tokens": self._context_tokens or USUAL_CONTEXT_TOKENS,
            "key": key,
        }
        child = self._child = subprocess.Popen(  # noqa: S603  our own command, without a shell
            self.command or child_command(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=child_environment(*_GRAPHICS),
            stderr=subprocess.DEVNULL,  # llama.cpp writes there what it reads
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        if self._is_closed:
            child.kill()
        answer = _answer_of(child, wish)
        if url := answer.get("url"):
            return Address(url, key)
        self._end_child()
        raise self._failure(answer, child.returncode)

    def _check_file(self) -> None:
        try:
            with self._path.open("rb") as file:
                beginning = file.read(len(_MAGIC))
        except OSError as exc:
            raise LocalModelError(path=str(self._path), detail=exc.strerror or "") from exc
        if beginning != _MAGIC:
            raise LocalModelError(path=str(self._path), detail="not GGUF")

    def _failure(self, answer: "dict[str, str]", exit_code: int | None) -> LlmError:
        if answer.get("error") == embedded_child.RUNTIME_MISSING:
            return LocalRuntimeMissingError()
        detail = answer.get("detail") or f"exit {exit_code}"
        return LocalModelError(path=str(self._path), detail=detail)

    def _end_child(self) -> None:
        child, self._child, self._address = self._child, None, None
        if child is None:
            return
        child.kill()
        child.communicate(timeout=_LAST_WORDS_S)


def _answer_of(child: "subprocess.Popen[bytes]", wish: "dict[str, str | int]") -> "dict[str, str]":
    """The child's start-up message; empty if it died."""
    if child.stdin is None or child.stdout is None:
        raise AssertionError("made with pipes")
    try:
        child.stdin.write(json.dumps(wish).encode() + b"\n")
        child.stdin.flush()
    except OSError:  # dead already
        return {}
    try:
        answer: dict[str, str] = json.loads(child.stdout.readline())
    except ValueError:  # cut off, or nothing at all
        return {}
    return answer
