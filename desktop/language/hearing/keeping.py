"""Hears that something is to be remembered, and what that is.

Turkish says so behind what is meant ("Kızımın adı Elif, bunu unutma"), English before it or behind
("remember that …", "…, keep that in mind"). A wish for how to answer is remembered, too. Whoever
asks about remembering, or tells of it, is not taken at a word.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from desktop.domain.language import Language
from desktop.language.hearing.keeping_by_verb import kept_by_verb, says_nothing
from desktop.language.hearing.keeping_while import is_of_oneself, kept_while
from desktop.language.hearing.kept_words import as_kept, without_case
from desktop.language.hearing.phrases import PhraseLists, is_courtesy
from desktop.language.hearing.wishing import KINDLY, closing, is_wish, opening
from desktop.language.language_detection import guess_language
from desktop.language.phrase_matcher import BAR, Line, any_of, find_phrase, lay_out
from desktop.language.sentences import Sentence, sentences

_MOST_WORDS = 150
"""Whoever pastes a whole text does not ask for it to be remembered."""
_MOST_LETTERS = 1_500
"""A paste can be one word without an end, over which patterns take the square of its length."""
_LONGEST_AROUND = 600
_FEWEST_WORDS = 3
_WEIGHTY, _USUAL, _LIGHT = 10, 9, 8
# What a Turkish clause ends in that is the object of a verb: "vejetaryen olduğumu".
_OBJECT = r"[^ |]{2,}(?:[dt][iu]g|[ae]c[ae]g)[iu](?:m|n|m[iu]z|n[iu]z)?n?[iu] "
_WHAT = "(?:(?:bu|su)(?:n[iu]|nlar[iu])? (?:d[ae] )?)?"
"""Before any Turkish word of keeping: "bunu aklında tut", "şu aklında olsun"."""
_ENDS = re.compile(r"[.!?…:\n]")
_MINE = re.compile(r"(?<![^ ])[^ |]{2,}[iu]m (?:var|yok) ")
_OF_ME = re.compile(r"[iu](?:m|z)")
"""How a Turkish word ends that says what I am: "vejetaryenim"."""


@dataclass(frozen=True, slots=True)
class Keeping:
    """What a message wants remembered."""

    phrase: str
    """The words by which it was recognised, as they were written."""
    content: str
    """Empty: what was said before this message."""
    start: int
    end: int
    """The words of the message that it rests on."""
    importance: int
    is_wish: bool = False
    """How the user wants to be answered."""
    is_alone: bool = True
    """Whether the message asks for nothing else."""


class _Asked(NamedTuple):
    """A request in one sentence of a message; the span is the sentence's own."""

    phrase: str
    start: int
    end: int
    importance: int
    is_object: bool = False
    """The clause stands in the accusative."""
    goes_on: bool = False
    """What follows the sentence is meant as well."""


def asks_in_lead(lead: str, lists: PhraseLists) -> bool:
    """Whether words that end in a colon ask to remember what follows them."""
    asks = lists.remember_this + lists.remember_clause + lists.remember_that
    line = lay_out(lead)
    return bool(find_phrase(line, asks)) and not find_phrase(line, lists.not_remembering)


def asks_to_remember(text: str, lists: PhraseLists) -> Keeping | None:
    """What a message wants remembered, or None."""
    if len(text) > _MOST_LETTERS or len(lay_out(text).words) > _MOST_WORDS:
        return None
    whole = sentences(text) or [Sentence(text, 0, len(text))]
    said = [part for one in whole for part in _parted(one, lists)]
    for place, sentence in enumerate(said):
        line = lay_out(sentence.text)
        if in_passing := _in_passing(text, said, place, lists):
            return in_passing
        if not _can_be_asked(line, lists):
            continue
        asked = _request(said, sentence, lists)
        if asked is None and is_wish(line, lists):
            kept: Keeping | None = _wish(sentence)
        elif asked := asked or _by_verb(said, sentence, lists):
            tell = _told if asked.start < asked.end else _around
            kept = tell(text, said, place, asked, lists)
        else:
            continue
        return kept and _with_rest(kept, said, place, lists)
    return None


