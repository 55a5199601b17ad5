"""Fit parting.json, the weights of the topic segmentation.

Needs the labelled data of the folder named (topic-shift-en.json, meetings-en.json and
paragraphs-tr.json) and the package chitchat-dataset (MIT), which nothing else does:

    pip install chitchat-dataset && python packaging/training/parting.py FOLDER

Conversations are stitched from pieces of chats, of meetings, of paragraphs with the questions
asked of them, of the example library and of the dialogues in tests/bench/dialogues, with the
sides of their pieces and with sides that only alternate. The weights make the right cut of each
as likely as can be among all ways to cut it.
"""

from __future__ import annotations

import json
import random
import re
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from session_boundaries import DialogueLine
from topic_segmentation import SegmentFeatures, SegmentScores, SegmentWeights, weigh

from desktop.domain.messages import Role
from desktop.recall.embedders import fast_embedder
from desktop.sessions.conversation.assistant_context import shipped_phrases
from desktop.sessions.conversation.topic_change_classifier import CachingEmbedder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]
    Piece = list[DialogueLine]

_ROOT = Path(__file__).parents[2]
_SIGNS = [
    "wide",
    "depth",
    "wide_depth",
    "nearest",
    "goes_on_1",
    "goes_on_2",
    "goes_on_depth",
    "opens",
    "asked_before",
    "asks_you",
    "wants",
    "length",
    "shared",
    "taken_up",
    "closed",
    "thanks",
    "greets",
    "twice",
]
_STITCHED = 30
"""Conversations of each kind, with their sides and without."""
_MOST_PARTS, _TURNS, _LONGEST = 6, (3, 16), 110
_MOST_PIECES = 400
_LEAST_SENTENCE = 15
_LEAST_TURNS, _MOST_TURNS, _HELD_OUT = 10, 40, 200
_MOST_QUESTIONS = 5
_HELD_BACK = 3e-3
"""How strongly the numbers are held near zero: chosen on pieces left out."""
_STEPS, _RATE = 300, 0.05
_TINY = 1e-9
_NEVER = -1e9


class Kind(NamedTuple):
    pieces: list[Piece]
    cut: str
    """A piece is taken whole, from its beginning or from its middle."""


class Stitched(NamedTuple):
    signs: Numbers
    """Of each message, twice: the second time by how long the conversation is."""
    worths: Numbers
    """By sign, first message and end: what a part has of all that it can be worth."""
    may_begin: NDArray[np.bool_]
    edges: list[int]


def main() -> None:
    if len(sys.argv) != 2:  # noqa: PLR2004 - its name and the folder
        raise SystemExit(__doc__)
    kinds = _kinds(Path(sys.argv[1]))
    embedder = CachingEmbedder(fast_embedder())
    stitched = [one for kind in kinds for one in _stitched(kind, embedder)]
    found = _fit(stitched)
    seams, worths = found[: len(_SIGNS) * 2 + 2], found[len(_SIGNS) * 2 + 2 :]
    names = ["always", *_SIGNS, "long", *(f"long, {name}" for name in _SIGNS)]
    count = len(SegmentWeights._fields)
    written = {
        "seams": dict(zip(names, _rounded(seams), strict=True)),
        "short": dict(zip(SegmentWeights._fields, _rounded(worths[:count]), strict=True)),
        "long": dict(zip(SegmentWeights._fields, _rounded(worths[count:]), strict=True)),
    }
    target = Path(__file__).with_name("parting.json")
    target.write_text(json.dumps(written, indent=1) + "\n", "utf-8")
    print(f"{target.relative_to(_ROOT)}: {len(stitched)} conversations of {len(kinds)} kinds")


def _rounded(numbers: Numbers) -> list[float]:
    return [round(float(one), 3) for one in numbers]


