"""`bellek intents FILE`: what the program takes messages for, and why; for developers."""

import json
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

from desktop.cli.services import CommandServices
from desktop.cli.suspicious import read_texts
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import Message, MessageState, Role
from desktop.domain.times import utc_now
from desktop.research.routing.router import Rules, settle_intent
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