def _in_passing(
    text: str, said: Sequence[Sentence], place: int, lists: PhraseLists
) -> Keeping | None:
    """What is kept of a sentence that goes on to ask for something with it."""
    sentence = said[place]
    line = lay_out(sentence.text)
    found = kept_while(line, lists)
    if found is None:
        return None
    if found.start < found.end:
        first, last = _span(line, found.start, found.end)
        start, end = sentence.start + first, sentence.start + last
    else:
        start, end = _beside(text, said[: place + 1], place, lists)
    words = without_case(text[start:end]) if found.is_object else text[start:end]
    if start >= sentence.end or not is_of_oneself(lay_out(text[start:end]), lists):
        return None
    return Keeping(found.phrase, as_kept(words), start, end, _LIGHT, is_alone=False)


def told_in(text: str, lists: PhraseLists) -> str:
    """What a message tells, as it is kept; empty where it asks, thanks or greets as well."""
    said = sentences(text)
    is_told = bool(said) and all(_is_statement(one, lists) for one in said)
    return as_kept(text) if is_told else ""


def _wish(sentence: Sentence) -> Keeping:
    content = as_kept(sentence.text)
    return Keeping(content, content, sentence.start, sentence.end, _USUAL, is_wish=True)


def _with_rest(kept: Keeping, said: Sequence[Sentence], place: int, lists: PhraseLists) -> Keeping:
    others = [
        one
        for number, one in enumerate(said)
        if number != place and not kept.start <= one.start < kept.end
    ]
    is_alone = all(is_courtesy(one.text, lists) for one in others)
    return Keeping(
        kept.phrase, kept.content, kept.start, kept.end, kept.importance, kept.is_wish, is_alone
    )


def _parted(sentence: Sentence, lists: PhraseLists) -> list[Sentence]:
    """A sentence that asks to remember and then goes on, as two: the second asks for the rest."""
    line = lay_out(sentence.text)
    requests = _requests(line, lists)
    if requests is None or find_phrase(line, lists.not_remembering):
        return [sentence]
    for pattern in requests.goes_on:
        if found := pattern.fullmatch(line.text):
            head = line.words[: bisect_left(line.starts, found.end("head"))]
            rest = line.words[bisect_left(line.starts, found.start("rest"))]
            end, first = head[-1].end, rest.start
            return [
                Sentence(sentence.text[:end], sentence.start, sentence.start + end),
                Sentence(sentence.text[first:], sentence.start + first, sentence.end),
            ]
    return [sentence]


def _runs_on(text: str, said: Sequence[Sentence], place: int) -> bool:
    """Whether what follows a sentence was parted from it here."""
    following = said[place + 1 : place + 2]
    between = text[said[place].end - 1 : following[0].start] if following else "."
    return not _ENDS.search(between)


def _can_be_asked(line: Line, lists: PhraseLists) -> bool:
    if "?" in line.original and not KINDLY.search(line.text):
        return False
    return find_phrase(line, lists.not_remembering) is None


def _request(said: Sequence[Sentence], sentence: Sentence, lists: PhraseLists) -> _Asked | None:
    line = lay_out(sentence.text)
    requests = _requests(line, lists)
    if requests and (alone := requests.alone.fullmatch(line.text)):
        phrase = line.original_between(*alone.span("said"))
        return _Asked(phrase, 0, 0, _weight(line, lists))
    return _asked(said, sentence, lists) if requests else None


def _asked(said: Sequence[Sentence], sentence: Sentence, lists: PhraseLists) -> _Asked | None:
    """What a sentence says besides its request, where it says something."""
    is_only = _is_only(said, sentence, lists)
    line = lay_out(sentence.text)
    is_turkish = guess_language(line.original, Language.TR) is Language.TR
    for shape in _patterns(lists).shapes:
        found = shape.pattern.fullmatch(line.text)
        if found is None or (shape.is_turkish and not is_turkish):
            continue
        start, end = _span(line, *found.span("clause"))
        clause = lay_out(line.original[start:end])
        if says_nothing((word.text for word in clause.words), lists.stop_words):
            continue
        is_led = line.original[:start].rstrip().endswith(":")
        # "Translate into Turkish: remember this" is about the words behind the colon.
        if clause.original.rstrip().endswith(":") and _asks_for(clause, lists):
            return None
        if shape.is_sure or is_led or _is_told(clause, lists, is_only=is_only):
            return _Asked(
                line.original_between(*found.span("said")),
                start,
                end,
                _weight(line, lists) if shape.is_sure else min(_LIGHT, _weight(line, lists)),
                shape.is_object,
                goes_on=shape.is_sure and found.end("clause") == len(line.text),
            )
    return None


