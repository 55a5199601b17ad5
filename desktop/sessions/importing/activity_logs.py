"""Reads logs: Gemini's activity from Google Takeout, and Claude Code's transcripts.

Google lists single questions: a session is made of each day. Its file is recognised by its
structure, because names, months and the word before each question are in the user's language.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from html import escape
from html.parser import HTMLParser
from io import BufferedReader, TextIOWrapper
from pathlib import PurePath
from unicodedata import category

from desktop.domain.json_values import JsonValue
from desktop.domain.messages import Role
from desktop.language.normalization import fix_surrogates, fold
from desktop.sessions.importing.import_types import (
    Conversation,
    ImportedMessage,
    ImportFormat,
    OmittedContent,
    as_list,
    as_mapping,
    as_text,
    one_line,
    parse_moment,
)

_Value = Mapping[str, JsonValue]
_CHUNK = 1 << 16
_LONGEST_TEXT = 1 << 20


@dataclass(frozen=True, slots=True)
class LogEntry:
    """A line of a log; the entries of a session become one conversation."""

    form: ImportFormat
    session: str
    messages: tuple[ImportedMessage, ...] = ()
    title: str = ""
    tag: str = ""
    left_out: Counter[OmittedContent] = field(default_factory=Counter)


def conversations(entries: Iterable[LogEntry]) -> Iterator[Conversation]:
    """Yield the session of each day, or of each transcript, with its entries in order."""
    several: dict[tuple[ImportFormat, str], Conversation] = {}
    for entry in _without_frame(list(entries)):
        key = entry.form, entry.session
        conversation = several.setdefault(key, Conversation(entry.form, id=entry.session))
        conversation.messages += entry.messages
        conversation.left_out += entry.left_out
        conversation.title = entry.title or conversation.title
        conversation.tags = conversation.tags or tuple(filter(None, [entry.tag]))
    yield from several.values()


# Gemini


_ACTIVITY = (b"outer-cell", b"content-cell")
_TIME = re.compile(
    r"(?<![\d.:])(\d{1,2})([:.])(\d\d)\2(\d\d)(?![\d.:])\s*([^\s\d,.]{1,4}\.?(?: ?m\.)?)?",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<!\d)(20\d\d)(?!\d)")
_DAY = re.compile(r"(?<![\d:.])(\d{1,2})(?![\d:])")
_OFFSET = re.compile(r"(?:GMT|UTC|غرينتش)\s*([+-]\d{1,2}):?(\d\d)?")
_NUMBERS = re.compile(r"(20\d\d)\D{1,3}(\d{1,2})\D{1,3}(\d{1,2})(?!\d)")
_DAY_FIRST = re.compile(r"(?<!\d)(\d{1,2})[./-](\d{1,2})[./-](20\d\d)(?!\d)")
_WORD = re.compile(r"[^\W\d_]{3,}")
_MONTHS = (
    (
        "jan oca ene gen sty янв ian jaa led sau sij tam urt xan yan ιαν сту січ яну јан қаң "
        "հնվ ינו جنو ينا ژان იან בינו"
    ),
    (
        "feb sub fev lut фев hel ots peb shk uno vas vee vel φεβ ақп лют феб փետ փտվ פבר فبر "
        "فرو فور თებ בפבר"
    ),
    ("mar mae mrt maa мар bre kov mac mas ozu μαρ бер нау сак մար մրտ מרץ مار მარ במרץ"),
    (
        "apr nis abr avr kwi апр api bal dub eph huh pri tra απρ кві кра сәу ապր אפר آور أبر "
        "اپر აპრ באפר"
    ),
    (
        "may mai mei mag maj мая май geg kve mey svi tou μαι маи мам мај тра մայ մյս מאי مئی "
        "ماي მაი במאי"
    ),
    (
        "jun haz giu cze июн juin bir cvn eka hun iun iyn iyun juun kes qer xun ιουν мау чер "
        "чэр юни јун հնս יונ جون يون ژوئن ივნ ביונ"
    ),
    (
        "jul tem lug lip июл juil cvc hei hul iul iyl iyul juul kor lie uzt xul ιουλ лип ліп "
        "шіл юли јул հլս հուլ יול جول يول ژوئی ივლ ביול"
    ),
    (
        "aug agu ago aou sie авг abu aga avg avq elo gus kol ogo rugp αυγ жні сер там օգո օգս "
        "אוג أغس اوت اگس აგვ באוג"
    ),
    (
        "sep eyl set wrz сен ira rugs ruj sen sht syy sze zar σεπ вер сеп қыр սեպ ספט سبت ستم "
        "سپت სექ בספט"
    ),
    ("oct eki okt ott out paz окт lok rij spa tet urr οκτ жов кас қаз հոկ אוק أكت اکت ოქტ באוק"),
    (
        "nov kas lis ноя aza lap marr nen nob noi noy stu νοε ліс лист нов ное қар նոյ נוב نوا "
        "نوف نوم ნოე בנוב"
    ),
    (
        "dec ara dez dic gru дек abe dek des det dhj dis jou pro δεκ гру дец жел сне դեկ דצמ "
        "دسا دسم ديس დეკ בדצמ"
    ),
)
"""The beginnings of their names, by Unicode's CLDR. Croatian's lip, lis and srp are other months
in Polish and Czech, and are taken for those."""
_LATE, _EARLY = (
    frozenset({"pm", "p.m.", "os", "م", "μ."}),
    frozenset({"am", "a.m.", "oo", "ص", "π."}),
)
_MONTH_OF = {name: n for n, names in enumerate(_MONTHS, start=1) for name in names.split()}
_NOON = 12
_FEWEST, _SHARE, _MOST_WORDS = 3, 0.8, 4
"""A word before or after most questions is Google's, not the user's."""
_PROMPTED = "Prompted"


def is_activity(head: bytes) -> bool:
    """Return whether this is the beginning of a page of Google's activity."""
    return all(mark in head for mark in _ACTIVITY)


