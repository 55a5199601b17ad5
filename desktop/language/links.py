"""Decides what is a link in markdown, where it leads, and whether it may be one.

markdown-it reads the text, so that entities and backslashes hide nothing. A link to anything but
a web page, an e-mail address or a place in this program stays the text that was written.

Emphasis may end before a suffix: `**"Nutuk"**un`, `**(önemli)**dir`, `*"Nutuk"*ta`. CommonMark
closes no mark between punctuation and a letter, which suits languages that divide every word by
spaces. What its rules leave unmatched is matched here; what they match stays as it is, except for
marks beside a digit within a word, `2*3*4`, which multiply.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING
from unicodedata import category, normalize
from urllib.parse import SplitResult, urlsplit

from desktop.domain.frozen import dataclass
from desktop.language.formulas import add_formulas

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_core import StateCore
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

OWN_LINK = "bellek://"
BARE_LINK = r"https?://[^\s<>\"')\[\]]*[^\s<>\"')\[\].,;:!?]"
"""An address in the middle of a text; a pattern."""
CITE_MARK = re.compile(r"\[(\d{1,3})\](?!\()")
"""The number of a source in an answer, as it is shown: no link."""

_WEB = ("http", "https")
_MAIL = "mailto:"
_BARE = re.compile(BARE_LINK)
_HARMLESS_TAG = re.compile(
    r"<(?:br ?/?|/?(?:su[bp]|kbd|[bisu]|mark|details|summary)|https?://[^\s<>]+)>", re.IGNORECASE
)
_TAG_BEGINS = ("/", "!", "?")
_ACTIVE = re.compile(r"`+|<|!\[|\][(:]|\\[\\`<!\[\]]")
_TICKS = re.compile(r"`+")
_LINE_MARKS = " \t>*-+0123456789.)"
_LONGEST_TARGET = 100_000
_LETTERS_OF_A_TOP_LEVEL = 2
_FOOTNOTE = re.compile(r"\[\^([^\]\s^]{1,40})\]")
_TASK = re.compile(r"\[([ xX])\] +")
_UNDONE, _DONE = "☐ ", "☑ "
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True, slots=True)
class Link:
    target: str
    behind: str  # The text that follows it in its paragraph or cell


def is_web_address(address: str) -> bool:
    """Whether a browser may open it: http or https, with a host."""
    parts = _split(address)
    return parts is not None and parts.scheme in _WEB and bool(parts.hostname)


def is_allowed(target: str) -> bool:
    """Whether a text may link to it.

    An e-mail address may not bring a text or files along: whoever wrote the link would write the
    user's message.
    """
    if target.lower().startswith(_MAIL):
        return "@" in target and "?" not in target
    return is_web_address(target) or target.startswith(OWN_LINK)


@cache
def markdown_parser(*, has_formulas: bool = True) -> MarkdownIt:
    """Return a parser of answers, without HTML; links that are not allowed are text."""
    # Imported with the first answer, so that an empty window opens without it.
    from markdown_it import MarkdownIt  # noqa: PLC0415

    made = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    # The way that markdown-it's documentation describes.
    made.validateLink = is_allowed  # type: ignore[method-assign, assignment]
    return add_formulas(_with_notes_and_tasks(made)) if has_formulas else made


def _with_notes_and_tasks(parser: MarkdownIt) -> MarkdownIt:
    """Read `[^1]` as ¹, since its note would be the target of a link, and vanish; draw boxes.

    A note stays where it was written: a text that is still arriving is read block by block.
    """
    parser.inline.ruler.before("link", "footnote", _footnote)
    parser.block.ruler.at("reference", _reference)
    parser.core.ruler.push("task", _draw_boxes)
    from desktop.language.html_marks import add_html_marks  # noqa: PLC0415 - see above

    return add_html_marks(add_suffix_emphasis(parser))


def _draw_boxes(state: StateCore) -> None:
    for before, token in zip(state.tokens, state.tokens[2:], strict=False):
        first = token.children[0] if token.children else None
        if before.type == "list_item_open" and first is not None and first.type == "text":
            match = _TASK.match(first.content)
            if match is not None:
                box = _UNDONE if match[1] == " " else _DONE
                first.content = f"{box}{first.content[match.end() :]}"
        elif before.type == "blockquote_open" and first is not None:
            label = first.content.removeprefix("[!").removesuffix("]")
            if first.content == f"[!{label}]" and label.isupper():  # GitHub's "> [!NOTE]"
                first.content = f"{label.capitalize()}:"


def _footnote(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - as markdown-it calls it
    source, start = state.src, state.pos
    match = _FOOTNOTE.match(source, start)
    if match is None or source.startswith("(", match.end()):
        return False
    is_note = source.startswith(":", match.end()) and source[start - 1 : start] in ("", "\n")
    if not silent:
        if is_note and state.tokens:  # On a line of its own
            state.tokens[-1].type, state.tokens[-1].tag = "hardbreak", "br"
        shown = match[1].translate(_RAISED) if match[1].isdecimal() else f"[{match[1]}]"
        state.push("text", "", 0).content = shown
    state.pos = match.end() + is_note
    return True


def _reference(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001
    from markdown_it.rules_block import reference  # noqa: PLC0415 - see above

    begin = state.bMarks[start] + state.tShift[start]
    return not state.src.startswith("[^", begin) and reference(state, start, end, silent)


def links_in(markdown: str) -> Iterator[Link]:
    """Yield the links of a text with their final targets, pictures and bare addresses too."""
    for block in markdown_parser().parse(markdown):
        yield from _links_of(block.children or ())


def _links_of(tokens: Sequence[Token]) -> Iterator[Link]:
    inside = ""
    for at, token in enumerate(tokens):
        behind = "".join(following.content for following in tokens[at + 1 :])
        match token.type:
            case "link_open":
                inside = str(token.attrGet("href"))
            case "link_close":
                yield Link(inside, behind)
                inside = ""
            case "image":
                yield Link(str(token.attrGet("src")), behind)
            case "text" if not inside:
                for match in _BARE.finditer(token.content):
                    yield Link(match[0], token.content[match.end() :] + behind)


def names_another_place(shown: str, target: str) -> bool:
    """Whether a link looks as if it led to another host than it does."""
    parts = _split(target)
    if parts is None or parts.scheme not in _WEB:
        return False
    host = _plain_host(parts.hostname or "")
    # "https://good.org@evil.test" leads to evil.test.
    return "@" in parts.netloc or any(other != host for other in _hosts_in(shown))


def shown_target(target: str) -> str:
    """Return the address as people write it, with percent signs and `xn--` decoded."""
    return markdown_parser().normalizeLinkText(target)


def host_of(target: str) -> str:
    parts = _split(target)
    return (parts.hostname or "") if parts else ""


def _hosts_in(text: str) -> Iterator[str]:
    even = normalize("NFKC", text).replace("。", ".")
    visible = "".join(letter for letter in even if category(letter) != "Cf")
    for word in visible.split():
        trimmed = word.strip("()[]{}<>\"'“”‘’«».,;:!?…*_")
        parts = _split(trimmed if "://" in trimmed else f"//{trimmed}")
        host = _plain_host(parts.hostname or "") if parts else ""
        name, _, top = host.rpartition(".")
        is_number = name and host.replace(".", "").isdecimal() and host.count(".") == 3  # noqa: PLR2004
        is_name = name and len(top) >= _LETTERS_OF_A_TOP_LEVEL and not top[0].isdecimal()
        if is_name or is_number:
            yield host


def _plain_host(host: str) -> str:
    with suppress(UnicodeError):  # no name that a server could have
        host = host.encode("idna").decode()
    return host.lower().removeprefix("www.").rstrip(".")


def _split(address: str) -> SplitResult | None:
    try:
        parts = urlsplit(address)
        parts.hostname  # noqa: B018 - raises here for brackets that hold no address
    except ValueError:
        return None
    return parts


def harmless_markdown(markdown: str) -> str:
    """Return markdown that is harmless in other programs, too.

    Pictures, HTML and links that are not allowed become text; code stays as it is. Links into
    this program become their words.
    """
    if not any(mark in markdown for mark in ("<", "![", "](", "]:")):
        return markdown
    lines = markdown.split("\n")
    made: list[str] = []
    at = end_of_table = 0
    # Without formulas: where a fence begins must be the same to every reader.
    for block in markdown_parser(has_formulas=False).parse(markdown):
        start, end = block.map or (0, 0)
        if block.type == "table_open":
            end_of_table = end
        if block.type not in ("fence", "inline") or start < at:
            continue
        made += [_Defused(line).text for line in lines[at:start]]
        part = "\n".join(lines[start:end])
        # Cells divide what looks like code to some readers.
        has_code = start >= end_of_table
        made.append(part if block.type == "fence" else _Defused(part, has_code=has_code).text)
        at = end
    made += [_Defused(line).text for line in lines[at:]]
    return "\n".join(made)


class _Defused:
    """One paragraph, escaped so that every markdown reader shows it as text."""

    def __init__(self, text: str, *, has_code: bool = False) -> None:
        """`has_code`: whether text between backticks is code."""
        self._source, self._has_code = text, has_code
        self._unclosed: set[str] = set()
        self._last_end = text.rfind(">")
        lines = (line.lstrip(_LINE_MARKS) for line in text.split("\n"))
        self._may_define = any(line.startswith("[") for line in lines)
        self._at = 0
        self.text = "".join(self._pieces())

    def _pieces(self) -> Iterator[str]:
        source = self._source
        while mark := _ACTIVE.search(source, self._at):
            yield source[self._at : mark.start()]
            self._at = mark.end()
            match mark[0]:
                case "<":
                    yield self._tag(mark.start())
                case "![":
                    yield "!\\["
                case "](" | "]:":
                    yield self._target(mark[0])
                case ticks if ticks.startswith("`"):
                    yield ticks + self._code(ticks)
                case escaped:
                    yield escaped
        yield source[self._at :]

    def _code(self, ticks: str) -> str:
        """Return the rest of what the backticks enclose; nothing if they are only backticks."""
        start, source = self._at, self._source
        if not self._has_code or ticks in self._unclosed:
            return ""
        for closing in _TICKS.finditer(source, start):
            if closing[0] == ticks:
                self._at = closing.end()
                return source[start : self._at]
        self._unclosed.add(ticks)
        return ""

    def _tag(self, start: int) -> str:
        source = self._source
        if match := _HARMLESS_TAG.match(source, start):
            self._at = match.end()
            return match[0]
        follows = source[self._at : self._at + 1]
        is_tag = follows in _TAG_BEGINS or (follows.isascii() and follows.isalpha())
        # A block of HTML needs no end.
        is_first = not source[source.rfind("\n", 0, start) + 1 : start].strip(_LINE_MARKS)
        return "&lt;" if is_tag and (is_first or start < self._last_end) else "<"

    def _target(self, opening: str) -> str:
        from markdown_it.helpers import parseLinkDestination  # noqa: PLC0415 - see above

        source, at = self._source, self._at
        if opening == "]:" and not self._may_define:
            return opening
        while at < len(source) and source[at].isspace():
            at += 1
        read = parseLinkDestination(source, at, min(len(source), at + _LONGEST_TARGET))
        is_own = read.str.startswith(OWN_LINK)
        # After a colon, words are a footnote; only an address could open something.
        is_address = read.str.startswith(("/", "\\")) or ":" in read.str.rstrip(":")
        is_text = opening == "]:" and not is_address
        if not is_own and (not read.ok or is_text or is_allowed(read.str)):
            return opening
        if is_own and source.startswith(")", read.pos):
            self._at = read.pos + 1
            return "]"
        return f"]\\{opening[1]}"


_MARKS = "*_~"
_QUOTES = "\"'“”‘’«»„‟"
_OPENING = ("Ps", "Pi", "Pd")
_AFTER_SINGLE = f"{_QUOTES}{_MARKS}!?:…%`"
"""What may stand before a single mark that a suffix follows; `java.util.*ve` is no emphasis."""
_NEVER_LAST = "=<@&|"
_WORD = 2


def add_suffix_emphasis(parser: MarkdownIt) -> MarkdownIt:
    parser.inline.ruler2.before("balance_pairs", "suffix", _judge_marks)
    return parser


def _judge_marks(state: StateInline) -> None:
    """Decide anew which marks may begin and end emphasis; CommonMark's rule matches them."""
    metas = [meta["delimiters"] for meta in state.tokens_meta if meta and "delimiters" in meta]
    for delimiters in (state.delimiters, *metas):
        places = enumerate(delimiters)
        for _, group in groupby(places, lambda pair: (pair[1].marker, pair[1].token - pair[0])):
            run = [delimiter for _, delimiter in group]
            before = _text(state.tokens, run[0].token - 1)
            after = _text(state.tokens, run[-1].token + 1)
            marks = chr(run[0].marker) * len(run)
            for delimiter in run:
                if _is_product(marks, before, after):
                    delimiter.open = False
                    delimiter.close &= not (before[-1:] + after[:1]).isdecimal()
                else:
                    delimiter.close |= _ends(before, after, marks)
                    delimiter.open |= _begins(before, after, marks[0])


