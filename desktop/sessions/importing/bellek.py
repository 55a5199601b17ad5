"""Reads Bellek's own exchange format; a mistake in it is an error and is never guessed at."""

import json
from base64 import b64decode
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import PurePath
from typing import TypeGuard

from desktop.domain.claims import (
    CitedSupport,
    ClaimReview,
    ClaimWarning,
    JudgedClaim,
    Support,
    WarningKind,
)
from desktop.domain.ids import NoteId
from desktop.domain.json_values import JsonValue
from desktop.domain.messages import Citation, CitationState, Role
from desktop.domain.notes import Note
from desktop.domain.prompts import Prompt
from desktop.domain.times import parse_utc, utc_now, utc_text
from desktop.language.normalization import fix_surrogates
from desktop.references.fields import valid_item
from desktop.sessions.importing.import_types import (
    ROLES_LEFT_OUT,
    Conversation,
    ImportedMessage,
    ImportFormat,
    UnreadableConversationError,
    as_list,
    as_mapping,
    as_text,
    one_line,
)

_LONGEST_TEXT, _LONGEST_WORK, _LONGEST_ID = 100_000, 100_000, 200
_MOST_PAGES = 1_000_000
_LONGEST_CITATIONS, _MOST_CITATIONS, _MOST_CLAIMS = 4_000_000, 1_000, 5_000


def read(value: Mapping[str, JsonValue]) -> Conversation:
    """Return one conversation. Raises UnreadableConversationError."""
    conversation = Conversation(
        ImportFormat.BELLEK,
        id=_text(value, "id"),
        title=" ".join(_text(value, "title").split()),
        summary=_text(value, "summary").strip(),
        topics=_names(value, "topics"),
        project=one_line(_text(value, "project")),
        tags=_names(value, "tags"),
        created_at=_moment(value, "created_at"),
        ended_at=_moment(value, "ended_at"),
        archived_at=_moment(value, "archived_at"),
    )
    messages = as_list(value.get("messages"))
    for number, message in enumerate(messages, start=1):
        # Texts to train models with begin with their instructions.
        fields = as_mapping(message)
        is_call = fields.get("content") is None and as_list(fields.get("tool_calls"))
        why = ROLES_LEFT_OUT.get("tool" if is_call else as_text(fields.get("role")))
        if why:
            conversation.left_out[why] += 1
        else:
            conversation.messages.append(_said(message, number))
    if not conversation.messages:
        raise UnreadableConversationError("no_messages")
    return conversation


def read_prompt(value: JsonValue) -> Prompt:
    """Return one of the user's own prompts. Raises UnreadableConversationError."""
    fields = as_mapping(value)
    name, text = one_line(_text(fields, "name")), _text(fields, "text")
    if not name or not text:
        raise UnreadableConversationError("no_messages")
    return Prompt(name, text, one_line(_text(fields, "project")))


@dataclass(frozen=True, slots=True)
class ImportedNote:
    """A note, and where it stands; the texts of what it does not stand in are empty."""

    note: Note
    session: str = ""
    message: int = 0  # Its number in the session
    said: str = ""  # The digest of the message's text
    sha256: str = ""
    project: str = ""  # Of the source
    csl: Mapping[str, JsonValue] = field(default_factory=dict)


def note_fields(imported: ImportedNote) -> dict[str, JsonValue]:
    """Return what a line of the format has of a note."""
    note = imported.note
    fields: dict[str, JsonValue] = {
        "id": note.id,
        "quote": note.quote,
        "text": note.text,
        "created_at": utc_text(note.created_at),
        "changed_at": utc_text(note.changed_at),
        "page": note.page,
        "occurrence": note.occurrence,
        "is_of_file": note.is_of_file,
        "session": imported.session,
        "message": imported.message,
        "said": imported.said,
        "sha256": imported.sha256,
        "project": imported.project,
        "work": dict(imported.csl),
    }
    return {name: value for name, value in fields.items() if value}