def _kinds(folder: Path) -> list[Kind]:
    tests = _ROOT / "tests"
    shifts = json.loads((folder / "topic-shift-en.json").read_text("utf-8"))["dialogues"]
    chats = [_piece(one["messages"]) for one in shifts]
    strangers = _strangers()
    groups = json.loads((folder / "meetings-en.json").read_text("utf-8"))["groups"]
    meetings = [_piece(one["sessions"][0]["messages"]) for one in groups]
    library = (_ROOT / "resources" / "examples" / "library.jsonl").read_text("utf-8")
    examples = [_piece(json.loads(line)["messages"]) for line in library.splitlines()]
    written = [
        Kind(list(_dialogues(path)), "whole")
        for path in sorted((tests / "bench" / "dialogues").glob("*.txt"))
    ]
    errands = [Kind(_flat(pair), "whole") for pair in [written[:2], written[:2]]]
    follow_ups = tests / "unit" / "sessions" / "boundaries"
    return [
        *(Kind(chats, cut) for cut in ("whole", "begin", "middle")),
        *(Kind(strangers, cut) for cut in ("begin", "middle")),
        *written,
        *errands,
        *(Kind(list(_spoken(path)), "whole") for path in sorted(follow_ups.glob("followups_*"))),
        Kind(meetings, "middle"),
        Kind(examples, "middle"),
        *(Kind(one, "begin") for one in _paragraphs(folder / "paragraphs-tr.json")),
    ]


def _flat(kinds: Sequence[Kind]) -> list[Piece]:
    return [piece for kind in kinds for piece in kind.pieces]


def _piece(messages: Sequence[dict[str, str]]) -> Piece:
    return [DialogueLine(Role(one["role"]), one["content"]) for one in messages]


def _in_turns(texts: Sequence[str], first: Role = Role.USER) -> Piece:
    other = Role.ASSISTANT if first is Role.USER else Role.USER
    return [DialogueLine(other if at % 2 else first, text) for at, text in enumerate(texts)]


def _dialogues(path: Path) -> Iterator[Piece]:
    for block in path.read_text("utf-8").strip().split("\n\n"):
        for subject in block.split("\n=> "):
            lines = [line for line in subject.splitlines() if line.strip()]
            if len(lines) > 1:
                yield _in_turns(lines)


def _spoken(path: Path) -> Iterator[Piece]:
    for block in path.read_text("utf-8").strip().split("\n\n"):
        yield _in_turns([line.partition(": ")[2] for line in block.splitlines()[:-1]])


def _strangers() -> list[Piece]:
    spec = find_spec("chitchat_dataset")
    if spec is None or spec.origin is None:
        raise SystemExit("pip install chitchat-dataset")
    stored = json.loads(Path(spec.origin).with_name("dataset.json").read_text("utf-8"))
    chats = [
        [" ".join(" ".join(one["text"] for one in turn).split()) for turn in it]
        for it in (stored[name]["messages"] for name in sorted(stored))
    ]
    spoken = [[turn for turn in chat if turn][:_MOST_TURNS] for chat in chats]
    several = [chat for chat in spoken if len(chat) >= _LEAST_TURNS]
    order = np.random.default_rng(1).permutation(len(several))[_HELD_OUT:][:_MOST_PIECES]
    return [_in_turns(several[at]) for at in order]


def _paragraphs(path: Path) -> Iterator[list[Piece]]:
    """Yield a question, its paragraph, more questions; a paragraph first; answers; sentences."""
    group = json.loads(path.read_text("utf-8"))["groups"][0]
    texts = {one["messages"][0]["ref"]: one["messages"][0]["content"] for one in group["sessions"]}
    asked: dict[str, list[str]] = {ref: [] for ref in texts}
    for query in group["queries"]:
        asked[query["gold"][0]].append(query["query"])
    told = [(texts[ref], some) for ref, some in asked.items() if len(some) > 1]
    yield [_in_turns([some[0], text, *some[1:_MOST_QUESTIONS]]) for text, some in told]
    yield [
        [
            DialogueLine(Role.ASSISTANT, text),
            *(DialogueLine(Role.USER, one) for one in some[:_MOST_QUESTIONS]),
        ]
        for text, some in told
    ]
    yield [
        _in_turns([one for question in some for one in (question, _answer(question, text))])
        for text, some in told
    ]
    sentences = [_sentences(text) for text in texts.values()]
    yield [_in_turns(some) for some in sentences if len(some) >= _TURNS[0]]


def _sentences(text: str) -> list[str]:
    found = re.split(r"(?<=[.!?])\s*(?=[A-ZÇĞİÖŞÜ])", text)
    return [one.strip() for one in found if len(one.strip()) > _LEAST_SENTENCE]


def _answer(question: str, text: str) -> str:
    words = set(question.lower().split())
    sentences = _sentences(text) or [text]
    return max(sentences, key=lambda one: len(words & set(one.lower().split())))


