"""Measures what automatic recall finds, what it leaves alone, and how long a question waits.

    python -m tests.bench.automatic_recall DATA.json [--groups N]

DATA as `tests.bench.contributions` takes it. Prints one JSON object: the share of questions whose
right passage is among the snippets, and the share of unrelated questions (`unrelated_*.txt`) that
recall nothing from the same archive.
"""

import json
import sys
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from desktop.domain.projects import EVERYTHING
from desktop.domain.search import Scope
from desktop.recall.embedding_client import EmbeddingProcess
from desktop.recall.other_kinds import FactSearch, SourceSearch
from desktop.recall.search import Search
from desktop.recall.semantic_index import SemanticIndex
from desktop.research.automatic_recall import MOST, AutomaticRecall, Question
from desktop.sessions.conversation.assistant_context import shipped_phrases
from desktop.storage.archive import Archive
from tests.bench.contributions import groups_asked_for, searchable
from tests.bench.measurement import Sizes, report, spread, timed_ms
from tests.bench.search import DrawnEmbedder, draw_vectors
from tests.bench.synthetic_archive import fill_profile

_MESSAGES_A_SESSION = 40
_WORDS_ASKED = 6
_ALWAYS_S = 10.0


def bench_recall(runs: int, sizes: Sizes) -> None:
    """Measure its time with the real model awake, over random vectors."""
    messages = sizes.searched_messages[0]
    process = EmbeddingProcess()
    with TemporaryDirectory() as folder:
        archive = fill_profile(
            folder, sessions=messages // _MESSAGES_A_SESSION, messages_each=_MESSAGES_A_SESSION
        )
        embedder = _Awake(process)
        draw_vectors(archive, embedder)
        recall = _recall(archive, SemanticIndex(archive.vectors, embedder), waits_s=0.15)
        asked = _questions(archive, (runs + 1) * sizes.recalled)
        for one in asked[: sizes.recalled]:
            recall.recall(Question(one), Scope(EVERYTHING), MOST)
        times = [
            timed_ms(partial(recall.recall, Question(one), Scope(EVERYTHING), MOST))
            for one in asked[sizes.recalled :]
        ]
        report("recall", messages=messages, **spread(times))
        archive.close()
    process.close()


class _Awake(DrawnEmbedder):
    """Asks the real model for a question; its vector is as large as the random ones."""

    def __init__(self, process: EmbeddingProcess) -> None:
        super().__init__()
        self._process = process

    def query(self, text: str) -> NDArray[np.float32]:
        return self._process.embedder.query(text) if text else super().query(text)


def _questions(archive: Archive, count: int) -> list[str]:
    """Questions of a few words from one message."""
    with archive.database.reading() as db:
        rows = db.exec_driver_sql(
            "SELECT content FROM messages ORDER BY id DESC LIMIT ?", (count,)
        )
        return [f"{' '.join(row[0].split()[:_WORDS_ASKED])}?" for row in rows]


def _recall(archive: Archive, meanings: SemanticIndex, *, waits_s: float) -> AutomaticRecall:
    search = Search(
        archive.index,
        meanings,
        FactSearch(archive.facts, meanings),
        SourceSearch(archive.source_index, meanings),
    )
    return AutomaticRecall(search, archive, cache(shipped_phrases), waits_s)


def found_in(
    recall: AutomaticRecall, archive: Archive, queries: Sequence[dict[str, Any]]
) -> list[bool]:
    """Return for each question whether a right passage is in its snippets."""
    found = []
    for query in queries:
        snippets = recall.recall(Question(query["query"]), Scope(EVERYTHING), MOST)
        ids = [one.message_id for snippet in snippets for one in snippet.passages]
        read = archive.index.read([one for one in ids if one is not None])
        found.append(not {one.message.ref for one in read.values()}.isdisjoint(query["gold"]))
    return found


def unrelated() -> list[str]:
    files = sorted(Path(__file__).parent.glob("unrelated_*.txt"))
    return [line for file in files for line in file.read_text("utf-8").splitlines()]


def main() -> None:
    right: list[bool] = []
    bare: list[bool] = []
    for group in groups_asked_for(__doc__):
        with searchable(group) as (archive, meanings):
            recall = _recall(archive, meanings, waits_s=_ALWAYS_S)
            right += found_in(recall, archive, group["queries"])
            bare += [
                not recall.recall(Question(one), Scope(EVERYTHING), MOST) for one in unrelated()
            ]
    figures = {"questions": len(right), "right": np.mean(right), "bare": np.mean(bare)}
    sys.stdout.write(json.dumps(figures, default=float) + "\n")


if __name__ == "__main__":
    main()