def _text(tokens: Sequence[Token], place: int) -> str:
    if not 0 <= place < len(tokens) or tokens[place].type.endswith("break"):
        return " "
    token = tokens[place]
    shown = token.content if token.type.startswith("text") else "[" if token.nesting > 0 else "`"
    return shown or " "


def _is_product(marks: str, before: str, after: str) -> bool:
    sides = before[-1:] + after[:1]
    is_variable = sides.isalnum() and not before[-2:-1].isalnum()
    is_bracket = before[-1:] == ")" and not _begins_word(after)
    is_factor = marks == "*" and after[:1].isalnum() and (is_bracket or is_variable)
    return is_factor or (sides.isalnum() and any(map(str.isdecimal, sides)))


def _begins_word(text: str) -> bool:
    return text[:_WORD].isalpha() and len(text) >= _WORD


def _ends(before: str, after: str, marks: str) -> bool:
    sign, suffix = before[-1:], after[:_WORD]
    if sign.isalnum():
        return "_" not in marks and not (sign.isdecimal() or suffix[:1].isdecimal())
    is_opening = category(sign) in _OPENING and sign not in _QUOTES  # „z“ ends with “
    if sign.isspace() or is_opening or sign in _NEVER_LAST:
        return False
    is_closed = category(sign) == "Pe" and _begins_word(after)
    return marks not in "*_" or sign in _AFTER_SINGLE or is_closed


def _begins(before: str, after: str, mark: str) -> bool:
    sign, following = before[-1:], after[:1]
    if following.isspace():
        return False
    if sign.isspace() or sign in _QUOTES + _MARKS + "/" or category(sign) in _OPENING:
        return True
    # Letters without case stand in scripts without spaces: は**「太字」**の.
    is_quote = following in _QUOTES and mark != "_"
    return sign.isalpha() and (is_quote or (category(sign) == "Lo" and not following.isalnum()))
