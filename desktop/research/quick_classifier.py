"""Asks the quick model short questions, one at a time, only if the classifier is in doubt.

The model chooses one of a few words, and its reply is validated. On any failure or delay the
classifier's decision applies.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TypeVar

from desktop.domain.errors import AppError, ReplyInvalidError
from desktop.domain.json_values import object_schema
from desktop.domain.messages import Message, Role
from desktop.domain.model import Model, ModelRequest, RequestMessage
from desktop.domain.usage import Usage

log = logging.getLogger(__name__)

_PATIENCE_S = 3.0
_LONGEST = 2_000
_ANSWER_TOKENS = 64
_QUOTED_MESSAGES, _QUOTED_LETTERS = 4, 300

Counted = Callable[[Usage], None]
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class QuickRole:
    model: Model
    counted: Counted

    def choose(self, instructions: str, about: str, choices: Sequence[str]) -> str | None:
        """Return one of the choices; None if the model does not reply with one in time."""
        messages = [RequestMessage(Role.USER, about[:_LONGEST])]
        request = ModelRequest(instructions, messages, max_output_tokens=_ANSWER_TOKENS)
        schema = object_schema(choice={"type": "string", "enum": list(choices)})

        def asked() -> str:
            reply, usage = self.model.ask_json(request, schema)
            self.counted(usage)
            chosen = reply.get("choice") if isinstance(reply, Mapping) else None
            if not isinstance(chosen, str) or chosen not in choices:
                raise ReplyInvalidError(detail="choice is none of those that were offered")
            return chosen

        return within(_PATIENCE_S, asked)


def quote_messages(messages: Sequence[Message]) -> str:
    """Return the last few messages, a line each, for a question about what follows them."""
    return "\n".join(
        f"{message.role.value}: {' '.join(message.content.split())[:_QUOTED_LETTERS]}"
        for message in messages[-_QUOTED_MESSAGES:]
    )


def within(timeout_s: float, work: Callable[[], Found]) -> Found | None:
    """Return the result of `work`; None if it takes longer, or on an expected error."""
    answer: SimpleQueue[Found | None] = SimpleQueue()

    def run() -> None:
        try:
            answer.put(work())
        except AppError as exc:
            log.info("a short question came to nothing: %s", exc.key)
            answer.put(None)

    Thread(target=run, daemon=True, name="short-question").start()
    try:
        return answer.get(timeout=timeout_s)
    except Empty:
        return None
