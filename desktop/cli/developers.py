"""`bellek boundaries`, `intents` and `suspicious`, for developers: analyse a file."""

import json
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from time import perf_counter

from desktop.cli.commands import Command, CommandServices, to_json
from desktop.domain.errors import BoundariesMissingError, UsageError
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.json_values import JsonValue
from desktop.domain.messages import Message, MessageState, Role
from desktop.domain.times import utc_now
from desktop.research.router import Rules, settle_intent
from desktop.research.security import find_suspicious_spans
from desktop.research.utterance import parse_utterance
from desktop.sessions.conversation.assistant_context import heard_phrases, shipped_phrases
from desktop.settings.paths import asset

_Line = Mapping[str, object]


def _boundaries(services: CommandServices, options: Namespace) -> int:
    """The program needs none of it: only the source tree has it. Raises BoundariesMissingError."""
    training = asset("packaging", "training")
    if not training.is_dir():
        raise BoundariesMissingError
    sys.path.insert(0, str(training))
    code: int = import_module("session_boundaries").print_boundaries(services, options)
    return code


def _intents(services: CommandServices, options: Namespace) -> None:
    rules = Rules()
    phrases = heard_phrases(shipped_phrases(), services.core.settings_store.current)

    def find(line: _Line) -> dict[str, JsonValue]:
        utterance = parse_utterance(str(line["text"]), phrases)
        intent = settle_intent(utterance, _messages(line.get("messages")), rules)
        return {
            "intent": intent.intent.value,
            "confidence": round(intent.confidence, 3),
            "reason": intent.reason.value,
        }

    _print_found(services, options, find)


def _messages(value: object) -> Sequence[Message]:
    """Parse earlier messages: objects with a role and a content, or plain texts in turns."""
    messages = list[Message]()
    for number, entry in enumerate(value if isinstance(value, list) else [], start=1):
        role = Role.USER if number % 2 else Role.ASSISTANT
        content: object = entry
        if isinstance(entry, dict):
            role = Role(entry["role"]) if entry.get("role") in set(Role) else role
            content = entry.get("content", entry.get("text", ""))
        place, session = MessageId(number), SessionId("file")
        whole = MessageState.COMPLETE
        messages.append(
            Message(
                id=place,
                session_id=session,
                number=number,
                role=role,
                content=str(content),
                state=whole,
                created_at=utc_now(),
            )
        )
    return messages


def _suspicious(services: CommandServices, options: Namespace) -> None:
    def find(line: _Line) -> dict[str, JsonValue]:
        return {"spans": list(map(list, find_suspicious_spans(str(line["text"]))))}

    _print_found(services, options, find)


def _print_found(
    services: CommandServices, options: Namespace, find: Callable[[_Line], dict[str, JsonValue]]
) -> None:
    """Print a line for every line of the file; raises UsageError for one without a text."""
    for line in _read_texts(Path(options.file)):
        began = perf_counter()
        result = find(line)
        took_ms = round((perf_counter() - began) * 1000, 2)
        services.print_json({"id": to_json(line.get("id")), **result, "ms": took_ms})


def _read_texts(path: Path) -> Iterator[_Line]:
    """Yield the objects of a JSON lines file; each has a text. Raises UsageError."""
    try:
        lines = path.read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as exc:
        raise UsageError(detail=f"{path}: {exc}") from exc
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
        except ValueError as exc:
            raise UsageError(detail=f"{path}:{number}: {exc}") from exc
        if not isinstance(entry, dict) or not isinstance(entry.get("text"), str):
            raise UsageError(detail=f"{path}:{number}: text")
        yield entry


COMMANDS = {
    "boundaries": Command(_boundaries),
    "intents": Command(_intents),
    "suspicious": Command(_suspicious),
}
