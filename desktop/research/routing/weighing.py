"""Weighs how much work a question deserves, by its words alone: no more than it asks for.

What is in doubt is said to be: an answer at once is cheap, and a guess at more work is not.
"""

import re

from desktop.domain.routing import Answer, Research, Unsure, Why
from desktop.domain.tiers import Tier
from desktop.language.hearing.followup import leans_back
from desktop.language.hearing.phrases import PhraseLists, is_courtesy
from desktop.language.hearing.routes import RouteLists
from desktop.language.keywords_and_stems import content_words
from desktop.language.phrase_matcher import Line, find_phrase, lay_out
from desktop.research.routing.material import said_in
from desktop.research.routing.wanting import find_wanted

_SEVERAL = 3
"""Questions in one message."""
_LONG_WORDS = 45
_MANY_OWN = 7
"""Words that say what a question is about; with fewer it is a simple one."""
_SOME_OWN = 5
_PASTED_WORDS = 120
_QUESTION_MARK = re.compile(r"\?+")

Work = Answer | Research | Unsure
_Phrases = tuple[str, ...]


def weigh(text: str, routes: RouteLists, phrases: PhraseLists, *, has_session: bool) -> Work:
    """How much work a question gets; `has_session`: something was answered before it."""
    line = lay_out(said_in(text, routes))
    if is_courtesy(text, phrases):
        return Answer(Why.SMALL_TALK)
    if asked := _asked_for(line, routes, phrases):
        return asked
    if said := _said(line, routes.tasks):
        return Answer(Why.TASK, said)
    if has_session and leans_back(text, phrases):
        return Answer(Why.FOLLOW_UP)
    return _by_size(line, routes, phrases)


def _asked_for(line: Line, routes: RouteLists, phrases: PhraseLists) -> Research | None:
    """Research that the words themselves ask for."""
    if len(line.words) > _PASTED_WORDS:
        return None
    for asks, tier, why in (
        (routes.deep, Tier.DEEP, Why.REPORT),
        (routes.evidence, Tier.RESEARCH, Why.EVIDENCE),
        (routes.investigates, Tier.RESEARCH, Why.INVESTIGATE),
        (routes.own_sources, Tier.QUICK, Why.OWN_SOURCES),
        (_both(line, routes.own_papers, routes.asks_papers), Tier.QUICK, Why.OWN_SOURCES),
        (routes.fresh, Tier.QUICK, Why.FRESH),
        (_both(line, routes.fresh_what, routes.fresh_when), Tier.QUICK, Why.FRESH),
    ):
        is_work = why in {Why.REPORT, Why.INVESTIGATE}
        said = find_wanted(line, asks, routes, is_work=is_work)
        if said and not _is_subject(said, line, routes, phrases):
            return Research(tier, why, line.original_between(*said.span()))
    return None


def _both(line: Line, what: _Phrases, beside: _Phrases) -> _Phrases:
    """The first phrases, if one of the second stands in the line as well."""
    return what if find_phrase(line, beside) else ()


def _is_subject(said: re.Match[str], line: Line, routes: RouteLists, phrases: PhraseLists) -> bool:
    """Whether the words are what is asked about: "What is a literature review?" asks for none."""
    others = line.text[: said.start()] + line.text[said.end() :]
    return _is_definition(line, routes) and not content_words(others, phrases.stop_words)


def _by_size(line: Line, routes: RouteLists, phrases: PhraseLists) -> Work:
    own = len(content_words(line.text, phrases.stop_words))
    asked = len(_QUESTION_MARK.findall(line.original))
    if len(line.words) > _PASTED_WORDS:
        return Unsure(Why.LONG)
    if asked >= _SEVERAL and own >= _SOME_OWN:
        return Research(Tier.RESEARCH, Why.SEVERAL)
    if doubt := _doubt(line, routes, phrases, is_large=own >= _MANY_OWN):
        return doubt
    is_short = own < _MANY_OWN and _is_definition(line, routes)
    return Answer(Why.DEFINITION if is_short else Why.SESSION)


def _doubt(line: Line, routes: RouteLists, lists: PhraseLists, *, is_large: bool) -> Unsure | None:
    for phrases, why in (
        (routes.compares, Why.COMPARES),
        (routes.chooses, Why.CHOICE),
        (routes.deep_maybe, Why.REPORT),
        (routes.evidence_maybe, Why.EVIDENCE),
        (routes.fresh_maybe, Why.FRESH),
    ):
        said = find_wanted(line, phrases, routes)
        if said and not _is_subject(said, line, routes, lists):
            return Unsure(why, line.original_between(*said.span()))
    if is_large and (because := _said(line, routes.causes)):
        return Unsure(Why.CAUSES, because)
    return Unsure(Why.LONG) if len(line.words) > _LONG_WORDS else None


def _is_definition(line: Line, routes: RouteLists) -> bool:
    return find_phrase(line, routes.defines) is not None


def _said(line: Line, phrases: tuple[str, ...]) -> str:
    found = find_phrase(line, phrases)
    return line.original_between(*found.span()) if found else ""
