"""Tools that search and read the web and the library; passages are numbered for citing.

An address is read only if a search of the turn found it, the user wrote it, or the library has
it: otherwise a page could make the model send private data in an address.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from desktop.domain.errors import StorageError
from desktop.domain.messages import Message, Role
from desktop.domain.projects import Wall
from desktop.domain.references import WorkMark
from desktop.domain.search import Hit, HitKind, Query, Scope
from desktop.domain.sources import Source, SourcePassage
from desktop.domain.times import long_date
from desktop.domain.web import WebHit
from desktop.language.normalization import folded_key
from desktop.research.library import as_address
from desktop.research.passages import (
    Passage,
    fitting,
    format_attached,
    number_passages,
    passage_of_source,
)
from desktop.research.security import escape_markup, is_suspicious
from desktop.research.tiers.passage_store import (
    LocalRetriever,
    marks_of,
    rank_passages,
    source_passage,
)
from desktop.research.tiers.web_retrieval import read_page
from desktop.research.tools.tool import (
    WORDS,
    Parameter,
    Tool,
    ToolContext,
    ToolOutput,
    ToolServices,
)
from desktop.research.web.safe_urls import address_or_none, parse_address
from desktop.settings.messages import Texts
from desktop.settings.toml_fields import FieldInvalidError, Fields
from desktop.storage.archive import Archive

MOST_SEARCHES = 3  # Per turn, like MOST_FETCHES
MOST_FETCHES = 5
_LIMIT = range(1, 11)
_USUAL_LIMIT = 6
_PARTS = range(1, 100_001)  # Or pages
_MOST, _PART = Parameter("limit", within=_LIMIT), Parameter("part", within=_PARTS)
_BEARING = 6
_USES_WEB = ("uses_web",)
_SNIPPET_LENGTH = 400
_WRITTEN = re.compile(r"(?:https?://)?[^\s<>\"'()\[\]]+\.[^\s<>\"'()\[\]]+", re.IGNORECASE)


def web_search_tool(services: ToolServices) -> Sequence[Tool]:
    if (web := services.web) is None:
        return ()

    def search(fields: Fields, context: ToolContext) -> ToolOutput:
        words, limit = fields.text("words"), fields.whole("limit", _LIMIT) or _USUAL_LIMIT
        if context.web_use.searches >= MOST_SEARCHES:
            return context.error("no_more_searches")
        context.web_use.searches += 1
        hits = web.for_session(context.wall, is_temporary=context.is_temporary).search(
            words, limit, session_id=context.stored_session_id, stop=context.stop
        )
        addresses, texts = [hit.address for hit in hits], context.texts
        context.web_use.addresses |= set(_parse_addresses(addresses))
        blocks = [texts.say("tools.on_web"), *(_format_hit(hit, texts) for hit in hits)]
        return ToolOutput(
            "\n\n".join(blocks) if hits else texts.say("tools.nothing_on_web"),
            evidence=[f"{hit.title}\n{hit.snippet}" for hit in hits],
            listed=addresses,
        )

    return (Tool("web_search", (WORDS, _MOST), search, _USES_WEB, is_of_web=True),)


def web_fetch_tool(services: ToolServices) -> Sequence[Tool]:
    if (web := services.web) is None:
        return ()

    def fetch(fields: Fields, context: ToolContext) -> ToolOutput:
        address, words = fields.text("address"), fields.text_or_none("words")
        part = fields.whole("part", _PARTS) or 1
        if not _is_allowed(address, context, services.archive):
            return context.error("address_unknown")
        if context.web_use.fetches >= MOST_FETCHES:
            return context.error("no_more_pages")
        context.web_use.fetches += 1
        source, passages = read_page(
            web.for_session(context.wall, is_temporary=context.is_temporary),
            services.archive,
            as_address(address),
            context.stored_session_id,
            context.stop,
        )
        if words is None:
            return format_source(source, [p for p in passages if p.number >= part], context)
        best = rank_passages(passages, words, _BEARING, services.phrases().stop_words)
        excerpts = (passage_of_source(source, each, words, len(each.text)) for each in best)
        return format_passages("tools.read", excerpts, context)

    address, words = Parameter("address", is_required=True), Parameter("words", is_free_text=False)
    parameters = (address, words, _PART)
    return (Tool("web_fetch", parameters, fetch, _USES_WEB, opens="address", is_of_web=True),)


def _is_allowed(address: str, context: ToolContext, archive: Archive) -> bool:
    """Whether an address may be read. Raises AddressRefusedError if it is not valid."""
    target = str(parse_address(as_address(address)))
    if target in context.web_use.addresses or target in _typed_addresses(context.messages):
        return True
    return archive.sources.of(context.wall.project).at_address(target) is not None


def _typed_addresses(messages: Sequence[Message]) -> set[str]:
    texts = (message.content for message in messages if message.role is Role.USER)
    pieces = (match[0].rstrip(".,;:!?…") for text in texts for match in _WRITTEN.finditer(text))
    return set(_parse_addresses(pieces))


def _parse_addresses(several: Iterable[str]) -> Iterator[str]:
    parsed = (address_or_none(as_address(address)) for address in several)
    return (str(address) for address in parsed if address is not None)


def _format_hit(hit: WebHit, texts: Texts) -> str:
    title, snippet = _one_line(hit.title), _one_line(hit.snippet)[:_SNIPPET_LENGTH]
    orders = is_suspicious(f"{hit.title}\n{hit.snippet}")
    warning = f" ({texts.say('research.warning')})" if orders else ""
    return f"- {title}{warning}\n  {_one_line(hit.address)}\n  {snippet}"


def _one_line(text: str) -> str:
    return " ".join(escape_markup(text).split())


_FOUND_LENGTH = 1_200
_READ_AT_ONCE = 8_000
_MOST_LISTED = 40
_LONGEST_TITLE = 120
_NOTES, _MOST_NOTES = frozenset({HitKind.NOTE}), 5


def library_tools(services: ToolServices) -> Sequence[Tool]:
    archive, search = services.archive, services.search

    def find(fields: Fields, context: ToolContext) -> ToolOutput:
        lookup = LocalRetriever(search, archive, context.wall, with_sessions=False)
        limit = fields.whole("limit", _LIMIT) or _USUAL_LIMIT
        words = fields.text("words")
        scope = Scope(context.wall)
        notes = search.find(Query(words, _NOTES, limit=_MOST_NOTES, scope=scope))
        noted = [
            passage
            for note in notes
            if note.passage_id is not None
            and (passage := source_passage(archive, note.passage_id, words, _FOUND_LENGTH))
        ]
        passages = lookup.passages(words, limit, _FOUND_LENGTH)
        places = {passage.cited_at for passage in noted}
        passages = [*noted, *(each for each in passages if each.cited_at not in places)][:limit]
        if not passages and not notes:
            return ToolOutput(context.texts.say("tools.not_in_library"))
        return _with_notes(format_passages("tools.in_library", passages, context), notes, context)

    def read(fields: Fields, context: ToolContext) -> ToolOutput:
        title = fields.text_or_none("title")
        sources = archive.sources.sources(context.wall)
        matches = sources if title is None else _find_by_title(sources, title)
        if len(matches) != 1 or title is None:
            return _list_titles(matches or sources, context.texts, is_found=bool(matches))
        (source,) = matches
        start = _passages_from(fields, archive.sources.passages(source.id))
        return format_source(source, start, context, marks_of(archive, source.id))

    def has_sources(wall: Wall) -> bool:
        try:
            return archive.sources.count(wall) > 0
        except StorageError:
            return True  # the tool itself reports the error

    place = (Parameter("title"), Parameter("page", within=_PARTS), _PART)
    return (
        Tool("library_search", (WORDS, _MOST), find, is_useful=has_sources),
        Tool("library_read", place, read, is_useful=has_sources, opens="title", is_spared=True),
    )


def _with_notes(output: ToolOutput, notes: Sequence[Hit], context: ToolContext) -> ToolOutput:
    """Return passages with what the user highlighted or wrote about the words."""
    if not notes:
        return output
    lines = [f"- {_one_line(note.title)}: {_one_line(note.snippet)}" for note in notes]
    text = "\n".join([context.texts.say("tools.found_notes"), *lines])
    # A note can be the annotation of a file, which anybody may have made.
    evidence = [f"{note.title}\n{note.snippet}" for note in notes]
    above = [output.text] if output.passages else []
    return replace(output, text="\n\n".join([*above, text]), evidence=evidence)


def format_passages(lead: str, results: Iterable[Passage], context: ToolContext) -> ToolOutput:
    """Number the passages; return them after a lead and the rules for citing."""
    passages = number_passages(list(results), context.first_number)
    return ToolOutput(format_attached(lead, passages, context.texts), passages)


def format_part(
    passages: Iterable[Passage], numbers: Sequence[int], more: str, context: ToolContext
) -> ToolOutput:
    """Return as many passages as are read at once, and where the next part begins."""
    selection = fitting(passages, _READ_AT_ONCE, lambda passage: len(passage.text), least=1)
    if not selection:
        return ToolOutput(context.texts.say("tools.nothing_to_read"))
    part = format_passages("tools.read", selection, context)
    if len(selection) == len(numbers):
        return part
    rest = context.texts.say(more, part=numbers[len(selection)], last=numbers[-1])
    return replace(part, text=f"{part.text}\n\n{rest}")


def format_source(
    source: Source,
    rest: Sequence[SourcePassage],
    context: ToolContext,
    marks: Sequence[WorkMark] = (),
) -> ToolOutput:
    passages = (
        passage_of_source(source, passage, "", len(passage.text), marks) for passage in rest
    )
    return format_part(passages, [passage.number for passage in rest], "tools.read_on", context)


def _find_by_title(sources: Sequence[Source], title: str) -> list[Source]:
    key = folded_key(title)
    named = [s for s in sources if key in (folded_key(s.title), folded_key(s.address))]
    return named or [source for source in sources if key in folded_key(source.title)]


def _passages_from(fields: Fields, passages: Sequence[SourcePassage]) -> list[SourcePassage]:
    """Return the passages from a page or part on; raises FieldInvalidError if there are none."""
    first = fields.whole("part", _PARTS) or 1
    page = fields.whole("page", _PARTS)
    if page is not None:
        on_page = [passage.number for passage in passages if passage.page == page]
        if not on_page:
            raise FieldInvalidError("page")
        first = max(first, on_page[0])
    return [passage for passage in passages if passage.number >= first]


def _list_titles(sources: Sequence[Source], texts: Texts, *, is_found: bool) -> ToolOutput:
    lines = [texts.say("tools.library_list" if is_found else "tools.no_such_title")]
    for source in sources[:_MOST_LISTED]:
        title = _one_line(source.title[:_LONGEST_TITLE])
        date = long_date(source.read_at, texts.language)
        lines.append(
            texts.say("tools.library_source", title=title, date=date, parts=source.passages)
        )
    if len(sources) > _MOST_LISTED:
        lines.append(texts.say("tools.library_more"))
    titles = [source.title for source in sources[:_MOST_LISTED]]
    return ToolOutput("\n".join(lines), is_error=not is_found, listed=titles)
