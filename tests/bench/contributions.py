"""Measures what each part of the ranking contributes: each is left out in turn, on labelled data.

    python -m tests.bench.contributions DATA.json [--groups N]

DATA holds groups of sessions in the exchange format and queries with the refs of their answers.
Each group is imported and embedded once; then every query is asked again with one part changed.
Prints a line of JSON for each part: the share of answers among the first 1, 5, 10 and 20.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Any

from desktop.domain.language import Language
from desktop.domain.search import EVERYWHERE, HitKind, Query, SearchMode
from desktop.recall import bm25, fts_query, ranking, search
from desktop.recall.embedders import best_embedder
from desktop.recall.search import Search
from desktop.recall.semantic_index import SemanticIndex
from desktop.sessions.conversation.assistant_context import shipped_phrases
from desktop.sessions.importing.importer import Importer
from desktop.storage.archive import Archive, open_archive

CUTS = (5, 10, 20)
Group = dict[str, Any]
"""As the file has it."""
Order = list[str]
"""Refs of messages, the best first."""


@contextmanager
def changed(*changes: tuple[object, str, object]) -> Iterator[None]:
    before = [(owner, name, getattr(owner, name)) for owner, name, _ in changes]
    for owner, name, value in changes:
        setattr(owner, name, value)
    bm25.beginnings.cache_clear()
    bm25._pattern.cache_clear()
    try:
        yield
    finally:
        for owner, name, value in before:
            setattr(owner, name, value)
        bm25.beginnings.cache_clear()
        bm25._pattern.cache_clear()


PARTS: Mapping[str, tuple[SearchMode, Callable[[], AbstractContextManager[None]]]] = {
    "everything": (SearchMode.HYBRID, changed),
    "without meaning": (SearchMode.KEYWORD, changed),
    "without words": (SearchMode.SEMANTIC, changed),
    "without the weight of neighbours": (
        SearchMode.HYBRID,
        lambda: changed((bm25, "_NEIGHBOUR", 0.0), (ranking, "_NEIGHBOUR", (0.0, 0.0))),
    ),
    "without cutting words at six letters": (
        SearchMode.HYBRID,
        lambda: changed((bm25, "STEM", 99)),
    ),
    "without the bound for having a word at all": (
        SearchMode.HYBRID,
        lambda: changed((bm25, "_BOUND", 0.0)),
    ),
    "without what a rare form tells": (SearchMode.HYBRID, lambda: changed((bm25, "_FORM", 0.0))),
    "without dropping question words": (
        SearchMode.HYBRID,
        lambda: changed((search, "QUESTION_WORDS", frozenset()), (fts_query, "_MOST_KEYWORDS", 0)),
    ),
    "without telling answers from questions": (
        SearchMode.HYBRID,
        lambda: changed((search, "lift_answers", lambda ranked, _question: ranked)),
    ),
    "words, without the weight of neighbours": (
        SearchMode.KEYWORD,
        lambda: changed((bm25, "_NEIGHBOUR", 0.0)),
    ),
}


def main() -> None:
    shares: defaultdict[str, list[list[float]]] = defaultdict(list)
    for group in groups_asked_for(__doc__):
        with searchable(group) as (archive, meanings):
            for part, (mode, change) in PARTS.items():
                with change():
                    orders = found_in(Search(archive.index, meanings), group, mode)
                shares[part] += shares_of(orders, group)
    for part, found in shares.items():
        means = [round(mean(column), 4) for column in zip(*found, strict=True)]
        figures = {f"@{cut}": share for cut, share in zip((1, *CUTS), means, strict=True)}
        sys.stdout.write(json.dumps({"part": part, **figures}) + "\n")


def groups_asked_for(described: str | None) -> list[Group]:
    parser = argparse.ArgumentParser(description=described)
    parser.add_argument("data", type=Path)
    parser.add_argument("--groups", type=int)
    options = parser.parse_args()
    groups: list[Group] = json.loads(options.data.read_text("utf-8"))["groups"]
    return groups[: options.groups]


@contextmanager
def searchable(group: Group) -> Iterator[tuple[Archive, SemanticIndex]]:
    """Return an archive with the group in it, indexed and embedded."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        exchange = folder / "sessions.jsonl"
        lines = (json.dumps(session, ensure_ascii=False) for session in group["sessions"])
        exchange.write_text("\n".join(lines), "utf-8")
        archive = open_archive(folder / "bellek.db", backups=folder)
        Importer(archive, shipped_phrases, lambda: Language.EN).import_file(exchange)
        meanings = SemanticIndex(archive.vectors, best_embedder())
        meanings.embed_due(lambda: False)
        try:
            yield archive, meanings
        finally:
            archive.close()


def found_in(search: Search, group: Group, mode: SearchMode) -> list[Order]:
    kinds = frozenset({HitKind.MESSAGE})
    asked = [
        Query(one["query"], kinds=kinds, mode=mode, limit=max(CUTS), scope=EVERYWHERE)
        for one in group["queries"]
    ]
    return [[hit.ref or "" for hit in search.find(query)] for query in asked]


def shares_of(orders: Sequence[Order], group: Group) -> list[list[float]]:
    """Return whether the first hit is right, and the share of answers at each cut."""
    found: list[list[float]] = []
    for order, query in zip(orders, group["queries"], strict=True):
        gold = set(query["gold"])
        parts = [len(gold.intersection(order[:cut])) / len(gold) for cut in CUTS]
        found.append([float(bool(order) and order[0] in gold), *parts])
    return found


if __name__ == "__main__":
    main()
