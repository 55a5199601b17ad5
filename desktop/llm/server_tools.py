"""The endpoint's own web tools: how they are requested, and which pages they find."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from desktop.domain.json_values import JsonValue
from desktop.domain.model import (
    WEB_FETCH,
    WEB_SEARCH,
    FoundPage,
    RequestMessage,
    Sealed,
    ServerWeb,
    WebCall,
)
from desktop.llm.wire import BlockKind, BlockOpened, CitationCame, CitationKind

if TYPE_CHECKING:
    from anthropic.types import WebFetchTool20260318Param, WebSearchTool20260318Param

SEARCH_USD = 0.01
UNAVAILABLE = "unavailable"
"""Error code of an endpoint that has such tools but does not allow them."""
_NAMES = frozenset({WEB_SEARCH, WEB_FETCH})
_LONGEST_ABOUT = 300
_ELLIPSIS = 3


def web_params(web: ServerWeb) -> "list[WebSearchTool20260318Param | WebFetchTool20260318Param]":
    """They come last, so turning the web on keeps the start of the tool list unchanged."""
    params: list[WebSearchTool20260318Param | WebFetchTool20260318Param] = []
    if web.searches:
        search: WebSearchTool20260318Param = {
            "type": "web_search_20260318",
            "name": "web_search",
            "max_uses": web.searches,
            "allowed_callers": ["direct"],
        }
        params.append(search)
    if web.fetches:
        fetch: WebFetchTool20260318Param = {
            "type": "web_fetch_20260318",
            "name": "web_fetch",
            "max_uses": web.fetches,
            "max_content_tokens": web.page_tokens,
            "citations": {"enabled": True},
            "allowed_callers": ["direct"],
        }
        params.append(fetch)
    for tool in params:
        if web.only:
            tool["allowed_domains"] = list(web.only)
        elif web.never:
            tool["blocked_domains"] = list(web.never)
    return params


def cited_words(citation: CitationCame) -> str:
    """The cited text of a search result may be cut off in mid-word."""
    words = citation.cited_text.rstrip()
    cut = words.rstrip(".…")
    is_cut = words.endswith("…") or len(words) - len(cut) >= _ELLIPSIS
    if citation.kind is not CitationKind.WEB_SEARCH or not is_cut:
        return citation.cited_text
    return cut.rpartition(" ")[0] or cut


@dataclass(slots=True)
class FoundPages:
    """Collects pages from the blocks and citations of an answer."""

    first_number: int
    _calls: dict[str, WebCall] = field(default_factory=dict)
    _pages: dict[str, FoundPage] = field(default_factory=dict)
    _fetched: list[str] = field(default_factory=list)  # Addresses in citation order
    _before: dict[str, int] = field(default_factory=dict)
    """Pages of earlier rounds, and how many quotations each had."""

    def go_on_from(self, rounds: Sequence[RequestMessage]) -> None:
        """Continue the numbers of pages found earlier in this turn, so that they can be cited."""
        for message in rounds:
            for block in message.blocks:
                if isinstance(block, Sealed):
                    self._read(block.content)
        self._before = {address: len(page.cited) for address, page in self._pages.items()}

    def take(self, block: BlockOpened) -> None:
        match block.kind:
            case BlockKind.SERVER_CALL:
                if block.name in _NAMES:
                    self._calls[block.id] = WebCall(block.id, block.name)
                    self.give(block.id, _plain(block.content.get("input")))
            case BlockKind.SEARCH_RESULT | BlockKind.FETCH_RESULT:
                self._read(block.content)
            case _:
                pass

    def give(self, call_id: str, arguments: Mapping[str, object] | None) -> None:
        about = (arguments or {}).get("query") or (arguments or {}).get("url")
        if isinstance(about, str) and call_id in self._calls:
            about = " ".join(about.split())[:_LONGEST_ABOUT]
            self._calls[call_id] = replace(self._calls[call_id], about=about)

    def refuse(self) -> None:
        self._calls[UNAVAILABLE] = WebCall(UNAVAILABLE, WEB_SEARCH, failure=UNAVAILABLE)

    @property
    def calls(self) -> tuple[WebCall, ...]:
        return tuple(self._calls.values())

    def cited(self, citation: CitationCame) -> int | None:
        """Return the number of the cited page; None for an unknown page."""
        match citation.kind:
            case CitationKind.PASSAGE:
                return None
            case CitationKind.WEB_SEARCH:
                page = self._page(citation.url, citation.title)
            case _:
                if citation.place >= len(self._fetched):
                    return None
                page = self._pages[self._fetched[citation.place]]
        if (words := cited_words(citation)) not in page.cited:
            self._pages[page.address] = replace(page, cited=(*page.cited, words))
        return page.number

    def seen(self) -> tuple[FoundPage, ...]:
        """Return pages with text; the others cannot be cited."""
        return tuple(
            replace(
                page,
                title=page.title or page.address,
                text=page.text if page.is_whole else "\n\n".join(page.cited),
            )
            for page in self._pages.values()
            if self._is_told(page)
        )

    def _is_told(self, page: FoundPage) -> bool:
        """Whether the page is reported: an earlier one only with new citations."""
        if page.address in self._before:
            return len(page.cited) > self._before[page.address]
        return page.is_whole or bool(page.cited)

    def _read(self, block: Mapping[str, JsonValue]) -> None:
        """Read the result of a call, as it arrives and as it is sent back in later rounds."""
        match block:
            case {"tool_use_id": str(call_id), "content": {"error_code": str(code)}}:
                self._end(call_id, failure=code)
            case {"tool_use_id": str(call_id), "content": [*several]}:
                self._end(call_id)
                for value in several:
                    self._read_page(value)
            case {"tool_use_id": str(call_id), "content": {"url": str(url), "content": page}}:
                self._end(call_id)
                self._fetched.append(url)
                self._read_page({**_plain(page), "url": url})
            case _:
                pass

    def _read_page(self, value: JsonValue) -> None:
        fields = _plain(value)
        if isinstance(url := fields.get("url"), str):
            page = self._page(url, str(fields.get("title") or ""))
            source = _plain(fields.get("source"))
            if source.get("type") == "text":
                self._pages[url] = replace(page, text=str(source.get("data")), is_whole=True)

    def _end(self, call_id: str, *, failure: str = "") -> None:
        if call := self._calls.get(call_id):
            self._calls[call_id] = replace(call, has_come=not failure, failure=failure)

    def _page(self, address: str, title: str) -> FoundPage:
        number = self.first_number + len(self._pages)
        page = self._pages.get(address, FoundPage(number, title, address, "", is_whole=False))
        self._pages[address] = replace(page, title=page.title or title)
        return self._pages[address]


def sealed(
    block: BlockOpened, arguments: Mapping[str, JsonValue] | None
) -> Iterator[Mapping[str, JsonValue]]:
    """A server tool call with its input, or its result; None for other blocks."""
    match block.kind:
        case BlockKind.SERVER_CALL:
            yield {**block.content, "input": arguments or _plain(block.content.get("input"))}
        case BlockKind.SEARCH_RESULT | BlockKind.FETCH_RESULT:
            yield block.content
        case _:
            pass


def sealed_text(text: str, citations: Sequence[CitationCame]) -> Mapping[str, JsonValue]:
    """Text with its citations, which the endpoint expects back unchanged."""
    cited = [citation.content for citation in citations]
    return {"type": "text", "text": text, "citations": cited}


def _plain(value: JsonValue) -> Mapping[str, JsonValue]:
    return value if isinstance(value, Mapping) else {}
