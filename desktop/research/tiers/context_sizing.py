"""How much goes into the requests of a run: less for a model that holds less."""

from dataclasses import dataclass

_CHARACTERS_A_TOKEN = 3
_SHARE = 0.35
"""Of the context; the rest is the session, the instructions and the answer."""
_LONGEST, _SHORTEST = 1_400, 280
_SMALL_CONTEXT = 12_000


@dataclass(frozen=True, slots=True)
class Sizes:
    passages: int
    """In one request."""
    characters: int
    """Of one passage."""
    room: int
    """Characters of a session, or of evidence, that one structured request takes."""
    parts: int
    """Sub-questions at the most."""
    claims: int
    """That are tested in one request."""
    output_tokens: int

    @classmethod
    def of(cls, context_tokens: int, wanted: int, *, is_lite: bool = False) -> "Sizes":
        """`wanted`: passages, where there is room for them."""
        room = int(context_tokens * _CHARACTERS_A_TOKEN * _SHARE) // (2 if is_lite else 1)
        characters = min(_LONGEST, max(_SHORTEST, room // max(1, wanted)))
        is_small = context_tokens < _SMALL_CONTEXT
        return cls(
            passages=max(2, min(wanted, room // characters)),
            characters=characters,
            room=room,
            parts=3 if is_small else 5,
            claims=4 if is_small else 12,
            output_tokens=400 if is_small else 2_000,
        )
