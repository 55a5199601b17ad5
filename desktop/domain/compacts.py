"""Which compacts stand for a session's messages: a contiguous row from the first message on."""

from collections.abc import Iterable, Sequence

from desktop.domain.messages import Message
from desktop.domain.sessions import Compact


def contiguous_compacts(compacts: Iterable[Compact]) -> list[Compact]:
    """The row that reaches furthest, without a gap and without two for one message.

    Where a path is left and come back to, compacts of both may end with messages they share, and
    then overlap. Given oldest first; of two rows of the same reach the older compact stands.
    """
    rows: dict[int, tuple[Compact, ...]] = {0: ()}
    for compact in sorted(compacts, key=lambda one: one.to_number):
        before = rows.get(compact.from_number - 1)
        if before is not None:
            rows.setdefault(compact.to_number, (*before, compact))
    return list(rows[max(rows)])


def active_compacts(compacts: Iterable[Compact], messages: Sequence[Message]) -> list[Compact]:
    """Those that hold on this path: what they end with is where it was."""
    return contiguous_compacts(
        compact
        for compact in compacts
        if compact.to_number <= len(messages)
        and messages[compact.to_number - 1].id == compact.last_message_id
    )


def covered(compacts: Sequence[Compact]) -> int:
    """The number of the last message that a contiguous row stands for; 0 for none."""
    return compacts[-1].to_number if compacts else 0
