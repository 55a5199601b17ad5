"""Estimates how much work a question deserves, by a few phrases and its size: never more.

What is in doubt is answered at once: an answer is cheap, and a wrong guess at more work is not.
"""

from desktop.domain.routing import Answer, Research, RoutingReason, Unsure
from desktop.domain.tiers import Tier
from desktop.language.follow_ups import leans_back
from desktop.language.intents.phrases import PhraseLists, is_courtesy
from desktop.language.keywords_and_stems import content_of
from desktop.language.phrase_matcher import Line, PhraseMatch, find_phrase, tokenize

_SEVERAL = 3
"""Questions in one message."""
_LONG_WORDS = 45
_MANY_OWN = 7
"""Words that say what a question is about; with fewer it is a simple one."""
_SOME_OWN = 5
_PASTED_WORDS = 120

Effort = Answer | Research | Unsure


def estimate_effort(text: str, phrases: PhraseLists, *, has_session: bool) -> Effort:
    """`text`: the user's own words; `has_session`: something was answered before it."""
    line = tokenize(text)
    if is_courtesy(text, phrases):
        return Answer(RoutingReason.SMALL_TALK)
    if asked := _find_request(line, phrases):
        return asked
    if task := find_phrase(line, phrases.tasks):
        return Answer(RoutingReason.TASK, line.original_between(*task))
    if has_session and leans_back(text, phrases):
        return Answer(RoutingReason.FOLLOW_UP)
    return _by_size(line, phrases)


def _find_request(line: Line, phrases: PhraseLists) -> Research | None:
    """Research that the words themselves ask for."""
    if len(line.words) > _PASTED_WORDS or find_phrase(line, phrases.refuses):
        return None
    for asks, tier, why in (
        (phrases.deep, Tier.DEEP, RoutingReason.REPORT),
        (phrases.evidence, Tier.RESEARCH, RoutingReason.EVIDENCE),
        (phrases.investigates, Tier.RESEARCH, RoutingReason.INVESTIGATE),
        (phrases.own_sources, Tier.QUICK, RoutingReason.OWN_SOURCES),
        (phrases.fresh, Tier.QUICK, RoutingReason.FRESH),
    ):
        found = find_phrase(line, asks)
        if found and not _is_subject(found, line, phrases):
            return Research(tier, why, line.original_between(*found))
    return None


def _is_subject(found: PhraseMatch, line: Line, phrases: PhraseLists) -> bool:
    """Whether the words are what is asked about: "What is a literature review?" asks for none."""
    others = line.words_between(0, found.start) + line.words_between(found.end, len(line.tokens))
    is_definition = find_phrase(line, phrases.defines) is not None
    return is_definition and not content_of(others, phrases.stop_words)


def _by_size(line: Line, phrases: PhraseLists) -> Effort:
    own = len(content_of(line.words, phrases.stop_words))
    asked = sum(mark == "?" for mark in line.original)
    if len(line.words) > _PASTED_WORDS:
        return Unsure(RoutingReason.LONG)
    if asked >= _SEVERAL and own >= _SOME_OWN:
        return Research(Tier.RESEARCH, RoutingReason.SEVERAL)
    if found := find_phrase(line, phrases.compares):
        return Unsure(RoutingReason.COMPARES, line.original_between(*found))
    if len(line.words) > _LONG_WORDS:
        return Unsure(RoutingReason.LONG)
    is_definition = own < _MANY_OWN and find_phrase(line, phrases.defines) is not None
    return Answer(RoutingReason.DEFINITION if is_definition else RoutingReason.SESSION)
