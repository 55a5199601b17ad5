"""Words for a date in a search field become a filter."""

from datetime import UTC, datetime

import pytest

from desktop.domain.search import TypedQuery
from desktop.language.dates.date_grammar import forms
from desktop.language.dates.date_parser import parse_typed_query

NOW = datetime(2026, 11, 19, 12, tzinfo=UTC)


def day(month: int, number: int) -> datetime:
    return datetime(2026, month, number, tzinfo=UTC)


@pytest.mark.parametrize(
    ("typed", "words", "since", "until"),
    [
        ("geçen hafta insülin", "insülin", day(11, 9), day(11, 16)),
        ("INSULIN GECEN HAFTA", "INSULIN", day(11, 9), day(11, 16)),
        ("mart ayında diyet", "diyet", day(3, 1), day(4, 1)),
        ("diet last March", "diet", day(3, 1), day(4, 1)),
        ("dün", "", day(11, 18), day(11, 19)),
    ],
)
def test_a_date_in_words_is_removed_from_the_query(
    typed: str, words: str, since: datetime, until: datetime
) -> None:
    read = parse_typed_query(typed, NOW)
    assert read.words == words
    assert read.period is not None
    assert (read.period.since, read.period.until) == (since, until)


def test_a_date_taken_as_words_is_not_a_filter() -> None:
    read = parse_typed_query("geçen hafta insülin", NOW, as_words={"gecen hafta"})
    assert (read.words, read.period) == ("geçen hafta insülin", None)


def test_an_empty_field_does_not_have_the_grammar_compiled() -> None:
    forms.cache_clear()
    assert parse_typed_query(" ", NOW) == TypedQuery("")
    assert forms.cache_info().currsize == 0
