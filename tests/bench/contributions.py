"""What each part of the ranking contributes: each left out in turn, on labelled data.

    python -m tests.bench.contributions DATA.json [--groups N]

DATA holds groups of sessions in the exchange format and queries with the refs of their answers.
Each group is imported and embedded once; then every query is asked again with one part changed.
Printed is a line of JSON for each part: the share of answers among the first 1, 5, 10 and 20.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from desktop.domain.language import Language
from desktop.domain.search import HitKind, Query, SearchMode
from desktop.recall import bm25, fts_query, ranking, search
from desktop.recall.embedders import best_embedder
from desktop.recall.search import Search
from desktop.recall.semantic_index import SemanticIndex
from desktop.sessions.assistant_context import shipped_phrases
from desktop.sessions.importing.importer import Importer
from desktop.storage.archive import open_archive
from desktop.storage.index import IndexStore

CUTS = (5, 10, 20)
Group = dict[str, Any]
"""As the file has it."""


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
    "without what a rare form tells": (
        SearchMode.HYBRID,
        lambda: changed((bm25, "_FORM", 0.0)),
    ),
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
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--groups", type=int)
    options = parser.parse_args()
    groups = json.loads(options.data.read_text("utf-8"))["groups"][: options.groups]
    shares: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for group in groups:
        measure(group, shares)
    for part, found in shares.items():
        figures = {f"@{cut}": round(sum(all_) / len(all_), 4) for cut, all_ in found.items()}
        sys.stdout.write(json.dumps({"part": part, **figures}) + "\n")


def measure(group: Group, shares: dict[str, dict[int, list[float]]]) -> None:
    with searchable(group) as (index, meanings):
        for part, (mode, change) in PARTS.items():
            with change():
                found = Search(index, meanings)
                for query in group["queries"]:
                    judge(found, query, mode, shares[part])


@contextmanager
def searchable(group: Group) -> Iterator[tuple[IndexStore, SemanticIndex]]:
    """An archive of its own with the group in it, indexed and embedded."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        exchange = folder / "sessions.jsonl"
        lines = (json.dumps(session, ensure_ascii=False) for session in group["sessions"])
        exchange.write_text("\n".join(lines), "utf-8")
        archive = open_archive(folder / "bellek.db", backups=folder)
        Importer(archive.imports, shipped_phrases, lambda: Language.EN).import_file(exchange)
        meanings = SemanticIndex(archive.vectors, best_embedder())
        meanings.embed_due(lambda: False)
        try:
            yield archive.index, meanings
        finally:
            archive.close()


def judge(found: Search, query: Group, mode: SearchMode, shares: dict[int, list[float]]) -> None:
    asked = Query(query["query"], kinds=frozenset({HitKind.MESSAGE}), mode=mode, limit=max(CUTS))
    refs = [hit.ref for hit in found.find(asked)]
    gold = set(query["gold"])
    shares[1].append(float(bool(refs) and refs[0] in gold))
    for cut in CUTS:
        shares[cut].append(len(gold.intersection(refs[:cut])) / len(gold))


if __name__ == "__main__":
    main()
