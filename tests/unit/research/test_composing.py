"""What may be quoted where no model writes: a search by meaning finds something to everything."""

from datetime import UTC, datetime

import pytest

from desktop.domain.ids import SessionId
from desktop.research.passages import Passage, Speaker
from desktop.research.tiers.composing import bearing
from tests.studies import phrases


def passage(stored: str, title: str = "Book") -> Passage:
    at = datetime(2026, 3, 5, tzinfo=UTC)
    return Passage(1, SessionId("s"), None, title, at, Speaker.DOCUMENT, stored, stored)


ZEBRAS = passage("Page one talks of the number of zebras that live in the open grass.")
QUOKKAS = passage("The quokka lives on an island and seems to smile at everyone who comes by.")
LEAVES = passage("They eat leaves in the evening when the heat of the day is over.", "Quokkas")
TURKISH = passage("Kısa kuyruklu kanguru adada yaşar ve gülümsüyormuş gibi görünür.")


@pytest.mark.parametrize(
    ("question", "found", "kept", "has_words"),
    [
        ("What is the number of quokkas?", [ZEBRAS, QUOKKAS, LEAVES], [QUOKKAS, LEAVES], True),
        ("What is the number of quokkas?", [ZEBRAS], [], False),
        ("What is the number of quokkas?", [ZEBRAS, TURKISH, QUOKKAS], [QUOKKAS], True),
        ("What is the number of quokkas?", [ZEBRAS, TURKISH], [TURKISH], False),
        ("What is the number?", [ZEBRAS], [ZEBRAS], True),
        ("What is the number of quokkas?", [], [], False),
    ],
)
def test_only_what_has_a_weighty_word_or_another_language_is_quoted(
    question: str, found: list[Passage], kept: list[Passage], *, has_words: bool
) -> None:
    assert bearing(question, found, phrases().stop_words) == (kept, has_words)