def read_event(value: _Value) -> Iterator[LogEntry]:
    """Yield an event of Google's activity, if it is Gemini's."""
    answer = "\n".join(
        as_text(as_mapping(item).get("html")) for item in as_list(value.get("safeHtmlItem"))
    )
    products = [as_text(value.get("header")), *map(as_text, as_list(value.get("products")))]
    files = len(as_list(value.get("attachedFiles"))) + bool(value.get("imageFile"))
    yield _event(
        " ".join(products),
        as_text(value.get("title")),
        parse_moment(value.get("time")),
        _Markdown.of(answer),
        files,
    )


def read_activity(file: BufferedReader) -> Iterator[LogEntry]:
    """Yield the events of a page of Google's activity."""
    page = _Page()
    with TextIOWrapper(file, "utf-8-sig", "replace") as text:
        while piece := text.read(_CHUNK):
            page.feed(piece)
            yield from page.taken()
    page.close()
    yield from page.taken()


def _event(product: str, title: str, at: datetime | None, answer: str, files: int = 0) -> LogEntry:
    is_gemini = any(name in product.lower() for name in ("gemini", "bard"))
    question = fix_surrogates(title).replace("\xa0", " ").strip()
    if not is_gemini or at is None or not question:
        why = OmittedContent.UNREADABLE if is_gemini else OmittedContent.OTHER_ACTIVITY
        return LogEntry(ImportFormat.GEMINI, "", left_out=Counter([why]))
    ref = at.isoformat()
    messages = [ImportedMessage(Role.USER, question, at, ref)]
    if answer:
        answered = at + timedelta(milliseconds=1)
        text = fix_surrogates(answer)
        messages.append(ImportedMessage(Role.ASSISTANT, text, answered, f"{ref}-answer"))
    left_out = Counter({OmittedContent.ATTACHMENT: files})
    day = f"{at:%Y-%m-%d}"
    return LogEntry(ImportFormat.GEMINI, day, tuple(messages), left_out=left_out)


def _without_frame(entries: Sequence[LogEntry]) -> Iterator[LogEntry]:
    """Yield the entries, the events in their order and without Google's word before each."""
    events = [each for each in entries if each.form is ImportFormat.GEMINI and each.messages]
    yield from (each for each in entries if each.form is not ImportFormat.GEMINI)
    yield from (each for each in entries if each.form is ImportFormat.GEMINI and not each.messages)
    asked = [each.messages[0].content.split() for each in events if len(each.messages) > 1]
    first, last = _common(asked), _common([words[::-1] for words in asked])
    before, after = " ".join(first), " ".join(last[::-1])
    for event in sorted(events, key=lambda event: event.messages[0].at or datetime.now(UTC)):
        question, *rest = event.messages
        words = question.content
        words = words.removeprefix(before or _PROMPTED)
        words = words.removesuffix(after).strip(" \n:") or question.content
        asked_for = ImportedMessage(question.role, words, question.at, question.ref)
        yield LogEntry(event.form, event.session, (asked_for, *rest), left_out=event.left_out)