def _by_verb(said: Sequence[Sentence], sentence: Sentence, lists: PhraseLists) -> _Asked | None:
    """A request that no list has; what it names stands beside it, or around the sentence."""
    line = lay_out(sentence.text)
    found = kept_by_verb(line)
    if found is None:
        return None
    phrase = line.original_between(*found.said)
    if found.clause[0] == found.clause[1]:
        return _Asked(phrase, 0, 0, _USUAL)
    start, end = _span(line, *found.clause)
    clause = lay_out(line.original[start:end])
    asks, is_only = _asks_for(clause, lists), _is_only(said, sentence, lists)
    is_quoted = asks and clause.original.rstrip().endswith(":")
    if is_quoted or not (_is_told(clause, lists, is_only=False) or (is_only and not asks)):
        return None
    return _Asked(phrase, start, end, _USUAL, goes_on=found.clause[1] == len(line.text))


def _is_only(said: Sequence[Sentence], sentence: Sentence, lists: PhraseLists) -> bool:
    return all(one is sentence or is_courtesy(one.text, lists) for one in said)


def _asks_for(clause: Line, lists: PhraseLists) -> bool:
    asks = find_phrase(clause, lists.asks) or find_phrase(clause, lists.asks_first, at_once=True)
    return asks is not None


def _is_told(clause: Line, lists: PhraseLists, *, is_only: bool) -> bool:
    """Whether a clause is told for its own sake: of oneself, or as the whole message."""
    if len(clause.words) < _FEWEST_WORDS:
        return is_only and _OF_ME.fullmatch(clause.words[-1].text[-2:]) is not None
    if find_phrase(clause, lists.of_me) or _MINE.search(clause.text):
        return True
    return is_only and find_phrase(clause, lists.asks) is None


def _told(
    text: str, said: Sequence[Sentence], place: int, asked: _Asked, lists: PhraseLists
) -> Keeping:
    """The clause beside the request and, behind a colon, the sentences that go on with it."""
    sentence = said[place]
    start, end = sentence.start + asked.start, sentence.start + asked.end
    if asked.goes_on:
        end = max(end, _last_told(said[place + 1 :], lists, otherwise=end))
    words = without_case(text[start:end]) if asked.is_object else text[start:end]
    wish = is_wish(lay_out(words), lists, is_remembered=True)
    return Keeping(asked.phrase, as_kept(words), start, end, asked.importance, is_wish=wish)


def _around(
    text: str, said: Sequence[Sentence], place: int, asked: _Asked, lists: PhraseLists
) -> Keeping | None:
    """A sentence that is nothing but the request means what stands before it, or else behind.

    None where the message has other sentences that only ask.
    """
    sentence = said[place]
    start, end = _beside(text, said, place, lists)
    words = text[start:end]
    if words.strip() and not is_courtesy(words, lists):
        wish = is_wish(lay_out(words), lists, is_remembered=True)
        return Keeping(asked.phrase, as_kept(words), start, end, asked.importance, is_wish=wish)
    others = [*said[:place], *said[place + 1 + _runs_on(text, said, place) :]]
    if not all(is_courtesy(one.text, lists) for one in others):
        return None
    return Keeping(asked.phrase, "", sentence.start, sentence.end, asked.importance)


def _beside(
    text: str, said: Sequence[Sentence], place: int, lists: PhraseLists
) -> tuple[int, int]:
    """The statements around a sentence: before it, or behind; a list has no sentences."""
    sentence = said[place]
    start = sentence.start
    for one in reversed(said[:place]):
        if not _is_statement(one, lists) or sentence.start - one.start > _LONGEST_AROUND:
            break
        start = one.start
    if start < sentence.start:
        return start, sentence.start
    following = said[place + 1 :]
    if _runs_on(text, said, place):
        return sentence.end, sentence.end
    if following or "?" in text[sentence.end :]:
        return sentence.end, _last_told(following, lists, otherwise=sentence.end)
    return sentence.end, min(len(text), sentence.end + _LONGEST_AROUND)


def _last_told(following: Sequence[Sentence], lists: PhraseLists, *, otherwise: int) -> int:
    """Where the statements end that follow one another from the first on."""
    end = otherwise
    for one in following:
        if not _is_statement(one, lists) or one.end - otherwise > _LONGEST_AROUND:
            break
        end = one.end
    return end


