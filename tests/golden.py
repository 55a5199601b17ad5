"""Golden files: what the program did once, kept as JSON and compared with what it does now.

A file holds one value for each case of a test. After a change that people are meant to see, take
them again, and read the difference before it is committed:

    RETAKE=1 xvfb-run -a python -m pytest -n 0 tests/integration tests/ui/test_recorded_window.py
"""

import json
import os
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import unified_diff
from hashlib import sha256
from itertools import count, islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

Json = Any  # whatever JSON can hold

RETAKES = os.environ.get("RETAKE") == "1"
_SHARED = "shared"
_LONG = 90
_MOST_LINES, _WIDTH = 120, 240
_HOW = (
    "If people are meant to see this, take it again: RETAKE=1 python -m pytest -n 0 and this file."
)


@contextmanager
def settled_world() -> Iterator[None]:
    """Random ids count up, and local time is UTC."""
    numbers = count(1)
    system = SimpleNamespace(urandom=lambda size: next(numbers).to_bytes(size, "big"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("desktop.domain.ids.os", system)
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


class GoldenFile:
    """The recorded values of a test, by the name of the case."""

    def __init__(self, test: str, name: str, *, deep: int = 4) -> None:
        """`test`: the file of the test, beside which the folder `golden` is.

        What is long and so deep is written once if it occurs more often.
        """
        self.path = Path(test).parent / "golden" / f"{name}.json"
        self._deep = deep

    def check(self, case: str, value: Json) -> None:
        """Fail with the difference unless the value is the recorded one."""
        stored, now = self._read(), _split(value)
        if RETAKES:
            self._store({**stored, case: now})
            return
        before, after = (written(each).splitlines() for each in (stored.get(case), now))
        difference = unified_diff(before, after, "recorded", "now", n=2, lineterm="")
        if shown := list(islice(difference, _MOST_LINES)):
            raise AssertionError("\n".join([f"{self.path.name}: {case}", *shown, _HOW]))

    def check_cases(self, *cases: str) -> None:
        """Fail if a case is recorded that no test makes; taken again, it is removed."""
        stored = self._read()
        if RETAKES:
            stored = {name: value for name, value in stored.items() if name in cases}
            self._store(stored)
        assert sorted(stored) == sorted(cases), _HOW

    def _read(self) -> dict[str, Json]:
        if not self.path.exists():
            return {}
        stored = json.loads(self.path.read_text(encoding="utf-8"))
        shared = stored.pop(_SHARED)
        return {name: _restore(value, shared) for name, value in stored.items()}

    def _store(self, cases: dict[str, Json]) -> None:
        shared: dict[str, Json] = {}
        uses: Counter[str] = Counter()
        short = _shorten(dict(sorted(cases.items())), shared, uses, -self._deep)
        single = {name: value for name, value in shared.items() if uses[name] == 1}
        several = {name: _restore(shared[name], single) for name in sorted({*shared} - {*single})}
        self.path.parent.mkdir(exist_ok=True)
        text = written({**_restore(short, single), _SHARED: several})
        self.path.write_text(text + "\n", encoding="utf-8")


def written(value: Json, margin: str = "", before: int = 0) -> str:
    """Write a value as JSON: in one line if it fits, else each of its items in a line."""
    text = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, list | dict) or len(margin) + before + len(text) <= _WIDTH:
        return text
    deeper, marks = f"{margin} ", "[]" if isinstance(value, list) else "{}"
    if isinstance(value, list):
        lines = [written(item, deeper) for item in value]
    else:
        names = {json.dumps(name, ensure_ascii=False): item for name, item in value.items()}
        lines = [f"{name}: {written(item, deeper, len(name) + 2)}" for name, item in names.items()]
    inside = f",\n{deeper}".join(lines)
    return f"{marks[0]}\n{deeper}{inside}\n{margin}{marks[1]}"


def _split(value: Json) -> Json:
    """Write a text of several paragraphs or lines as a list, so that a difference is small."""
    match value:
        case str() if "\n\n" in value:
            return {"paragraphs": [_split(part) for part in value.split("\n\n")]}
        case str() if "\n" in value:
            return {"lines": value.split("\n")}
        case list():
            return [_split(item) for item in value]
        case dict():
            return {name: _split(item) for name, item in value.items()}
        case _:
            return value


def _shorten(value: Json, shared: dict[str, Json], uses: Counter[str], depth: int) -> Json:
    """Replace what is long by a name, from depth 0 on; count how often each name is used."""
    short, inside = value, Counter[str]()
    if isinstance(value, list):
        short = [_shorten(item, shared, inside, depth + 1) for item in value]
    elif isinstance(value, dict):
        short = {name: _shorten(item, shared, inside, depth + 1) for name, item in value.items()}
    text = json.dumps(short, ensure_ascii=False)
    if depth < 0 or len(text) < _LONG:
        uses += inside
        return short
    name = f"shared:{sha256(text.encode()).hexdigest()[:8]}"
    if name not in shared:
        shared[name] = short
        uses += inside
    uses[name] += 1
    return name


def _restore(value: Json, shared: dict[str, Json]) -> Json:
    match value:
        case str():
            return _restore(shared[value], shared) if value in shared else value
        case list():
            return [_restore(item, shared) for item in value]
        case dict():
            return {name: _restore(item, shared) for name, item in value.items()}
        case _:
            return value
