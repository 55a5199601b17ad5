"""Tool tips that wrap: plain ones are one line, however long."""

from html import escape


def tip(words: str) -> str:
    """Rich text, which Qt wraps, with the words as they are."""
    return f"<qt>{escape(words)}</qt>" if words else ""
