"""Recognises a question about what was said in past sessions, and what of it is to be looked up.

The phrases stand in `resources/phrases`. Turkish tells by its endings who spoke: "ne demiştik",
"ne demiştin" ask us about ourselves, "Atatürk ne demişti" does not; so a phrase may end in a
verb's root ("ne de-"), of which only the first and second persons count. What no list foresaw is
heard by its grammar (own_past).
"""

import re
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from desktop.domain.times import Period
from desktop.language.dates.date_parser import DateWords, find_dates
from desktop.language.hearing.own_past import own_past
from desktop.language.hearing.phrases import PhraseLists
from desktop.language.phrase_index import Finder
from desktop.language.phrase_matcher import Line, find_phrase, lay_out, spelled_out
from desktop.language.stopwords import StopWords

_MOST_WORDS = 60
"""Whoever pastes a whole text is not asking back, whatever stands in it."""
_MY_OR_YOUR = r"(?:[kmn]|n[iu]z)"
# As short as can be: it is compiled once for every root that is listed.
_LONG_AGO = rf"m[iu]s(?:[td]| m[iu]yd)[iu]{_MY_OR_YOUR}"
_ONCE = rf"(?:[td][iu]{_MY_OR_YOUR})"
_ENDING = re.compile(r"[;!?\n]+|\.+(?=\s|$)")
# Groups: what stands in a gap is no part of the phrase, and is to be looked up.
_ANY_WORDS = "((?:[^ |]+ ){1,3})"
_ANY_WORD = "([^ |]+)"


@dataclass(frozen=True, slots=True)
class AskingBack:
    phrase: str
    """The words by which it was recognised, as they were written."""
    words: str
    """What is to be looked up; empty where only a time or nothing at all was named."""
    period: Period | None = None
    is_left_off: bool = False
    """Asks where we stopped."""
    is_sure: bool = True
    """Whether it can only be the past, and not what was said in this session."""


def asks_back(text: str, now: datetime, lists: PhraseLists) -> AskingBack | None:
    """What a message asks about past sessions, or None; `now` is the local moment."""
    line = lay_out(text)
    if len(line.words) > _MOST_WORDS or find_phrase(line, lists.not_asking_back):
        return None
    left_off = _spans(line, _finder(lists.left_off, _LONG_AGO))
    sure = _spans(line, _finder(lists.asks_back, _LONG_AGO))
    maybe = _spans(line, _finder(lists.asks_back_maybe, _ONCE))
    heard = own_past(line, lists)
    sure, maybe = [*sure, *heard.sure], [*maybe, *heard.maybe]
    found = sorted(left_off or sure or maybe)
    if not found or find_phrase(line, lists.said_here):
        return None
    if not (left_off or sure or any(_is_asked(text, end) for _, end in maybe)):
        return None
    dates = find_dates(text, now)
    return AskingBack(
        phrase=text[found[0][0] : found[-1][1]],
        words=_left_over(line, [*left_off, *sure, *maybe], dates, lists.stop_words),
        period=dates.period if dates else None,
        is_left_off=bool(left_off),
        is_sure=bool(left_off or sure or dates),
    )


def _is_asked(text: str, end: int) -> bool:
    """Whether what a phrase stands in is a question: what somebody states is no question of ours.

    Without any mark it may be one.
    """
    ending = _ENDING.search(text, end)
    return ending is None or "?" in ending.group()


def _spans(line: Line, finder: Finder) -> list[tuple[int, int]]:
    """Where in the message the words of phrases stand, those in their gaps left out."""
    found = []
    for match in finder.finditer(line.text):
        gaps = [span for span in match.regs[1:] if span[0] >= 0]
        found += [
            (word.start, word.end)
            for word, at in zip(line.words, line.starts, strict=True)
            if match.start() <= at < match.end()
            and not any(start <= at < end for start, end in gaps)
        ]
    return found


def _left_over(
    line: Line,
    phrases: list[tuple[int, int]],
    dates: DateWords | None,
    stop_words: StopWords,
) -> str:
    """The runs of words that no phrase and no date covers, without stop words at their ends."""
    covered = [*phrases, *(dates.spans if dates else ())]
    runs: list[list[int]] = [[]]
    for number, word in enumerate(line.words):
        if any(start < word.end and word.start < end for start, end in covered):
            runs.append([])
        else:
            runs[-1].append(number)
    return " ".join(filter(None, (_trimmed(run, line, stop_words) for run in runs)))


def _trimmed(run: list[int], line: Line, stop_words: StopWords) -> str:
    weak = [number for number in run if line.words[number].text in stop_words.weak]
    own = [number for number in run if line.words[number].text not in stop_words]
    if not own:
        return ""
    own = sorted({*own, *weak})
    return line.original[line.words[own[0]].start : line.words[own[-1]].end]


@lru_cache(maxsize=16)
def _finder(phrases: tuple[str, ...], tense: str) -> Finder:
    pieces = {_pieces(phrase, tense) for phrase in phrases}
    return Finder(sorted(pieces, key=lambda one: sum(map(len, one)), reverse=True))


def _pieces(phrase: str, tense: str) -> tuple[str, ...]:
    """As in `matching`, and `root-` for the persons of a verb."""
    pieces: list[str] = []
    for part in phrase.split():
        if part == "…":
            pieces.append(_ANY_WORDS)
            continue
        spelled = spelled_out(part)
        if part == "*":
            spelled = [_ANY_WORD]
        elif part.endswith("*"):
            spelled[-1] += "[^ |]*"
        elif part.endswith("-"):
            spelled[-1] += tense
        pieces.extend(word + " " for word in spelled)
    return tuple(pieces)
