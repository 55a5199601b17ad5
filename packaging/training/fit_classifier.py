"""Fit the weights of a text classifier on labelled examples, and print how well it does.

    python packaging/training/fit_classifier.py intents --margins --strength 4 --folds 8 \
        --refit --extra-weight 0.4 --most-wrong 0.045 --lenient about_assistant \
        --acts remember forget style end new_topic
                                                               (needs the group `training`)
    python packaging/training/fit_classifier.py standing --first now --strength 60 \
        --balanced --threshold 0.35
    python packaging/training/fit_classifier.py suspicious --first harmless --strength 20 \
        --balanced --hard-weight 3 --document-weight 0.1 --threshold 0.85 --refit
    python packaging/training/fit_classifier.py preferences --beside intents --strength 100 \
        --extra-weight 0.5 --threshold 0.65
    python packaging/training/fit_classifier.py polarity --first for --strength 100
    python packaging/training/fit_classifier.py outcomes --first other --beside intents \
        --strength 100 --extra-weight 0.1 --threshold 0.2

Reads `packaging/training/NAME/*.jsonl`, one object a line: {"text", "label"}. A hash of the text
puts each example into training (half), validation (a quarter) or test (a quarter), once and for
all; files called `added*.jsonl` and `extra*.jsonl` are for training alone. The thresholds are
chosen on the validation part, so that at most 3 of 100 texts of the first label (or the given
share) are taken for something else. `--beside OTHER` adds the texts of another set as texts of
the first label, in the part that they have there. Labels after `--acts` change something, so an
unusual text must not get them only because no other label fits better: their thresholds are at
least 0.4. Those after `--lenient` cost little where they are wrong, as the model answers in
doubt: theirs are at most .53. The test part is only counted.
`--document-weight` adds the sentences of documents,
as texts of the first label, for training alone: the descriptions and licences of the packages in
`requirements.lock`, the guide and the texts of the window. They are read where they are installed.
`concepts.txt` beside the examples names classes of words, with the stems of each.

`--margins` fits one support vector machine for each label, which on few examples of many labels
leaves more ordinary texts alone than the regression does. `--folds N` chooses the thresholds on
predictions for texts of training and validation that a fit of the other folds made.
"""

import argparse
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from html import unescape
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from desktop.language.normalization import folded_key, word_texts
from desktop.language.text_classifier import BUCKETS, Prediction, TextClassifier, hash_features
from desktop.research.security import MIN_LETTERS, split_sentences

_ROOT = Path(__file__).parents[2]
_TRAINING, _VALIDATION = 128, 192
"""Of 256: a half, a quarter, and a quarter for the test."""
_TRAINING_ALONE = ("added", "extra")
_MOST = 127
_TINY = 1e-6
_LOCKED = re.compile(r"^([\w.-]+)==", re.MULTILINE)
_CATALOG_TEXT = re.compile(r"<(?:source|translation|numerusform)>([^<]+)<")
_ROUNDS = 4
_GRID = np.linspace(0.1, 0.95, 86)
_LEAST_TO_ACT = 0.4
_MOST_IF_LENIENT = 0.53
_STEEPNESS = 3.0
"""What the distance from the margin is multiplied by, so that it reads as a probability."""


class Example(NamedTuple):
    text: str
    label: str
    part: str
    kind: str = ""  # Of those that have a weight of their own: "extra", "hard" or "document"
    is_held: bool = True  # False: for training alone


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("name", help="folder of the examples and name of the weights")
    parser.add_argument("--first", default="ordinary", help="label of what is nothing special")
    parser.add_argument("--strength", type=float, default=300.0, help="C of the regression")
    parser.add_argument("--margins", action="store_true", help="fit support vector machines")
    parser.add_argument("--folds", type=int, default=0, help="of which each is predicted once")
    parser.add_argument("--balanced", action="store_true", help="weigh all labels alike")
    parser.add_argument(
        "--most-wrong", type=float, default=0.03, help="share of the first label taken wrongly"
    )
    parser.add_argument("--acts", nargs="*", default=(), help="labels that change something")
    parser.add_argument("--lenient", nargs="*", default=(), help="labels that cost little")
    parser.add_argument("--threshold", type=float, help="one for all labels, instead of chosen")
    parser.add_argument("--beside", help="folder of further texts of the first label")
    parser.add_argument("--extra-weight", type=float, default=1.0, help="of one in extra*.jsonl")
    parser.add_argument("--refit", action="store_true", help="learn the validation part at last")
    parser.add_argument("--hard-weight", type=float, default=1.0, help="of a near-miss")
    parser.add_argument("--document-weight", type=float, help="of a sentence of a document")
    given = parser.parse_args()
    examples = read_examples(Path(__file__).parent / given.name)
    if given.beside:
        examples += read_beside(Path(__file__).parent / given.beside, given.first, examples)
    if given.document_weight:
        examples += read_documents(given.first)
    found = fit(examples, given)
    target = _ROOT / "resources" / "models" / f"{given.name}.npz"
    save(found, target)
    print(f"{target.relative_to(_ROOT)}: {target.stat().st_size:,} bytes")
    for part in ("training", "validation", "test"):
        report(part, [one for one in examples if one.part == part], found)


