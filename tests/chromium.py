"""A real headless Chromium, driven over a pipe in its own protocol (DevTools)."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any, Self

from tests.e2e.kill.waiting import wait_until

PROGRAM = shutil.which("chromium")
_OPTIONS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync "
    "--disable-background-networking --disable-component-update --remote-debugging-pipe "
    "--enable-unsafe-extension-debugging about:blank"
)
_LET_GO_S = 30

Fields = dict[str, Any]


class Chromium:
    """Not thread-safe."""

    def __init__(self, folder: Path) -> None:
        """`folder`: where it keeps its profile."""
        hears, self._tells = os.pipe()
        said, says = os.pipe()
        self._numbers, self._answers = count(1), os.fdopen(said, "rb")
        self._rest = b""
        pipes = f"3<&{hears} 4>&{says} 2>{folder}.log"
        command = f'exec "{PROGRAM}" --user-data-dir="{folder}" {_OPTIONS} {pipes}'
        self._process = subprocess.Popen(("bash", "-c", command), pass_fds=(hears, says))  # noqa: S603, S607
        os.close(hears)
        os.close(says)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait(_LET_GO_S)
        self._answers.close()
        os.close(self._tells)

    def call(self, method: str, session: str = "", **parameters: object) -> Fields:
        number = next(self._numbers)
        message: Fields = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self._tells, json.dumps(message).encode() + b"\0")
        while (answer := self._next()).get("id") != number:
            pass
        assert "error" not in answer, answer
        return dict(answer["result"])

    def _next(self) -> Fields:
        while b"\0" not in self._rest:
            more = os.read(self._answers.fileno(), 1 << 16)
            assert more, "Chromium has ended"
            self._rest += more
        line, _, self._rest = self._rest.partition(b"\0")
        return dict(json.loads(line))

    def targets(self, kind: str) -> list[Fields]:
        found = self.call("Target.getTargets", filter=[{"type": kind}])
        return list(found["targetInfos"])

    def attached(self, kind: str, is_wanted: Callable[[str], bool] = lambda _: True) -> str:
        """Return a session with the first target of this kind whose address is wanted."""

        def wanted() -> list[Fields]:
            return [target for target in self.targets(kind) if is_wanted(target["url"])]

        wait_until(lambda: bool(wanted()), f"a {kind} in Chromium")
        target = wanted()[0]["targetId"]
        found = self.call("Target.attachToTarget", targetId=target, flatten=True)
        return str(found["sessionId"])

    def run(self, session: str, script: str) -> Any:
        """Run JavaScript and return what it comes to."""
        answer = self.call(
            "Runtime.evaluate",
            session,
            expression=script,
            awaitPromise=True,
            returnByValue=True,
            userGesture=True,
        )
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def go(self, session: str, address: str) -> None:
        self.call("Page.navigate", session, url=address)
        wait_until(
            lambda: (
                self.run(session, "document.readyState + location.href") == f"complete{address}"
            ),
            address,
        )
