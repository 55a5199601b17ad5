"""The one place where a request is put together.

The start of a request is byte-identical from turn to turn: instructions, compacts, older messages.
What changes stands in the changing block at its very end.
"""

from collections.abc import Sequence

from desktop.domain.messages import Message, MessageState, Role
from desktop.domain.model import ModelRequest, RequestMessage
from desktop.domain.sessions import Compact


def assemble(
    *,
    instructions: str,
    compacts: Sequence[Compact],
    messages: Sequence[Message],
    changing: str | None = None,
) -> ModelRequest:
    """Compacts, then every message after the last of them; `messages` end with the user's.

    Answers of which nothing arrived are left out: an endpoint refuses empty text.
    """
    covered = max((compact.to_number for compact in compacts), default=0)
    summaries = [RequestMessage(Role.USER, compact.summary) for compact in compacts]
    said = [
        RequestMessage(message.role, message.content)
        for message in messages
        if message.number > covered
        and message.state is not MessageState.STREAMING
        and message.content.strip()
    ]
    return ModelRequest(instructions, (*summaries, *said), changing)
