"""Ties what an answer cites to the passages it was given, while the answer arrives.

A model cites as `[n: "words of the passage"]`. The reader sees a small number; whether the quoted
words stand in the stored passage is checked here, and nothing is called checked that was not.
"""

import re
from collections.abc import Iterator, Sequence

from desktop.domain.messages import Citation
from desktop.research.citations.asked import MAY_BECOME, PARTS, WHOLE, cited_in, has_quotes
from desktop.research.citations.beside import is_quoted_before, may_lead, may_quote, quoted_beside
from desktop.research.citations.fields import Fields, read_fields
from desktop.research.citations.freehand import OPENERS, Freehand, Half, read_freehand
from desktop.research.citations.linking import UNKNOWN, KnownLinks, read_address
from desktop.research.citations.loose import (
    HALF_A_TARGET,
    HALF_IN_CODE,
    HALF_ON_A_BOARD,
    HALF_WITH_WORDS,
    IN_A_PROGRAM,
    IN_CODE,
    LED_TO_A_NUMBER,
    MAY_BE_A_LINK,
    ON_A_BOARD,
    ROUND,
    ROUND_NUMBER,
    TARGET,
    UNCLOSED,
    UNNUMBERED,
    WITH_WORDS,
)
from desktop.research.citations.naming import respell_number
from desktop.research.citations.quotations import plain
from desktop.research.citations.respelling import RESPELT, Respelt, respell, respell_fields
from desktop.research.citations.tying import Ties
from desktop.research.passages import Passage, Speaker

