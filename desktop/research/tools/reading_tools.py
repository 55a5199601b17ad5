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
from desktop.domain.sources import Source, SourcePassage
from desktop.domain.web import WebHit
from desktop.language.dates.date_formatting import long_date
from desktop.language.normalization import folded_key
from desktop.research.library import as_address
from desktop.research.passages import Passage, fitting, format_passage, passage_of_source
from desktop.research.security.prompt_injection import escape_markup, is_suspicious
from desktop.research.tiers.passage_store import LocalRetriever, rank_passages
from desktop.research.tiers.web_retrieval import read_page
from desktop.research.tools.tool import Parameter, Tool, ToolContext, ToolOutput, ToolServices
from desktop.research.web.safe_urls import address_or_none, parse_address
from desktop.settings.messages import Texts
from desktop.settings.settings import Settings
from desktop.settings.toml_fields import FieldInvalidError, Fields
from desktop.storage.archive import Archive

MOST_SEARCHES = 3  # Per turn, like MOST_FETCHES
MOST_FETCHES = 5
_LIMIT = range(1, 11)
_USUAL_LIMIT = 6
_PARTS = range(1, 100_001)
_BEARING = 6
_SNIPPET_LENGTH = 400
_WRITTEN = re.compile(r"(?:https?://)?[^\s<>\"'()\[\]]+\.[^\s<>\"'()\[\]]+", re.IGNORECASE)


def web_search_tool(services: ToolServices) -> Sequence[Tool]:
    if (web := services.web) is None:
        return ()

    def search(given: Fields, context: ToolContext) -> ToolOutput:
        words, limit = given.text("words"), given.whole("limit", _LIMIT) or _USUAL_LIMIT
        if context.web_use.searches >= MOST_SEARCHES:
            return context.error("no_more_searches")
        context.web_use.searches += 1
        hits = web.for_session(context.wall.project, is_temporary=context.is_temporary).search(
            words, limit, session_id=context.stored_session_id, stop=context.stop
        )
        context.web_use.found |= set(_parse_addresses(one.address for one in hits))
        texts = context.texts
        found = [texts.say("tools.on_web"), *(_format_hit(one, texts) for one in hits)]
        return ToolOutput(
            "\n\n".join(found) if hits else texts.say("tools.nothing_on_web"),
            evidence=[f"{one.title}\n{one.snippet}" for one in hits],
            listed=[one.address for one in hits],
        )

    tool = Tool(
        "web_search",
        (Parameter("words", is_required=True), Parameter("limit", within=_LIMIT)),
        search,
        _uses_web,
        is_of_web=True,
    )
    return (tool,)


def web_fetch_tool(services: ToolServices) -> Sequence[Tool]:
    if (web := services.web) is None:
        return ()

    def fetch(given: Fields, context: ToolContext) -> ToolOutput:
        address, words = given.text("address"), given.text_or_none("words")
        part = given.whole("part", _PARTS) or 1
        if not _is_allowed(address, context, services.archive):
            return context.error("address_unknown")
        if context.web_use.fetches >= MOST_FETCHES:
            return context.error("no_more_pages")
        context.web_use.fetches += 1
        source, passages = read_page(
            web.for_session(context.wall.project, is_temporary=context.is_temporary),
            services.archive,
            as_address(address),
            context.stored_session_id,
            context.stop,
        )
        if words is None:
            return format_source(source, [one for one in passages if one.number >= part], context)
        best = rank_passages(passages, words, _BEARING, services.phrases().stop_words)
        found = [passage_of_source(source, one, words, len(one.text)) for one in best]
        return format_passages("tools.read", found, context)

    tool = Tool(
        "web_fetch",
        (
            Parameter("address", is_required=True),
            Parameter("words", is_free_text=False),
            Parameter("part", within=_PARTS),
        ),
        fetch,
        _uses_web,
        opens="address",
        is_of_web=True,
    )
    return (tool,)


def _uses_web(settings: Settings) -> bool:
    return settings.uses_web


def _is_allowed(address: str, context: ToolContext, archive: Archive) -> bool:
    """Whether an address may be read. Raises AddressRefusedError if it is not valid."""
    wanted = str(parse_address(as_address(address)))
    if wanted in context.web_use.found or wanted in _typed_addresses(context.messages):
        return True
    return archive.sources.of(context.wall.project).at_address(wanted) is not None


def _typed_addresses(messages: Sequence[Message]) -> set[str]:
    said = (one.content for one in messages if one.role is Role.USER)
    pieces = (match[0].rstrip(".,;:!?…") for text in said for match in _WRITTEN.finditer(text))
    return set(_parse_addresses(pieces))


