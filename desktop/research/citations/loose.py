"""Forms that cite only where more speaks for it: their words, or what they stand behind."""

import re

from desktop.research.citations.asked import OPEN

UNCLOSED = re.compile(
    rf"\[\s*(\d{{1,3}})\s*:\s*[{OPEN}]([^\[\]\n]{{3,600}}?)[\"”“»](?=[\s.,;!?)]|\Z)"
)
TARGET = re.compile(r"\(\s*<?([^()\s<>]{0,300})>?\s*\)")
HALF_A_TARGET = re.compile(r"\([^()\n]{0,300}\Z")
IN_CODE = re.compile(r"`([^`\n]{3,700})`(?!`)")
HALF_IN_CODE = re.compile(r"`\s*(?:\[[^`\n]{0,700})?\Z")
MAY_BE_A_LINK = re.compile(r"[./@]")
UNNUMBERED = re.compile(r"\[\s*[nNxX#]\s*[:=]\s*[\"“„«]([^\[\]\n]{3,600})[\"”“»]\s*\]")
ROUND_NUMBER = re.compile(r"\((\d{1,3})\)")
ROUND = re.compile(r"\(\s*(\d{1,3})\s*:\s*([^()\n\"“”]{3,600}?)\s*\)")
# What stands before the index of a list, or before a list of numbers, and before no citation.
IN_A_PROGRAM = re.compile(
    r"(?:\w\(|[={\[]\s*|=>\s*|[_$]\w*|[a-z][A-Z]\w*|(?<![\w'’])(?:[A-Za-z]|arr|array|argv|args|dizi)"
    r"|\w\"\s*:\s*|[,([]\s?\[[\d, ]*\],\s*)\Z"
)
LED_TO_A_NUMBER = re.compile(
    r"\[[\"“„«]?([^\[\]\n]{8,300}?)[\"”“»]?\](?:\(#?(\d{1,3})\)|\[(\d{1,3})\])"
)
# `[1]["words"]`, `[[1]]("words")`: words in brackets of their own, right behind a number in its.
_NUMBERED = r"\[{1,2}\s*(\d{1,3})\s*\]{1,2}"
WITH_WORDS = re.compile(
    rf"{_NUMBERED} ?[\[{{<(]\s*[\"“„«]([^\n]{{3,600}}?)[\"”“»]\s*[\]}}>)]{{1,2}}"
)
HALF_WITH_WORDS = re.compile(rf"{_NUMBERED} ?[\[{{<(]\s*(?:[\"“„«][^\n\]}}>)]{{0,600}})?")
_BOARD = r"\[(?P<name>quote|q|alıntı)(?P<said>[ =:]+"
ON_A_BOARD = re.compile(
    rf"{_BOARD}\d{{1,3}})\](?P<words>[^\[\]\n]{{3,600}})\[/(?P=name)\]", re.IGNORECASE
)
HALF_ON_A_BOARD = re.compile(
    rf"{_BOARD}(?:\d{{1,3}}(?:\](?:[^\[\]\n]{{0,600}}(?:\[[/\w]{{0,8}})?)?)?)?)\Z", re.IGNORECASE
)
"""As on the boards of the web: `[quote 1]words[/quote]`."""
