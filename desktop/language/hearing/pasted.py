"""Tells a person's own words from a long text they paste: they stand before it or behind it."""

_LONGEST_TYPED = 8_000
"""Letters; nobody types more than that into one message."""
_BESIDE_IT = 4_000


_LINE = "\n"
_LONGEST_LINE = 600
"""Letters of what is typed in one go."""
_LEAST_LINES = 2
_MOST_HEARD = 1_600
"""Letters; in more of them rules look for milliseconds, and what is asked stands at an end."""


def heard_of(text: str) -> str:
    """As much of a message as rules decide by; its beginning and its end are its own."""
    if len(text) <= _MOST_HEARD:
        return text
    first, last = text[: _MOST_HEARD // 2], text[-_MOST_HEARD // 2 :]
    # Half a line says something else: of code, a quotation that was in it.
    return f"{first.rpartition(_LINE)[0] or first}\n\n{last.partition(_LINE)[2] or last}"


def own_words(text: str) -> str:
    """As much of a message as is listened to for what it calls for: of what is pasted, its ends.

    The beginning is the message's own, letter for letter, and so is the end.
    """
    if len(text) <= _LONGEST_TYPED:
        return text
    return f"{text[:_BESIDE_IT]}\n\n{text[-_BESIDE_IT:]}"


def parted(text: str) -> tuple[str, str]:
    """What a person types of a message, and what it brings along between that; may be empty.

    Of a long one with several lines the first and the last are typed, where they are short.
    """
    lines = [line for line in text.split(_LINE) if line.strip()]
    if len(text) <= _LONGEST_LINE or len(lines) < _LEAST_LINES:
        return text, ""
    ends = [at for at in (0, len(lines) - 1) if len(lines[at]) <= _LONGEST_LINE]
    between = [one for at, one in enumerate(lines) if at not in ends]
    return _LINE.join(lines[at] for at in ends), _LINE.join(between)
