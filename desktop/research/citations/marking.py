"""Marks the addresses of an answer, as it arrives, that nobody gave it."""

from collections.abc import Sequence

from desktop.research.citations.arriving import Arriving
from desktop.research.citations.linking import UNKNOWN, KnownLinks, read_address
from desktop.research.passages import Passage, Speaker


class Marking:
    def __init__(self, text: Arriving, links: KnownLinks | None) -> None:
        """None: any address may be shown."""
        self._text = text
        self._links = links
        self._marked_at = -1

    def know(self, passages: Sequence[Passage]) -> None:
        """Their addresses may be shown, and those that they name."""
        if self._links is None:
            return
        # What an answer of long ago says is no page that anybody has read.
        told = (one for one in passages if one.place or one.speaker is Speaker.USER)
        self._links.add(one.stored for one in told)
        self._links.add(one.place.address for one in passages if one.place)

    @property
    def is_again(self) -> bool:
        """Whether another mark may begin there: models write as they have seen it done."""
        is_behind_one = self._marked_at == self._text.letters_said
        return is_behind_one and UNKNOWN.startswith(self._text.held[: len(UNKNOWN)])

    def drop(self, *, is_over: bool) -> str | None:
        """That other mark; None where more has to come first."""
        if self._text.held.startswith(UNKNOWN):
            return self._text.reread(len(UNKNOWN), "")
        return self._text.take(1) if is_over else None

    def address(self, *, is_over: bool) -> str | None:
        """What stands where an address may begin, and its mark; None as above."""
        is_within = self._text.held[0] in "wW" and self._text.before[-1:].isalnum()
        if self._text.fence or is_within:
            return self._text.take(1)
        read = read_address(self._text.held, self._text.before, is_over=is_over)
        if read is None:
            return None
        whole = self._text.take(read.length)
        if not read.link or self._links is None or read.link in self._links:
            return whole
        self._marked_at = self._text.letters_said
        return f"{whole}{'' if read.is_closed else ' '}{UNKNOWN}"
