"""Writes answers without a model: quotations of what was found, each with its citation."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from desktop.domain.language import Language
from desktop.domain.messages import Citation, CitationState
from desktop.language.dates.date_formatting import long_date
from desktop.language.language_detection import guess_language
from desktop.language.markdown_stripping import without_block_marks
from desktop.language.relevant_sentences import (
    Subject,
    bearing_sentences,
    shares_subject,
    subject_words,
)
from desktop.language.sentences import Sentence
from desktop.language.stopwords import StopWords
from desktop.research.passages import Passage, excerpt
from desktop.settings.messages import Texts

_SENTENCES = 2
_CONSIDERED = 6
_BEGINNING = 240
_NEAREST = 2
"""Passages shown where none answers the question."""


Weigh = Callable[[Sequence[str]], Mapping[str, float]]
"""The weight of each word: how well it discriminates."""


def _evenly(words: Sequence[str]) -> Mapping[str, float]:
    return dict.fromkeys(words, 1.0)


@dataclass(frozen=True, slots=True)
class CitedText:
    """A whole answer: markdown, and what it cites."""

    text: str
    citations: Sequence[Citation] = ()


def quote_evidence(
    question: str, passages: Sequence[Passage], lead: str, stop_words: StopWords, texts: Texts
) -> CitedText:
    """The sentences relevant to a question, grouped by source.

    The page stands with the source, or behind each quotation if there are several pages.
    """
    citations: list[Citation] = []
    parts = [lead]
    # Found for two parts of a question, it still says the same.
    once = {(one.cited_in, one.cited_at): one for one in passages}.values()
    ordered = sorted(once, key=lambda one: _first(passages, one.cited_in))
    for _, of_source in groupby(ordered, key=lambda one: one.cited_in):
        several = list(of_source)
        is_of_one_page = len({_page(one) for one in several}) == 1
        parts.append(_heading(several[0], texts, with_page=is_of_one_page))
        for passage in several:
            for words in _words(question, passage, stop_words):
                citations.append(checked_citation(passage, words, len(citations) + 1))
                page = None if is_of_one_page else _page(passage)
                parts.append(_quotation(words, len(citations), page, texts))
    return CitedText("\n\n".join(parts), tuple(citations))


class Closeness(StrEnum):
    """How close the quotations are to the question; the value names the text that leads them."""

    FOUND = "no_model"
    NEAR = "no_model_near"
    """They share a word with the question and say something else."""
    FOREIGN = "no_model_nearest"
    """They are in another language, so that words cannot be compared."""


def rank_quotable(
    question: str,
    passages: Sequence[Passage],
    stop_words: StopWords,
    weigh: Weigh = _evenly,
) -> tuple[Sequence[Passage], Closeness]:
    """The passages that may be quoted, and how close they are.

    A search by meaning finds something to everything. Where nothing found has more than one of
    the words that the question is about, the nearest is shown as no more than that; where nothing
    has any, only what is in another language may still say it.
    """
    subject = Subject(weigh(subject_words(question, stop_words)))
    # A title speaks for what stands under it only where none of that says it by itself.
    saying = [one for one in passages if shares_subject(question, one.stored, stop_words)]
    outspoken = {one.title for one in saying}
    told = [
        (one, f"{one.title}\n{one.stored}")
        for one in passages
        if one in saying or one.title not in outspoken
    ]
    if covering := [one for one, text in told if subject.weights and subject.covers(text)]:
        return covering, Closeness.FOUND
    if touching := [one for one, text in told if subject.weights and subject.touches(text)]:
        return touching[:_NEAREST], Closeness.NEAR
    return _foreign(question, passages), Closeness.FOREIGN


def passages_on_subject(
    question: str, passages: Sequence[Passage], stop_words: StopWords
) -> Sequence[Passage]:
    """Passages that share a subject word with the question or its parts."""
    return [
        one
        for one in passages
        if shares_subject(question, f"{one.title}\n{one.stored}", stop_words)
    ] or _foreign(question, passages)


def _foreign(question: str, passages: Sequence[Passage]) -> Sequence[Passage]:
    asked = guess_language(question, Language.EN)
    foreign = [one for one in passages if guess_language(one.stored, asked) is not asked]
    return foreign[:_NEAREST]


def checked_citation(passage: Passage, words: str, number: int) -> Citation:
    """A citation of words that the program itself took from the passage."""
    return Citation(
        number=number,
        state=CitationState.CHECKED,
        quote=words,
        source_id=passage.cited_in,
        passage_id=passage.cited_at,
        title=passage.title,
    )


def _first(passages: Sequence[Passage], source_id: str) -> int:
    return next(at for at, one in enumerate(passages) if one.cited_in == source_id)


def _words(question: str, passage: Passage, stop_words: StopWords) -> list[str]:
    text = _without_heading(passage)
    best = bearing_sentences(question, text, _CONSIDERED, stop_words=stop_words)
    chosen = _chosen(question, best, stop_words)
    ordered = sorted(chosen, key=lambda one: one.start)
    return [one.text for one in ordered] or [excerpt(text, (), _BEGINNING)]


def _chosen(question: str, best: Sequence[Sentence], stop_words: StopWords) -> Sequence[Sentence]:
    """The best sentence, then those that cover the words it leaves out."""
    asked = subject_words(question, stop_words)
    chosen = list(best[:1])
    while len(chosen) < min(_SENTENCES, len(best)):
        told = " ".join(one.text for one in chosen)
        missing = Subject({word: 1.0 for word in asked if not Subject({word: 1.0}).touches(told)})
        others = [one for one in best if one not in chosen]
        chosen.append(max(others, key=lambda one: missing.shared(one.text)))
    return chosen


def _without_heading(passage: Passage) -> str:
    """What a passage says below its heading, which is no sentence of it."""
    heading = passage.place.heading.rpartition(" › ")[2] if passage.place else ""
    first, _, rest = passage.stored.partition("\n")
    return rest if heading and rest and first.strip("# ") == heading else passage.stored


def _page(passage: Passage) -> int | None:
    return passage.place.page if passage.place else None


def _quotation(words: str, number: int, page: int | None, texts: Texts) -> str:
    quote = " ".join(without_block_marks(words).split())
    if page is None:
        return texts.say("research.quote", quote=quote, number=number)
    told = texts.say("research.source_page", page=page)
    return texts.say("research.quote_page", quote=quote, number=number, page=told)


def _heading(passage: Passage, texts: Texts, *, with_page: bool) -> str:
    title = passage.title.replace("[", "(").replace("]", ")")
    place = passage.place
    if place is None:
        return texts.say(
            "no_model.session",
            title=title,
            link=f"bellek://session/{passage.session_id}?message={passage.message_id}",
            date=long_date(passage.said_at, texts.language),
        )
    page = _page(passage) if with_page else None
    told = f", {texts.say('research.source_page', page=page)}" if page is not None else ""
    return texts.say("research.no_model_source", title=title, place=told)