def read_examples(folder: Path) -> list[Example]:
    """Return each text once, with the label of the first file that has it."""
    found: dict[str, Example] = {}
    for path in sorted(
        folder.glob("*.jsonl"), key=lambda one: (one.stem.startswith(_TRAINING_ALONE), one)
    ):
        for line in path.read_text("utf-8").splitlines():
            one = json.loads(line)
            kind = "extra" if path.stem.startswith("extra") else "hard" if "hard" in one else ""
            is_held = not path.stem.startswith(_TRAINING_ALONE)
            part = part_of(one["text"]) if is_held else "training"
            example = Example(one["text"], one["label"], part, kind, is_held)
            found.setdefault(one["text"], example)
    return list(found.values())


def read_beside(folder: Path, first: str, examples: Sequence[Example]) -> list[Example]:
    """Return texts of another set that are not among the examples, with the first label."""
    known = {tuple(word_texts(one.text)) for one in examples}
    others = (one for one in read_examples(folder) if tuple(word_texts(one.text)) not in known)
    return [one._replace(label=first, kind="extra") for one in others]


def read_documents(first: str) -> list[Example]:
    """Return the sentences of real documents, which address a person, if anybody."""
    names = set(_LOCKED.findall((_ROOT / "requirements.lock").read_text("utf-8")))
    texts = [
        text
        for package in distributions()
        if package.name.lower().replace("_", "-") in names
        for text in _package_texts(package)
    ]
    texts += [path.read_text("utf-8") for path in (_ROOT / "resources" / "guide").iterdir()]
    catalog = (_ROOT / "i18n" / "bellek_tr.ts").read_text("utf-8")
    texts += map(unescape, _CATALOG_TEXT.findall(catalog))
    paragraphs = (" ".join(one.split()) for text in texts for one in text.split("\n\n"))
    sentences = {one[begin:end] for one in paragraphs for begin, end in split_sentences(one)}
    return [
        Example(one, first, "training", "document")
        for one in sorted(sentences)
        if sum(map(str.isalpha, one)) >= MIN_LETTERS
    ]


def _package_texts(package: Distribution) -> Iterable[str]:
    yield (package.read_text("METADATA") or "").partition("\n\n")[2]
    for file in package.files or ():
        if ".dist-info" in file.parts[0] and file.stem.upper().startswith(("LICEN", "COPYING")):
            yield file.read_text("utf-8")


def read_concepts(folder: Path) -> dict[str, str]:
    """Return the concept of every stem; a line names one, then its stems."""
    path = folder / "concepts.txt"
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    named = (line.split(":") for line in lines)
    return {folded_key(stem): name for name, stems in named for stem in stems.split()}


def part_of(text: str) -> str:
    place = sha256(text.strip().lower().encode()).digest()[0]
    if place < _TRAINING:
        return "training"
    return "validation" if place < _VALIDATION else "test"


def fit(examples: Sequence[Example], given: argparse.Namespace) -> TextClassifier:
    found = fit_weights([one for one in examples if one.part == "training"], given)
    if given.threshold is not None:
        thresholds = np.full(len(found.labels), given.threshold, np.float32)
    elif given.folds:
        folds = range(given.folds)
        predicted = [pair for fold in folds for pair in predict_unseen(examples, given, fold)]
        thresholds = choose_thresholds(found.labels, predicted, given.most_wrong, given.acts)
    else:
        held_out = [one for one in examples if one.part == "validation"]
        predicted = [(one, found.predict(one.text)) for one in held_out]
        thresholds = choose_thresholds(found.labels, predicted, given.most_wrong, given.acts)
    lenient = [label in given.lenient for label in found.labels]
    thresholds = np.where(lenient, np.minimum(thresholds, _MOST_IF_LENIENT), thresholds)
    if given.refit:
        found = fit_weights([one for one in examples if one.part != "test"], given)
    return replace(found, thresholds=thresholds)


def predict_unseen(
    examples: Sequence[Example], given: argparse.Namespace, fold: int
) -> list[tuple[Example, Prediction]]:
    """Return predictions for one fold, fitted on the others and on what is for training alone."""
    places = [sha256(one.text.strip().lower().encode()).digest()[1] for one in examples]
    is_in = [
        one.is_held and place % given.folds == fold
        for one, place in zip(examples, places, strict=True)
    ]
    pairs = [pair for pair in zip(examples, is_in, strict=True) if pair[0].part != "test"]
    found = fit_weights([one for one, is_here in pairs if not is_here], given)
    return [(one, found.predict(one.text)) for one, is_here in pairs if is_here]


