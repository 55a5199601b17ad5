"""Results of every kind in one shape: cut, without repetitions, in one order."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop.domain.search import Hit
from desktop.language.normalization import folded_key

LONGEST_SNIPPET = 400
_BEGINNING = 80
_FIRST_RANKS = 60
"""As in reciprocal rank fusion: how little the very first places differ."""


@dataclass(frozen=True, slots=True)
class Found:
    """One list of hits, the best first, and how much it says beside the others."""

    hits: Sequence[Hit]
    weight: float = 1.0


def merge(lists: Sequence[Found], limit: int) -> list[Hit]:
    """All lists in one order. What stands in several is one hit, and ranks the higher for it.

    Scores of different lists do not compare, places do. Two hits are one where kind and id are
    the same, or where a kind says twice the same: imported archives hold copies.
    """
    kept: dict[tuple[str, str], Hit] = {}
    same: dict[tuple[str, str], tuple[str, str]] = {}
    scores: dict[tuple[str, str], float] = {}
    for found in lists:
        met: set[tuple[str, str]] = set()
        for place, hit in enumerate(found.hits, start=1):
            key = _first_met(hit, same)
            if key in met:
                continue
            met.add(key)
            known = kept.get(key)
            tags = tuple(dict.fromkeys([*(known.tags if known else ()), *hit.tags]))
            kept[key] = replace(known or shaped(hit), tags=tags)
            scores[key] = scores.get(key, 0.0) + found.weight / (_FIRST_RANKS + place)
    ranked = sorted(kept, key=lambda key: -scores[key])
    return [replace(kept[key], score=scores[key]) for key in ranked[:limit]]


def shaped(hit: Hit) -> Hit:
    """With a snippet of at most 400 characters, and the marks that are left in it."""
    if len(hit.snippet) <= LONGEST_SNIPPET:
        return hit
    end = hit.snippet.rfind(" ", 0, LONGEST_SNIPPET - 1)
    cut = hit.snippet[: end if end > 0 else LONGEST_SNIPPET - 2]
    marks = tuple((start, stop) for start, stop in hit.marks if stop <= len(cut))
    return replace(hit, snippet=f"{cut} …", marks=marks)


def _first_met(hit: Hit, same: dict[tuple[str, str], tuple[str, str]]) -> tuple[str, str]:
    """The key of the hit that this one repeats, or its own."""
    own = (hit.kind.value, str(hit.fact_id or hit.passage_id or hit.message_id or hit.session_id))
    beginning = folded_key(" ".join(hit.snippet.split()))[:_BEGINNING]
    says = (hit.kind.value, f"says {beginning}")
    key = same.get(own) or (same.get(says) if beginning else None) or own
    same.setdefault(own, key)
    if beginning:
        same.setdefault(says, key)
    return key
