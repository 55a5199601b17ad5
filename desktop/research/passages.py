"""Passages that can be cited, of past sessions and of sources, and their form in a request."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from enum import StrEnum
from typing import TypeVar

from desktop.domain.facts import Fact
from desktop.domain.ids import NO_SESSION, MessageId, PassageId, SessionId, SourceId
from desktop.domain.messages import NO_MODEL, Message, MessageState, Role
from desktop.domain.references import WorkMark
from desktop.domain.routing import Recall
from desktop.domain.sessions import Session
from desktop.domain.sources import Source, SourceKind, SourcePassage
from desktop.domain.times import long_date, spoken_period
from desktop.language.intents import PhraseLists, is_courtesy
from desktop.language.normalization import find_words, folded_key, word_texts
from desktop.language.sentences import sentences
from desktop.references.fields import marked_title
from desktop.research.security import escape_markup, is_suspicious
from desktop.settings.messages import Texts

Item = TypeVar("Item")

_LEAD = 160  # Characters kept before the first matching word
_LONGEST_TYPED = 600  # Characters: a longer message was pasted, and contains other people's words
_UNFIT_FOR_A_TAG = dict.fromkeys(map(ord, '"<>\n'), " ")
_SHORT_REPLY = 300
"""Characters of a reply that may say nothing but that it cannot answer, or is welcome."""
_REFUSES = re.compile(
    r"\bas an ai\b|\b(?:can ?not|can't|unable to|not able to|won't) (?:help|assist|answer|provide"
    r"|do that|comply)|\bi (?:don't|do not) (?:know|have (?:that|any|enough) information)"
    r"|\b(?:yardimci ol|(?:yanit|cevap|bilgi) ver|yanitlay|cevaplay)[ae]m\w*|\bbilmiyorum\b"
)
_OLD_NUMBERS = re.compile(r" ?\[\d{1,3}\](?!\()")


class Speaker(StrEnum):
    USER = "user"
    ASSISTANT = "assistant"
    SUMMARY = "summary"
    MEMORY = "memory"
    DOCUMENT = "document"
    PAGE = "web_page"


@dataclass(frozen=True, slots=True)
class Place:
    source_id: SourceId
    passage_id: PassageId
    kind: SourceKind
    address: str
    page: int | None = None
    heading: str = ""
    is_suspicious: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    title: str
    said_at: datetime
    speaker: Speaker
    text: str
    stored: str  # The full text, against which quotations are checked
    number: int = 0  # From 1, as the model and its answer cite it
    session_id: SessionId = NO_SESSION  # For a passage of a source
    message_id: MessageId | None = None  # None for a session's summary or a passage of a source
    place: Place | None = None  # In a source; None for a session
    marks: Sequence[WorkMark] = ()  # Of its work, if the title does not have them
    is_doubted: bool = False  # An answer with claims that its sources do not say

    @property
    def cited_in(self) -> str:
        """Return the id of the source or session, as citations store it."""
        return self.place.source_id if self.place else self.session_id

    @property
    def cited_at(self) -> str:
        """Return the id of the passage or message; empty for a session's summary."""
        return self.place.passage_id if self.place else str(self.message_id or "")


@dataclass(frozen=True, slots=True)
class DiaryNote:
    """What the user wrote in the diary."""

    day: date
    text: str


@dataclass(frozen=True, slots=True)
class Recollection:
    passages: Sequence[Passage] = ()
    facts: Sequence[Fact] = ()
    notes: Sequence[DiaryNote] = ()
    is_nearest: bool = False
    is_last_place: bool = False


def private_texts(passages: Iterable[Passage]) -> Iterator[str]:
    """Yield the texts of those that are not from the web."""
    return (passage.stored for passage in passages if passage.speaker is not Speaker.PAGE)