def read_note(value: JsonValue) -> ImportedNote:
    """Return a note of a line. Raises UnreadableConversationError."""
    fields = as_mapping(value)
    note_id, csl = one_line(fields.get("id")), as_mapping(fields.get("work"))
    quote, text = (
        fix_surrogates(as_text(fields.get(name))[:_LONGEST_TEXT]) for name in ("quote", "text")
    )
    has_place = bool(csl or one_line(fields.get("session")))
    if not note_id or not has_place or not (quote or text) or _size(csl) > _LONGEST_WORK:
        raise UnreadableConversationError("note_invalid")
    created_at = _time(fields.get("created_at"))
    note = Note(
        id=NoteId(note_id[:_LONGEST_ID]),
        quote=" ".join(quote.split()),
        text=text.strip(),
        created_at=created_at,
        changed_at=_time(fields.get("changed_at"), created_at),
        page=_number(fields.get("page")) or None,
        occurrence=_number(fields.get("occurrence")),
        is_of_file=fields.get("is_of_file") is True,
    )
    return ImportedNote(
        note,
        session=one_line(fields.get("session")),
        message=_number(fields.get("message")),
        said=one_line(fields.get("said")),
        sha256=one_line(fields.get("sha256")),
        project=one_line(fields.get("project")),
        csl=valid_item(csl),
    )


@dataclass(frozen=True, slots=True)
class CitationTarget:
    """Where the cited words stand: ids are those of the profile that wrote the file."""

    sha256: str = ""  # Of a document
    address: str = ""  # Of a page
    page: int = 0
    message: int = 0  # Its number in a past session; `said` is the digest of its text
    said: str = ""


@dataclass(frozen=True, slots=True)
class ImportedCitations:
    """What an answer cites, and what its claims were judged to be."""

    session: str
    message: int  # Its number in the session
    said: str  # The digest of its text
    citations: Sequence[tuple[Citation, CitationTarget]]
    review: ClaimReview = field(default_factory=ClaimReview)


def citation_fields(imported: ImportedCitations) -> dict[str, JsonValue]:
    """Return what a line of the format has of the citations of an answer."""
    review = imported.review
    citations: list[JsonValue] = [
        {
            "number": citation.number,
            "state": citation.state.value,
            "quote": citation.quote,
            "title": citation.title,
            "source": citation.source_id,
            "passage": citation.passage_id,
            **{name: value for name, value in asdict(place).items() if value},
        }
        for citation, place in imported.citations
    ]
    claims: list[JsonValue] = [
        {
            "start": claim.start,
            "end": claim.end,
            "cited": [[each.number, each.support.value, each.words] for each in claim.cited],
            "warnings": [[each.kind.value, each.words] for each in claim.warnings],
        }
        for claim in review.claims
    ]
    fields: dict[str, JsonValue] = {
        "session": imported.session,
        "message": imported.message,
        "said": imported.said,
        "citations": citations,
        "claims": claims,
        "model": review.model,
        "judged_at": utc_text(review.judged_at) if review.judged_at else None,
    }
    return {name: value for name, value in fields.items() if value}


def read_citations(value: JsonValue) -> ImportedCitations:
    """Return the citations of a line. Raises UnreadableConversationError."""
    fields = as_mapping(value)
    citations = list(map(_citation, as_list(fields.get("citations"))[:_MOST_CITATIONS]))
    session = one_line(fields.get("session"))
    if not session or not citations or _size(fields) > _LONGEST_CITATIONS:
        raise UnreadableConversationError("citations_invalid")
    review = ClaimReview()
    if judged_at := fields.get("judged_at"):
        claims = map(_claim, as_list(fields.get("claims"))[:_MOST_CLAIMS])
        review = ClaimReview(tuple(claims), one_line(fields.get("model")), _time(judged_at))
    return ImportedCitations(
        session, _number(fields.get("message")), one_line(fields.get("said")), citations, review
    )