def _stitched(kind: Kind, embedder: CachingEmbedder) -> Iterator[Stitched]:
    drawn = random.Random(1)  # noqa: S311 - the same conversations at every run
    for has_sides in (True, False):
        made = 0
        while made < _STITCHED:
            parts = [
                _cut(piece, kind.cut, drawn)
                for piece in drawn.sample(kind.pieces, drawn.randint(1, _MOST_PARTS))
            ]
            said = [one for part in parts for one in part]
            edges = [0, *np.cumsum([len(part) for part in parts]).tolist()]
            if not _TURNS[0] < len(said) <= _LONGEST:
                continue
            made += 1
            said = said if has_sides else _in_turns([one.text for one in said])
            weighed = weigh(said, shipped_phrases(), embedder)
            found = _numbers(weighed, len(said), edges)
            if found.may_begin[edges[1:-1]].all():
                yield found


def _cut(piece: Piece, how: str, drawn: random.Random) -> Piece:
    count = drawn.randint(*_TURNS)
    if how == "whole" or len(piece) <= count:
        return piece
    start = drawn.randint(0, len(piece) - count) if how == "middle" else 0
    if start and piece[start].role is Role.ASSISTANT:
        start += 1
    return piece[start : start + count]


def _numbers(weighed: SegmentFeatures, count: int, edges: list[int]) -> Stitched:
    signs, may_begin = np.zeros((count, len(_SIGNS) + 1)), np.zeros(count, bool)
    long = 0.0
    for number, values in weighed.signs.items():
        signs[number - 1] = [1.0, *(values[name] for name in _SIGNS)]
        may_begin[number - 1] = True
        long = values["long"]
    if weighed.ties is None:
        raise SystemExit("the model of meanings is missing")
    worths = np.zeros((len(SegmentWeights._fields), count, count))
    for at in range(len(SegmentWeights._fields)):
        only = SegmentWeights(*np.eye(len(SegmentWeights._fields))[at])
        whole = SegmentScores(weighed.ties, only)
        for end in range(1, count + 1):
            worths[at, :end, end - 1] = whole.parts(end)
    return Stitched(
        np.column_stack([signs, signs * long]),
        np.concatenate([worths, worths * long]),
        may_begin,
        edges,
    )


def _fit(stitched: Sequence[Stitched]) -> Numbers:
    """Adam over the likelihood of the right cuts, each sign counted in its own spread."""
    spread = np.concatenate(
        [
            np.concatenate([one.signs for one in stitched]).std(axis=0),
            np.sqrt(np.mean([(one.worths**2).mean(axis=(1, 2)) for one in stitched], axis=0)),
        ]
    )
    spread[spread < _TINY] = 1.0
    weights, first, second = (np.zeros(len(spread)) for _ in range(3))
    for step in range(1, _STEPS + 1):
        slope = sum(_slope(weights / spread, one) for one in stitched) / len(stitched)
        slope = slope / spread + 2 * _HELD_BACK * weights
        first = 0.9 * first + 0.1 * slope
        second = 0.99 * second + 0.01 * slope**2
        size = np.sqrt(second / (1 - 0.99**step)) + _TINY
        weights -= _RATE * (1 - step / (_STEPS + 1)) * first / (1 - 0.9**step) / size
    found: Numbers = weights / spread
    return found


def _slope(weights: Numbers, one: Stitched) -> Numbers:
    """What all cuts have of each sign, by how likely they are held to be, beside the right."""
    count, of_seams = len(one.signs), one.signs.shape[1]
    seams = np.where(one.may_begin, one.signs @ weights[:of_seams], _NEVER)
    seams[0] = 0.0
    value = np.tensordot(weights[of_seams:], one.worths, 1) + seams[:, None]
    before, after = np.zeros(count + 1), np.zeros(count + 1)
    for end in range(1, count + 1):
        before[end] = np.logaddexp.reduce(before[:end] + value[:end, end - 1])
    for start in range(count - 1, -1, -1):
        after[start] = np.logaddexp.reduce(after[start + 1 :] + value[start, start:])
    chance = np.triu(np.exp(np.minimum(before[:-1, None] + value + after[1:] - before[-1], 0)))
    for start, end in zip(one.edges, one.edges[1:], strict=False):
        chance[start, end - 1] -= 1
    begins = chance.sum(axis=1)
    begins[0] = 0.0
    of_parts = (one.worths * chance).sum(axis=(1, 2))
    slope: Numbers = np.concatenate([begins @ one.signs, of_parts])
    return slope


if __name__ == "__main__":
    main()
