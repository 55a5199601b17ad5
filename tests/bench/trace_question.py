"""Prints how many frames and files of the core one ordinary question visits.

    python -m tests.bench.trace_question

Depth: the frames of the program on the stack when the request leaves, from the use case down to
the HTTP client's send. Width: the files of the core in which a function runs for one question
about general knowledge, asked in a session that has one exchange. Imports are not counted, nor
what only connects the parts (`app`, `sessions/services.py` and its part `profile_services.py`),
nor the methods that make a class a frozen value (`domain/frozen.py`), as little as those of the
standard library.
"""

import gc
import sys
import threading
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType

from desktop.domain.events import Outcome, TurnEnded, TurnEvent
from desktop.sessions.services import Services
from tests.loopback import LoopbackServer

ROOT = Path(__file__).parents[2] / "desktop"
_NOT_COUNTED = (
    str(ROOT / "app"),
    str(ROOT / "sessions" / "services.py"),
    str(ROOT / "sessions" / "profile_services.py"),
    str(ROOT / "domain" / "frozen.py"),
    # Only where two threads read at once, so that another connection is opened.
    str(ROOT / "settings" / "paths.py"),
)
_FIRST, _QUESTION = "Gelgit nasıl oluşur?", "Peki dolunayda neden daha güçlü olur?"


class Trace:
    """A profile function for every thread."""

    def __init__(self) -> None:
        self.files: Counter[str] = Counter()
        self.stack: list[str] = []

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        if event != "call":
            return
        code = frame.f_code
        path = code.co_filename
        is_core = path.startswith(str(ROOT)) and not path.startswith(_NOT_COUNTED)
        if is_core and code.co_name != "<module>":
            self.files[str(Path(path).relative_to(ROOT))] += 1
        elif code.co_qualname == "Client.send" and not self.stack:
            self.stack = _frames(frame)


def _frames(frame: FrameType | None) -> list[str]:
    """The frames of the program, from the use case to the wire."""
    found = []
    while frame is not None:
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(ROOT):
            found.append(f"{path.relative_to(ROOT)}: {frame.f_code.co_qualname}")
        frame = frame.f_back
    return found[::-1]


def ask(core: Services, question: str) -> None:
    events: list[TurnEvent] = []
    core.assistant.ask(question).run(events.append)
    ended = events[-1]
    assert isinstance(ended, TurnEnded)
    assert ended.outcome is Outcome.COMPLETE, ended


def trace_question() -> Trace:
    trace = Trace()
    with (
        TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        LoopbackServer(["Bel", "lek ", "hatır", "lar."]) as server,
    ):
        core = server.core(Path(folder))
        ask(core, _FIRST)
        gc.collect()
        gc.disable()  # What others left is not finalized meanwhile
        threading.setprofile(trace)
        sys.setprofile(trace)
        try:
            ask(core, _QUESTION)
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
            gc.enable()
            core.close()
            core._archive.close()
    return trace


def main() -> None:
    trace = trace_question()
    print(f"{len(trace.stack)} frames from the use case to the wire")
    print("\n".join(f"  {one}" for one in trace.stack))
    print(f"{len(trace.files)} files")
    for path, calls in sorted(trace.files.items()):
        print(f"{calls:8} {path}")


if __name__ == "__main__":
    main()
