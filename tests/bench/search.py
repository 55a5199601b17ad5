"""Measures search: by kind of query, by size of the archive, by words and by meaning.

Vectors of a million messages would take a day to make, so random ones are used, as many and as
large as the real ones. Asking the real model is measured apart.
"""

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from desktop.domain.language import Language
from desktop.domain.search import EVERYWHERE, HitKind, Query, SearchMode, SearchOrder
from desktop.recall.embedders import best_embedder
from desktop.recall.embedding_client import EmbeddingProcess
from desktop.recall.search import Search
from desktop.recall.semantic_index import SemanticIndex
from desktop.recall.vector_models import encode
from desktop.sessions.conversation.assistant_context import shipped_phrases
from desktop.sessions.importing.importer import Importer
from desktop.storage.archive import Archive, open_archive
from tests.bench.measurement import Sizes, in_window, report, resident_mb, spread, timed_ms
from tests.bench.synthetic_archive import Words, fill_profile, invented_sessions

_MESSAGES_A_SESSION = 40
_MESSAGES_IMPORTED = 20
"""In each session of the file that is imported."""
_SEED = 20261122
_VECTORS_AT_ONCE = 1_000
_ASKED = "Sabahları kan şekeri neden yükselir?"


def bench_search(runs: int, sizes: Sizes) -> None:
    """Measure queries by kind in the core, and keystrokes to painted results in the window."""
    for messages in sizes.searched_messages:
        with TemporaryDirectory() as folder:
            _measure(folder, messages, runs)
            times = in_window("search", folder, runs, sizes)["times_ms"]
            report("search", kind="keystroke", messages=messages, **spread(times))
    _measure_import(sizes.imported_messages)
    _measure_model(runs)


def _measure(folder: str, messages: int, runs: int) -> None:
    began = perf_counter()
    archive = fill_profile(
        folder, sessions=messages // _MESSAGES_A_SESSION, messages_each=_MESSAGES_A_SESSION
    )
    seconds = round(perf_counter() - began, 1)
    report("search", kind="build", messages=messages, seconds=seconds)
    queries, search = _queries(Words()), Search(archive.index)
    forms = {
        "first": Query("", order=SearchOrder.NEWEST, scope=EVERYWHERE),
        "ranked": Query("", mode=SearchMode.KEYWORD, scope=EVERYWHERE),
    }
    for kind, texts in queries.items():
        for name, query in forms.items():
            times = _times(search, query, texts, runs)
            report("search", kind=f"{kind}, {name}", messages=messages, **spread(times))
    drawn = DrawnEmbedder()
    draw_vectors(archive, drawn)
    search = Search(archive.index, SemanticIndex(archive.vectors, drawn))
    query = Query("", mode=SearchMode.HYBRID, kinds=frozenset({HitKind.MESSAGE}), scope=EVERYWHERE)
    times = _times(search, query, queries["question"], runs)
    report("search", kind="question, hybrid", messages=messages, **spread(times))
    archive.close()


def _times(search: Search, query: Query, texts: Sequence[str], runs: int) -> list[float]:
    """Run each text once without counting it: the first run reads from the disk."""
    asked = [replace(query, text=text) for text in texts]
    for one in asked:
        search.find(one)
    return [timed_ms(partial(search.find, one)) for one in asked * runs]


def _queries(words: Words) -> Mapping[str, Sequence[str]]:
    """Queries of each kind; the vocabulary begins with its most common words."""
    every, usual = words.all, words.usual
    drawn = random.Random(_SEED)  # noqa: S311 - words to search with, no secret
    return {
        "rare word": every[30_000:30_010],
        "word": usual,
        "common word": every[20:30],
        "two words": [f"{a} {b}" for a, b in zip(usual, every[500:510], strict=True)],
        "prefix of 3": [word[:3] for word in usual],
        "question": [" ".join(drawn.choices(every[:5_000], k=6)) + "?" for _ in range(10)],
    }


class DrawnEmbedder:
    """Implements Embedder with random vectors of the real size."""

    name = "drawn"

    def __init__(self) -> None:
        self.dimensions = best_embedder().dimensions
        self._lot = np.random.default_rng(_SEED)

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.stack([self.query(text) for text in texts])

    def query(self, _: str) -> NDArray[np.float32]:
        drawn = self._lot.standard_normal(self.dimensions, np.float32)
        return np.asarray(drawn / np.linalg.norm(drawn), np.float32)


def draw_vectors(archive: Archive, drawn: DrawnEmbedder) -> None:
    archive.vectors.use_model(drawn.name, drawn.dimensions)
    with archive.database.reading() as db:
        ids = list(db.exec_driver_sql("SELECT id FROM messages").scalars())
    for start in range(0, len(ids), _VECTORS_AT_ONCE):
        some = ids[start : start + _VECTORS_AT_ONCE]
        archive.vectors.add({one: [encode(drawn.query(""))] for one in some})


def _measure_import(messages: int) -> None:
    """Import without vectors; the file describes none of the sessions."""
    shipped = cache(shipped_phrases)
    shipped()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "sessions.jsonl"
        path.write_text(_exchange(messages // _MESSAGES_IMPORTED), encoding="utf-8")
        archive = open_archive(Path(folder) / "bellek.db", backups=Path(folder))
        importer = Importer(archive, shipped, lambda: Language.TR)
        began = perf_counter()
        done = importer.import_file(path).messages
        seconds = perf_counter() - began
        archive.close()
    rate = round(done / seconds)
    report(
        "search", kind="import", messages=done, seconds=round(seconds, 1), messages_per_second=rate
    )


def _exchange(sessions: int) -> str:
    """Sessions in Bellek's own format, with messages only."""
    lines = []
    for one in invented_sessions(sessions, _MESSAGES_IMPORTED):
        messages = [{"role": said.role, "content": said.content} for said in one.messages]
        lines.append(json.dumps({"id": one.session.id, "messages": messages}, ensure_ascii=False))
    return "\n".join(lines)


def _measure_model(runs: int) -> None:
    """The real model in its process: its memory, and the time of a query."""
    process = EmbeddingProcess()
    began = perf_counter()
    process.embedder.query(_ASKED)
    woken_s = perf_counter() - began
    times = [timed_ms(partial(process.embedder.query, f"{_ASKED} {n}")) for n in range(10 * runs)]
    awake = resident_mb(process.process_id)
    process.let_go()
    report(
        "search",
        kind="model of meanings",
        model=process.embedder.name,
        first_ms=round(woken_s * 1000),
        **spread(times),
        awake_mb=awake,
        let_go_mb=resident_mb(process.process_id),
    )
    process.close()