def _parse_addresses(several: Iterable[str]) -> Iterator[str]:
    parsed = (address_or_none(as_address(one)) for one in several)
    return (str(one) for one in parsed if one is not None)


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
_PAGES = range(1, 100_001)


def library_tools(services: ToolServices) -> Sequence[Tool]:
    archive, search = services.archive, services.search

    def find(given: Fields, context: ToolContext) -> ToolOutput:
        lookup = LocalRetriever(search, archive, context.wall, with_sessions=False)
        limit = given.whole("limit", _LIMIT) or _USUAL_LIMIT
        found = lookup.passages(given.text("words"), limit, _FOUND_LENGTH)
        if not found:
            return ToolOutput(context.texts.say("tools.not_in_library"))
        return format_passages("tools.in_library", found, context)

    def read(given: Fields, context: ToolContext) -> ToolOutput:
        title = given.text_or_none("title")
        sources = archive.sources.sources(context.wall)
        wanted = sources if title is None else _find_by_title(sources, title)
        if len(wanted) != 1 or title is None:
            return _list_titles(wanted or sources, context.texts, is_found=bool(wanted))
        (source,) = wanted
        start = _passages_from(given, archive.sources.passages(source.id))
        return format_source(source, start, context)

    def has_sources(wall: Wall) -> bool:
        try:
            return archive.sources.count(wall) > 0
        except StorageError:
            return True  # the tool itself reports the error

    return (
        Tool(
            "library_search",
            (Parameter("words", is_required=True), Parameter("limit", within=_LIMIT)),
            find,
            is_useful=has_sources,
        ),
        Tool(
            "library_read",
            (
                Parameter("title"),
                Parameter("page", within=_PAGES),
                Parameter("part", within=_PAGES),
            ),
            read,
            is_useful=has_sources,
            opens="title",
            is_spared=True,
        ),
    )


def format_passages(lead: str, found: Iterable[Passage], context: ToolContext) -> ToolOutput:
    """Number the passages; return them after a lead and the rules for citing."""
    texts = context.texts
    passages = [replace(one, number=n) for n, one in enumerate(found, context.first_number)]
    lines = [f"{texts.say(lead)} {texts.say('beside.rules')}"]
    return ToolOutput(
        "\n\n".join([*lines, *(format_passage(one, texts) for one in passages)]), passages
    )


def format_part(
    passages: Iterable[Passage], numbers: Sequence[int], more: str, context: ToolContext
) -> ToolOutput:
    """Return as many passages as are read at once, and where the next part begins."""
    found = fitting(passages, _READ_AT_ONCE, lambda one: len(one.text), least=1)
    if not found:
        return ToolOutput(context.texts.say("tools.nothing_to_read"))
    part = format_passages("tools.read", found, context)
    if len(found) == len(numbers):
        return part
    rest = context.texts.say(more, part=numbers[len(found)], last=numbers[-1])
    return replace(part, text=f"{part.text}\n\n{rest}")


def format_source(
    source: Source, rest: Sequence[SourcePassage], context: ToolContext
) -> ToolOutput:
    passages = (passage_of_source(source, one, "", len(one.text)) for one in rest)
    return format_part(passages, [one.number for one in rest], "tools.read_on", context)


def _find_by_title(sources: Sequence[Source], title: str) -> list[Source]:
    wanted = folded_key(title)
    named = [one for one in sources if wanted in (folded_key(one.title), folded_key(one.address))]
    return named or [one for one in sources if wanted in folded_key(one.title)]


def _passages_from(given: Fields, passages: Sequence[SourcePassage]) -> list[SourcePassage]:
    """Return the passages from a page or part on; raises FieldInvalidError if there are none."""
    first = given.whole("part", _PAGES) or 1
    page = given.whole("page", _PAGES)
    if page is not None:
        on_page = [one.number for one in passages if one.page == page]
        if not on_page:
            raise FieldInvalidError("page")
        first = max(first, on_page[0])
    return [one for one in passages if one.number >= first]


def _list_titles(sources: Sequence[Source], texts: Texts, *, is_found: bool) -> ToolOutput:
    lines = [
        texts.say(
            "tools.library_source",
            title=" ".join(escape_markup(one.title[:_LONGEST_TITLE]).split()),
            date=long_date(one.read_at, texts.language),
            parts=one.passages,
        )
        for one in sources[:_MOST_LISTED]
    ]
    lead = texts.say("tools.library_list" if is_found else "tools.no_such_title")
    if len(sources) > _MOST_LISTED:
        lines.append(texts.say("tools.library_more"))
    return ToolOutput(
        "\n".join([lead, *lines]),
        is_error=not is_found,
        listed=[one.title for one in sources[:_MOST_LISTED]],
    )
