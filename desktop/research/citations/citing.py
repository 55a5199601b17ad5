"""Ties what an answer cites to the passages it was given, while the answer arrives.

A model cites as `[n: "words of the passage"]`. The reader sees a small number; whether the quoted
words stand in the stored passage is checked here, and nothing is called checked that was not.
"""

import re
from collections.abc import Iterator, Sequence

from desktop.domain.messages import Citation
from desktop.research.citations.arriving import Arriving
from desktop.research.citations.asked import MAY_BECOME, PARTS, WHOLE, cited_in, has_quotes
from desktop.research.citations.beside import is_quoted_before, may_lead, may_quote, quoted_beside
from desktop.research.citations.fields import Fields, read_fields
from desktop.research.citations.freehand import OPENERS, Freehand, Half, read_freehand
from desktop.research.citations.linking import UNKNOWN, KnownLinks
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
from desktop.research.citations.marking import Marking
from desktop.research.citations.naming import respell_number
from desktop.research.citations.quotations import plain
from desktop.research.citations.respelling import RESPELT, Respelt, respell, respell_fields
from desktop.research.citations.tying import Ties
from desktop.research.passages import Passage

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
        self._text = Arriving()
        self._marking = Marking(self._text, links)
        self._marking.know(passages)
        self._stops = _STOPS if links is None else _STOPS_AT_LINKS

    @property
    def next_number(self) -> int:
        """For passages that come later."""
        return self._ties.next_number

    def add(self, passages: Sequence[Passage]) -> None:
        """What a tool brought while the answer was being written."""
        self._ties.add(passages)
        self._marking.know(passages)

    def add_page(self, number: int, passages: Sequence[Passage]) -> None:
        """What is known of a page by now."""
        self._ties.add_page(number, passages)
        self._marking.know(passages)

    @property
    def passages(self) -> tuple[Passage, ...]:
        """All that may be cited."""
        return self._ties.passages

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Those of the text so far, in the order of their numbers."""
        return self._ties.citations

    def feed(self, text: str) -> str:
        self._text.add(text)
        return "".join(self._settled(is_over=False))

    def rest(self) -> str:
        """What was held back when the answer ended.

        Half a citation is left out, unless it has words that are not those of a passage.
        """
        return "".join(self._settled(is_over=True))

    def _settled(self, *, is_over: bool) -> Iterator[str]:
        while self._text.held:
            stop = self._stops.search(self._text.held)
            if stop is None:
                yield self._text.take(len(self._text.held))
                return
            yield self._text.take(stop.start())
            piece = self._piece(is_over=is_over)
            if piece is None:
                return
            yield piece

    def _piece(self, *, is_over: bool) -> str | None:
        """Of what stands at the beginning; None where more has to come first."""
        match self._text.held[0]:
            case "`":
                return self._ticks(is_over=is_over)
            case "[" if self._marking.is_again:
                return self._marking.drop(is_over=is_over)
            case letter if letter in OPENERS:
                return self._opened(is_over=is_over)
            case letter if letter in RESPELT or letter.isdecimal():
                return self._respelt(is_over=is_over)
            case _:
                return self._marking.address(is_over=is_over)

    def _ticks(self, *, is_over: bool) -> str | None:
        length = len(self._text.held) - len(self._text.held.lstrip("`"))
        if length == len(self._text.held) and not is_over:
            return None
        if length == 1 and not self._text.fence and self._ties.has_any:
            if not is_over and HALF_IN_CODE.match(self._text.held):
                return None
            code = IN_CODE.match(self._text.held)
            if code and self._is_cited(code[1].strip()):
                return self._text.reread(code.end(), code[1].strip())
        return self._text.take_ticks(length)

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
        is_number = self._text.held[0].isdecimal()
        if self._text.fence or (is_number and not self._ties.has_any):
            return self._text.take(1)
        read = (respell_number if is_number else respell)(
            self._text.held, self._text.before, self._ties, is_over=is_over
        )
        if isinstance(read, Respelt):
            return self._text.reread(read.length, read.text)
        return None if read is Half.OPEN else self._text.take(1)

    def _opened(self, *, is_over: bool) -> str | None:
        """What begins with a bracket, with what belongs to it in another one."""
        if self._text.fence:
            return self._text.take(1)
        if not self._ties.has_any:
            return self._bracket(is_over=is_over)
        if found := ON_A_BOARD.match(self._text.held):
            name, said, words = found.group("name", "said", "words")
            return self._text.reread(found.end(), f"<{name}{said}>{words}</{name}>")
        found = WITH_WORDS.match(self._text.held)
        if found and _BEHIND_WORDS.search(self._text.before):
            if self._is_quoted(int(found[1]), found[2]):
                return self._with_words(found)
        elif not is_over and (
            HALF_WITH_WORDS.fullmatch(self._text.held) or HALF_ON_A_BOARD.match(self._text.held)
        ):
            return None
        return self._bracket(is_over=is_over)

    def _with_words(self, found: re.Match[str]) -> str:
        number, words = int(found[1]), found[2]
        is_kept = not self._ties.holds(number, words)
        self._text.take(found.end())
        return f"{self._ties.marks([(number, words)])}{f' (“{words}”)' if is_kept else ''}"

    def _bracket(self, *, is_over: bool) -> str | None:
        whole = WHOLE.match(self._text.held)
        if whole is None:
            return self._otherwise(is_over=is_over)
        if not is_over and self._text.held[whole.end() :] in ("", "("):
            return None
        if _LINK_BEHIND.match(self._text.held, whole.end()):
            return self._linked(whole.end(), is_over=is_over)
        if not self._ties.has_any:
            return self._of_nothing(whole.end())
        return self._whole(whole[0], is_over=is_over)

    def _linked(self, end: int, *, is_over: bool) -> str | None:
        """A number that is made a link: of a source, where it leads there, or nowhere."""
        target = TARGET.match(self._text.held, end)
        if target is None and not is_over and HALF_A_TARGET.match(self._text.held, end):
            return None
        written = self._text.held[:end]
        if target is None or not self._ties.has_any:
            return self._text.take(end)
        address = target[1]
        if not MAY_BE_A_LINK.search(address) or self._ties.has_address(address):
            return self._text.reread(target.end(), written)
        if WHOLE.fullmatch(written) and has_quotes(written):
            return self._text.reread(end, f"{written} ")
        return self._text.take(end)

    def _whole(self, written: str, *, is_over: bool) -> str | None:
        cited = PARTS.findall(written)
        is_quoting = any(words for _, words in cited)
        if not is_quoting and IN_A_PROGRAM.search(self._text.before):
            return self._text.take(len(written))
        if len(cited) != 1 or cited[0][1]:
            return self._ties.marks(cited_in(self._text.take(len(written))))
        behind = self._text.held[len(written) :]
        if not is_over and may_quote(self._text.before, behind):
            return None
        # A number alone: only words that are quoted beside it can be checked.
        number, before = int(cited[0][0]), self._text.before
        self._text.take(len(written))
        beside = (one for one in quoted_beside(before, behind) if self._ties.holds(number, one))
        return self._ties.marks([(number, next(beside, ""))])

    def _otherwise(self, *, is_over: bool) -> str | None:
        """What is not written as it was asked for, if it cites all the same."""
        fields = read_fields(self._text.held) if self._ties.has_any else Half.NONE
        if fields is Half.OPEN and not is_over:
            return None
        read = respell_fields(fields, self._ties) if isinstance(fields, Fields) else Half.NONE
        if not isinstance(read, Respelt):
            return self._freely(is_over=is_over)
        return self._text.reread(read.length, read.text)

    def _freely(self, *, is_over: bool) -> str | None:
        if note := _FOOTNOTE.match(self._text.held):
            return self._footnote(note, is_over=is_over)
        read = read_freehand(self._text.held)
        if isinstance(read, Freehand):
            is_whole = is_over or self._text.held[read.length :] not in ("", "(")
            return self._freehand(read, is_over=is_over) if is_whole else None
        if read is Half.OPEN and not is_over:
            return None
        if not is_over and self._ties.has_any and may_lead(self._text.held):
            return None
        if (even := self._evened()) is not None:
            return even
        begins_as_asked = self._text.held[0] == "[" and MAY_BECOME.fullmatch(self._text.held)
        return self._unfinished(is_over=is_over) if begins_as_asked else self._text.take(1)

    def _evened(self) -> str | None:
        """Of what is a citation only because its words, or what stands before it, are quoted."""
        if not self._ties.has_any:
            return None
        if found := LED_TO_A_NUMBER.match(self._text.held):
            return self._led(found)
        if found := UNNUMBERED.match(self._text.held):
            return self._unnumbered(found)
        alone = ROUND_NUMBER.match(self._text.held)
        if alone and self._ties.has(int(alone[1])) and self._is_beside(alone):
            return self._text.reread(alone.end(), f"[{alone[1]}]")
        found = UNCLOSED.match(self._text.held) or ROUND.match(self._text.held)
        if found is None or not _BEHIND_WORDS.search(self._text.before):
            return None
        return self._quoting(found)

    def _is_beside(self, alone: re.Match[str]) -> bool:
        behind = quoted_beside("", self._text.held[alone.end() :])
        is_before = is_quoted_before(self._text.before)
        return is_before or any(self._ties.holds(int(alone[1]), one) for one in behind)

    def _quoting(self, found: re.Match[str]) -> str | None:
        number, words = int(found[1]), found[2]
        if not self._is_quoted(number, words):
            return None
        is_kept = self._text.held[0] == "(" and not self._ties.holds(number, words)
        self._text.take(found.end())
        return f"{self._ties.marks([(number, words)])}{f' ({words})' if is_kept else ''}"

    def _led(self, found: re.Match[str]) -> str | None:
        """`[words](1)`: a link that leads to a number."""
        number, words = int(found[2] or found[3]), found[1]
        if not self._ties.has(number):
            return None
        told = f"“{words}”" if self._ties.holds(number, words) else words
        return self._text.reread(found.end(), f"{told} [{number}]")

    def _unnumbered(self, found: re.Match[str]) -> str | None:
        """`[n: "words"]`, where the n of what was asked for was left as it stood there."""
        number = self._ties.number_with(found[1])
        if number is None and len(found[1].split()) < _TELLING_WORDS:
            return None
        self._text.take(found.end())
        return UNKNOWN if number is None else self._ties.marks([(number, found[1])])

    def _footnote(self, note: re.Match[str], *, is_over: bool) -> str | None:
        if note.end() == len(self._text.held) and not is_over:
            return None
        if not self._ties.has_any and note[0].endswith(":"):
            return self._text.take(1)
        # What it says stands behind it, as behind a bare number; it is no link's label.
        self._text.held = f"[{note[1]}]{self._text.held[note.end() :]}"
        return self._bracket(is_over=is_over)

    def _freehand(self, read: Freehand, *, is_over: bool) -> str | None:
        if not read.is_quoting and _LINK_BEHIND.match(self._text.held, read.length):
            return self._linked(read.length, is_over=is_over)
        if not self._is_meant(read):
            return self._text.take(1)
        if self._ties.has_any and len(read.cited) == 1 and not (read.is_quoting or read.left):
            number, _ = read.cited[0]
            self._text.held = f"[{number}]{self._text.held[read.length :]}"
            return self._bracket(is_over=is_over)
        self._text.take(read.length)
        if self._ties.has_any:
            left = f" ({read.left})" if read.left else ""
            return f"{self._ties.marks(read.cited)}{left}"
        self._text.before = _SAID
        numbers = dict.fromkeys(number for number, _ in read.cited)
        left = f" ({read.told})" if read.left or read.is_quoting else ""
        return "".join(f"[{number}?]" for number in numbers) + left

    def _is_meant(self, read: Freehand) -> bool:
        """Whether it cites, and does not only look like it."""
        if not read.is_quoting and _LINKED.match(self._text.held, read.length):
            return False  # the words of a link, or its label
        is_known = all(self._ties.has(number) for number, _ in read.cited)
        if is_known and (
            _BEHIND_WORDS.search(self._text.before) or self._text.held[0] not in "[("
        ):
            return True
        return read.is_sure if is_known or self._text.held[0] != "(" else read.is_quoting

    def _unfinished(self, *, is_over: bool) -> str | None:
        """Of what begins as a citation does."""
        if not is_over:
            return None
        closed = f"{self._text.held.rstrip(' ,;')}]"
        if self._ties.has_passages and WHOLE.fullmatch(closed) and has_quotes(closed):
            self._text.held = ""
            return self._ties.marks(cited_in(closed))
        begun = MAY_BECOME.fullmatch(self._text.held)
        if begun is None or not self._is_half(begun["half"]):
            return self._text.take(1)
        return self._text.reread(len(self._text.held), "")

    def _is_half(self, half: str | None) -> bool:
        """Whether what the answer ends with has no words of its own."""
        if half is None:
            return any(map(str.isdigit, self._text.held)) and not any(
                map(str.isalpha, self._text.held)
            )
        words = plain(half)
        return not words or any(words in plain(one.stored) for one in self.passages)

    def _of_nothing(self, length: int) -> str:
        """What looks like a citation where nothing was given that could be cited."""
        is_behind_words = _BEHIND_WORDS.search(self._text.before)
        is_label = self._text.held[length : length + 1] == ":"
        written = self._text.take(length)
        is_bare = _BARE.fullmatch(written) and is_behind_words and not is_label
        if not (is_bare or has_quotes(written)):
            return written  # a list of numbers, an index, the label of a link
        self._text.before = _SAID
        return "".join(f"[{number}?]" for number, _ in PARTS.findall(written))