def _citation(value: JsonValue) -> tuple[Citation, CitationTarget]:
    fields = as_mapping(value)
    quote = fix_surrogates(as_text(fields.get("quote")))
    is_checked = bool(quote) and fields.get("state") == CitationState.CHECKED.value
    citation = Citation(
        number=_number(fields.get("number")),
        state=CitationState.CHECKED if is_checked else CitationState.UNCHECKED,
        quote=quote,
        source_id=one_line(fields.get("source"))[:_LONGEST_ID],
        passage_id=one_line(fields.get("passage"))[:_LONGEST_ID],
        title=one_line(fields.get("title")),
    )
    place = CitationTarget(
        sha256=one_line(fields.get("sha256")),
        address=one_line(fields.get("address")),
        page=_number(fields.get("page")),
        message=_number(fields.get("message")),
        said=one_line(fields.get("said")),
    )
    return citation, place


def _claim(value: JsonValue) -> JudgedClaim:
    fields = as_mapping(value)
    cited = (_support(*entry) for entry in as_list(fields.get("cited")) if _is_row(entry, 3))
    warnings = (
        ClaimWarning(WarningKind(str(kind)), fix_surrogates(as_text(words)))
        for kind, words in (e for e in as_list(fields.get("warnings")) if _is_row(e, 2))
        if kind in list(WarningKind)
    )
    start, end = _number(fields.get("start")), _number(fields.get("end"))
    return JudgedClaim(start, end, tuple(cited), tuple(warnings))


def _support(number: JsonValue, support: JsonValue, words: JsonValue) -> CitedSupport:
    """Return a verdict; one that needs the words that decide is none without them."""
    decides = fix_surrogates(as_text(words))
    is_known = support in list(Support) and (bool(decides) or support == Support.ABSENT.value)
    verdict = Support(str(support)) if is_known else Support.UNTESTED
    return CitedSupport(_number(number), verdict, decides)


def _is_row(entry: JsonValue, length: int) -> TypeGuard[list[JsonValue]]:
    return isinstance(entry, list) and len(entry) == length


def _size(fields: Mapping[str, JsonValue]) -> int:
    return len(json.dumps(fields))


def _time(value: JsonValue, default: datetime | None = None) -> datetime:
    try:
        return parse_utc(as_text(value))
    except ValueError:
        return default or utc_now()


def _number(value: JsonValue) -> int:
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return value if isinstance(value, int) and is_number and 0 <= value <= _MOST_PAGES else 0


def _said(value: JsonValue, number: int) -> ImportedMessage:
    fields = as_mapping(value)
    role, content = fields.get("role"), fields.get("content")
    if role not in list(Role) or not isinstance(content, str):
        raise UnreadableConversationError("message_invalid", number=number)
    return ImportedMessage(
        Role(str(role)),
        fix_surrogates(content),
        _moment(fields, "created_at"),
        _text(fields, "ref") or None,
        files=tuple(_file(as_mapping(file), number) for file in as_list(fields.get("files"))),
    )


def _file(fields: Mapping[str, JsonValue], number: int) -> tuple[str, bytes]:
    try:
        return PurePath(_text(fields, "name")).name, b64decode(
            _text(fields, "data"), validate=True
        )
    except ValueError as exc:
        raise UnreadableConversationError("message_invalid", number=number) from exc


def _text(value: Mapping[str, JsonValue], name: str) -> str:
    text = value.get(name)
    if text is None:
        return ""
    if not isinstance(text, str):
        raise UnreadableConversationError("field_not_text", field=name)
    return fix_surrogates(text)


def _names(value: Mapping[str, JsonValue], field: str) -> tuple[str, ...]:
    names = value.get(field) or []
    if not isinstance(names, list):
        raise UnreadableConversationError("field_not_list", field=field)
    return tuple(filter(None, map(one_line, names)))


def _moment(value: Mapping[str, JsonValue], name: str) -> datetime | None:
    text = _text(value, name)
    try:
        return parse_utc(text) if text else None
    except ValueError as exc:
        raise UnreadableConversationError("field_not_a_time", field=name) from exc
