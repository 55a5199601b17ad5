"""What a sentence says about how the user wants to be answered, by two trained classifiers."""

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from desktop.language.text_classifier import load_classifier
from desktop.memory.user_messages import find_values

TRAINING = Path(__file__).parents[3] / "packaging" / "training"


def held_out(name: str, *files: str) -> Iterator[tuple[str, str]]:
    """Split as in `packaging/training/fit_classifier.py`: the last quarter is for this test."""
    for file in files:
        for line in (TRAINING / name / f"{file}.jsonl").read_text("utf-8").splitlines():
            one = json.loads(line)
            if sha256(one["text"].strip().lower().encode()).digest()[0] >= 192:
                yield one["text"], one["label"]


def test_most_wishes_of_the_test_set_are_understood() -> None:
    about = load_classifier("preferences")
    wanted = list(held_out("preferences", "tr", "en", "wishes"))
    named = [(label, about.predict(text)) for text, label in wanted if label != "ordinary"]
    assert len(named) > 120
    assert sum(one.is_sure and one.label == label for label, one in named) / len(named) >= 0.6
    # A wrong value is worse than a missed one.
    assert sum(one.is_sure and one.label != label for label, one in named) / len(named) <= 0.1


def test_words_for_and_against_a_value_are_distinguished() -> None:
    against = load_classifier("polarity")
    wanted = list(held_out("polarity", "tr", "en", "wishes"))
    right = [
        (against.predict(text).confidence > 0.5) == (label == "against") for text, label in wanted
    ]
    assert sum(right) / len(right) >= 0.9


def _share_that_counts(texts: list[str]) -> float:
    return sum(bool(find_values(text)) for text in texts) / len(texts)


def test_at_most_one_of_a_hundred_ordinary_messages_counts() -> None:
    everyday = [text for text, label in held_out("intents", "tr", "en") if label == "ordinary"]
    assert len(everyday) > 300
    assert _share_that_counts(everyday) <= 0.01


def test_few_messages_that_only_mention_tables_or_shortness_count() -> None:
    near = [
        text
        for text, label in held_out("preferences", "tr", "en", "wishes")
        if label == "ordinary"
    ]
    assert len(near) > 100
    assert _share_that_counts(near) <= 0.05
