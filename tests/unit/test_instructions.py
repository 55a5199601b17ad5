"""The instructions to the model exist in both languages and are the same in every turn."""

import re
from pathlib import Path

import pytest

from desktop.memory.compaction import Section

INSTRUCTIONS = Path(__file__).parents[2] / "resources" / "instructions"
PERSONAS = INSTRUCTIONS.with_name("personas")
LANGUAGES = ("tr", "en")


def persona(language: str, name: str) -> str:
    return (PERSONAS / language / f"{name}.md").read_text(encoding="utf-8")


def read(language: str, name: str) -> str:
    return (INSTRUCTIONS / language / name).read_text(encoding="utf-8")


def test_both_languages_have_the_same_instructions() -> None:
    turkish, english = (
        {path.name for path in (INSTRUCTIONS / language).iterdir()} for language in LANGUAGES
    )
    assert turkish == english
    assert {"assistant.md", "describe.md", "judge.md", "how_much_work.md"} <= turkish


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_in_them_is_filled_in_or_changes_with_the_day(language: str) -> None:
    assert not re.search(r"[{}]|\b20\d\d\b|\d:\d\d", read(language, "assistant.md"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_description_prompt_names_every_field(language: str) -> None:
    text = read(language, "describe.md")
    assert all(f'"{field}"' in text for field in ("title", "summary", "topics"))
    assert "60" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_summary_prompt_names_every_section(language: str) -> None:
    text = read(language, "summarise.md")
    assert all(f'"{section}"' in text and f"\n{section}: " in text for section in Section)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_learning_prompt_names_every_field_of_a_fact(language: str) -> None:
    text = read(language, "learn.md")
    fields = ("facts", "topic", "fact", "importance", "quote", "about", "replaces")
    assert all(f'"{field}"' in text for field in fields)


def test_the_instructions_are_in_the_language_of_the_session() -> None:
    assert persona("tr", "research").startswith("Türkçe konuşan bir araştırma asistanısın")
    assert persona("en", "research").startswith("You are Bellek, a research assistant")


def test_every_persona_exists_in_both_languages() -> None:
    names = {path.stem for path in (PERSONAS / "tr").iterdir()}
    assert names == {path.stem for path in (PERSONAS / "en").iterdir()}
    assert all("Bellek" in persona(language, name) for name in names for language in LANGUAGES)
