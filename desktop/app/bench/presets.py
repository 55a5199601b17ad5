"""How much is measured: what the figures are about, or as little as shows that they are taken."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sizes:
    started_sessions: int = 10_000
    searched_messages: tuple[int, ...] = (100_000, 1_000_000)
    imported_messages: int = 50_000
    far_message: int = 10_000
    """Which message's saving is compared with that of message 10."""
    saves: int = 40
    """Messages saved around each of the two; their median is compared."""
    streamed_s: float = 20
    """How long an answer streams whose bytes are counted."""
    stream_messages: int = 1_000
    """In the session that an answer streams into while stalls are measured."""
    streamed_words: int = 2_000
    opened_messages: int = 5_000
    settle_ms: int = 4_000
    """Until the SDK is imported and the archive is read: the quiet after that is measured."""


FULL = Sizes()
SMALL = Sizes(
    started_sessions=20,
    searched_messages=(400,),
    imported_messages=200,
    far_message=60,
    saves=5,
    streamed_s=1.8,
    stream_messages=10,
    streamed_words=60,
    opened_messages=60,
    settle_ms=500,
)
