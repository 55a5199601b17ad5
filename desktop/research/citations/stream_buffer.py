"""Buffers an answer while it streams: what is held back, and the text that was shown before it."""

_BLOCK_FENCE = 3
_BEFORE = 400
"""Characters of the shown text that are kept, to see what a bracket stands behind."""


class StreamBuffer:
    def __init__(self) -> None:
        self.held = ""
        self.before = ""
        self.letters_shown = 0
        """Without the white space around them."""
        self._fence = ""
        """The backticks that opened the code in which the text is now."""

    @property
    def is_in_code(self) -> bool:
        return bool(self._fence)

    def add(self, text: str) -> None:
        self.held += text

    def pop(self, length: int) -> str:
        """Take characters from the beginning; they count as shown."""
        taken, self.held = self.held[:length], self.held[length:]
        self.before = (self.before + taken)[-_BEFORE:]
        self.letters_shown += len(taken.strip())
        if "\n" in taken and len(self._fence) < _BLOCK_FENCE:
            self._fence = ""  # a backtick that nobody closed
        return taken

    def pop_backticks(self, length: int) -> str:
        """The same for backticks, which open or close code."""
        ticks = self.pop(length)
        if not self._fence:
            self._fence = ticks
        elif self._fence == ticks:
            self._fence = ""
        return ticks