def _common(several: Sequence[Sequence[str]]) -> list[str]:
    """Return the words with which most of the texts begin."""
    common: list[str] = []
    while len(several) >= _FEWEST and len(common) < _MOST_WORDS:
        at = len(common)
        words_there = Counter(words[at] for words in several if len(words) > at + 1)
        word, times = max(words_there.items(), key=lambda pair: pair[1], default=("", 0))
        if times < _SHARE * len(several):
            break
        common.append(word)
    return common


def _moment(line: str) -> datetime | None:
    """Parse the time of an event, in whatever language; None for another line."""
    line = "".join(_plain_digit(letter) for letter in line if category(letter) != "Cf")
    offset = _OFFSET.search(line)
    plain = _OFFSET.sub(" ", line)
    time = _TIME.search(plain)
    if time is None or not (date := _date(f"{plain[: time.start()]} {plain[time.end() :]}")):
        return None
    half = fold(time[5] or "").replace(" ", "")
    hour = int(time[1]) % _NOON if half in _LATE | _EARLY else int(time[1])
    hour += _NOON if half in _LATE else 0
    minutes = int(offset[1]) * 60 + int(offset[2] or 0) if offset else 0
    try:
        zone = timezone(timedelta(minutes=minutes))
        at = datetime(*date, hour, int(time[3]), int(time[4]), tzinfo=zone)
    except (ValueError, OverflowError):
        return None
    return at.astimezone(UTC)


def _plain_digit(letter: str) -> str:
    return str(int(letter)) if letter.isdecimal() else letter


def _date(rest: str) -> tuple[int, int, int] | None:
    if numbers := _NUMBERS.search(rest):
        return int(numbers[1]), int(numbers[2]), int(numbers[3])
    if numbers := _DAY_FIRST.search(rest):
        return int(numbers[3]), int(numbers[2]), int(numbers[1])
    year, days = _YEAR.search(rest), _DAY.search(_YEAR.sub(" ", rest))
    words = [fold(word) for word in _WORD.findall(rest)]
    months = (_MONTH_OF.get(word[:4]) or _MONTH_OF.get(word[:3]) for word in words)
    month = next(filter(None, months), None)
    if not (year and days and month):
        return None
    return int(year[1]), month, int(days[1])


class _Markdown(HTMLParser):
    """Turns the HTML of an answer into Markdown."""

    _MARKS: Mapping[str, str] = {"strong": "**", "b": "**", "em": "*", "i": "*", "code": "`"}
    _BREAKS = frozenset({"p", "div", "ul", "ol", "table", "tr", "pre", "blockquote"})

    def __init__(self) -> None:
        super().__init__()
        self._parts: list[str] = []
        self._is_code = False

    @classmethod
    def of(cls, html: str) -> str:
        parser = cls()
        parser.feed(html[:_LONGEST_TEXT])
        parser.close()
        return re.sub(r"\n{3,}", "\n\n", "".join(parser._parts)).strip()

    def handle_starttag(self, tag: str, _: list[tuple[str, str | None]]) -> None:
        if tag == "pre":
            self._is_code = True
            self._parts.append("\n\n```\n")
        elif tag in self._MARKS and not self._is_code:
            self._parts.append(self._MARKS[tag])
        elif tag == "li":
            self._parts.append("\n- ")
        elif tag == "br":
            self._parts.append("\n")
        elif tag[:1] == "h" and tag[1:].isdigit():
            self._parts.append(f"\n\n{'#' * int(tag[1:][:1])} ")
        elif tag in self._BREAKS:
            self._parts.append("\n\n")

    def handle_endtag(self, tag: str) -> None:
        if tag == "pre":
            self._is_code = False
            self._parts.append("\n```\n\n")
        elif tag in self._MARKS and not self._is_code:
            self._parts.append(self._MARKS[tag])
        elif tag in self._BREAKS or tag[:1] == "h":
            self._parts.append("\n\n")

    def handle_data(self, data: str) -> None:
        self._parts.append(data if self._is_code else re.sub(r"\s+", " ", data))


