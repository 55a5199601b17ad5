"""Summarising the older part of a session, so that the rest of it can go on."""

from collections.abc import Callable, Sequence

from desktop.domain.messages import Message, Role
from desktop.domain.model import Model, ModelRequest, ReplyStream, RequestMessage
from desktop.domain.sessions import Compact
from desktop.domain.usage import Usage

_MOST_TOKENS = 4096


def compact(
    model: Model,
    instructions: str,
    heading: str,
    messages: Sequence[Message],
    hold: Callable[[ReplyStream], None],
) -> tuple[Compact, Usage]:
    """One request that reads the messages and writes what stands for them; raises LlmError.

    `heading` is put before the summary and tells the model that reads it what it is. `hold` is
    given the stream, for whoever wants to hang up.
    """
    said = "\n\n".join(
        f"[{message.number}] {message.role}: {message.content}" for message in messages
    )
    request = ModelRequest(
        instructions, (RequestMessage(Role.USER, said),), max_output_tokens=_MOST_TOKENS
    )
    with model.stream(request) as stream:
        hold(stream)
        for _ in stream:
            pass
        reply = stream.reply()
    written = Compact(
        session_id=messages[0].session_id,
        from_number=messages[0].number,
        to_number=messages[-1].number,
        last_message_id=messages[-1].id,
        summary=f"{heading}\n\n{reply.text}",
    )
    return written, reply.usage
