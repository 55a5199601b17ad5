"""Ranks the same data by published methods, to compare the program's ranking with them.

    python -m tests.bench.baselines DATA.json [--groups N]

DATA as `tests.bench.contributions` takes it. Prints a line of JSON for each method: the share of
answers among the first 1, 5, 10 and 20, and the program's lead at each, with its range in 95 of
100 resamplings of the questions (paired bootstrap).
"""

import json
import re
import sqlite3
import sys
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from desktop.domain.search import SearchMode
from desktop.language.keywords_and_stems import QUESTION_WORDS
from desktop.language.normalization import folded_key, word_texts
from desktop.recall.embedders import e5_small
from desktop.recall.search import Search
from tests.bench.contributions import (
    CUTS,
    Group,
    Order,
    found_in,
    groups_asked_for,
    searchable,
    shares_of,
)

OURS = "the program"
_FIRST = 100
_FUSED = 60
_NEIGHBOURS, _NEIGHBOUR = 2, 0.4
_SMOOTH = (0.5, 0.25)
_DRAWN = 10_000


class Words:
    """SQLite's own full-text index, with its own rank."""

    def __init__(
        self,
        tokenizer: str,
        prepare: Callable[[str], str] = str,
        *,
        drops: bool = True,
        neighbour: float = 0.0,
    ) -> None:
        self._tokenizer, self._prepare = tokenizer, prepare
        self._drops, self._neighbour = drops, neighbour

    def order(self, group: Group) -> list[Order]:
        db = sqlite3.connect(":memory:")
        db.execute(f"CREATE VIRTUAL TABLE i USING fts5(own, near, tokenize='{self._tokenizer}')")
        refs: list[str] = []
        for session in group["sessions"]:
            texts = [self._prepare(message["content"]) for message in session["messages"]]
            for at, message in enumerate(session["messages"]):
                refs.append(message["ref"])
                near = texts[max(0, at - _NEIGHBOURS) : at] + texts[at + 1 : at + _NEIGHBOURS + 1]
                row = (len(refs), texts[at], " ".join(near) if self._neighbour else "")
                db.execute("INSERT INTO i (rowid, own, near) VALUES (?, ?, ?)", row)
        found = [self._found(db, query["query"]) for query in group["queries"]]
        return [[refs[row - 1] for row in rows] for rows in found]

    def _found(self, db: sqlite3.Connection, question: str) -> list[int]:
        said = re.findall(r"[^\W_]+", question)
        kept = [word for word in said if folded_key(word) not in QUESTION_WORDS]
        words = self._prepare(" ".join(kept if self._drops and kept else said)).split()
        wanted = " OR ".join(f'"{word}"' for word in dict.fromkeys(words))
        rank = f"bm25(i, 1.0, {self._neighbour})"
        sql = f"SELECT rowid FROM i WHERE i MATCH ? ORDER BY {rank} LIMIT {_FIRST}"  # noqa: S608
        return [row[0] for row in db.execute(sql, (wanted,))] if wanted else []


def five_letters(text: str) -> str:
    return " ".join(word[:5] for word in word_texts(text))


def by_meaning(group: Group) -> tuple[list[Order], list[Order]]:
    """One model alone, used as its makers intend; and smoothed over the neighbours."""
    model = e5_small()
    refs = [one["ref"] for session in group["sessions"] for one in session["messages"]]
    texts = [one["content"] or " " for session in group["sessions"] for one in session["messages"]]
    own = np.concatenate([model.passage(texts[at : at + 32]) for at in range(0, len(texts), 32)])
    places = [i for i, session in enumerate(group["sessions"]) for _ in session["messages"]]
    smooth = _smoothed(own, np.array(places))
    asked = [model.query([query["query"]])[0] for query in group["queries"]]
    alone, around = (
        [[refs[at] for at in np.argsort(-(vectors @ one))[:_FIRST]] for one in asked]
        for vectors in (own, smooth)
    )
    return alone, around


def _smoothed(vectors: np.ndarray, sessions: np.ndarray) -> np.ndarray:
    smooth = vectors.copy()
    for distance, share in enumerate(_SMOOTH, start=1):
        same = (sessions[distance:] == sessions[:-distance])[:, None]
        smooth[distance:] += share * vectors[:-distance] * same
        smooth[:-distance] += share * vectors[distance:] * same
    unit: np.ndarray = smooth / np.linalg.norm(smooth, axis=1, keepdims=True)
    return unit


def fused(first: Sequence[Order], second: Sequence[Order], weight: float) -> list[Order]:
    """Reciprocal rank fusion, with a weight for the second."""
    orders: list[Order] = []
    for pair in zip(first, second, strict=True):
        scores: defaultdict[str, float] = defaultdict(float)
        for order, share in zip(pair, (1.0, weight), strict=True):
            for place, ref in enumerate(order, start=1):
                scores[ref] += share / (_FUSED + place)
        orders.append(sorted(scores, key=lambda ref: -scores[ref]))
    return orders


def ours(group: Group) -> list[Order]:
    with searchable(group) as (archive, meanings):
        return found_in(Search(archive.index, meanings), group, SearchMode.HYBRID)


def ordered(group: Group) -> Mapping[str, list[Order]]:
    five = Words("unicode61", five_letters).order(group)
    near = Words("porter unicode61", neighbour=_NEIGHBOUR).order(group)
    alone, around = by_meaning(group)
    return {
        OURS: ours(group),
        "words as they are (unicode61)": Words("unicode61", drops=False).order(group),
        "folded, first five letters": five,
        "porter and neighbours": near,
        "e5 alone": alone,
        "e5 smoothed over neighbours": around,
        "five letters and e5, fused": fused(five, alone, 1.0),
        "porter and neighbours and smoothed e5, fused": fused(near, around, 0.5),
    }


def ahead(our: np.ndarray, their: np.ndarray) -> list[list[float]]:
    """The lead and its range at each cut."""
    drawn = np.random.default_rng(1).integers(0, len(our), (_DRAWN, len(our)))
    means = [(our - their)[some].mean(axis=0) for some in drawn]
    low, high = np.percentile(means, [2.5, 97.5], axis=0)
    bounds = np.stack([(our - their).mean(axis=0), low, high], axis=1).round(3)
    lines: list[list[float]] = bounds.tolist()
    return lines


def main() -> None:
    all_: defaultdict[str, list[list[float]]] = defaultdict(list)
    for group in groups_asked_for(__doc__):
        for method, orders in ordered(group).items():
            all_[method] += shares_of(orders, group)
    our = np.array(all_[OURS])
    for method, found in all_.items():
        figures = np.array(found).mean(axis=0).round(3).tolist()
        line = {"method": method, "at": [1, *CUTS], "shares": figures}
        line |= {} if method == OURS else {"we_are_ahead_by": ahead(our, np.array(found))}
        sys.stdout.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
