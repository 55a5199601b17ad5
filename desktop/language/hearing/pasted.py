"""Tells a person's own words from a long text they paste: they stand before it or behind it."""

_LONGEST_TYPED = 8_000
"""Letters; nobody types more than that into one message."""
_BESIDE_IT = 4_000


def own_words(text: str) -> str:
    """As much of a message as is listened to for what it calls for: of what is pasted, its ends.

    The beginning is the message's own, letter for letter, and so is the end.
    """
    if len(text) <= _LONGEST_TYPED:
        return text
    return f"{text[:_BESIDE_IT]}\n\n{text[-_BESIDE_IT:]}"
