"""The child process that serves one model file with llama.cpp, on loopback, under a random key.

Over stdin comes one line of JSON (`path`, `context_tokens`, `key`, `embeds`: whether it makes
vectors), over stdout goes one back: `url`, or `error` and `detail`. Loading holds the
interpreter's lock, so this is a process of its own. It ends when stdin does, and so never outlives
the program that started it.

It is run by its path, without the rest of the program, and imports nothing from it.
"""

import ctypes
import json
import os
import sys
import threading
from typing import Any

RUNTIME_MISSING = "runtime_missing"
MODEL_BROKEN = "model_broken"

_NO_NEW_PRIVILEGES = 38
_STDIN = 0
_STDOUT = 1
_CHUNK = 65_536
_LONGEST_EMBEDDED = 2_048  # Tokens
_CACHE_MIB = 512  # For request prefixes that recur; llama.cpp itself would use up to 8 GB


def main() -> None:
    # llama.cpp writes anywhere; the pipe back to the program must stay ours.
    answers = os.dup(_STDOUT)
    os.dup2(os.open(os.devnull, os.O_WRONLY), _STDOUT)
    if sys.platform == "linux":
        # No sandbox: it listens, and graphics drivers open what they need.
        ctypes.CDLL(None).prctl(_NO_NEW_PRIVILEGES, *map(ctypes.c_ulong, (1, 0, 0, 0)))
    wish = json.loads(_first_line())
    threading.Thread(target=_die_with_the_parent, daemon=True).start()
    server = _serve(wish, answers)
    if server is not None:
        threading.Event().wait()


def _first_line() -> bytes:
    line = b""
    while not line.endswith(b"\n"):
        piece = os.read(_STDIN, _CHUNK)
        if not piece:
            break
        line += piece
    return line


def _die_with_the_parent() -> None:
    while os.read(_STDIN, _CHUNK):
        pass
    os._exit(0)


def _serve(wish: "dict[str, Any]", answers: int) -> object | None:
    """Return the running server, which stops when it is dropped; None if it could not start."""
    # Else its threads spin while they wait for one another, on cores that others need: an answer
    # of .5 s took 20 s of processor beside another busy process.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    try:
        import xllamacpp  # noqa: PLC0415  an extra, so it may be missing
    except ImportError as exc:
        _answer(answers, error=RUNTIME_MISSING, detail=str(exc))
        return None
    path, context_tokens = wish["path"], wish["context_tokens"]
    params = xllamacpp.CommonParams()
    params.model.path = path
    params.model_alias = {os.path.splitext(os.path.basename(path))[0]}  # noqa: PTH119, PTH122  starts faster
    params.n_ctx = context_tokens
    params.port = 0
    params.api_keys = [wish["key"]]
    params.ui = False
    params.cache_ram_mib = _CACHE_MIB
    if wish.get("embeds"):
        params.embedding = True
        # A text is embedded in one piece, which has to fit.
        params.n_batch = params.n_ubatch = min(context_tokens, _LONGEST_EMBEDDED)
    try:
        server = xllamacpp.Server(params)
    except RuntimeError as exc:
        _answer(answers, error=MODEL_BROKEN, detail=str(exc))
        return None
    _answer(answers, url=server.listening_address)
    running: object = server
    return running


def _answer(answers: int, **fields: str) -> None:
    os.write(answers, json.dumps(fields).encode() + b"\n")


if __name__ == "__main__":
    main()
