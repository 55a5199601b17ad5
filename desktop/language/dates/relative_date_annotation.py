"""Adds the date after words that mean another day tomorrow: "yarın (23 Kasım 2026)".

A remembered sentence is read weeks later, when "next month" is over. Ages and durations have no
one date; for them only the day on which they were true is added.
"""

import re
from datetime import datetime, timedelta

from desktop.domain.language import Language
from desktop.language.dates.date_formatting import day_in_words, month_in_words
from desktop.language.dates.date_grammar import WEEKDAYS_EN, WEEKDAYS_TR, any_of
from desktop.language.dates.date_meanings import Grain, Span
from desktop.language.dates.date_parser import match_dates
from desktop.language.dates.written_dates import said_dates
from desktop.language.normalization import fold

_AGEING = re.compile(
    r"\b\d{1,3} yasinda|\b\d{1,2} (?:years?|months?|weeks?) old\b"
    r"|\b\w+ (?:gun|hafta|ay|yil|sene)d[iu]r\b"
    r"|\bfor (?:the (?:last|past) )?\w+ (?:days|weeks|months|years)\b"
    r"|\bi(?:'m| am) \d{1,3}\b(?! ?(?:%|cm|kg|km|lbs?|pounds|minutes|hours|miles|feet))"
    r"|\b(?:su an(?:da)?|su siralar|bu aralar|bu siralar|simdilik|yakinda|gecenlerde|currently"
    r"|right now|these days|at the moment|for now|soon|recently)\b"
    rf"|\b(?:{any_of(WEEKDAYS_TR)}) gunu\b|\bon (?:{any_of(WEEKDAYS_EN)})\b"
)
"""What was true on the day it was said, and says nothing of when that was."""


def with_dates(text: str, said_at: datetime) -> str:
    """Return the text with the local date after each relative day, week, month or year.

    A text with a calendar date stays unchanged: that date may be the one that is meant.
    """
    if said_dates(text):
        return text
    now = said_at.astimezone().replace(tzinfo=None)
    for one in reversed(match_dates(text)):
        if one.said.told:
            written = written_span(one.said.told(now), one.said.grain, one.language)
            text = f"{text[: one.end]} ({written}){text[one.end :]}"
    return text


def is_of_its_day(text: str) -> bool:
    """Whether it states an age, a duration or a "now", so that it needs the day it was said on."""
    return not said_dates(text) and _AGEING.search(fold(text)) is not None


def written_span(span: Span, grain: Grain, language: Language) -> str:
    first = span.start.date()
    if grain is Grain.YEAR:
        return str(first.year)
    if grain is Grain.MONTH:
        return month_in_words(first, language)
    last = (span.end - timedelta(seconds=1)).date()
    if grain is Grain.HOURS or first == last:
        return day_in_words(first, language)
    return f"{day_in_words(first, language)} – {day_in_words(last, language)}"
