"""Ties what an answer cites to the passages it was given, while the answer arrives.

A model cites as `[n: "words of the passage"]`. The reader sees a small number; whether the quoted
words stand in the stored passage is checked here, and nothing is called checked that was not.
"""

import re
from collections.abc import Iterator, Sequence

from desktop.domain.messages import Citation
from desktop.research.citations.freehand import OPENERS, Freehand, Half, read_freehand
from desktop.research.citations.linking import UNKNOWN, KnownLinks, link_at
from desktop.research.citations.quotations import plain, stands_in
from desktop.research.citations.tying import Ties
from desktop.research.passages import Passage, Speaker

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
_ITEM = rf"([1-9]\d{{0,2}})(?:\s*:\s*[{_OPEN}]({_LETTER}{{0,600}}?){_CLOSE}{_AFTER})?{_PAGE}?"
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
_LINK_BEHIND = re.compile(r"\((?![\"“„«])")
_LINKED = re.compile(r":|\((?![\"“„«])")
_FOOTNOTE = re.compile(r"\[\^(\d{1,3})\](?!\():?")
_STOPS = re.compile(r"[\[`(【［]")
_STOPS_AT_LINKS = re.compile(
    r"[\[`(【［]|https?://|\bwww\.|h(?:t(?:t(?:ps?(?::/?)?)?)?)?\Z|\bw(?:w(?:w(?:\.)?)?)?\Z",
    re.IGNORECASE,
)
_HALF_A_LINK = re.compile(r"https?://|www\.[\w-]*\.?", re.IGNORECASE)
_REST_OF_A_LINK = re.compile(r"[^\n()]{0,200}\)")
_MAY_CLOSE_A_LINK = re.compile(r"[^\n()]{0,200}")
# Where a number in brackets stands behind words, and is no index, label or piece of a formula.
_BEHIND_WORDS = re.compile(r"(?:\A|\n[ \t]*|[^\W_][ \t]+|[.,;!?%\"'”’»…*][ \t]*)\Z")
_BLOCK_FENCE = 3
_BEFORE = 400
"""Letters of what was said last: enough to see what a bracket stands behind."""
# Of a bare number beside words that are quoted: it is theirs.
_BESIDE = r'(?:"[^"\n]{8,300}"|[“„][^“”„\n]{8,300}[”“]|«[^«»\n]{8,300}»)'
_QUOTED_BEFORE = re.compile(rf"{_BESIDE}[\s.,;:]{{0,3}}\Z")
_TO_BESIDE = r"\*{0,2}[ \t]?[:–—-]?[ \t]{0,2}\(?"
_QUOTED_BEHIND = re.compile(rf"{_TO_BESIDE}{_BESIDE}(?!\w)")
_MAY_QUOTE_BEHIND = re.compile(
    rf'{_TO_BESIDE}(?:"[^"\n]{{0,300}}"?|[“„][^“”„\n]{{0,300}}[”“]?|«[^«»\n]{{0,300}}»?)?'
)
_BEFORE_QUOTE, _BEHIND_QUOTE = "* \t:–—-(", ' \t\n.,;:"”“»'
_LEAST_WORDS_BESIDE = 4
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
        self._ties = Ties(passages, awaits_pages=awaits_pages)
        self._held = ""
        self._before = ""
        self._is_marked = False
        """Whether an address that was marked is all that was said last."""
        self._fence = ""
        """The backticks that opened code, in which brackets are only brackets."""
        self._links = links
        self._stops = _STOPS if links is None else _STOPS_AT_LINKS
        self._know(passages)

    @property
    def next_number(self) -> int:
        """For passages that come later."""
        return self._ties.next_number

    def add(self, passages: Sequence[Passage]) -> None:
        """What a tool brought while the answer was being written."""
        self._ties.add(passages)
        self._know(passages)

    def add_page(self, number: int, passages: Sequence[Passage]) -> None:
        """What is known of a page by now."""
        self._ties.add_page(number, passages)
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
        return self._ties.passages

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Those of the text so far, in the order of their numbers."""
        return self._ties.citations

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
            case letter if letter in OPENERS:
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
            return self._otherwise(is_over=is_over)
        if not is_over and self._held[whole.end() :] in ("", "("):
            return None
        if _LINK_BEHIND.match(self._held, whole.end()):
            return self._take(whole.end())
        if not self._ties.has_any:
            return self._of_nothing(whole.end())
        return self._whole(whole[0], is_over=is_over)

    def _whole(self, written: str, *, is_over: bool) -> str | None:
        if not _BARE.fullmatch(written):
            return self._numbers(self._take(len(written)))
        may_go_on = not is_over and _MAY_QUOTE_BEHIND.fullmatch(self._held, len(written))
        return None if may_go_on else self._bare(len(written))

    def _bare(self, length: int) -> str:
        """A number alone: only words that are quoted beside it can be checked."""
        before = _QUOTED_BEFORE.search(self._before)
        behind = _QUOTED_BEHIND.match(self._held, length)
        number = int(self._take(length).strip("[] \t"))
        for beside in filter(None, (before, behind)):
            quoted = beside[0].lstrip(_BEFORE_QUOTE)[1:]
            words = " ".join(quoted.rstrip(_BEHIND_QUOTE).split())
            is_long = len(words.split()) >= _LEAST_WORDS_BESIDE
            if is_long and self._ties.holds(number, words):
                return self._ties.marks([(number, words)])
        return self._ties.marks([(number, "")])

    def _otherwise(self, *, is_over: bool) -> str | None:
        """What is not written as it was asked for, if it cites all the same."""
        if note := _FOOTNOTE.match(self._held):
            return self._footnote(note, is_over=is_over)
        read = read_freehand(self._held)
        if isinstance(read, Freehand):
            is_whole = is_over or self._held[read.length :] not in ("", "(")
            return self._freehand(read, is_over=is_over) if is_whole else None
        if read is Half.OPEN and not is_over:
            return None
        begins_as_asked = self._held[0] == "[" and _MAY_BECOME.fullmatch(self._held)
        return self._unfinished(is_over=is_over) if begins_as_asked else self._take(1)

    def _footnote(self, note: re.Match[str], *, is_over: bool) -> str | None:
        if note.end() == len(self._held) and not is_over:
            return None
        if not self._ties.has_any and note[0].endswith(":"):
            return self._take(1)
        # What it says stands behind it, as behind a bare number; it is no link's label.
        self._held = f"[{note[1]}]{self._held[note.end() :]}"
        return self._bracket(is_over=is_over)

    def _freehand(self, read: Freehand, *, is_over: bool) -> str | None:
        if not self._is_meant(read):
            return self._take(1)
        if self._ties.has_any and len(read.cited) == 1 and not (read.is_quoting or read.left):
            number, _ = read.cited[0]
            self._held = f"[{number}]{self._held[read.length :]}"
            return self._bracket(is_over=is_over)
        self._take(read.length)
        if self._ties.has_any:
            left = f" ({read.left})" if read.left else ""
            return f"{self._ties.marks(read.cited)}{left}"
        self._before = _SAID
        numbers = dict.fromkeys(number for number, _ in read.cited)
        left = f" ({read.told})" if read.left or read.is_quoting else ""
        return "".join(f"[{number}?]" for number in numbers) + left

    def _is_meant(self, read: Freehand) -> bool:
        """Whether it cites, and does not only look like it."""
        if not read.is_quoting and _LINKED.match(self._held, read.length):
            return False  # the words of a link, or its label
        is_known = all(self._ties.has(number) for number, _ in read.cited)
        if is_known and _BEHIND_WORDS.search(self._before):
            return True
        return read.is_sure if is_known or self._held[0] != "(" else read.is_quoting

    def _mark(self, *, is_over: bool) -> str | None:
        """Of an address that is marked already: models write as they have seen it done."""
        if self._held.startswith(UNKNOWN):
            self._held = self._held.removeprefix(UNKNOWN)
            return ""
        return self._take(1) if is_over else None

    def _unfinished(self, *, is_over: bool) -> str | None:
        """Of what begins as a citation does."""
        if not is_over:
            return None
        closed = f"{self._held.rstrip(' ,;')}]"
        if self._ties.has_passages and _WHOLE.fullmatch(closed) and any(_quotes(closed)):
            self._held = ""
            return self._numbers(closed)
        begun = _MAY_BECOME.fullmatch(self._held)
        if begun is None or not self._is_half(begun["half"]):
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
        shared: list[tuple[int, str]] = []
        quote = ""
        for number, words in reversed(_PARTS.findall(written)):
            quote = " ".join(words.split()) or quote  # `[1, 2: "words"]`: those of both
            shared.append((int(number), quote))
        return self._ties.marks(shared[::-1])


def _quotes(written: str) -> list[str]:
    return [quote for _, quote in _PARTS.findall(written)]