def _is_statement(sentence: Sentence, lists: PhraseLists) -> bool:
    line = lay_out(sentence.text)
    if "?" in sentence.text or is_courtesy(sentence.text, lists):
        return False
    if line.words and _OF_ME.fullmatch(line.words[-1].text[-2:]):
        return True
    asks = find_phrase(line, lists.asks) or find_phrase(line, lists.asks_first, at_once=True)
    return asks is None


def _weight(line: Line, lists: PhraseLists) -> int:
    return _WEIGHTY if find_phrase(line, lists.weighty) else _USUAL


def _span(line: Line, start: int, end: int) -> tuple[int, int]:
    """The part of the original from the first word in a part of the line to the next one's."""
    inside = [n for n, at in enumerate(line.starts) if start <= at < end]
    following = inside[-1] + 1
    last = line.words[following].start if following < len(line.words) else len(line.original)
    return line.words[inside[0]].start, last


class _Shape(NamedTuple):
    pattern: re.Pattern[str]
    is_sure: bool
    is_object: bool = False
    is_turkish: bool = False


class _Patterns(NamedTuple):
    alone: re.Pattern[str]
    goes_on: tuple[re.Pattern[str], ...]
    shapes: tuple[_Shape, ...]


def _requests(line: Line, lists: PhraseLists) -> _Patterns | None:
    """None without a word that asks: the patterns take long to compile, and few messages do."""
    asks = lists.remember_this + lists.remember_clause + lists.remember_that
    return _patterns(lists) if find_phrase(line, asks) else None


@lru_cache(maxsize=4)
def _patterns(lists: PhraseLists) -> _Patterns:
    this = f"(?P<said>{_WHAT}{any_of(lists.remember_this)})"
    clause_said = f"(?P<said>{any_of(lists.remember_clause)})"
    either = f"(?P<said>{any_of(lists.remember_this + lists.remember_clause)})"
    that = f"(?P<said>{any_of(lists.remember_that)})"
    before, behind = opening(lists), closing(lists, lists.weighty)
    urge, bars = f"(?:{any_of(lists.urges)})*", f"(?:{BAR})+"
    some, rest = "(?P<clause>(?:[^ ]+ )+?)", "(?P<clause>.+)"
    of_me = f"(?={any_of(lists.of_me)})"
    shapes = (
        _Shape(
            re.compile(rf"(?P<clause>.*{_OBJECT}){urge}{either}{behind}"),
            is_sure=True,
            is_object=True,
            is_turkish=True,
        ),
        _Shape(re.compile(rf"{some}{bars}{urge}{this}{behind}"), is_sure=True),
        _Shape(re.compile(rf"{some}{urge}{this}{behind}"), is_sure=True, is_turkish=True),
        _Shape(re.compile(rf"{before}{this}{urge}{bars}{rest}"), is_sure=True),
        _Shape(re.compile(rf"{before}{that}(?:{BAR})?{rest}"), is_sure=False),
        _Shape(re.compile(rf"{before}{this}{rest}"), is_sure=False, is_turkish=True),
        _Shape(re.compile(rf"{before}{clause_said}{of_me}{rest}"), is_sure=False),
        _Shape(re.compile(rf"{some}{bars}{urge}{clause_said}{behind}"), is_sure=False),
        _Shape(re.compile(rf"{before}{clause_said}{urge}{bars}{rest}"), is_sure=False),
    )
    then, lead = any_of(lists.and_then), any_of(lists.goes_on_to)
    asks = any_of(lists.remember_this + lists.remember_clause)
    leads = any_of(lists.remember_this + lists.remember_clause + lists.remember_that)
    goes_on = (
        re.compile(rf"(?P<head>(?:[^ ]+ )*?{asks})(?:{BAR})?{then}(?P<rest>.+)"),
        re.compile(rf"(?P<head>(?:[^ ]+ )+?{bars}{urge}{asks}){BAR}(?P<rest>.+)"),
        re.compile(rf"(?P<head>{before}{leads}.+?)(?:{BAR}(?:{then})?|{then})(?P<rest>{lead}.+)"),
    )
    return _Patterns(re.compile(rf"{before}{this}{behind}"), goes_on, shapes)
