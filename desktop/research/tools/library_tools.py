"""Tools that search the library and read its documents; passages are numbered for citing."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from desktop.domain.errors import StorageError
from desktop.domain.projects import EVERYTHING
from desktop.domain.sources import Source, SourcePassage
from desktop.language.dates.date_formatting import long_date
from desktop.language.normalization import folded_key
from desktop.recall.search import Search
from desktop.research.passages import Passage, fitting, format_passage, passage_of_source
from desktop.research.security.markup_escaping import escape_markup
from desktop.research.tiers.passage_store import LocalRetriever
from desktop.research.tools.registry import Parameter, Tool, ToolContext, ToolOutput
from desktop.settings.messages import Texts
from desktop.settings.settings import Settings
from desktop.settings.toml_fields import FieldInvalidError, Fields
from desktop.storage.archive import Archive

_LIMIT = range(1, 11)
_USUAL_LIMIT = 6
_FOUND_LENGTH = 1_200
_READ_AT_ONCE = 8_000
_MOST_LISTED = 40
_LONGEST_TITLE = 120
_PAGES = range(1, 100_001)


def library_tools(archive: Archive, search: Search) -> tuple[Tool, ...]:
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

    def has_sources(_: Settings) -> bool:
        try:
            return archive.sources.count(EVERYTHING) > 0
        except StorageError:
            return True  # the tool itself reports the error

    return (
        Tool(
            "library_search",
            (Parameter("words", is_required=True), Parameter("limit", within=_LIMIT)),
            find,
            has_sources,
        ),
        Tool(
            "library_read",
            (
                Parameter("title"),
                Parameter("page", within=_PAGES),
                Parameter("part", within=_PAGES),
            ),
            read,
            has_sources,
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
    """Return the passages from a page or part on; raises FieldInvalidError if there is none."""
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
