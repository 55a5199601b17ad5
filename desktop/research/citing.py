"""Ties what an answer cites to the passages it was given, while the answer arrives.

A model cites as `[n: "words of the passage"]`. The reader sees a small number; whether the quoted
words stand in the stored passage is checked here, and nothing is called checked that was not.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from desktop.domain.messages import Citation, CitationState
from desktop.research.linking import UNKNOWN, KnownLinks, link_at
from desktop.research.passages import Passage, Speaker
from desktop.research.quotations import is_telling, plain, stands_in

__all__ = ["Citing", "plain", "stands_in"]

_OPEN = "\"“”„«'‘’"
_CLOSE = "(?:[\"”»'’]|(?<=\\S)[“‘])"
"""The last two close what „ and ‚ open; behind a space they open something themselves."""
# Of a quotation: brackets in it come in pairs, so that one that nobody closed does not reach over
# what follows; none reaches over the beginning of the next citation, or over a paragraph's end.
_LETTER = (
    r"(?:[^\[\]\n]|\n(?!\s*\n)|\[(?!\s*\d{1,3}\s*[:\]])"
    r'|\[(?!\s*\d{1,3}\s*:)[^\[\]"“”\n]{0,80}\])'
)
_PAGE = (
    r"(?:\s*+[,;]?+\s*+(?:sayfa|syf|sf|s|pages|page|pp|p)\.?\s*+\d{1,5}(?:\s*+[-–]\s*+\d{1,5})?)"
)
"""Some models write it behind the words; shown is the page that we know of ourselves."""
_AFTER = rf"(?=\s*\]|\s*[,;]\s*\d{{1,3}}\s*[:\],;]|{_PAGE}\s*[\],;])"
_ITEM = rf"(\d{{1,3}})(?:\s*:\s*[{_OPEN}]({_LETTER}{{0,600}}?){_CLOSE}{_AFTER})?{_PAGE}?"
# Atomic: an item is read in one way only, or many of them could be read in very many.
_WHOLE = re.compile(rf"\[\s*(?>{_ITEM})(?:\s*[,;]\s*(?>{_ITEM}))*\s*\]", re.IGNORECASE)
_PARTS = re.compile(rf"{_ITEM}\s*[\],;]", re.IGNORECASE)
_HALF_A_PAGE = r"\s*+[,;]?+\s*+[a-z]{0,6}+\.?+\s*+\d{0,5}+\s*+[-–]?+\s*+\d{0,5}+\s*+"
_MAY_BECOME = re.compile(
    rf"\[\s*(?:(?>{_ITEM})\s*[,;]\s*)*"
    rf"(?:\d{{0,3}}(?:\s*:\s*(?:[{_OPEN}](?P<half>{_LETTER}{{0,660}}))?|{_HALF_A_PAGE}))?",
    re.IGNORECASE,
)
_BARE = re.compile(r"\[\s*\d{1,3}\s*\]")
_STOPS = re.compile(r"[\[`]")
_STOPS_AT_LINKS = re.compile(
    r"[\[`]|https?://|\bwww\.|h(?:t(?:t(?:ps?(?::/?)?)?)?)?\Z|\bw(?:w(?:w(?:\.)?)?)?\Z",
    re.IGNORECASE,
)
_HALF_A_LINK = re.compile(r"https?://|www\.[\w-]*\.?", re.IGNORECASE)
_REST_OF_A_LINK = re.compile(r"[^\n()]{0,200}\)")
_MAY_CLOSE_A_LINK = re.compile(r"[^\n()]{0,200}")
# Where a number in brackets stands behind words, and is no index, label or piece of a formula.
_BEHIND_WORDS = re.compile(r"(?:\A|\n[ \t]*|[^\W_][ \t]+|[.,;!?%\"'”’»…*][ \t]*)\Z")
_BLOCK_FENCE = 3
_BEFORE = 8
"""Letters of what was said last: enough to see what a bracket stands behind."""
_LEAST_WORDS_ELSEWHERE = 3
_SAID = ". "


class Citing:
    """Feed it the answer as it arrives; what it gives back is to be shown and kept."""

    def __init__(
        self,
        passages: Sequence[Passage],
        *,
        awaits_pages: bool = False,
        links: KnownLinks | None = None,
    ) -> None:
        """`awaits_pages`: whether pages may come while the answer is written.

        `links`: what addresses it may show as they are, besides those of its sources; others are
        marked. None: all of them.
        """
        self._passages = {one.number: one for one in passages}
        self._pages: dict[int, Sequence[Passage]] = {}
        """All passages of a page, which is cited by one number."""
        self._awaits_pages = awaits_pages
        self._held = ""
        self._before = ""
        self._is_marked = False
        """Whether an address that was marked is all that was said last."""
        self._fence = ""
        """The backticks that opened code, in which brackets are only brackets."""
        self._found: dict[tuple[str, str, str], Citation] = {}
        self._links = links
        self._stops = _STOPS if links is None else _STOPS_AT_LINKS
        self._know(passages)

    @property
    def next_number(self) -> int:
        """For passages that come later."""
        return max(self._passages, default=0) + 1

    def add(self, passages: Sequence[Passage]) -> None:
        """What a tool brought while the answer was being written."""
        self._passages |= {one.number: one for one in passages}
        self._know(passages)

    def add_page(self, number: int, passages: Sequence[Passage]) -> None:
        """What is known of a page by now."""
        self._pages[number] = passages
        self._know(passages)

    def _know(self, passages: Sequence[Passage]) -> None:
        if self._links is not None:
            # What an answer of long ago says is no page that anybody has read.
            told = (one for one in passages if one.place or one.speaker is Speaker.USER)
            self._links.add(one.stored for one in told)
            self._links.add(one.place.address for one in passages if one.place)

    @property
    def passages(self) -> tuple[Passage, ...]:
        """All that may be cited."""
        return (*self._passages.values(), *chain.from_iterable(self._pages.values()))

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Those of the text so far, in the order of their numbers."""
        return tuple(self._found.values())

    def feed(self, text: str) -> str:
        self._held += text
        return "".join(self._settled(is_over=False))

    def rest(self) -> str:
        """What was held back when the answer ended.

        Half a citation is left out, unless it has words that are not those of a passage.
        """
        return "".join(self._settled(is_over=True))

    def _settled(self, *, is_over: bool) -> Iterator[str]:
        while self._held:
            stop = self._stops.search(self._held)
            if stop is None:
                yield self._take(len(self._held))
                return
            yield self._take(stop.start())
            piece = self._piece(is_over=is_over)
            if piece is None:
                return
            yield piece

    def _piece(self, *, is_over: bool) -> str | None:
        """Of what stands at the beginning; None where more has to come first."""
        match self._held[0]:
            case "`":
                return self._ticks(is_over=is_over)
            case "[" if self._is_marked and UNKNOWN.startswith(self._held[: len(UNKNOWN)]):
                return self._mark(is_over=is_over)
            case "[":
                return self._bracket(is_over=is_over)
            case _:
                return self._address(is_over=is_over)

    def _take(self, length: int) -> str:
        taken, self._held = self._held[:length], self._held[length:]
        self._is_marked = self._is_marked and not taken.strip()
        self._before = (self._before + taken)[-_BEFORE:]
        if "\n" in taken and len(self._fence) < _BLOCK_FENCE:
            self._fence = ""  # a backtick that nobody closed
        return taken

    def _ticks(self, *, is_over: bool) -> str | None:
        length = len(self._held) - len(self._held.lstrip("`"))
        if length == len(self._held) and not is_over:
            return None
        ticks = self._take(length)
        if not self._fence:
            self._fence = ticks
        elif self._fence == ticks:
            self._fence = ""
        return ticks

    def _address(self, *, is_over: bool) -> str | None:
        """An address, marked where no source of the answer has it."""
        if self._fence or (self._held[0] in "wW" and self._before[-1:].isalnum()):
            return self._take(1)
        link = link_at(self._held)
        end = len(link) or len(self._held)
        if not is_over and self._may_go_on(link):
            return None
        behind = self._held[end:]
        if not link or behind.startswith("]("):
            return self._take(end if link else 1)  # the words of a link have no mark of their own
        closing = self._closing(behind)
        is_known = self._links is None or link in self._links
        whole = self._take(end + len(closing))
        if is_known:
            return whole
        self._is_marked = True
        return f"{whole}{'' if closing else ' '}{UNKNOWN}"

    def _may_go_on(self, link: str) -> bool:
        """Whether it depends on what comes next how an address ends."""
        behind = self._held[len(link) :]
        if not link:
            return len(behind) < len("https://") or _HALF_A_LINK.fullmatch(behind) is not None
        if not behind or not behind.strip(".,;:!?…*_~'’"):
            return True
        if self._before.endswith("]("):
            return _MAY_CLOSE_A_LINK.fullmatch(behind) is not None
        return behind == "]"

    def _closing(self, behind: str) -> str:
        """What of a link stands behind its address."""
        if self._before.endswith("]("):
            rest = _REST_OF_A_LINK.match(behind)
            return rest[0] if rest else ""
        return ">" if self._before.endswith("<") and behind.startswith(">") else ""

    def _bracket(self, *, is_over: bool) -> str | None:
        if self._fence:
            return self._take(1)
        whole = _WHOLE.match(self._held)
        if whole is None:
            return self._unfinished(is_over=is_over)
        if whole.end() == len(self._held) and not is_over:
            return None
        if self._held[whole.end() : whole.end() + 1] == "(":
            return self._take(whole.end())  # a link
        if not (self._passages or self._pages or self._awaits_pages):
            return self._of_nothing(whole.end())
        return self._numbers(self._take(whole.end()))

    def _mark(self, *, is_over: bool) -> str | None:
        """Of an address that is marked already: models write as they have seen it done."""
        if self._held.startswith(UNKNOWN):
            self._held = self._held.removeprefix(UNKNOWN)
            return ""
        return self._take(1) if is_over else None

    def _unfinished(self, *, is_over: bool) -> str | None:
        begun = _MAY_BECOME.fullmatch(self._held)
        if begun is None:
            return self._take(1)
        if not is_over:
            return None
        closed = f"{self._held.rstrip(' ,;')}]"
        if self._passages and _WHOLE.fullmatch(closed) and any(_quotes(closed)):
            self._held = ""
            return self._numbers(closed)
        if not self._is_half(begun["half"]):
            return self._take(1)
        self._held = ""
        return ""

    def _is_half(self, half: str | None) -> bool:
        """Whether what the answer ends with has no words of its own."""
        if half is None:
            return any(map(str.isdigit, self._held)) and not any(map(str.isalpha, self._held))
        words = plain(half)
        return not words or any(words in plain(one.stored) for one in self.passages)

    def _of_nothing(self, length: int) -> str:
        """What looks like a citation where nothing was given that could be cited."""
        is_behind_words = _BEHIND_WORDS.search(self._before)
        is_label = self._held[length : length + 1] == ":"
        written = self._take(length)
        is_bare = _BARE.fullmatch(written) and is_behind_words and not is_label
        if not (is_bare or any(_quotes(written))):
            return written  # a list of numbers, an index, the label of a link
        self._before = _SAID
        return "".join(f"[{number}?]" for number, _ in _PARTS.findall(written))

    def _numbers(self, written: str) -> str:
        marks = []
        for number, quote in _PARTS.findall(written):
            citation = self._cited(int(number), " ".join(quote.split()))
            marks.append(f"[{citation.number}]" if citation else UNKNOWN)
        return "".join(dict.fromkeys(marks))

    def _cited(self, number: int, quote: str) -> Citation | None:
        named = self._named(number)
        passage = next(iter(named), None)
        state = CitationState.UNCHECKED
        if quote and (where := self._where(quote, named)):
            (passage, quote), state = where, CitationState.CHECKED
        if passage is None:
            return None
        made = Citation(
            number=0,
            state=state,
            quote=quote,
            source_id=passage.cited_in,
            passage_id=passage.cited_at,
            title=passage.title,
        )
        key = (made.source_id, made.passage_id, plain(quote))
        return self._found.setdefault(key, replace(made, number=len(self._found) + 1))

    def _named(self, number: int) -> Sequence[Passage]:
        passage = self._passages.get(number)
        return [passage] if passage else self._pages.get(number, ())

    def _where(self, quote: str, named: Sequence[Passage]) -> tuple[Passage, str] | None:
        """The passage that has the words: one that was named, or else another; and the words."""
        elsewhere = self.passages if len(quote.split()) >= _LEAST_WORDS_ELSEWHERE else ()
        found = _first_with(quote, (*named, *elsewhere))
        if found is not None:
            return found, quote
        if stands_in(quote, "\n".join(one.stored for one in named)):
            return _cut_at_the_end(quote, named)
        return None


def _quotes(written: str) -> list[str]:
    return [quote for _, quote in _PARTS.findall(written)]


def _first_with(words: str, passages: Sequence[Passage]) -> Passage | None:
    having = (one for one in passages if stands_in(words, one.stored))
    return next((one for one in having if is_telling(words, one.stored)), None)


def _cut_at_the_end(quote: str, page: Sequence[Passage]) -> tuple[Passage, str] | None:
    """Of words that go over the end of a passage, the longer part: it opens by itself."""
    words = quote.split()
    for length in range(len(words) - 1, _LEAST_WORDS_ELSEWHERE - 1, -1):
        for part in (" ".join(words[:length]), " ".join(words[-length:])):
            if found := _first_with(part, page):
                return found, part
    return None
