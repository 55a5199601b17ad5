"""Picks out of a session what the diary tells of it, without a model: few lines, in its own words.

What was asked, what stayed open, what the user decided and wants to do next are the user's words;
what was found is the session's summary. When in doubt a line is left out.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from desktop.domain.diary import DiaryItem, DiaryItemKind
from desktop.domain.messages import NO_MODEL, Message, Role
from desktop.domain.sessions import Session
from desktop.language.follow_ups import leans_back
from desktop.language.intents.phrases import PhraseLists
from desktop.language.markdown_stripping import plain_text, without_code
from desktop.language.normalization import fold, folded_key
from desktop.language.relevant_sentences import is_told_decision, keys_of
from desktop.language.sentences import sentences
from desktop.memory.worth_storing import has_failed, says_nothing

LONGEST_LINE = 240
_LONGEST_FINDING = 400
_MOST_OF_A_KIND = 3
_LENGTHS = range(12, LONGEST_LINE + 1)
_READ = 2_000
"""Letters of a message that are read."""
# A plan is a line that is called one, or what the user says to do at a time to come.
_PLANS = re.compile(
    r"^\W*(?:(?:sonraki|siradaki) adim\w*|yapilacak\w*|next steps?|to-?dos?)\b"
    r"|^(?=.*\b(?:yarin|haftaya|gelecek (?:hafta|ay)|tomorrow|next (?:week|month))\b)"
    r".*(?:\wacagi[mz]\b|\wecegi[mz]\b|\b(?:i|we)(?:'ll| will| am going to)\b)"
)
_Lines = Iterator[tuple[str, Message]]

_Exchange = tuple[Message, Message | None]
"""A question, and its answer if it has one."""


def extract_items(
    session: Session,
    messages: Sequence[Message],
    phrases: PhraseLists,
    says_nothing_found: Callable[[str], bool],
) -> list[DiaryItem]:
    told: list[_Exchange] = []
    for one, following in pairwise((*messages, None)):
        if one is not None and one.role is Role.USER:
            answer = following if following and following.role is Role.ASSISTANT else None
            if not says_nothing(one.content, phrases):
                told.append((one, answer))
    lines: dict[DiaryItemKind, _Lines] = {
        DiaryItemKind.ASKED: _asked(told, phrases),
        DiaryItemKind.FOUND: _found(session, messages),
        DiaryItemKind.DECIDED: _said(told, is_told_decision),
        DiaryItemKind.OPEN: _left_open(told, says_nothing_found),
        DiaryItemKind.NEXT_STEP: _said(told, _is_plan),
    }
    items = [
        DiaryItem(kind, text, session.id, message.id)
        for kind, found in lines.items()
        for text, message in _first_ones(found)
    ]
    if not items:  # a day that had a session has an entry
        first = messages[0].id if messages else None
        title = cut_line(session.shown_title) or "…"
        items.append(DiaryItem(DiaryItemKind.ASKED, title, session.id, first))
    return items


def cut_line(text: str, length: int = LONGEST_LINE) -> str:
    line = " ".join(text.split())
    return line if len(line) <= length else f"{line[: length - 1].rsplit(' ', 1)[0]}…"


def _first_ones(lines: _Lines) -> _Lines:
    met: set[str] = set()
    for text, message in lines:
        if (key := folded_key(text)) not in met:
            met.add(key)
            yield text, message
        if len(met) == _MOST_OF_A_KIND:
            return


def _asked(told: Sequence[_Exchange], phrases: PhraseLists) -> _Lines:
    for place, (message, _) in enumerate(told):
        if place == 0:
            yield cut_line(plain_text(without_code(message.content)[:_READ])), message
        elif (question := _question_in(message)) and not leans_back(question, phrases):
            yield question, message
            return


def _question_in(message: Message) -> str:
    said = (plain_text(one.text) for one in sentences(without_code(message.content)[:_READ]))
    return cut_line(next((one for one in said if one.endswith("?")), ""))


def _found(session: Session, messages: Sequence[Message]) -> _Lines:
    answers = [one for one in messages if one.role is Role.ASSISTANT and one.model != NO_MODEL]
    summary = session.summary or ""
    if not answers or not summary or folded_key(summary) == folded_key(session.title or ""):
        return
    line = cut_line(summary, _LONGEST_FINDING)
    said = keys_of(line)
    yield line, max(answers, key=lambda one: len(said & keys_of(one.content[:_READ])))


def _said(told: Sequence[_Exchange], fits: Callable[[str], bool]) -> _Lines:
    for message, _ in told:
        for sentence in sentences(without_code(message.content)[:_READ]):
            line = plain_text(sentence.text)
            if len(line) in _LENGTHS and fits(line):
                yield line, message


def _is_plan(sentence: str) -> bool:
    return not sentence.rstrip().endswith("?") and _PLANS.search(fold(sentence)) is not None


def _left_open(told: Sequence[_Exchange], says_nothing_found: Callable[[str], bool]) -> _Lines:
    last: dict[str, tuple[str, _Exchange]] = {}
    for one in told:
        if question := _question_in(one[0]):
            last[folded_key(question)] = question, one
    for question, (message, answer) in last.values():
        if answer is None or has_failed(answer) or says_nothing_found(answer.content):
            yield question, message
