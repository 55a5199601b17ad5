"""What a research tier answers where no model is connected: what was found, and as what."""

from collections.abc import Sequence

from desktop.domain.routing import Decision, Research, Why
from desktop.domain.sources import SourceKind
from desktop.language.keywords_and_stems import content_words
from desktop.language.phrase_matcher import find_phrase, lay_out
from desktop.research.passages import Passage
from desktop.research.tiers.extractive_report import Closeness, Composed, bearing, quote_evidence
from desktop.research.tiers.run import Run
from desktop.research.tiers.sub_questions import questions_in
from desktop.sessions.prompts_and_phrases import shipped_routes

_ORDERS = frozenset({Why.REPORT, Why.EVIDENCE, Why.INVESTIGATE, Why.OWN_SOURCES})


def quoted(run: Run, decided: Decision | None, passages: Sequence[Passage]) -> Composed:
    """Nothing but quotations; that there are none, or none that answers, is said."""
    hands, question = run.hands, run.asked.question
    texts, stop_words = hands.texts, hands.phrases.stop_words
    about = _without_the_order(question, decided)
    found, closeness = _bearing_on_each(about, passages, run)
    if not found:
        return Composed(texts.say("research.no_model_nothing"))
    is_old = (
        closeness is Closeness.FOUND
        and isinstance(decided, Research)
        and decided.reason is Why.FRESH
        and not any(map(_is_page, found))
    )
    lead = texts.say("research.no_model_old" if is_old else f"research.{closeness.value}")
    return quote_evidence(question, found, lead, stop_words, texts)


def _bearing_on_each(
    about: str, passages: Sequence[Passage], run: Run
) -> tuple[Sequence[Passage], Closeness]:
    """What bears on the whole, and of several questions what answers each by itself.

    Beside the words of all of them those of one are few.
    """
    stop_words, weigh = run.hands.phrases.stop_words, run.hands.lookup.search.weights
    whole, closeness = bearing(about, passages, stop_words, weigh)
    asked = [one.question for one in questions_in(about, run.hands)]
    if len(asked) == 1:
        return whole, closeness
    told = [
        bearing(one, passages, stop_words, weigh)
        for one in asked
        if content_words(one, stop_words)
    ]
    each = [one for found, how in told if how is Closeness.FOUND for one in found]
    if not each:
        return whole, closeness
    return [*(whole if closeness is Closeness.FOUND else ()), *each], Closeness.FOUND


def _without_the_order(question: str, decided: Decision | None) -> str:
    """What is to be done ("with two sources, please") says nothing of what it is about."""
    if not isinstance(decided, Research) or decided.reason not in _ORDERS:
        return question
    routes, line = shipped_routes(), lay_out(question)
    for phrases in (routes.deep, routes.evidence, routes.evidence_maybe, routes.investigates):
        if found := find_phrase(line, phrases):
            question = question.replace(line.original_between(*found.span()), " ")
    return question


def _is_page(passage: Passage) -> bool:
    return passage.place is not None and passage.place.kind is SourceKind.WEB