def excerpt(text: str, about: str, length: int) -> str:
    """Return a piece of a text of about that length, around the words of `about`."""
    if len(text) <= length:
        return text
    spans = find_words(text, word_texts(about)) if about else []
    places = sorted(start for start, _ in spans)
    # The window with the most matching words begins here, the earliest of several.
    room = length - _LEAD
    densest = max(
        places,
        key=lambda at: bisect_left(places, at + room) - bisect_left(places, at),
        default=0,
    )
    start = max(0, densest - _LEAD)
    if start:
        start = text.find(" ", start) + 1
    end = min(len(text), start + length)
    if end < len(text):
        end = max(text.rfind(" ", start, end), start + length // 2)
    before, after = ("… " if start else ""), (" …" if end < len(text) else "")
    return f"{before}{text[start:end].strip()}{after}"


def format_recollection(recall: Recall, recollection: Recollection, texts: Texts) -> str:
    """Return the passages for the changing block of a request, marked as data."""
    when = spoken_period(recall.period, texts.language) if recall.period else ""
    lead: list[str] = []
    if recall.words or when:
        key = "words_when" if recall.words and when else "words" if recall.words else "when"
        lead.append(texts.say(f"recall.{key}", words=recall.words, when=when))
    if recollection.passages:
        kind = "last" if recollection.is_last_place else "found"
        lead.append(texts.say(f"recall.{'nearest' if recollection.is_nearest else kind}"))
        lead.append(texts.say("recall.rules"))
    elif not recollection.facts and not recollection.notes:
        lead.append(texts.say("recall.nothing"))
    facts = [texts.say("recall.facts")] if recollection.facts else []
    facts += [
        f"- {fact.content} ({long_date(fact.valid_from, texts.language)})"
        for fact in recollection.facts
    ]
    notes = [texts.say("recall.notes")] if recollection.notes else []
    notes += [
        f"- {' '.join(escape_markup(note.text).split())} ({note_date(note, texts)})"
        for note in recollection.notes
    ]
    passages = (format_passage(passage, texts) for passage in recollection.passages)
    parts = [" ".join(lead), "\n".join(facts), "\n".join(notes), *passages]
    return "\n\n".join(filter(None, parts))


def note_date(note: DiaryNote, texts: Texts) -> str:
    return long_date(datetime.combine(note.day, time(12)).astimezone(), texts.language)


def format_attached(lead: str, passages: Sequence[Passage], texts: Texts) -> str:
    """Return passages that the user attached, after a text; empty if there are none."""
    if not passages:
        return ""
    heading = f"{texts.say(lead)} {texts.say('beside.rules')}"
    return "\n\n".join([heading, *(format_passage(passage, texts) for passage in passages)])


def is_suspicious_passage(passage: Passage) -> bool:
    """Whether it contains a suspected injection; the user's own text is exempt.

    An old answer may repeat a page's instructions, and an imported one may be a page.
    """
    if passage.place is not None:
        return passage.place.is_suspicious
    is_typed = passage.speaker is Speaker.USER and len(passage.stored) <= _LONGEST_TYPED
    return not is_typed and is_suspicious(f"{passage.title}\n{passage.text}")


def without_numbers(text: str) -> str:
    """Return an answer without the numbers of its citations."""
    return _OLD_NUMBERS.sub("", text)


def format_passage(passage: Passage, texts: Texts, said_by: str = "") -> str:
    """Return a passage between tags, which nothing in it can close."""
    text = escape_markup(without_numbers(passage.text))
    date = long_date(passage.said_at, texts.language)
    title, place = marked_title(passage.title, passage.marks, texts), passage.place
    title = _in_a_tag(title)
    warned = f' warning="{texts.say("research.warning")}"'
    warning = warned if is_suspicious_passage(passage) else ""
    if place is None:
        doubt = f' doubt="{texts.say("research.doubt")}"' if passage.is_doubted else ""
        speakers = f'said_by="{said_by or passage.speaker}"'
        where = f'session="{title}" date="{date}" {speakers}{doubt}{warning}'
    else:
        page = f' page="{place.page}"' if place.page else ""
        under = f' under="{_in_a_tag(place.heading)}"' if place.heading else ""
        where = f'{passage.speaker}="{title}"{page}{under} read="{date}"{warning}'
    return f'<passage n="{passage.number}" {where}>\n{text}\n</passage>'


def format_snippets(snippets: Sequence[Sequence[Passage]], texts: Texts) -> str:
    """Return the snippets recalled automatically, each between tags of its own."""
    if not snippets:
        return ""
    lead = f"{texts.say('unasked.lead')} {texts.say('unasked.rules')}"
    return "\n\n".join([lead, *(_format_snippet(snippet, texts) for snippet in snippets)])


def _format_snippet(passages: Sequence[Passage], texts: Texts) -> str:
    """Return a passage, or messages of one session, each after its speaker."""
    if len(passages) == 1:
        return format_passage(passages[0], texts)
    in_order = sorted(passages, key=lambda passage: passage.message_id or 0)
    dialogue = "\n".join(f"{passage.speaker}: {passage.text}" for passage in in_order)
    warned = next(filter(is_suspicious_passage, passages), passages[0])
    is_doubted = any(passage.is_doubted for passage in passages)
    speakers = ", ".join(dict.fromkeys(passage.speaker.value for passage in in_order))
    merged = replace(warned, text=dialogue, is_doubted=is_doubted)
    return format_passage(merged, texts, speakers)


def format_evidence_line(words: str, of: str, texts: Texts) -> str:
    """Return untrusted words as a line of a request; marked if `of` is suspicious."""
    line = escape_markup(words)
    return f"{line} [{texts.say('research.warning')}]" if is_suspicious(of) else line


def _in_a_tag(text: str) -> str:
    return escape_markup(text).translate(_UNFIT_FOR_A_TAG)


def only_asks(text: str) -> bool:
    if len(text) > _LONGEST_TYPED or (text and "?" not in text):
        return False
    return all(sentence.text.rstrip("\"'”’)» ").endswith("?") for sentence in sentences(text))


def is_statement(message: Message, near: Sequence[Message], phrases: PhraseLists) -> bool:
    """Whether a message states something of its own.

    Questions, thanks and the replies to them do not, nor refusals and quotations without a model.
    `near`: messages of the session, among them the one before it.
    """
    is_whole = message.state in {MessageState.COMPLETE, MessageState.STOPPED}
    if not is_whole or message.model == NO_MODEL or only_asks(message.content):
        return False
    if len(message.content) > _SHORT_REPLY:
        return True
    if is_courtesy(message.content, phrases) or _REFUSES.search(folded_key(message.content)):
        return False
    before = next((other for other in near if other.number == message.number - 1), None)
    is_reply = message.role is Role.ASSISTANT and before is not None
    return not (is_reply and before and is_courtesy(before.content, phrases))


def fitting(
    items: Iterable[Item], room: int, length: Callable[[Item], int], *, least: int = 0
) -> list[Item]:
    """Return the first items whose lengths fit, or `least` of them if fewer do."""
    first_items: list[Item] = []
    for item in items:
        room -= length(item)
        if room < 0 and len(first_items) >= least:
            break
        first_items.append(item)
    return first_items


def number_passages(passages: Sequence[Passage], first: int = 1) -> tuple[Passage, ...]:
    return tuple(replace(passage, number=number) for number, passage in enumerate(passages, first))


def is_answer(message: Message) -> bool:
    """Whether a message is an answer: it says something, and not only quotes others."""
    is_by_model = message.role is Role.ASSISTANT and message.model != NO_MODEL
    return is_by_model and bool(message.content.strip())


def passage_of_message(message: Message, title: str, about: str, length: int) -> Passage:
    """Return a message as a passage, numbered by its message.

    `length`: the most characters that are shown, around `about`.
    """
    return Passage(
        number=message.number,
        session_id=message.session_id,
        message_id=message.id,
        title=title,
        said_at=message.created_at,
        speaker=Speaker.USER if message.role is Role.USER else Speaker.ASSISTANT,
        text=excerpt(message.content, about, length),
        stored=message.content,
    )


def passage_of_summary(session: Session, about: str, length: int) -> Passage:
    summary = session.summary or ""
    return Passage(
        session_id=session.id,
        title=session.shown_title,
        said_at=session.updated_at,
        speaker=Speaker.SUMMARY,
        text=excerpt(summary, about, length),
        stored=summary,
    )


def passage_of_source(
    source: Source,
    passage: SourcePassage,
    about: str,
    length: int,
    marks: Sequence[WorkMark] = (),
) -> Passage:
    place = Place(
        source_id=source.id,
        passage_id=passage.id,
        kind=source.kind,
        address=source.address,
        page=passage.page,
        heading=passage.heading,
        is_suspicious=is_suspicious(f"{source.title}\n{passage.heading}\n{passage.text}"),
    )
    return Passage(
        title=source.title,
        said_at=source.read_at,
        speaker=Speaker.PAGE if source.kind is SourceKind.WEB else Speaker.DOCUMENT,
        text=excerpt(passage.text, about, length),
        stored=passage.text,
        place=place,
        marks=marks,
    )
