"""`bellek intents FILE`: what the program takes messages for, and why; for developers."""

import json
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from time import perf_counter

from desktop.cli.services import CommandServices
from desktop.domain.errors import UsageError
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import Message, MessageState, Role
from desktop.domain.times import utc_now
from desktop.research.routing.router import Rules, settle_intent
from desktop.research.security.injection_detector import find_suspicious_spans
from desktop.sessions.prompts_and_phrases import heard_phrases, shipped_phrases


def intents(services: CommandServices, options: Namespace) -> int:
    """A line for every line of the file; raises UsageError for one that is no message."""
    phrases = heard_phrases(shipped_phrases(), services.core.settings_store.current)
    rules = Rules(phrases)
    for one in read_texts(Path(options.file)):
        began = perf_counter()
        found = settle_intent(str(one["text"]), _messages(one.get("messages")), rules)
        told = {
            "id": one.get("id"),
            "intent": found.intent.value,
            "confidence": round(found.confidence, 3),
            "reason": found.reason.value,
            "ms": round((perf_counter() - began) * 1000, 2),
        }
        print(json.dumps(told, ensure_ascii=False), file=services.stdout)
    return 0


def _messages(said: object) -> Sequence[Message]:
    """What was said before, as objects with a role and a content, or as plain texts in turns."""
    found = list[Message]()
    for number, one in enumerate(said if isinstance(said, list) else [], start=1):
        role = Role.USER if number % 2 else Role.ASSISTANT
        content: object = one
        if isinstance(one, dict):
            role = Role(one["role"]) if one.get("role") in set(Role) else role
            content = one.get("content", one.get("text", ""))
        found.append(
            Message(
                id=MessageId(number),
                session_id=SessionId("file"),
                number=number,
                role=role,
                content=str(content),
                state=MessageState.COMPLETE,
                created_at=utc_now(),
            )
        )
    return found


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
