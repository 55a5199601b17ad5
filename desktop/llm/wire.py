"""How a request looks on the wire: the same bytes at its start, turn after turn."""

from typing import TYPE_CHECKING

from desktop.domain.messages import Role
from desktop.domain.model import ModelRequest

if TYPE_CHECKING:
    from anthropic.types import CacheControlEphemeralParam, MessageParam, TextBlockParam


def system_blocks(request: ModelRequest, *, caching: bool) -> "list[TextBlockParam]":
    if not request.instructions.strip():
        return []
    block = _block(request.instructions)
    if caching:
        block["cache_control"] = _breakpoint()
    return [block]


def message_params(request: ModelRequest, *, caching: bool) -> "list[MessageParam]":
    """Messages of one role in a row become one message; content is always a list of text blocks.

    `changing` is the last block of the newest user message, behind the last cache breakpoint.
    """
    spoken = [(role, [_block(text) for text in texts]) for role, texts in _spoken(request)]
    if caching and spoken and spoken[-1][0] is Role.USER:
        stable = spoken[-1][1][:-1] if request.changing else spoken[-1][1]
        for block in stable[-1:]:
            block["cache_control"] = _breakpoint()
    return [_param(role, blocks) for role, blocks in spoken]


def chat_messages(request: ModelRequest) -> list[dict[str, str]]:
    """The same for a server's `/v1/chat/completions`, with plain texts."""
    said = [(role.value, "\n\n".join(texts)) for role, texts in _spoken(request)]
    if request.instructions.strip():
        said.insert(0, ("system", request.instructions))
    return [{"role": role, "content": text} for role, text in said]


def _spoken(request: ModelRequest) -> list[tuple[Role, list[str]]]:
    """Roles in turn, without messages that have no words: endpoints refuse empty blocks."""
    said = [(message.role, message.text) for message in request.messages]
    if request.changing:
        said.append((Role.USER, request.changing))
    spoken: list[tuple[Role, list[str]]] = []
    for role, text in said:
        if not text.strip():
            continue
        if not spoken or spoken[-1][0] is not role:
            spoken.append((role, []))
        spoken[-1][1].append(text)
    return spoken


def _param(role: Role, blocks: "list[TextBlockParam]") -> "MessageParam":
    match role:
        case Role.USER:
            return {"role": "user", "content": blocks}
        case Role.ASSISTANT:
            return {"role": "assistant", "content": blocks}


def _block(text: str) -> "TextBlockParam":
    return {"type": "text", "text": text}


def _breakpoint() -> "CacheControlEphemeralParam":
    return {"type": "ephemeral"}
