"""`bellek suspicious FILE`: which sentences of texts look like orders to a model."""

import json
from argparse import Namespace
from collections.abc import Iterator, Mapping
from pathlib import Path
from time import perf_counter

from desktop.cli.services import CommandServices
from desktop.domain.errors import UsageError
from desktop.research.security.injection_detector import find_suspicious_spans


def suspicious(services: CommandServices, options: Namespace) -> int:
    """A line for every line of the file; raises UsageError for one that has no text."""
    for one in read_texts(Path(options.file)):
        began = perf_counter()
        spans = [[span.start, span.end] for span in find_suspicious_spans(str(one["text"]))]
        took = round((perf_counter() - began) * 1000, 2)
        told = {"id": one.get("id"), "spans": spans, "ms": took}
        print(json.dumps(told, ensure_ascii=False), file=services.stdout)
    return 0


def read_texts(path: Path) -> Iterator[Mapping[str, object]]:
    """The objects of a file of JSON lines; each has a text. Raises UsageError."""
    try:
        lines = path.read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as exc:
        raise UsageError(detail=f"{path}: {exc}") from exc
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            one = json.loads(line)
        except ValueError as exc:
            raise UsageError(detail=f"{path}:{number}: {exc}") from exc
        if not isinstance(one, dict) or not isinstance(one.get("text"), str):
            raise UsageError(detail=f"{path}:{number}: text")
        yield one
