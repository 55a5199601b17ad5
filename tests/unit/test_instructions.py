"""The instructions to the model exist in both languages and hold still from turn to turn."""

import re
from pathlib import Path

import pytest

from desktop.memory.compact_reply import Section

INSTRUCTIONS = Path(__file__).parents[2] / "resources" / "instructions"
LANGUAGES = ("tr", "en")
NAMES = (
    "assistant.md",
    "describe.md",
    "how_much_work.md",
    "learn.md",
    "same_subject.md",
    "summarise.md",
)


def read(language: str, name: str) -> str:
    return (INSTRUCTIONS / language / name).read_text(encoding="utf-8")


def test_both_languages_have_the_same_instructions() -> None:
    for language in LANGUAGES:
        assert sorted(path.name for path in (INSTRUCTIONS / language).iterdir()) == list(NAMES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_in_them_is_filled_in_or_changes_with_the_day(language: str) -> None:
    assert not re.search(r"[{}]|\b20\d\d\b|\d:\d\d", read(language, "assistant.md"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_description_names_every_field_it_asks_for(language: str) -> None:
    text = read(language, "describe.md")
    assert all(f'"{field}"' in text for field in ("title", "summary", "topics"))
    assert "60" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_summary_names_every_section_it_asks_for(language: str) -> None:
    text = read(language, "summarise.md")
    assert all(f'"{section}"' in text and f"\n{section}: " in text for section in Section)


@pytest.mark.parametrize("language", LANGUAGES)
def test_learning_names_every_field_of_a_fact(language: str) -> None:
    text = read(language, "learn.md")
    fields = ("facts", "topic", "fact", "importance", "quote", "about", "replaces")
    assert all(f'"{field}"' in text for field in fields)


def test_the_assistant_is_told_in_its_own_language_who_it_is() -> None:
    assert read("tr", "assistant.md").startswith("Türkçe konuşan bir araştırma asistanısın")
    assert read("en", "assistant.md").startswith("You are Bellek, a research assistant")
