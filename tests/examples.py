"""Long tables of sentences and what they mean, kept as JSON beside the tests that read them."""

import json
from functools import cache
from pathlib import Path
from typing import Any


def examples(test: str, name: str) -> Any:  # whatever a table holds
    """Return a table of the file `examples.json` in the folder of a test.

    Each of its names is that of the test or constant it is for.
    """
    return _read(Path(test).with_name("examples.json"))[name]


@cache
def _read(file: Path) -> dict[str, Any]:
    tables: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return tables
