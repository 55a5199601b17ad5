"""The text of an answer as it arrives: what is held back of it, and what was said before that."""

_BLOCK_FENCE = 3
_BEFORE = 400
"""Letters of what was said last: enough to see what a bracket stands behind."""


class Arriving:
    def __init__(self) -> None:
        self.held = ""
        self.before = ""
        self.letters_said = 0
        """Without the space around them."""
        self.fence = ""
        """The backticks that opened code, in which brackets are only brackets."""

    def add(self, text: str) -> None:
        self.held += text

    def take(self, length: int) -> str:
        """What stands at the beginning, as it is; it is said now."""
        taken, self.held = self.held[:length], self.held[length:]
        self.before = (self.before + taken)[-_BEFORE:]
        self.letters_said += len(taken.strip())
        if "\n" in taken and len(self.fence) < _BLOCK_FENCE:
            self.fence = ""  # a backtick that nobody closed
        return taken

    def take_ticks(self, length: int) -> str:
        """The same of backticks, which open code or close it."""
        ticks = self.take(length)
        if not self.fence:
            self.fence = ticks
        elif self.fence == ticks:
            self.fence = ""
        return ticks

    def reread(self, length: int, written: str) -> str:
        """Put another form in the place of what stands at the beginning; nothing is said yet."""
        self.held = f"{written}{self.held[length:]}"
        return ""
