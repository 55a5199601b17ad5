"""Tools that search the web and read pages over this computer's connection.

An address is read only if a search of the turn found it, the user wrote it, or the library has
it: otherwise a page could make the model send private data in an address.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from desktop.domain.messages import Message, Role
from desktop.domain.web import WebHit
from desktop.language.intents.phrases import PhraseLists
from desktop.research.library import as_address
from desktop.research.passages import passage_of_source
from desktop.research.security.injection_detector import is_suspicious
from desktop.research.security.markup_escaping import escape_markup
from desktop.research.tiers.passage_store import rank_passages
from desktop.research.tiers.web_retrieval import read_page
from desktop.research.tools.library_tools import format_passages, format_source
from desktop.research.tools.registry import Parameter, Tool, ToolContext, ToolOutput
from desktop.research.web.safe_urls import address_or_none, parse_address
from desktop.settings.messages import Texts
from desktop.settings.settings import Settings
from desktop.settings.toml_fields import Fields
from desktop.storage.archive import Archive

if TYPE_CHECKING:
    from desktop.research.web.web import Web

MOST_SEARCHES = 3
"""Per turn, like MOST_FETCHES."""
MOST_FETCHES = 5
_LIMIT = range(1, 11)
_USUAL_LIMIT = 6
_PARTS = range(1, 100_001)
_BEARING = 6
_SNIPPET_LENGTH = 400
_WRITTEN = re.compile(r"(?:https?://)?[^\s<>\"'()\[\]]+\.[^\s<>\"'()\[\]]+", re.IGNORECASE)


def web_tools(
    web: "Web", archive: Archive, phrases: Callable[[], PhraseLists]
) -> tuple[Tool, ...]:
    def search(given: Fields, context: ToolContext) -> ToolOutput:
        words, limit = given.text("words"), given.whole("limit", _LIMIT) or _USUAL_LIMIT
        if context.web_use.searches >= MOST_SEARCHES:
            return context.error("no_more_searches")
        context.web_use.searches += 1
        hits = web.for_session(context.wall.project, is_temporary=context.is_temporary).search(
            words, limit, session_id=context.stored_session_id, stop=context.stop
        )
        context.web_use.found |= set(_parse_addresses(one.address for one in hits))
        return ToolOutput(
            _format_hits(hits, context.texts),
            evidence=[f"{one.title}\n{one.snippet}" for one in hits],
            listed=[one.address for one in hits],
        )

    def fetch(given: Fields, context: ToolContext) -> ToolOutput:
        address, words = given.text("address"), given.text_or_none("words")
        part = given.whole("part", _PARTS) or 1
        if not _is_allowed(address, context, archive):
            return context.error("address_unknown")
        if context.web_use.fetches >= MOST_FETCHES:
            return context.error("no_more_pages")
        context.web_use.fetches += 1
        source, passages = read_page(
            web.for_session(context.wall.project, is_temporary=context.is_temporary),
            archive,
            as_address(address),
            context.stored_session_id,
            context.stop,
        )
        if words is None:
            rest = [one for one in passages if one.number >= part]
            return format_source(source, rest, context)
        best = rank_passages(passages, words, _BEARING, phrases().stop_words)
        found = [passage_of_source(source, one, words, len(one.text)) for one in best]
        return format_passages("tools.read", found, context)

    def is_on(settings: Settings) -> bool:
        return settings.uses_web

    return (
        Tool(
            "web_search",
            (Parameter("words", is_required=True), Parameter("limit", within=_LIMIT)),
            search,
            is_on,
            is_of_web=True,
        ),
        Tool(
            "web_fetch",
            (
                Parameter("address", is_required=True),
                Parameter("words", is_free_text=False),
                Parameter("part", within=_PARTS),
            ),
            fetch,
            is_on,
            opens="address",
            is_of_web=True,
        ),
    )


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


def _format_hits(hits: Sequence[WebHit], texts: Texts) -> str:
    if not hits:
        return texts.say("tools.nothing_on_web")
    return "\n\n".join([texts.say("tools.on_web"), *(_format_hit(one, texts) for one in hits)])


def _format_hit(hit: WebHit, texts: Texts) -> str:
    title, snippet = _one_line(hit.title), _one_line(hit.snippet)[:_SNIPPET_LENGTH]
    orders = is_suspicious(f"{hit.title}\n{hit.snippet}")
    warning = f" ({texts.say('research.warning')})" if orders else ""
    return f"- {title}{warning}\n  {_one_line(hit.address)}\n  {snippet}"


def _one_line(text: str) -> str:
    return " ".join(escape_markup(text).split())
