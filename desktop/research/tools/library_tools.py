"""Tools over the library: its passages, numbered so that the answer can cite them.

What a document says is data: it is told between marks that nothing in it can close, and what gives
orders in it is marked.
"""

from collections.abc import Sequence
from dataclasses import replace

from desktop.domain.errors import StorageError
from desktop.domain.sources import Source, SourcePassage
from desktop.language.dates.date_formatting import long_date
from desktop.language.normalization import folded_key
from desktop.recall.search import Search
from desktop.research.passages import Passage, passage_block
from desktop.research.security.markup_escaping import escape_markup
from desktop.research.tiers.passage_store import Lookup, Shelf
from desktop.research.tools.tool import Calling, Parameter, Told, Tool
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
    shelf = Shelf(archive)
    lookup = Lookup(search, shelf, with_sessions=False)

    def find(given: Fields, calling: Calling) -> Told:
        limit = given.whole("limit", _LIMIT) or _USUAL_LIMIT
        found = lookup.passages(given.text("words"), limit, _FOUND_LENGTH)
        if not found:
            return Told(calling.texts.say("tools.not_in_library"))
        return told_passages("tools.in_library", found, calling)

    def read(given: Fields, calling: Calling) -> Told:
        title = given.text_or_none("title")
        sources = archive.sources.sources()
        wanted = sources if title is None else _titled(sources, title)
        if len(wanted) != 1 or title is None:
            return _listed(wanted or sources, calling.texts, is_found=bool(wanted))
        (source,) = wanted
        start = _start(given, archive.sources.passages(source.id))
        return told_part(source, start, shelf, calling)

    def has_sources(_: Settings) -> bool:
        try:
            return archive.sources.count() > 0
        except StorageError:
            return True  # the tool itself says what is wrong

    return (
        Tool(
            "library_search",
            (
                Parameter("words", is_required=True),
                Parameter("limit", "integer", within=_LIMIT),
            ),
            find,
            has_sources,
        ),
        Tool(
            "library_read",
            (
                Parameter("title"),
                Parameter("page", "integer", within=_PAGES),
                Parameter("part", "integer", within=_PAGES),
            ),
            read,
            has_sources,
            opens="title",
            is_spared=True,
        ),
    )


def told_passages(lead: str, found: Sequence[Passage], calling: Calling) -> Told:
    """The passages with their numbers, under a lead and the rules for citing them."""
    texts = calling.texts
    passages = [replace(one, number=n) for n, one in enumerate(found, calling.first_number)]
    lines = [f"{texts.say(lead)} {texts.say('beside.rules')}"]
    return Told("\n\n".join([*lines, *(passage_block(one, texts) for one in passages)]), passages)


def told_part(
    source: Source, rest: Sequence[SourcePassage], shelf: Shelf, calling: Calling
) -> Told:
    """As many of the passages as are read at once, and where it goes on."""
    some = _within(rest)
    found = [shelf.passage(source, one, "", len(one.text)) for one in some]
    if not found:
        return Told(calling.texts.say("tools.nothing_to_read"))
    told = told_passages("tools.read", found, calling)
    if len(some) == len(rest):
        return told
    more = calling.texts.say("tools.read_on", part=some[-1].number + 1, last=rest[-1].number)
    return replace(told, text=f"{told.text}\n\n{more}")


def _within(passages: Sequence[SourcePassage]) -> Sequence[SourcePassage]:
    """The first of them, at least one."""
    room = _READ_AT_ONCE
    for place, one in enumerate(passages):
        room -= len(one.text)
        if room < 0 and place:
            return passages[:place]
    return passages


def _titled(sources: Sequence[Source], title: str) -> list[Source]:
    """Of that title or address; else those that have it in their title."""
    wanted = folded_key(title)
    named = [one for one in sources if wanted in (folded_key(one.title), folded_key(one.address))]
    return named or [one for one in sources if wanted in folded_key(one.title)]


def _start(given: Fields, passages: Sequence[SourcePassage]) -> list[SourcePassage]:
    """From the page or the part that was asked for; of one that is not there nothing is told."""
    first = given.whole("part", _PAGES) or 1
    page = given.whole("page", _PAGES)
    if page is not None:
        on_page = [one.number for one in passages if one.page == page]
        if not on_page:
            raise FieldInvalidError("page")
        first = max(first, on_page[0])
    return [one for one in passages if one.number >= first]


def _listed(sources: Sequence[Source], texts: Texts, *, is_found: bool) -> Told:
    """Titles to choose from: they are others' words, too."""
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
    more = [texts.say("tools.library_more")] if len(sources) > _MOST_LISTED else []
    return Told(
        "\n".join([lead, *lines, *more]),
        is_error=not is_found,
        listed=[one.title for one in sources[:_MOST_LISTED]],
    )