def fit_weights(learned: Sequence[Example], given: argparse.Namespace) -> TextClassifier:
    labels = (given.first, *sorted({one.label for one in learned} - {given.first}))
    wanted = [labels.index(one.label) for one in learned]
    weight = "balanced" if given.balanced else None
    model: LinearSVC | LogisticRegression = (
        LinearSVC(C=given.strength, class_weight=weight)
        if given.margins
        else LogisticRegression(C=given.strength, max_iter=3000, class_weight=weight)
    )
    weights_of = {
        "extra": given.extra_weight,
        "hard": given.hard_weight,
        "document": given.document_weight,
    }
    shares = [weights_of.get(one.kind, 1.0) for one in learned]
    concepts = read_concepts(Path(__file__).parent / given.name)
    model.fit(_matrix([one.text for one in learned], concepts), wanted, sample_weight=shares)
    steepness = _STEEPNESS if given.margins else 1.0
    weights, biases = model.coef_ * steepness, model.intercept_ * steepness
    if len(labels) == 2:  # noqa: PLR2004 - one row stands for both labels
        weights, biases = np.vstack([-weights, weights]) / 2, np.concatenate([-biases, biases]) / 2
    scales = np.maximum(np.abs(weights).max(axis=1), 1e-9) / _MOST
    return TextClassifier(
        labels,
        np.round(weights / scales[:, None]).astype(np.int8),
        scales.astype(np.float32),
        biases.astype(np.float32),
        np.ones(len(labels), np.float32),
        concepts,
    )


def _matrix(texts: Iterable[str], concepts: Mapping[str, str]) -> csr_matrix:
    rows = [hash_features(text, concepts) for text in texts]
    values = np.concatenate([np.full(len(row), 1 / np.sqrt(max(1, len(row)))) for row in rows])
    ends = np.cumsum([0, *map(len, rows)])
    return csr_matrix((values, np.concatenate(rows), ends), shape=(len(rows), BUCKETS))


def choose_thresholds(
    names: Sequence[str],
    predicted: Sequence[tuple[Example, Prediction]],
    most_wrong: float,
    acts: Sequence[str],
) -> NDArray[np.float32]:
    """Maximise the right texts, with at most this share of the first label wrong.

    Begins with one threshold for all labels, then moves one after the other.
    """
    labels = np.array([names.index(one.label) for _, one in predicted])
    chances = np.array([one.confidence for _, one in predicted])
    wanted = np.array([names.index(one.label) for one, _ in predicted])
    allowed = int((wanted == 0).sum() * most_wrong)
    best = float(np.sort(chances[wanted == 0])[::-1][allowed]) + _TINY
    least: NDArray[np.float64] = np.array(
        [_LEAST_TO_ACT if label in acts else 0.0 for label in names]
    )
    thresholds: NDArray[np.float64] = np.maximum(best, least)

    def right(tried: NDArray[np.float64]) -> float:
        decided = np.where(chances >= tried[labels], labels, 0)
        if (decided[wanted == 0] != 0).sum() > allowed:
            return -1.0
        return float((decided == wanted).sum())

    for _ in range(_ROUNDS):
        for label in range(1, len(thresholds)):
            tries = []
            for at in (thresholds[label], *_GRID[least[label] <= _GRID]):
                tried = thresholds.copy()
                tried[label] = at
                tries.append((right(tried), at, tried))
            thresholds = max(tries, key=lambda one: one[:2])[2]
    return thresholds.astype(np.float32)


def save(found: TextClassifier, target: Path) -> None:
    with target.open("wb") as file:
        np.savez_compressed(
            file,
            labels=np.array(found.labels),
            weights=found.weights,
            scales=found.scales,
            biases=found.biases,
            thresholds=found.thresholds,
            concepts=np.array([" ".join(pair) for pair in found.concepts.items()]),
        )


def report(part: str, examples: Sequence[Example], found: TextClassifier) -> None:
    first = found.labels[0]
    right: dict[str, list[bool]] = {label: [] for label in found.labels}
    for one in examples:
        said = found.predict(one.text)
        right[one.label].append((said.label if said.is_sure else first) == one.label)
    whole = [each for several in right.values() for each in several]
    print(f"{part}: {len(whole)} texts, {sum(whole) / len(whole):.3f} right", end="; ")
    print(", ".join(f"{label} {sum(one) / len(one):.2f}" for label, one in right.items() if one))


if __name__ == "__main__":
    main()
