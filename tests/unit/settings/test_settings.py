"""Every setting is declared once: its record, its words, its default."""

from enum import StrEnum
from itertools import groupby

import pytest

from desktop.domain.language import Language
from desktop.settings.messages import SETTING_WORDS, read_sentences
from desktop.settings.settings import SETTINGS, Number, Settings
from desktop.settings.settings_schema import allowed_values, settings_of

DEFAULT = Settings()
ROWS = {name: about for name, about in SETTINGS.items() if about.section}
OF_PAGES = {"spent", "problem", "placeholder"}
"""Words that a page asks for by their names, as it does for choices that it finds itself."""


def words_of_row(name: str) -> set[str]:
    """Return the words that a row asks for, and must have."""
    usual = getattr(DEFAULT, name)
    keys = [member.value for member in type(usual)] if isinstance(usual, StrEnum) else []
    if ROWS[name].explains_choices:
        return {f"{name}.{key}{part}" for key in keys or ["on", "off"] for part in ("", "_hint")}
    keys += ["invalid"] if ROWS[name].pattern else []
    return {f"{name}.title", *(f"{name}.{key}" for key in keys)}


@pytest.mark.parametrize("language", Language)
def test_every_row_has_its_words_and_no_word_is_left_over(language: Language) -> None:
    words = read_sentences(language, SETTING_WORDS)
    needed = set().union(*map(words_of_row, ROWS))
    assert needed - words.keys() == set()
    for key, text in words.items():
        name, _, part = key.partition(".")
        assert text.strip(), key
        if name in ("pages", "sections", "rows"):
            continue
        is_found_by_page = name in ("font_family", "quick_key", "persona")
        optional = {"title", "hint", "name", *OF_PAGES}
        optional |= {"form", "zero"} if isinstance(ROWS[name], Number) else set()
        assert key in needed or part in optional or is_found_by_page, key


@pytest.mark.parametrize("language", Language)
def test_every_section_of_the_pages_has_a_title(language: Language) -> None:
    words = read_sentences(language, SETTING_WORDS)
    places = [about.section.partition(" ") for about in ROWS.values()]
    pages, sections = {place[0] for place in places}, {place[2] for place in places}
    assert {f"pages.{page}" for page in pages} <= words.keys()
    titles = {key for key in words if key.startswith("sections.")}
    assert {f"sections.{section}" for section in sections if section} == titles


def test_a_default_is_allowed_and_read_again() -> None:
    assert settings_of({}) == DEFAULT
    for name, about in SETTINGS.items():
        if isinstance(about, Number):
            assert getattr(DEFAULT, name) in about, name
            assert allowed_values(name), name
        if about.needs:
            assert isinstance(getattr(DEFAULT, about.needs), bool), name


def test_the_rows_of_a_section_follow_one_another() -> None:
    begun = [section for section, _ in groupby(about.section for about in ROWS.values())]
    assert len(begun) == len(set(begun))
