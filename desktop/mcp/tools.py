"""The tools that other programs may call: each with its parameters, its limits and its function.

`search` and `fetch` have exactly the form that the connectors of ChatGPT want. Whatever is
returned stands behind the wall that the server was started for; an id from behind another wall is
unknown.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import chain

from desktop.domain.errors import (
    AppError,
    ProgramDocumentError,
    ProgramItemUnknownError,
    ProgramsRefusedError,
)
from desktop.domain.facts import LONGEST_FACT
from desktop.domain.frozen import dataclass
from desktop.domain.ids import FactId, NoteId, PassageId, SessionId
from desktop.domain.json_values import JsonValue
from desktop.domain.messages import Role
from desktop.domain.projects import Wall
from desktop.domain.references import StyleUnknownError
from desktop.domain.search import CONVERSATIONS, Hit, HitKind, Query, Scope
from desktop.domain.sessions import SessionStatus
from desktop.domain.times import parse_day, utc_now, utc_text
from desktop.language.dates.date_parser import parse_typed_query
from desktop.language.links import OWN_LINK, is_web_address
from desktop.language.normalization import fix_surrogates
from desktop.references.formats import with_keys
from desktop.references.formatting import STYLES, format_list
from desktop.sessions.keeping.diary_file import as_markdown
from desktop.sessions.services import Services

LONGEST_ARGUMENT = 4_000
"""Characters; a longer argument is refused."""
LONGEST_DOCUMENT = 100_000
"""Characters of a text for the library: some forty pages."""
LONGEST_TEXT = 40_000
"""Characters that one call returns; the metadata say where the rest begins."""
_MOST_RESULTS = 20
_LONGEST_TITLE = 240
_LONGEST_ADDRESS = 1_000  # The window shows it whole
_MOST_DIGITS = 15  # Of the place where the rest of a long text begins
_KINDS = frozenset(HitKind) - {HitKind.FINDING}  # Nothing that strangers wrote unasked


@dataclass(frozen=True, slots=True)
class ProgramContext:
    """What one call works with."""

    services: Services
    wall: Wall
    program: str = ""  # How the other program calls itself
    ask_window: Callable[..., bool] = lambda **_fields: False
    """Sends the fields of a request to the window; returns whether one heard it. May wait."""


@dataclass(frozen=True, slots=True)
class ProgramTool:
    """A tool; its words are in the texts, under `mcp`, by its name and those of its parameters."""

    name: str
    parameters: tuple[str, ...]  # All of them required strings, if they are not `optional`
    run: Callable[[ProgramContext, Mapping[str, str]], JsonValue]
    is_usual: bool = True  # Whether it is offered without --more
    only_reads: bool = True
    optional: tuple[str, ...] = ()
    longest: int = LONGEST_ARGUMENT


@dataclass(frozen=True, slots=True)
class _Item:
    """What `fetch` reads. `parts`: pieces of text, each with the id that continues from it."""

    title: str
    parts: Iterable[tuple[str, str]]
    url: str
    metadata: Mapping[str, str]


def _search(context: ProgramContext, arguments: Mapping[str, str]) -> JsonValue:
    results: dict[str, JsonValue] = {}
    for hit in _hits(context, arguments["query"]):
        item_id = _item_id(hit)
        excerpt = " ".join(hit.snippet.split())
        title = f"{hit.title} ({utc_text(hit.created_at)[:10]}): {excerpt}"[:_LONGEST_TITLE]
        results.setdefault(item_id, {"id": item_id, "title": title, "url": _url(context, hit)})
    return {"results": list(results.values())}


def _hits(context: ProgramContext, words: str) -> list[Hit]:
    """Search; date words become a filter, unless nothing from that time has the other words."""
    scope = Scope(context.wall)
    query = Query(words, _KINDS, limit=_MOST_RESULTS, scope=scope)
    typed = parse_typed_query(words, utc_now().astimezone().replace(tzinfo=None))
    if typed.period is not None:
        since, until = typed.period.since, typed.period.until
        dated = replace(query, text=typed.words, since=since, until=until)
        if hits := context.services.search.find(dated):
            return hits
    return context.services.search.find(query)


def _item_id(hit: Hit) -> str:
    match hit.kind:
        case HitKind.MESSAGE | HitKind.SESSION | HitKind.PICTURE:
            number = f"#{hit.message_number}" if hit.message_number else ""
            return f"session:{hit.session_id}{number}"
        case HitKind.SOURCE:
            return f"passage:{hit.passage_id}"
        case HitKind.FACT:
            return f"fact:{hit.fact_id}"
        case HitKind.NOTE:
            return f"note:{hit.note_id}"
        case HitKind.DIARY | HitKind.FINDING:
            return f"diary:{hit.day}"


def _url(context: ProgramContext, hit: Hit) -> str:
    if hit.source_id is not None and hit.kind is HitKind.SOURCE:
        address = context.services.archive.source(hit.source_id).address
        return address if is_web_address(address) else f"{OWN_LINK}source/{hit.source_id}"
    if hit.kind in CONVERSATIONS or hit.kind is HitKind.PICTURE:
        return f"{OWN_LINK}session/{hit.session_id}"
    return OWN_LINK + _item_id(hit).replace(":", "/")


def _fetch(context: ProgramContext, arguments: Mapping[str, str]) -> JsonValue:
    item_id = arguments["id"].strip()
    item, start = _read_item(context, item_id), 0
    whole, _, place = item_id.rpartition("@")
    if item is None and place.isdecimal() and len(place) <= _MOST_DIGITS:
        item, start = _read_item(context, whole), int(place)
    if item is None:
        raise ProgramItemUnknownError(item=item_id[:_LONGEST_TITLE])
    parts = [(name or item_id, text) for name, text in item.parts]
    text, more = _fitting(parts, start)
    metadata = dict(item.metadata) | ({"continued_in": more} if more else {})
    url = item.url or OWN_LINK + item_id.replace(":", "/")
    return {"id": item_id, "title": item.title, "text": text, "url": url, "metadata": metadata}


def _read_item(context: ProgramContext, item_id: str) -> _Item | None:
    kind, _, rest = item_id.partition(":")
    if read := _READERS.get(kind):
        with suppress(ValueError):
            return _read_known(read, context, rest)
    return None


def _read_known(
    read: Callable[[ProgramContext, str], _Item | None], context: ProgramContext, rest: str
) -> _Item | None:
    try:
        return read(context, rest)
    except AppError as exc:
        if exc.key.endswith("_unknown"):
            return None
        raise


def _fitting(parts: Iterable[tuple[str, str]], start: int) -> tuple[str, str]:
    """Return as much text as one call returns, and the id of the rest, if there is any.

    `start`: the first character of the first part.
    """
    texts, room = list[str](), LONGEST_TEXT
    for item_id, part in parts:
        text = part[start:]
        if texts and len(text) > room:
            return "\n\n".join(texts), item_id
        if len(text) > room:
            return text[:room], f"{item_id}@{start + room}"
        texts.append(text)
        room, start = room - len(text) - 2, 0
    return "\n\n".join(texts), ""


def _read_session(context: ProgramContext, rest: str) -> _Item | None:
    session_id, _, number = rest.partition("#")
    session = context.services.archive.session(SessionId(session_id))
    if not context.wall.has(session.project) or session.status is not SessionStatus.COMPLETE:
        return None
    first = int(number or 1)
    url = f"{OWN_LINK}session/{session_id}"

    def lines() -> Iterator[tuple[str, str]]:
        for message in context.services.archive.messages(session.id):
            if message.number >= first:
                who = "User" if message.role is Role.USER else "Assistant"
                item_id = f"session:{session_id}#{message.number}"
                yield item_id, f"{who} ({utc_text(message.created_at)[:16]}): {message.content}"

    summary = [("", session.summary)] if session.summary and not number else []
    metadata = {
        "kind": "session",
        "date": utc_text(session.updated_at)[:10],
        "topics": ", ".join(session.topics),
    }
    return _Item(session.shown_title, chain(summary, lines()), url, metadata)


def _read_passage(context: ProgramContext, rest: str) -> _Item | None:
    archive = context.services.archive
    first = archive.passage(PassageId(rest))
    source = archive.source(first.source_id)
    if not context.wall.has(source.project) or source.session_id is not None:
        return None
    passages = archive.passages(source.id) if first.is_current else [first]
    parts = (
        (f"passage:{each.id}", f"[p. {each.page}] {each.text}" if each.page else each.text)
        for each in passages
        if each.number >= first.number
    )
    is_page = is_web_address(source.address)
    url = source.address if is_page else f"{OWN_LINK}source/{source.id}"
    metadata = {"kind": source.kind.value, "date": utc_text(source.read_at)[:10]}
    return _Item(source.title, parts, url, metadata)


def _read_fact(context: ProgramContext, rest: str) -> _Item | None:
    fact = context.services.archive.fact(FactId(rest))
    if not context.wall.has(fact.project) or not fact.is_valid:
        return None
    metadata = {"kind": "fact", "date": utc_text(fact.valid_from)[:10]}
    return _Item(fact.topic, [("", fact.content)], "", metadata)


def _read_note(context: ProgramContext, rest: str) -> _Item | None:
    archive = context.services.archive
    note = archive.note(NoteId(rest))
    owner = archive.source(note.source_id) if note.source_id else archive.session(note.session_id)
    if not context.wall.has(owner.project):
        return None
    text = "\n\n".join(filter(None, [note.quote and f"> {note.quote}", note.text]))
    metadata = {"kind": "note", "date": utc_text(note.changed_at)[:10]}
    return _Item(note.title, [("", text)], "", metadata)


def _read_diary(context: ProgramContext, rest: str) -> _Item | None:
    day = parse_day(rest)
    entry = context.services.archive.diary_entry(day, context.wall)
    if entry is None:
        return None
    text = as_markdown(entry, context.services.texts())
    return _Item(rest, [("", text)], "", {"kind": "diary", "date": rest})


_READERS = {
    "session": _read_session,
    "passage": _read_passage,
    "fact": _read_fact,
    "note": _read_note,
    "diary": _read_diary,
}


def _remember(context: ProgramContext, arguments: Mapping[str, str]) -> JsonValue:
    """Have the window ask the user; what is remembered is never decided here."""
    fact = " ".join(arguments["text"].split())[:LONGEST_FACT]
    _ask_window(context, fact=fact, program=context.program, project=context.wall.project)
    return {"asked": context.services.texts().say("mcp.asked")}


def _add(context: ProgramContext, arguments: Mapping[str, str]) -> JsonValue:
    """Have the window ask the user; nothing is stored or fetched here.

    A path is refused: Bellek can read files that the other program may not, and whatever it reads
    could be fetched from it.
    """
    text, address = arguments.get("text", ""), arguments.get("address", "").strip()
    if bool(text) == bool(address) or (address and not _is_page(address)):
        raise ProgramDocumentError
    first_line = next(iter(text.strip().splitlines()), "").lstrip("# ")
    title = " ".join(arguments.get("title", first_line).split())[:_LONGEST_TITLE]
    document = {"title": title, "text": text, "address": address}
    _ask_window(context, **document, program=context.program, project=context.wall.project)
    return {"asked": context.services.texts().say("mcp.asked_to_add")}


def _is_page(address: str) -> bool:
    """Whether a person sees at the address which host it leads to."""
    is_short = len(address) <= _LONGEST_ADDRESS and address.isascii() and address.isprintable()
    return is_short and is_web_address(address) and not {" ", "@", "\\"} & set(address)


def _open(context: ProgramContext, arguments: Mapping[str, str]) -> JsonValue:
    item_id = arguments["id"].strip()
    session_id = item_id.removeprefix("session:").partition("#")[0]
    if _read_known(_read_session, context, session_id) is None:
        raise ProgramItemUnknownError(item=item_id[:_LONGEST_TITLE])
    _ask_window(context, opens=session_id)
    return {"opened": item_id}


def _ask_window(context: ProgramContext, **fields: str) -> None:
    if not context.ask_window(**fields):
        raise ProgramsRefusedError(why=context.services.texts().say("mcp.no_window"))


def _cite(context: ProgramContext, arguments: Mapping[str, str]) -> JsonValue:
    """Format the reference of a document in a style of ours; a path is no style here."""
    item_id, style = arguments["id"].strip(), arguments["style"].strip().lower()
    rest = item_id.removeprefix("passage:")
    if _read_known(_read_passage, context, rest) is None:
        raise ProgramItemUnknownError(item=item_id[:_LONGEST_TITLE])
    names = [entry.name for entry in STYLES]
    if style not in names:
        raise StyleUnknownError(style=style[:_LONGEST_TITLE], names=", ".join(names))
    source_id = context.services.archive.passage(PassageId(rest)).source_id
    items = with_keys([context.services.archive.work(source_id).reference])
    (entry,) = format_list(items, style, context.services.language())
    return {"id": item_id, "style": style, "reference": entry.text}


TOOLS = (
    ProgramTool("search", ("query",), _search),
    ProgramTool("fetch", ("id",), _fetch),
    ProgramTool("cite", ("id", "style"), _cite, is_usual=False),
    ProgramTool("remember", ("text",), _remember, is_usual=False, only_reads=False),
    ProgramTool(
        "library_add",
        ("title", "text", "address"),
        _add,
        is_usual=False,
        only_reads=False,
        optional=("title", "text", "address"),
        longest=LONGEST_DOCUMENT,
    ),
    ProgramTool("open_in_bellek", ("id",), _open, is_usual=False),
)


def checked_arguments(tool: ProgramTool, arguments: Mapping[str, object]) -> dict[str, str] | None:
    """Return the arguments of a tool; None if they are not what it takes."""
    arguments = {
        name: value
        for name, value in arguments.items()
        if value not in ("", None) or name not in tool.optional
    }
    if not set(tool.parameters) - set(tool.optional) <= set(arguments) <= set(tool.parameters):
        return None
    texts = {name: fix_surrogates(str(value)) for name, value in arguments.items()}
    are_texts = all(isinstance(value, str) for value in arguments.values())
    are_short = all(0 < len(text.strip()) <= tool.longest for text in texts.values())
    return texts if are_texts and are_short else None
