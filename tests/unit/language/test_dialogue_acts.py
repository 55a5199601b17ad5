"""Whether a message depends on earlier ones."""

import pytest

from desktop.language.dialogue_acts import needs_context
from desktop.language.intents import PhraseLists


@pytest.mark.parametrize(
    "message",
    [
        "Why do more than half of them fail inspection nationwide?",
        "Would more than one teaspoon daily make it dangerous for toddlers?",
        "How many more volunteers would they need for launching next winter?",
    ],
)
def test_a_harmless_phrase_hides_no_reference_behind_it(message: str, lists: PhraseLists) -> None:
    assert needs_context(message, lists)


@pytest.mark.parametrize(
    "message",
    [
        "Are there more than ten planets orbiting Proxima Centauri?",
        "Why did the Maya abandon their cities?",
    ],
)
def test_an_apparent_reference_needs_no_context(message: str, lists: PhraseLists) -> None:
    assert not needs_context(message, lists)