class _Page(HTMLParser):
    """Collects the events of a page: a cell with the product, and one with the words."""

    def __init__(self) -> None:
        super().__init__()
        self._events: list[LogEntry] = []
        self._depth = self._cell_at = 0
        self._product: list[str] = []
        self._cell: list[str] | None = None  # The HTML of the first cell of words
        self._is_header = self._has_cell = False

    def taken(self) -> list[LogEntry]:
        events, self._events = self._events, []
        return events

    def close(self) -> None:
        super().close()
        self._end_event()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = (dict(attrs).get("class") or "").split()
        if tag == "div":
            self._depth += 1
            if "outer-cell" in names:
                self._end_event()
            elif "header-cell" in names:
                self._is_header = True
            elif "content-cell" in names and not self._has_cell:
                self._cell, self._has_cell, self._cell_at = [], True, self._depth
                self._is_header = False
                return
        if self._cell is not None:
            self._cell.append(f"<{tag}>")

    def handle_endtag(self, tag: str) -> None:
        if tag == "div":
            if self._cell is not None and self._depth == self._cell_at:
                self._add(self._cell)
                self._cell = None
            self._depth -= 1
        if self._cell is not None:
            self._cell.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        if self._cell is not None:
            self._cell.append(escape(data))
        elif self._is_header:
            self._product.append(data)

    def _end_event(self) -> None:
        if self._cell is not None:
            self._add(self._cell)
        self._product, self._cell = [], None
        self._has_cell = self._is_header = False

    def _add(self, cell: Sequence[str]) -> None:
        """Add the event: its words are before the line of its time, its answer after it."""
        lines = "".join(cell)[:_LONGEST_TEXT].split("<br>")
        texts = [_Markdown.of(line) for line in lines]
        place = next((n for n, text in enumerate(texts) if n and _moment(text)), None)
        if place is None:
            self._events.append(_event(" ".join(self._product), "", None, ""))
            return
        answer = _Markdown.of("<br>".join(lines[place + 1 :]))
        question = "\n".join(texts[:place])
        self._events.append(
            _event(" ".join(self._product), question, _moment(texts[place]), answer)
        )


# Claude Code


_SYSTEM = re.compile(r"<system-reminder>.*?</system-reminder>", re.DOTALL)
_COMMANDS = ("<command-", "<local-command", "<bash-", "Caveat: The messages below")
_BLOCKS = {
    "thinking": OmittedContent.THINKING,
    "redacted_thinking": OmittedContent.THINKING,
    "tool_use": OmittedContent.TOOL,
    "tool_result": OmittedContent.TOOL,
    "image": OmittedContent.IMAGE,
    "document": OmittedContent.ATTACHMENT,
}
_TITLES = ("customTitle", "aiTitle", "summary")


def read_line(value: _Value) -> Iterator[LogEntry]:
    """Yield what a line of a transcript of Claude Code holds; a subagent's is left out."""
    session, form = one_line(value.get("sessionId")), ImportFormat.CLAUDE_CODE
    title = next(filter(None, (one_line(value.get(name)) for name in _TITLES)), "")
    role = as_text(value.get("type"))
    if role not in {"user", "assistant"}:
        if session and title:
            yield LogEntry(form, session, title=title)
        return
    message = as_mapping(value.get("message"))
    left_out: Counter[OmittedContent] = Counter()
    text = "\n\n".join(_texts(message.get("content"), left_out)).strip()
    is_hidden = any(value.get(name) is True for name in ("isMeta", "isCompactSummary"))
    if value.get("isSidechain") is True:
        left_out = Counter([OmittedContent.TOOL])
        text = ""
    elif text and (is_hidden or (role == "user" and text.startswith(_COMMANDS))):
        left_out = Counter([OmittedContent.HIDDEN])
        text = ""
    at, ref = parse_moment(value.get("timestamp")), one_line(value.get("uuid"))
    model = one_line(message.get("model")) if role == "assistant" else ""
    said = ImportedMessage(Role(role), text, at, ref or None, model or None)
    folder = PurePath(one_line(value.get("cwd")).replace("\\", "/")).name
    yield LogEntry(form, session, (said,) if text else (), tag=folder, left_out=left_out)


def _texts(content: JsonValue, left_out: Counter[OmittedContent]) -> Iterator[str]:
    if isinstance(content, str):
        yield fix_surrogates(_SYSTEM.sub("", content))
    for block in map(as_mapping, as_list(content)):
        kind = as_text(block.get("type"))
        if kind == "text":
            yield fix_surrogates(_SYSTEM.sub("", as_text(block.get("text"))))
        else:
            left_out[_BLOCKS.get(kind, OmittedContent.UNREADABLE)] += 1
