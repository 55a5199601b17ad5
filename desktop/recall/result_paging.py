"""A list of hits that is read to its end: the ranked ones, then whatever else has the words."""

from dataclasses import replace

from desktop.domain.search import Hit, Query, SearchOrder
from desktop.recall.search import Search

_SURELY_RANKED = 60
"""Ranking looks at so many at least; further down, the newest come first."""


def find_all(search: Search, query: Query) -> list[Hit]:
    """As many as the query's limit allows; raises StorageError."""
    hits = search.find(query)
    is_ranked = query.order is SearchOrder.RANKED and bool(query.text)
    if not is_ranked or len(hits) >= query.limit or query.limit <= _SURELY_RANKED + 1:
        return hits
    met = {_place(hit) for hit in hits}
    newest = search.find(replace(query, order=SearchOrder.NEWEST))
    return [*hits, *(hit for hit in newest if _place(hit) not in met)][: query.limit]


def _place(hit: Hit) -> tuple[str, int | None, str | None]:
    return (hit.session_id, hit.message_id, hit.passage_id)
