"""Replaces the citations of an answer by small numbers while the answer streams in.

A model cites as `[n: "words of the passage"]`. The reader sees a number; the resolver checks
whether the quoted words stand in the stored passage, and nothing else is called checked.
"""

import re
from collections.abc import Iterator, Sequence

from desktop.domain.messages import Citation
from desktop.research.citations.citation_resolver import CitationResolver
from desktop.research.citations.citation_syntax import (
    CLOSERS,
    Incomplete,
    ParsedCitation,
    opens_quote,
    parse_citation,
)
from desktop.research.citations.quote_matching import normalize_quote
from desktop.research.citations.stream_buffer import StreamBuffer
from desktop.research.citations.url_allowlist import LinkMarker, UrlAllowlist
from desktop.research.passages import Passage

_STOPS = re.compile(r"[`\[(【]")
_STOPS_AT_LINKS = re.compile(
    r"[`\[(【]|https?://|\bwww\.|h(?:t(?:t(?:ps?(?::/?)?)?)?)?\Z|\bw(?:w(?:w(?:\.)?)?)?\Z",
    re.IGNORECASE,
)
_BRACKETS = "[(【"
_SPACE_OR_MARK = " \t\n.,;!?%\"'”’»…*"


class CitationParser:
    """Feed it the answer as it arrives; what it returns is shown and stored."""

    def __init__(
        self,
        passages: Sequence[Passage],
        *,
        awaits_pages: bool = False,
        links: UrlAllowlist | None = None,
    ) -> None:
        """`awaits_pages`: whether pages may be added while the answer streams.

        `links`: the addresses that are shown unmarked, besides those of the passages. None: all.
        """
        self._resolver = CitationResolver(passages, awaits_pages=awaits_pages)
        self._buffer = StreamBuffer()
        self._link_marker = LinkMarker(self._buffer, links)
        self._link_marker.allow_links_of(passages)
        self._stops = _STOPS if links is None else _STOPS_AT_LINKS

    @property
    def next_number(self) -> int:
        """For passages that are added later."""
        return self._resolver.next_number

    def add(self, passages: Sequence[Passage]) -> None:
        """Add passages that a tool found while the answer was being written."""
        self._resolver.add(passages)
        self._link_marker.allow_links_of(passages)

    def add_page(self, number: int, passages: Sequence[Passage]) -> None:
        """Add the passages of a page, which is cited by one number."""
        self._resolver.add_page(number, passages)
        self._link_marker.allow_links_of(passages)

    @property
    def passages(self) -> tuple[Passage, ...]:
        """All that may be cited."""
        return self._resolver.passages

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Those of the text so far, in the order of their numbers."""
        return self._resolver.citations

    def feed(self, text: str) -> str:
        self._buffer.add(text)
        return "".join(self._parse(is_over=False))

    def flush(self) -> str:
        """What was held back when the answer ended.

        Half a citation is left out, unless it has words that are not those of a passage.
        """
        return "".join(self._parse(is_over=True))

    def _parse(self, *, is_over: bool) -> Iterator[str]:
        while self._buffer.held:
            stop = self._stops.search(self._buffer.held)
            if stop is None:
                yield self._buffer.pop(len(self._buffer.held))
                return
            yield self._buffer.pop(stop.start())
            piece = self._parse_piece(is_over=is_over)
            if piece is None:
                return
            yield piece

    def _parse_piece(self, *, is_over: bool) -> str | None:
        """What is shown of the beginning of the held text; None where more has to arrive."""
        first = self._buffer.held[0]
        if first == "`":
            return self._parse_backticks(is_over=is_over)
        if first == "[" and self._link_marker.may_repeat_mark:
            return self._link_marker.drop_repeated_mark(is_over=is_over)
        if first in _BRACKETS:
            return self._parse_bracket(is_over=is_over)
        return self._link_marker.mark_link(is_over=is_over)

    def _parse_backticks(self, *, is_over: bool) -> str | None:
        length = len(self._buffer.held) - len(self._buffer.held.lstrip("`"))
        if length == len(self._buffer.held) and not is_over:
            return None
        return self._buffer.pop_backticks(length)

    def _parse_bracket(self, *, is_over: bool) -> str | None:
        if self._buffer.is_in_code:
            return self._buffer.pop(1)
        parsed = parse_citation(self._buffer.held)
        if isinstance(parsed, Incomplete):
            return self._parse_half() if is_over else None
        return self._show(parsed, is_over=is_over) if parsed else self._buffer.pop(1)

    def _show(self, parsed: ParsedCitation, *, is_over: bool) -> str | None:
        behind = self._buffer.held[parsed.length : parsed.length + 1]
        if parsed.is_bare and not behind and not is_over:
            return None
        if parsed.is_bare and (behind == "(" or _is_index(self._buffer.before)):
            return self._buffer.pop(parsed.length)
        if self._resolver.has_any:
            return self._resolve(parsed)
        return self._mark_as_unsupported(parsed, behind)

    def _resolve(self, parsed: ParsedCitation) -> str:
        is_text = self._buffer.held[0] == "(" and not any(
            self._resolver.has(number) for number, _ in parsed.items
        )
        written = self._buffer.pop(parsed.length)
        return written if is_text else self._resolver.resolve(parsed.items)

    def _mark_as_unsupported(self, parsed: ParsedCitation, behind: str) -> str:
        """Of a citation in an answer that was given no passage at all."""
        before, opener = self._buffer.before, self._buffer.held[0]
        written = self._buffer.pop(parsed.length)
        is_list = parsed.is_bare and (len(parsed.items) > 1 or behind == ":")
        is_behind_text = not before or before[-1] in _SPACE_OR_MARK
        if opener == "(" or is_list or (parsed.is_bare and not is_behind_text):
            return written
        self._buffer.before = ". "
        return "".join(f"[{number}?]" for number, _ in parsed.items)

    def _parse_half(self) -> str:
        """A citation that the end of the answer cut off."""
        held = self._buffer.held
        if held[0] == "(":
            return self._buffer.pop(1)
        closed = parse_citation(f"{held.rstrip(' ,;')}{CLOSERS[held[0]]}")
        if self._resolver.has_any and isinstance(closed, ParsedCitation) and not closed.is_bare:
            self._buffer.held = ""
            return self._resolver.resolve(closed.items)
        if not self._is_half_a_citation(held):
            return self._buffer.pop(1)
        self._buffer.held = ""
        return ""

    def _is_half_a_citation(self, held: str) -> bool:
        """Whether it has no words besides those of a passage."""
        opened = next((at for at in range(len(held), 0, -1) if opens_quote(held, at)), None)
        if opened is None:
            has_letters = any(map(str.isalpha, held))
            return any(map(str.isdigit, held)) and not has_letters
        before = parse_citation(f'{held[:opened]}""]')
        if not isinstance(before, ParsedCitation) or before.items[-1][1]:
            return False
        words = normalize_quote(held[opened:])
        return not words or any(words in normalize_quote(one.stored) for one in self.passages)


def _is_index(before: str) -> bool:
    """Whether a bracket behind this text is an index, or the beginning of a list, in a program."""
    told = before.rstrip(" ")
    if told.endswith("("):
        return told[-2:-1].isalnum()
    if told.endswith(("=", "=>", "[", "{", "$")):
        return True
    start = len(before)
    while start and (before[start - 1].isalnum() or before[start - 1] == "_"):
        start -= 1
    name = before[start:]
    has_inner_capital = any(map(str.isupper, name[1:])) and any(map(str.islower, name))
    return len(name) == 1 or "_" in name or has_inner_capital