_BARE = re.compile(r"\[\s*\d{1,3}\s*\]")
_LINK_BEHIND = re.compile(r"\((?![\"“„«])")
_LINKED = re.compile(r":|\((?![\"“„«])")
_FOOTNOTE = re.compile(r"\[\^(\d{1,3})\](?!\():?")
_MARKS = rf"[`\d{re.escape(OPENERS + RESPELT)}]"
_STOPS = re.compile(_MARKS)
_STOPS_AT_LINKS = re.compile(
    rf"{_MARKS}|https?://|\bwww\.|h(?:t(?:t(?:ps?(?::/?)?)?)?)?\Z|\bw(?:w(?:w(?:\.)?)?)?\Z",
    re.IGNORECASE,
)
# Where a number in brackets stands behind words, and is no index, label or piece of a formula.
_BEHIND_WORDS = re.compile(r"(?:\A|\n[ \t]*|[^\W_][ \t]+|[.,;!?%\"'”’»…*][ \t]*)\Z")
_BLOCK_FENCE = 3
_BEFORE = 400
"""Letters of what was said last: enough to see what a bracket stands behind."""
_TELLING_WORDS = 4
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
                return self._opened(is_over=is_over)
            case letter if letter in RESPELT or letter.isdecimal():
                return self._respelt(is_over=is_over)
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
        if length == 1 and not self._fence and self._ties.has_any:
            if not is_over and HALF_IN_CODE.match(self._held):
                return None
            code = IN_CODE.match(self._held)
            if code and self._is_cited(code[1].strip()):
                self._held = f"{code[1].strip()}{self._held[code.end() :]}"
                return ""
        ticks = self._take(length)
        if not self._fence:
            self._fence = ticks
        elif self._fence == ticks:
            self._fence = ""
        return ticks

    def _is_cited(self, code: str) -> bool:
        """Whether what is set as code is one citation, and quotes something."""
        quoted = PARTS.findall(code) if WHOLE.fullmatch(code) else []
        return any(self._is_quoted(int(number), words) for number, words in quoted)

    def _is_quoted(self, number: int, words: str) -> bool:
        """Whether words in a form that has other uses can be nothing but a quotation."""
        if self._ties.has(number) and len(words.split()) >= _TELLING_WORDS:
            return True
        return bool(words) and self._ties.holds(number, words)

    def _respelt(self, *, is_over: bool) -> str | None:
        """What is written in another way is read again in the form that was asked for."""
        is_number = self._held[0].isdecimal()
        if self._fence or (is_number and not self._ties.has_any):
            return self._take(1)
        read = (respell_number if is_number else respell)(
            self._held, self._before, self._ties, is_over=is_over
        )
        if isinstance(read, Respelt):
            self._held = f"{read.text}{self._held[read.length :]}"
            return ""
        return None if read is Half.OPEN else self._take(1)

    def _address(self, *, is_over: bool) -> str | None:
        """An address, marked where no source of the answer has it."""
        if self._fence or (self._held[0] in "wW" and self._before[-1:].isalnum()):
            return self._take(1)
        read = read_address(self._held, self._before, is_over=is_over)
        if read is None:
            return None
        whole = self._take(read.length)
        if not read.link or self._links is None or read.link in self._links:
            return whole
        self._is_marked = True
        return f"{whole}{'' if read.is_closed else ' '}{UNKNOWN}"

    def _opened(self, *, is_over: bool) -> str | None:
        """What begins with a bracket, with what belongs to it in another one."""
        if self._fence:
            return self._take(1)
        if not self._ties.has_any:
            return self._bracket(is_over=is_over)
        if found := ON_A_BOARD.match(self._held):
            name, said, words = found.group("name", "said", "words")
            self._held = f"<{name}{said}>{words}</{name}>{self._held[found.end() :]}"
            return ""
        found = WITH_WORDS.match(self._held)
        if found and _BEHIND_WORDS.search(self._before):
            if self._is_quoted(int(found[1]), found[2]):
                return self._with_words(found)
        elif not is_over and (
            HALF_WITH_WORDS.fullmatch(self._held) or HALF_ON_A_BOARD.match(self._held)
        ):
            return None
        return self._bracket(is_over=is_over)

    def _with_words(self, found: re.Match[str]) -> str:
        number, words = int(found[1]), found[2]
        is_kept = not self._ties.holds(number, words)
        self._take(found.end())
        return f"{self._ties.marks([(number, words)])}{f' (“{words}”)' if is_kept else ''}"

    def _bracket(self, *, is_over: bool) -> str | None:
        whole = WHOLE.match(self._held)
        if whole is None:
            return self._otherwise(is_over=is_over)
        if not is_over and self._held[whole.end() :] in ("", "("):
            return None
        if _LINK_BEHIND.match(self._held, whole.end()):
            return self._linked(whole.end(), is_over=is_over)
        if not self._ties.has_any:
            return self._of_nothing(whole.end())
        return self._whole(whole[0], is_over=is_over)

    def _linked(self, end: int, *, is_over: bool) -> str | None:
        """A number that is made a link: of a source, where it leads there, or nowhere."""
        target = TARGET.match(self._held, end)
        if target is None and not is_over and HALF_A_TARGET.match(self._held, end):
            return None
        written = self._held[:end]
        if target is None or not self._ties.has_any:
            return self._take(end)
        address = target[1]
        if not MAY_BE_A_LINK.search(address) or self._ties.has_address(address):
            self._held = f"{written}{self._held[target.end() :]}"
            return ""
        if WHOLE.fullmatch(written) and has_quotes(written):
            self._held = f"{written} {self._held[end:]}"
            return ""
        return self._take(end)

    def _whole(self, written: str, *, is_over: bool) -> str | None:
        cited = PARTS.findall(written)
        is_quoting = any(words for _, words in cited)
        if not is_quoting and IN_A_PROGRAM.search(self._before):
            return self._take(len(written))
        if len(cited) != 1 or cited[0][1]:
            return self._ties.marks(cited_in(self._take(len(written))))
        behind = self._held[len(written) :]
        if not is_over and may_quote(self._before, behind):
            return None
        # A number alone: only words that are quoted beside it can be checked.
        number, before = int(cited[0][0]), self._before
        self._take(len(written))
        beside = (one for one in quoted_beside(before, behind) if self._ties.holds(number, one))
        return self._ties.marks([(number, next(beside, ""))])

    def _otherwise(self, *, is_over: bool) -> str | None:
        """What is not written as it was asked for, if it cites all the same."""
        fields = read_fields(self._held) if self._ties.has_any else Half.NONE
        if fields is Half.OPEN and not is_over:
            return None
        read = respell_fields(fields, self._ties) if isinstance(fields, Fields) else Half.NONE
        if not isinstance(read, Respelt):
            return self._freely(is_over=is_over)
        self._held = f"{read.text}{self._held[read.length :]}"
        return ""

    def _freely(self, *, is_over: bool) -> str | None:
        if note := _FOOTNOTE.match(self._held):
            return self._footnote(note, is_over=is_over)
        read = read_freehand(self._held)
        if isinstance(read, Freehand):
            is_whole = is_over or self._held[read.length :] not in ("", "(")
            return self._freehand(read, is_over=is_over) if is_whole else None
        if read is Half.OPEN and not is_over:
            return None
        if not is_over and self._ties.has_any and may_lead(self._held):
            return None
        if (even := self._evened()) is not None:
            return even
        begins_as_asked = self._held[0] == "[" and MAY_BECOME.fullmatch(self._held)
        return self._unfinished(is_over=is_over) if begins_as_asked else self._take(1)

    def _evened(self) -> str | None:
        """Of what is a citation only because its words, or what stands before it, are quoted."""
        if not self._ties.has_any:
            return None
        if found := LED_TO_A_NUMBER.match(self._held):
            return self._led(found)
        if found := UNNUMBERED.match(self._held):
            return self._unnumbered(found)
        alone = ROUND_NUMBER.match(self._held)
        if alone and self._ties.has(int(alone[1])) and self._is_beside(alone):
            self._held = f"[{alone[1]}]{self._held[alone.end() :]}"
            return ""
        found = UNCLOSED.match(self._held) or ROUND.match(self._held)
        if found is None or not _BEHIND_WORDS.search(self._before):
            return None
        return self._quoting(found)

    def _is_beside(self, alone: re.Match[str]) -> bool:
        behind = quoted_beside("", self._held[alone.end() :])
        is_before = is_quoted_before(self._before)
        return is_before or any(self._ties.holds(int(alone[1]), one) for one in behind)

    def _quoting(self, found: re.Match[str]) -> str | None:
        number, words = int(found[1]), found[2]
        if not self._is_quoted(number, words):
            return None
        is_kept = self._held[0] == "(" and not self._ties.holds(number, words)
        self._take(found.end())
        return f"{self._ties.marks([(number, words)])}{f' ({words})' if is_kept else ''}"

    def _led(self, found: re.Match[str]) -> str | None:
        """`[words](1)`: a link that leads to a number."""
        number, words = int(found[2] or found[3]), found[1]
        if not self._ties.has(number):
            return None
        told = f"“{words}”" if self._ties.holds(number, words) else words
        self._held = f"{told} [{number}]{self._held[found.end() :]}"
        return ""

    def _unnumbered(self, found: re.Match[str]) -> str | None:
        """`[n: "words"]`, where the n of what was asked for was left as it stood there."""
        number = self._ties.number_with(found[1])
        if number is None and len(found[1].split()) < _TELLING_WORDS:
            return None
        self._take(found.end())
        return UNKNOWN if number is None else self._ties.marks([(number, found[1])])

    def _footnote(self, note: re.Match[str], *, is_over: bool) -> str | None:
        if note.end() == len(self._held) and not is_over:
            return None
        if not self._ties.has_any and note[0].endswith(":"):
            return self._take(1)
        # What it says stands behind it, as behind a bare number; it is no link's label.
        self._held = f"[{note[1]}]{self._held[note.end() :]}"
        return self._bracket(is_over=is_over)

    def _freehand(self, read: Freehand, *, is_over: bool) -> str | None:
        if not read.is_quoting and _LINK_BEHIND.match(self._held, read.length):
            return self._linked(read.length, is_over=is_over)
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
        if is_known and (_BEHIND_WORDS.search(self._before) or self._held[0] not in "[("):
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
        if self._ties.has_passages and WHOLE.fullmatch(closed) and has_quotes(closed):
            self._held = ""
            return self._ties.marks(cited_in(closed))
        begun = MAY_BECOME.fullmatch(self._held)
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
        if not (is_bare or has_quotes(written)):
            return written  # a list of numbers, an index, the label of a link
        self._before = _SAID
        return "".join(f"[{number}?]" for number, _ in PARTS.findall(written))
